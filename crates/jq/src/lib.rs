//! jq that is metered, deterministic, and streams.
//!
//! ```text
//! filter ─► compile ─► demand, plan ─┐
//! source ─► stream ─► documents ─────┴─► run ─► write ─► page
//! ```
//!
//! jaq-core parses, compiles and runs; values, what is read and written, and
//! most filters in Rust are ours (`value` says why). One document is in memory
//! at a time, without what the filter does not ask for (`demand`); of a large one
//! only what the filter names by paths, if it does (`push`). Outputs are made
//! when the page has room for them. A [`Cursor`] says from which document, or which
//! element of it, the filter runs again, and how much of its output was shown
//! already: that is dropped as it is written.
//!
//! Steps, memory and depth of a run are bounded (`limits`), in units that are the
//! same on every machine, so that a filter ends at the same place everywhere.

#![forbid(unsafe_code)]

mod compile;
mod demand;
mod documents;
mod error;
mod failure;
mod hint;
mod limits;
mod natives;
mod nesting;
mod page;
mod push;
mod read;
mod rewrite;
mod run;
mod source;
mod stream;
mod suggest;
mod value;
mod write;

pub use documents::Filter;
pub use error::{Error, ErrorKind, MAX_MESSAGE_BYTES};
pub use limits::{DEFAULT_MEMORY, DEFAULT_STEPS, MAX_MEMORY, MAX_STEPS, MIN_MEMORY};
pub use page::Cursor;
pub use source::{Bytes, Source, SourceError};

/// How a filter runs, and how its outputs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Write strings without quotes.
    pub raw: bool,
    /// Write each output on one line, not indented.
    pub compact: bool,
    /// Steps that the filter may take, about one for each of its terms that is run;
    /// [`DEFAULT_STEPS`] if none, at most [`MAX_STEPS`]. Four more come with each byte
    /// that is read.
    pub max_steps: Option<u64>,
    /// Bytes that the filter and its document may take at once, by an estimate that is
    /// the same everywhere; [`DEFAULT_MEMORY`] if none, clamped to [`MIN_MEMORY`] to
    /// [`MAX_MEMORY`].
    pub max_memory: Option<u64>,
}

/// One page of a filter's outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// One output after the other, each ended by a line feed.
    pub text: String,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
    /// What stopped the filter, after these outputs or before there was any. There is
    /// no next page then.
    pub failure: Option<Error>,
    /// If the filter gave nothing, or nothing but nulls: where its first path leaves
    /// the document, and which keys are there. For a first page only.
    pub hint: Option<String>,
}

impl Filter<'_> {
    /// Runs the filter and returns one page of its outputs, at most `max_bytes` long.
    ///
    /// The filter runs once for each document of the source (NDJSON, concatenated
    /// JSON). A page ends behind an output, unless one output alone is longer: then
    /// it ends between graphemes. What stops the filter as it runs is the page's
    /// `failure`, after the outputs that it has given.
    ///
    /// Errors, if there were no outputs before: `InvalidInput` for a cursor that
    /// does not belong to this filter, `Unsupported` for content that is not JSON,
    /// `Limit` for a document or a value that passes a limit, `Source` for a source
    /// that cannot be read.
    pub fn run(
        &self,
        source: &Source,
        options: &Options,
        cursor: Option<Cursor>,
        max_bytes: usize,
    ) -> Result<Outputs, Error> {
        let start = cursor.unwrap_or_default();
        if start.origin.member.is_some() && !self.resumes_inside() {
            return Err(Error::invalid(
                "This cursor goes on inside of a document, where this filter never stops: leave it out to start over.",
            ));
        }
        let mut page = page::Page::new(start, max_bytes);
        let failure = self.fill(&mut page, source, start.origin, options);
        run::forget_halt();
        let (text, next) = page.end();
        if text.is_empty() {
            match failure {
                // A filter that fails is an answer; content that is not JSON, or a
                // limit that was passed, is not.
                Some(error) if error.kind != ErrorKind::InvalidInput => return Err(error),
                None if cursor.is_some() => {
                    return Err(Error::invalid(
                        "This cursor is past the last output: leave it out to start over.",
                    ));
                }
                Some(_) | None => {}
            }
        }
        let failure = failure.filter(|_| next.is_none());
        let hint = match cursor.is_none() && hint::says_nothing(&text) {
            true => hint::of(source, &compile::parse(self.text())?, failure.is_some()),
            false => None,
        };
        Ok(Outputs { text, next, failure, hint })
    }
}

#[cfg(test)]
mod tests;
