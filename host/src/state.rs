//! The host's state of an instance: the targets of its imports, and its limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::ResourceLimiter;

use crate::{CountTokens, Store};

/// The resources that a guest may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The bytes of all linear memories together.
    pub(crate) memory: usize,
    /// The time for a call, including the time of the store and the tokenizer.
    pub(crate) deadline: Duration,
}

/// The host's state of an instance.
pub(crate) struct State {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) tokens: Arc<dyn CountTokens>,
    pub(crate) limits: Limits,
    pub(crate) memory: Memory,
    /// The deadline of the call; before the first call, the deadline of the start.
    pub(crate) ends: Instant,
}

/// The time limit for the start of an instance, regardless of the deadline of calls. A start takes
/// about a millisecond.
const START_PATIENCE: Duration = Duration::from_secs(60);

impl State {
    /// Creates the state of a new instance.
    pub(crate) fn new(store: Arc<dyn Store>, tokens: Arc<dyn CountTokens>, limits: Limits) -> Self {
        let memory = Memory::new(limits.memory);
        State { store, tokens, limits, memory, ends: Instant::now() + START_PATIENCE }
    }
}

/// The maximum number of elements in all tables of a guest together.
const TABLE_ELEMENTS: usize = 100_000;

/// Limits the total sizes of a guest's linear memories and of its tables, and records the
/// largest size of its memories.
pub(crate) struct Memory {
    limit: usize,
    /// Bytes of all linear memories, which never shrink.
    pub(crate) grown_to: usize,
    /// Whether the guest's last request for more was denied.
    pub(crate) denied: bool,
    table_elements: usize,
}

impl Memory {
    fn new(limit: usize) -> Self {
        Memory { limit, grown_to: 0, denied: false, table_elements: 0 }
    }
}

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let grown_to = self.grown_to.saturating_add(desired.saturating_sub(current));
        self.denied = grown_to > self.limit;
        if !self.denied {
            self.grown_to = grown_to;
        }
        Ok(!self.denied)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let elements = self.table_elements.saturating_add(desired.saturating_sub(current));
        let fits = elements <= TABLE_ELEMENTS;
        if fits {
            self.table_elements = elements;
        }
        Ok(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_share_one_limit() {
        let mut memory = Memory::new(1_000);
        assert!(memory.memory_growing(0, 600, None).unwrap());
        assert!(!memory.memory_growing(0, 500, None).unwrap(), "a second memory on top of the first");
        assert!(memory.denied);
        assert!(memory.memory_growing(600, 1_000, None).unwrap(), "the first one may grow to the limit");
        assert!(!memory.denied);
        assert_eq!(memory.grown_to, 1_000);
        assert!(!memory.memory_growing(1_000, 1_001, None).unwrap());
    }

    #[test]
    fn tables_share_one_limit() {
        let mut memory = Memory::new(0);
        assert!(memory.table_growing(0, TABLE_ELEMENTS, None).unwrap());
        assert!(!memory.table_growing(0, 1, None).unwrap());
    }
}
