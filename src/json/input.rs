//! Where the bytes of a scanner come from.

/// Bytes that lie one behind the other, of which some are at hand.
pub trait Input {
    /// Whether there may be more than what is at hand. Where there is not, the
    /// scanner is compiled without asking.
    const HAS_PARTS: bool;

    /// The bytes at hand.
    fn bytes(&self) -> &[u8];

    /// Where they begin, from the start of all.
    fn start(&self) -> u64;

    /// Lets go of the first `used` bytes at hand and brings more behind the
    /// others. False if there are no more, or none are to be had.
    fn advance(&mut self, used: usize) -> bool;
}

/// A slice is all there is.
impl Input for &[u8] {
    const HAS_PARTS: bool = false;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn start(&self) -> u64 {
        0
    }

    fn advance(&mut self, _: usize) -> bool {
        false
    }
}
