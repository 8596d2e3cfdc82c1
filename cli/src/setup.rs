//! Opens the store and builds the engine from the options.

use std::sync::Arc;
use std::time::Duration;

use tuckaway_host::store::{MaxAge, Quota, Unavailable};
use tuckaway_host::{Limits as StoreLimits, Sessions, Store, Tuckaway};

use crate::args::Cli;
use crate::choice::{Counter, default_store};
use crate::exit::Failure;

/// Opens the store that the options name, or its session.
pub async fn store(cli: &Cli) -> Result<Arc<dyn Store>, Failure> {
    let everything = sessions(cli)?;
    match session(cli)? {
        Some(name) => {
            let session = everything.session(name).await;
            Ok(session.map_err(|error| error.into_error("opening a session", name))?)
        }
        None => Ok(everything),
    }
}

/// Opens the store for a new output. If it cannot be opened, says why on stderr, and returns a store
/// that stores nothing: the model then sees a truncation.
pub async fn store_for_output(cli: &Cli) -> Result<Arc<dyn Store>, Failure> {
    // A reserved name is a mistake in the arguments.
    session(cli)?;
    Ok(store(cli).await.unwrap_or_else(|failure| {
        eprintln!("tuckaway: nothing is stored: {}", failure.message.unwrap_or_default());
        Arc::new(Unavailable { why: "the store cannot be opened".to_owned() })
    }))
}

/// Opens the store that the options name, with its sessions.
pub fn sessions(cli: &Cli) -> Result<Arc<dyn Sessions>, Failure> {
    let at = cli.store.clone().or_else(default_store).ok_or_else(|| {
        Failure::new("there is no home directory to store outputs in; name a store with --store dir:PATH")
    })?;
    at.open(limits(cli), cli.store_endpoint.as_deref())
        .map_err(|error| Failure::new(format!("{error:#}; name another store with --store")))
}

/// Returns the name of the session that the options name.
pub fn session(cli: &Cli) -> Result<Option<&str>, Failure> {
    match cli.session.as_deref() {
        Some(word @ ("project" | "connection" | "shared")) => Err(Failure::new(format!(
            "the session name {word} is reserved for `tuckaway mcp`; choose another name"
        ))),
        name => Ok(name),
    }
}

/// Returns the limits of the store: the default limits of the user's own store, unless the options
/// name another store or other limits.
pub fn limits(cli: &Cli) -> StoreLimits {
    let (age, quota) = match cli.store {
        Some(_) => (MaxAge::Forever, Quota::Unlimited),
        None => StoreLimits::OWN,
    };
    StoreLimits::of(cli.max_age.unwrap_or(age), cli.quota.unwrap_or(quota))
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
        let built = Tuckaway::builder()
            .shared_store(store)
            .tokens(tokens.unwrap_or(Counter::Estimate))
            .memory_limit(self.memory)
            .deadline(self.deadline)
            .build()?;
        Ok(built)
    }
}
