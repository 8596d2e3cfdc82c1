//! Byte-pair encoding: a word is as many tokens as are left when no two neighbours can be merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::Vocabulary;

/// Merges the bytes of words. Its memory is used again for the next word.
#[derive(Default)]
pub(super) struct Merger {
    /// The parts of a word by the offset of their first byte.
    parts: Vec<Part>,
    /// The ranks of possible merges, and the offsets of their left parts. Some are out of date.
    merges: BinaryHeap<Reverse<(u32, u32)>>,
}

/// A part of a word, which is a token.
#[derive(Clone, Copy)]
struct Part {
    /// Offsets of the previous and the next part; the start or the end of the word if there is no such
    /// part.
    before: u32,
    next: u32,
    /// Rank of the token that this part and the next form; [`NO_TOKEN`] if they form no token.
    merged: u32,
}

const NO_TOKEN: u32 = u32::MAX;

impl Merger {
    /// Returns the number of a word's tokens.
    pub(super) fn tokens(&mut self, vocabulary: &Vocabulary, word: &[u8]) -> u64 {
        if vocabulary.rank(word).is_some() {
            return 1;
        }
        let length = word.len() as u32;
        self.parts.clear();
        self.merges.clear();
        self.parts.extend((0..length).map(|at| Part {
            before: at.saturating_sub(1),
            next: at + 1,
            merged: NO_TOKEN,
        }));
        (0..length).for_each(|at| self.find_merge(vocabulary, word, at));
        let mut tokens = u64::from(length);
        while let Some(Reverse((rank, at))) = self.merges.pop() {
            let Part { before, next, merged } = self.parts[at as usize];
            if merged != rank {
                continue;
            }
            tokens -= 1;
            let after = self.parts[next as usize].next;
            self.parts[next as usize].merged = NO_TOKEN;
            self.parts[at as usize].next = after;
            if let Some(part) = self.parts.get_mut(after as usize) {
                part.before = at;
            }
            self.find_merge(vocabulary, word, at);
            if at > 0 {
                self.find_merge(vocabulary, word, before);
            }
        }
        tokens
    }

    /// Finds whether the part at an offset and the next one are a token together.
    fn find_merge(&mut self, vocabulary: &Vocabulary, word: &[u8], at: u32) {
        let next = self.parts[at as usize].next;
        let end = self.parts.get(next as usize).map(|part| part.next);
        let rank = end.and_then(|end| vocabulary.rank(&word[at as usize..end as usize]));
        self.parts[at as usize].merged = rank.unwrap_or(NO_TOKEN);
        if let Some(rank) = rank {
            self.merges.push(Reverse((rank, at)));
        }
    }
}
