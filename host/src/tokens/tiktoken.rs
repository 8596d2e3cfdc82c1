//! OpenAI's tokenizers.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use tiktoken_rs::CoreBPE;

use super::CountTokens;
use crate::fork::Step;

/// OpenAI's tokenizers. Special tokens are counted as plain text.
///
/// The vocabulary is unpacked at the first count, which takes a few tenths of a second. It
/// is shared by the whole process.
///
/// Text is tokenized in pieces of at most [`PIECE_BYTES`], cut where the tokenizer
/// itself would cut. Longer text without such a boundary, such as base64 on one line,
/// is cut anywhere, which may add a few tokens for each piece. In return, a count takes
/// time linear in the text.
///
/// ```
/// # #[tokio::main] async fn main() {
/// use tuckaway_host::{CountTokens, Tiktoken};
///
/// let o200k: Tiktoken = "o200k_base".parse().unwrap();
/// assert_eq!(o200k.count("hello world").await, Ok(2));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tiktoken {
    /// `o200k_base`: GPT-4o, GPT-5 and the o-series.
    #[default]
    O200kBase,
    /// `cl100k_base`: GPT-4, GPT-3.5.
    Cl100kBase,
    /// `p50k_base`: Codex.
    P50kBase,
    /// `r50k_base`: GPT-3, GPT-2.
    R50kBase,
}

impl Tiktoken {
    /// All tokenizers, the default first.
    pub const ALL: [Tiktoken; 4] =
        [Tiktoken::O200kBase, Tiktoken::Cl100kBase, Tiktoken::P50kBase, Tiktoken::R50kBase];

    /// Returns the name that tiktoken uses.
    pub fn name(self) -> &'static str {
        match self {
            Tiktoken::O200kBase => "o200k_base",
            Tiktoken::Cl100kBase => "cl100k_base",
            Tiktoken::P50kBase => "p50k_base",
            Tiktoken::R50kBase => "r50k_base",
        }
    }

    fn vocabulary(self) -> &'static CoreBPE {
        match self {
            Tiktoken::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Tiktoken::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Tiktoken::P50kBase => tiktoken_rs::p50k_base_singleton(),
            Tiktoken::R50kBase => tiktoken_rs::r50k_base_singleton(),
        }
    }
}

impl fmt::Display for Tiktoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tiktoken {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Tiktoken::ALL.into_iter().find(|each| each.name() == name).ok_or_else(|| {
            let names = Tiktoken::ALL.map(Tiktoken::name).join(", ");
            format!("there is no tokenizer {name:?}; use one of {names}")
        })
    }
}

#[async_trait]
impl CountTokens for Tiktoken {
    async fn count(&self, text: &str) -> Result<u64, String> {
        let which = *self;
        let unpack = move || {
            let _step = Step::begin();
            which.vocabulary()
        };
        let vocabulary = tokio::task::spawn_blocking(unpack)
            .await
            .map_err(|_| format!("the vocabulary of {which} could not be unpacked"))?;
        let mut tokens = 0;
        for piece in pieces(text) {
            tokens += vocabulary.count_ordinary(piece) as u64;
            // A piece takes about a millisecond. Yielding lets other tasks run, and lets a
            // deadline stop the count.
            tokio::task::yield_now().await;
        }
        Ok(tokens)
    }
}

/// The maximum size of a text that is passed to the tokenizer at once.
pub const PIECE_BYTES: usize = 8 << 10;

/// Splits a text into pieces of at most [`PIECE_BYTES`].
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let (piece, rest) = text.split_at(cut(text));
        text = rest;
        Some(piece)
    })
}

/// Returns where the first piece of a text ends.
fn cut(text: &str) -> usize {
    if text.len() <= PIECE_BYTES {
        return text.len();
    }
    let bytes = text.as_bytes();
    // No token continues from a non-space character across a space, so the tokens are the
    // same if a single space between two words begins a piece. (This does not hold for
    // line feeds: `},\n` is one token.)
    let between_words = |&at: &usize| {
        bytes[at] == b' '
            && !bytes[at - 1].is_ascii_whitespace()
            && is_plain(bytes[at - 1])
            && is_plain(bytes[at + 1])
    };
    (PIECE_BYTES / 2..PIECE_BYTES).rev().find(between_words).unwrap_or_else(|| {
        (1..=PIECE_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
    })
}

/// Returns whether a byte is visible ASCII: other bytes may be part of white space.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check_exact(text: &str) {
        for which in [Tiktoken::O200kBase, Tiktoken::Cl100kBase] {
            let whole = which.vocabulary().count_ordinary(text) as u64;
            assert_eq!(which.count(text).await, Ok(whole), "{which}");
        }
    }

    #[tokio::test]
    async fn pieces_have_the_same_tokens_as_the_whole_text() {
        check_exact("").await;
        check_exact(&"The quick brown fox, it's said, jumped 12345 times!\n".repeat(2000)).await;
        let json: String =
            (0..4000).map(|n| format!("{{\"id\": {n}, \"name\": \"n {n}\", \"ok\":  true }},\n")).collect();
        check_exact(&json).await;
        check_exact(&"fn main() {\n    let x = [1, 2, 3];\n}\n\n\t// done\n".repeat(1500)).await;
    }

    #[tokio::test]
    async fn special_tokens_are_text() {
        assert!(Tiktoken::O200kBase.count("<|endoftext|>").await.unwrap() > 1);
    }

    #[tokio::test]
    async fn long_runs_are_counted_in_linear_time() {
        let started = std::time::Instant::now();
        for run in ["a", " ", "\n", "\t", "A", "=", "é", "漢", "🦀", "e\u{301}"] {
            let text = run.repeat((1 << 20) / run.len());
            let tokens = Tiktoken::O200kBase.count(&text).await.unwrap();
            assert!((1..=text.len() as u64).contains(&tokens), "{run:?}");
        }
        assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
    }

    #[test]
    fn the_error_for_an_unknown_tokenizer_lists_the_known_ones() {
        assert_eq!(
            "gpt".parse::<Tiktoken>().unwrap_err(),
            "there is no tokenizer \"gpt\"; use one of o200k_base, cl100k_base, p50k_base, r50k_base"
        );
    }
}
