//! `cargo xtask dist --verify`: installs the packages of a release as users do, each into an empty home
//! without Rust, and runs the first commands of the README.
//!
//! Nothing is fetched: the packages come from the directory of the release.

mod archive;
mod checks;
mod home;
mod launcher;
mod mcp;
mod npm;
mod python;

use anyhow::{Context, Result};

use super::release::Release;

/// Verifies the packages for this platform.
pub fn run(release: &Release) -> Result<()> {
    archive::verify(release).context("the archive")?;
    python::verify(release).context("the wheel")?;
    npm::verify(release).context("the npm packages")
}
