//! The bytes that a scanner reads.

use std::error::Error;

/// Consecutive bytes; a part of them is in memory.
pub trait Input {
    /// Whether more bytes may follow those in memory. If not, the scanner is compiled
    /// without requesting them.
    const HAS_PARTS: bool;

    /// Returns the bytes in memory.
    fn bytes(&self) -> &[u8];

    /// Returns the offset of the first byte in memory, from the start of the input.
    fn start(&self) -> u64;

    /// Drops the first `used` bytes in memory and appends more to the others. Returns
    /// false if none were appended: at the end of the input, or after a failure.
    fn advance(&mut self, used: usize) -> bool;
}

/// A slice is in memory as a whole.
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

/// Reads the parts of something larger than memory, in order.
pub trait PartReader {
    /// Reads bytes from `offset` on: as many as the reader chooses, none at the end. The first
    /// `used` bytes in memory before `offset` are dropped, and the `held` bytes after them are
    /// kept.
    fn read(&mut self, offset: u64, used: usize, held: usize) -> Result<Vec<u8>, Box<dyn Error>>;
}

/// An input that is read in parts. Scanners do not see failures: the input ends after one, and the
/// caller asks for [`Stream::failure`].
pub struct Stream<'r> {
    reader: Box<dyn PartReader + 'r>,
    bytes: Vec<u8>,
    start: u64,
    failure: Option<Box<dyn Error>>,
}

impl<'r> Stream<'r> {
    /// Opens the input that begins at the reader's offset `start`, and reads its first
    /// part.
    pub fn open(reader: impl PartReader + 'r, start: u64) -> Self {
        let mut stream = Stream { reader: Box::new(reader), bytes: Vec::new(), start, failure: None };
        stream.advance(0);
        stream
    }

    /// Returns the error of the last part if it could not be read.
    pub fn failure(&self) -> Option<&(dyn Error + 'static)> {
        self.failure.as_deref()
    }
}

impl Input for Stream<'_> {
    const HAS_PARTS: bool = true;

    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    fn start(&self) -> u64 {
        self.start
    }

    fn advance(&mut self, used: usize) -> bool {
        if self.failure.is_some() {
            return false;
        }
        let used = used.min(self.bytes.len());
        let end = self.start + self.bytes.len() as u64;
        match self.reader.read(end, used, self.bytes.len() - used) {
            Ok(part) => {
                self.bytes.drain(..used);
                self.start += used as u64;
                let any = !part.is_empty();
                match self.bytes.is_empty() {
                    true => self.bytes = part,
                    false => self.bytes.extend_from_slice(&part),
                }
                any
            }
            Err(failure) => {
                self.failure = Some(failure);
                false
            }
        }
    }
}
