//! CSV and TSV: records of cells between commas, tabs, semicolons or bars.
//!
//! ```text
//! head ─► Dialect ─┬─► Cells ─► columns ─► shape
//!                  ├─► Cells ─► to_json ─► jq
//!                  └─► cut between records
//! ```

mod cut;
mod describe;
mod dialect;
mod json;
mod names;
mod shape;
pub(crate) mod table;

pub use cut::cut;
pub use json::to_json;
pub use shape::shape;

use self::dialect::Dialect;
use super::Sample;
use super::log;

/// A table between commas, semicolons or bars.
pub fn tell_csv(sample: &Sample) -> bool {
    Dialect::of(sample.bytes).is_some_and(|dialect| dialect.delimiter != b'\t') && !log::has_columns(sample)
}

/// A table between tabs.
pub fn tell_tsv(sample: &Sample) -> bool {
    Dialect::of(sample.bytes).is_some_and(|dialect| dialect.delimiter == b'\t')
}
