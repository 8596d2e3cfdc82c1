//! The scanner's view of an artifact that is read in parts.

use super::limits;
use crate::error::Error;
use crate::json::input::Input;
use crate::query::source::{Source, Window};

/// The longest token that is held whole, and with it the longest string.
pub(crate) const MAX_HELD_BYTES: usize = limits::MAX_STRING_BYTES;

/// An artifact's bytes from an offset on. A scanner takes no failures: after one
/// the bytes end here, and whoever scans asks for it.
pub(crate) struct Stream<'s, 'a> {
    window: Option<Window<'s, 'a>>,
    at: u64,
    failure: Option<Error>,
}

impl<'s, 'a> Stream<'s, 'a> {
    /// The bytes of `source` from `offset` on.
    pub(crate) fn open(source: &'s Source<'a>, offset: u64) -> Self {
        match Window::open(source, offset) {
            Ok(window) => Stream { window: Some(window), at: offset, failure: None },
            Err(error) => Stream { window: None, at: offset, failure: Some(error) },
        }
    }

    /// What went wrong as bytes were read.
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

impl Input for Stream<'_, '_> {
    const HAS_PARTS: bool = true;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.window.as_ref().map_or(&[], Window::bytes)
    }

    #[inline]
    fn start(&self) -> u64 {
        self.window.as_ref().map_or(self.at, Window::start)
    }

    fn advance(&mut self, used: usize) -> bool {
        let (Some(window), None) = (&mut self.window, &self.failure) else { return false };
        let held = window.bytes().len().saturating_sub(used);
        let advanced = match held {
            0..=MAX_HELD_BYTES => window.advance(used),
            _ => Err(Error::limit(format!(
                "The string at byte {} is longer than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
                window.start() + used as u64,
                MAX_HELD_BYTES >> 20
            ))),
        };
        limits::read(used as u64);
        advanced.unwrap_or_else(|error| {
            self.failure = Some(error);
            false
        })
    }
}
