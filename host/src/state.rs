//! What belongs to an instance on the host's side: where its imports lead, and
//! the limits it runs under.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::ResourceLimiter;

use crate::{CountTokens, Store};

/// What a guest may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of linear memory.
    pub(crate) memory: usize,
    /// Time for a call, the store's and the tokenizer's included.
    pub(crate) deadline: Duration,
}

/// What belongs to an instance on the host's side.
pub(crate) struct State {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) tokens: Arc<dyn CountTokens>,
    pub(crate) limits: Limits,
    pub(crate) memory: Memory,
    /// When the call's time is over.
    pub(crate) ends: Instant,
}

impl State {
    /// The state of a new instance, whose time runs from now.
    pub(crate) fn new(store: Arc<dyn Store>, tokens: Arc<dyn CountTokens>, limits: Limits) -> Self {
        let memory = Memory { limit: limits.memory, grown_to: 0, denied: false };
        State { store, tokens, limits, memory, ends: Instant::now() + limits.deadline }
    }
}

/// Keeps the guest's memory within its limit and remembers what it came to.
pub(crate) struct Memory {
    limit: usize,
    /// The most that the guest has had.
    pub(crate) grown_to: usize,
    /// Whether the guest's last wish for more was refused.
    pub(crate) denied: bool,
}

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.denied = desired > self.limit;
        if !self.denied {
            self.grown_to = self.grown_to.max(desired);
        }
        Ok(!self.denied)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= 100_000)
    }
}
