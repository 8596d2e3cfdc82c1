//! The contract of tuckaway: the records, errors and ids that the engine, its hosts and every home
//! share. The source is `wit/`; `cargo xtask contract` writes the records from it.
//!
//! As JSON, names are in snake case, and a record with unknown members is rejected.
//!
//! With the feature `component`, wasmtime passes the records to the component without conversion.
//! The code that it derives for this is unsafe; nothing else is.
#![cfg_attr(not(feature = "component"), forbid(unsafe_code))]

mod budget;
mod dialect;
mod error;
mod id;
mod limits;
mod offload;
mod options;
mod plan;
mod policy;
mod violations;

#[cfg_attr(feature = "component", allow(unsafe_code))]
// A task is made once for each plan, so its size does not matter.
#[allow(clippy::large_enum_variant)]
mod records;

pub use dialect::DialectTool;
pub use error::{MAX_MESSAGE_BYTES, has_expired};
pub use id::{check_artifact_id, is_artifact_id};
pub use limits::{DEFAULT_PAGE_BYTES, MAX_MEDIA_BYTES, MIN_PAGE_BYTES, MIN_VIEW_BYTES};
pub use options::{CallOptions, DefinitionOptions, ReadOptions};
pub use policy::FILE_THRESHOLD_TOKENS;
pub use records::*;
pub use violations::Violations;

impl TokenUsage {
    /// Returns `total_tokens`: the sum of all four.
    pub fn total_tokens(&self) -> u64 {
        [self.output_tokens, self.cache_creation_tokens, self.cache_read_tokens]
            .iter()
            .fold(self.input_tokens, |sum, tokens| sum.saturating_add(*tokens))
    }
}
