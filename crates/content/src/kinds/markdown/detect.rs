//! Detects Markdown.

use super::walker::{Line, Walker};
use crate::sample::Sample;

/// Returns whether there are two or more different marks of Markdown, at least one of
/// which other texts do not have.
pub fn detect(sample: &Sample) -> bool {
    if sample.head.starts_with("#!") {
        return false;
    }
    let mut walker = Walker::default();
    let (mut headings, mut fences, mut tables, mut items, mut links, mut strong, mut quotes) =
        (0, 0, 0, 0, 0, 0, 0);
    let (mut lines, mut text_lines, mut code) = (0, 0, 0);
    let mut above = Line::Blank;
    for line in sample.lines() {
        lines += 1;
        let step = walker.step(line.as_bytes());
        match step {
            // Comments of a script are often several lines.
            Line::Heading if above != Line::Heading => headings += 1,
            Line::Opens(_) => fences += 1,
            Line::TableRule if above == Line::Text => tables += 1,
            Line::Item => items += 1,
            Line::Quote => quotes += 1,
            Line::Underline => headings += 1,
            Line::Text => {
                text_lines += 1;
                code += usize::from(line.trim_end().ends_with(['{', '}', ';']));
            }
            _ => {}
        }
        if !matches!(step, Line::Code | Line::Opens(_)) {
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
