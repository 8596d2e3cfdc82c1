//! Detects Markdown.

use super::walker::{MarkdownLine, MarkdownWalker};
use crate::sample::Sample;

/// Returns whether there are two or more different marks of Markdown, at least one of
/// which other texts do not have.
pub fn detect(sample: &Sample) -> bool {
    if sample.head.starts_with("#!") {
        return false;
    }
    let mut walker = MarkdownWalker::default();
    let (mut headings, mut fences, mut tables, mut items, mut links, mut strong, mut quotes) =
        (0, 0, 0, 0, 0, 0, 0);
    let (mut lines, mut text_lines, mut code) = (0, 0, 0);
    let mut above = MarkdownLine::Blank;
    for line in sample.lines() {
        lines += 1;
        let step = walker.step(line.as_bytes());
        match step {
            // Comments of a script are often several lines.
            MarkdownLine::Heading if above != MarkdownLine::Heading => headings += 1,
            MarkdownLine::Opens(_) => fences += 1,
            MarkdownLine::TableRule if above == MarkdownLine::Text => tables += 1,
            MarkdownLine::Item => items += 1,
            MarkdownLine::Quote => quotes += 1,
            MarkdownLine::Underline => headings += 1,
            MarkdownLine::Text => {
                text_lines += 1;
                code += usize::from(line.trim_end().ends_with(['{', '}', ';']));
            }
            _ => {}
        }
        if !matches!(step, MarkdownLine::Code | MarkdownLine::Opens(_)) {
            links += usize::from(line.contains("]("));
            strong += usize::from(line.matches("**").count() >= 2 || line.matches('`').count() >= 2);
        }
        above = step;
    }
    let own = [headings > 0, fences > 0, tables > 0, links > 0];
    let others = [items >= 2, strong >= 2, quotes >= 2];
    let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
    let marked = headings + fences + tables + items + links + strong + quotes;
    count(&own) >= 1
        && count(&own) + count(&others) >= 2
        && marked * 25 >= lines
        && code * 3 <= text_lines + 3
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
            "2026-01-01 a\n2026-01-01 b\n",
            "",
        ] {
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }
}
