//! A page of outputs as it fills.

use std::fmt;

use super::push::Resume;
use super::value::Val;
use super::write;
use crate::Options;
use tuckaway_text::cut;

/// Where outputs come from: a document, or a value in it that is apart from the
/// others. Running the filter from there on gives the same outputs again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// Where the document begins.
    pub(super) document: u64,
    /// How many there are before it.
    pub(super) before: u64,
    /// Where the value begins.
    pub(super) member: Option<Resume>,
}

/// Where a page begins: an origin, and how many bytes of what comes from there were
/// shown before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub(super) origin: Origin,
    pub(super) skip: u64,
}

impl Cursor {
    /// Returns the cursor as numbers: one is enough if all outputs have one origin,
    /// five otherwise.
    pub fn numbers(self) -> Vec<u64> {
        if self.origin == Origin::default() {
            return vec![self.skip];
        }
        let Origin { document, before, member } = self.origin;
        let (kind, offset) = member.map_or((0, 0), |member| (1 + u64::from(member.object), member.offset));
        vec![self.skip, document, before, kind, offset]
    }

    /// Makes a cursor of one that starts with the first document: so many bytes of
    /// output are skipped.
    pub fn skipping(bytes: u64) -> Self {
        Cursor { origin: Origin::default(), skip: bytes }
    }

    /// Makes a cursor of five [`Cursor::numbers`]. They may come from outside: a place
    /// that never was is found out when it is read.
    pub fn from_numbers([skip, document, before, kind, offset]: [u64; 5]) -> Self {
        let member = (kind > 0).then_some(Resume { offset, object: kind > 1 });
        Cursor { origin: Origin { document, before, member }, skip }
    }
}

/// Takes what is written to it from a place on, as much as a page has room for
/// and a little more: enough to tell where the page may be cut.
#[derive(Clone)]
pub(super) struct Page {
    /// The origin of what is written now.
    origin: Origin,
    /// Bytes from where the first origin begins to where this one does.
    origin_at: u64,
    /// Bytes written since the first origin, shown or not.
    written: u64,
    /// Of these, bytes before the page begins.
    start: u64,
    max: usize,
    text: String,
    /// Where the last output ends that is in the page as a whole.
    whole: usize,
}

impl Page {
    pub(super) fn new(start: Cursor, max: usize) -> Self {
        Page {
            origin: start.origin,
            origin_at: 0,
            written: 0,
            start: start.skip,
            max,
            text: String::new(),
            whole: 0,
        }
    }

    /// Says where the outputs that follow come from.
    pub(super) fn come_from(&mut self, origin: Origin) {
        if origin != self.origin {
            (self.origin, self.origin_at) = (origin, self.written);
        }
    }

    /// Adds an output. False if the page is full, and this output goes on behind
    /// it or is not in it at all.
    pub(super) fn push(&mut self, value: &Val, options: &Options) -> bool {
        let written = match value {
            Val::Str(text) if options.raw => fmt::Write::write_str(self, text),
            value => write::value(value, !options.compact, self),
        };
        let written = written.and_then(|()| fmt::Write::write_str(self, "\n"));
        let fits = written.is_ok() && self.text.len() <= self.max;
        if fits {
            self.whole = self.text.len();
        }
        fits
    }

    /// Drops what there is of an output that is not in the page as a whole.
    pub(super) fn drop_part(&mut self) {
        self.text.truncate(self.whole);
    }

    /// The page's text, and where the next one begins if there is one.
    pub(super) fn end(mut self) -> (String, Option<Cursor>) {
        if self.text.len() == self.whole {
            return (self.text, None);
        }
        let end = match self.whole {
            0 => cut::head(&self.text, self.max).len(),
            whole => whole,
        };
        self.text.truncate(end);
        // Only the last output is cut, so that its origin is the last one.
        let skip = self.start.saturating_add(end as u64).saturating_sub(self.origin_at);
        (self.text, Some(Cursor { origin: self.origin, skip }))
    }
}

impl fmt::Write for Page {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left_to_skip = self.start.saturating_sub(self.written);
        self.written += text.len() as u64;
        let skipped = usize::try_from(left_to_skip).unwrap_or(usize::MAX).min(text.len());
        // A cursor of ours is at the start of a character.
        let text = &text[text.ceil_char_boundary(skipped)..];
        let room = self.max.saturating_add(cut::MAX_GRAPHEME_BYTES).saturating_sub(self.text.len());
        let head = &text[..text.floor_char_boundary(room)];
        self.text.push_str(head);
        if head.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
