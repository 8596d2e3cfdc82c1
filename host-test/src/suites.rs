//! The suites and data of others, where `cargo xtask suites` puts them.

use std::fs;
use std::path::PathBuf;

use crate::workspace;

/// Returns the folder of a suite.
///
/// # Panics
///
/// If it was not fetched: a test that cannot run must not pass.
pub fn directory(name: &str) -> PathBuf {
    let directory = workspace().join("target/suites").join(name);
    assert!(
        directory.is_dir(),
        "{} is missing: `cargo xtask suites` fetches it, as `cargo xtask test` does",
        directory.display()
    );
    directory
}

/// Returns an answer of an API, if the examples were fetched: benches go on without them
/// and say so.
pub fn json_example(name: &str) -> Option<Vec<u8>> {
    fs::read(workspace().join("target/suites/json-examples").join(name)).ok()
}
