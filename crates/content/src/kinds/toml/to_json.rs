//! Converts TOML to JSON.

use tuckaway_text::{human_bytes, lossy};

use super::{MAX_BYTES, reader};
use crate::error::ToJsonError;
use crate::kind::AsJson;

/// Converts a document to JSON of at most `max` bytes.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    const INSTEAD: &str = "Search it with grep or read it instead.";
    let too_large = |what: &str, most: usize| {
        ToJsonError::TooLarge(format!(
            "{what} is larger than {}, which is more than jq reads of TOML. {INSTEAD}",
            human_bytes(most as u64)
        ))
    };
    if bytes.len() > MAX_BYTES {
        return Err(too_large("This TOML", MAX_BYTES));
    }
    let text = lossy(bytes);
    let read = reader::read(&text);
    if let Some(stop) = read.stop {
        return Err(ToJsonError::Unsupported(format!(
            "jq reads this TOML only as far as {}. {INSTEAD}",
            stop.reason(&text)
        )));
    }
    let json = read.tree.to_json(max).ok_or_else(|| too_large("As JSON this TOML", max))?;
    let dates = if read.stats.dates > 0 { "; dates are strings" } else { "" };
    Ok(AsJson { json, note: format!("TOML read as JSON{dates}") })
}
