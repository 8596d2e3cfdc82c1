//! Classifies the lines of Markdown, as far as needed to find the starts of blocks.
//!
//! A full parser (pulldown-cmark, with the table of HTML's entities) is larger than
//! everything that reads Markdown here, and most of its rules are not needed.

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownLine<'a> {
    /// Only white space.
    Blank,
    /// `## Heading`.
    Heading,
    /// The fence that opens a code block, and the text after it: the language.
    Opens(&'a [u8]),
    /// A line in a code block.
    Code,
    /// The fence that closes a code block.
    Closes,
    /// The line between a table's head and its rows.
    TableRule,
    /// `- item`, `1. item`.
    Item,
    /// `> quote`.
    Quote,
    /// `===` or `---` under a line of text, which makes that a heading.
    Underline,
    /// Anything else.
    Text,
}

/// Walks over the lines of a text.
#[derive(Default)]
pub struct MarkdownWalker {
    /// The open fence: its character, and their number.
    fence: Option<(u8, usize)>,
    /// Whether the line above may be a heading, if it is underlined.
    above: Above,
}

/// The role of the line above for an underline.
#[derive(Clone, Copy, Default, PartialEq)]
enum Above {
    /// No text.
    #[default]
    Nothing,
    /// A line of text alone: a title.
    Title,
    /// Text of several lines, indented text or markup: `---` below it is a rule.
    Text,
}

impl MarkdownWalker {
    /// Returns whether the next line is in a code block, or closes it.
    pub fn is_in_code(&self) -> bool {
        self.fence.is_some()
    }

    /// Classifies the next line.
    pub fn step<'a>(&mut self, line: &'a [u8]) -> MarkdownLine<'a> {
        let above = self.above;
        let step = self.detect(line);
        self.above = match step {
            MarkdownLine::Text if above == Above::Title && is_underline(line) => {
                self.above = Above::Nothing;
                return MarkdownLine::Underline;
            }
            MarkdownLine::Text
                if above == Above::Nothing && !line.starts_with(b"<") && !line.starts_with(b"    ") =>
            {
                Above::Title
            }
            MarkdownLine::Text | MarkdownLine::Item | MarkdownLine::Quote | MarkdownLine::TableRule => {
                Above::Text
            }
            _ => Above::Nothing,
        };
        step
    }

    fn detect<'a>(&mut self, line: &'a [u8]) -> MarkdownLine<'a> {
        let text = line.trim_ascii_start();
        let indent = line.len() - text.len();
        let first = text.first().copied().unwrap_or(b'\n');
        let run = text.iter().take_while(|&&byte| byte == first).count();
        if let Some((mark, length)) = self.fence {
            if first == mark && run >= length && text[run..].trim_ascii().is_empty() {
                self.fence = None;
                return MarkdownLine::Closes;
            }
            return MarkdownLine::Code;
        }
        match first {
            b'\n' => MarkdownLine::Blank,
            b'`' | b'~' if run >= 3 && !text[run..].contains(&b'`') => {
                self.fence = Some((first, run));
                MarkdownLine::Opens(text[run..].trim_ascii())
            }
            _ if indent > 3 => MarkdownLine::Text,
            b'#' if run <= 6 && text.get(run).is_some_and(|&byte| byte == b' ') => MarkdownLine::Heading,
            b'>' => MarkdownLine::Quote,
            b'-' | b'*' | b'+' if text.get(1) == Some(&b' ') => MarkdownLine::Item,
            b'0'..=b'9' if is_numbered_item(text) => MarkdownLine::Item,
            b'|' | b'-' | b':' if is_table_rule(text) => MarkdownLine::TableRule,
            _ => MarkdownLine::Text,
        }
    }
}

fn is_numbered_item(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits <= 4 && matches!(text.get(digits..digits + 2), Some([b'.' | b')', b' ']))
}

fn is_table_rule(text: &[u8]) -> bool {
    // Rows of a table have other bytes soon.
    text.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t' | b'\r'))
        && text.contains(&b'|')
        && text.windows(3).any(|three| three == b"---")
}

fn is_underline(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.len() >= 3 && (text.iter().all(|&byte| byte == b'=') || text.iter().all(|&byte| byte == b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_underline_is_one_below_a_line_alone() {
        fn last(text: &str) -> Option<MarkdownLine<'_>> {
            let mut walker = MarkdownWalker::default();
            text.lines().map(|line| walker.step(line.as_bytes())).last()
        }
        for text in ["Title\n=====", "a\n\nTitle\n---", "# A\nTitle\n---", "A\n---\nTitle\n---"] {
            assert_eq!(last(text), Some(MarkdownLine::Underline), "{text}");
        }
        for text in ["---", "two\nlines\n---", "< old\n---", "- item\ngoes on\n---", "    code\n---", "a\n--"]
        {
            assert_eq!(last(text), Some(MarkdownLine::Text), "{text}");
        }
    }
}
