//! Text from arbitrary bytes: cuts between graphemes, the text that a terminal would show, counts
//! and sizes in words, and sizes and durations as people write them.

#![forbid(unsafe_code)]

pub mod base64;
pub mod clean;
pub mod control;
pub mod cut;
pub mod diff;
pub mod encoding;
mod escape;
pub mod fair;
pub mod glob;
pub mod order;
mod screen;
pub mod time;
pub mod tokens;
pub mod units;
pub mod visible;

use std::borrow::Cow;

use tuckaway_search::find;

/// Returns the bytes as text, with U+FFFD for invalid UTF-8.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // Nearly all bytes are valid, and checking that is several times faster.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Counts lines as `wit/store.wit` does: line feeds, plus one for a last line without a
/// line feed. Empty input has no lines.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let feeds = find::count(b'\n', bytes) as u64;
    feeds + u64::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// Returns a size for people and models: `512 bytes`, `1.8 KB`, `3 MB`. Units are
/// decimal; sizes are rounded down, so that a part is never shown as larger than the whole.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let (whole, tenth) = (bytes / unit, bytes % unit / (unit / 10));
            return match tenth {
                0 => format!("{whole} {name}"),
                _ => format!("{whole}.{tenth} {name}"),
            };
        }
    }
    counted(bytes, "byte")
}

/// Returns a count with its noun: `1 line`, `2 lines`. The plural takes an `s`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a number as people write it: `0.25`, `4`, `NaN`.
pub fn number(number: f64) -> String {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(number);
    text.strip_suffix(".0").unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_line_counts_without_its_line_feed() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(count_lines(text.as_bytes()), lines, "{text:?}");
        }
    }

    #[test]
    fn sizes_are_rounded_down_and_have_a_unit() {
        let read = [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (1_999, "1.9 KB")];
        for (bytes, text) in read.into_iter().chain([(1_800_000, "1.8 MB"), (3_000_000_000, "3 GB")]) {
            assert_eq!(human_bytes(bytes), text);
        }
    }
}
