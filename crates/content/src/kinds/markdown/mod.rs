//! Markdown: told by several of its marks, shaped by its headings, cut between
//! its blocks.

mod walker;

use std::ops::Range;

use tuckaway_search::{Place, Places, find};
use walker::{Line, Walker};

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::sample::Sample;
use crate::truncate::contents::{Contents, Ends};
use crate::truncate::text;
use tuckaway_text::lossy;

/// Headings, code blocks and tables that are named of each; what comes after is
/// counted.
const MAX_NAMED: usize = 256;
/// Of a text longer than both together, so much of each end is looked at to cut it,
/// unless more of it is shown.
const END_BYTES: usize = 256 << 10;

/// Whether there are two different marks of Markdown or more, one of them such as
/// other texts do not have.
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
            // A comment of a script stands right before its code.
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

/// Headings, code blocks and tables by line number.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut walker = Walker::default();
    let (mut headings, mut blocks, mut tables) = (Named::default(), Named::default(), Named::default());
    let (mut line_count, mut links) = (0u64, 0u64);
    let mut front_matter = FrontMatter::default();
    let mut opened: (u64, &[u8]) = (0, b"");
    let (mut above, mut above_line): (Line, &[u8]) = (Line::Blank, b"");
    for line in lines::Lines::of(bytes) {
        line_count += 1;
        if front_matter.takes(line, line_count) {
            continue;
        }
        let step = walker.step(line);
        match step {
            Line::Heading => headings.add(line_count, || lines::excerpt(line)),
            Line::Underline => headings.add(line_count - 1, || {
                let mark = if line.trim_ascii().starts_with(b"=") { "# " } else { "## " };
                mark.to_owned() + &lines::excerpt(above_line)
            }),
            Line::Opens(language) => opened = (line_count, language),
            Line::Closes => {
                let (from, language) = std::mem::take(&mut opened);
                blocks.add(from, || code_block(language, line_count - from - 1));
            }
            Line::TableRule if above == Line::Text => {
                tables.add(line_count - 1, || lines::excerpt(above_line));
            }
            _ => {}
        }
        if step != Line::Code {
            links += find::texts(b"](", line).count() as u64;
        }
        (above, above_line) = (step, line);
    }
    if let (from @ 1.., language) = opened {
        blocks.add(from, || code_block(language, line_count - from));
    }
    let mut entries = Outline::default();
    let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut kind = format!("Markdown: {}", plural(headings.count, "heading"));
    for (count, noun) in [(blocks.count, "code block"), (tables.count, "table"), (links, "link")] {
        if count > 0 {
            kind += &format!(", {}", plural(count, noun));
        }
    }
    entries.push("kind", Entry::Text(kind));
    if let Some(keys) = front_matter.keys() {
        entries.push("front_matter", Entry::Text(keys));
    }
    for (name, named) in [("headings", headings), ("code", blocks), ("tables", tables)] {
        named.push_to(&mut entries, name);
    }
    entries
}

/// What stands on some lines, as far as it is named.
#[derive(Default)]
struct Named {
    list: Vec<(String, String)>,
    count: u64,
}

impl Named {
    fn add(&mut self, line: u64, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.list.len() < MAX_NAMED {
            self.list.push((line.to_string(), text()));
        }
    }

    fn push_to(self, entries: &mut Outline, name: &str) {
        let more = self.count - self.list.len() as u64;
        entries.push_members(name, self.list, more);
    }
}

fn code_block(language: &[u8], lines: u64) -> String {
    let language = lines::excerpt(language);
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
pub fn truncate(markdown: &str, max: usize) -> String {
    let mut outline = Contents::of("headings");
    let mut starts = vec![0];
    let mut inside = Vec::new();
    let bytes = markdown.as_bytes();
    let gap = not_looked_at(bytes, max);
    if !gap.is_empty() {
        outline.set_part();
    }
    for (from, part) in [(0, &bytes[..gap.start]), (gap.end, &bytes[gap.end..])] {
        // Nobody knows whether the gap ends in a code block.
        let (mut walker, mut above, mut above_line) = (Walker::default(), Line::Blank, &b""[..]);
        for (number, Place { line, start, .. }) in (1..).zip(Places::of(part)) {
            let was_open = walker.is_in_code();
            let step = walker.step(line);
            match step {
                _ if from > 0 => {}
                Line::Heading => {
                    let marks = line.trim_ascii_start().iter().take_while(|&&byte| byte == b'#').count();
                    outline.push(number, marks - 1, &lossy(line));
                }
                Line::Underline => {
                    outline.push(
                        number - 1,
                        usize::from(find::byte(b'=', line).is_none()),
                        &lossy(above_line),
                    );
                }
                _ => {}
            }
            let begins =
                matches!(step, Line::Heading | Line::Opens(_)) || above == Line::Blank && step != Line::Blank;
            if begins && !was_open {
                starts.push(from + start);
            }
            if was_open {
                inside.push(from + start);
            }
            (above, above_line) = (step, line);
        }
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
            return super::prose::truncate(markdown, max);
        }
        let dropped = markdown.len() - head.len() - tail.len();
        [head, closing, &crate::wording::truncated(dropped), "\n", tail].concat()
    })
}

/// The lines of a long text that its ends in a cut to `max` bytes do not reach.
fn not_looked_at(bytes: &[u8], max: usize) -> Range<usize> {
    let looked_at = END_BYTES.max(max.saturating_mul(2));
    if bytes.len() / 2 <= looked_at {
        return bytes.len()..bytes.len();
    }
    let behind = bytes.len() - looked_at;
    let start = find::last_byte(b'\n', &bytes[..looked_at]).map_or(0, |feed| feed + 1);
    let end = find::byte(b'\n', &bytes[behind..]).map_or(bytes.len(), |feed| behind + feed + 1);
    start..end
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
    use crate::outline::Layout;
    use proptest::prelude::*;

    const README: &str = "---\ntitle: A guide\n---\n# Guide\n\nHow to *use* it: see [the docs](https://example.org).\n\n## Install\n\n```sh\n# not a heading\nmake install\n```\n\nOptions\n-------\n\n| name | default |\n|------|---------|\n| size | 1 |\n\n- one\n- two\n";

    #[test]
    fn the_outline_has_line_numbers() {
        assert!(detect(&Sample::of(README.as_bytes())));
        assert_eq!(
            outline(README.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r###"{"kind": "Markdown: 3 headings, 1 code block, 1 table, 1 link", "front_matter": "title", "headings": {"4": "# Guide", "8": "## Install", "15": "## Options"}, "code": {"10": "sh, 2 lines"}, "tables": {"18": "| name | default |"}}"###
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
            assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
        }
    }

    #[test]
    fn blocks_are_cut_between_and_headings_listed() {
        let section =
            |n| format!("## Part {n}\n\nA paragraph of some words.\n\n```rust\nfn f() {{}}\n```\n\n");
        let text = "# All\n\n".to_owned() + &(0..60).map(section).collect::<String>();
        let view = truncate(&text, 900);
        assert!(view.len() <= 900 && view.len() > 700, "{} {view}", view.len());
        assert!(view.starts_with("# All\n\n## Part 0\n\nA paragraph of some words.\n"), "{view}");
        assert!(view.contains(" headings in them:] ...\n"), "{view}");
        assert_eq!(view.matches("```").count() % 2, 0, "{view}");
    }

    #[test]
    fn headings_that_were_not_looked_for_are_not_counted_as_none() {
        let section = |n| format!("## Part {n}\n\n{}\n", "Some words.\n".repeat(250));
        let view = truncate(&(0..1_000).map(section).collect::<String>(), 1_000);
        assert!(view.contains("+ headings in them:] ...\n"), "{view}");
    }

    #[test]
    fn a_torn_code_block_is_closed() {
        let text =
            format!("# Log\n\n```\n{}```\n\nSee **above** and `below`.\n", "a line of code\n".repeat(200));
        let view = truncate(&text, 600);
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
            let view = truncate(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
