//! The tool output cache of the compaction document, section 1 (docs/origins.md): views, trims,
//! references.

mod references;
mod trim;
mod view;

pub use references::unreferenced;
pub use trim::{report, trim};
pub use view::{head, truncation_note, view};

use tuckaway_contract::CacheConfig;
use tuckaway_text::{glob, number};

use crate::config::MAX_ITEMS;
use crate::host::Invalid;

/// The minimum limit of a view in bytes.
const MIN_MESSAGE_BYTES: u64 = 512;
/// The minimum limit of a line in characters.
const MIN_LINE_LENGTH: u32 = 16;
/// The highest price of a token.
const MAX_PRICE: f64 = 100.0;

/// Rejects a configuration that contradicts itself, with one sentence for each violation.
pub fn check(config: &CacheConfig) -> Result<(), Invalid> {
    let mut violations = Vec::new();
    if config.max_message_bytes < MIN_MESSAGE_BYTES {
        violations.push(format!(
            "max_message_bytes is {}; it must be at least {MIN_MESSAGE_BYTES}.",
            config.max_message_bytes
        ));
    }
    if config.max_line_length < MIN_LINE_LENGTH {
        violations.push(format!(
            "max_line_length is {}; it must be at least {MIN_LINE_LENGTH}.",
            config.max_line_length
        ));
    }
    if !(0.0..=1.0).contains(&config.target_ratio) {
        violations.push(format!(
            "target_ratio is {}; it must be a fraction from 0 to 1.",
            number(config.target_ratio)
        ));
    }
    if config.protected_tools.len() > MAX_ITEMS {
        violations.push(format!("There are more than {MAX_ITEMS} protected tools; use globs."));
    }
    let globs = config.protected_tools.iter().take(MAX_ITEMS).enumerate();
    violations.extend(globs.filter_map(|(index, tool)| {
        glob::violation(tool).map(|why| format!("Protected tool {}: {why}", index + 1))
    }));
    if let Some(cache) = &config.prompt_cache {
        for (name, price) in [("read_price", cache.read_price), ("write_price", cache.write_price)] {
            if !(0.0..=MAX_PRICE).contains(&price) {
                violations.push(format!("{name} is {}; it must be a number from 0 to 100.", number(price)));
            }
        }
    }
    match violations.is_empty() {
        true => Ok(()),
        false => Err(Invalid::new(violations.join(" "))),
    }
}
