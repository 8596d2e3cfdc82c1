//! Finds out how far a path leads into the documents of a source.

use super::paths::Segment;
use crate::read::{type_name, unquoted};
use crate::source::Source;
use crate::stream::{self, Stream};
use crate::suggest::KeyList;
use tuckaway_json::scan::{Scanner, SyntaxError, Token, TokenKind};
use tuckaway_json::unescape::unescape;

/// The place where a path leaves the documents.
#[derive(Debug, Default)]
pub(super) struct DeadEnd {
    /// Index of the segment that leads nowhere.
    pub(super) segment: usize,
    /// The number of objects or arrays that lack it.
    pub(super) containers: u64,
    /// If there are none: the type of a value there, other than null.
    pub(super) other_type: Option<&'static str>,
    /// The keys of the objects.
    pub(super) keys: KeyList,
    /// Length of the longest array.
    pub(super) longest: u64,
    /// Whether only the start of the source was inspected.
    pub(super) is_partial: bool,
}

/// The values to which a segment applies.
#[derive(Default)]
struct Level {
    dead_end: DeadEnd,
    /// Values that have the segment.
    matches: u64,
}

/// The reason why a probe ends before the source does.
enum Stop {
    /// The path leads to a value: there is nothing to report.
    Reached,
    /// The bound of inspected bytes.
    Bound,
    /// The source cannot be read, or is malformed.
    Unreadable,
}

impl From<SyntaxError> for Stop {
    fn from(_: SyntaxError) -> Self {
        Stop::Unreadable
    }
}

type SourceScanner<'s> = Scanner<Stream<'s>>;

/// A path, and the values at each of its segments.
pub(super) struct Probe<'p> {
    path: &'p [Segment],
    levels: Vec<Level>,
    /// The segment that applies to the documents.
    first: usize,
    max_bytes: u64,
    /// Whether there is nothing to report: the path leads to a value, or the source is unreadable.
    is_moot: bool,
    is_partial: bool,
}

impl<'p> Probe<'p> {
    /// Creates a probe whose segment `first` applies to the documents.
    pub(super) fn new(path: &'p [Segment], first: usize) -> Self {
        let levels = path.iter().map(|_| Level::default()).collect();
        Probe { path, levels, first, max_bytes: 0, is_moot: false, is_partial: false }
    }

    /// Inspects the start of a source, and returns the number of inspected bytes.
    pub(super) fn run(&mut self, source: &Source, max_bytes: u64) -> u64 {
        self.max_bytes = max_bytes;
        let mut scanner = Scanner::new(stream::open(source, 0));
        match self.documents(&mut scanner) {
            Ok(()) => self.is_moot |= stream::failure(scanner.input()).is_some(),
            Err(Stop::Bound) => self.is_partial = true,
            Err(Stop::Reached | Stop::Unreadable) => self.is_moot = true,
        }
        scanner.offset()
    }

    /// Returns the deepest segment that applies somewhere, if no value there has it.
    pub(super) fn dead_end(self) -> Option<DeadEnd> {
        let mut levels = self.levels.into_iter().enumerate();
        let (segment, level) = levels
            .rfind(|(_, level)| level.dead_end.containers > 0 || level.dead_end.other_type.is_some())?;
        let mut found = level.dead_end;
        if self.is_partial {
            found.keys.mark_partial();
        }
        // The length of an array is known only at its end.
        let is_moot = self.is_moot || self.is_partial && matches!(self.path[segment], Segment::Index(_));
        (!is_moot && level.matches == 0).then_some(DeadEnd {
            segment,
            other_type: found.other_type.filter(|_| found.containers == 0),
            is_partial: self.is_partial,
            ..found
        })
    }

    fn documents(&mut self, scanner: &mut SourceScanner) -> Result<(), Stop> {
        while let Some(token) = scanner.next_token()? {
            self.value(scanner, token, self.first)?;
        }
        Ok(())
    }

    /// Applies the path from the segment `at` on to the value whose first token this is. Recursion
    /// is as deep as the path is long.
    fn value(&mut self, scanner: &mut SourceScanner, token: Token, at: usize) -> Result<(), Stop> {
        if token.start > self.max_bytes {
            return Err(Stop::Bound);
        }
        let Some(segment) = self.path.get(at) else {
            return if token.kind == TokenKind::Null { Ok(()) } else { Err(Stop::Reached) };
        };
        match (segment, token.kind) {
            (_, TokenKind::Null) => {}
            (Segment::Key(_) | Segment::Each, TokenKind::ObjectStart) => self.members(scanner, at)?,
            (Segment::Index(_) | Segment::Each, TokenKind::ArrayStart) => self.elements(scanner, at)?,
            (_, kind) => {
                self.levels[at].dead_end.other_type = Some(type_name(kind));
                self.skip(scanner, token)?;
            }
        }
        Ok(())
    }

    /// Skips the rest of the value whose first token is `first`.
    fn skip(&self, scanner: &mut SourceScanner, first: Token) -> Result<(), Stop> {
        let outer_depth = scanner.depth() - usize::from(first.kind.opens());
        scanner.drop_texts();
        while scanner.depth() > outer_depth {
            let token = scanner.next_token()?.ok_or(Stop::Unreadable)?;
            if token.start > self.max_bytes {
                return Err(Stop::Bound);
            }
        }
        scanner.keep_texts();
        Ok(())
    }

    fn elements(&mut self, scanner: &mut SourceScanner, at: usize) -> Result<(), Stop> {
        self.levels[at].dead_end.containers += 1;
        let wanted = match self.path[at] {
            Segment::Index(index) => Some(index),
            _ => None,
        };
        let mut count = 0;
        loop {
            let token = scanner.next_token()?.ok_or(Stop::Unreadable)?;
            if token.kind == TokenKind::ArrayEnd {
                break;
            }
            if wanted.is_none_or(|wanted| wanted == count) {
                self.levels[at].matches += 1;
                self.value(scanner, token, at + 1)?;
            } else {
                self.skip(scanner, token)?;
            }
            count += 1;
        }
        let longest = &mut self.levels[at].dead_end.longest;
        *longest = (*longest).max(count);
        Ok(())
    }

    fn members(&mut self, scanner: &mut SourceScanner, at: usize) -> Result<(), Stop> {
        self.levels[at].dead_end.containers += 1;
        loop {
            let token = scanner.next_token()?.ok_or(Stop::Unreadable)?;
            if token.kind != TokenKind::Key {
                return Ok(());
            }
            let is_match = match &self.path[at] {
                Segment::Key(wanted) => {
                    let key = unescape(unquoted(scanner, token));
                    let is_match = key == **wanted;
                    if !is_match {
                        self.levels[at].dead_end.keys.add(&key, wanted);
                    }
                    is_match
                }
                _ => true,
            };
            let token = scanner.next_token()?.ok_or(Stop::Unreadable)?;
            if is_match {
                self.levels[at].matches += 1;
                self.value(scanner, token, at + 1)?;
            } else {
                self.skip(scanner, token)?;
            }
        }
    }
}
