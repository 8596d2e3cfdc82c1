//! Token counters.

#[cfg(feature = "tiktoken")]
mod tiktoken;

#[cfg(feature = "tiktoken")]
pub use tiktoken::{PIECE_BYTES, Tiktoken};

use async_trait::async_trait;

/// Token counts of the model that the host serves. An error is not the end: the
/// component then goes by bytes, and the decision says so.
#[async_trait]
pub trait CountTokens: Send + Sync {
    /// Tokens of one text on its own.
    async fn count(&self, text: &str) -> Result<u64, String>;
}

/// About as many tokens as o200k_base makes of a text, without a vocabulary: of
/// ASCII a quarter of its bytes, rounded up; beyond it three eighths a character
/// up to U+1FFF, three quarters from U+2000 on, and two beyond U+FFFF.
///
/// Free, and within a third for prose and code of most scripts; too low by a third
/// for JSON and logs. The npm package's `estimate` counts the same, and has the
/// table of what was measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

#[async_trait]
impl CountTokens for Estimate {
    async fn count(&self, text: &str) -> Result<u64, String> {
        let eighths = |c: char| match c {
            '\0'..='\x7F' => 2,
            '\u{80}'..='\u{1FFF}' => 3,
            '\u{2000}'..='\u{FFFF}' => 6,
            _ => 16,
        };
        Ok(text.chars().map(eighths).sum::<u64>().div_ceil(8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_estimate_is_rounded_up() {
        assert_eq!(Estimate.count("").await, Ok(0));
        assert_eq!(Estimate.count("12345").await, Ok(2));
        assert_eq!(Estimate.count("Zürich").await, Ok(2));
        assert_eq!(Estimate.count("漢字漢字").await, Ok(3));
        assert_eq!(Estimate.count("🦀🦀").await, Ok(4));
    }
}
