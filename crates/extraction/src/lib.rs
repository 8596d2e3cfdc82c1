//! Answers a question about a large document with a language model.
//!
//! The crate is a state machine without input or output: [`start`] and [`step`] return
//! requests for a model, and the host passes each outcome to the next [`step`], in any order,
//! until a step returns an answer. A [`Host`] reads the document, counts tokens and answers
//! the model's calls. Nothing here calls a model, and no state contains text of the document.
//!
//! ```text
//! question ─► measure ─► route ─┬─► chunks ─► map ─► reduce, in levels ─┬─► answer
//!                               ├─► Read and Grep, turn by turn ────────┤
//!                               └─► head and tail ◄── failures ─────────┘
//! ```
//!
//! The modules are declared in the order of the data.
#![forbid(unsafe_code)]

mod config;
mod host;

mod measure;
mod subject;

mod prompt;
mod report;

mod borders;
mod chunks;
mod route;

mod job;

mod map;
mod reduce;
mod search;

mod state;

mod coverage;
mod quotes;

mod answer;
mod machine;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use answer::answer_head;
pub use config::default_config;
pub use host::{Error, Failed, Format, Host, Reply};
pub use machine::{abandoned, estimate, failed, start, step};
pub use state::State;
