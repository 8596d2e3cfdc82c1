//! Sessions: many stores in one place.

use std::ops::AddAssign;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use tuckaway::StoreError;

use super::Store;

/// The most bytes of a session's name.
const MAX_NAME_BYTES: usize = 64;

/// A store with sessions: stores in the same place that know nothing of each other. An id of one
/// is [`StoreError::NotFound`] in all others.
///
/// A session has the limits of the store that it belongs to, by itself: a quota is that of
/// each. Names have 1 to 64 characters of `a-z`, `0-9`, `_` and `-`; capitals are refused,
/// because a file system that ignores case would mix sessions.
#[async_trait]
pub trait Sessions: Store {
    /// Returns the store of a session, which begins with its first artifact.
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError>;

    /// Lists the names of the sessions in which something was stored, in the order of the
    /// alphabet.
    async fn sessions(&self) -> Result<Vec<String>, StoreError>;

    /// Removes a session with all that is in it; [`StoreError::NotFound`] if there is none. What
    /// is being written to it fails.
    async fn remove_session(&self, name: &str) -> Result<(), StoreError>;

    /// Removes what nobody can read, here and in all sessions: artifacts that have expired, and
    /// what writers that crashed have left behind. If more is kept than the quota allows, the
    /// oldest artifacts expire until the rest fits.
    async fn collect_garbage(&self) -> Result<Garbage, StoreError>;
}

/// What [`Sessions::collect_garbage`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Garbage {
    /// Artifacts whose content is gone now. For a while their ids still say that they have
    /// expired.
    pub expired: u64,
    /// Artifacts that were never sealed, whose writers have crashed.
    pub abandoned: u64,
    /// Ids that no longer say that they have expired.
    pub forgotten: u64,
    /// Bytes of content that were freed.
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

/// Returns an error for a name that no session can have.
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
