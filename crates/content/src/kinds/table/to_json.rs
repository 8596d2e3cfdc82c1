//! Converts a printed table to JSON: an array with an object for each row.

use std::borrow::Cow;

use tuckaway_text::counted;

use super::head;
use super::layout::{Layout, Line};
use super::rows::Rows;
use crate::columns::{Names, Objects};
use crate::error::ToJsonError;
use crate::kind::AsJson;

/// Converts a table to JSON of at most `max` bytes: the rows as objects, with the names of columns
/// as keys.
///
/// A cell is a number if JSON's grammar says so, null if it is empty, or else a string: sizes
/// with a unit stay text. A cell of several lines is one string. Lines that are not rows are
/// omitted.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    // The content was detected as a table by its head.
    let layout = head::layout(bytes);
    let names = layout.as_ref().map_or_else(Names::default, Layout::keys);
    let mut objects = Objects::new(names, bytes.len(), max);
    if let Some(layout) = &layout {
        let mut rows = Rows::of(bytes, layout);
        let mut row: Vec<Cow<[u8]>> = Vec::new();
        while let Some(line) = rows.next() {
            if line == Line::Row {
                push(&mut objects, &row)?;
                row.clear();
                row.extend(rows.cells.iter().map(|cell| Cow::Borrowed(*cell)));
                continue;
            }
            for (whole, cell) in row.iter_mut().zip(&rows.cells) {
                append(whole, cell);
            }
        }
        push(&mut objects, &row)?;
    }
    let (json, count) = objects.finish();
    let note = format!("table read as an array of {}, keyed by its header", counted(count, "object"));
    Ok(AsJson { json, note })
}

fn push(objects: &mut Objects, row: &[Cow<[u8]>]) -> Result<(), ToJsonError> {
    row.iter().for_each(|cell| objects.push(cell));
    objects.end_row("table")
}

/// Adds another line to a cell.
fn append(whole: &mut Cow<[u8]>, line: &[u8]) {
    if let Some(text) = whole.strip_suffix(b"+") {
        *whole = Cow::Owned(text.trim_ascii_end().to_vec());
    } else if line.is_empty() {
        return;
    }
    let whole = whole.to_mut();
    if !whole.is_empty() {
        whole.push(b'\n');
    }
    whole.extend_from_slice(line);
}
