//! Histories of model providers, in the form that the engine plans over.
//!
//! ```text
//! JSON text ─► format ─► document ─► adapter ─► Conversation ─► (engine) ─► Plan
//!               (detect)  (ranges)    (one per                               │
//!                             ▲        format)                               │
//!                             └────────── kept items byte for byte ◄─ apply ─┘
//! ```
//!
//! One item of a history is one message of the conversation, and one block of an item is one part,
//! at the same index; a system prompt that is a member of the request comes before them as message
//! 0. A plan therefore names items by index, and items that stay are copied byte for byte: fields
//! that no adapter knows, thinking with its signature, images and `cache_control` survive. Only an
//! item whose text changes is written again.
#![forbid(unsafe_code)]

mod document;
mod error;
mod format;
mod usage;

mod adapters;

mod apply;
mod history;

mod managing;

pub mod rules;

pub use error::HistoryError;
pub use format::Format;
pub use history::{History, Notes, OWN_TOOLS};
pub use managing::{Managing, Memory, Report, texts};
pub use usage::token_usage;
