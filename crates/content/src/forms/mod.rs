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

pub use entries::{Entries, fitting, head};
pub use outline::{Noun, outline, to_json};
pub use part::Part;

/// The form of a line.
pub struct Form {
    /// The program that prints it, as people type it.
    pub program: &'static str,
    /// For lines that head others: the name of their content, such as a directory or a file, and
    /// their end.
    pub heading: Option<(&'static str, &'static str)>,
    /// The parts, each with its name and the text after it. A space at the start or end of that text
    /// stands for one or more, or a tab.
    pub parts: &'static [(Part, &'static str, &'static str)],
    /// The starts of lines that comment on others. A text with such a form has some of the first.
    pub comments: &'static [&'static str],
    /// Minimum lines that show it.
    pub least: u64,
}

/// The defaults of a form.
pub const LINES: Form = Form { program: "", heading: None, parts: &[], comments: &[], least: 2 };

impl Form {
    /// Splits a line into its parts. Returns whether it has the form.
    pub fn split<'a>(&self, line: &'a [u8], cells: &mut Vec<&'a [u8]>) -> bool {
        let is_state = matches!(self.parts, [(Part::State, ..), ..]);
        let mut rest = if is_state { line } else { line.trim_ascii_start() };
        for (part, _, end) in self.parts {
            let Some(len) = part.len(rest, end) else { return false };
            let (cell, behind) = rest.split_at(len);
            cells.push(cell.trim_ascii_end());
            // What may be nothing may also be missing at the end of a line.
            let Some(next) = after(behind, end) else {
                return behind.is_empty() && self.end(cells);
            };
            rest = next;
        }
        rest.is_empty()
    }

    /// Adds empty cells for the parts that a line lacks at its end. Returns whether they may be nothing.
    fn end(&self, cells: &mut Vec<&[u8]>) -> bool {
        let is_end = self.can_end(cells.len() - self.headings());
        cells.resize(self.parts.len() + self.headings(), b"");
        is_end
    }

    /// Returns whether all parts from this one on may be nothing.
    fn can_end(&self, part: usize) -> bool {
        self.parts
            .get(part..)
            .is_some_and(|rest| rest.iter().all(|(part, ..)| matches!(part, Part::Note | Part::Timestamp)))
    }

    /// Returns the names of its parts, with that of the heading.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.heading.map(|(name, _)| name).into_iter().chain(self.parts.iter().map(|(_, name, _)| *name))
    }

    /// Returns whether values of a column are text, even if they look like numbers.
    fn is_text(&self, column: usize) -> bool {
        let part = column.checked_sub(self.headings()).and_then(|part| self.parts.get(part));
        part.is_none_or(|(part, ..)| part.is_text())
    }

    /// Returns the number of its columns that come from headings.
    fn headings(&self) -> usize {
        usize::from(self.heading.is_some())
    }
}

/// Returns what follows a text at the start of another.
fn after<'a>(text: &'a [u8], end: &str) -> Option<&'a [u8]> {
    let spaceless = text.trim_ascii_start();
    let rest = match end.strip_prefix(' ') {
        Some(end) if spaceless.len() < text.len() => {
            spaceless.strip_prefix(end.trim_end_matches(' ').as_bytes())?
        }
        Some(_) => return None,
        None => text.strip_prefix(end.trim_end_matches(' ').as_bytes())?,
    };
    let is_spaced = end.len() > 1 && end.ends_with(' ');
    Some(if is_spaced { rest.trim_ascii_start() } else { rest })
}
