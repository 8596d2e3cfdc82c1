//! The parts of `cargo xtask` that tests use: the build of the component and its imports,
//! and the servers that tests of stores start.

use std::path::{Path, PathBuf};

pub mod component;
pub mod install;
pub mod object_servers;
pub mod shell;

/// Returns the directory of the workspace, the nearest above this package with a lock file. It
/// is determined at run time: a target directory may be shared by checkouts, and outlive the
/// one it was built from.
pub fn workspace() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut above = Path::new(&package).ancestors();
    above
        .find(|directory| directory.join("Cargo.lock").is_file())
        .expect("this package is in a workspace")
        .to_owned()
}
