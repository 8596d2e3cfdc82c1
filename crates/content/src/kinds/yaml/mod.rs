//! YAML: read into JSON, by which it is detected, outlined and queried by jq.
//!
//! ```text
//! head ─► Reader ─► Stats ─► detect
//! bytes ─► Reader ─► JSON ─┬─► summary ─► outline
//!                          └─► to_json ─► jq
//! ```
//!
//! All of YAML 1.2 is read, as tested by yaml-test-suite; `suite_exceptions.txt` lists the
//! exceptions. Scalars are those of the core schema, tags are omitted, merge keys applied. A key
//! that is not a string becomes one: with the same spelling, or the JSON of a collection. Reading
//! stops at a line that cannot be read, so that later lines are not misread.

mod anchors;
mod block;
mod detect;
mod flow;
mod line;
mod merge;
mod outline;
mod properties;
mod reader;
mod scalar;
mod stats;
mod text;
mod to_json;
mod truncate;

pub use detect::{can_be, detect};
pub use outline::outline;
pub use to_json::to_json;
pub use truncate::truncate;

/// Bytes of the JSON that a sample is read into.
const SAMPLE_JSON_BYTES: usize = 1 << 20;
/// Maximum length of the JSON, as a multiple of the YAML.
const MAX_GROWTH: usize = 16;

/// Returns the maximum bytes of JSON that YAML is read into. Aliases can make it longer, but
/// repeated content is not worth the memory.
fn max_json_bytes(yaml: &[u8]) -> usize {
    yaml.len().saturating_mul(MAX_GROWTH).saturating_add(SAMPLE_JSON_BYTES)
}

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;
