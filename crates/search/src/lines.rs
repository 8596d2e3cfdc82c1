//! Text by lines.

/// The lines of a text, without their line feeds and carriage returns, a leading
/// BOM left out. No bytes are no lines.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    /// What is left, if anything is: an empty line is something.
    rest: Option<&'a [u8]>,
}

impl<'a> Lines<'a> {
    /// The lines of all these bytes.
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

/// A line and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The line, without its line feed and carriage return.
    pub line: &'a [u8],
    /// Where it begins.
    pub start: usize,
    /// Behind its line feed.
    pub end: usize,
}

/// The lines of a text and where they are; a BOM belongs to the first.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Places<'a> {
    /// The lines of all these bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        Places { bytes, at: 0 }
    }
}

impl<'a> Iterator for Places<'a> {
    type Item = Place<'a>;

    fn next(&mut self) -> Option<Place<'a>> {
        let (start, rest) = (self.at, &self.bytes[self.at..]);
        if rest.is_empty() {
            return None;
        }
        let feed = memchr::memchr(b'\n', rest);
        self.at = feed.map_or(self.bytes.len(), |feed| start + feed + 1);
        let line = &rest[..feed.unwrap_or(rest.len())];
        Some(Place { line: line.strip_suffix(b"\r").unwrap_or(line), start, end: self.at })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_are_what_ends_with_a_line_feed(text in "[a\n\r]{0,20}") {
            let expected: Vec<&str> = text
                .split_inclusive('\n')
                .map(|line| line.strip_suffix('\n').unwrap_or(line))
                .map(|line| line.strip_suffix('\r').unwrap_or(line))
                .collect();
            let lines: Vec<&str> = Lines::of(text.as_bytes()).map(|line| std::str::from_utf8(line).unwrap()).collect();
            prop_assert_eq!(&lines, &expected);
            let places: Vec<Place> = Places::of(text.as_bytes()).collect();
            let placed: Vec<&str> = places.iter().map(|place| std::str::from_utf8(place.line).unwrap()).collect();
            prop_assert_eq!(placed, expected);
            let all: String = places.iter().map(|place| &text[place.start..place.end]).collect();
            prop_assert_eq!(all, text);
        }
    }
}
