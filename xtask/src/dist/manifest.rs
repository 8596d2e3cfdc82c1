//! The manifest of the npm library in the repository.

use anyhow::{Context, Result};
use serde_json::Value;

use super::files;
use crate::workspace;

/// Returns the manifest of the library.
pub fn library() -> Result<Value> {
    let path = workspace().join("js/package.json");
    serde_json::from_slice(&files::read(&path)?).with_context(|| format!("reading {}", path.display()))
}
