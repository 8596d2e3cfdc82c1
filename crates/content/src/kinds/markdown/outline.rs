//! The outline of Markdown: its headings, code blocks and tables.

use tuckaway_search::find;
use tuckaway_text::counted;

use super::walker::{MarkdownLine, MarkdownWalker};
use crate::line as lines;
use crate::outline::{Entry, Outline};

/// Headings, code blocks and tables that are named, each. The rest is counted.
const MAX_NAMED: usize = 256;

/// Returns headings, code blocks and tables by line number.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut walker = MarkdownWalker::default();
    let (mut headings, mut blocks, mut tables) =
        (NamedBlocks::default(), NamedBlocks::default(), NamedBlocks::default());
    let (mut line_count, mut links) = (0u64, 0u64);
    let mut front_matter = FrontMatter::default();
    let mut opened: (u64, &[u8]) = (0, b"");
    let (mut above, mut above_line): (MarkdownLine, &[u8]) = (MarkdownLine::Blank, b"");
    for line in lines::Lines::of(bytes) {
        line_count += 1;
        if front_matter.read(line, line_count) {
            continue;
        }
        let step = walker.step(line);
        match step {
            MarkdownLine::Heading => headings.add(line_count, || lines::excerpt(line)),
            MarkdownLine::Underline => headings.add(line_count - 1, || {
                let mark = if line.trim_ascii().starts_with(b"=") { "# " } else { "## " };
                mark.to_owned() + &lines::excerpt(above_line)
            }),
            MarkdownLine::Opens(language) => opened = (line_count, language),
            MarkdownLine::Closes => {
                let (from, language) = std::mem::take(&mut opened);
                blocks.add(from, || code_block(language, line_count - from - 1));
            }
            MarkdownLine::TableRule if above == MarkdownLine::Text => {
                tables.add(line_count - 1, || lines::excerpt(above_line));
            }
            _ => {}
        }
        if step != MarkdownLine::Code {
            links += find::texts(b"](", line).count() as u64;
        }
        (above, above_line) = (step, line);
    }
    if let (from @ 1.., language) = opened {
        blocks.add(from, || code_block(language, line_count - from));
    }
    let mut outline = Outline::default();
    let mut kind = format!("Markdown: {}", counted(headings.count, "heading"));
    for (count, noun) in [(blocks.count, "code block"), (tables.count, "table"), (links, "link")] {
        if count > 0 {
            kind += &format!(", {}", counted(count, noun));
        }
    }
    outline.push("kind", Entry::Text(kind));
    if let Some(keys) = front_matter.keys() {
        outline.push("front_matter", Entry::Text(keys));
    }
    for (name, named) in [("headings", headings), ("code", blocks), ("tables", tables)] {
        named.push_to(&mut outline, name);
    }
    outline
}

/// Blocks of one sort by line: all are counted, the first are named.
#[derive(Default)]
struct NamedBlocks {
    list: Vec<(String, String)>,
    count: u64,
}

impl NamedBlocks {
    fn add(&mut self, line: u64, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.list.len() < MAX_NAMED {
            self.list.push((line.to_string(), text()));
        }
    }

    fn push_to(self, outline: &mut Outline, name: &str) {
        let more = self.count - self.list.len() as u64;
        outline.push_members(name, self.list, more);
    }
}

fn code_block(language: &[u8], lines: u64) -> String {
    let language = lines::excerpt(language);
    let lines = counted(lines, "line");
    if language.is_empty() { lines } else { format!("{language}, {lines}") }
}

/// Reads the keys between `---` and `---` at the start of a text.
#[derive(Default)]
struct FrontMatter {
    open: bool,
    keys: Vec<String>,
}

impl FrontMatter {
    const MAX_LINES: u64 = 64;

    /// Reads a line; returns whether it is part of the front matter.
    fn read(&mut self, line: &[u8], number: u64) -> bool {
        let rule = line.trim_ascii_end() == b"---";
        if number == 1 {
            self.open = rule;
            return rule;
        }
        if !self.open {
            return false;
        }
        self.open = !rule && number < Self::MAX_LINES;
        if let Some(colon) =
            line.iter().position(|&byte| byte == b':').filter(|&at| at > 0 && line[0] != b' ')
        {
            self.keys.push(lines::excerpt(&line[..colon]));
        }
        true
    }

    fn keys(&self) -> Option<String> {
        (!self.keys.is_empty()).then(|| self.keys.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;
    use crate::sample::Sample;

    const README: &str = "---\ntitle: A guide\n---\n# Guide\n\nHow to *use* it: see [the docs](https://example.org).\n\n## Install\n\n```sh\n# not a heading\nmake install\n```\n\nOptions\n-------\n\n| name | default |\n|------|---------|\n| size | 1 |\n\n- one\n- two\n";

    #[test]
    fn the_outline_has_line_numbers() {
        assert!(super::super::detect(&Sample::of(README.as_bytes())));
        assert_eq!(
            outline(README.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r###"{"kind": "Markdown: 3 headings, 1 code block, 1 table, 1 link", "front_matter": "title", "headings": {"4": "# Guide", "8": "## Install", "15": "## Options"}, "code": {"10": "sh, 2 lines"}, "tables": {"18": "| name | default |"}}"###
        );
    }
}
