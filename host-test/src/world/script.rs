//! The script of a world, as case files write it.

use std::collections::HashMap;

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::Value;
use tuckaway::{Artifact, StoreError};

use super::EPOCH;
use crate::content;

/// What a store and a token counter do otherwise than well.
#[derive(Default)]
pub struct Script {
    /// By the method that fails: `create`, `append`, `seal`, `stat`, `read`,
    /// `list`, `delete`.
    pub failures: HashMap<String, Failure>,
    /// Answers that break the contract.
    pub lies: Lies,
    /// How tokens are counted.
    pub tokens: Tokens,
}

/// A method that fails.
pub struct Failure {
    /// How.
    pub error: StoreError,
    /// The only time at which it does, from 1; always if none.
    pub at: Option<u64>,
}

/// Answers that break the contract.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lies {
    /// Every new artifact gets this id.
    pub minted: Option<String>,
    /// Sealed artifacts are said to have this size.
    pub sealed_size: Option<u64>,
    /// Sealed artifacts are said to have this id.
    pub sealed_id: Option<String>,
    /// Whatever is looked up is said to have this id.
    pub stat_id: Option<String>,
    /// What reads give.
    pub read: Option<ReadLie>,
}

/// What reads give.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadLie {
    /// One byte at a time.
    OneByte,
    /// Nothing.
    Empty,
    /// More than was asked for.
    TooLong,
    /// As many bytes as there are, but question marks.
    Wrong,
}

/// How tokens are counted.
#[derive(Default)]
pub enum Tokens {
    /// Four bytes each, rounded up.
    #[default]
    Bytes4,
    /// What white space separates.
    Words,
    /// Always this many.
    Constant(u64),
    /// One more than the text has bytes.
    TooMany,
    /// Not at all.
    Failing(String),
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
        }
    }
}

/// An artifact that is there from the start.
pub struct Present {
    pub artifact: Artifact,
    pub bytes: Vec<u8>,
    pub expired: bool,
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
    /// Otherwise the content's own.
    size_bytes: Option<Value>,
    line_count: Option<u64>,
    created_at: Option<u64>,
    #[serde(default)]
    expired: bool,
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
    /// The script, and the artifacts that are there from the start.
    pub fn parse(store: &Value, tokens: &Value) -> Result<(Script, Vec<Present>)> {
        let raw: RawStore = match store {
            Value::Null => RawStore::default(),
            _ => serde_json::from_value(store.clone())?,
        };
        let present = raw.artifacts.into_iter().map(present).collect::<Result<Vec<_>>>()?;
        let failures = raw.fail.into_iter().map(|(method, raw)| {
            let error = match raw.error.as_str() {
                "not_found" => StoreError::NotFound,
                "expired" => StoreError::Expired,
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
                _ => bail!("there is no token counter {name:?}"),
            },
            Value::Object(members) if members.contains_key("fails") => {
                Tokens::Failing(members["fails"].as_str().unwrap_or_default().to_owned())
            }
            _ => bail!("{tokens} is no token counter"),
        };
        Ok((Script { failures: failures.collect(), lies: raw.lies, tokens }, present))
    }
}

fn present(raw: RawArtifact) -> Result<Present> {
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
    Ok(Present { artifact, bytes, expired: raw.expired })
}
