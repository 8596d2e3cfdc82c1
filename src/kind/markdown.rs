//! Markdown: told by several of its marks, shaped by its headings, cut between
//! its blocks.
//!
//! What is asked of it is where its blocks begin; a full parser (pulldown-cmark,
//! with the table of HTML's entities) costs more bytes than all of this room and
//! answers what nobody asks.

use tuckaway_scan::find;

use super::outline::{Ends, Outline};
use super::{Sample, lines};
use crate::shape::{Entries, Entry};
use crate::truncate::text;

/// Headings, code blocks and tables that are named of each; what comes after is
/// counted.
const MAX_NAMED: usize = 256;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Blank,
    /// `## Heading`.
    Heading,
    /// The fence that opens a code block, with what it says of it.
    Opens(&'a [u8]),
    Code,
    /// The fence that closes it.
    Closes,
    /// The line between a table's head and its rows.
    TableRule,
    Item,
    Quote,
    Text,
}

/// Where one is in a text.
#[derive(Default)]
struct Walker {
    /// The fence that is open: its character and how many of them.
    fence: Option<(u8, usize)>,
}

impl Walker {
    fn step<'a>(&mut self, line: &'a [u8]) -> Line<'a> {
        let text = line.trim_ascii_start();
        let set_in = line.len() - text.len();
        let first = text.first().copied().unwrap_or(b'\n');
        let run = text.iter().take_while(|&&byte| byte == first).count();
        if let Some((mark, length)) = self.fence {
            if first == mark && run >= length && text[run..].trim_ascii().is_empty() {
                self.fence = None;
                return Line::Closes;
            }
            return Line::Code;
        }
        match first {
            b'\n' => Line::Blank,
            b'`' | b'~' if run >= 3 && !text[run..].contains(&b'`') => {
                self.fence = Some((first, run));
                Line::Opens(text[run..].trim_ascii())
            }
            _ if set_in > 3 => Line::Text,
            b'#' if run <= 6 && text.get(run).is_some_and(|&byte| byte == b' ') => Line::Heading,
            b'>' => Line::Quote,
            b'-' | b'*' | b'+' if text.get(1) == Some(&b' ') => Line::Item,
            b'0'..=b'9' if is_numbered_item(text) => Line::Item,
            b'|' | b'-' | b':' if is_table_rule(text) => Line::TableRule,
            _ => Line::Text,
        }
    }
}

fn is_numbered_item(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits <= 4 && matches!(text.get(digits..digits + 2), Some([b'.' | b')', b' ']))
}

fn is_table_rule(text: &[u8]) -> bool {
    text.contains(&b'|')
        && text.windows(3).any(|three| three == b"---")
        && text.iter().all(|byte| b"|-: \t\r".contains(byte))
}

/// A line of `===` or `---` under a line of text, which makes that a heading.
fn is_underline(line: &[u8], above: Line<'_>) -> bool {
    let text = line.trim_ascii();
    above == Line::Text
        && text.len() >= 3
        && (text.iter().all(|&byte| byte == b'=') || text.iter().all(|&byte| byte == b'-'))
}

/// Whether there are two different marks of Markdown or more, one of them such as
/// other texts do not have.
pub fn tell(sample: &Sample) -> bool {
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
            // A comment of a script stands right before its code.
            Line::Heading if above != Line::Heading => headings += 1,
            Line::Opens(_) => fences += 1,
            Line::TableRule if above == Line::Text => tables += 1,
            Line::Item => items += 1,
            Line::Quote => quotes += 1,
            Line::Text if is_underline(line.as_bytes(), above) => headings += 1,
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

/// Headings, code blocks and tables by line number.
pub fn shape(bytes: &[u8]) -> Entries {
    let mut walker = Walker::default();
    let mut headings: Vec<(String, String)> = Vec::new();
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut tables: Vec<(String, String)> = Vec::new();
    let (mut heading_count, mut block_count, mut table_count, mut line_count, mut links) =
        (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut front_matter = FrontMatter::default();
    let mut opened = (0u64, String::new());
    let (mut above, mut above_line): (Line, &[u8]) = (Line::Blank, b"");
    let push = |list: &mut Vec<_>, count: &mut u64, line: u64, text: String| {
        *count += 1;
        if list.len() < MAX_NAMED {
            list.push((line.to_string(), text));
        }
    };
    for line in lines::Lines::of(bytes) {
        line_count += 1;
        if front_matter.takes(line, line_count) {
            continue;
        }
        let step = walker.step(line);
        match step {
            Line::Heading => push(&mut headings, &mut heading_count, line_count, lines::excerpt(line)),
            Line::Text if is_underline(line, above) => {
                let mark = if line.trim_ascii().starts_with(b"=") { "# " } else { "## " };
                let text = mark.to_owned() + &lines::excerpt(above_line);
                push(&mut headings, &mut heading_count, line_count - 1, text);
            }
            Line::Opens(language) => opened = (line_count, lines::excerpt(language)),
            Line::Closes => {
                let (from, language) = std::mem::take(&mut opened);
                push(&mut blocks, &mut block_count, from, code_block(&language, line_count - from - 1));
            }
            Line::TableRule if above == Line::Text => {
                push(&mut tables, &mut table_count, line_count - 1, lines::excerpt(above_line));
            }
            _ => {}
        }
        if step != Line::Code {
            links += find::texts(b"](", line).count() as u64;
        }
        (above, above_line) = (step, line);
    }
    if opened.0 > 0 {
        push(&mut blocks, &mut block_count, opened.0, code_block(&opened.1, line_count - opened.0));
    }
    let mut entries = Entries::default();
    let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut kind = format!("Markdown: {}", plural(heading_count, "heading"));
    for (count, noun) in [(block_count, "code block"), (table_count, "table"), (links, "link")] {
        if count > 0 {
            kind += &format!(", {}", plural(count, noun));
        }
    }
    entries.push("kind", Entry::Text(kind));
    entries.push("lines", Entry::Number(line_count));
    if let Some(keys) = front_matter.keys() {
        entries.push("front_matter", Entry::Text(keys));
    }
    for (name, mut list, count) in [
        ("headings", headings, heading_count),
        ("code", blocks, block_count),
        ("tables", tables, table_count),
    ] {
        let more = count - list.len() as u64;
        if more > 0 {
            list.push(("…".to_owned(), format!("{more} more")));
        }
        if !list.is_empty() {
            entries.push(name, Entry::Members(list));
        }
    }
    entries
}

fn code_block(language: &str, lines: u64) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    if language.is_empty() { format!("{lines} {noun}") } else { format!("{language}, {lines} {noun}") }
}

/// The keys between `---` and `---` at the start of a text.
#[derive(Default)]
struct FrontMatter {
    open: bool,
    keys: Vec<String>,
}

impl FrontMatter {
    const MAX_LINES: u64 = 64;

    /// Whether a line is part of it.
    fn takes(&mut self, line: &[u8], number: u64) -> bool {
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

/// A text that is longer than `max` bytes: blocks from its two ends, the headings
/// of what was left out listed between them.
pub fn cut(markdown: &str, max: usize) -> String {
    let mut outline = Outline::of("headings");
    let mut starts = vec![0];
    let mut inside = Vec::new();
    let mut walker = Walker::default();
    let (mut at, mut number, mut above) = (0, 0, Line::Blank);
    for line in markdown.split_inclusive('\n') {
        number += 1;
        let was_open = walker.fence.is_some();
        let step = walker.step(line.trim_end_matches(['\n', '\r']).as_bytes());
        match step {
            Line::Heading => outline.push(number, line),
            Line::Text if is_underline(line.as_bytes(), above) => outline.push(number - 1, line),
            _ => {}
        }
        let begins =
            matches!(step, Line::Heading | Line::Opens(_)) || above == Line::Blank && step != Line::Blank;
        if begins && !was_open {
            starts.push(at);
        }
        if was_open {
            inside.push(at);
        }
        at += line.len();
        above = step;
    }
    let ends = |text, room| blocks(text, room, &starts, &inside);
    outline.cut(markdown, max, &ends).unwrap_or_else(|| {
        let notice = crate::wording::truncated(999).len() + 2;
        let Some(room) = max.checked_sub(notice).filter(|room| *room >= 64) else {
            return text::cut(markdown, max);
        };
        let Ends { head, closing, tail } = blocks(markdown, room, &starts, &inside);
        // One line is longer than the room: between its sentences, or words.
        if !head.ends_with('\n') {
            return super::prose::cut(markdown, max);
        }
        let dropped = markdown.len() - head.len() - tail.len();
        [head, closing, &crate::wording::truncated(dropped), "\n", tail].concat()
    })
}

/// Whole blocks from both ends, if they make up half of the room; else whole
/// lines, and a code block that they tear is closed.
fn blocks<'t>(text: &'t str, room: usize, starts: &[usize], inside: &[usize]) -> Ends<'t> {
    const CLOSING: &str = "```\n";
    let head_room = room - room / 3;
    let head_end = starts[starts.partition_point(|&start| start <= head_room) - 1];
    let tail_from = text.len().saturating_sub(room - head_end.max(head_room.min(text.len())));
    let tail_start =
        starts.get(starts.partition_point(|&start| start < tail_from)).copied().unwrap_or(text.len());
    let (head, tail) = (&text[..head_end], &text[tail_start.max(head_end)..]);
    if head.len() * 2 >= head_room {
        return Ends { head, closing: "", tail };
    }
    let (head, tail) = text::ends(text, room.saturating_sub(CLOSING.len()));
    let torn = inside.binary_search(&head.len()).is_ok();
    Ends { head, closing: if torn { CLOSING } else { "" }, tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Layout;
    use proptest::prelude::*;

    const README: &str = "---\ntitle: A guide\n---\n# Guide\n\nHow to *use* it: see [the docs](https://example.org).\n\n## Install\n\n```sh\n# not a heading\nmake install\n```\n\nOptions\n-------\n\n| name | default |\n|------|---------|\n| size | 1 |\n\n- one\n- two\n";

    #[test]
    fn the_outline_has_line_numbers() {
        assert!(tell(&Sample::of(README.as_bytes())));
        assert_eq!(
            shape(README.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r###"{"kind": "Markdown: 3 headings, 1 code block, 1 table, 1 link", "lines": 23, "front_matter": "title", "headings": {"4": "# Guide", "8": "## Install", "15": "## Options"}, "code": {"10": "sh, 2 lines"}, "tables": {"18": "| name | default |"}}"###
        );
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "#!/bin/sh\n# Install\n\n# - one\necho `date` `time`\n",
            "# A comment\nx = 1\n# Another\ny = 2\n",
            "Dear all,\n\n- one\n- two\n",
            "2026-01-01 a\n2026-01-01 b\n",
            "",
        ] {
            assert!(!tell(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn blocks_are_cut_between_and_headings_listed() {
        let section =
            |n| format!("## Part {n}\n\nA paragraph of some words.\n\n```rust\nfn f() {{}}\n```\n\n");
        let text = "# All\n\n".to_owned() + &(0..60).map(section).collect::<String>();
        let view = cut(&text, 900);
        assert!(view.len() <= 900 && view.len() > 700, "{} {view}", view.len());
        assert!(view.starts_with("# All\n\n## Part 0\n\nA paragraph of some words.\n"), "{view}");
        assert!(view.contains(" headings in them:] ...\n"), "{view}");
        assert_eq!(view.matches("```").count() % 2, 0, "{view}");
    }

    #[test]
    fn a_torn_code_block_is_closed() {
        let text =
            format!("# Log\n\n```\n{}```\n\nSee **above** and `below`.\n", "a line of code\n".repeat(200));
        let view = cut(&text, 600);
        assert!(view.contains("a line of code\n```\n... [truncated"), "{view}");
        assert!(view.len() <= 600);
    }

    proptest! {
        #[test]
        fn views_are_bounded(
            blocks in proptest::collection::vec("(# [a-z]{1,9}|```|~~~~|[a-zé ]{0,60}|- [a-z]{1,9}||===)", 1..80),
            max in 1usize..1_500,
        ) {
            let text = blocks.join("\n");
            prop_assume!(text.len() > max);
            let view = cut(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
