//! Detects Markdown.

use super::walker::{MarkdownLine, MarkdownWalker};
use crate::sample::Sample;
use tuckaway_search::find;

/// Starts of lines of a source; its comments may be in Markdown.
const CODE: [&str; 6] = ["//", "#include ", "#define ", "import ", "def ", "return "];

/// Returns whether there are two or more different marks of Markdown, including one that other
/// texts do not have.
pub fn detect(sample: &Sample) -> bool {
    if sample.head.starts_with("#!") {
        return false;
    }
    let mut walker = MarkdownWalker::default();
    let (mut headings, mut fences, mut tables, mut items, mut links, mut strong, mut quotes) =
        (0, 0, 0, 0, 0, 0, 0);
    let (mut lines, mut text_lines, mut code) = (0, 0, 0);
    let mut above = MarkdownLine::Blank;
    let begins_with_markup = sample.head.trim_start().starts_with('<');
    for line in sample.lines() {
        lines += 1;
        let step = walker.step(line.as_bytes());
        match step {
            MarkdownLine::Opens(_) => fences += 1,
            // It may quote other markup.
            MarkdownLine::Code => {}
            _ if is_of_other_markup(line) => return false,
            // Comments of a script are often several lines, and Terraform indents its own.
            MarkdownLine::Heading if above != MarkdownLine::Heading && line.starts_with('#') => {
                headings += usize::from(above == MarkdownLine::Blank || has_words(line));
            }
            MarkdownLine::TableRule if above == MarkdownLine::Text => tables += 1,
            MarkdownLine::Item => items += 1,
            MarkdownLine::Quote => quotes += usize::from(line.contains("> ")),
            MarkdownLine::Underline => headings += 1,
            // Comments of a source are in Markdown.
            MarkdownLine::Text if line.trim_start().starts_with("/**") && !line.starts_with("    ") => {
                return false;
            }
            MarkdownLine::Text => {
                text_lines += 1;
                code += usize::from(CODE.iter().any(|start| line.trim_start().starts_with(start)));
                let last = line.trim_end().rsplit(' ').next().unwrap_or_default();
                // An entity, `&mdash;`, ends with a semicolon too.
                code += usize::from(last.ends_with(['{', '}', ';']) && !last.starts_with('&'));
            }
            _ => {}
        }
        // Messages of commits are indented, as are lists within lists.
        let is_indented = line.starts_with("    ") && items == 0;
        let is_comment = line.trim_start().starts_with("//");
        if !matches!(step, MarkdownLine::Code | MarkdownLine::Opens(_)) && !is_indented && !is_comment {
            links += usize::from(has_link(line));
            let bytes = line.as_bytes();
            strong += usize::from(find::texts(b"**", bytes).count() >= 2 || find::count(b'`', bytes) >= 2);
        }
        above = step;
    }
    // A single link may be any brackets in a row, and the script of a page has several.
    let has_links = links > 1 && !begins_with_markup;
    let own = [headings > 0, fences > 0, tables > 0, links > 0];
    let others = [items >= 2, strong >= 2, quotes >= 2];
    let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
    let marked = headings + fences + tables + items + links + strong + quotes;
    (headings + fences + tables > 0 || has_links)
        && count(&own) + count(&others) >= 2
        && marked * 25 >= lines
        && code * 3 <= text_lines + 3
}

/// Returns whether a line begins like one of reStructuredText or AsciiDoc, whose headings are
/// underlined differently.
fn is_of_other_markup(line: &str) -> bool {
    line.starts_with(".. ") && line.contains("::") || line.starts_with("== ") || line == "|==="
}

/// Returns whether a line is mostly letters and spaces.
fn has_words(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphabetic() || *c == ' ').count() * 10 >= line.chars().count() * 7
}

/// Returns whether a line has `[words](target)`, a target without spaces.
fn has_link(line: &str) -> bool {
    /// Bytes of a target that are read.
    const TARGET_BYTES: usize = 400;
    let line = line.as_bytes();
    let Some(open) = find::byte(b'[', line) else { return false };
    find::texts(b"](", line).any(|at| {
        let rest = &line[at + "](".len()..];
        let target = &rest[..rest.len().min(TARGET_BYTES)];
        open < at
            && match target.iter().position(|byte| b") \"<>{}|\\^`[]$".contains(byte)) {
                Some(end) => end > 0 && (target[end] == b')' || target[end..].starts_with(b" \"")),
                // The data of a picture.
                None => target.len() == TARGET_BYTES,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_not_markdown() {
        for text in [
            "#!/bin/sh\n# Install\n\n# - one\necho `date` `time`\n",
            "# A comment\nx = 1\n# Another\ny = 2\n",
            "Dear all,\n\n- one\n- two\n",
            // As Terraform plans.
            "  # a.b will be created\n  + resource \"a\" \"b\" {\n      + id = (known after apply)\n    }\n",
            "commit 3f2a9c17\nAuthor: Ada <a@example.org>\n\n    Use `a` for `b`, [c](d)\n\n    - `e` is `f`, [g](h)\n",
            "/**\n * See [a](b) or `c`:\n * - one\n * - two\n * See [d](e).\n */\n",
            "if (handlers[i](event)) {\n- one\n- two\n",
            "2026-01-01 a\n2026-01-01 b\n",
            "Title\n=====\n\n.. image:: a.png\n\n- one\n- two\n",
            "= Title\n\n== Part\n\n[source,sh]\n----\nls\n----\n\n* one\n* two\n",
            "",
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }
    #[test]
    fn other_markup_may_be_quoted() {
        let text = "# Title\n\nSome text.\n\n```rst\n.. image:: a.png\n```\n\n## More\n\n- one\n- two\n";
        assert!(detect(&Sample::of(text.as_bytes())));
    }
}
