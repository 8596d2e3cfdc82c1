//! grep's line matcher: the lines that match a pattern, and the first match in a line of
//! any length.
//!
//! ```text
//! pattern ─► translate ─► literals ─► does the line contain one of them?
//!                  └────► automaton ─► forward to the end of the match,
//!                                      backward to its start
//! ```
//!
//! regex-lite defines the syntax of patterns and their matches: every answer here equals its answer
//! on the shown form of a line, and tests compare the two. regex-lite itself is not used for
//! searching, because it tries all alternatives at once for each character (some 20 MB/s) and needs
//! a line in one piece.

mod automaton;
mod literals;
mod pairs;
mod shown;
#[cfg(test)]
mod tests;
mod translate;

use std::ops::Range;

use regex_syntax::hir::Hir;

use crate::find;
use crate::pattern::{self, Flags};
use crate::source::ByteSource;
use automaton::{Automaton, Direction, Wanted};
use literals::Search;

/// A search has exhausted its budget for creating states of its automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooCostly;

/// Returns the line in `bytes`, which include its line ending. A carriage return belongs to the
/// line ending only before a line feed.
pub fn content(bytes: &[u8]) -> &[u8] {
    match bytes.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => bytes,
    }
}

/// Returns whether a pattern names the carriage return. For such a pattern, a carriage return
/// before a line feed is part of the line.
fn names_carriage_return(pattern: &str) -> bool {
    let mut bytes = pattern.as_bytes().iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => return true,
            b'\\' => match bytes.next() {
                Some(b'r') => return true,
                Some(b'x')
                    if bytes.as_slice().get(..2).is_some_and(|hex| hex.eq_ignore_ascii_case(b"0d")) =>
                {
                    return true;
                }
                _ => {}
            },
            _ => {}
        }
    }
    false
}

/// The distance in which the next line with a literal is searched for before the line before it is
/// known not to match.
const NEAR_BYTES: usize = 4 << 10;

/// Bytes of the first read for a match that follows another one.
const FIRST_PART_BYTES: usize = 4 << 10;

/// Finds the lines that match a pattern, and the matches in each.
pub struct Matcher {
    /// Finds the lines that the automata must inspect; `None` if they must inspect all lines.
    search: Option<Search>,
    /// `None` if the pattern is just a text to search for.
    automata: Option<Box<Automata>>,
    /// Whether a carriage return before a line feed is part of the line.
    keeps_carriage_return: bool,
    /// Bytes that were read to find matches that follow another one.
    walked: u64,
}

/// The automata for the two directions along a line.
struct Automata {
    forward: Automaton,
    backward: Automaton,
}

impl Matcher {
    /// Compiles a pattern, with the errors of [`pattern::compile`], which defines valid patterns.
    pub fn new(pattern: &str, ignore_case: bool) -> Result<Self, String> {
        pattern::compile(pattern, Flags { ignore_case, ..Flags::default() })?;
        let matcher = translate::pattern(pattern, ignore_case).as_ref().and_then(Matcher::of);
        let mut matcher = matcher.ok_or_else(too_large)?;
        matcher.keeps_carriage_return = names_carriage_return(pattern);
        Ok(matcher)
    }

    /// Compiles a plain text, with errors like those of [`Matcher::new`].
    pub fn literal(text: &str, ignore_case: bool) -> Result<Self, String> {
        pattern::check_length(text)?;
        let mut matcher = Matcher::of(&translate::literal(text, ignore_case)).ok_or_else(too_large)?;
        matcher.keeps_carriage_return = text.contains('\r');
        Ok(matcher)
    }

    fn of(pattern: &Hir) -> Option<Self> {
        if let Some(text) = literals::plain(pattern) {
            return Some(Matcher::with(Some(Search::one(&text)), None));
        }
        let automata = Automata {
            forward: Automaton::new(pattern, Direction::Forward)?,
            backward: Automaton::new(pattern, Direction::Backward)?,
        };
        Some(Matcher::with(Search::new(pattern), Some(Box::new(automata))))
    }

    fn with(search: Option<Search>, automata: Option<Box<Automata>>) -> Self {
        Matcher { search, automata, keeps_carriage_return: false, walked: 0 }
    }

    /// Returns the line in `bytes` in which to search for the pattern.
    pub fn content<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        line_in(bytes, self.keeps_carriage_return)
    }

    /// Returns whether a carriage return before a line feed is part of the line.
    pub fn keeps_carriage_return(&self) -> bool {
        self.keeps_carriage_return
    }

    /// Returns the number of bytes that [`Matcher::find_after`] has read so far.
    pub fn walked(&self) -> u64 {
        self.walked
    }

    /// Returns the next matching line from `from` on, including its line ending. `bytes` are whole
    /// lines; one begins at `from`.
    pub fn next_line(&mut self, bytes: &[u8], mut from: usize) -> Result<Option<Range<usize>>, TooCostly> {
        let Some(automata) = &mut self.automata else { return Ok(self.next_with_text(bytes, from)) };
        let keeps_carriage_return = self.keeps_carriage_return;
        while let Some(range) = candidate(&self.search, bytes, from, bytes.len()) {
            // Alone: where all lines match, a walk over two of them would do one in vain.
            if automata.forward.is_match(line_in(&bytes[range.clone()], keeps_carriage_return))? {
                return Ok(Some(range));
            }
            from = range.end;
            let lines = std::iter::from_fn(|| {
                // A literal that is far away is searched for when it is needed.
                let near = bytes.len().min(from + NEAR_BYTES);
                let range = candidate(&self.search, bytes, from, near)?;
                from = range.end;
                Some((range.clone(), line_in(&bytes[range], keeps_carriage_return)))
            });
            if let Some(range) = pairs::first_match(&mut automata.forward, lines)? {
                return Ok(Some(range));
            }
        }
        Ok(None)
    }

    /// Returns the next line that contains the text to search for.
    fn next_with_text(&self, bytes: &[u8], mut from: usize) -> Option<Range<usize>> {
        while let Some(range) = candidate(&self.search, bytes, from, bytes.len()) {
            // The text may extend over the line's end, and then occurs nowhere else in the line.
            let line = self.content(&bytes[range.clone()]);
            if self.search.as_ref().is_some_and(|search| search.find(line, 0).is_some()) {
                return Some(range);
            }
            from = range.end;
        }
        None
    }

    /// Returns whether the pattern matches in a line without its line ending.
    pub fn is_match<L>(&mut self, line: &L) -> Result<bool, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        if let Some(search) = &self.search
            && search.find_in(line)?.is_none()
        {
            return Ok(false);
        }
        match &mut self.automata {
            Some(automata) => Ok(automata.end_of_match(line, Wanted::AnyMatch)?.is_some()),
            None => Ok(true),
        }
    }

    /// Returns where the first match in a line begins and ends. The line has no line ending, and is
    /// read in parts.
    pub fn find<L>(&mut self, line: &L) -> Result<Option<(u64, u64)>, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        match (&mut self.automata, &self.search) {
            (Some(automata), _) => match automata.end_of_match(line, Wanted::FirstMatch)? {
                Some(end) => Ok(Some((automata.start_of_match(line, end, 0)?, end))),
                None => Ok(None),
            },
            (None, Some(search)) => {
                let start = search.find_in(line)?;
                Ok(start.map(|start| (start, start + self.text_bytes() as u64)))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns where the first match that begins at `from` or later begins and ends. `from` is the
    /// end of an earlier match.
    pub fn find_after<L>(&mut self, line: &L, from: u64) -> Result<Option<(u64, u64)>, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        match (&mut self.automata, &self.search) {
            (Some(automata), _) => match automata.end_of_match_after(line, from, &mut self.walked)? {
                Some(end) => Ok(Some((automata.start_of_match(line, end, from)?, end))),
                None => Ok(None),
            },
            (None, Some(search)) => {
                let start = search.find_after(line, from, &mut self.walked)?;
                Ok(start.map(|start| (start, start + self.text_bytes() as u64)))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns the length of the text to search for.
    fn text_bytes(&self) -> usize {
        self.search.as_ref().map_or(0, Search::longest)
    }
}

/// Returns the line in `bytes`, which include its line ending, with or without a carriage return before
/// the line feed.
fn line_in(bytes: &[u8], keeps_carriage_return: bool) -> &[u8] {
    match keeps_carriage_return {
        true => bytes.strip_suffix(b"\n").unwrap_or(bytes),
        false => content(bytes),
    }
}

/// Returns the next line with one of the literals, from `from` on: the first line if there are none.
/// A literal that ends after `end` is not found.
fn candidate(search: &Option<Search>, bytes: &[u8], from: usize, end: usize) -> Option<Range<usize>> {
    if from >= bytes.len() {
        return None;
    }
    let at = match search {
        Some(search) => search.find(&bytes[..end], from)?,
        None => from,
    };
    let start = find::last_byte(b'\n', &bytes[from..at]).map_or(from, |feed| from + feed + 1);
    let end = find::byte(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed + 1);
    Some(start..end)
}

fn too_large() -> String {
    "is too large to search for".to_owned()
}

impl Automata {
    /// Returns where the first match ends, or any match.
    fn end_of_match<L>(&mut self, line: &L, wanted: Wanted) -> Result<Option<u64>, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        let (mut at, mut end) = (0, None);
        let mut state = Some(self.forward.begin(None)?);
        while let Some(from) = state {
            let part = line.read_at(at, line.reads().largest())?;
            let is_end = at + part.len() as u64 == line.size();
            let walk = self.forward.forward(from, &part, is_end, wanted)?;
            end = walk.last_match.map(|end| at + end as u64).or(end);
            at += walk.used as u64;
            state = walk.state;
        }
        Ok(end)
    }

    /// Returns where the first match that begins at `from` or later ends.
    fn end_of_match_after<L>(
        &mut self,
        line: &L,
        from: u64,
        walked: &mut u64,
    ) -> Result<Option<u64>, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        let before = line.read_at(from.saturating_sub(1), usize::from(from > 0))?.first().copied();
        let (mut at, mut end, mut part_bytes) = (from, None, FIRST_PART_BYTES);
        let mut state = Some(self.forward.begin(before)?);
        while let Some(from) = state {
            let part = line.read_at(at, part_bytes)?;
            let is_end = at + part.len() as u64 == line.size();
            let walk = self.forward.forward(from, &part, is_end, Wanted::FirstMatch)?;
            end = walk.last_match.map(|end| at + end as u64).or(end);
            at += walk.used as u64;
            *walked += walk.used as u64;
            state = walk.state;
            part_bytes = (2 * part_bytes).min(line.reads().largest().max(FIRST_PART_BYTES));
        }
        Ok(end)
    }

    /// Returns where the first match with a known end begins: at `least` or later.
    fn start_of_match<L>(&mut self, line: &L, end: u64, least: u64) -> Result<u64, L::Error>
    where
        L: ByteSource<Error: From<TooCostly>>,
    {
        let next_byte = line.read_at(end, 1)?.first().copied();
        let (mut at, mut start) = (end, end);
        let mut state = Some(self.backward.begin(next_byte)?);
        while let Some(from) = state.filter(|_| at >= least) {
            // A start is detected with the character before it.
            let earliest = least.saturating_sub(2 * shown::MAX_UNIT_BYTES as u64);
            let part_start = at.saturating_sub(line.reads().largest() as u64).max(earliest);
            let part = line.read_at(part_start, (at - part_start) as usize)?;
            let least_in_part = least.saturating_sub(part_start) as usize;
            let walk = self.backward.backward(from, &part, part_start == 0, least_in_part)?;
            start = walk.last_match.map_or(start, |start| part_start + start as u64);
            at -= walk.used as u64;
            state = walk.state;
        }
        Ok(start)
    }
}
