//! Files that are written as a whole.

use std::fs;
use std::path::Path;

use crate::exit::Failure;

/// Writes a file, and replaces it if it exists. The file is never half written: it may be the
/// only copy.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&part);
        Failure::new(format!("cannot write {}: {error}", path.display()))
    })
}
