//! The metadata of an artifact in a bucket.

use serde::{Deserialize, Serialize};
use tuckaway::{Artifact, Expiry, StoreError};

use crate::store::meta::{self, Described, Meta};

/// The bytes of each segment but the last that this store writes.
pub(super) const SEGMENT_BYTES: u64 = 8 << 20;

/// The most bytes of a segment that another writer may have chosen.
const MAX_SEGMENT_BYTES: u64 = 1 << 30;

/// The most bytes of metadata, which is one small object.
const MAX_META_BYTES: usize = 1 << 20;

/// The content of `meta/<id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(flatten)]
    meta: Meta,
    segment_bytes: u64,
    sealed_at_us: u64,
    /// Random, so that a writer recognises what it has sealed.
    pub(super) seal: String,
}

/// An artifact that is sealed, as its metadata describes it.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    pub(super) artifact: Artifact,
    /// What is said of it if it has expired.
    pub(super) expiry: Option<Expiry>,
    pub(super) segment_bytes: u64,
    /// Orders artifacts within a second.
    pub(super) sealed_at_us: u64,
    seal: String,
}

impl Record {
    pub(super) fn new(artifact: &Artifact, sealed_at_us: u64, seal: String) -> Self {
        Record { meta: Meta::new(artifact, None), segment_bytes: SEGMENT_BYTES, sealed_at_us, seal }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        meta::to_json(self)
    }

    /// Parses metadata, which anybody may have changed.
    pub(super) fn parse(json: &[u8]) -> Result<Self, StoreError> {
        if json.len() > MAX_META_BYTES {
            return Err(StoreError::Other(format!("its metadata is damaged: it has {} bytes", json.len())));
        }
        let record: Record = meta::parse(json)?;
        match record.segment_bytes {
            1..=MAX_SEGMENT_BYTES => Ok(record),
            bytes => Err(StoreError::Other(format!("its metadata is damaged: segments of {bytes} bytes"))),
        }
    }

    /// Returns the artifact with this id: metadata of another one is damaged.
    pub(super) fn of(self, id: &str) -> Result<Sealed, StoreError> {
        let Described { artifact, expiry } = self
            .meta
            .of(id)
            .map_err(|_| StoreError::Other("its metadata is damaged: it has another id".to_owned()))?;
        let Record { segment_bytes, sealed_at_us, seal, .. } = self;
        Ok(Sealed { artifact, expiry, segment_bytes, sealed_at_us, seal })
    }
}

impl Sealed {
    /// Returns the metadata of what is left once it has expired.
    pub(super) fn expired(&self, expired_at: u64) -> Record {
        Record {
            meta: Meta::new(&self.artifact, Some(expired_at)),
            segment_bytes: self.segment_bytes,
            sealed_at_us: self.sealed_at_us,
            seal: self.seal.clone(),
        }
    }
}
