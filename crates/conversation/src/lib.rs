//! Plans for the conversation of an agent.
//!
//! Everything here is a function over plain data: it says what to do, and the host does
//! it. A [`Host`] counts tokens and keeps what is removed.
#![forbid(unsafe_code)]

mod config;
mod model;

pub use config::*;
pub use model::*;
