//! Classes of bytes, for loops that would take a branch for each byte otherwise.

use tuckaway_search::lanes::{LANES, Lanes};

/// A space.
pub const SPACE: u16 = 1;
/// A decimal digit.
pub const DIGIT: u16 = 2;
/// A letter.
pub const LETTER: u16 = 4;
/// A letter that no number has, not even a hexadecimal one, or a part of a letter beyond
/// ASCII.
pub const WORD: u16 = 8;
/// The letter between a date and a time.
pub const T: u16 = 16;
/// The separators of the parts of a date or a time, each alone.
const SEPARATORS: [u8; 5] = *b"-/:.,";
const FIRST_SEPARATOR: u16 = 32;

/// Returns the classes of a byte, each a bit.
#[inline(always)]
pub const fn of(byte: u8) -> u16 {
    CLASSES[byte as usize]
}

/// Bytes that are classified together.
pub const BLOCK: usize = 4 * LANES;

/// The bytes of a block that are of each class: a bit for each byte.
pub struct Classified {
    /// See [`SPACE`].
    pub space: u64,
    /// See [`DIGIT`].
    pub digit: u64,
    /// See [`WORD`].
    pub word: u64,
}

impl Classified {
    /// Classifies up to [`BLOCK`] bytes. Those that are missing are of no class.
    #[inline(always)]
    pub fn of(bytes: &[u8]) -> Self {
        let all = Lanes::splat;
        let [space, digit, word] = bits(bytes, |bytes| {
            let lower = bytes.or(all(0x20));
            let no_number =
                lower.at_most(all(b'z')).and_not(lower.at_most(all(b'f')).or(lower.equal(all(b'x'))));
            [bytes.equal(all(b' ')), digits(bytes), no_number.or(bytes.and(all(0x80)))]
        });
        Classified { space, digit, word }
    }
}

/// Returns which of up to [`BLOCK`] bytes are digits: a bit for each.
#[inline(always)]
pub fn digit_bits(bytes: &[u8]) -> u64 {
    bits(bytes, |bytes| [digits(bytes)])[0]
}

#[inline(always)]
fn digits(bytes: Lanes) -> Lanes {
    bytes.at_most(Lanes::splat(b'9')).and_not(bytes.at_most(Lanes::splat(b'0' - 1)))
}

/// Returns which of up to [`BLOCK`] bytes are of each of `N` classes: a bit for each byte.
#[inline(always)]
fn bits<const N: usize>(bytes: &[u8], classify: impl Fn(Lanes) -> [Lanes; N]) -> [u64; N] {
    let (whole, rest) = bytes.as_chunks::<LANES>();
    let mut bits = [0; N];
    if !rest.is_empty() {
        let mut padded = [0; LANES];
        // The last bytes, and perhaps some before them that are not wanted again.
        let (lanes, known) = match bytes.last_chunk::<LANES>() {
            Some(last) => (last, LANES - rest.len()),
            None => {
                padded[..rest.len()].copy_from_slice(rest);
                (&padded, 0)
            }
        };
        bits = classify(Lanes::load(lanes)).map(|lanes| u64::from(lanes.bits()) >> known);
    }
    for lanes in whole.iter().rev() {
        let lanes = classify(Lanes::load(lanes));
        for (bits, lanes) in bits.iter_mut().zip(lanes) {
            *bits = *bits << LANES | u64::from(lanes.bits());
        }
    }
    bits
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
        fn a_block_is_classified_as_its_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..=BLOCK)) {
            let Classified { space, digit, word } = Classified::of(&bytes);
            prop_assert_eq!(digit_bits(&bytes), digit);
            for at in 0..BLOCK {
                let bits = [space, digit, word].map(|bits| bits >> at & 1 == 1);
                let class = bytes.get(at).map_or(0, |byte| of(*byte));
                prop_assert_eq!(bits, [SPACE, DIGIT, WORD].map(|wanted| class & wanted != 0), "{}", at);
            }
        }
    }
}
