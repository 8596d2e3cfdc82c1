//! The outline of a printed table: its columns, over all rows.

use tuckaway_search::find;
use tuckaway_text::counted;

use super::head;
use super::layout::Line;
use super::rows::Rows;
use crate::columns::{self, Column, MAX_COLUMNS};
use crate::outline::{Entry, Outline};

/// Returns the counts, then the columns under the jq path that leads to a row.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut outline = Outline::default();
    let Some(layout) = head::layout(bytes) else { return outline };
    let mut columns: Vec<Column> = Vec::new();
    columns.resize_with(layout.names.len().min(MAX_COLUMNS), Column::default);
    let mut rows = Rows::of(bytes, &layout);
    let mut count = 0;
    while let Some(line) = rows.next() {
        if line == Line::Row {
            count += 1;
            columns::push_row(&mut columns, &rows.cells);
        }
    }
    let program = layout.program.map(|program| format!(" of {}", program.name)).unwrap_or_default();
    let rows_of = counted(count, "row");
    let columns_of = counted(layout.names.len() as u64, "column");
    let omitted = if rows.has_omissions { "; the program omitted others" } else { "" };
    outline.push("kind", Entry::Text(format!("table{program}: {rows_of} of {columns_of}{omitted}")));
    if let Some(first) = rows.first_other {
        let line = find::count(b'\n', &bytes[..first]) + 1;
        let others = counted(rows.others, "line");
        outline.push("other", Entry::Text(format!("{others} outside the rows, from line {line}")));
    }
    outline.push(".[]", columns::entry(&columns, &mut layout.keys()));
    outline
}
