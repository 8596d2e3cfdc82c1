//! The hashes of all files of a release.

use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::files;

const FILE: &str = "SHA256SUMS";

/// Writes `SHA256SUMS`, as `sha256sum --check` reads it, and prints it with the sizes.
pub fn write(directory: &Path) -> Result<()> {
    let mut lines = String::new();
    for path in files::below(directory)? {
        let name = path.strip_prefix(directory).context("a file outside of the release")?;
        let name = name.to_string_lossy().replace('\\', "/");
        if name == FILE {
            continue;
        }
        let bytes = files::read(&path)?;
        lines += &format!("{:x}  {name}\n", Sha256::digest(&bytes));
        println!("{:>12}  {name}", crate::budget::grouped(bytes.len() as u64));
    }
    files::write(&directory.join(FILE), lines)
}
