//! A pattern that is asked of lines of any length.
//!
//! ```text
//! pattern ─► syntax ─► literals ─► is one of them there at all?
//!                 └──► program ──► lazy automaton: forward to the match's end,
//!                                  backward to its start
//! ```
//!
//! regex-lite defines what a pattern is and what it matches; every answer here is
//! its answer on the text that a line is shown as, and tests hold both against
//! each other. It is not asked itself because it tries all ways at once for each
//! character (some 20 MB/s), and needs a line in one piece.

mod brackets;
mod chars;
mod lazy;
mod literals;
mod program;
mod syntax;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use super::line::Line;
use crate::error::Error;
use chars::{Classes, Kind};
use lazy::Automaton;
use literals::Search;
use program::{Direction, Program};
use syntax::Tree;

/// A query has spent all the steps it may on making automaton states.
#[derive(Debug)]
pub(super) struct TooCostly;

impl From<TooCostly> for Error {
    fn from(_: TooCostly) -> Self {
        Error::limit(
            "The pattern costs too much on an artifact of this size. Make its counted repetitions smaller ({0,500} is costly where * is not), or search for a text that it contains.",
        )
    }
}

/// A pattern, compiled.
pub(super) enum Pattern {
    /// Just one text.
    Plain(Search),
    Automata(Box<Automata>),
}

/// Compiles a pattern that regex-lite takes. None if it is not understood here,
/// or would be too large.
pub(super) fn compile(pattern: &str, ignore_case: bool) -> Option<Pattern> {
    Pattern::new(&syntax::parse(pattern, ignore_case)?)
}

/// Compiles a text to what matches just it. None if it would be too large.
pub(super) fn literal(text: &str, ignore_case: bool) -> Option<Pattern> {
    Pattern::new(&Tree::literal(text, ignore_case))
}

impl Pattern {
    fn new(tree: &Tree) -> Option<Self> {
        let mut sets = Vec::new();
        let looks = program::sets_of(tree, &mut sets);
        if let Some(text) = literals::plain(tree, looks) {
            return Some(Pattern::Plain(Search::one(&text)));
        }
        let classes = Rc::new(Classes::new(&sets, looks));
        let automaton =
            |direction| Some(Automaton::new(Program::new(tree, &classes, direction)?, Rc::clone(&classes)));
        Some(Pattern::Automata(Box::new(Automata {
            forward: automaton(Direction::Forward)?,
            backward: automaton(Direction::Backward)?,
            search: Search::new(tree),
            classes,
        })))
    }

    /// What finds the places that are worth a closer look, if anything does.
    pub(super) fn search(&self) -> Option<&Search> {
        match self {
            Pattern::Plain(search) => Some(search),
            Pattern::Automata(automata) => automata.search.as_ref(),
        }
    }

    /// Whether the pattern matches in a line of any length.
    pub(super) fn is_match(&mut self, line: &Line) -> Result<bool, Error> {
        if let Some(search) = self.search()
            && search.find_in(line)?.is_none()
        {
            return Ok(false);
        }
        match self {
            Pattern::Plain(_) => Ok(true),
            Pattern::Automata(automata) => Ok(automata.end_of_match(line, true)?.is_some()),
        }
    }

    /// The first match in a line of any length, in bytes of it.
    pub(super) fn find(&mut self, line: &Line) -> Result<Option<(u64, u64)>, Error> {
        match self {
            Pattern::Plain(search) => {
                let found = search.find_in(line)?;
                Ok(found.map(|start| (start, start + search.longest() as u64)))
            }
            Pattern::Automata(automata) => match automata.end_of_match(line, false)? {
                Some(end) => Ok(Some((automata.start_of_match(line, end)?, end))),
                None => Ok(None),
            },
        }
    }
}

/// The two ways over a text, and what finds where to begin.
pub(super) struct Automata {
    forward: Automaton,
    backward: Automaton,
    classes: Rc<Classes>,
    search: Option<Search>,
}

impl Automata {
    /// Whether the pattern matches in a line that is in memory.
    pub(super) fn is_match(&mut self, line: &[u8]) -> Result<bool, TooCostly> {
        let place = self.forward.begin(Kind::Edge);
        Ok(self.forward.forward(place, line, true, true)?.found.is_some())
    }

    /// Where the first match ends; with `any`, where some match does.
    fn end_of_match(&mut self, line: &Line, any: bool) -> Result<Option<u64>, Error> {
        let (mut at, mut found) = (0, None);
        let mut place = Some(self.forward.begin(Kind::Edge));
        while let Some(from) = place {
            let part = line.part(at, line.part_bytes())?;
            let is_end = at + part.len() as u64 == line.len();
            let walk = self.forward.forward(from, &part, is_end, any)?;
            found = walk.found.map(|end| at + end as u64).or(found);
            at += walk.used as u64;
            place = walk.place;
        }
        Ok(found)
    }

    /// Where the first match begins, of which the end is known.
    fn start_of_match(&mut self, line: &Line, end: u64) -> Result<u64, Error> {
        let behind = line.part(end, chars::MAX_CHAR_BYTES)?;
        let kind = match behind.is_empty() {
            true => Kind::Edge,
            false => self.classes.kind(self.classes.of(chars::decode(&behind).0)),
        };
        let (mut at, mut found) = (end, end);
        let mut place = Some(self.backward.begin(kind));
        while let Some(from) = place {
            let start = at.saturating_sub(line.part_bytes() as u64);
            let part = line.part(start, (at - start) as usize)?;
            let walk = self.backward.backward(from, &part, start == 0)?;
            found = walk.found.map_or(found, |found| start + found as u64);
            at -= walk.used as u64;
            place = walk.place;
        }
        Ok(found)
    }
}
