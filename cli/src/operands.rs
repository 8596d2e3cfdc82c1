//! Operands of queries: a pattern or a filter, and what to ask. The Unix tools have
//! `grep PATTERN FILE` and `jq FILTER FILE`; the other order is taken too if only one
//! of the two can be the file.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tuckaway_host::is_artifact_id;

use crate::args::Cli;
use crate::exit::Failure;
use crate::setup;

/// A query and where to ask it.
#[derive(Debug, PartialEq)]
pub struct Operands {
    /// `None` if there is a source alone.
    pub query: Option<String>,
    /// An id, a path, or `-`.
    pub source: PathBuf,
}

/// Finds out which operand is the query and which the source. `what` names the query
/// in messages.
pub async fn assign(
    cli: &Cli,
    what: &str,
    first: Option<&OsStr>,
    second: Option<&OsStr>,
) -> Result<Operands, Failure> {
    let (query, source) = match (first, second) {
        (None, _) => (None, stdin()?),
        (Some(only), None) if is_source(only) => (None, only.into()),
        (Some(only), None) => (Some(only), stdin()?),
        (Some(first), Some(second)) => match (is_source(first), is_source(second)) {
            (true, false) => (Some(second), first.into()),
            (true, true) | (false, true) => (Some(first), second.into()),
            (false, false) if is_stored(cli, second).await => (Some(first), second.into()),
            (false, false) if is_stored(cli, first).await => (Some(second), first.into()),
            (false, false) => {
                return Err(Failure::new(format!(
                    "neither {} nor {} is a file or an artifact; `tuckaway list` shows the artifacts",
                    first.to_string_lossy(),
                    second.to_string_lossy()
                )));
            }
        },
    };
    let query = match query.map(OsStr::to_str) {
        None => None,
        Some(Some(query)) => Some(query.to_owned()),
        Some(None) => return Err(Failure::new(format!("the {what} is not UTF-8"))),
    };
    Ok(Operands { query, source })
}

/// The source where a query comes by an option.
pub fn source_alone(first: Option<&OsStr>, second: Option<&OsStr>) -> Result<PathBuf, Failure> {
    match (first, second) {
        (None, _) => stdin(),
        (Some(source), None) => Ok(source.into()),
        (Some(_), Some(extra)) => Err(Failure::new(format!(
            "with -e there is one operand, an id or a file; what is {}?",
            extra.to_string_lossy()
        ))),
    }
}

/// Standard input, unless a person would have to type it.
fn stdin() -> Result<PathBuf, Failure> {
    match io::stdin().is_terminal() {
        true => Err(Failure::new("there is nothing to query: name a file or an artifact, or pipe text in")),
        false => Ok(PathBuf::from("-")),
    }
}

/// Whether an operand is clearly a source: standard input, a file, or an id as the
/// stores of this program mint them.
fn is_source(operand: &OsStr) -> bool {
    let minted = |name: &str| name.starts_with("art_") && is_artifact_id(name);
    operand == "-"
        || operand.to_str().is_some_and(minted)
        || Path::new(operand).metadata().is_ok_and(|found| !found.is_dir())
}

/// Whether the store has an artifact of this name, which another program may have
/// put there.
async fn is_stored(cli: &Cli, operand: &OsStr) -> bool {
    let Some(id) = operand.to_str().filter(|name| is_artifact_id(name)) else { return false };
    match setup::store(cli) {
        Ok(store) => store.stat(id).await.is_ok(),
        Err(_) => false,
    }
}
