//! `cargo xtask dist --verify`: installs the packages of a release as users do, each into an empty home
//! without Rust, and runs the first commands of the README.
//!
//! npm, pip, uv and skopeo read from registries on loopback, which have nothing but the packages of the
//! release.

mod archive;
mod checks;
mod client;
mod clock;
mod home;
mod image;
mod launcher;
mod mcp;
mod npm;
mod npm_registry;
mod oci_registry;
mod python;
mod python_index;
mod readme;
mod server;

use anyhow::{Context, Result};

use super::release::Release;

/// Verifies the packages for this platform. For another one, whose packages pip and npm would refuse here,
/// verifies the archive and the image.
pub fn run(release: &Release) -> Result<()> {
    archive::verify(release).context("the archive")?;
    image::verify(release).context("the image")?;
    if !release.target.is_installable {
        println!("not verified: the wheel and the npm packages, which this machine cannot install");
        return Ok(());
    }
    python::verify(release).context("the wheel")?;
    npm::verify(release).context("the npm packages")
}
