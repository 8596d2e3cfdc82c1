//! A string in its JSON notation, for comparison in blocks.

use tuckaway_search::lanes::{LANES, Lanes};

/// The longest text that is kept.
const MAX_BYTES: usize = 256;

/// The text of a string with its quotes.
#[derive(Clone, Debug)]
pub struct Quoted {
    /// Whole blocks, padded with zeros.
    bytes: Box<[u8]>,
    /// The length without padding.
    length: usize,
}

impl Quoted {
    /// Puts the inside of a string in quotes. A long one is not kept: then no text starts
    /// with it.
    pub fn new(inside: &[u8]) -> Self {
        if inside.len() > MAX_BYTES {
            return Quoted { bytes: Box::default(), length: 0 };
        }
        let length = inside.len() + 2;
        let mut bytes = vec![0; length.next_multiple_of(LANES)];
        bytes[0] = b'"';
        bytes[1..length - 1].copy_from_slice(inside);
        bytes[length - 1] = b'"';
        Quoted { bytes: bytes.into_boxed_slice(), length }
    }

    /// Returns the length with quotes if the bytes start with it. May return none if less
    /// than a block follows.
    #[inline(always)]
    pub fn prefix_len(&self, bytes: &[u8]) -> Option<usize> {
        let (last, whole) = self.bytes.as_chunks().0.split_last()?;
        let mut rest = bytes;
        for block in whole {
            let (chunk, after) = rest.split_first_chunk()?;
            if same(block, chunk) != u16::MAX {
                return None;
            }
            rest = after;
        }
        // The lowest bits are those of the bytes that are no padding.
        let text = 2 << ((self.length - 1) % LANES);
        let same = u32::from(same(last, rest.first_chunk()?));
        (!same & (text - 1) == 0).then_some(self.length)
    }
}

/// Sets a bit for each byte that is the same.
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
            let quoted = Quoted::new(text.as_bytes());
            let itself = format!("\"{text}\"{rest}");
            prop_assert_eq!(quoted.prefix_len(itself.as_bytes()), Some(text.len() + 2));
            let other = format!("\"{text}{other}\"{rest}");
            let begins = other.starts_with(&format!("\"{text}\""));
            prop_assert_eq!(quoted.prefix_len(other.as_bytes()).is_some(), begins);
        }
    }
}
