//! Files and directories, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Makes a directory and those above it.
pub fn make_directory(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("making {}", path.display()))
}

/// Makes an empty directory, in place of any existing one.
pub fn empty_directory(path: &Path) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path).with_context(|| format!("removing {}", path.display()))?;
    }
    make_directory(path)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Writes a file, and makes its directory.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    if let Some(parent) = path.parent() {
        make_directory(parent)?;
    }
    fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}

/// Copies a file with its permissions, and makes its directory.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        make_directory(parent)?;
    }
    fs::copy(from, to).with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Returns the files below a directory, sorted by their paths.
pub fn below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("reading {}", next.display()))? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the one file of a directory whose name begins and ends so.
pub fn only(directory: &Path, start: &str, end: &str) -> Result<PathBuf> {
    let mut found = below(directory)?;
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.parent() == Some(directory) && name.starts_with(start) && name.ends_with(end)
    });
    match <[PathBuf; 1]>::try_from(found) {
        Ok([path]) => Ok(path),
        Err(found) => bail!(
            "{} has {} files named {start}…{end}, not one; `cargo xtask dist` makes them anew",
            directory.display(),
            found.len()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        let directory = std::env::temp_dir().join(format!("tuckaway-dist-files-{}", std::process::id()));
        for name in ["b/c-1.tgz", "a-1.tgz", "a-1.whl"] {
            write(&directory.join(name), "").unwrap();
        }
        let names = ["a-1.tgz", "a-1.whl", "b/c-1.tgz"].map(|name| directory.join(name));
        assert_eq!(below(&directory).unwrap(), names);
        assert_eq!(only(&directory, "a-", ".whl").unwrap(), names[1]);
        assert!(only(&directory, "a-", "").unwrap_err().to_string().contains("has 2 files"));
        assert!(only(&directory, "c-", ".tgz").is_err());
        empty_directory(&directory).unwrap();
        assert_eq!(below(&directory).unwrap(), [""; 0].map(PathBuf::from));
        fs::remove_dir_all(directory).unwrap();
    }
}
