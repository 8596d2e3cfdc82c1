//! Option values: where outputs are stored, how tokens are counted, which budget a
//! conversation has.

use std::env;
use std::path::PathBuf;
use std::str::FromStr;

use async_trait::async_trait;
pub use tuckaway_host::store::StoreAt;
use tuckaway_host::{CountTokens, Estimate, Preset};

#[cfg(feature = "tiktoken")]
use tuckaway_host::Tiktoken;

/// Returns the user's own store, in the directory for application state, or `None` if
/// there is no home directory.
pub fn default_store() -> Option<StoreAt> {
    Some(StoreAt::Directory(state_directory()?.join("store")))
}

/// Returns the user's directory for the state of this application, or `None` if there is no
/// home directory.
pub fn state_directory() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| env::home_dir().map(|home| home.join(".local").join("state")))?;
    Some(state.join("tuckaway"))
}

/// How tokens are counted.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    #[cfg(feature = "tiktoken")]
    Tiktoken(Tiktoken),
    Estimate,
}

impl Counter {
    /// The name of the default counter.
    pub const DEFAULT: &str = if cfg!(feature = "tiktoken") { "o200k_base" } else { "estimate" };
}

impl FromStr for Counter {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "estimate" => Ok(Counter::Estimate),
            #[cfg(feature = "tiktoken")]
            "tiktoken" => Ok(Counter::Tiktoken(Tiktoken::default())),
            #[cfg(feature = "tiktoken")]
            name => {
                name.parse().map(Counter::Tiktoken).map_err(|error| format!("{error}, tiktoken and estimate"))
            }
            #[cfg(not(feature = "tiktoken"))]
            name => Err(format!(
                "this build only estimates tokens and has no {name:?}; write estimate, or build with the feature tiktoken"
            )),
        }
    }
}

#[async_trait]
impl CountTokens for Counter {
    async fn count(&self, text: &str) -> Result<u64, String> {
        match self {
            #[cfg(feature = "tiktoken")]
            Counter::Tiktoken(tiktoken) => tiktoken.count(text).await,
            Counter::Estimate => Estimate.count(text).await,
        }
    }
}

/// The budget of a conversation; `None` turns it off.
#[derive(Clone, Copy, Debug)]
pub struct Budget(pub Option<Preset>);
