//! CSV and TSV: records of cells between commas, tabs, semicolons or bars.
//!
//! ```text
//! head ─► Dialect ─┬─► detect
//!                  ├─► Cells ─► columns ─► outline
//!                  ├─► Cells ─► to_json ─► jq
//!                  └─► truncate, between records
//! ```

mod cells;
mod dialect;
mod outline;
mod rows;
mod to_json;
mod truncate;

pub use outline::outline;
pub use to_json::to_json;
pub use truncate::truncate;

use self::dialect::Dialect;
use crate::sample::Sample;

/// Returns whether a sample is a table with commas, semicolons or bars.
pub fn detect_csv(sample: &Sample) -> bool {
    dialect(sample).is_some_and(|dialect| dialect.delimiter != b'\t') && !dialect::has_log_columns(sample)
}

/// Returns whether a sample is a table with tabs.
pub fn detect_tsv(sample: &Sample) -> bool {
    sample.head.contains('\t') && dialect(sample).is_some_and(|dialect| dialect.delimiter == b'\t')
}

fn dialect(sample: &Sample) -> Option<Dialect> {
    Dialect::of(if sample.is_coloured() { sample.head.as_bytes() } else { sample.bytes })
}
