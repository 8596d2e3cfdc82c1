//! The files in directories, for a recursive search.

use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::Failure;
use crate::source::cannot_read;

/// Returns the files below directories, by name. Other paths are returned unchanged. Links in
/// directories are not followed, and only plain files are returned, as in `grep -r`.
pub fn below(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    // The next one is at the end.
    let mut open: Vec<PathBuf> = named.into_iter().rev().collect();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(children(&path)?.into_iter().rev()),
            false => files.push(path),
        }
    }
    Ok(files)
}

/// Returns the directories and plain files in a directory, by name.
fn children(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error: std::io::Error| cannot_read(directory, &error);
    let mut children = Vec::new();
    for entry in fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let kind = entry.file_type().map_err(cannot)?;
        if kind.is_dir() || kind.is_file() {
            children.push(entry.path());
        }
    }
    children.sort();
    Ok(children)
}
