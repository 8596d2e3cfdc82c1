//! A store in S3, Google Cloud Storage, Azure Blob Storage or a server that speaks one of their
//! protocols, which agents on many machines can share.
//!
//! # In the bucket
//!
//! Below the prefix of the store, an artifact consists of objects of two kinds:
//!
//! | key | content |
//! |---|---|
//! | `data/<id>/<n>` | segment `n` of the bytes, from `00000000`: all have `segment_bytes` bytes, the last one has the rest |
//! | `meta/<id>.json` | the metadata, as in a directory, with `segment_bytes`, `sealed_at_us` (Unix microseconds, for the order within a second) and `seal` (random) |
//! | `sessions/<name>/…` | the same keys, for each session |
//!
//! An artifact exists if its metadata does. The metadata is written last, after all segments,
//! and only if the key is free, so a reader sees all of an artifact or nothing. Segments are
//! ordinary objects, not the parts of one upload: a request that arrives twice does no harm, and
//! the segments of a crashed writer can be listed, and so removed, with every provider. Content
//! is not held in memory, except one segment of each artifact that is being written and up to
//! [`PUTS_AT_ONCE`](writer) segments that are being sent.
//!
//! To delete an artifact, its metadata is removed first. An expired artifact keeps its metadata
//! for a while, with the key `expired_at` (Unix seconds), which is written before the segments
//! are removed.
//!
//! Ids have 82 random bits, more than in other stores: if a server ignores the condition on the
//! metadata, nothing else prevents two writers from using the same id.

mod blocks;
mod bucket;
mod garbage;
mod keys;
mod list;
mod open;
mod reader;
mod writer;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use object_store::path::Path;
use tuckaway_contract::{Artifact, StoreError, is_artifact_id};
use tuckaway_stores::check_name;

use self::blocks::Blocks;
use self::bucket::Bucket;
use self::keys::Keys;
use self::list::Known;
use self::writer::Writer;
use super::{Garbage, Limits, Sessions, Store};

/// The default time limit for each operation, including retries.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// Stores artifacts as objects in a bucket, in the format that the module's documentation
/// describes. Cheap to clone. Needs a tokio runtime with I/O and time.
///
/// A quota costs one listing per 1,000 objects when an artifact is created and when it is
/// sealed.
#[derive(Clone)]
pub struct BucketStore {
    bucket: Bucket,
    keys: Keys,
    limits: Limits,
    state: Arc<State>,
    /// Shared by all sessions, so that the total size is bounded.
    blocks: Arc<Blocks>,
}

/// The state of a session in this process.
struct State {
    writers: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Writer>>>>,
    /// Metadata that was read.
    known: Mutex<HashMap<String, Known>>,
    swept: Mutex<Instant>,
    /// When the last artifact was sealed, in Unix microseconds.
    sealed_at_us: AtomicU64,
}

impl State {
    fn new() -> Arc<Self> {
        Arc::new(State {
            writers: Mutex::default(),
            known: Mutex::default(),
            swept: Mutex::new(Instant::now()),
            sealed_at_us: AtomicU64::new(0),
        })
    }
}

impl BucketStore {
    /// Creates a store in a bucket that the crate `object_store` has opened, below a prefix, which
    /// may be empty. Errors name no key, no bucket and no address, because a model may read them.
    pub fn new(bucket: Arc<dyn object_store::ObjectStore>, prefix: Path) -> Self {
        BucketStore {
            bucket: Bucket::new(bucket, DEFAULT_TIMEOUT),
            keys: Keys::new(prefix),
            limits: Limits::none(),
            state: State::new(),
            blocks: Arc::default(),
        }
    }

    /// Sets the limits, which apply to each session separately.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Limits the time of each request to the bucket, including retries; 30 seconds by default. A
    /// method of the store may need several requests.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.bucket = self.bucket.with_timeout(timeout);
        self
    }

    /// Returns the store of a session whose name is valid.
    fn of_session(&self, name: &str) -> BucketStore {
        BucketStore { keys: self.keys.of_session(name), state: State::new(), ..self.clone() }
    }

    fn writers(&self) -> MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<Writer>>>> {
        self.state.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.state.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, id: &str) {
        self.known().remove(id);
        self.blocks.remove(&self.keys.data_of(id));
    }

    /// Removes all objects of an artifact, its metadata first.
    async fn remove(&self, id: &str) -> Result<(), StoreError> {
        let was_open = self.writers().remove(id).is_some();
        self.forget(id);
        let meta = self.bucket.get("reading metadata", &self.keys.meta(id)).await?;
        if meta.is_some() {
            self.bucket.delete("removing metadata", vec![self.keys.meta(id)]).await?;
        }
        let segments = self.bucket.list("listing segments", &self.keys.data_of(id)).await?;
        let was_there = !segments.is_empty();
        self.bucket
            .delete("removing segments", segments.into_iter().map(|each| each.location).collect())
            .await?;
        match was_open || meta.is_some() || was_there {
            true => Ok(()),
            false => Err(StoreError::NotFound),
        }
    }
}

impl fmt::Debug for BucketStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketStore").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Fails for an id that no artifact can have, because the id becomes part of a key.
fn check(id: &str) -> Result<(), StoreError> {
    if is_artifact_id(id) { Ok(()) } else { Err(StoreError::NotFound) }
}

#[async_trait]
impl Store for BucketStore {
    async fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        self.sweep_if_due();
        self.begin(tool, media_type).await
    }

    async fn append(&self, id: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        check(id)?;
        self.write(id, &bytes).await
    }

    async fn seal(&self, id: &str, line_count: u64) -> Result<Artifact, StoreError> {
        check(id)?;
        self.finish(id, line_count).await
    }

    async fn stat(&self, id: &str) -> Result<Artifact, StoreError> {
        check(id)?;
        Ok(self.look_up(id).await?.artifact)
    }

    async fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        check(id)?;
        self.read_range(id, offset, length).await
    }

    async fn list_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        Ok(self.sealed().await?.into_iter().map(|sealed| sealed.artifact).collect())
    }

    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        check(id)?;
        self.remove(id).await
    }
}

#[async_trait]
impl Sessions for BucketStore {
    async fn session(&self, name: &str) -> Result<Arc<dyn Sessions>, StoreError> {
        check_name(name)?;
        Ok(Arc::new(self.of_session(name)))
    }

    async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        self.session_names().await
    }

    async fn remove_session(&self, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        self.remove_whole_session(name).await
    }

    async fn collect_garbage(&self) -> Result<Garbage, StoreError> {
        self.collect().await
    }
}
