//! Truncates Markdown between its blocks.

use std::ops::Range;

use tuckaway_search::{LineSpan, LineSpans, find};
use tuckaway_text::lossy;

use super::walker::{MarkdownLine, MarkdownWalker};
use crate::truncate::contents::{Contents, Ends};
use crate::truncate::{sentences, text};

/// Bytes at each end that are read. The middle of a longer text is not, unless a view
/// shows more.
const END_BYTES: usize = 256 << 10;

/// Truncates a text that is longer than `max` bytes: keeps blocks at both ends and lists
/// the omitted headings between them.
pub fn truncate(markdown: &str, max: usize) -> String {
    let blocks = Blocks::read(markdown, max);
    let ends = |text, space| blocks.ends(text, space);
    blocks.headings.cut(markdown, max, &ends).unwrap_or_else(|| {
        let notice = crate::wording::truncated(999).len() + 2;
        let Some(space) = max.checked_sub(notice).filter(|space| *space >= 64) else {
            return text::cut(markdown, max);
        };
        let Ends { head, closing, tail } = blocks.ends(markdown, space);
        // One line is longer than the space: cut between its sentences, or words.
        if !head.ends_with('\n') {
            return sentences::truncate(markdown, max);
        }
        let dropped = markdown.len() - head.len() - tail.len();
        [head, closing, &crate::wording::truncated(dropped), "\n", tail].concat()
    })
}

/// The positions of the blocks of a text.
struct Blocks {
    headings: Contents,
    /// The starts of blocks.
    starts: Vec<usize>,
    /// The starts of lines in code blocks.
    in_code: Vec<usize>,
}

impl Blocks {
    /// Reads as much of a text as is needed to cut it to `max` bytes.
    fn read(markdown: &str, max: usize) -> Self {
        let mut blocks = Blocks { headings: Contents::of("headings"), starts: vec![0], in_code: Vec::new() };
        let bytes = markdown.as_bytes();
        let gap = unread(bytes, max);
        if !gap.is_empty() {
            blocks.headings.set_part();
        }
        for (from, part) in [(0, &bytes[..gap.start]), (gap.end, &bytes[gap.end..])] {
            // Whether the gap ends in a code block is not known.
            let (mut walker, mut above, mut above_line) =
                (MarkdownWalker::default(), MarkdownLine::Blank, &b""[..]);
            for (number, LineSpan { line, start, .. }) in (1..).zip(LineSpans::of(part)) {
                let was_open = walker.is_in_code();
                let step = walker.step(line);
                match step {
                    _ if from > 0 => {}
                    MarkdownLine::Heading => {
                        let marks = line.trim_ascii_start().iter().take_while(|&&byte| byte == b'#').count();
                        blocks.headings.push(number, marks - 1, &lossy(line));
                    }
                    MarkdownLine::Underline => {
                        let level = usize::from(find::byte(b'=', line).is_none());
                        blocks.headings.push(number - 1, level, &lossy(above_line));
                    }
                    _ => {}
                }
                let begins = matches!(step, MarkdownLine::Heading | MarkdownLine::Opens(_))
                    || above == MarkdownLine::Blank && step != MarkdownLine::Blank;
                if begins && !was_open {
                    blocks.starts.push(from + start);
                }
                if was_open {
                    blocks.in_code.push(from + start);
                }
                (above, above_line) = (step, line);
            }
        }
        blocks
    }

    /// Returns whole blocks from both ends, if they take half of the space; or else whole
    /// lines, and closes a code block that is cut.
    fn ends<'t>(&self, text: &'t str, space: usize) -> Ends<'t> {
        const CLOSING: &str = "```\n";
        let starts = &self.starts;
        let head_space = space - space / 3;
        let head_end = starts[starts.partition_point(|&start| start <= head_space) - 1];
        let tail_from = text.len().saturating_sub(space - head_end.max(head_space.min(text.len())));
        let tail_start =
            starts.get(starts.partition_point(|&start| start < tail_from)).copied().unwrap_or(text.len());
        let (head, tail) = (&text[..head_end], &text[tail_start.max(head_end)..]);
        if head.len() * 2 >= head_space {
            return Ends { head, closing: "", tail };
        }
        let (head, tail) = text::ends(text, space.saturating_sub(CLOSING.len()));
        let is_in_code = self.in_code.binary_search(&head.len()).is_ok();
        Ends { head, closing: if is_in_code { CLOSING } else { "" }, tail }
    }
}

/// Returns the lines in the middle of a long text that a view of `max` bytes cannot show.
fn unread(bytes: &[u8], max: usize) -> Range<usize> {
    let end_bytes = END_BYTES.max(max.saturating_mul(2));
    if bytes.len() / 2 <= end_bytes {
        return bytes.len()..bytes.len();
    }
    let behind = bytes.len() - end_bytes;
    let start = find::last_byte(b'\n', &bytes[..end_bytes]).map_or(0, |feed| feed + 1);
    let end = find::byte(b'\n', &bytes[behind..]).map_or(bytes.len(), |feed| behind + feed + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_are_between_blocks_and_headings_are_listed() {
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
    fn the_count_of_headings_is_open_if_the_middle_is_not_read() {
        let section = |n| format!("## Part {n}\n\n{}\n", "Some words.\n".repeat(250));
        let view = truncate(&(0..1_000).map(section).collect::<String>(), 1_000);
        assert!(view.contains("+ headings in them:] ...\n"), "{view}");
    }

    #[test]
    fn a_code_block_that_is_cut_is_closed() {
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
