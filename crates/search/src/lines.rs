//! The lines of a text.

/// Iterates over the lines of a text, without their line feeds and the carriage returns before
/// these. A leading BOM is skipped. Empty input has no lines.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// The remaining text. An empty text is one empty line; none is the end.
    rest: Option<&'a [u8]>,
}

impl<'a> Lines<'a> {
    /// Iterates over the lines of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        Lines { rest: Some(bytes.strip_suffix(b"\n").unwrap_or(bytes)).filter(|_| !bytes.is_empty()) }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let line = match memchr::memchr(b'\n', rest) {
            Some(feed) => {
                self.rest = Some(&rest[feed + 1..]);
                &rest[..feed]
            }
            None => {
                self.rest = None;
                rest
            }
        };
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
}

impl<'a> LineSpans<'a> {
    /// Iterates over the lines of these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        LineSpans { bytes, at: 0 }
    }
}

impl<'a> Iterator for LineSpans<'a> {
    type Item = LineSpan<'a>;

    fn next(&mut self) -> Option<LineSpan<'a>> {
        let (start, rest) = (self.at, &self.bytes[self.at..]);
        if rest.is_empty() {
            return None;
        }
        let feed = memchr::memchr(b'\n', rest);
        self.at = feed.map_or(self.bytes.len(), |feed| start + feed + 1);
        let line = &rest[..feed.unwrap_or(rest.len())];
        Some(LineSpan { line: line.strip_suffix(b"\r").unwrap_or(line), start, end: self.at })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_end_with_line_feeds(text in "[a\n\r]{0,20}") {
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
