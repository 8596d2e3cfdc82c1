//! # tuckaway
//!
//! Keeps LLM agents inside their context window. This crate is the engine: plain
//! Rust, no I/O, two doors outward ([`ports`]). Built for WebAssembly it is a
//! component (`src/component.rs`) that imports exactly those two.
//!
//! ```text
//! tool output ─► blocks ─► gates ─► decision ─┬─► inline ──────────────────────────────► view
//!  (text, JSON,   (type,    (first              ├─► artifact ─► store ─► shape ─► envelope ─► view
//!   bytes, or      size,     that fires           └─► truncate ─► head, notice, tail ──────► view
//!   stored id)     lines)    wins)
//! artifact id ─► read | grep | jq ─► bounded page + cursor
//! ```
//!
//! The modules below stand in the order of the data.
//!
//! No unsafe code: what wit-bindgen generates for the component is the one
//! exception, which `forbid` would not allow.
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

pub mod error;
pub mod model;
pub mod ports;

pub mod policy;

pub mod artifact;

pub use tuckaway_content::{kind, shape, truncate, wording};
pub use tuckaway_json as json;
pub use tuckaway_text as text;

mod reduce;

pub mod offload;

pub mod query;
pub mod tools;

#[cfg(target_family = "wasm")]
mod component;

pub use error::{Error, ErrorKind};
pub use model::*;
pub use ports::{CountTokens, Store, StoreError};

/// Everything that the component exports, over one store and one token counter.
///
/// `wit/` documents each function, edges included. What has to last is in the
/// store: a call keeps nothing but what makes the next one faster, and no answer
/// depends on it.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    store: &'a dyn Store,
    tokens: &'a dyn CountTokens,
}

impl<'a> Engine<'a> {
    /// An engine over the two doors outward.
    pub fn new(store: &'a dyn Store, tokens: &'a dyn CountTokens) -> Self {
        Engine { store, tokens }
    }

    /// The decision alone; nothing is stored.
    pub fn decide(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<Decision, Error> {
        offload::decide(self.store, self.tokens, output, turn, policy)
    }

    /// One output to its view.
    pub fn process(&self, output: &ToolOutput, turn: &Turn, policy: &Policy) -> Result<View, Error> {
        offload::process(self.store, self.tokens, output, turn, policy)
    }

    /// All outputs of one turn to their views, so that together they fit.
    pub fn process_turn(
        &self,
        outputs: &[ToolOutput],
        turn: &Turn,
        policy: &Policy,
    ) -> Result<Vec<View>, Error> {
        offload::process_turn(self.store, self.tokens, outputs, turn, policy)
    }

    /// What is in a text.
    pub fn infer_shape(&self, text: &str, max_bytes: u32) -> Result<Shape, Error> {
        reduce::infer_shape(text, max_bytes)
    }

    /// Head and tail of a text within a bound.
    pub fn truncate(&self, text: &str, max_bytes: u64) -> Result<String, Error> {
        reduce::truncate(text, max_bytes)
    }

    /// A part of an artifact.
    pub fn read(&self, id: &str, range: &Range, line_numbers: bool, max_bytes: u32) -> Result<Page, Error> {
        query::read::read(self.store, id, range, line_numbers, max_bytes)
    }

    /// The lines of an artifact that match a pattern.
    pub fn grep(&self, id: &str, query: &GrepQuery, max_bytes: u32) -> Result<Matches, Error> {
        query::grep::grep(self.store, id, query, max_bytes)
    }

    /// The outputs of a jq filter on a JSON artifact.
    pub fn jq(&self, id: &str, query: &JqQuery, max_bytes: u32) -> Result<Outputs, Error> {
        query::jq::jq(self.store, id, query, max_bytes)
    }

    /// All artifacts of the session, oldest first.
    pub fn list_artifacts(&self) -> Result<Vec<Artifact>, Error> {
        artifact::list(self.store)
    }

    /// The definitions of the artifact tools given.
    pub fn definitions(&self, tools: &ArtifactTools) -> Vec<ToolDefinition> {
        tools::definitions(tools)
    }

    /// Runs an artifact tool as a model called it.
    pub fn call(&self, name: &str, arguments: &str, max_bytes: u32) -> Result<ToolReply, Error> {
        tools::call(self.store, name, arguments, max_bytes)
    }
}
