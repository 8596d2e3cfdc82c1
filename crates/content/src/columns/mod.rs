//! Columns of values, in any notation of rows: their content in words, and their rows
//! as JSON.
//!
//! ```text
//! cells ─► Column: kinds of values, their range, the distinct ones ─► levels of words
//! cells, Names ─► Objects: an array of JSON
//! ```

mod column;
mod describe;
mod distinct;
mod names;
mod number;
mod objects;
mod value;

pub use column::{Column, push_row};
pub use names::Names;
pub use number::number;
pub use objects::Objects;
pub use value::{Class, class};

use self::describe::{Detail, describe};
use crate::outline::Entry;
use tuckaway_text::cut;

/// Columns that are described. The rest is counted.
pub const MAX_COLUMNS: usize = 256;
/// Bytes of a column's name that are shown.
const NAME_BYTES: usize = 80;
/// Bytes that the columns may take before each is described in fewer words.
const COLUMNS_BYTES: usize = 1_500;

/// Returns the columns by name, described in ever fewer words.
pub fn entry(columns: &[Column], names: &mut Names) -> Entry {
    let mut levels = Vec::new();
    for detail in [Detail::Examples, Detail::Values, Detail::Ranges, Detail::Types] {
        let (mut members, mut bytes) = (Vec::new(), 0);
        for (index, column) in columns.iter().enumerate() {
            let text = describe(column, detail);
            bytes += text.len() + 16;
            members.push((cut::excerpt(names.at(index).to_owned(), NAME_BYTES), text));
        }
        if bytes <= COLUMNS_BYTES || detail == Detail::Types {
            levels.push(members);
        }
    }
    Entry::Levels(levels)
}
