//! The layout of a printed table, read from its header.

use std::borrow::Cow;

use tuckaway_text::lossy;

use super::bars::{Bars, is_rule};
use super::columns;
use super::programs::Program;
use crate::columns::Names;

/// The layout of a printed table.
pub struct Layout {
    /// The names of its columns.
    pub names: Vec<String>,
    /// The program that prints it, if it is known.
    pub program: Option<&'static Program>,
    /// The offset of its first row.
    pub rows_start: usize,
    form: Form,
}

enum Form {
    Bars(Bars),
    Columns(Vec<usize>),
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A row, or its first line.
    Row,
    /// Another line of the row before it.
    Continuation,
    /// A rule between rows.
    Rule,
    /// A mark that the program omitted rows.
    Omission,
    /// Something else.
    Other,
}

impl Layout {
    /// Returns the layout of a table whose header is the first of the lines; none if that is not a
    /// header. `starts` returns the offset of the line with an index.
    pub fn at(lines: &[&[u8]], starts: impl Fn(usize) -> usize) -> Option<Layout> {
        if lines[0].is_empty() {
            return None;
        }
        if let Some(header) = Bars::of(lines) {
            let names = header.names.into_iter().map(lossy).map(Cow::into_owned).collect();
            let form = Form::Bars(header.bars);
            return Some(Layout { names, program: None, rows_start: starts(header.lines), form });
        }
        let header = columns::header(lines)?;
        let rows_start = starts(header.lines);
        Some(Layout {
            names: header.names,
            program: header.program,
            rows_start,
            form: Form::Columns(header.bounds),
        })
    }

    /// Returns the names of its columns, all different.
    pub fn keys(&self) -> Names {
        self.names.iter().map(String::as_str).collect()
    }

    /// Splits a line into its cells, and returns its kind. `before` is the kind of the line before
    /// it, with its text.
    pub fn split<'a>(&self, line: &'a [u8], before: (Line, &[u8]), cells: &mut Vec<&'a [u8]>) -> Line {
        let is_row = match &self.form {
            Form::Bars(_) if is_rule(line) => return Line::Rule,
            Form::Bars(bars) => bars.split(line, cells),
            Form::Columns(bounds) => columns::cut(line, bounds, cells),
        };
        let is_omission = is_row && cells.iter().all(|cell| is_omission(cell));
        match &self.form {
            _ if is_omission => Line::Omission,
            _ if !is_row => Line::Other,
            Form::Bars(bars) if matches!(before.0, Line::Row | Line::Continuation) => {
                match bars.is_ruled || bars.is_continued(before.1) {
                    true => Line::Continuation,
                    false => Line::Row,
                }
            }
            _ => Line::Row,
        }
    }
}

/// Returns whether a cell is empty, or only says that rows are omitted.
fn is_omission(cell: &[u8]) -> bool {
    matches!(cell, b"" | b"." | b".." | b"...") || [b"\xC2\xB7", "…".as_bytes()].contains(&cell)
}
