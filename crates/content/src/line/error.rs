//! Lines that look like errors: these must survive when a text is truncated.

use std::borrow::Cow;
use std::sync::LazyLock;

use tuckaway_search::{Byte, Needles, find};

use super::counts::counts_none;
use super::word;
use tuckaway_text::cut::{ceil_grapheme, head};
use tuckaway_text::order;

/// Parts of words by which a line looks like an error, as logs and tools spell them.
const MARKS: [&str; 9] =
    ["rror", "RROR", "ailed", "FAIL", "anic", "xception", "atal:", "FATAL", "raceback (most recent call"];

/// Rarer ones, which are searched only near the ends: see [`NEAR_BYTES`].
const MARKS_NEAR: [&str; 21] = [
    "ailure",
    "CRITICAL",
    "SEVERE",
    "egmentation fault",
    "ore dumped",
    "ut of memory",
    "OOM",
    "ermission denied",
    "o such file",
    "ommand not found",
    "nresolved",
    "ndefined reference",
    "onnection refused",
    "CONNREFUSED",
    "imed out",
    "annot find ",
    "annot open",
    "annot connect",
    "nable to ",
    "ould not resolve",
    "o space left",
];

/// The searches for both lists, prepared once.
static COMMON: LazyLock<Option<Needles>> = LazyLock::new(|| search_for(MARKS.iter()));
static RARE: LazyLock<Option<Needles>> = LazyLock::new(|| search_for(MARKS_NEAR.iter()));

/// Bytes of each end of a text in which the rarer marks are searched.
const NEAR_BYTES: usize = 2 << 20;

/// Maximum lines with one mark from each end: enough to fill a quarter of any view.
const MOST: usize = 64;

/// A line that looks like an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorLine {
    /// The offset of the line.
    pub start: usize,
    /// The offset of its end, before the line feed.
    pub end: usize,
    /// The offset of its mark.
    pub mark: usize,
}

/// Maximum bytes that are shown of a line that is kept.
pub const MAX_SHOWN_BYTES: usize = 300;

impl ErrorLine {
    /// Returns the line or, if it is longer than `max` bytes, an excerpt around its mark.
    pub fn shown(self, text: &str, max: usize) -> &str {
        let line = text[self.start..self.end].trim_end_matches('\r');
        if line.len() <= max {
            return line;
        }
        let from = ceil_grapheme(line, (self.mark - self.start).saturating_sub(max / 3));
        head(&line[from..], max)
    }
}

/// Finds the first and the last lines of a text that look like errors. Returns them in
/// order, and whether they are all.
pub fn find(text: &str) -> (Vec<ErrorLine>, bool) {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let near = bytes.len().min(NEAR_BYTES);
    let offset = bytes.len() - near;
    let mut all = find_marks(bytes, &MARKS, &COMMON, &mut lines);
    all &= find_marks(&bytes[..near], &MARKS_NEAR, &RARE, &mut lines);
    if offset > 0 {
        let known = lines.len();
        all &= find_marks(&bytes[offset..], &MARKS_NEAR, &RARE, &mut lines);
        for line in &mut lines[known..] {
            *line = line_around(bytes, offset + line.mark);
        }
    }
    order::sort(&mut lines);
    lines.dedup_by_key(|line| line.start);
    (lines, all)
}

/// Returns the lines near the end of a text that look like errors, one after the other.
pub fn near_end(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let marks = Marks::of_errors();
    let mut from = bytes.len().saturating_sub(NEAR_BYTES);
    std::iter::from_fn(move || {
        let line = line_around(bytes, marks.find_error(bytes, from)?);
        from = line.end;
        Some(&bytes[line.start..line.end])
    })
}

/// Returns whether a line looks like an error. For many lines, `Marks` is faster.
pub fn looks_like_error(line: &[u8]) -> bool {
    MARKS
        .iter()
        .chain(&MARKS_NEAR)
        .any(|mark| find::texts(mark.as_bytes(), line).any(|at| !is_no_error(line, at)))
}

/// Finds the positions of text that may look like an error: wherever [`looks_like_error`]
/// finds an error, there is one of the marks.
pub struct Marks(Option<Needles>);

impl Marks {
    /// Returns the search for the marks alone.
    pub fn of_errors() -> &'static Marks {
        static ALONE: LazyLock<Marks> = LazyLock::new(|| Marks::and(&[]));
        &ALONE
    }

    /// Prepares a search for the marks, and for other words, which are found in any case.
    pub fn and(words: &[&[u8]]) -> Self {
        let marks = MARKS.iter().chain(&MARKS_NEAR).map(|mark| mark.bytes().map(Byte::exactly).collect());
        let words = words.iter().map(|word| word.iter().copied().map(Byte::in_any_case).collect());
        Marks(Needles::new(marks.chain(words).collect()))
    }

    /// Returns whether a line looks like an error, if the marks are without other words:
    /// the same as [`looks_like_error`].
    pub fn report_error(&self, line: &[u8]) -> bool {
        self.find_error(line, 0).is_some()
    }

    /// Returns the first mark from `from` on that reports an error.
    fn find_error(&self, bytes: &[u8], mut from: usize) -> Option<usize> {
        loop {
            let at = self.find(bytes, from)?;
            if !is_no_error(bytes, at) {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// Returns the first offset from `from` on where a mark or a word begins.
    pub fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        self.0.as_ref()?.find(bytes, from)
    }
}

/// The marks of one text, found on demand: a caller that needs the first errors
/// of a long text does not wait for the others.
pub struct FoundMarks {
    marks: &'static Marks,
    /// All that begin before `searched`, in order.
    found: Vec<usize>,
    searched: usize,
}

impl FoundMarks {
    /// Prepares the search for marks in one text.
    pub fn of(marks: &'static Marks) -> Self {
        FoundMarks { marks, found: Vec::new(), searched: 0 }
    }

    /// Returns the first mark from `from` on in the text, which is the same at each call.
    pub fn next(&mut self, text: &[u8], from: usize) -> Option<usize> {
        loop {
            let known = self.found.partition_point(|&mark| mark < from);
            if known < self.found.len() || self.searched >= text.len() {
                return self.found.get(known).copied();
            }
            let next = self.marks.find(text, self.searched);
            self.found.extend(next);
            self.searched = next.map_or(text.len(), |at| at + 1);
        }
    }
}

/// Adds the first and the last lines with each mark, except those that count none.
/// Returns whether they are all.
fn find_marks(bytes: &[u8], marks: &[&str], search: &Option<Needles>, lines: &mut Vec<ErrorLine>) -> bool {
    // Each mark with the number of lines that are still to be found.
    let mut wanted: Vec<(&str, usize)> = marks.iter().map(|mark| (*mark, MOST)).collect();
    let mut from = 0;
    let mut search = search.as_ref().map(Cow::Borrowed);
    while let Some(needles) = search {
        let crowded = loop {
            let Some(at) = needles.find(bytes, from) else { return wanted.len() == marks.len() };
            let is_at = |(mark, _): &(&str, usize)| bytes[at..].starts_with(mark.as_bytes());
            let Some(index) = wanted.iter().position(is_at) else { return false };
            if is_no_error(bytes, at) {
                from = at + wanted[index].0.len();
                continue;
            }
            let Some(left) = wanted[index].1.checked_sub(1) else { break (index, at) };
            wanted[index].1 = left;
            let line = line_around(bytes, at);
            from = (line.end + 1).min(bytes.len());
            lines.push(line);
        };
        let (mark, _) = wanted.remove(crowded.0);
        push_last_lines(bytes, mark, crowded.1, lines);
        search = search_for(wanted.iter().map(|(mark, _)| mark)).map(Cow::Owned);
    }
    false
}

/// Returns a search for any of the marks; none without marks.
fn search_for<'m>(marks: impl Iterator<Item = &'m &'m str>) -> Option<Needles> {
    Needles::new(marks.map(|mark| mark.bytes().map(Byte::exactly).collect()).collect())
}

/// Adds the last lines with a mark.
fn push_last_lines(bytes: &[u8], mark: &str, from: usize, lines: &mut Vec<ErrorLine>) {
    let mut to = bytes.len();
    let mut found = 0;
    while found < MOST {
        let Some(at) = find::last_text(mark.as_bytes(), &bytes[from..to]) else { break };
        let at = from + at;
        if is_no_error(bytes, at) {
            to = at;
            continue;
        }
        let line = line_around(bytes, at);
        found += 1;
        lines.push(line);
        if line.start <= from {
            break;
        }
        to = line.start;
    }
}

/// Returns whether the mark at `at` reports no error: it is part of another word or of a
/// name, its line counts none of it, or its line reports success. Inspects only the
/// bytes near it.
fn is_no_error(bytes: &[u8], at: usize) -> bool {
    const NEAR: usize = 60;
    let from = at.saturating_sub(NEAR);
    let near = &bytes[from..bytes.len().min(at + NEAR)];
    let at = at - from;
    let start = find::last_byte(b'\n', &near[..at]).map_or(0, |feed| feed + 1);
    let end = find::byte(b'\n', &near[at..]).map_or(near.len(), |feed| at + feed);
    let (line, at) = (&near[start..end], at - start);
    !word::says_error(line, at) || counts_none(line, at) || word::reports_success(line)
}

fn line_around(bytes: &[u8], at: usize) -> ErrorLine {
    ErrorLine {
        mark: at,
        start: find::last_byte(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1),
        end: find::byte(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_line_is_found_once_and_in_order() {
        let text = "ok\nerror: Fatal error, build failed\nok\npanicked at x\n";
        let (lines, all) = find(text);
        let texts: Vec<_> = lines.iter().map(|l| &text[l.start..l.end]).collect();
        assert_eq!(texts, ["error: Fatal error, build failed", "panicked at x"]);
        assert!(all);
    }

    #[test]
    fn a_line_that_counts_no_errors_is_not_an_error() {
        let text = "0 errors\nno errors\nfailed: 0\nerror: 0 and then an error\n0 errors, 1 failed\n";
        let (lines, all) = find(text);
        let texts: Vec<_> = lines.iter().map(|l| &text[l.start..l.end]).collect();
        assert_eq!(texts, ["error: 0 and then an error", "0 errors, 1 failed"]);
        assert!(all);
        let text = format!("{}{}", "error 1\n".repeat(100), "errors: 0\n".repeat(100));
        assert_eq!(find(&text).0.len(), 100);
    }

    proptest! {
        #[test]
        fn marks_are_found_in_any_order_of_questions(
            parts in proptest::collection::vec("error|FAILED|OOM|[a-z ]{0,40}", 0..12),
            from in proptest::collection::vec(0usize..300, 1..20),
        ) {
            let text = parts.concat().into_bytes();
            let mut found = FoundMarks::of(Marks::of_errors());
            for from in from {
                let expected = Some(from).filter(|&from| from < text.len());
                prop_assert_eq!(
                    found.next(&text, from),
                    expected.and_then(|from| Marks::of_errors().find(&text, from))
                );
            }
        }

        #[test]
        fn prepared_marks_find_the_same_errors(
            parts in proptest::collection::vec(
                "( |0 |no )?(mirror|xfailed|Error|error(s|:|_log)?|FAIL(ED)?|OOM|Timed out|panic(ked)?|a.b.Exception)( PASSED|: 0| ok| at x)?| ... ok \\(|[a-zé ]{0,70}",
                0..8,
            ),
        ) {
            let line = parts.concat();
            prop_assert_eq!(Marks::of_errors().report_error(line.as_bytes()), looks_like_error(line.as_bytes()), "{}", line);
        }
    }

    #[test]
    fn long_lines_are_shown_around_the_error() {
        let text = format!("{} error: here {}", "a".repeat(5_000), "b".repeat(5_000));
        let shown = find(&text).0[0].shown(&text, 40);
        assert!(shown.contains("error: here") && shown.len() <= 40, "{shown}");
    }

    #[test]
    fn of_many_the_first_and_the_last_are_found() {
        let text: String = (0..1_000).map(|i| format!("ERROR {i}\n")).collect();
        let (lines, all) = find(&text);
        assert_eq!(lines.len(), 2 * MOST);
        assert!(!all);
        assert_eq!(&text[lines[0].start..lines[0].end], "ERROR 0");
        let last = lines.last().unwrap();
        assert_eq!(&text[last.start..last.end], "ERROR 999");
    }
}
