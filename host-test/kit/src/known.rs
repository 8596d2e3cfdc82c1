//! Artifacts whose content follows from their metadata, so that any reader can check every
//! byte.

use tuckaway_host::{Artifact, Store, StoreError};

/// Bytes of one append, as the component appends.
const APPEND_BYTES: usize = 64 << 10;

/// Bytes of one read.
const READ_BYTES: u32 = 1 << 20;

/// The media type of such artifacts, before the numbers.
const MEDIA_TYPE: &str = "application/x-known";

/// The known content of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known {
    /// Determines the bytes.
    pub seed: u64,
    /// The size.
    pub bytes: usize,
}

impl Known {
    /// Returns the content.
    pub fn content(self) -> Vec<u8> {
        let words = (0..self.bytes.div_ceil(8) as u64).map(|index| mixed(self.seed, index));
        let mut content: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        content.truncate(self.bytes);
        content
    }

    /// Returns the media type, which describes the content.
    pub fn media_type(self) -> String {
        format!("{MEDIA_TYPE}; seed={}; bytes={}", self.seed, self.bytes)
    }

    /// Returns the content that an artifact should have; `None` if it is unknown.
    pub fn of(artifact: &Artifact) -> Option<Known> {
        let rest = artifact.media_type.strip_prefix(MEDIA_TYPE)?.strip_prefix("; seed=")?;
        let (seed, bytes) = rest.split_once("; bytes=")?;
        Some(Known { seed: seed.parse().ok()?, bytes: bytes.parse().ok()? })
    }

    /// Stores the content.
    pub async fn put(self, store: &dyn Store) -> Result<Artifact, StoreError> {
        let id = store.create("known", &self.media_type()).await?;
        for part in self.content().chunks(APPEND_BYTES) {
            store.append(&id, part.to_vec()).await?;
        }
        store.seal(&id, self.bytes as u64).await
    }
}

/// Reads a whole artifact.
pub async fn read(store: &dyn Store, id: &str) -> Result<Vec<u8>, StoreError> {
    let mut content = Vec::new();
    loop {
        let part = store.read(id, content.len() as u64, READ_BYTES).await?;
        if part.is_empty() {
            return Ok(content);
        }
        content.extend(part);
    }
}

/// A defect of an artifact.
#[derive(Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The store does not return it.
    Store(StoreError),
    /// It differs from the sealed artifact.
    Torn(String),
}

impl From<StoreError> for Flaw {
    fn from(error: StoreError) -> Self {
        Flaw::Store(error)
    }
}

/// Checks a listed artifact: its metadata in the store, and every byte.
pub async fn check(store: &dyn Store, artifact: &Artifact) -> Result<Known, Flaw> {
    let torn = |what: String| Err(Flaw::Torn(format!("{}: {what}", artifact.id)));
    let Some(known) = Known::of(artifact) else {
        return torn(format!("unknown media type {}", artifact.media_type));
    };
    if (artifact.size_bytes, artifact.line_count) != (known.bytes as u64, known.bytes as u64) {
        return torn(format!("{} bytes and {} lines", artifact.size_bytes, artifact.line_count));
    }
    let stat = store.stat(&artifact.id).await?;
    if stat != *artifact {
        return torn(format!("it is listed as {artifact:?} and known as {stat:?}"));
    }
    let content = read(store, &artifact.id).await?;
    let expected = known.content();
    if content != expected {
        let at = content.iter().zip(&expected).position(|(one, other)| one != other);
        return torn(format!("{} bytes, different from byte {at:?} on", content.len()));
    }
    Ok(known)
}

/// Checks all listed artifacts, and returns them with their known contents, in their order.
///
/// # Panics
///
/// If the store does not list them, or one is not whole.
pub async fn check_all(store: &dyn Store) -> Vec<(Artifact, Known)> {
    let mut checked = Vec::new();
    for artifact in store.list_artifacts().await.expect("the store lists its artifacts") {
        match check(store, &artifact).await {
            Ok(known) => checked.push((artifact, known)),
            Err(flaw) => panic!("{flaw:?}"),
        }
    }
    checked
}

/// Returns a word of the content (splitmix64).
fn mixed(seed: u64, index: u64) -> u64 {
    let mut word = (seed << 32).wrapping_add(index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
