//! The buffers that the host fills and reads.

use std::collections::BTreeMap;

/// Buffers by their address.
#[derive(Debug, Default)]
pub struct Buffers(BTreeMap<u32, Box<[u8]>>);

impl Buffers {
    /// Creates an empty collection.
    pub const fn new() -> Self {
        Buffers(BTreeMap::new())
    }

    /// Makes a buffer of zeros and returns its address; 0 if there is no memory for it.
    pub fn alloc(&mut self, length: u32) -> u32 {
        // A buffer without bytes would share its address with all others of that kind.
        let length = (length as usize).max(1);
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(length).is_err() {
            return 0;
        }
        bytes.resize(length, 0);
        self.keep(bytes)
    }

    /// Keeps bytes for the host, and returns address and length: the address in the upper half.
    pub fn hand_out(&mut self, mut bytes: Vec<u8>) -> u64 {
        let length = bytes.len() as u64;
        if bytes.is_empty() {
            bytes.push(0);
        }
        u64::from(self.keep(bytes)) << 32 | length
    }

    /// Removes a buffer, and returns whether there was one at this address.
    pub fn free(&mut self, address: u32) -> bool {
        self.0.remove(&address).is_some()
    }

    /// Returns the first bytes of a buffer; `None` if there is no such buffer, or if it is shorter.
    pub fn bytes(&self, address: u32, length: u32) -> Option<&[u8]> {
        self.0.get(&address)?.get(..length as usize)
    }

    /// Removes a buffer and returns its first bytes. `packed` is the address and the length, as
    /// [`hand_out`](Self::hand_out) returns them.
    pub fn take(&mut self, packed: u64) -> Option<Vec<u8>> {
        let mut bytes = self.0.remove(&((packed >> 32) as u32))?.into_vec();
        let length = packed as u32 as usize;
        (length <= bytes.len()).then(|| {
            bytes.truncate(length);
            bytes
        })
    }

    fn keep(&mut self, bytes: Vec<u8>) -> u32 {
        let bytes = bytes.into_boxed_slice();
        // The host writes to this address. On WebAssembly, addresses have 32 bits.
        let address = bytes.as_ptr().expose_provenance() as u32;
        self.0.insert(address, bytes);
        address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(packed: u64) -> (u32, u32) {
        ((packed >> 32) as u32, packed as u32)
    }

    #[test]
    fn a_buffer_is_there_until_it_is_freed() {
        let mut buffers = Buffers::new();
        let address = buffers.alloc(3);
        assert_eq!(buffers.bytes(address, 3), Some(&[0, 0, 0][..]));
        assert_eq!(buffers.bytes(address, 2), Some(&[0, 0][..]));
        assert!(buffers.free(address));
        assert!(!buffers.free(address));
        assert_eq!(buffers.bytes(address, 3), None);
    }

    #[test]
    fn wrong_addresses_and_lengths_are_none() {
        let mut buffers = Buffers::new();
        let address = buffers.alloc(3);
        for (address, length) in [(address, 4), (address, u32::MAX), (address + 1, 1), (0, 0), (u32::MAX, 1)]
        {
            assert_eq!(buffers.bytes(address, length), None);
        }
        assert_eq!(buffers.take(u64::from(address + 1) << 32 | 1), None);
        assert_eq!(buffers.take(u64::from(address) << 32 | 4), None);
        // The buffer is gone, even if its length was wrong.
        assert!(!buffers.free(address));
    }

    #[test]
    fn empty_buffers_have_addresses_of_their_own() {
        let mut buffers = Buffers::new();
        let (one, other) = (buffers.alloc(0), buffers.alloc(0));
        assert_ne!(one, other);
        assert_eq!(buffers.bytes(one, 0), Some(&[][..]));
        let (third, length) = split(buffers.hand_out(Vec::new()));
        assert_eq!(length, 0);
        assert!(buffers.free(one) && buffers.free(other) && buffers.free(third));
    }

    #[test]
    fn what_is_handed_out_can_be_taken() {
        let mut buffers = Buffers::new();
        let packed = buffers.hand_out(b"abc".to_vec());
        let (address, length) = split(packed);
        assert_eq!(buffers.bytes(address, length), Some(&b"abc"[..]));
        assert_eq!(buffers.take(packed), Some(b"abc".to_vec()));
        assert_eq!(buffers.take(packed), None);
    }
}
