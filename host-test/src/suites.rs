//! Third-party suites and data, fetched by `cargo xtask suites`.

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

/// Returns an API response, if the examples were fetched: benches continue without them
/// and report it.
pub fn json_example(name: &str) -> Option<Vec<u8>> {
    fs::read(workspace().join("target/suites/json-examples").join(name)).ok()
}
