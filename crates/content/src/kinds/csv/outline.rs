//! The outline of a table: its columns, over all rows.

use super::table::{Cells, Rows};
use tuckaway_search::find;
use tuckaway_text::{counted, cut};

use super::describe::{Detail, describe};
use super::dialect::Dialect;
use super::names::Names;
use crate::outline::{Entry, Outline};

/// Columns that are described. The rest is counted.
const MAX_COLUMNS: usize = 256;
/// Bytes of a column's name that are shown.
const NAME_BYTES: usize = 80;
/// Bytes that the columns may take before each is described in fewer words.
const COLUMNS_BYTES: usize = 1_500;

/// Returns the counts, then the columns under the jq path that leads to a row.
pub fn outline(bytes: &[u8]) -> Outline {
    let dialect = Dialect::of(bytes).unwrap_or_default();
    let mut cells = Cells::new(bytes, dialect.start, dialect.delimiter);
    let mut names = Names::read(&mut cells, &dialect);
    let rows = Rows::of(&mut cells, dialect.columns, MAX_COLUMNS);
    let mut outline = Outline::default();
    let header = if dialect.has_header { "header" } else { "no header" };
    let begins = line_of(bytes, dialect.start);
    let begins = if begins > 1 { format!(", from line {begins}") } else { String::new() };
    outline.push(
        "kind",
        Entry::Text(format!(
            "{}: {} of {} columns, {}, {header}{begins}",
            dialect.name(),
            counted(rows.count, "row"),
            dialect.columns,
            dialect.delimiter_name()
        )),
    );
    if let Some(first) = rows.first_ragged {
        outline.push(
            "ragged",
            Entry::Text(format!(
                "{} with other than {} cells, the first at line {}",
                counted(rows.ragged, "row"),
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
            members.push((cut::excerpt(names.at(index).to_owned(), NAME_BYTES), text));
        }
        if bytes <= COLUMNS_BYTES || detail == Detail::Types {
            levels.push(members);
        }
    }
    outline.push(".[]", Entry::Levels(levels));
    outline
}

/// Returns the line, from 1, on which the record behind an offset begins.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    find::count(b'\n', &bytes[..at + blank]) as u64 + 1
}
