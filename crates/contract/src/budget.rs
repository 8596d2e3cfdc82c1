//! Accounts and budgets by bucket.

use crate::{Account, Bucket, BucketCap, BudgetConfig};

impl Account {
    /// Returns the tokens of a bucket.
    pub fn of(&self, bucket: Bucket) -> u64 {
        match bucket {
            Bucket::System => self.system,
            Bucket::Tools => self.tools,
            Bucket::History => self.history,
            Bucket::ToolOutputs => self.tool_outputs,
            Bucket::Working => 0,
        }
    }

    /// Adds tokens to a bucket.
    pub fn add(&mut self, bucket: Bucket, tokens: u64) {
        self.change(bucket, |sum| sum.saturating_add(tokens));
    }

    /// Subtracts tokens from a bucket.
    pub fn subtract(&mut self, bucket: Bucket, tokens: u64) {
        self.change(bucket, |sum| sum.saturating_sub(tokens));
    }

    fn change(&mut self, bucket: Bucket, change: impl Fn(u64) -> u64) {
        let sum = match bucket {
            Bucket::System => &mut self.system,
            Bucket::Tools => &mut self.tools,
            Bucket::History | Bucket::Working => &mut self.history,
            Bucket::ToolOutputs => &mut self.tool_outputs,
        };
        *sum = change(*sum);
        let parts = [self.tools, self.history, self.tool_outputs];
        self.total = parts.iter().fold(self.system, |sum, part| sum.saturating_add(*part));
    }
}

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
