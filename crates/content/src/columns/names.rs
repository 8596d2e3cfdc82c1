//! The names of columns.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The names of a table's columns, all different. A column without a name is `column_3`, as
/// are the columns of a table without a header and those that only some records have. A
/// repeated name gets `_2` after it.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    /// The names so far, and the number that the next column of the same name gets.
    taken: BTreeMap<Rc<[u8]>, usize>,
}

impl Names {
    /// Returns the name of a column, from 0.
    pub fn at(&mut self, column: usize) -> &str {
        while self.names.len() <= column {
            self.push("");
        }
        &self.names[column]
    }

    /// Adds the name of the next column.
    pub fn push(&mut self, name: &str) {
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

impl<'n> FromIterator<&'n str> for Names {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Self {
        let mut all = Names::default();
        names.into_iter().for_each(|name| all.push(name));
        all
    }
}
