//! The budget of the budgeting document (docs/origins.md): buckets, caps and evictions.

mod check;
mod evict;
mod layers;
mod presets;
mod tools;

pub use check::check;
pub use layers::{keep, report};
pub use presets::preset;

use crate::config::{BucketCap, BudgetConfig};
use crate::model::Bucket;

impl BudgetConfig {
    /// Returns the cap of a bucket.
    pub fn cap(&self, bucket: Bucket) -> &BucketCap {
        match bucket {
            Bucket::System => &self.system,
            Bucket::Tools => &self.tools,
            Bucket::History => &self.history,
            Bucket::ToolOutputs => &self.tool_outputs,
            Bucket::Working => &self.working,
        }
    }

    /// Returns the tokens that a conversation may have: the window without the space for the answer
    /// and without the headroom.
    pub fn capacity(&self) -> u64 {
        self.total_window.saturating_sub(self.headroom_tokens).saturating_sub(self.working.max_tokens)
    }
}
