//! The records of a table, summed up.

use super::cells::Cells;
use super::dialect::Dialect;
use crate::columns::{Column, Names};
use tuckaway_text::lossy;

/// Reads the names of columns from the header, if there is one. `cells` continues after it.
pub fn names(cells: &mut Cells, dialect: &Dialect) -> Names {
    let mut names = Names::default();
    if dialect.has_header {
        for cell in cells {
            names.push(lossy(&cell.content()).trim());
            if cell.is_last {
                break;
            }
        }
    }
    names
}

/// Sums up the records of a table.
#[derive(Default)]
pub struct Rows<'a> {
    /// The number of records.
    pub count: u64,
    /// The number of records with more or fewer cells than there are columns.
    pub ragged: u64,
    /// The start of the first of these.
    pub first_ragged: Option<usize>,
    /// The columns, as far as they are described.
    pub columns: Vec<Column<'a>>,
}

impl<'a> Rows<'a> {
    /// Sums up the remaining records of a table with this many columns; at most `described`
    /// of them are described.
    pub fn of(cells: &mut Cells<'a>, columns: usize, described: usize) -> Self {
        let mut rows = Rows::default();
        rows.columns.resize_with(columns.min(described), Column::default);
        let (mut column, mut start) = (0, cells.offset());
        while let Some(cell) = cells.step() {
            if let Some(column) = rows.columns.get_mut(column) {
                column.push(cell.bytes);
            }
            column += 1;
            if cell.is_last {
                if column != columns {
                    rows.ragged += 1;
                    rows.first_ragged.get_or_insert(start);
                }
                rows.count += 1;
                (column, start) = (0, cells.offset());
            }
        }
        rows
    }
}
