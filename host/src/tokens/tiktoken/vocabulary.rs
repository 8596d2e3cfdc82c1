//! Vocabularies, read where the program is mapped: nothing is unpacked, and processes share them.

use super::format::{HEADER, NUMBER, WORD, hash};

/// A vocabulary: the bytes of tokens, and their order.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary {
    /// The number of tokens, which are the first in the table.
    count: u32,
    /// Each ends where the next begins.
    starts: &'static [[u8; WORD]],
    slots: &'static [[u8; WORD]],
    bytes: &'static [u8],
}

impl Vocabulary {
    /// Creates a vocabulary from the table that the build script wrote.
    pub(super) fn new(table: &'static [u8]) -> Vocabulary {
        let (words, _) = table.as_chunks::<WORD>();
        let count = u32::from_le_bytes(words[0]);
        let slots = HEADER + count as usize + 1;
        let bytes = slots + u32::from_le_bytes(words[1]) as usize;
        Vocabulary {
            count,
            starts: &words[HEADER..slots],
            slots: &words[slots..bytes],
            bytes: &table[bytes * WORD..],
        }
    }

    /// Returns a vocabulary of the first tokens of this one.
    pub(super) fn first(self, count: u32) -> Vocabulary {
        Vocabulary { count, ..self }
    }

    /// Returns the rank of a token in the vocabulary; `None` if it is not a token.
    pub(super) fn rank(&self, token: &[u8]) -> Option<u32> {
        let hash = hash(token);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = u32::from_le_bytes(self.slots[at]);
            if slot == 0 {
                return None;
            }
            let rank = (slot & NUMBER).wrapping_sub(1);
            if slot & !NUMBER == hash & !NUMBER && self.bytes_of(rank) == token {
                return (rank < self.count).then_some(rank);
            }
            at = (at + 1) & mask;
        }
    }

    /// Returns the token of a rank; `None` if no token has this rank.
    #[cfg(test)]
    pub(super) fn token(&self, rank: u32) -> Option<&'static [u8]> {
        (rank < self.count).then(|| self.bytes_of(rank))
    }

    fn bytes_of(&self, rank: u32) -> &'static [u8] {
        let start = |rank: u32| u32::from_le_bytes(self.starts[rank as usize]) as usize;
        &self.bytes[start(rank)..start(rank + 1)]
    }
}
