//! A query's pattern, asked of lines.

use std::ops::Range;

use tuckaway_search::find;

use super::automaton::{self, Pattern};
use super::line::Line;
use crate::error::Error;
use crate::model::GrepQuery;
use tuckaway_search::pattern::{self, Flags, MAX_PATTERN_BYTES};

/// Finds the lines that match, and where in them.
pub(super) struct Matcher {
    pattern: Pattern,
}

impl Matcher {
    /// `invalid-input` for a pattern that is none.
    pub(super) fn new(query: &GrepQuery) -> Result<Self, Error> {
        let compiled = match query.fixed_string {
            true => {
                if query.pattern.len() > MAX_PATTERN_BYTES {
                    return Err(Error::invalid(format!(
                        "The pattern is {} bytes long; at most {MAX_PATTERN_BYTES} are allowed. Search for a part of it.",
                        query.pattern.len(),
                    )));
                }
                automaton::literal(&query.pattern, query.ignore_case)
            }
            false => {
                let flags = Flags { ignore_case: query.ignore_case, ..Flags::default() };
                pattern::compile(&query.pattern, flags).map_err(|wrong| {
                    Error::invalid(format!(
                        "The pattern {wrong}. To search for these very characters, set fixed_string to true."
                    ))
                })?;
                automaton::compile(&query.pattern, query.ignore_case)
            }
        };
        match compiled {
            Some(pattern) => Ok(Matcher { pattern }),
            None => Err(Error::invalid("The pattern is too large for a search: make it simpler.")),
        }
    }

    /// The next line from `from` on that matches, its line end included. `bytes`
    /// are whole lines; one begins at `from`.
    pub(super) fn next_line(&mut self, bytes: &[u8], mut from: usize) -> Result<Option<Range<usize>>, Error> {
        while from < bytes.len() {
            let candidate = match self.pattern.search() {
                Some(search) => match search.find(bytes, from) {
                    Some(candidate) => candidate,
                    None => return Ok(None),
                },
                None => from,
            };
            let start = find::last_byte(b'\n', &bytes[from..candidate]).map_or(from, |feed| from + feed + 1);
            let next =
                find::byte(b'\n', &bytes[candidate..]).map_or(bytes.len(), |feed| candidate + feed + 1);
            let line = Line::content(&bytes[start..next]);
            let is_match = match &mut self.pattern {
                // It may lie across the line's end, and in that line only there.
                Pattern::Plain(search) => candidate + search.longest() <= start + line.len(),
                Pattern::Automata(automata) => automata.is_match(line)?,
            };
            if is_match {
                return Ok(Some(start..next));
            }
            from = next;
        }
        Ok(None)
    }

    /// Whether a line matches.
    pub(super) fn is_match(&mut self, line: &Line) -> Result<bool, Error> {
        self.pattern.is_match(line)
    }

    /// The first match in a line, in bytes of it.
    pub(super) fn find(&mut self, line: &Line) -> Result<Option<(u64, u64)>, Error> {
        self.pattern.find(line)
    }
}
