//! Plans for the conversation of an agent.
//!
//! Everything here is a function over plain data: it returns a plan, and the host applies it. A
//! [`Host`] counts tokens and stores removed content. The modules are declared in the order of the
//! data.
#![forbid(unsafe_code)]

mod config;
mod host;

mod measure;
mod note;
mod shape;

mod archive;
mod fingerprint;

mod draft;

mod carry;
mod past;

pub mod budget;
pub mod cache;
pub mod compaction;

mod refusal;

mod recovery;
mod unread;

mod repeats;

mod pairs;

mod plan;

pub use compaction::ProviderCompaction;
pub use config::MAX_ITEMS;
pub use draft::is_trimmed;
pub use host::{Host, Stored};
pub use note::truncation_note;
pub use plan::{plan, plan_again, plan_compacted};
pub use refusal::read as read_refusal;
pub use shape::Place;
