//! Stack traces line by line: [`Reader`] detects what is part of one, [`Language`]
//! says whose it is and which frames are the reader's own code, [`Folder`] ranks
//! its lines for a cut.

mod fold;
mod language;
mod reader;
#[cfg(test)]
mod reader_tests;

pub use fold::Folder;
pub use language::Language;
pub use reader::{Event, Reader};
