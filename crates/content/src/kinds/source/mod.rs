//! Source code: its language, and the lines of its declarations.
//!
//! ```text
//! head ─► Language ─► detect
//!             └─► Symbols ─┬─► outline: declarations by line number
//!                          └─► truncate: head and tail, the declarations between them
//! ```
//!
//! There is no grammar: a declaration is known by the word that its line begins with.
//! That takes a few bytes a language, is right for code in the usual layout, and costs no
//! more than finding the lines.

mod declaration;
mod detect;
mod language;
mod languages;
mod numbered;
mod outline;
mod symbols;
mod truncate;

pub use detect::detect;
pub use outline::outline;
pub use truncate::truncate;
