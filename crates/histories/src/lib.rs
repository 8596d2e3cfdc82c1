//! Histories of model providers, kept within the context window.
//!
//! ```text
//! JSON ─► document ─► detect ─► adapter ─► Conversation ─► plan ─► apply ─► kept ranges, new items
//!         (ranges)             (one per      (read, repaired)               (of the given history)
//!                               format)
//! ```
//!
//! One item of a history is one message of the conversation. A plan therefore names items by index,
//! and items that stay are given back as ranges of the given history: fields that no adapter knows,
//! thinking with its signature, images and cache breakpoints survive. Only an item whose text
//! changes is written again.
#![forbid(unsafe_code)]

mod document;

mod adapters;
mod detect;

mod memory;
mod thinking;

mod history;
mod repair;

mod apply;
mod item_host;

mod compaction;
mod run;

#[cfg(any(test, feature = "rules"))]
pub mod rules;

#[cfg(test)]
mod tests;

pub use run::{start, step};

use history::History;
use tuckaway_contract::{Error, HistoryFormat, HistoryInput, TokenUsage};

/// Detects the format of a history: a JSON list of items, or a request with it.
///
/// Errors: malformed JSON, items of several formats, items of a known form that is not a format
/// here, and items that fit several formats which read them differently. The message names them.
pub fn detect(json: &str) -> Result<HistoryFormat, Error> {
    let mut input = HistoryInput { json: json.to_owned(), ..HistoryInput::default() };
    History::parse(&mut input).map(|history| history.format)
}

/// Reads a usage as a provider reported it, as JSON.
///
/// Errors: a usage without token counts, or with impossible ones.
pub fn read_usage(json: &str) -> Result<TokenUsage, Error> {
    let usage = serde_json::from_str(json);
    tuckaway_usage::token_usage(
        &usage.map_err(|error| Error::invalid(format!("The usage is not JSON: {error}.")))?,
    )
}
