//! Operands of queries: a pattern or a filter, and a source. The order is the same as in
//! the Unix tools, `grep PATTERN FILE` and `jq FILTER FILE`; the reverse order is accepted
//! if only one of the two can be the source.

use std::ffi::{OsStr, OsString};
#[cfg(unix)]
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use tuckaway_host::is_artifact_id;

use crate::args::Cli;
use crate::exit::{Failure, NO_INPUT};
use crate::{setup, source};

/// Decides which operand is the query, if any, and which are the sources. `what` names the query
/// in messages.
pub async fn assign(
    cli: &Cli,
    what: &str,
    operands: &[OsString],
) -> Result<(Option<String>, Vec<PathBuf>), Failure> {
    let (query, sources) = match operands {
        [] => (None, Vec::new()),
        [only] if is_source(only) => (None, vec![only]),
        [first, second] if is_reversed(cli, first, second).await? => (Some(second), vec![first]),
        [first, rest @ ..] => (Some(first), rest.iter().collect()),
    };
    let query = match query.map(|query| query.to_str()) {
        None => None,
        Some(Some(query)) => Some(query.to_owned()),
        Some(None) => return Err(Failure::new(format!("the {what} is not UTF-8"))),
    };
    Ok((query, sources.into_iter().map(PathBuf::from).collect()))
}

/// Returns whether the first of two operands is the source. Fails if neither is one.
async fn is_reversed(cli: &Cli, first: &OsStr, second: &OsStr) -> Result<bool, Failure> {
    match (is_source(first), is_source(second)) {
        (is_first, is_second) if is_first || is_second => Ok(!is_second),
        _ if is_stored(cli, second).await => Ok(false),
        _ if is_stored(cli, first).await => Ok(true),
        // In jq, `.` is a filter.
        _ if second != "." && Path::new(second).is_dir() => Err(source::is_directory(Path::new(second))),
        _ => Err(Failure::new(format!(
            "neither {} nor {} is a file or an artifact; run `tuckaway list` to see the artifacts",
            first.to_string_lossy(),
            second.to_string_lossy()
        ))
        .with_status(NO_INPUT)),
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
