//! What is in a table: its columns, over all rows.

use super::table::{Cells, Rows};
use tuckaway_search::find;

use super::describe::{Detail, describe, excerpt};
use super::dialect::Dialect;
use super::names::Names;
use crate::outline::{Entry, Outline};

/// Columns that are told apart; more are counted.
const MAX_COLUMNS: usize = 256;
/// Bytes of a column's name that are shown.
const NAME_BYTES: usize = 80;
/// Bytes that the columns may take in the shape before less is said of each.
const COLUMNS_BYTES: usize = 1_500;

/// The kind line, then the columns under the path that leads to a row.
pub fn outline(bytes: &[u8]) -> Outline {
    let dialect = Dialect::of(bytes).unwrap_or_default();
    let mut cells = Cells::new(bytes, dialect.start, dialect.delimiter);
    let mut names = Names::read(&mut cells, &dialect);
    let rows = Rows::of(&mut cells, dialect.columns, MAX_COLUMNS);
    let mut entries = Outline::default();
    let header = if dialect.has_header { "header" } else { "no header" };
    let row = if rows.count == 1 { "row" } else { "rows" };
    let begins = line_of(bytes, dialect.start);
    let begins = if begins > 1 { format!(", from line {begins}") } else { String::new() };
    entries.push(
        "kind",
        Entry::Text(format!(
            "{}: {} {row} of {} columns, {}, {header}{begins}",
            dialect.name(),
            rows.count,
            dialect.columns,
            dialect.delimiter_name()
        )),
    );
    if let Some(first) = rows.first_ragged {
        entries.push(
            "ragged",
            Entry::Text(format!(
                "{} with other than {} cells, the first at line {}",
                if rows.ragged == 1 { "1 row".to_owned() } else { format!("{} rows", rows.ragged) },
                dialect.columns,
                line_of(bytes, first)
            )),
        );
    }
    let mut levels = Vec::new();
    for detail in [Detail::Examples, Detail::Values, Detail::Ranges, Detail::Types] {
        let (mut members, mut bytes) = (Vec::new(), 0);
        for (index, column) in rows.columns.iter().enumerate() {
            let text = describe(column, detail);
            bytes += text.len() + 16;
            members.push((excerpt(names.at(index), NAME_BYTES), text));
        }
        if bytes <= COLUMNS_BYTES || detail == Detail::Types {
            levels.push(members);
        }
    }
    entries.push(".[]", Entry::Levels(levels));
    entries
}

/// The line, from 1, on which a record begins that is behind this place.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    find::count(b'\n', &bytes[..at + blank]) as u64 + 1
}
