//! A metered, deterministic and streaming jq.
//!
//! A [`Filter`] runs on the documents of a [`Source`] and returns its outputs in pages:
//!
//! ```
//! use tuckaway_jq::{Bytes, Filter, Options};
//!
//! let filter = Filter::compile(".[] | {id, name}")?;
//! let rows = Bytes(br#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#.to_vec());
//! let options = Options { compact: true, ..Options::default() };
//! let first = filter.run(&rows, &options, None, 20)?;
//! assert_eq!(first.text, "{\"id\":1,\"name\":\"a\"}\n");
//! let second = filter.run(&rows, &options, first.next, 20)?;
//! assert_eq!(second.text, "{\"id\":2,\"name\":\"b\"}\n");
//! assert_eq!(second.next, None);
//! # Ok::<(), tuckaway_jq::Error>(())
//! ```
//!
//! # Design
//!
//! ```text
//! filter ─► compile ─► demand, plan ─┐
//! source ─► stream ─► read ──────────┴─► run ─► value::write ─► page
//! ```
//!
//! jaq-core parses, compiles and evaluates filters. Values, reading, writing and most filters in
//! Rust are implemented here (`value` explains why). One document is in memory at a time, without
//! the members that the filter does not need (`demand`). From a large document, only the values
//! that the filter's paths name are read (`push`). Outputs are computed as long as the page has
//! space for them. A [`Cursor`] records the document, or the value in it, from which the filter
//! runs again, and the number of bytes of its outputs that earlier pages have: these are skipped.
//!
//! Steps, memory and depth of a run are bounded (`limits`), in units that are the same on every
//! machine: a filter stops at the same place everywhere.

#![forbid(unsafe_code)]

mod error;
mod source;

mod limits;
mod nesting;
mod options;
mod suggest;
mod value;
mod watch;

mod alternatives;
mod demand;
mod read;
mod remainder;
mod rewrite;
mod run;
mod stream;
mod term;

mod direct;
mod failure;
mod natives;
mod page;
mod push;

mod compile;
mod documents;
mod filter;
mod hint;
mod page_run;
mod program;

pub use error::{Error, ErrorKind, MAX_MESSAGE_BYTES};
pub use filter::{Filter, Outputs, joined_surrogates};
pub use limits::{DEFAULT_MEMORY, DEFAULT_STEPS, MAX_MEMORY, MAX_STEPS, MIN_MEMORY};
pub use options::Options;
pub use page::Cursor;
pub use source::{ByteSource, Bytes, Reads, Source, SourceError};

#[cfg(test)]
mod tests;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
