//! The defaults of policies, and the ranges of their values.

use tuckaway_text::{glob, number};

use crate::{Dialect, Error, Policy};

/// Maximum overrides; each is matched against each output.
const MAX_OVERRIDES: usize = 1_000;
/// Maximum bytes per token: no tokenizer has longer tokens.
const MAX_BYTES_PER_TOKEN: u32 = 1_024;
/// Maximum bytes of a view in the compaction document (docs/origins.md).
const CACHE_VIEW_BYTES: u64 = 50 * 1_024;
/// The threshold of the virtual-tools document (docs/origins.md), in tokens: larger outputs are
/// reduced in [`Dialect::File`].
pub const FILE_THRESHOLD_TOKENS: u64 = 10_000;

impl Policy {
    /// Returns the defaults of a dialect.
    pub fn for_dialect(dialect: Dialect) -> Self {
        let policy = Policy { dialect, ..Policy::default() };
        match dialect {
            Dialect::Artifact => policy,
            Dialect::Cache => Policy {
                keep_all: true,
                max_threshold_bytes: CACHE_VIEW_BYTES,
                max_view_bytes: Some(CACHE_VIEW_BYTES),
                ..policy
            },
            // By bytes and by the remaining window: decision 11 of the extraction document.
            Dialect::Handle => policy,
            // Only the tokens of an output decide. The preview has half as many characters, of at
            // most four bytes each.
            Dialect::File => Policy {
                context_percentage: 1.0,
                headroom_percentage: 1.0,
                max_output_tokens: Some(FILE_THRESHOLD_TOKENS),
                preview_bytes: 2 * FILE_THRESHOLD_TOKENS as u32,
                ..policy
            },
        }
    }

    /// Validates the policy for a context window, as every call does, so that a host can reject it
    /// before there is an output.
    ///
    /// Errors: [`InvalidInput`](crate::ErrorKind::InvalidInput), with one sentence for each
    /// violation.
    pub fn check(&self, context_window: u64) -> Result<(), Error> {
        let mut violations = Vec::new();
        let mut fraction = |name: &str, value: f64| {
            if !(0.0..=1.0).contains(&value) {
                violations.push(format!("{name} is {}; it must be a fraction from 0 to 1.", number(value)));
            }
        };
        fraction("context_percentage", self.context_percentage);
        fraction("headroom_percentage", self.headroom_percentage);
        if !(self.bytes_per_token > 0.0 && self.bytes_per_token <= f64::from(MAX_BYTES_PER_TOKEN)) {
            violations.push(format!(
                "bytes_per_token is {}; it must be above 0 and at most {MAX_BYTES_PER_TOKEN}.",
                number(self.bytes_per_token)
            ));
        }
        if self.min_threshold_bytes > self.max_threshold_bytes {
            violations.push(format!(
                "min_threshold_bytes ({}) is above max_threshold_bytes ({}); lower the floor or raise the ceiling.",
                self.min_threshold_bytes, self.max_threshold_bytes
            ));
        }
        if self.max_output_tokens == Some(0) {
            violations.push("max_output_tokens is 0; omit it for no cap.".to_owned());
        }
        if self.overrides.len() > MAX_OVERRIDES {
            violations.push(format!(
                "There are {} overrides; at most {MAX_OVERRIDES} are allowed.",
                self.overrides.len()
            ));
        }
        for (index, over) in self.overrides.iter().enumerate().take(MAX_OVERRIDES) {
            violations
                .extend(glob::violation(&over.tools).map(|why| format!("Override {}: {why}", index + 1)));
        }
        if context_window == 0 {
            violations.push("context_window is 0; pass the model's context window in tokens.".to_owned());
        }
        match violations.is_empty() {
            true => Ok(()),
            false => Err(Error::invalid(violations.join(" "))),
        }
    }
}
