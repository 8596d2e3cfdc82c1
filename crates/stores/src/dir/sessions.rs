//! Sessions as directories of a store's directory.

use std::fs;
use std::path::{Path, PathBuf};

use tuckaway_contract::StoreError;

use super::Directory;
use super::files::{self, failed, is_missing};
use crate::id::mint;
use crate::names::{check_name, is_session_name};

/// The directory of all sessions, in the store's directory.
const SESSIONS: &str = "sessions";

/// The suffix of a session's directory while the session is being removed.
const REMOVED: &str = ".removed";

impl Directory {
    /// Returns the store of a session, which is a directory in this one.
    pub fn session(&self, name: &str) -> Result<Directory, StoreError> {
        check_name(name)?;
        let session = Directory::open(self.directory_of_sessions().join(name));
        let session = session.map_err(|error| failed("creating a session's directory", &error))?;
        Ok(session.with_limits(self.limits.clone()))
    }

    /// Lists the sessions in which something was stored, in alphabetical order.
    pub fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let mut names = files::names(&self.directory_of_sessions())?;
        names.retain(|name| is_session_name(name) && self.has_something(name));
        names.sort();
        Ok(names)
    }

    /// Removes a session and everything in it. Its directory is renamed first, so that nobody sees part of it.
    pub fn remove_session(&self, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        let sessions = self.directory_of_sessions();
        let removed = sessions.join(format!(".{name}.{}{REMOVED}", mint("")?));
        match fs::rename(sessions.join(name), &removed) {
            Ok(()) => {}
            Err(error) if is_missing(&error) => return Err(StoreError::NotFound),
            Err(error) => return Err(failed("removing a session", &error)),
        }
        fs::remove_dir_all(removed).map_err(|error| failed("removing a session", &error))
    }

    /// Removes the rest of sessions whose removal was interrupted.
    pub(super) fn remove_rest_of_sessions(&self) {
        let sessions = self.directory_of_sessions();
        for name in files::names(&sessions).unwrap_or_default() {
            if name.starts_with('.') && name.ends_with(REMOVED) {
                // After a failure, a later call tries again.
                let _ = fs::remove_dir_all(sessions.join(name));
            }
        }
    }

    /// Returns whether a session contains artifacts, directly or in sessions inside it.
    fn has_something(&self, name: &str) -> bool {
        has_something(&self.directory_of_sessions().join(name))
    }

    fn directory_of_sessions(&self) -> PathBuf {
        self.path.join(SESSIONS)
    }
}

/// Returns whether a session's directory has any file. Sessions in it that were opened but never
/// written to do not count.
fn has_something(session: &Path) -> bool {
    names_in(session).iter().any(|name| {
        if name != SESSIONS {
            return true;
        }
        let inner = session.join(SESSIONS);
        names_in(&inner).iter().any(|name| is_session_name(name) && has_something(&inner.join(name)))
    })
}

/// Returns the names in a directory; no names if it is a symbolic link.
fn names_in(directory: &Path) -> Vec<String> {
    if fs::symlink_metadata(directory).is_ok_and(|found| found.is_dir()) {
        return files::names(directory).unwrap_or_default();
    }
    Vec::new()
}
