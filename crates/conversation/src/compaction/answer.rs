//! Reads a model's answer to a request for a summary, leniently.

/// A usable answer.
pub struct Answer {
    /// The content to keep word for word.
    pub retain: Option<String>,
    /// The summary; never empty.
    pub summary: String,
}

impl Answer {
    /// Reads an answer. Text around the tags is ignored, and a closing tag may be missing. A tag
    /// inside a section is part of its text: a section ends with the last closing tag before the
    /// next section, or with the text.
    ///
    /// Errors: the reason why nothing is usable.
    pub fn read(answer: &str) -> Result<Answer, String> {
        let summary = opening(answer, "<summary>");
        let retain = opening(answer, "<retain>");
        let (summary_text, retain_text) = match (summary, retain) {
            (Some(summary), Some(retain)) if retain < summary => {
                (&answer[summary..], Some(&answer[retain..summary]))
            }
            (Some(summary), _) => {
                // A section after the summary counts only if the summary was closed.
                let (summary_text, behind) = closed(&answer[summary..], "<summary>", "</summary>");
                return Answer::of(summary_text, opening(behind, "<retain>").map(|at| &behind[at..]));
            }
            (None, _) => return Err("the answer has no <summary>".to_owned()),
        };
        Answer::of(closed(summary_text, "<summary>", "</summary>").0, retain_text)
    }

    fn of(summary: &str, retain: Option<&str>) -> Result<Answer, String> {
        let summary = trimmed(summary);
        if summary.is_empty() {
            return Err("the summary is empty".to_owned());
        }
        let retain = retain.map(|text| trimmed(closed(text, "<retain>", "</retain>").0));
        Ok(Answer {
            retain: retain.filter(|text| !text.is_empty()).map(str::to_owned),
            summary: summary.to_owned(),
        })
    }
}

/// Returns where a section begins: a tag at the start of a line has priority over a tag that a
/// sentence mentions.
fn opening(text: &str, tag: &str) -> Option<usize> {
    // Only the white space before a tag is inspected: an answer may repeat tags in one line.
    let at_line_start = |at: &usize| {
        let before = text[..*at].chars().rev().find(|c| *c == '\n' || !c.is_whitespace());
        before.is_none_or(|c| c == '\n')
    };
    tags(text, tag).find(at_line_start).or_else(|| tags(text, tag).next())
}

/// Splits a text that begins with an opening tag into the enclosed text and the rest.
fn closed<'t>(text: &'t str, open: &str, close: &str) -> (&'t str, &'t str) {
    let text = text.strip_prefix(open).unwrap_or(text);
    match tags(text, close).last() {
        Some(end) => (&text[..end], &text[end + close.len()..]),
        None => (text, ""),
    }
}

/// Finds a tag that is not quoted: a quoted tag is only mentioned.
fn tags(text: &str, tag: &str) -> impl Iterator<Item = usize> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let is_quoted =
        move |at: &usize| text[..*at].ends_with(QUOTES) && text[at + tag.len()..].starts_with(QUOTES);
    text.match_indices(tag).map(|(at, _)| at).filter(move |at| !is_quoted(at))
}

/// Returns a text without surrounding white space and code fences.
fn trimmed(text: &str) -> &str {
    let text = text.trim();
    match text.strip_suffix("```") {
        // A fence that was opened inside belongs to the text.
        Some(left) if left.matches("```").count() % 2 == 0 => left.trim_end(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> Option<(Option<String>, String)> {
        Answer::read(answer).ok().map(|answer| (answer.retain, answer.summary))
    }

    #[test]
    fn answers_are_read_leniently() {
        for (answer, retain, summary) in [
            ("<summary>a</summary>", None, "a"),
            ("Here you are:\n<retain>r</retain>\n<summary>a</summary>\nDone.", Some("r"), "a"),
            ("<summary>a", None, "a"),
            ("<retain>r\n<summary>a", Some("r"), "a"),
            ("<summary>a</summary><retain>r", Some("r"), "a"),
            ("```xml\n<summary>\na\n```", None, "a"),
            ("I write <summary> first.\n<summary>a</summary>", None, "a"),
            (
                "<summary>it said \"<summary>x</summary>\" twice</summary>",
                None,
                "it said \"<summary>x</summary>\" twice",
            ),
            ("<summary>code:\n```\nx\n```</summary>", None, "code:\n```\nx\n```"),
            (
                "<summary>`</summary>` and \"<retain>\" were printed",
                None,
                "`</summary>` and \"<retain>\" were printed",
            ),
            ("<summary>it said \"a\"</summary>", None, "it said \"a\""),
            ("<retain></retain><summary>a</summary>", None, "a"),
        ] {
            assert_eq!(read(answer), Some((retain.map(str::to_owned), summary.to_owned())), "{answer:?}");
        }
    }

    #[test]
    fn nothing_usable_is_refused() {
        for answer in ["", "I cannot do that.", "<summary></summary>", "<summary> \n", "<retain>r</retain>"] {
            assert!(read(answer).is_none(), "{answer:?}");
        }
    }
}
