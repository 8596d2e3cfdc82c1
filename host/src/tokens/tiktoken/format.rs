//! The format of a vocabulary, which the build script writes and the library reads where the
//! program is mapped. The build script includes this file.
//!
//! Numbers are 32 bits, little-endian. A vocabulary of `n` tokens, in the order of their ranks:
//!
//! ```text
//! n │ number of slots │ n + 1 offsets into the bytes │ slots │ bytes of all tokens
//! ```
//!
//! The slots are a hash table with linear probing. A slot contains the number of a token plus one
//! in its low bits, and bits of the token's hash above; an empty slot is 0.

/// Bytes of a number.
pub const WORD: usize = 4;

/// The words before the offsets.
pub const HEADER: usize = 2;

/// The low bits of a slot, which contain the number of a token plus one.
pub const NUMBER: u32 = (1 << 18) - 1;

/// Returns the hash of a token.
pub fn hash(token: &[u8]) -> u32 {
    // The multiplier of splitmix64: an odd number whose bits look random.
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let (chunks, rest) = token.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = chunks.iter().chain([&last]).map(|chunk| u64::from_le_bytes(*chunk));
    let mixed = words.fold(token.len() as u64, |hash, word| {
        let product = (hash ^ word).wrapping_mul(MULTIPLIER);
        product ^ (product >> 32)
    });
    (mixed.wrapping_mul(MULTIPLIER) >> 32) as u32
}
