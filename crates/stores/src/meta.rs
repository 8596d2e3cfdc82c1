//! The metadata of an artifact, as stores write it.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{Artifact, Expiry, StoreError};

/// The metadata of an artifact as JSON. Unlike [`Artifact`], it ignores unknown keys, so that
/// later versions can add keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meta {
    id: String,
    tool: String,
    media_type: String,
    size_bytes: u64,
    line_count: u64,
    created_at: u64,
    /// When the artifact expired, in Unix seconds, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expired_at: Option<u64>,
}

impl Meta {
    /// Creates the metadata of an artifact, which may have expired.
    pub(crate) fn new(artifact: &Artifact, expired_at: Option<u64>) -> Self {
        let artifact = artifact.clone();
        Meta {
            id: artifact.id,
            tool: artifact.tool,
            media_type: artifact.media_type,
            size_bytes: artifact.size_bytes,
            line_count: artifact.line_count,
            created_at: artifact.created_at,
            expired_at,
        }
    }

    /// Returns the artifact if its id is this one.
    pub(crate) fn of(self, id: &str) -> Result<Described, StoreError> {
        if self.id != id {
            return Err(StoreError::NotFound);
        }
        let expiry = self.expired_at.map(|expired_at| Expiry { tool: self.tool.clone(), expired_at });
        let artifact = Artifact {
            id: self.id,
            tool: self.tool,
            media_type: self.media_type,
            size_bytes: self.size_bytes,
            line_count: self.line_count,
            created_at: self.created_at,
        };
        Ok(Described { artifact, expiry })
    }
}

/// An artifact, as its metadata describes it.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    pub(crate) artifact: Artifact,
    /// The expiry, if the artifact has expired.
    pub(crate) expiry: Option<Expiry>,
}

/// Returns an object as a line of JSON.
pub(crate) fn to_json(meta: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec(meta).expect("strings and numbers are JSON");
    json.push(b'\n');
    json
}

/// Parses metadata, which anybody may have changed.
pub(crate) fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, StoreError> {
    serde_json::from_slice(json)
        .map_err(|error| StoreError::Other(format!("its metadata is damaged: {error}")))
}
