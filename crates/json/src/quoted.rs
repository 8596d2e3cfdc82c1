//! A text as it stands in JSON, told by a comparison of blocks.

use tuckaway_search::lanes::{LANES, Lanes};

/// The longest text that is worth a copy.
const LONGEST: usize = 256;

/// The inside of a string in its quotes.
#[derive(Clone, Debug)]
pub struct Quoted {
    /// Filled up with zeros to whole blocks.
    bytes: Box<[u8]>,
    /// Bytes without what it is filled up with.
    length: usize,
}

impl Quoted {
    /// This in quotes. Of a long one nothing is kept: nothing begins with it then.
    pub fn new(inside: &[u8]) -> Self {
        if inside.len() > LONGEST {
            return Quoted { bytes: Box::default(), length: 0 };
        }
        let length = inside.len() + 2;
        let mut bytes = vec![0; length.next_multiple_of(LANES)];
        bytes[0] = b'"';
        bytes[1..length - 1].copy_from_slice(inside);
        bytes[length - 1] = b'"';
        Quoted { bytes: bytes.into_boxed_slice(), length }
    }

    /// The length in quotes, if the bytes begin with it. It may be none where less than
    /// a block follows, and is for a long one.
    #[inline(always)]
    pub fn begins(&self, bytes: &[u8]) -> Option<usize> {
        let (last, whole) = self.bytes.as_chunks().0.split_last()?;
        let mut rest = bytes;
        for block in whole {
            let (chunk, behind) = rest.split_first_chunk()?;
            if same(block, chunk) != u16::MAX {
                return None;
            }
            rest = behind;
        }
        // The bytes of the last block that count are the lowest bits.
        let counts = 2 << ((self.length - 1) % LANES);
        let same = u32::from(same(last, rest.first_chunk()?));
        (!same & (counts - 1) == 0).then_some(self.length)
    }
}

/// A bit for each byte that is the same.
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
        fn it_begins_with_itself_alone(text in "[a-c\u{FFFD}]{0,40}", other in "[a-c\"\0]{0,40}", rest in "[a-c\0]{16,40}") {
            let quoted = Quoted::new(text.as_bytes());
            let itself = format!("\"{text}\"{rest}");
            prop_assert_eq!(quoted.begins(itself.as_bytes()), Some(text.len() + 2));
            let other = format!("\"{text}{other}\"{rest}");
            let begins = other.starts_with(&format!("\"{text}\""));
            prop_assert_eq!(quoted.begins(other.as_bytes()).is_some(), begins);
        }
    }
}
