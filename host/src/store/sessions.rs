//! Sessions: many isolated stores in one store.

use std::ops::AddAssign;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use tuckaway_contract::StoreError;

use super::Store;

/// The maximum length of a session's name.
const MAX_NAME_BYTES: usize = 64;

/// A store with sessions: isolated stores in the same place. An id from one session is
/// [`StoreError::NotFound`] in all others.
///
/// The limits of the store apply to each session separately, so each session has the whole
/// quota. Names have 1 to 64 characters from `a-z`, `0-9`, `_` and `-`. Capitals are refused,
/// because a file system that ignores case would mix sessions.
#[async_trait]
pub trait Sessions: Store {
    /// Returns the store of a session. The session exists from its first artifact on.
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError>;

    /// Lists the names of the sessions in which something was stored, in alphabetical order.
    async fn sessions(&self) -> Result<Vec<String>, StoreError>;

    /// Removes a session and everything in it; [`StoreError::NotFound`] if it does not exist.
    /// Writes to the session that are in progress fail.
    async fn remove_session(&self, name: &str) -> Result<(), StoreError>;

    /// Removes expired artifacts and incomplete artifacts of crashed writers, here and in all
    /// sessions. If the stored artifacts exceed the quota, the oldest ones expire until the rest
    /// fits.
    async fn collect_garbage(&self) -> Result<Garbage, StoreError>;
}

/// The artifacts and bytes that [`Sessions::collect_garbage`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Garbage {
    /// Artifacts whose content was removed. For a while, their ids still return
    /// [`StoreError::Expired`].
    pub expired: u64,
    /// Artifacts that were never sealed because their writers crashed.
    pub abandoned: u64,
    /// Ids of expired artifacts that are no longer remembered.
    pub forgotten: u64,
    /// Bytes of content that were removed.
    pub freed_bytes: u64,
}

impl AddAssign for Garbage {
    fn add_assign(&mut self, other: Garbage) {
        self.expired += other.expired;
        self.abandoned += other.abandoned;
        self.forgotten += other.forgotten;
        self.freed_bytes += other.freed_bytes;
    }
}

/// Fails for a name that no session can have.
pub(super) fn check_name(name: &str) -> Result<(), StoreError> {
    match is_session_name(name) {
        true => Ok(()),
        false => Err(StoreError::Other(format!(
            "the name of a session must have 1 to {MAX_NAME_BYTES} characters from a-z, 0-9, '_' and '-', not {:?}",
            tuckaway_text::cut::head(name, 100)
        ))),
    }
}

/// Returns whether a session can have this name.
pub fn is_session_name(name: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_paths_and_keys() {
        for name in ["a", "chat-42", "user_1", "0", &"x".repeat(64)] {
            assert!(is_session_name(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "a\\b", "A", "é", "a b", "a.b", "nul\0", &"x".repeat(65)] {
            assert!(!is_session_name(name), "{name}");
            assert!(matches!(check_name(name), Err(StoreError::Other(_))));
        }
    }
}
