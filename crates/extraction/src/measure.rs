//! The size of a document in tokens, and the tokens of texts.

use serde::{Deserialize, Serialize};
use tuckaway_text::tokens;

use crate::host::{Failed, Host};

/// The maximum bytes of a document whose tokens are counted completely.
const WHOLE_BYTES: u64 = 256 << 10;
/// The number of samples counted in a larger document.
const SAMPLES: u64 = 8;
/// The bytes of each sample.
const SAMPLE_BYTES: u64 = 16 << 10;
/// The maximum plausible bytes of a token: with a counter that reports fewer tokens, a chunk of
/// any size would fit.
const MAX_TOKEN_BYTES: u64 = 64;

/// The size of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The bytes of the text.
    pub bytes: u64,
    /// The number of lines.
    pub lines: u64,
    /// The number of tokens; estimated from samples if the document is large.
    pub tokens: u64,
}

impl Size {
    /// Measures a document.
    pub fn of(host: &dyn Host) -> Result<Size, Failed> {
        let bytes = host.size();
        let mut size = Size { bytes, lines: host.line_count(), tokens: 0 };
        if bytes <= WHOLE_BYTES {
            size.tokens = count(host, &text(host, 0, bytes)?);
            return Ok(size);
        }
        let mut counted = 0;
        for index in 0..SAMPLES {
            let start = (bytes - SAMPLE_BYTES) / (SAMPLES - 1) * index;
            counted += count(host, &text(host, start, start + SAMPLE_BYTES)?);
        }
        let sampled = u128::from(SAMPLES * SAMPLE_BYTES);
        size.tokens = (u128::from(counted) * u128::from(bytes)).div_ceil(sampled) as u64;
        Ok(size)
    }

    /// Returns the mean length of a line in bytes.
    pub fn mean_line_bytes(&self) -> u64 {
        self.bytes / self.lines.max(1)
    }

    /// Returns the number of bytes that contain about `tokens` tokens, rounded down.
    pub fn bytes_of(&self, tokens: u64) -> u64 {
        if self.bytes == 0 {
            // An empty document says nothing about its density: a token has at least one byte.
            return tokens;
        }
        (u128::from(tokens) * u128::from(self.bytes) / u128::from(self.tokens.max(1)))
            .min(u128::from(u64::MAX)) as u64
    }
}

/// Counts the tokens of a text; estimates them if the host fails or its count is implausible: a
/// token has at least one byte.
pub fn count(host: &dyn Host, text: &str) -> u64 {
    let bytes = text.len() as u64;
    let is_possible = |count: &u64| (bytes / MAX_TOKEN_BYTES..=bytes).contains(count);
    host.count(text).filter(is_possible).unwrap_or_else(|| tokens::estimate(text)).max(u64::from(bytes > 0))
}

/// Reads a part of the document as text; invalid UTF-8 is U+FFFD.
pub fn text(host: &dyn Host, start: u64, end: u64) -> Result<String, Failed> {
    Ok(tuckaway_text::lossy(&bytes(host, start, end)?).into_owned())
}

/// Reads a part of the document.
pub fn bytes(host: &dyn Host, start: u64, end: u64) -> Result<Vec<u8>, Failed> {
    /// Bytes of one call of the host.
    const PART: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let mut at = start;
    while at < end {
        let part = host.read_at(at, (end - at).min(PART) as usize)?;
        if part.is_empty() {
            break;
        }
        at += part.len() as u64;
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}
