//! Writes rows as an array of JSON: an object for each.

use super::names::Names;
use super::number::number;
use crate::error::ToJsonError;
use tuckaway_json::write::{push_string, quote};

/// An array of objects that grows up to a bound.
pub struct Objects {
    json: Vec<u8>,
    names: Names,
    /// The names as JSON, each with its colon.
    keys: Vec<String>,
    /// The column of the next cell, and whether its row has any cells yet.
    column: usize,
    is_open: bool,
    rows: u64,
    max: usize,
}

impl Objects {
    /// Creates an array of at most `max` bytes, of rows that are `bytes` long together.
    pub fn new(names: Names, bytes: usize, max: usize) -> Self {
        let mut json = Vec::with_capacity(bytes.saturating_mul(2).min(max));
        json.push(b'[');
        Objects { json, names, keys: Vec::new(), column: 0, is_open: false, rows: 0, max }
    }

    /// Adds a cell to the row: a number if JSON's grammar says so, null if it is empty, or else
    /// a string.
    pub fn push(&mut self, cell: &[u8]) {
        if number(cell).is_none() {
            self.push_text(cell);
        } else if self.json.len() <= self.max {
            self.push_key();
            self.json.extend_from_slice(cell);
        }
    }

    /// Adds a text to the row, or null if it is empty.
    pub fn push_text(&mut self, text: &[u8]) {
        if self.json.len() <= self.max {
            self.push_key();
            match text {
                [] => self.json.extend_from_slice(b"null"),
                text => push_string(&mut self.json, text),
            }
        }
    }

    fn push_key(&mut self) {
        let open: &[u8] = match (self.is_open, self.rows) {
            (true, _) => b",",
            (false, 0) => b"\n{",
            (false, _) => b",\n{",
        };
        self.json.extend_from_slice(open);
        self.is_open = true;
        while self.keys.len() <= self.column {
            let name = self.names.at(self.keys.len());
            self.keys.push(format!("{}:", quote(name)));
        }
        self.json.extend_from_slice(self.keys[self.column].as_bytes());
        self.column += 1;
    }

    /// Ends a row, unless it has no cells. Once the array is too large, cells are dropped until
    /// this function fails. `name` is the name of the content, for that error.
    pub fn end_row(&mut self, name: &str) -> Result<(), ToJsonError> {
        if self.is_open {
            self.json.push(b'}');
            self.rows += 1;
        }
        (self.column, self.is_open) = (0, false);
        if self.json.len() > self.max {
            return Err(ToJsonError::too_large(name, self.max));
        }
        Ok(())
    }

    /// Returns the array, and the number of its objects.
    pub fn finish(mut self) -> (Vec<u8>, u64) {
        self.json.extend_from_slice(b"\n]\n");
        (self.json, self.rows)
    }
}
