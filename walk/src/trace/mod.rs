//! Stack traces, line by line: [`Reader`] tells what is part of one, [`Language`]
//! whose it is and which frames are the reader's own code.

mod language;
mod reader;

pub use language::Language;
pub use reader::{Event, Reader, Told};
