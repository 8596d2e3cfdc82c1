//! Reads numbers from bytes that may end anywhere.

use tuckaway_search::find;

/// Returns `N` bytes at an offset, if they are there.
pub fn at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..offset.checked_add(N)?)?.try_into().ok()
}

/// Reads a number of two bytes, little-endian.
pub fn le16(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(|b| u32::from(u16::from_le_bytes(b)))
}

/// Reads a number of two bytes, big-endian.
pub fn be16(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(|b| u32::from(u16::from_be_bytes(b)))
}

/// Reads a number of four bytes, little-endian.
pub fn le32(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(u32::from_le_bytes)
}

/// Reads a number of four bytes, big-endian.
pub fn be32(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(u32::from_be_bytes)
}

/// Returns where a word is in the first `reach` bytes.
pub fn find_within(bytes: &[u8], word: &[u8], reach: usize) -> Option<usize> {
    find::text(word, &bytes[..bytes.len().min(reach)])
}
