//! A table as JSON: one array, an object for each record.

use std::borrow::Cow;

use super::cells::{Cell, Cells};
use super::dialect::Dialect;
use super::names::Names;
use super::number::number;
use crate::error::Error;
use crate::json::write::{push_string, quote};
use crate::kind::AsJson;

/// The records of a table as objects with the columns' names for keys, in at most
/// `max` bytes, else `limit`.
///
/// A cell is a number where it is one by JSON's grammar, null where it is empty,
/// else a string; quotes around it do not count. Cells that a record does not have
/// are left out, and those it has too many are there too ([`Names`]).
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, Error> {
    // What was told as a table by its head is one.
    let dialect = Dialect::of(bytes).unwrap_or_default();
    let mut cells = Cells::new(bytes, dialect.start, dialect.delimiter);
    let mut keys = Keys { names: Names::read(&mut cells, &dialect), quoted: Vec::new() };
    let mut json = Vec::with_capacity(bytes.len().saturating_mul(2).min(max));
    json.push(b'[');
    let (mut column, mut records) = (0, 0u64);
    for cell in cells {
        if column == 0 {
            json.extend_from_slice(if records == 0 { b"\n{" } else { b",\n{" });
        } else {
            json.push(b',');
        }
        json.extend_from_slice(keys.at(column).as_bytes());
        push_value(&mut json, &cell);
        column += 1;
        if cell.is_last {
            json.push(b'}');
            (column, records) = (0, records + 1);
        }
        if json.len() > max {
            return Err(Error::limit(format!(
                "As JSON this {} is larger than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
                dialect.name(),
                max >> 20
            )));
        }
    }
    json.extend_from_slice(b"\n]\n");
    let by = if dialect.has_header { "its header" } else { "column_1, column_2, …" };
    let objects = if records == 1 { "object" } else { "objects" };
    Ok(AsJson {
        json,
        note: format!("{} read as an array of {records} {objects}, keyed by {by}", dialect.name()),
    })
}

/// The columns' names as JSON, each with its colon.
struct Keys {
    names: Names,
    quoted: Vec<String>,
}

impl Keys {
    fn at(&mut self, column: usize) -> &str {
        while self.quoted.len() <= column {
            let name = self.names.at(self.quoted.len());
            self.quoted.push(format!("{}:", quote(name)));
        }
        &self.quoted[column]
    }
}

/// A cell's bytes, with its quotes undoubled.
pub fn content<'a>(cell: &Cell<'a>) -> Cow<'a, [u8]> {
    if !cell.is_escaped {
        return cell.bytes.into();
    }
    let mut bytes = Vec::with_capacity(cell.bytes.len());
    let mut from = 0;
    while let Some(quote) = memchr::memmem::find(&cell.bytes[from..], b"\"\"") {
        bytes.extend_from_slice(&cell.bytes[from..=from + quote]);
        from += quote + 2;
    }
    bytes.extend_from_slice(&cell.bytes[from..]);
    bytes.into()
}

fn push_value(json: &mut Vec<u8>, cell: &Cell) {
    match cell {
        Cell { bytes: [], .. } => json.extend_from_slice(b"null"),
        Cell { bytes, .. } if number(bytes).is_some() => {
            json.extend_from_slice(bytes);
        }
        cell => push_string(json, &content(cell)),
    }
}
