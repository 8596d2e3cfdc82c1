//! Where full outputs are kept: the contract, and the stores that come with
//! this crate.

mod dir;
mod id;
mod memory;

pub use dir::DirStore;
pub use id::mint;
pub use memory::MemoryStore;

use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tuckaway::{Artifact, StoreError};

/// Where full outputs are kept. One store is one session: the host scopes it,
/// bounds it and removes it when the session ends.
///
/// `wit/store.wit` states the contract of each method, edges included, and the
/// contract suite in `host/tests/stores.rs` asks it of every store. Ids are
/// checked against the grammar before a method sees them
/// ([`tuckaway::is_artifact_id`]), but a store that makes paths of them must
/// not rely on its caller for that.
///
/// A method's future may be dropped at any await: when the call that it serves
/// is abandoned, or at its deadline.
#[async_trait]
pub trait Store: Send + Sync {
    /// Begins an artifact and mints its id ([`mint`]). Nothing is visible until
    /// [`Store::seal`].
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;

    /// Adds bytes at the end of an artifact that is not sealed yet. They are
    /// handed over, so that a store can send them on without a copy.
    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Makes the artifact visible, whole, or fails and keeps nothing.
    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;

    /// What is known of a sealed artifact.
    async fn stat(&self, id: &str) -> Result<Artifact, StoreError>;

    /// Up to `length` bytes of a sealed artifact from `offset`: fewer only at
    /// its end.
    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;

    /// Sealed artifacts, oldest first.
    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;

    /// Removes an artifact, sealed or not.
    async fn delete(&self, id: &str) -> Result<(), StoreError>;
}

/// Unix seconds by the system's clock.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
