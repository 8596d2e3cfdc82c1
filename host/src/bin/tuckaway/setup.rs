//! The store, the token counter and the engine, as the options name them.

use std::env;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use tuckaway_host::{CountTokens, DirStore, Estimate, MemoryStore, Store, Tiktoken, Tuckaway};

use crate::args::Cli;
use crate::exit::Failure;

/// Where outputs are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAt {
    Dir(PathBuf),
    Memory,
}

impl FromStr for StoreAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("dir:") {
            Some("") => Err("`dir:` wants a path behind it".to_owned()),
            Some(path) => Ok(StoreAt::Dir(path.into())),
            None if text == "memory" => Ok(StoreAt::Memory),
            None => Err(format!("{text:?} is no store; write dir:PATH or memory")),
        }
    }
}

impl StoreAt {
    /// The user's own: state that outlives the process but matters to nobody else.
    fn default_for_user() -> Result<Self, Failure> {
        let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute("XDG_STATE_HOME")
            .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
            .or_else(|| env::home_dir().map(|home| home.join(".local/state")))
            .map(|state| StoreAt::Dir(state.join("tuckaway/store")))
            .ok_or_else(|| {
                Failure::new(
                    "there is no home directory to keep outputs in; name a store with --store dir:PATH",
                )
            })
    }
}

/// The store that was asked for.
pub fn store(cli: &Cli) -> Result<Arc<dyn Store>, Failure> {
    let at = match &cli.store {
        Some(at) => at.clone(),
        None => StoreAt::default_for_user()?,
    };
    Ok(match at {
        StoreAt::Memory => Arc::new(MemoryStore::new()),
        StoreAt::Dir(path) => Arc::new(DirStore::open(&path).map_err(|error| {
            Failure::new(format!(
                "cannot open the store {}: {error}; name another with --store dir:PATH",
                path.display()
            ))
        })?),
    })
}

/// The engine over a store; tokens are estimated where none are counted.
pub fn engine(cli: &Cli, store: Arc<dyn Store>, tokens: Option<Counter>) -> Result<Tuckaway, Failure> {
    let memory = usize::try_from(cli.memory).unwrap_or(usize::MAX);
    Ok(Tuckaway::builder()
        .shared_store(store)
        .tokens(tokens.unwrap_or(Counter::Estimate))
        .memory_limit(memory)
        .deadline(cli.deadline)
        .build()?)
}

/// How tokens are counted.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    Tiktoken(Tiktoken),
    Estimate,
}

impl FromStr for Counter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "tiktoken" => Ok(Counter::Tiktoken(Tiktoken::default())),
            "estimate" => Ok(Counter::Estimate),
            name => {
                name.parse().map(Counter::Tiktoken).map_err(|error| format!("{error}, tiktoken and estimate"))
            }
        }
    }
}

#[async_trait]
impl CountTokens for Counter {
    async fn count(&self, text: &str) -> Result<u64, String> {
        match self {
            Counter::Tiktoken(tiktoken) => tiktoken.count(text).await,
            Counter::Estimate => Estimate.count(text).await,
        }
    }
}
