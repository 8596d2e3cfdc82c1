//! Code shared by kinds that read line by line: excerpts, levels and times of log lines,
//! lines that look like errors.

pub mod class;
pub mod counts;
pub mod error;
pub mod gist;
pub mod level;
pub mod log;
pub mod time;
pub mod word;

pub use tuckaway_search::Lines;

use tuckaway_search::find;
use tuckaway_text::cut::head;
use tuckaway_text::lossy;

/// Maximum bytes of a name or a message that an outline quotes.
pub const EXCERPT_BYTES: usize = 80;

/// Iterates over the lines of a text as [`str::lines`] does, several times faster: the
/// standard library searches for line feeds without vectors.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let feed = find::byte(b'\n', text.as_bytes());
        rest = feed.map(|feed| &text[feed + 1..]).filter(|rest| !rest.is_empty());
        Some(feed.map_or(text, |feed| text[..feed].strip_suffix('\r').unwrap_or(&text[..feed])))
    })
}

/// Returns whether a text has fenced code: such a text quotes other content.
pub fn is_fenced(text: &str) -> bool {
    lines(text).filter(|line| line.trim_start().starts_with("```")).nth(1).is_some()
}

/// Returns the head of a line or a name as an outline quotes it: at most
/// [`EXCERPT_BYTES`], with an ellipsis if it is cut.
pub fn excerpt(bytes: &[u8]) -> String {
    quoted(bytes, EXCERPT_BYTES)
}

/// Returns an [`excerpt`] of at most `max` bytes.
pub fn quoted(bytes: &[u8], max: usize) -> String {
    // Enough bytes for the excerpt even if none of them is valid UTF-8.
    let text = lossy(&bytes[..bytes.len().min(4 * max)]);
    let text = text.trim();
    match text.len() <= max {
        true => text.to_owned(),
        false => format!("{}…", head(text, max.saturating_sub("…".len())).trim_end()),
    }
}

/// Adds a text to a list by line numbers. Joins it to the text of the same line, unless
/// that is long already.
pub fn list(listed: &mut Vec<(String, String)>, line: u64, text: &str) {
    let line = line.to_string();
    match listed.last_mut().filter(|(last, _)| *last == line) {
        Some((_, texts)) if texts.len() + text.len() <= 3 * EXCERPT_BYTES => {
            texts.push_str("; ");
            texts.push_str(text);
        }
        Some((_, texts)) if !texts.ends_with('…') => texts.push_str("; …"),
        Some(_) => {}
        None => listed.push((line, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn excerpts_are_bounded() {
        assert_eq!(excerpt(b"  short \n"), "short");
        let long = excerpt("é".repeat(1_000).as_bytes());
        assert!(long.len() <= EXCERPT_BYTES && long.ends_with("é…"), "{long}");
    }

    #[test]
    fn texts_of_one_line_are_joined() {
        let mut listed = Vec::new();
        for (line, text) in [(1, "a"), (1, "b"), (2, "c")] {
            list(&mut listed, line, text);
        }
        (0..100).for_each(|_| list(&mut listed, 2, "some text"));
        assert_eq!(listed[0], ("1".to_owned(), "a; b".to_owned()));
        assert!(listed.len() == 2 && listed[1].1.len() < 300 && listed[1].1.ends_with("; …"));
    }

    proptest! {
        #[test]
        fn lines_are_counted_as_they_are_split(text in "[a\n\r]{0,20}") {
            prop_assert_eq!(Lines::of(text.as_bytes()).count() as u64, tuckaway_text::count_lines(text.as_bytes()));
            prop_assert_eq!(lines(&text).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>());
        }
    }
}
