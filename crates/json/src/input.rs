//! Where the bytes of a scanner come from.

use std::error::Error;

use super::scan::{Scanner, SkipError, SyntaxError, Token};

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

    /// What [`Scanner::next_token`] does. An input of this crate has it compiled
    /// here, and with it as fast as this crate is compiled: a generic function is
    /// compiled like the crate that calls it.
    fn next_token(scanner: &mut Scanner<Self>) -> Result<Option<Token>, SyntaxError>
    where
        Self: Sized,
    {
        scanner.token()
    }

    /// What [`Scanner::skip_rest`] does; see [`Input::next_token`].
    fn skip_rest(scanner: &mut Scanner<Self>, first: Token, deepest: usize) -> Result<u64, SkipError>
    where
        Self: Sized,
    {
        scanner.rest(first, deepest)
    }
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

    fn next_token(scanner: &mut Scanner<Self>) -> Result<Option<Token>, SyntaxError> {
        scanner.token()
    }

    fn skip_rest(scanner: &mut Scanner<Self>, first: Token, deepest: usize) -> Result<u64, SkipError> {
        scanner.rest(first, deepest)
    }
}

/// Something larger that is read in parts.
pub trait Parts {
    /// The bytes from `offset` on, as many as it likes; none at the end. Of those
    /// before it `used` are let go of and `held` are kept.
    fn part(&mut self, offset: u64, used: usize, held: usize) -> Result<Vec<u8>, Box<dyn Error>>;
}

/// Bytes that are read in parts. A scanner takes no failures: after one the bytes
/// end, and whoever scans asks for it.
pub struct Stream<'p> {
    parts: Box<dyn Parts + 'p>,
    bytes: Vec<u8>,
    start: u64,
    failure: Option<Box<dyn Error>>,
}

impl<'p> Stream<'p> {
    /// The bytes from `start` on.
    pub fn open(parts: impl Parts + 'p, start: u64) -> Self {
        let mut stream = Stream { parts: Box::new(parts), bytes: Vec::new(), start, failure: None };
        stream.advance(0);
        stream
    }

    /// What went wrong as bytes were read.
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
        match self.parts.part(end, used, self.bytes.len() - used) {
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

    fn next_token(scanner: &mut Scanner<Self>) -> Result<Option<Token>, SyntaxError> {
        scanner.token()
    }

    fn skip_rest(scanner: &mut Scanner<Self>, first: Token, deepest: usize) -> Result<u64, SkipError> {
        scanner.rest(first, deepest)
    }
}
