//! Hashes that are the same on every machine and in every run.
//!
//! Output for a model must not depend on the machine, so no hash has a random seed. Bytes can
//! therefore be chosen to collide: a table of these hashes must bound the cost of an insertion, and
//! a comparison by hash must tolerate that different values may count as equal.

/// FNV-1a with 64 bits, for bytes that arrive in pieces. The hash does not depend on how they are
/// split.
///
/// ```
/// use tuckaway_search::hash::Fnv;
///
/// let mut hash = Fnv::default();
/// hash.bytes(b"foobar");
/// assert_eq!(hash.value(), 0x8594_4171_f739_67e8);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    #[inline(always)]
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    /// Returns the hash of the added bytes.
    #[inline(always)]
    pub fn value(self) -> u64 {
        self.0
    }

    /// Returns the hash folded to 32 bits.
    #[inline(always)]
    pub fn folded(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}

/// 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns a hash of bytes that are all available: eight at a time, much faster than [`Fnv`].
#[inline(always)]
pub fn of(bytes: &[u8]) -> u64 {
    // A difference in the last bytes affects only the highest bits.
    let hash = with(0, bytes);
    let hash = (hash ^ hash >> 32).wrapping_mul(FACTOR);
    hash ^ hash >> 29
}

/// Adds bytes to a hash, as one part of many: `ab` and `c` are not `a` and `bc`. The last result
/// must be [mixed](mix).
#[inline(always)]
pub fn with(hash: u64, bytes: &[u8]) -> u64 {
    let mut hash = (hash.rotate_left(23) ^ bytes.len() as u64).wrapping_mul(FACTOR);
    let mut add = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    if let Some(last) = bytes.last_chunk::<8>() {
        bytes.as_chunks::<8>().0.iter().for_each(|word| add(u64::from_le_bytes(*word)));
        add(u64::from_le_bytes(*last));
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        add(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else {
        add(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    hash
}

/// Mixes a word so that each of its bits changes about half of the result: the finalizer
/// of MurmurHash3.
pub fn mix(word: u64) -> u64 {
    let mut word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    word = (word ^ word >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    word ^ word >> 33
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fnv_has_its_published_values() {
        for (text, value) in [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c)] {
            let mut hash = Fnv::default();
            hash.bytes(text.as_bytes());
            assert_eq!(hash.value(), value, "{text:?}");
        }
    }

    #[test]
    fn similar_bytes_have_different_hashes() {
        let mut seen = HashSet::new();
        for length in 0..40 {
            assert!(seen.insert(of(&vec![0; length])));
            for changed in 0..length {
                let mut bytes = vec![0; length];
                bytes[changed] = 1;
                assert!(seen.insert(of(&bytes)), "byte {changed} of {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_parts_do_not_matter(bytes: Vec<u8>, at: prop::sample::Index) {
            let (mut whole, mut parts) = (Fnv::default(), Fnv::default());
            whole.bytes(&bytes);
            let (head, tail) = bytes.split_at(at.index(bytes.len() + 1));
            parts.bytes(head);
            parts.bytes(tail);
            prop_assert_eq!(whole.value(), parts.value());
        }
    }
}
