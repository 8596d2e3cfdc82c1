//! Opens the store and builds the engine from the options.

use std::sync::Arc;
use std::time::Duration;

use tuckaway_host::{DirStore, MemoryStore, Store, Tuckaway};

use crate::args::Cli;
use crate::choice::{Counter, StoreAt, default_store};
use crate::exit::Failure;

/// Opens the store that the options name.
pub fn store(cli: &Cli) -> Result<Arc<dyn Store>, Failure> {
    let at = cli.store.clone().or_else(default_store).ok_or_else(|| {
        Failure::new("there is no home directory to store outputs in; name a store with --store dir:PATH")
    })?;
    Ok(match at {
        StoreAt::Memory => Arc::new(MemoryStore::new()),
        StoreAt::Directory(path) => Arc::new(DirStore::open(&path).map_err(|error| {
            Failure::new(format!(
                "cannot open the store {}: {error}; name another with --store dir:PATH",
                path.display()
            ))
        })?),
    })
}

/// Builds the engine over a store. Without a counter, tokens are estimated.
pub fn engine(cli: &Cli, store: Arc<dyn Store>, tokens: Option<Counter>) -> Result<Tuckaway, Failure> {
    Ok(Limits::of(cli).engine(store, tokens)?)
}

/// The limits of each call into an engine.
#[derive(Clone, Copy)]
pub struct Limits {
    memory: usize,
    deadline: Duration,
}

impl Limits {
    /// Returns the limits that the options name.
    pub fn of(cli: &Cli) -> Self {
        Limits { memory: usize::try_from(cli.memory).unwrap_or(usize::MAX), deadline: cli.deadline }
    }

    /// Builds an engine over a store. Without a counter, tokens are estimated.
    pub fn engine(self, store: Arc<dyn Store>, tokens: Option<Counter>) -> anyhow::Result<Tuckaway> {
        Tuckaway::builder()
            .shared_store(store)
            .tokens(tokens.unwrap_or(Counter::Estimate))
            .memory_limit(self.memory)
            .deadline(self.deadline)
            .build()
    }
}
