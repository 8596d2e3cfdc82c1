//! Splits a text into the words that a tokenizer encodes each on its own.

use regex_automata::hybrid::dfa::{Builder, Cache, DFA};
use regex_automata::nfa::thompson::{Config, WhichCaptures};
use regex_automata::{Anchored, Input};

/// Words of o200k_base: letters with one leading character, up to three digits, punctuation, line
/// ends. [`SPACE`] follows in all of these patterns.
pub(super) const O200K: &str = r"(?x)
    [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]* [\p{Ll}\p{Lm}\p{Lo}\p{M}]+ (?i:'s|'t|'re|'ve|'m|'ll|'d)?
  | [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ [\p{Ll}\p{Lm}\p{Lo}\p{M}]* (?i:'s|'t|'re|'ve|'m|'ll|'d)?
  | \p{N}{1,3}
  | \x20? [^\s\p{L}\p{N}]+ [\r\n/]*
  | \s* [\r\n]+";

/// Words of cl100k_base.
pub(super) const CL100K: &str = r"(?x)
    ' (?i:[sdmt]|ll|ve|re)
  | [^\r\n\p{L}\p{N}]? \p{L}+
  | \p{N}{1,3}
  | \x20? [^\s\p{L}\p{N}]+ [\r\n]*
  | \s+ $
  | \s* [\r\n]";

/// Words of p50k_base and r50k_base.
pub(super) const P50K: &str = r"(?x)
    ' (?:[sdmt]|ll|ve|re)
  | \x20? \p{L}+
  | \x20? \p{N}+
  | \x20? [^\s\p{L}\p{N}]+";

/// White space outside other words. Its last character belongs to the next word: the tokenizers
/// have `\s+(?!\S)`, which an automaton cannot look for.
const SPACE: &str = r"\s+";

/// Finds the words of one tokenizer.
pub(super) struct Splitter(DFA);

impl Splitter {
    /// Creates a splitter, which takes two milliseconds: the automaton is built while it is used.
    pub(super) fn new(words: &str) -> Splitter {
        let config = Config::new().which_captures(WhichCaptures::None);
        let dfa = Builder::new().thompson(config).build_many(&[words, SPACE]);
        Splitter(dfa.expect("the patterns are valid and have no word boundaries"))
    }

    pub(super) fn cache(&self) -> Cache {
        self.0.create_cache()
    }

    /// Calls `on_word` with the words of a text, one after the other.
    pub(super) fn split(&self, cache: &mut Cache, mut text: &str, mut on_word: impl FnMut(&[u8])) {
        while !text.is_empty() {
            let input = Input::new(text).anchored(Anchored::Yes);
            // Every character begins a word. The search cannot fail: nothing makes it give up.
            let found = self.0.try_search_fwd(cache, &input).ok().flatten();
            let (mut end, is_space) =
                found.map_or((text.len(), false), |m| (m.offset(), m.pattern().as_usize() == 1));
            if is_space && end < text.len() {
                end = text[..end]
                    .char_indices()
                    .next_back()
                    .map_or(end, |(last, _)| if last > 0 { last } else { end });
            }
            let (word, rest) = text.split_at(end);
            on_word(word.as_bytes());
            text = rest;
        }
    }
}
