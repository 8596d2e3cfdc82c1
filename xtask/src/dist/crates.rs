//! The crates as the registry takes them, and the order in which to publish them.

use std::path::Path;

use anyhow::Result;

use super::files;
use super::release::Release;
use crate::package;

/// Packages the crates into `crates/`, with `order.txt`, which names one crate a line, each after
/// its dependencies.
pub fn write(release: &Release, component: &Path) -> Result<()> {
    let packages = package::pack(component)?;
    let mut order = String::new();
    for package in release.graph.publishing_order()? {
        let file = format!("{}-{}.crate", package.name, package.version);
        files::copy(&packages.join(&file), &release.directory.join("crates").join(&file))?;
        order += &format!("{}\n", package.name);
    }
    files::write(&release.directory.join("crates/order.txt"), order)
}
