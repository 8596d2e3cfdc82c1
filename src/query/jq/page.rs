//! A page of outputs as it fills.

use std::fmt;

use super::value::Val;
use super::write;
use crate::model::JqQuery;
use crate::text::cut;

/// Takes what is written to it from `start` on, as much as a page has room for
/// and a little more: enough to tell where the page may be cut.
pub(super) struct Page {
    start: u64,
    /// Bytes to be dropped before the page begins.
    skip: u64,
    max: usize,
    text: String,
    /// Where the last output ends that is in the page as a whole.
    whole: usize,
}

impl Page {
    pub(super) fn new(start: u64, max: usize) -> Self {
        Page { start, skip: start, max, text: String::new(), whole: 0 }
    }

    /// Adds an output. False if the page is full, and this output goes on behind
    /// it or is not in it at all.
    pub(super) fn push(&mut self, value: &Val, query: &JqQuery) -> bool {
        let written = match value {
            Val::Str(text) if query.raw => fmt::Write::write_str(self, text),
            value => write::value(value, !query.compact, self),
        };
        let written = written.and_then(|()| fmt::Write::write_str(self, "\n"));
        let fits = written.is_ok() && self.text.len() <= self.max;
        if fits {
            self.whole = self.text.len();
        }
        fits
    }

    /// The page's text, and the offset of the next page if there is one.
    pub(super) fn end(mut self) -> (String, Option<u64>) {
        if self.text.len() == self.whole {
            return (self.text, None);
        }
        let end = match self.whole {
            0 => cut::head(&self.text, self.max).len(),
            whole => whole,
        };
        self.text.truncate(end);
        let next = self.start.saturating_add(end as u64);
        (self.text, Some(next))
    }
}

impl fmt::Write for Page {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(text.len());
        self.skip -= skipped as u64;
        // A cursor of ours is at the start of a character.
        let text = &text[text.ceil_char_boundary(skipped)..];
        let room = self.max.saturating_add(cut::MAX_GRAPHEME_BYTES).saturating_sub(self.text.len());
        let head = &text[..text.floor_char_boundary(room)];
        self.text.push_str(head);
        if head.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
