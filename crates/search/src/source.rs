//! Bytes that are read in parts: a [`ByteSource`], and a [`Window`] that moves over it. Neither
//! holds more of a source than requested.

/// Bytes of a first read. The next ones are twice as long each, up to [`LARGEST_READ`]: a query
/// that ends early reads little, and a long query makes few calls.
pub const FIRST_READ: usize = 64 << 10;

/// Bytes of the largest read: large enough that the cost of a call is negligible, small enough for
/// a host that copies.
pub const LARGEST_READ: usize = 1 << 20;

/// Bytes of a known length that can be read at any offset.
///
/// ```
/// use tuckaway_search::source::ByteSource;
///
/// assert_eq!(b"content"[..].read_at(3, 100), Ok(b"tent".to_vec()));
/// ```
pub trait ByteSource {
    /// The error of a failed read.
    type Error;

    /// Returns the size in bytes.
    fn size(&self) -> u64;

    /// Reads `length` bytes from `offset`; fewer only at the end, none past it.
    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, Self::Error>;

    /// Returns the sizes of consecutive reads.
    fn reads(&self) -> Reads {
        Reads { next: FIRST_READ, largest: LARGEST_READ }
    }
}

/// All bytes are in memory, so no read fails.
impl ByteSource for [u8] {
    type Error = std::convert::Infallible;

    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, Self::Error> {
        Ok(slice_at(self, offset, length).to_vec())
    }
}

/// Returns `length` bytes from `offset`; fewer only at the end, none past it.
pub fn slice_at(bytes: &[u8], offset: u64, length: usize) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    &bytes[start..start.saturating_add(length).min(bytes.len())]
}

/// The sizes of consecutive reads.
#[derive(Clone, Copy, Debug)]
pub struct Reads {
    next: usize,
    largest: usize,
}

impl Reads {
    /// Makes all reads this long.
    pub fn of_size(bytes: usize) -> Self {
        Reads { next: bytes, largest: bytes }
    }

    /// Returns the size of the largest read.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// Returns the size of the next read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> usize {
        let next = self.next;
        self.next = (next * 2).min(self.largest);
        next
    }
}

/// Consecutive bytes of a source, moved forward as they are consumed. A source of up to
/// [`FIRST_READ`] bytes is read at once.
///
/// ```text
/// open ─► bytes ─► advance(used) ─► bytes ─► … ─► advance returns false
/// ```
pub struct Window<'s, S: ByteSource + ?Sized> {
    source: &'s S,
    start: u64,
    bytes: Vec<u8>,
    reads: Reads,
}

impl<'s, S: ByteSource + ?Sized> Window<'s, S> {
    /// Opens a window that begins at `offset`; it is empty if the source ends there.
    pub fn open(source: &'s S, offset: u64) -> Result<Self, S::Error> {
        let mut window = Window { source, start: offset, bytes: Vec::new(), reads: source.reads() };
        window.advance(0)?;
        Ok(window)
    }

    /// Returns where the bytes begin in the source.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns the bytes in view.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether the source ends where the bytes do.
    pub fn is_last(&self) -> bool {
        self.start.saturating_add(self.bytes.len() as u64) >= self.source.size()
    }

    /// Drops the first `used` bytes and reads more after the rest, which is kept: unconsumed bytes
    /// grow the window by up to [`LARGEST_READ`] a call. Returns false at the end of the source.
    pub fn advance(&mut self, used: usize) -> Result<bool, S::Error> {
        let used = used.min(self.bytes.len());
        let end = self.start + self.bytes.len() as u64;
        self.bytes.drain(..used);
        self.start += used as u64;
        let more = self.source.read_at(end, self.reads.next())?;
        let any = !more.is_empty();
        match self.bytes.is_empty() {
            true => self.bytes = more,
            false => self.bytes.extend_from_slice(&more),
        }
        Ok(any)
    }

    /// Moves to `offset`, which is not before the bytes in view, and skips the bytes between.
    pub fn skip_to(&mut self, offset: u64) -> Result<(), S::Error> {
        let ahead = offset.saturating_sub(self.start);
        let kept = usize::try_from(ahead).map_or(0, |ahead| self.bytes.len().saturating_sub(ahead));
        if kept > 0 {
            self.bytes.drain(..self.bytes.len() - kept);
            self.start = offset;
            return Ok(());
        }
        self.bytes.clear();
        self.start = offset;
        self.advance(0).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_moves_over_all_of_it() {
        let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n / 7) as u8).collect();
        let source = &bytes[..];
        for keep in [0, 1, 1_000] {
            let mut window = Window::open(source, 5).unwrap();
            assert_eq!(window.bytes().len(), FIRST_READ);
            let mut seen = Vec::new();
            loop {
                let used = if window.is_last() { window.bytes().len() } else { window.bytes().len() - keep };
                assert_eq!(window.start(), 5 + seen.len() as u64);
                seen.extend_from_slice(&window.bytes()[..used]);
                if !window.advance(used).unwrap() {
                    break;
                }
                assert!(window.bytes().len() <= LARGEST_READ + keep);
            }
            assert!(window.is_last() && window.bytes().is_empty());
            assert_eq!(seen, bytes[5..]);
        }
    }

    #[test]
    fn a_window_past_the_end_is_empty() {
        for offset in [4, 5, u64::MAX] {
            let mut window = Window::open(&b"text"[..], offset).unwrap();
            assert!(window.bytes().is_empty() && window.is_last());
            assert!(!window.advance(9).unwrap());
        }
    }
}
