//! Operands of queries: a pattern or a filter, and a source. The order is the same as in
//! the Unix tools, `grep PATTERN FILE` and `jq FILTER FILE`; the reverse order is accepted
//! if only one of the two can be the source.

use std::ffi::OsStr;
#[cfg(unix)]
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tuckaway_host::is_artifact_id;

use crate::args::Cli;
use crate::exit::Failure;
use crate::setup;

/// A query and its source.
#[derive(Debug, PartialEq)]
pub struct Operands {
    /// `None` if only a source was given.
    pub query: Option<String>,
    /// An id, a path, or `-`; `None` if none was given.
    pub source: Option<PathBuf>,
}

/// Decides which operand is the query and which is the source. `what` names the query
/// in messages.
pub async fn assign(
    cli: &Cli,
    what: &str,
    first: Option<&OsStr>,
    second: Option<&OsStr>,
) -> Result<Operands, Failure> {
    let (query, source) = match (first, second) {
        (None, _) => (None, None),
        (Some(only), None) if is_source(only) => (None, Some(only)),
        (Some(only), None) => (Some(only), None),
        (Some(first), Some(second)) => match (is_source(first), is_source(second)) {
            (true, false) => (Some(second), Some(first)),
            (true, true) | (false, true) => (Some(first), Some(second)),
            (false, false) if is_stored(cli, second).await => (Some(first), Some(second)),
            (false, false) if is_stored(cli, first).await => (Some(second), Some(first)),
            (false, false) => {
                return Err(Failure::new(format!(
                    "neither {} nor {} is a file or an artifact; run `tuckaway list` to see the artifacts",
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
    Ok(Operands { query, source: source.map(PathBuf::from) })
}

/// Returns the source, if any, if the query was given as an option.
pub fn source_alone(first: Option<&OsStr>, second: Option<&OsStr>) -> Result<Option<PathBuf>, Failure> {
    match (first, second) {
        (None, _) => Ok(None),
        (Some(source), None) => Ok(Some(source.into())),
        (Some(_), Some(extra)) => Err(Failure::new(format!(
            "with -e, the only operand is an id or a file; remove {}",
            extra.to_string_lossy()
        ))),
    }
}

/// Returns standard input, unless it is a terminal.
pub fn stdin() -> Result<PathBuf, Failure> {
    match io::stdin().is_terminal() {
        true => Err(Failure::new("nothing to query: name a file or an artifact, or pipe text in")),
        false => Ok(PathBuf::from("-")),
    }
}

/// Returns whether standard input is a pipe, a socket or a file, and not a terminal or `/dev/null`.
#[cfg(unix)]
pub fn stdin_is_stream() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let found = io::stdin().as_fd().try_clone_to_owned().and_then(|stdin| File::from(stdin).metadata());
    found
        .map(|found| found.file_type())
        .is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_file())
}

/// Returns whether standard input is not a terminal.
#[cfg(not(unix))]
pub fn stdin_is_stream() -> bool {
    !io::stdin().is_terminal()
}

/// Returns whether an operand is certainly a source: standard input, a file, or an id
/// in the form that this program's stores mint.
fn is_source(operand: &OsStr) -> bool {
    let minted = |name: &str| name.starts_with("art_") && is_artifact_id(name);
    operand == "-"
        || operand.to_str().is_some_and(minted)
        || Path::new(operand).metadata().is_ok_and(|found| !found.is_dir())
}

/// Returns whether the store has an artifact with this id, which another program may
/// have minted.
async fn is_stored(cli: &Cli, operand: &OsStr) -> bool {
    let Some(id) = operand.to_str().filter(|name| is_artifact_id(name)) else { return false };
    match setup::store(cli).await {
        Ok(store) => store.stat(id).await.is_ok(),
        Err(_) => false,
    }
}
