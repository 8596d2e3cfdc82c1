//! Reads the rows of a table, line by line.

use tuckaway_search::LineSpans;

use super::layout::{Layout, Line};

/// The rows of a table, and the number of other lines.
pub struct Rows<'a, 'l> {
    /// The cells of the last line.
    pub cells: Vec<&'a [u8]>,
    /// The number of lines after the header that are neither rows nor rules.
    pub others: u64,
    /// The start of the first of these.
    pub first_other: Option<usize>,
    /// Whether the program omitted rows.
    pub has_omissions: bool,
    layout: &'l Layout,
    lines: LineSpans<'a>,
    start: usize,
    before: (Line, &'a [u8]),
    has_ended: bool,
}

impl<'a, 'l> Rows<'a, 'l> {
    /// Returns the rows of a text with such a layout.
    pub fn of(bytes: &'a [u8], layout: &'l Layout) -> Self {
        let start = layout.rows_start.min(bytes.len());
        Rows {
            cells: Vec::new(),
            others: 0,
            first_other: None,
            has_omissions: false,
            layout,
            lines: LineSpans::of(&bytes[start..]),
            start,
            before: (Line::Rule, b""),
            has_ended: false,
        }
    }

    /// Reads up to the next line that is a row or a part of one, and returns its kind.
    pub fn next(&mut self) -> Option<Line> {
        loop {
            let span = self.lines.next()?;
            if span.line.iter().all(u8::is_ascii_whitespace) {
                // What follows is a note, or another table.
                self.has_ended = true;
                continue;
            }
            let line = match self.has_ended {
                true => Line::Other,
                false => self.layout.split(span.line, self.before, &mut self.cells),
            };
            self.before = (line, span.line);
            match line {
                Line::Row | Line::Continuation => return Some(line),
                Line::Rule => {}
                Line::Omission => self.has_omissions = true,
                Line::Other => {
                    self.others += 1;
                    self.first_other.get_or_insert(self.start + span.start);
                }
            }
        }
    }
}
