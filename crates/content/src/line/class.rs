//! Classes of bytes, for loops that would take a branch for each byte otherwise.

use tuckaway_search::lanes::{LANES, Lanes};

/// A space.
pub const SPACE: u16 = 1;
/// A decimal digit.
pub const DIGIT: u16 = 2;
/// A letter.
pub const LETTER: u16 = 4;
/// A letter that no number has, also no hexadecimal one, or a part of one beyond ASCII.
pub const WORD: u16 = 8;
/// The letter between a date and a time.
pub const T: u16 = 16;
/// What separates the parts of a date or a time, each by itself.
const SEPARATORS: [u8; 5] = *b"-/:.,";
const FIRST_SEPARATOR: u16 = 32;

/// Returns the classes of a byte, each a bit.
#[inline(always)]
pub const fn of(byte: u8) -> u16 {
    CLASSES[byte as usize]
}

/// Bytes that are classified together.
pub const BLOCK: usize = 4 * LANES;

/// Which bytes of a block are of a class: a bit for each byte.
pub struct Classified {
    /// See [`SPACE`].
    pub space: u64,
    /// See [`DIGIT`].
    pub digit: u64,
    /// See [`WORD`].
    pub word: u64,
}

impl Classified {
    /// Classifies up to [`BLOCK`] bytes. Those that are missing count as spaces.
    #[inline(always)]
    pub fn of(bytes: &[u8]) -> Self {
        let all = Lanes::splat;
        let mut classified = Classified { space: 0, digit: 0, word: 0 };
        for lanes in padded(bytes).as_chunks::<LANES>().0.iter().rev() {
            let bytes = Lanes::load(lanes);
            let lower = bytes.or(all(0x20));
            let no_number =
                lower.at_most(all(b'z')).and_not(lower.at_most(all(b'f')).or(lower.equal(all(b'x'))));
            for (bits, lanes) in [
                (&mut classified.space, bytes.equal(all(b' '))),
                (&mut classified.digit, digits(bytes)),
                (&mut classified.word, no_number.or(bytes.and(all(0x80)))),
            ] {
                *bits = *bits << LANES | u64::from(lanes.bits());
            }
        }
        classified
    }
}

/// Returns which of up to [`BLOCK`] bytes are digits: a bit for each.
pub fn digit_bits(bytes: &[u8]) -> u64 {
    let block = padded(bytes);
    let lanes = block.as_chunks::<LANES>().0.iter().rev();
    lanes.fold(0, |bits, lanes| bits << LANES | u64::from(digits(Lanes::load(lanes)).bits()))
}

#[inline(always)]
fn digits(bytes: Lanes) -> Lanes {
    bytes.at_most(Lanes::splat(b'9')).and_not(bytes.at_most(Lanes::splat(b'0' - 1)))
}

/// Returns up to [`BLOCK`] bytes and spaces after them.
#[inline(always)]
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [b' '; BLOCK];
        block[..bytes.len()].copy_from_slice(bytes);
        block
    })
}

const CLASSES: [u16; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => SPACE,
            b'0'..=b'9' => DIGIT,
            b'T' => LETTER | WORD | T,
            b'a'..=b'f' | b'x' | b'A'..=b'F' | b'X' => LETTER,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER | WORD,
            0x80.. => WORD,
            _ => 0,
        };
        byte += 1;
    }
    let mut separator = 0;
    while separator < SEPARATORS.len() {
        classes[SEPARATORS[separator] as usize] = FIRST_SEPARATOR << separator;
        separator += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_block_is_classified_as_its_bytes(bytes in proptest::array::uniform32(any::<[u8; 2]>())) {
            let block: [u8; BLOCK] = std::array::from_fn(|at| bytes[at / 2][at % 2]);
            let Classified { space, digit, word } = Classified::of(&block);
            prop_assert_eq!(digit_bits(&block), digit);
            for (at, &byte) in block.iter().enumerate() {
                let bits = [space, digit, word].map(|bits| bits >> at & 1 == 1);
                prop_assert_eq!(bits, [SPACE, DIGIT, WORD].map(|class| of(byte) & class != 0), "{}", byte);
            }
        }
    }
}
