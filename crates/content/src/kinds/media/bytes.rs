//! Numbers in bytes that may end anywhere.

use tuckaway_search::find;

/// So many bytes at an offset, if they are there.
pub fn at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..offset.checked_add(N)?)?.try_into().ok()
}

/// A number of two bytes, the lowest first.
pub fn le16(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(|b| u32::from(u16::from_le_bytes(b)))
}

/// A number of two bytes, the highest first.
pub fn be16(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(|b| u32::from(u16::from_be_bytes(b)))
}

/// A number of four bytes, the lowest first.
pub fn le32(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(u32::from_le_bytes)
}

/// A number of four bytes, the highest first.
pub fn be32(bytes: &[u8], offset: usize) -> Option<u32> {
    at(bytes, offset).map(u32::from_be_bytes)
}

/// Where a word is in the first `reach` bytes.
pub fn find_within(bytes: &[u8], word: &[u8], reach: usize) -> Option<usize> {
    find::text(word, &bytes[..bytes.len().min(reach)])
}
