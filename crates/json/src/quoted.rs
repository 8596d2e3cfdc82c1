//! Strings in their JSON notation, for comparison in blocks.

use tuckaway_search::lanes::{LANES, Lanes};

/// The longest kept text in bytes.
const MAX_BYTES: usize = 256;

/// Strings in one buffer. Each is whole blocks, padded with zeros.
#[derive(Clone, Debug, Default)]
pub struct QuotedStrings {
    bytes: Vec<u8>,
}

/// The text of one of [`QuotedStrings`], with its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted {
    /// Its start in the buffer.
    at: usize,
    /// Its length without padding; 0 if it is not kept.
    length: usize,
}

impl QuotedStrings {
    /// Puts the inside of a string in quotes. A long string is not kept, and never matches.
    pub fn add(&mut self, inside: &[u8]) -> Quoted {
        let at = self.bytes.len();
        if inside.len() > MAX_BYTES {
            return Quoted { at, length: 0 };
        }
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(inside);
        self.bytes.push(b'"');
        let length = self.bytes.len() - at;
        self.bytes.resize(at + length.next_multiple_of(LANES), 0);
        Quoted { at, length }
    }

    /// Returns the length with quotes of a string if the bytes start with it. May return none if
    /// less than a block follows it.
    #[inline(always)]
    pub fn prefix_len(&self, quoted: Quoted, bytes: &[u8]) -> Option<usize> {
        let Quoted { at, length } = quoted;
        let blocks = self.bytes.get(at..at + length.next_multiple_of(LANES))?;
        let (last, whole) = blocks.as_chunks().0.split_last()?;
        let mut rest = bytes;
        for block in whole {
            let (chunk, after) = rest.split_first_chunk()?;
            if same(block, chunk) != u16::MAX {
                return None;
            }
            rest = after;
        }
        // The lowest bits belong to bytes that are not padding.
        let text = 2 << ((length - 1) % LANES);
        let same = u32::from(same(last, rest.first_chunk()?));
        (!same & (text - 1) == 0).then_some(length)
    }
}

/// Sets a bit for each equal byte.
#[inline(always)]
fn same(a: &[u8; LANES], b: &[u8; LANES]) -> u16 {
    Lanes::load(a).equal(Lanes::load(b)).bits()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn only_the_same_string_is_a_prefix(text in "[a-c\u{FFFD}]{0,40}", other in "[a-c\"\0]{0,40}", rest in "[a-c\0]{16,40}") {
            let mut strings = QuotedStrings::default();
            strings.add(b"another");
            let quoted = strings.add(text.as_bytes());
            strings.add(b"and another");
            let itself = format!("\"{text}\"{rest}");
            prop_assert_eq!(strings.prefix_len(quoted, itself.as_bytes()), Some(text.len() + 2));
            let other = format!("\"{text}{other}\"{rest}");
            let begins = other.starts_with(&format!("\"{text}\""));
            prop_assert_eq!(strings.prefix_len(quoted, other.as_bytes()).is_some(), begins);
        }
    }
}
