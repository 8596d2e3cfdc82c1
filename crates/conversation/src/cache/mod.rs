//! The tool output cache of the compaction document, section 1 (docs/origins.md): views, trims,
//! references.

mod references;
mod sides;
mod trim;
mod view;

pub use references::unreferenced;
pub use sides::sides;
pub use trim::{leaving, report, trim, trim_large, trim_to};
pub use view::{head, view};

use tuckaway_contract::{CacheConfig, Error, UserMessages, Violations};
use tuckaway_text::{glob, number};

use crate::config::MAX_ITEMS;

/// The minimum limit of a view in bytes.
const MIN_MESSAGE_BYTES: u64 = 512;
/// The minimum limit of a line in characters.
const MIN_LINE_LENGTH: u32 = 16;
/// The minimum bytes of a text in arguments that is trimmed.
const MIN_ARGUMENT_BYTES: u64 = 256;
/// The minimum bytes of a text of the user that is trimmed.
const MIN_TEXT_BYTES: u64 = 1_024;
/// The highest price of a token.
const MAX_PRICE: f64 = 100.0;

/// Rejects a configuration that contradicts itself, with one sentence for each violation.
pub fn check(config: &CacheConfig) -> Result<(), Error> {
    let mut violations = Violations::default();
    if config.max_message_bytes < MIN_MESSAGE_BYTES {
        violations.add(
            &["max_message_bytes"],
            format!(
                "max_message_bytes is {}; it must be at least {MIN_MESSAGE_BYTES}.",
                config.max_message_bytes
            ),
        );
    }
    if config.max_line_length < MIN_LINE_LENGTH {
        violations.add(
            &["max_line_length"],
            format!("max_line_length is {}; it must be at least {MIN_LINE_LENGTH}.", config.max_line_length),
        );
    }
    violations.fraction("target_ratio", config.target_ratio);
    if config.min_argument_bytes < MIN_ARGUMENT_BYTES {
        violations.add(
            &["min_argument_bytes"],
            format!(
                "min_argument_bytes is {}; it must be at least {MIN_ARGUMENT_BYTES}. To keep all arguments, set trim_arguments to false.",
                config.min_argument_bytes
            ),
        );
    }
    if let Some(settings) = &config.user_messages {
        check_texts(&mut violations, settings);
    }
    let globs = [
        ("protected_tools", ["Protected tool", "protected tools"], &config.protected_tools),
        ("argument_tools", ["Argument tool", "argument tools"], &config.argument_tools),
    ];
    for (name, words, tools) in globs {
        check_globs(&mut violations, name, words, tools);
    }
    if let Some(cache) = &config.prompt_cache {
        for (name, price) in [("read_price", cache.read_price), ("write_price", cache.write_price)] {
            if !(0.0..=MAX_PRICE).contains(&price) {
                let given = number(price);
                violations.add(&[name], format!("{name} is {given}; it must be a number from 0 to 100."));
            }
        }
    }
    violations.into_result()
}

/// Adds the violations of the settings for texts of the user.
fn check_texts(violations: &mut Violations, settings: &UserMessages) {
    let UserMessages { threshold, keep_bytes, .. } = *settings;
    if threshold < MIN_TEXT_BYTES {
        let message = format!("threshold is {threshold}; it must be at least {MIN_TEXT_BYTES}.");
        violations.add(&["threshold"], message);
    }
    if keep_bytes > threshold / 2 {
        let message = format!(
            "keep_bytes is {keep_bytes}; it must be at most half of the threshold, which is {threshold}."
        );
        violations.add(&["keep_bytes"], message);
    }
}

/// Adds the violations of a list of globs.
fn check_globs(violations: &mut Violations, name: &'static str, [what, plural]: [&str; 2], tools: &[String]) {
    if tools.len() > MAX_ITEMS {
        violations.add(&[name], format!("There are more than {MAX_ITEMS} {plural}; use globs."));
    }
    for (index, tool) in tools.iter().take(MAX_ITEMS).enumerate() {
        if let Some(why) = glob::violation(tool) {
            violations.add(&[name], format!("{what} {}: {why}", index + 1));
        }
    }
}
