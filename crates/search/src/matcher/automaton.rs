//! A pattern as a lazy DFA that walks over a line's parts in their shown form.
//!
//! regex-automata creates a state when it is first reached. This module decides when to clear the
//! cache and when a search costs too much: regex-automata counts bytes of memory, which differ
//! between 32 and 64 bits, and a query must end in the same way everywhere.

use regex_automata::Anchored;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::util::start;
use regex_syntax::hir::{Dot, Hir, Look, Repetition};

use super::TooCostly;
use super::shown::{self, After, REPLACEMENT};

/// Bytes of states in the cache before it is cleared.
const CACHE_BYTES: usize = 4 << 20;

/// Bytes for each state of the NFA, if that is more: a cache must hold a few states of the largest
/// pattern.
const CACHE_BYTES_PER_NFA_STATE: usize = 64;

/// Bytes of the largest NFA. They differ between 32 and 64 bits, but no valid pattern needs more
/// than half of this: see [`crate::pattern::MAX_EXPANDED`].
const MAX_NFA_BYTES: usize = 16 << 20;

/// The cost of creating a transition, without the cost of each NFA state.
const TRANSITION_COST: u64 = 256;

/// Maximum total cost of an automaton's transitions, about half a minute. Most patterns need a few
/// thousand transitions; only a pattern that creates a new state for most characters of a long
/// artifact reaches this limit.
const MAX_COST: u64 = if cfg!(test) { 1 << 26 } else { 1 << 34 };

/// Bytes that are validated as UTF-8 before they are walked over.
const BLOCK_BYTES: usize = if cfg!(test) { 8 } else { 512 };

/// The direction in which an automaton walks along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Forward to the end of the first match: the match that begins first and, among those, the one
    /// that the pattern prefers.
    Forward,
    /// Backward from the end of a match to the first offset where a match with this end may begin.
    Backward,
}

/// The result of a walk.
#[derive(Debug)]
pub(super) struct Walk {
    /// The state to continue from; `None` if nothing can match any more.
    pub state: Option<LazyStateID>,
    /// The number of bytes walked over.
    pub used: usize,
    /// The last offset where a match ends (backward: may begin), in the bytes given.
    pub last_match: Option<usize>,
}

/// A walk over a line that is in memory, which [`Automaton::finish`] ends.
pub(super) struct Walker<'l> {
    line: &'l [u8],
    /// The bytes that were walked over, and the state that they lead to.
    at: usize,
    state: LazyStateID,
    /// The number of times that the cache had been cleared before: clearing it invalidates its states.
    clears: usize,
}

/// The match that a walk searches for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The first match, as far as it extends.
    FirstMatch,
    /// Any match: the result is whether there is one.
    AnyMatch,
}

/// A walk in progress.
struct Run {
    /// `None` once the result is known.
    state: Option<LazyStateID>,
    last_match: Option<usize>,
    /// Matches at smaller offsets do not count.
    least: usize,
    wanted: Wanted,
}

impl Run {
    fn enter(&mut self, state: LazyStateID, offset: usize) {
        if state.is_match() && offset >= self.least {
            self.last_match = Some(offset);
        }
        let is_over = state.is_dead() || (self.wanted == Wanted::AnyMatch && state.is_match());
        self.state = (!is_over).then_some(state);
    }
}

pub(super) struct Automaton {
    /// Never clears its cache by itself.
    dfa: DFA,
    /// The same automaton, for when the cache of `dfa` is full: to create a state, it clears the
    /// cache except for the state that it comes from.
    clearing: DFA,
    cache: Cache,
    /// The state in which a walk begins at no byte.
    start: Option<LazyStateID>,
    /// The newest state in the cache, and the newest state that a match leads to.
    newest: [LazyStateID; 2],
    /// Bytes of the cache when the last state was created.
    used: usize,
    /// Bytes of the states in the cache, without the pointers to them.
    kept: usize,
    max_kept: usize,
    /// Maximum cost of creating a transition, which may visit every NFA state.
    price: u64,
    spent: u64,
}

impl Automaton {
    /// Returns `None` if the pattern is too large.
    pub(super) fn new(pattern: &Hir, direction: Direction) -> Option<Self> {
        let nfa = nfa(pattern, direction)?;
        let size = nfa.states().len();
        let max_kept = CACHE_BYTES.max(CACHE_BYTES_PER_NFA_STATE * size);
        let dfa = |capacity| {
            let config = DFA::config().cache_capacity(capacity).match_kind(match direction {
                Direction::Forward => regex_automata::MatchKind::LeftmostFirst,
                Direction::Backward => regex_automata::MatchKind::All,
            });
            DFA::builder().configure(config).build_from_nfa(nfa.clone()).ok()
        };
        let (dfa, clearing) = (dfa(usize::MAX)?, dfa(max_kept)?);
        let cache = dfa.create_cache();
        let price = TRANSITION_COST + size as u64;
        let used = cache.memory_usage();
        let newest = Default::default();
        Some(Automaton {
            dfa,
            clearing,
            cache,
            start: None,
            newest,
            used,
            kept: 0,
            max_kept,
            price,
            spent: 0,
        })
    }

    /// Begins a walk next to a byte, or at the line's end.
    pub(super) fn begin(&mut self, beside: Option<u8>) -> Result<LazyStateID, TooCostly> {
        if let (None, Some(state)) = (beside, self.start) {
            return Ok(state);
        }
        let config = start::Config::new().anchored(Anchored::Yes).look_behind(beside);
        let clears = self.cache.clear_count();
        let dfa = if self.kept > self.max_kept { &self.clearing } else { &self.dfa };
        let state = dfa.start_state(&mut self.cache, &config).map_err(|_| TooCostly)?;
        self.account(state, clears, false)?;
        if beside.is_none() {
            self.start = Some(state);
        }
        Ok(state)
    }

    /// Returns whether there is a match in a line that is in memory.
    pub(super) fn is_match(&mut self, line: &[u8]) -> Result<bool, TooCostly> {
        let walker = self.walker(line)?;
        self.finish(walker)
    }

    /// Begins a walk over a line that is in memory.
    pub(super) fn walker<'l>(&mut self, line: &'l [u8]) -> Result<Walker<'l>, TooCostly> {
        let state = self.begin(None)?;
        Ok(Walker { line, at: 0, state, clears: self.cache.clear_count() })
    }

    /// Walks over two lines at once, as long as all states are known and all bytes ASCII. Returns whether
    /// the first line must be finished next; otherwise, the second must be.
    pub(super) fn walk_both(&self, first: &mut Walker<'_>, second: &mut Walker<'_>) -> bool {
        let clears = self.cache.clear_count();
        if first.clears != clears || second.clears != clears {
            return true;
        }
        let mut walked = 0;
        // In registers: in the walkers, each step would write them to memory.
        let (mut state, mut other_state) = (first.state, second.state);
        if !(state.is_tagged() | other_state.is_tagged()) {
            for (&byte, &other) in first.line[first.at..].iter().zip(&second.line[second.at..]) {
                let next = self.dfa.next_state_untagged(&self.cache, state, byte);
                let other_next = self.dfa.next_state_untagged(&self.cache, other_state, other);
                if next.is_tagged() | other_next.is_tagged() | !(byte | other).is_ascii() {
                    break;
                }
                (state, other_state) = (next, other_next);
                walked += 1;
            }
        }
        (first.state, second.state) = (state, other_state);
        first.at += walked;
        second.at += walked;
        match first.line.get(first.at) {
            Some(&byte) if byte.is_ascii() && !first.state.is_tagged() => {
                self.dfa.next_state_untagged(&self.cache, first.state, byte).is_tagged()
            }
            _ => true,
        }
    }

    /// Finishes a walk over a line. Returns whether the line has a match. Most lines are short and ASCII;
    /// these are walked over without prior validation.
    pub(super) fn finish(&mut self, walker: Walker<'_>) -> Result<bool, TooCostly> {
        let Walker { line, mut at, mut state, clears } = walker;
        if clears != self.cache.clear_count() {
            (at, state) = (0, self.begin(None)?);
        }
        while !state.is_dead() {
            while let Some(&byte) = line.get(at) {
                let next = self.dfa.next_state_untagged(&self.cache, state, byte);
                if next.is_tagged() | !byte.is_ascii() {
                    break;
                }
                state = next;
                at += 1;
            }
            state = match line.get(at) {
                Some(byte) if !byte.is_ascii() => {
                    let is_end = true;
                    let walk = self.forward(state, &line[at..], is_end, Wanted::AnyMatch)?;
                    return Ok(walk.last_match.is_some());
                }
                byte => self.step(state, byte.copied())?,
            };
            if state.is_match() || at == line.len() {
                return Ok(state.is_match());
            }
            at += 1;
        }
        Ok(false)
    }

    /// Walks over `bytes`, from the first to the last. If the line continues after them, a
    /// last character that may be incomplete is not used. If any match is wanted, the
    /// walk ends as soon as one is detected.
    pub(super) fn forward(
        &mut self,
        state: LazyStateID,
        bytes: &[u8],
        is_end: bool,
        wanted: Wanted,
    ) -> Result<Walk, TooCostly> {
        let mut run = Run { state: Some(state), last_match: None, least: 0, wanted };
        let mut at = 0;
        while at < bytes.len() && run.state.is_some() {
            let block = &bytes[at..bytes.len().min(at + BLOCK_BYTES)];
            let (valid, after) = shown::utf8_head(block);
            self.feed(&mut run, (at..).zip(&block[..valid]))?;
            at += valid;
            match after {
                After::End => {}
                // The match continues past the block.
                After::Cut(length) if at + length < bytes.len() => {}
                After::Cut(_) if !is_end => break,
                After::Invalid(length) | After::Cut(length) => {
                    self.feed(&mut run, REPLACEMENT.iter().map(|byte| (at, byte)))?;
                    at += length;
                }
            }
        }
        if is_end {
            self.end(&mut run, at)?;
        }
        Ok(Walk { state: run.state, used: at, last_match: run.last_match })
    }

    /// Walks over `bytes`, from the last to the first. If the line begins before them, a
    /// first character that may be incomplete is not used. Matches that begin before `least`
    /// do not count.
    pub(super) fn backward(
        &mut self,
        state: LazyStateID,
        bytes: &[u8],
        is_start: bool,
        least: usize,
    ) -> Result<Walk, TooCostly> {
        let mut run = Run { state: Some(state), last_match: None, least, wanted: Wanted::FirstMatch };
        let first = if is_start { 0 } else { shown::first_start(bytes) };
        let mut at = bytes.len();
        while at > first && run.state.is_some() {
            let mut from = at.saturating_sub(BLOCK_BYTES);
            from = if from <= first { first } else { from + shown::first_start(&bytes[from..at]) };
            if shown::utf8_head(&bytes[from..at]).0 == at - from {
                self.feed(&mut run, (from + 1..at + 1).zip(&bytes[from..at]).rev())?;
                at = from;
                continue;
            }
            while at > from && run.state.is_some() {
                let (length, is_utf8) = shown::last_unit(&bytes[from..at]);
                let unit = if is_utf8 { &bytes[at - length..at] } else { &REPLACEMENT };
                self.feed(&mut run, unit.iter().rev().map(|byte| (at, byte)))?;
                at -= length;
            }
        }
        if is_start {
            self.end(&mut run, at)?;
        }
        Ok(Walk { state: run.state, used: bytes.len() - at, last_match: run.last_match })
    }

    /// Returns the bytes of the cache.
    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.cache.memory_usage()
    }

    #[cfg(test)]
    pub(super) fn clears(&self) -> usize {
        self.cache.clear_count()
    }

    /// Feeds bytes to a walk, each with the offset of the match end, or start, that is detected
    /// with it.
    #[inline(always)]
    fn feed<'b>(
        &mut self,
        run: &mut Run,
        mut bytes: impl Iterator<Item = (usize, &'b u8)>,
    ) -> Result<(), TooCostly> {
        while let Some(mut state) = run.state {
            let event = self.next_event(&mut state, &mut bytes);
            run.state = Some(state);
            let Some((offset, byte, known)) = event else { break };
            let next = match known {
                Some(next) => next,
                None => self.step(state, Some(byte))?,
            };
            run.enter(next, offset);
        }
        Ok(())
    }

    /// Walks as long as all states are known and none is special. Returns the byte where this ends,
    /// with its offset and, if known, the state that it leads to.
    #[inline(always)]
    fn next_event<'b>(
        &self,
        state: &mut LazyStateID,
        bytes: &mut impl Iterator<Item = (usize, &'b u8)>,
    ) -> Option<(usize, u8, Option<LazyStateID>)> {
        if state.is_tagged() {
            return bytes.next().map(|(offset, &byte)| (offset, byte, None));
        }
        for (offset, &byte) in bytes {
            let next = self.dfa.next_state_untagged(&self.cache, *state, byte);
            if next.is_tagged() {
                return Some((offset, byte, (!next.is_unknown()).then_some(next)));
            }
            *state = next;
        }
        None
    }

    /// Ends a walk at the line's end.
    fn end(&mut self, run: &mut Run, offset: usize) -> Result<(), TooCostly> {
        if let Some(state) = run.state {
            let last = self.step(state, None)?;
            run.enter(last, offset);
            run.state = None;
        }
        Ok(())
    }

    /// Returns the state that a byte, or the line's end, leads to, and creates it if it is unknown.
    #[inline(never)]
    fn step(&mut self, from: LazyStateID, byte: Option<u8>) -> Result<LazyStateID, TooCostly> {
        let clears = self.cache.clear_count();
        let dfa = if self.kept > self.max_kept { &self.clearing } else { &self.dfa };
        let next = match byte {
            Some(byte) => dfa.next_state(&mut self.cache, from, byte),
            None => dfa.next_eoi_state(&mut self.cache, from),
        };
        let next = next.map_err(|_| TooCostly)?;
        // Only transitions from a match may have been known.
        self.account(next, clears, byte.is_some() && !from.is_tagged())?;
        Ok(next)
    }

    /// Adds up the cost of a state that regex-automata returned. `clears` is the number of times
    /// that the cache was cleared before; `is_made` says that the transition to the state was
    /// created, even if the state was not.
    fn account(&mut self, state: LazyStateID, clears: usize, is_made: bool) -> Result<(), TooCostly> {
        /// Bytes of pointers for a state: two to its bytes, each with their length.
        const POINTERS: usize = 4 * size_of::<usize>();
        let is_cleared = self.cache.clear_count() != clears;
        if is_cleared {
            (self.start, self.newest, self.kept) = (None, Default::default(), 0);
        }
        // States are numbered in the order of their creation.
        let newest = &mut self.newest[usize::from(state.is_match())];
        let is_new = state > *newest && !state.is_dead();
        if is_new {
            *newest = state;
            let used = self.cache.memory_usage();
            if !is_cleared {
                self.kept += used.saturating_sub(self.used + POINTERS);
            }
            self.used = used;
        }
        if is_new || is_made {
            self.spent += self.price;
        }
        match self.spent <= MAX_COST {
            true => Ok(()),
            false => Err(TooCostly),
        }
    }
}

/// Returns `None` if the pattern is too large.
fn nfa(pattern: &Hir, direction: Direction) -> Option<NFA> {
    let is_anchored = pattern.properties().look_set_prefix().contains(Look::Start);
    let config = NFA::config()
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(MAX_NFA_BYTES))
        .reverse(direction == Direction::Backward);
    let mut compiler = NFA::compiler();
    compiler.configure(config);
    if direction == Direction::Backward || is_anchored {
        return compiler.build_from_hir(pattern).ok();
    }
    // A match begins between two characters, even if it is empty: an unanchored search of
    // regex-automata, in contrast, begins at any byte.
    let before = Repetition { min: 0, max: None, greedy: false, sub: Box::new(Hir::dot(Dot::AnyChar)) };
    compiler.build_from_hir(&Hir::concat(vec![Hir::repetition(before), pattern.clone()])).ok()
}
