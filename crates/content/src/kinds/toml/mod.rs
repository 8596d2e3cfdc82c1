//! TOML: read into JSON, by which it is outlined and queried by jq.
//!
//! ```text
//! head ─► Reader ─► Tree ─► detect
//! bytes ─► Reader ─► Tree ─► JSON ─┬─► summary ─► outline
//!                                  └─► to_json ─► jq
//! ```
//!
//! toml_parser turns the text into events; [`tree`] builds tables from them by TOML's rules, in
//! the order of the text. Dates, `inf` and `nan` become strings with the same spelling. Reading
//! stops at a line that cannot be read, so that later lines are not misread.

mod detect;
mod outline;
mod reader;
mod to_json;
mod tree;
mod truncate;

pub use detect::{can_be, detect};
pub use outline::outline;
pub use to_json::to_json;
pub use truncate::truncate;

/// Bytes of TOML that are read: far more than people write, and more than lock files have.
const MAX_BYTES: usize = 4 << 20;
/// Maximum parts of a dotted key, and maximum nesting of brackets.
const MAX_LEVELS: usize = 80;

/// Returns the name of a table that a line opens, with its brackets; none for other lines.
fn header(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.find(']').filter(|_| line.starts_with('['))?;
    let end = end + 1 + usize::from(line.starts_with("[[") && line[end + 1..].starts_with(']'));
    let is_pair = line.starts_with("[[") == line[..end].ends_with("]]");
    let name = line[..end].trim_matches(['[', ']', ' ', '\t']);
    let rest = line[end..].trim_start();
    let is_alone = rest.is_empty() || rest.starts_with('#');
    (is_pair && is_alone && !name.is_empty() && !name.contains([',', '[', '='])).then_some(&line[..end])
}

#[cfg(test)]
mod tests;
