//! Signs that a result was already cut at its source: a member such as `has_more`, or a line such as
//! `... 1000 more items`. Only signs that leave no doubt count, because the model acts on them.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use tuckaway_host::{Content, ToolOutput};

/// The maximum size of a document whose members are read.
const MAX_JSON_BYTES: usize = 64 << 20;

/// The number of lines at each end of a text that are read, and the maximum length of such a line.
const END_LINES: usize = 3;
const MAX_LINE_BYTES: usize = 300;

/// Members that are true if there is more.
const FLAGS: [&str; 10] = [
    "has_more",
    "hasMore",
    "has_next",
    "hasNext",
    "has_next_page",
    "hasNextPage",
    "incomplete_results",
    "is_truncated",
    "isTruncated",
    "truncated",
];

/// Members with the place where the next page begins.
const CURSORS: [&str; 6] =
    ["next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken"];

/// Objects that describe the page.
const PAGES: [&str; 6] = ["pageInfo", "page_info", "pagination", "paging", "meta", "response_metadata"];

/// How a line that says that a text was cut begins, in lower case and without brackets.
const BEGINNINGS: [&str; 8] = [
    "output truncated",
    "output was truncated",
    "output has been truncated",
    "result truncated",
    "results truncated",
    "response truncated",
    "content truncated",
    "truncated output",
];

/// Parts of a line that says where the whole text is.
const WHOLE: [&str; 5] = ["full output", "complete output", "full result", "full response", "full content"];

/// Words for a result, in a line that says that it was too large.
const RESULTS: [&str; 5] = ["output", "result", "response", "content", "data"];

/// Returns the sign that an output is incomplete, as a line for the model.
pub(super) fn note(output: &ToolOutput) -> Option<String> {
    let structured = output.structured.as_deref();
    let texts = output.blocks.iter().filter_map(|block| match &block.content {
        Content::Text(text) => Some(text.as_str()),
        Content::Bytes(_) | Content::Stored(_) => None,
    });
    let sign = structured.into_iter().chain(texts).find_map(sign)?;
    Some(format!("[The tool returned only a part: {sign}. The stored result is what it returned.]"))
}

fn sign(text: &str) -> Option<String> {
    let is_object = text.trim_start().starts_with('{') && text.len() <= MAX_JSON_BYTES;
    match is_object {
        true => member(text).or_else(|| line(text)),
        false => line(text),
    }
}

/// Returns the member of a JSON object that says that there is more.
fn member(json: &str) -> Option<String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.deserialize_map(Members).ok()?
}

/// Reads the members of an object, and skips all irrelevant values.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Option<String>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(name) = members.next_key::<String>()? {
            if PAGES.contains(&&*name) {
                let page: Value = members.next_value()?;
                let all = page.as_object().into_iter().flatten();
                found =
                    found.or_else(|| all.filter(|(name, value)| says_more(name, value)).map(shown).next());
            } else if FLAGS.contains(&&*name) || CURSORS.contains(&&*name) {
                let value: Value = members.next_value()?;
                found = found.or_else(|| says_more(&name, &value).then(|| shown((&name, &value))));
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

fn says_more(name: &str, value: &Value) -> bool {
    match value {
        Value::Bool(true) => FLAGS.contains(&name),
        Value::String(cursor) => CURSORS.contains(&name) && !cursor.is_empty(),
        Value::Number(cursor) => CURSORS.contains(&name) && cursor.as_f64() != Some(0.0),
        _ => false,
    }
}

fn shown((name, value): (&String, &Value)) -> String {
    match value {
        Value::Bool(_) => format!("{name} is true"),
        _ => format!("it has a {name}"),
    }
}

/// Returns the line at an end of a text that says that the text was cut.
fn line(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ends = lines.clone().take(END_LINES).chain(lines.rev().take(END_LINES));
    let said = ends.filter(|line| line.len() <= MAX_LINE_BYTES).find(|line| is_cut(line))?;
    Some(format!("it says {said:?}"))
}

fn is_cut(line: &str) -> bool {
    let line = line.to_lowercase();
    let bare = line.trim_matches(|c: char| "[](){}<>*#-_=|\"' ".contains(c));
    let after_dots = bare.trim_start_matches(['.', '\u{2026}', ' ', '[', '(', '<']);
    let has_dots = after_dots.len() < bare.len() && (bare.starts_with("...") || bare.starts_with('\u{2026}'));
    let is_named_in_full = WHOLE.iter().any(|whole| bare.contains(whole));
    let before = ["too large", "too long"].iter().find_map(|words| Some(&bare[..bare.find(words)?]));
    let is_too_large = before.is_some_and(|before| RESULTS.iter().any(|word| before.contains(word)));
    has_dots && counts_more(after_dots)
        || BEGINNINGS.iter().any(|beginning| after_dots.starts_with(beginning))
        // That something was saved to a sandbox says nothing by itself: tools that make files say so too.
        || (is_named_in_full || is_too_large) && (bare.contains("saved to") || bare.contains("written to"))
}

/// Returns whether a text begins like `1000 more items`.
fn counts_more(text: &str) -> bool {
    let text = text.strip_prefix("and ").unwrap_or(text);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    rest.len() < text.len() && (rest == " more" || rest.starts_with(" more "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_found() {
        for (text, why) in [
            (r#"{"items": [1, {"has_more": false}], "has_more": true}"#, "has_more is true"),
            (r#" {"hasMore": true}"#, "hasMore is true"),
            (r#"{"next_cursor": "abc", "rows": []}"#, "it has a next_cursor"),
            (r#"{"nextCursor": 12}"#, "it has a nextCursor"),
            (r#"{"nextPageToken": "t"}"#, "it has a nextPageToken"),
            (r#"{"data": [], "pageInfo": {"hasNextPage": true, "endCursor": "x"}}"#, "hasNextPage is true"),
            (r#"{"ok": true, "response_metadata": {"next_cursor": "dGVhbQ"}}"#, "it has a next_cursor"),
            (r#"{"total_count": 9, "incomplete_results": true, "items": []}"#, "incomplete_results is true"),
            ("a\nb\n... 1000 more items\n", "it says \"... 1000 more items\""),
            ("a\nb\n\u{2026} and 12 more lines", "more lines"),
            ("a\n...and 1,204 more", "1,204 more"),
            ("a\n[... 20 more rows]\n\n", "20 more rows"),
            ("a\n[output truncated]\n", "output truncated"),
            ("Output truncated to 30000 characters.\nrest", "Output truncated"),
            ("x\n... [truncated output] ...", "truncated output"),
            ("Full output saved to: /tmp/x.txt\nfirst lines", "saved to"),
            ("Full response saved to sandbox: /mnt/data/r.json\n{\"id\": 1}", "saved to sandbox"),
            (
                "{\"id\": 1}\n[The output has been saved to sandbox:/tmp/out.txt, as it is too large]",
                "too large",
            ),
            ("Response too large, written to /tmp/response.json", "too large"),
            ("(Results truncated, narrow the search.)\na", "Results truncated"),
        ] {
            let sign = sign(text).unwrap_or_else(|| panic!("{text}"));
            assert!(sign.contains(why), "{text}: {sign}");
        }
    }

    #[test]
    fn whole_results_have_no_sign() {
        let far = format!("{}... 5 more items\n{}", "line\n".repeat(10), "line\n".repeat(10));
        let long = format!("output truncated {}", "x".repeat(400));
        for text in [
            "",
            "{",
            "{}",
            r#"{"has_more": false, "next_cursor": null, "nextPageToken": ""}"#,
            r#"{"has_more": "true", "hasMore": 1, "truncated": null, "nextCursor": 0}"#,
            "truncated: false",
            r#"{"items": [{"has_more": true, "next_cursor": "abc"}]}"#,
            r#"{"item": {"has_more": true}}"#,
            r#"{"pageInfo": {"hasNextPage": false, "endCursor": "abc"}}"#,
            r#"{"cursor": "abc", "next": "abc", "more": true}"#,
            r#"[{"has_more": true}]"#,
            r#"{"has_more": true, "cut"#,
            "There are 1000 more items in the shop.",
            "3 more items",
            "... more about this below",
            "...",
            "The flag --quiet has output truncated lines",
            "The report was saved to /tmp/report.txt",
            "File saved to disk",
            "File saved to sandbox: report.csv",
            "SUCCESS: Image generated and saved to sandbox.",
            "Result saved to sandbox/expenses.csv",
            "The image is too large; a smaller one was saved to sandbox.",
            "The response is too large for this chart.",
            "see the full output of the run below",
            &far,
            &long,
        ] {
            assert_eq!(sign(text), None, "{text}");
        }
    }
}
