//! Text as bytes that may be anything: what a model is shown of it, where it may
//! be cut, how it is measured.

#![forbid(unsafe_code)]

pub mod base64;
pub mod clean;
mod control;
pub mod cut;
pub mod visible;

use std::borrow::Cow;

use tuckaway_search::find;

/// The bytes as text, what is not UTF-8 shown as U+FFFD.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Lines as `wit/store.wit` counts them: line feeds, and one more for a last
/// line that has none. No bytes are no lines.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let feeds = find::count(b'\n', bytes) as u64;
    feeds + u64::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// A size for people and models: `512 bytes`, `1.8 KB`, `3 MB`; decimal units,
/// rounded down so that a part never reads as more than the whole.
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
    match bytes {
        1 => "1 byte".to_owned(),
        _ => format!("{bytes} bytes"),
    }
}

/// A number as people write it: `0.25`, `4`, `NaN`.
pub fn number(number: f64) -> String {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(number);
    text.strip_suffix(".0").unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_feeds_and_a_last_one_without() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(count_lines(text.as_bytes()), lines, "{text:?}");
        }
    }

    #[test]
    fn sizes_read_well() {
        let read = [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (1_999, "1.9 KB")];
        for (bytes, text) in read.into_iter().chain([(1_800_000, "1.8 MB"), (3_000_000_000, "3 GB")]) {
            assert_eq!(human_bytes(bytes), text);
        }
    }
}
