//! The outline of a table: its columns, over all rows.

use super::cells::Cells;
use super::dialect::{Dialect, without_count};
use super::rows::{Rows, names};
use crate::columns::{self, MAX_COLUMNS};
use crate::outline::{Entry, Outline};
use tuckaway_search::find;
use tuckaway_text::counted;

/// Returns the counts, then the columns under the jq path that leads to a row.
pub fn outline(bytes: &[u8]) -> Outline {
    let bytes = without_count(bytes);
    let dialect = Dialect::of(bytes).unwrap_or_default();
    let mut cells = Cells::new(bytes, dialect.start, dialect.delimiter);
    let mut names = names(&mut cells, &dialect);
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
    outline.push(".[]", columns::entry(&rows.columns, &mut names));
    outline
}

/// Returns the line, from 1, on which the record after an offset begins.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    find::count(b'\n', &bytes[..at + blank]) as u64 + 1
}
