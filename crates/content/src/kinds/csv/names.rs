//! The names of columns.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::table::Cells;

use super::dialect::Dialect;
use tuckaway_text::lossy;

/// The names of a table's columns, all different. A column without a name is `column_3`, as
/// are the columns of a table without a header and those that only some records have. A
/// repeated name gets `_2` behind it.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    /// The names so far, and the number that the next column of the same name gets.
    taken: BTreeMap<Rc<[u8]>, usize>,
}

impl Names {
    /// Reads the names from the header, if there is one. `cells` continues behind it.
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

    /// Returns the name of a column, from 0.
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
        while self.taken.contains_key(distinct.as_bytes()) {
            let number = self.taken.entry(name.as_bytes().into()).or_insert(1);
            *number += 1;
            distinct = format!("{name}_{number}");
        }
        self.taken.insert(distinct.as_bytes().into(), 1);
        self.names.push(distinct);
    }
}
