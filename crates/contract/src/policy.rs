//! The defaults of policies, and the ranges of their values.

use tuckaway_text::{glob, number};

use crate::{Dialect, Error, Policy, Violations};

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
        let mut violations = Violations::default();
        violations.fraction("context_percentage", self.context_percentage);
        violations.fraction("headroom_percentage", self.headroom_percentage);
        if !(self.bytes_per_token > 0.0 && self.bytes_per_token <= f64::from(MAX_BYTES_PER_TOKEN)) {
            let given = number(self.bytes_per_token);
            violations.add(
                &["bytes_per_token"],
                format!("bytes_per_token is {given}; it must be above 0 and at most {MAX_BYTES_PER_TOKEN}."),
            );
        }
        if self.min_threshold_bytes > self.max_threshold_bytes {
            violations.add(
                &["min_threshold_bytes", "max_threshold_bytes"],
                format!(
                    "min_threshold_bytes ({}) is above max_threshold_bytes ({}); lower the floor or raise the ceiling.",
                    self.min_threshold_bytes, self.max_threshold_bytes
                ),
            );
        }
        if self.max_output_tokens == Some(0) {
            violations.add(&["max_output_tokens"], "max_output_tokens is 0; omit it for no cap.");
        }
        if self.overrides.len() > MAX_OVERRIDES {
            violations.add(
                &["overrides"],
                format!("There are {} overrides; at most {MAX_OVERRIDES} are allowed.", self.overrides.len()),
            );
        }
        for (index, over) in self.overrides.iter().enumerate().take(MAX_OVERRIDES) {
            if let Some(why) = glob::violation(&over.tools) {
                violations.add(&["overrides"], format!("Override {}: {why}", index + 1));
            }
        }
        if context_window == 0 {
            violations
                .add(&["context_window"], "context_window is 0; pass the model's context window in tokens.");
        }
        violations.into_result()
    }
}
