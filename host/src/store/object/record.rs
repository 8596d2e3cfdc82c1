//! The metadata of an artifact in a bucket.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{Artifact, Expiry, StoreError};

use crate::store::meta::{self, Described, Meta};

/// The size of each segment that this store writes, except the last one of an artifact.
pub(super) const SEGMENT_BYTES: u64 = 8 << 20;

/// The maximum size of segments that another writer may have chosen.
const MAX_SEGMENT_BYTES: u64 = 1 << 30;

/// The maximum size of metadata, which is one small object.
const MAX_META_BYTES: usize = 1 << 20;

/// The content of `meta/<id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(flatten)]
    meta: Meta,
    segment_bytes: u64,
    sealed_at_us: u64,
    /// Random, so that a writer recognises the artifact that it has sealed.
    pub(super) seal: String,
}

/// A sealed artifact, as its metadata describes it.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    pub(super) artifact: Artifact,
    /// The expiry, if the artifact has expired.
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

    /// Returns the artifact, whose id must be this one: otherwise the metadata is damaged.
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
    /// Returns the metadata that remains once the artifact has expired.
    pub(super) fn expired(&self, expired_at: u64) -> Record {
        Record {
            meta: Meta::new(&self.artifact, Some(expired_at)),
            segment_bytes: self.segment_bytes,
            sealed_at_us: self.sealed_at_us,
            seal: self.seal.clone(),
        }
    }
}
