//! Walks over the cells of a table, without a state machine by the byte and without
//! allocation. Any bytes form some table.
//!
//! RFC 4180, extended by the habits of other writers. A quote counts only at the start of a
//! cell, and only if the cell ends after the closing one. Blank lines are skipped. Spaces
//! around a cell do not belong to it, unless they are quoted. A quote that is never closed
//! is text, and so are all quotes after it.

use std::borrow::Cow;

use tuckaway_search::{EitherByte, find};

/// One value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// Its bytes without quotes around it; those in it are still doubled.
    pub bytes: &'a [u8],
    /// It was in quotes.
    pub is_quoted: bool,
    /// There are doubled quotes in it.
    pub is_escaped: bool,
    /// There is a space before it.
    pub is_spaced: bool,
    /// It is the last one of its record.
    pub is_last: bool,
}

impl<'a> Cell<'a> {
    /// Returns the bytes with doubled quotes undoubled.
    pub fn content(&self) -> Cow<'a, [u8]> {
        if !self.is_escaped {
            return self.bytes.into();
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut from = 0;
        while let Some(quote) = find::text(b"\"\"", &self.bytes[from..]) {
            bytes.extend_from_slice(&self.bytes[from..=from + quote]);
            from += quote + 2;
        }
        bytes.extend_from_slice(&self.bytes[from..]);
        bytes.into()
    }
}

/// Walks over the cells of a table.
pub struct Cells<'a> {
    bytes: &'a [u8],
    at: usize,
    delimiter: u8,
    knows_quotes: bool,
    starts_record: bool,
    /// The bytes that end a cell.
    ends: EitherByte,
}

impl<'a> Cells<'a> {
    /// Returns the cells from `at`, where a record begins.
    pub fn new(bytes: &'a [u8], at: usize, delimiter: u8) -> Self {
        let ends = EitherByte::of([delimiter, b'\n']);
        Cells { bytes, at, delimiter, knows_quotes: true, starts_record: true, ends }
    }

    /// Returns where the next cell begins.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns whether all quotes so far were closed.
    pub fn knows_quotes(&self) -> bool {
        self.knows_quotes
    }

    /// Advances to the first line that is not blank.
    fn skip_blank_lines(&mut self) {
        loop {
            match self.bytes.get(self.at) {
                Some(b'\n') => self.at += 1,
                Some(b'\r') if matches!(self.bytes.get(self.at + 1), None | Some(b'\n')) => self.at += 1,
                _ => break,
            }
        }
        self.starts_record = false;
    }

    /// Returns the cell between quotes that begins at `open`, if it ends after a quote.
    fn quoted(&mut self, open: usize) -> Option<Cell<'a>> {
        let bytes = self.bytes;
        let (mut close, mut is_escaped) = (open + 1, false);
        loop {
            match find::byte(b'"', &bytes[close..]) {
                None => {
                    self.knows_quotes = false;
                    return None;
                }
                Some(more) => close += more,
            }
            if bytes.get(close + 1) != Some(&b'"') {
                break;
            }
            is_escaped = true;
            close += 2;
        }
        let mut behind = close + 1;
        while matches!(bytes.get(behind), Some(b' ' | b'\r')) {
            behind += 1;
        }
        let is_last = match bytes.get(behind) {
            Some(&byte) if byte == self.delimiter => false,
            None | Some(b'\n') => true,
            Some(_) => return None,
        };
        let is_spaced = open > self.at;
        self.end(behind, is_last);
        Some(Cell { bytes: &bytes[open + 1..close], is_quoted: true, is_escaped, is_spaced, is_last })
    }

    /// Returns where the cell that begins at `start` ends, and whether its record does.
    fn find_end(&mut self, start: usize) -> (usize, bool) {
        match self.ends.next(self.bytes, start) {
            Some(end) => (end, self.bytes[end] == b'\n'),
            None => (self.bytes.len(), true),
        }
    }

    /// Advances past a cell that ends at `end`.
    fn end(&mut self, end: usize, is_last: bool) {
        self.at = (end + 1).min(self.bytes.len());
        self.starts_record = is_last;
        if !is_last && self.at == self.bytes.len() {
            // A text that ends with a delimiter ends with an empty cell.
            self.at = self.bytes.len() + 1;
        }
    }

    /// Returns the next cell. Inlined for callers that go over all cells: a call for each
    /// would cost more than the work in it.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Option<Cell<'a>> {
        if self.starts_record {
            self.skip_blank_lines();
        }
        let bytes = self.bytes;
        if self.at >= bytes.len() {
            let has_empty = self.at > bytes.len();
            self.at = bytes.len();
            return has_empty.then_some(Cell {
                is_spaced: false,
                bytes: &[],
                is_quoted: false,
                is_escaped: false,
                is_last: true,
            });
        }
        let mut start = self.at;
        while bytes.get(start) == Some(&b' ') {
            start += 1;
        }
        if bytes.get(start) == Some(&b'"')
            && self.knows_quotes
            && let Some(cell) = self.quoted(start)
        {
            return Some(cell);
        }
        let (mut end, is_last) = self.find_end(start);
        let is_spaced = start > self.at;
        self.end(end, is_last);
        if is_last && end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        while end > start && bytes[end - 1] == b' ' {
            end -= 1;
        }
        // Dumps of databases write `\N` for NULL.
        if &bytes[start..end] == b"\\N" {
            start = end;
        }
        Some(Cell { bytes: &bytes[start..end], is_quoted: false, is_escaped: false, is_spaced, is_last })
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        self.step()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn records(text: &str) -> Vec<Vec<String>> {
        let (mut records, mut record) = (Vec::new(), Vec::new());
        for cell in Cells::new(text.as_bytes(), 0, b',') {
            record.push(String::from_utf8_lossy(cell.bytes).into_owned());
            if cell.is_last {
                records.push(std::mem::take(&mut record));
            }
        }
        assert!(record.is_empty(), "the last cell ends the last record");
        records
    }

    #[test]
    fn records_are_read_in_every_form() {
        for (text, expected) in [
            ("", vec![]),
            ("\n\r\n", vec![]),
            ("a,b", vec![vec!["a", "b"]]),
            ("a,b\r\nc,d\r\n", vec![vec!["a", "b"], vec!["c", "d"]]),
            ("a,\n,b\n\n", vec![vec!["a", ""], vec!["", "b"]]),
            ("a,", vec![vec!["a", ""]]),
            (",", vec![vec!["", ""]]),
            ("\"a, b\nc\",\"\"\n", vec![vec!["a, b\nc", ""]]),
            ("\"say \"\"hi\"\"\",2", vec![vec!["say \"\"hi\"\"", "2"]]),
            ("a, \"b, c\" ,d \n", vec![vec!["a", "b, c", "d"]]),
            ("5\" pipe,6\"\n", vec![vec!["5\" pipe", "6\""]]),
            ("\"a\"b,c\n", vec![vec!["\"a\"b", "c"]]),
            ("\"never closed,1\nx,2", vec![vec!["\"never closed", "1"], vec!["x", "2"]]),
            ("\\N,\"\\N\",\\Na\n", vec![vec!["", "\\N", "\\Na"]]),
            ("\"a\"\r\n\"b\"", vec![vec!["a"], vec!["b"]]),
        ] {
            assert_eq!(records(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_end(bytes in proptest::collection::vec(prop_oneof![Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b' '), any::<u8>()], 0..200)) {
            let mut last = true;
            for (count, cell) in Cells::new(&bytes, 0, b',').enumerate() {
                prop_assert!(count <= bytes.len());
                last = cell.is_last;
            }
            prop_assert!(last);
        }
    }
}
