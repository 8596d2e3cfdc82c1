//! What a value may grow to, and the note that is left where one grew past it.
//!
//! Values are built in places that cannot fail (`FromIterator`) and errors can
//! be caught (`try`), so that an error alone would not do: the first limit that
//! is passed is noted, and whoever runs the filter asks after each output. A
//! note is of the thread, as is a run: nothing else could carry it there.

use std::cell::Cell;

/// Levels of arrays and objects that a document may have. Reading, writing and
/// comparing take a stack frame for each.
pub(crate) const MAX_DOCUMENT_DEPTH: usize = 256;

/// Levels that a value may have that a filter builds.
pub(crate) const MAX_DEPTH: u32 = 512;

/// Bytes of a string that a filter builds.
pub(crate) const MAX_STRING_BYTES: usize = 64 << 20;

/// Elements of an array that a filter builds.
pub(crate) const MAX_ITEMS: usize = 1 << 24;

/// A limit that a value passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Depth,
    String,
    Items,
}

impl Limit {
    /// What happened, as a sentence without its end.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Limit::Depth => "the filter builds a value of more than 512 levels",
            Limit::String => "the filter builds a string of more than 64 MiB",
            Limit::Items => "the filter builds an array of more than 16777216 elements",
        }
    }
}

thread_local! {
    static PASSED: Cell<Option<Limit>> = const { Cell::new(None) };
}

/// Notes that a limit was passed; the first note stays.
pub(crate) fn pass(limit: Limit) {
    PASSED.with(|passed| passed.set(passed.get().or(Some(limit))));
}

/// Takes the note away.
pub(crate) fn take_passed() -> Option<Limit> {
    PASSED.with(Cell::take)
}
