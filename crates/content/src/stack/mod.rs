//! Stack traces line by line: [`Reader`] detects the lines that are part of one,
//! [`Language`] the frames in the reader's own code, and [`Folder`] ranks the lines
//! for truncation.

mod fold;
mod forms;
mod language;
mod reader;
#[cfg(test)]
mod reader_tests;

pub use fold::Folder;
pub use language::Language;
pub use reader::{Event, Reader};
