//! A JSON text that is truncated: the positions of its values, and each value as it is
//! shown whole.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::LazyLock;

use crate::base64;
use crate::line::error::{FoundMarks, Marks};
use crate::nested::Nested;
use crate::runs;
use crate::truncate::lines::Values;
use tuckaway_json::compact::compact;
use tuckaway_json::spans::{Child, Span};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::quote;

/// A base64 string of this many bytes is not an id or a cursor. A note about its content
/// replaces it.
const MIN_BASE64: usize = 1_024;
/// Bytes of a text in which marks of errors are searched. After them, every record is
/// inspected.
const MARKED_BYTES: usize = 4 << 20;
/// A mark is shorter.
const MAX_MARK_BYTES: usize = 64;
/// Parts of keys under which records have a level.
const LEVEL_WORDS: [&[u8]; 3] = [b"level", b"severity", b"lvl"];
/// The search for the marks of records that report an error: words of errors, a level, a
/// failed test in the report of a run. Prepared once.
static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    let words: Vec<&[u8]> = LEVEL_WORDS.into_iter().chain(runs::marks_of_failures()).collect();
    Marks::and(&words)
});

/// A value as it is shown whole.
pub enum Shown<'a> {
    /// Unchanged from the text.
    AsIs(&'a str),
    /// Without uninformative parts.
    Made(Rc<str>),
}

impl Deref for Shown<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Shown::AsIs(text) => text,
            Shown::Made(text) => text,
        }
    }
}

/// A text that is known to be JSON.
pub struct Document<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The facts known about its values.
    pub values: &'a Values,
    /// Answers for the content of strings.
    pub nested: &'a dyn Nested,
}

impl<'a> Document<'a> {
    /// Returns a value as it is shown whole, or, if it takes more than `max` bytes, more
    /// than `max` of its bytes: without white space between tokens and without base64,
    /// which are not informative.
    pub fn shown(&self, value: Span, max: usize) -> Shown<'a> {
        let text = &self.text[value.range()];
        match text.as_bytes()[0] {
            b'{' | b'[' => {
                Shown::Made(self.values.container(value.start, max, || self.without_noise(text, max)))
            }
            b'"' if text.len() >= MIN_BASE64 => {
                base64_note(text, self.nested).map_or(Shown::AsIs(text), |note| Shown::Made(note.into()))
            }
            _ => Shown::AsIs(text),
        }
    }

    /// Returns all documents as they are shown whole, each on a line, or more than `max`
    /// bytes of them.
    pub fn shown_whole(&self, max: usize) -> String {
        self.without_noise(self.text, max)
    }

    fn without_noise(&self, text: &str, max: usize) -> String {
        compact(text, max, MIN_BASE64, |raw| base64_note(raw, self.nested))
    }

    /// Returns whether a part of the text may report an error: false if nothing in it is
    /// spelled like one.
    pub fn may_report_error(&self, part: Span) -> bool {
        part.end > MARKED_BYTES || self.next_mark(part.start) < part.end
    }

    /// Returns the first of these values from `from` on that may report an error.
    pub fn next_that_may_report(&self, values: &[Child], from: usize) -> Option<usize> {
        let rest = values.get(from..)?;
        let mark = self.next_mark(rest.first()?.value.start);
        let skipped = rest.partition_point(|child| child.value.end <= mark);
        (skipped < rest.len()).then_some(from + skipped)
    }

    /// Returns the offset of the next mark of an error, or the offset where the search for
    /// them ends.
    fn next_mark(&self, from: usize) -> usize {
        let head = &self.text.as_bytes()[..self.text.len().min(MARKED_BYTES + MAX_MARK_BYTES)];
        let mut marks = self.values.marks.borrow_mut();
        let marks = marks.get_or_insert_with(|| FoundMarks::of(&MARKS));
        marks.next(head, from).map_or(MARKED_BYTES, |mark| mark.min(MARKED_BYTES))
    }
}

/// Returns the note that replaces a string of base64.
fn base64_note(raw: &str, nested: &dyn Nested) -> Option<String> {
    let inside = &raw.as_bytes()[1..raw.len() - 1];
    // The first bytes of nearly all other strings have a space.
    if inside[..32].contains(&b' ') {
        return None;
    }
    Some(quote(&base64::note(unescape(inside).as_bytes(), nested)?))
}
