//! Texts in which each line has the same form: results of a search, listings of files. A form is
//! data, and so is the program that prints it.
//!
//! ```text
//! lines, Form ─► Entries ─┬─► groups, columns ─► outline
//!                         └─► objects ─► jq
//! ```

mod entries;
mod groups;
mod outline;
mod part;

pub use entries::{Entries, fitting};
pub use outline::{Noun, outline, to_json};
pub use part::Part;

use tuckaway_search::find;

/// The form of a line.
pub struct Form {
    /// The program that prints it, as people type it.
    pub program: &'static str,
    /// For lines that head others: the name of their content, such as a directory or a file, and
    /// their end.
    pub heading: Option<(&'static str, &'static str)>,
    /// The parts, each with its name and the text after it: a space stands for one or more, or a
    /// tab.
    pub parts: &'static [(Part, &'static str, &'static str)],
    /// Minimum lines that show it.
    pub least: u64,
}

/// The defaults of a form.
pub const LINES: Form = Form { program: "", heading: None, parts: &[], least: 2 };

impl Form {
    /// Splits a line into its parts. Returns whether it has the form.
    pub fn split<'a>(&self, line: &'a [u8], cells: &mut Vec<&'a [u8]>) -> bool {
        let mut rest = line.trim_ascii_start();
        for (part, _, end) in self.parts {
            let Some(len) = part.len(rest, end) else { return false };
            let (cell, behind) = rest.split_at(len);
            cells.push(cell);
            let next = match *end {
                " " => Some(behind.trim_ascii_start()).filter(|next| next.len() < behind.len()),
                end => behind.get(end.len()..).filter(|_| find::starts_with(behind, end.as_bytes())),
            };
            let Some(next) = next else { return false };
            rest = next;
        }
        rest.is_empty()
    }

    /// Returns the names of its parts, with that of the heading.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.heading.map(|(name, _)| name).into_iter().chain(self.parts.iter().map(|(_, name, _)| *name))
    }

    /// Returns the number of its columns that come from headings.
    fn headings(&self) -> usize {
        usize::from(self.heading.is_some())
    }
}
