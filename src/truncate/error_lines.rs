//! Lines that look like errors: what must not be lost when a text is cut.

use memchr::memmem;

use crate::text::cut::{ceil_grapheme, head};

/// Words by whose middle a line is known, in the spellings that logs and tools
/// use; each is one pass over the text.
const MARKS: [&str; 9] =
    ["rror", "RROR", "ailed", "FAIL", "anic", "xception", "atal:", "FATAL", "raceback (most recent call"];

/// Lines looked for from each end: enough to fill any view that keeps a
/// quarter of itself for them.
const MOST: usize = 64;

/// A line that looks like an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorLine {
    /// Where the line starts.
    pub start: usize,
    /// Where it ends, its line feed left out.
    pub end: usize,
    /// Where the word is by which it is known.
    pub mark: usize,
}

/// Of an error line that is kept, this much is shown.
pub const MAX_SHOWN_BYTES: usize = 300;

impl ErrorLine {
    /// The line, or, if it is longer than `max` bytes, an excerpt around the word
    /// by which it is known.
    pub fn shown(self, text: &str, max: usize) -> &str {
        let line = text[self.start..self.end].trim_end_matches('\r');
        if line.len() <= max {
            return line;
        }
        let from = ceil_grapheme(line, (self.mark - self.start).saturating_sub(max / 3));
        head(&line[from..], max)
    }
}

/// The first and the last lines of a text that look like errors, in order, and
/// whether these are all.
pub fn find(text: &str) -> (Vec<ErrorLine>, bool) {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut all = true;
    for mark in MARKS {
        let finder = memmem::Finder::new(mark);
        let mut from = 0;
        let mut found = 0;
        while let Some(at) = finder.find(&bytes[from..]) {
            if found == MOST {
                all = false;
                last_lines(bytes, mark, from, &mut lines);
                break;
            }
            let line = line_around(bytes, from + at);
            from = (line.end + 1).min(bytes.len());
            found += 1;
            lines.push(line);
        }
    }
    crate::sort::by(&mut lines, ErrorLine::cmp);
    lines.dedup_by_key(|line| line.start);
    (lines, all)
}

fn last_lines(bytes: &[u8], mark: &str, from: usize, lines: &mut Vec<ErrorLine>) {
    let finder = memmem::FinderRev::new(mark);
    let mut to = bytes.len();
    for _ in 0..MOST {
        let Some(at) = finder.rfind(&bytes[from..to]) else { break };
        let line = line_around(bytes, from + at);
        if line.start < from {
            break;
        }
        lines.push(line);
        to = line.start;
    }
}

fn line_around(bytes: &[u8], at: usize) -> ErrorLine {
    ErrorLine {
        mark: at,
        start: memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1),
        end: memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_once_and_in_order() {
        let text = "ok\nerror: Fatal error, build failed\nok\npanicked at x\n";
        let (lines, all) = find(text);
        let texts: Vec<_> = lines.iter().map(|l| &text[l.start..l.end]).collect();
        assert_eq!(texts, ["error: Fatal error, build failed", "panicked at x"]);
        assert!(all);
    }

    #[test]
    fn long_lines_are_shown_around_the_error() {
        let text = format!("{}error: here{}", "a".repeat(5_000), "b".repeat(5_000));
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
