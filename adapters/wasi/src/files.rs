//! The store in a directory.

use std::{fs, io};

use tuckaway_contract::StoreError;
use tuckaway_stores::Directory;

use crate::settings;

/// The directory, if none is set: the host opens one under this name.
const DEFAULT: &str = "/";

pub type Store = Directory;

/// Opens the store.
pub fn open() -> Result<Store, StoreError> {
    let place = settings::place();
    let path = place.as_deref().map_or(DEFAULT, |place| place.strip_prefix("dir:").unwrap_or(place));
    let opened = Directory::open(path).and_then(|opened| match fs::metadata(path)?.is_dir() {
        true => Ok(opened),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    let opened = opened.map_err(|error| {
        StoreError::Other(format!(
            "the host opens no directory for the store, or TUCKAWAY_STORE is not its path: {error}"
        ))
    })?;
    let opened = opened.with_limits(settings::limits()?);
    match settings::session() {
        Some(name) => opened.session(&name),
        None => Ok(opened),
    }
}
