//! OpenAI's tokenizers, with the counts of tiktoken.
//!
//! tiktoken itself unpacks a vocabulary on the heap: a quarter of a second, and 45 MB in every process.
//! Here the build script writes tables that are read where the program is mapped.

mod format;
mod merge;
mod split;
mod vocabulary;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use async_trait::async_trait;
use regex_automata::hybrid::dfa::Cache;

use super::CountTokens;
use crate::fork::Step;
use merge::Merger;
use split::Splitter;
use vocabulary::Vocabulary;

/// OpenAI's tokenizers. Special tokens are counted as plain text.
///
/// The vocabulary is part of the program, and is read where it is mapped: the first count takes a few
/// milliseconds, and processes share the memory.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

    fn vocabulary(self) -> Vocabulary {
        const O200K: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.vocabulary"));
        const CL100K: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.vocabulary"));
        const P50K: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/p50k_base.vocabulary"));
        /// p50k_base is r50k_base and runs of spaces.
        const TOKENS_OF_R50K: u32 = 50_256;
        match self {
            Tiktoken::O200kBase => Vocabulary::new(O200K),
            Tiktoken::Cl100kBase => Vocabulary::new(CL100K),
            Tiktoken::P50kBase => Vocabulary::new(P50K),
            Tiktoken::R50kBase => Vocabulary::new(P50K).first(TOKENS_OF_R50K),
        }
    }

    fn splitter(self) -> &'static Splitter {
        static O200K: LazyLock<Splitter> = LazyLock::new(|| Splitter::new(split::O200K));
        static CL100K: LazyLock<Splitter> = LazyLock::new(|| Splitter::new(split::CL100K));
        static P50K: LazyLock<Splitter> = LazyLock::new(|| Splitter::new(split::P50K));
        let _step = Step::begin();
        match self {
            Tiktoken::O200kBase => &O200K,
            Tiktoken::Cl100kBase => &CL100K,
            Tiktoken::P50kBase | Tiktoken::R50kBase => &P50K,
        }
    }

    /// Counts the tokens of a piece of text.
    fn count_piece(self, piece: &str) -> u64 {
        let (splitter, vocabulary) = (self.splitter(), self.vocabulary());
        WORKSPACE.with_borrow_mut(|Workspace { merger, caches }| {
            let cache = caches.entry(self).or_insert_with(|| splitter.cache());
            let mut tokens = 0;
            splitter.split(cache, piece, |word| tokens += merger.tokens(&vocabulary, word));
            tokens
        })
    }
}

/// Buffers and caches of a count, kept for the next one.
#[derive(Default)]
struct Workspace {
    merger: Merger,
    /// The automata of the splitters, built on demand.
    caches: HashMap<Tiktoken, Cache>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
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
        let mut tokens = 0;
        for piece in pieces(text) {
            tokens += self.count_piece(piece);
            // A piece takes less than a millisecond. Yielding lets other tasks run, and lets a
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
    use proptest::prelude::*;

    /// Returns the number of tokens that tiktoken itself finds.
    fn expected(which: Tiktoken, text: &str) -> u64 {
        let tiktoken = match which {
            Tiktoken::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Tiktoken::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Tiktoken::P50kBase => tiktoken_rs::p50k_base_singleton(),
            Tiktoken::R50kBase => tiktoken_rs::r50k_base_singleton(),
        };
        tiktoken.count_ordinary(text) as u64
    }

    async fn check_exact(text: &str) {
        for which in Tiktoken::ALL {
            assert_eq!(which.count(text).await, Ok(expected(which, text)), "{which}");
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

    #[test]
    fn every_token_is_one_token() {
        for which in Tiktoken::ALL {
            let vocabulary = which.vocabulary();
            let ranks = (0..).map_while(|rank| vocabulary.token(rank));
            for (rank, token) in (0..).zip(ranks) {
                assert_eq!(vocabulary.rank(token), Some(rank), "{which}: {token:?}");
                assert_eq!(Merger::default().tokens(&vocabulary, token), 1, "{which}: {token:?}");
            }
        }
    }

    /// Texts in which words of all kinds, cases and scripts meet white space of all kinds.
    fn texts() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            4 => "[a-zA-Z]{1,12}",
            2 => "[ \t\n\r]{1,6}",
            2 => "[!-/:-@]{1,6}",
            1 => "[0-9]{1,7}",
            1 => "'(s|T|ll|VE|re|d|x)",
            1 => "\\PC{1,4}",
            1 => "[\u{a0}\u{2003}\u{3000}\u{85}\u{2028}\u{b}]{1,3}",
            1 => "[à-ÿА-яぁ-ん一-十ǅʰ\u{300}-\u{303}٠-٩½Ⅷ🦀👩\u{200d}]{1,6}",
            1 => any::<String>().prop_map(|text| text.chars().take(6).collect()),
        ];
        proptest::collection::vec(word, 0..40).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn counts_are_those_of_tiktoken(text in texts()) {
            for which in Tiktoken::ALL {
                prop_assert_eq!(which.count_piece(&text), expected(which, &text), "{}", which);
            }
        }
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
