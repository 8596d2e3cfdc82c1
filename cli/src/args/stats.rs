//! The arguments of `stats`.

use clap::Args;

use crate::choice::Counter;

/// Sums the stored artifacts by tool, session and day.
///
/// Covers all sessions of the store, or the one that `--session` names. Days are in UTC. Expired
/// and removed artifacts are not included, and neither are queries and views, which a store does
/// not record.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway stats
  tuckaway stats --tokens o200k_base     counts tokens and savings, and reads all artifacts for it
  tuckaway stats --session chat-42 --json | jq .by_tool")]
pub struct Stats {
    /// Reads all artifacts, and counts their tokens and what envelopes save of them: `o200k_base` (or `tiktoken`), `cl100k_base`,
    /// `p50k_base`, `r50k_base`, or `estimate`, which needs no vocabulary. [default: 4 bytes are a
    /// token]
    #[arg(long, value_name = "COUNTER")]
    pub tokens: Option<Counter>,
}
