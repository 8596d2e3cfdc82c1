//! Converts YAML to JSON.

use tuckaway_text::human_bytes;

use super::max_json_bytes;
use super::reader::Reader;
use super::stats::{Stats, Stop};
use crate::error::ToJsonError;
use crate::kind::AsJson;

/// Converts all documents to JSON of at most `max` bytes.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    const INSTEAD: &str = "Search it with grep or read it instead.";
    let max = max.min(max_json_bytes(bytes));
    let (json, stats, stop) = Reader::read(bytes, max);
    match stop {
        None => Ok(AsJson { json, note: note(&stats) }),
        Some(Stop::TooLarge) => Err(ToJsonError::TooLarge(format!(
            "As JSON this YAML is larger than {}, which is more than is made of it for jq. {INSTEAD}",
            human_bytes(max as u64)
        ))),
        Some(stop) => Err(ToJsonError::Unsupported(format!(
            "jq reads this YAML only as far as {}. {INSTEAD}",
            stop.reason(bytes, &stats)
        ))),
    }
}

/// Describes the YAML and the layout of its JSON.
fn note(stats: &Stats) -> String {
    let mut note = match stats.documents {
        1 => "YAML read as JSON".to_owned(),
        many => format!("{many} YAML documents read as JSON: the filter runs once for each"),
    };
    if stats.merged {
        note += "; merge keys applied";
    }
    if stats.tagged {
        note += "; tags omitted";
    }
    note
}
