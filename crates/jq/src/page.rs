//! Pages of outputs, and cursors that continue them.

use std::fmt;

use crate::limits;
use crate::options::Options;
use crate::push::ResumePoint;
use crate::value::Val;
use crate::value::write::{self, Layout};
use tuckaway_text::cut;

/// The origin of outputs: a document, or a value in it that the filter processes independently
/// of the others. Running the filter from there on repeats its outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Offset of the document.
    pub(crate) document: u64,
    /// Index of the document.
    pub(crate) index: u64,
    /// The value in the document.
    pub(crate) member: Option<ResumePoint>,
}

/// The start of a page: where the filter runs again, and the number of bytes of its outputs from
/// there that were on earlier pages.
///
/// ```
/// use tuckaway_jq::{Bytes, Cursor, Filter, Options};
///
/// let filter = Filter::compile(".[]")?;
/// let source = Bytes(b"[1, 22]".to_vec());
/// let next = filter.run(&source, &Options::default(), None, 2)?.next.unwrap();
/// let stored: Vec<u64> = next.numbers();
/// let cursor = match stored[..] {
///     [skip] => Cursor::skipping(skip),
///     [skip, document, index, kind, offset] => {
///         Cursor::from_numbers([skip, document, index, kind, offset])
///     }
///     _ => unreachable!("a cursor is one number or five"),
/// };
/// assert_eq!(filter.run(&source, &Options::default(), Some(cursor), 16)?.text, "22\n");
/// # Ok::<(), tuckaway_jq::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) origin: Origin,
    pub(crate) skip: u64,
}

impl Cursor {
    /// Returns the cursor as numbers: one number if the filter runs again from the start, otherwise
    /// five.
    pub fn numbers(self) -> Vec<u64> {
        if self.origin == Origin::default() {
            return vec![self.skip];
        }
        let Origin { document, index, member } = self.origin;
        let (kind, offset) = member.map_or((0, 0), |member| (1 + u64::from(member.in_object), member.offset));
        vec![self.skip, document, index, kind, offset]
    }

    /// Creates a cursor from the only number of [`Cursor::numbers`].
    pub fn skipping(bytes: u64) -> Self {
        Cursor { origin: Origin::default(), skip: bytes }
    }

    /// Creates a cursor from the five numbers of [`Cursor::numbers`]. They may come from an untrusted
    /// caller: offsets are checked as the source is parsed.
    pub fn from_numbers([skip, document, index, kind, offset]: [u64; 5]) -> Self {
        let member = (kind > 0).then_some(ResumePoint { offset, in_object: kind > 1 });
        Cursor { origin: Origin { document, index, member }, skip }
    }
}

/// Collects the outputs of a page: skips those of earlier pages, and takes a little more than fits
/// on this one, to find where the page may be cut.
#[derive(Clone)]
pub(crate) struct PageWriter {
    /// The origin of the current output.
    origin: Origin,
    /// Bytes that were written from the first origin up to this one.
    origin_at: u64,
    /// Bytes that were written from the first origin on, skipped ones included.
    written: u64,
    /// The number of skipped bytes.
    skip: u64,
    max_bytes: usize,
    text: String,
    /// Length of the outputs that fit on the page as a whole.
    complete: usize,
    /// The number of outputs that end on the page.
    count: u64,
}

impl PageWriter {
    pub(crate) fn new(start: Cursor, max_bytes: usize) -> Self {
        PageWriter {
            origin: start.origin,
            origin_at: 0,
            written: 0,
            skip: start.skip,
            max_bytes,
            text: String::new(),
            complete: 0,
            count: 0,
        }
    }

    /// Returns the number of outputs that end on the page.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Sets the origin of the outputs that follow.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        if origin != self.origin {
            (self.origin, self.origin_at) = (origin, self.written);
        }
    }

    /// Writes an output. Returns false if the page is full: this output exceeds it, or is not on
    /// it at all.
    pub(crate) fn push(&mut self, value: &Val, options: &Options) -> bool {
        let layout = if options.compact { Layout::OneLine } else { Layout::Indented };
        let written = match value {
            Val::Str(text) if options.raw => fmt::Write::write_str(self, text),
            value => write::value(value, layout, self),
        };
        let written = written.and_then(|()| fmt::Write::write_str(self, "\n"));
        limits::check_memory(self.text.len() as u64);
        let fits = written.is_ok() && self.text.len() <= self.max_bytes;
        if fits {
            self.count += u64::from(self.text.len() > self.complete);
            self.complete = self.text.len();
        }
        fits
    }

    /// Discards an output that is on the page in part.
    pub(crate) fn discard_partial(&mut self) {
        self.text.truncate(self.complete);
    }

    /// Returns the text of the page, and where the next page begins if there is one.
    pub(crate) fn finish(mut self) -> (String, Option<Cursor>) {
        if self.text.len() == self.complete {
            return (self.text, None);
        }
        let end = match self.complete {
            0 => cut::head(&self.text, self.max_bytes).len(),
            complete => complete,
        };
        self.text.truncate(end);
        // Only the last output is cut, so that its origin is the current one.
        let skip = self.skip.saturating_add(end as u64).saturating_sub(self.origin_at);
        (self.text, Some(Cursor { origin: self.origin, skip }))
    }
}

impl fmt::Write for PageWriter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left_to_skip = self.skip.saturating_sub(self.written);
        self.written += text.len() as u64;
        let skipped = usize::try_from(left_to_skip).unwrap_or(usize::MAX).min(text.len());
        // Cursors of this crate point at the start of a character; others may not.
        let text = &text[text.ceil_char_boundary(skipped)..];
        let capacity = self.max_bytes.saturating_add(cut::MAX_GRAPHEME_BYTES);
        let head = &text[..text.floor_char_boundary(capacity.saturating_sub(self.text.len()))];
        self.text.push_str(head);
        if head.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
