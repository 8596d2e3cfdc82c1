//! The metadata of an artifact whose content is in segments, each under a key of its own.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{Artifact, Expiry, StoreError};

use crate::id::random_bytes;
use crate::meta::{self, Described, Meta};

/// The maximum size of segments that a writer may choose.
const MAX_SEGMENT_BYTES: u64 = 1 << 30;

/// The maximum size of metadata, which is one small object.
const MAX_META_BYTES: usize = 1 << 20;

/// The content of the key `meta/<id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    #[serde(flatten)]
    meta: Meta,
    segment_bytes: u64,
    sealed_at_us: u64,
    /// Random, so that a writer recognises the artifact that it has sealed.
    pub seal: String,
}

/// A sealed artifact, as its metadata describes it.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The artifact.
    pub artifact: Artifact,
    /// The expiry, if the artifact has expired.
    pub expiry: Option<Expiry>,
    /// The size of each segment but the last.
    pub segment_bytes: u64,
    /// Orders artifacts within a second.
    pub sealed_at_us: u64,
    seal: String,
}

impl Record {
    /// Creates the metadata of an artifact with segments of this size.
    pub fn new(artifact: &Artifact, segment_bytes: u64, sealed_at_us: u64, seal: String) -> Self {
        Record { meta: Meta::new(artifact, None), segment_bytes, sealed_at_us, seal }
    }

    /// Returns the metadata as a line of JSON.
    pub fn to_json(&self) -> Vec<u8> {
        meta::to_json(self)
    }

    /// Parses metadata, which anybody may have changed.
    pub fn parse(json: &[u8]) -> Result<Self, StoreError> {
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
    pub fn of(self, id: &str) -> Result<Sealed, StoreError> {
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
    pub fn expired(&self, expired_at: u64) -> Record {
        Record {
            meta: Meta::new(&self.artifact, Some(expired_at)),
            segment_bytes: self.segment_bytes,
            sealed_at_us: self.sealed_at_us,
            seal: self.seal.clone(),
        }
    }
}

/// Returns 128 random bits in hexadecimal digits, for [`Record::seal`].
pub fn random_seal() -> Result<String, StoreError> {
    Ok(format!("{:032x}", u128::from_be_bytes(random_bytes()?)))
}
