//! The lines of a text. One comparison of a block finds the ends of all lines in it: a search
//! from each line to the next costs more if lines are short.

use crate::EitherByte;

/// Returns a search for line feeds.
pub fn feeds() -> EitherByte {
    EitherByte::of([b'\n'; 2])
}

/// Iterates over the lines of a text, without their line feeds and the carriage returns before
/// these. A leading BOM is skipped. Empty input has no lines.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// Where the next line begins; none after the last.
    at: Option<usize>,
    feeds: EitherByte,
}

impl<'a> Lines<'a> {
    /// Iterates over the lines of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        let at = (!bytes.is_empty()).then_some(0);
        Lines { bytes: bytes.strip_suffix(b"\n").unwrap_or(bytes), at, feeds: feeds() }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.at?;
        let feed = self.feeds.next(self.bytes, start);
        self.at = feed.map(|feed| feed + 1);
        let line = &self.bytes[start..feed.unwrap_or(self.bytes.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// A line and its position in the text.
#[derive(Clone, Copy, Debug)]
pub struct LineSpan<'a> {
    /// The line, without its line feed and carriage return.
    pub line: &'a [u8],
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its line feed.
    pub end: usize,
}

/// Iterates over the lines of a text with their positions. A BOM is part of the first line.
#[derive(Clone, Debug)]
pub struct LineSpans<'a> {
    bytes: &'a [u8],
    at: usize,
    feeds: EitherByte,
}

impl<'a> LineSpans<'a> {
    /// Iterates over the lines of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        LineSpans { bytes, at: 0, feeds: feeds() }
    }
}

impl<'a> Iterator for LineSpans<'a> {
    type Item = LineSpan<'a>;

    fn next(&mut self) -> Option<LineSpan<'a>> {
        let start = self.at;
        if start == self.bytes.len() {
            return None;
        }
        let feed = self.feeds.next(self.bytes, start);
        self.at = feed.map_or(self.bytes.len(), |feed| feed + 1);
        let line = &self.bytes[start..feed.unwrap_or(self.bytes.len())];
        Some(LineSpan { line: line.strip_suffix(b"\r").unwrap_or(line), start, end: self.at })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_end_with_line_feeds(text in "([a\n\r]{0,20}[ab]{0,70}\n?){0,4}") {
            let expected: Vec<&str> = text
                .split_inclusive('\n')
                .map(|line| line.strip_suffix('\n').unwrap_or(line))
                .map(|line| line.strip_suffix('\r').unwrap_or(line))
                .collect();
            let lines: Vec<&str> = Lines::of(text.as_bytes()).map(|line| std::str::from_utf8(line).unwrap()).collect();
            prop_assert_eq!(&lines, &expected);
            let spans: Vec<LineSpan> = LineSpans::of(text.as_bytes()).collect();
            let lines: Vec<&str> = spans.iter().map(|span| std::str::from_utf8(span.line).unwrap()).collect();
            prop_assert_eq!(lines, expected);
            let all: String = spans.iter().map(|span| &text[span.start..span.end]).collect();
            prop_assert_eq!(all, text);
        }
    }
}
