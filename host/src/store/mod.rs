//! Stores: the contract, and this crate's implementations.

mod ahead;
#[cfg(feature = "contract")]
pub mod contract;
mod dir;
mod memory;
#[cfg(feature = "object-store")]
mod object;
mod on_demand;
mod place;
mod sessions;
mod unavailable;

pub use ahead::ReadAhead;
pub use dir::DirStore;
pub use memory::MemoryStore;
#[cfg(feature = "object-store")]
pub use object::BucketStore;
pub use on_demand::{OnDemand, Opens};
pub use place::StoreAt;
pub use sessions::Sessions;
pub use tuckaway_stores::{Garbage, Limits, MaxAge, Quota, is_session_name, mint};
pub use unavailable::Unavailable;

use async_trait::async_trait;
use tuckaway_contract::{Artifact, StoreError};

/// Stores complete outputs. One store is one session: the host scopes it, limits it and
/// removes it when the session ends.
///
/// Ids are checked against the grammar before a method sees them
/// ([`tuckaway_contract::is_artifact_id`]), but a store that turns them into paths must not rely
/// on its caller for that. The contract suite, in the module `contract` with the feature of
/// the same name, runs on every store of this crate and can run on yours.
///
/// A method's future may be dropped at any await, if its call is abandoned or reaches
/// its deadline.
#[async_trait]
pub trait Store: Send + Sync {
    /// Begins an artifact and mints its id ([`mint`]). `stat`, `read` and
    /// `list_artifacts` do not see it until [`Store::seal`]. `tool` and `media_type`
    /// are untrusted and may be any text, including the empty one.
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError>;

    /// Appends bytes to an artifact that is not sealed yet. The store takes ownership of
    /// the bytes, so that it can pass them on without copying. After a failure, the
    /// artifact can only be deleted. Appending no bytes succeeds.
    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Makes the whole artifact visible, or fails and stores nothing. If nothing was
    /// appended, the artifact is empty.
    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError>;

    /// Returns the metadata of a sealed artifact.
    async fn stat(&self, id: &str) -> Result<Artifact, StoreError>;

    /// Returns `length` bytes of a sealed artifact from `offset`: fewer only at the end, and no
    /// bytes at or past the end or if `length` is 0.
    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError>;

    /// Lists the sealed artifacts, oldest first.
    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError>;

    /// Removes an artifact, sealed or not; [`StoreError::NotFound`] if it does not exist.
    async fn delete(&self, id: &str) -> Result<(), StoreError>;
}
