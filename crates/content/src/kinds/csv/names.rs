//! What the columns are called.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::table::Cells;

use super::dialect::Dialect;
use tuckaway_text::lossy;

/// The names of a table's columns, no two the same. A column without a name is
/// `column_3`, as are those of a table without a header and those that only some
/// records have; a name that was there before gets `_2` behind it.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    /// Names that are given, and the number that the next of the same name gets.
    given: BTreeMap<Rc<[u8]>, usize>,
}

impl Names {
    /// The names of a table whose cells begin here; behind the header then, if
    /// there is one.
    pub fn read(cells: &mut Cells, dialect: &Dialect) -> Names {
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

    /// The name of a column, from 0.
    pub fn at(&mut self, column: usize) -> &str {
        while self.names.len() <= column {
            self.push("");
        }
        &self.names[column]
    }

    fn push(&mut self, name: &str) {
        let name = match name {
            "" => format!("column_{}", self.names.len() + 1),
            name => name.to_owned(),
        };
        let mut distinct = name.clone();
        while self.given.contains_key(distinct.as_bytes()) {
            let number = self.given.entry(name.as_bytes().into()).or_insert(1);
            *number += 1;
            distinct = format!("{name}_{number}");
        }
        self.given.insert(distinct.as_bytes().into(), 1);
        self.names.push(distinct);
    }
}
