//! Parses the script of a world in a case file.

use std::collections::HashMap;

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::Value;
use tuckaway::{Artifact, Expiry, StoreError};

use super::EPOCH;
use crate::content;

/// How a store and a token counter misbehave.
#[derive(Default)]
pub struct Script {
    /// The failures by method: `create`, `append`, `seal`, `stat`, `read`, `list`,
    /// `delete`.
    pub failures: HashMap<String, Failure>,
    /// Answers that break the contract.
    pub lies: Lies,
    /// How tokens are counted.
    pub tokens: Tokens,
}

/// A method that fails.
pub struct Failure {
    /// The error.
    pub error: StoreError,
    /// The number of the call that fails, from 1; if `None`, all calls fail.
    pub at: Option<u64>,
}

/// Answers that break the contract.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lies {
    /// The id of every new artifact.
    pub minted: Option<String>,
    /// The size that is reported for sealed artifacts.
    pub sealed_size: Option<u64>,
    /// The id that is reported for sealed artifacts.
    pub sealed_id: Option<String>,
    /// The id that `stat` reports for every artifact.
    pub stat_id: Option<String>,
    /// The misbehaviour of reads.
    pub read: Option<ReadLie>,
}

/// The misbehaviour of reads.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadLie {
    /// One byte at a time.
    OneByte,
    /// Nothing.
    Empty,
    /// More than requested.
    TooLong,
    /// The right number of bytes, but all question marks.
    Wrong,
}

/// How tokens are counted.
#[derive(Default)]
pub enum Tokens {
    /// One token for each four bytes, rounded up.
    #[default]
    Bytes4,
    /// One token for each word between white space.
    Words,
    /// Always this many.
    Constant(u64),
    /// One token more than the text has bytes.
    TooMany,
    /// Counting fails with this message.
    Failing(String),
    /// Estimated without a vocabulary.
    Estimate,
}

impl Tokens {
    /// Counts a text's tokens.
    pub fn count(&self, text: &str) -> Result<u64, String> {
        match self {
            Tokens::Bytes4 => Ok(text.len().div_ceil(4) as u64),
            Tokens::Words => Ok(text.split_ascii_whitespace().count() as u64),
            Tokens::Constant(count) => Ok(*count),
            Tokens::TooMany => Ok(text.len() as u64 + 1),
            Tokens::Failing(why) => Err(why.clone()),
            Tokens::Estimate => Ok(tuckaway_text::tokens::estimate(text)),
        }
    }
}

/// An artifact that is in the store from the start.
pub struct InitialArtifact {
    /// Its metadata.
    pub artifact: Artifact,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The facts that are still known about it, if it has expired.
    pub expired: Option<Option<Expiry>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawStore {
    artifacts: Vec<RawArtifact>,
    fail: HashMap<String, RawFailure>,
    lies: Lies,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArtifact {
    id: String,
    content: Value,
    #[serde(default = "some_tool")]
    tool: String,
    #[serde(default = "some_media_type")]
    media_type: String,
    /// By default, the number of lines of the content.
    size_bytes: Option<Value>,
    line_count: Option<u64>,
    created_at: Option<u64>,
    /// `true`, or the second at which it expired.
    #[serde(default)]
    expired: Value,
}

fn some_tool() -> String {
    "tool".to_owned()
}

fn some_media_type() -> String {
    "text/plain".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFailure {
    error: String,
    at: Option<u64>,
}

impl Script {
    /// Returns the script, and the artifacts that are in the store from the start.
    pub fn parse(store: &Value, tokens: &Value) -> Result<(Script, Vec<InitialArtifact>)> {
        let raw: RawStore = match store {
            Value::Null => RawStore::default(),
            _ => serde_json::from_value(store.clone())?,
        };
        let present = raw.artifacts.into_iter().map(initial_artifact).collect::<Result<Vec<_>>>()?;
        let failures = raw.fail.into_iter().map(|(method, raw)| {
            let error = match raw.error.as_str() {
                "not_found" => StoreError::NotFound,
                "expired" => StoreError::Expired(None),
                "quota_exceeded" => StoreError::QuotaExceeded,
                why => StoreError::Other(why.to_owned()),
            };
            (method, Failure { error, at: raw.at })
        });
        let tokens = match tokens {
            Value::Null => Tokens::default(),
            Value::Number(count) => Tokens::Constant(count.as_u64().unwrap_or(0)),
            Value::String(name) => match name.as_str() {
                "bytes/4" => Tokens::Bytes4,
                "words" => Tokens::Words,
                "too_many" => Tokens::TooMany,
                _ => bail!("unknown token counter {name:?}"),
            },
            Value::Object(members) if members.contains_key("fails") => {
                Tokens::Failing(members["fails"].as_str().unwrap_or_default().to_owned())
            }
            _ => bail!("{tokens} is not a token counter"),
        };
        Ok((Script { failures: failures.collect(), lies: raw.lies, tokens }, present))
    }
}

fn initial_artifact(raw: RawArtifact) -> Result<InitialArtifact> {
    let bytes = content::bytes(&raw.content)?;
    let feeds = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    let lines = feeds + u64::from(bytes.last().is_some_and(|last| *last != b'\n'));
    let size_bytes = match &raw.size_bytes {
        None => bytes.len() as u64,
        Some(Value::String(digits)) => digits.parse()?,
        Some(number) => number.as_u64().unwrap_or(0),
    };
    let artifact = Artifact {
        id: raw.id,
        tool: raw.tool,
        media_type: raw.media_type,
        size_bytes,
        line_count: raw.line_count.unwrap_or(lines),
        created_at: raw.created_at.unwrap_or(EPOCH),
    };
    let expired = match raw.expired {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(None),
        Value::Number(at) => {
            let expired_at = at.as_u64().unwrap_or_default();
            Some(Some(Expiry { tool: artifact.tool.clone(), expired_at }))
        }
        other => bail!("`expired` is true or a number of seconds, not {other}"),
    };
    Ok(InitialArtifact { artifact, bytes, expired })
}
