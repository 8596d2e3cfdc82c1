//! Sessions: many isolated stores in one store.

use std::sync::Arc;

use async_trait::async_trait;
use tuckaway_contract::StoreError;

use super::{Garbage, Store};

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
