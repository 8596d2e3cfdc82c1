//! A program walked as an automaton whose states are made when they are first
//! reached: as fast as a table where a text is like what came before it, and
//! never slower than trying all ways at once.
//!
//! An automaton's state is what may go on from a place: the program's states in
//! the order of preference, the kind of the character before, and whether a
//! match was found already. Assertions look at both sides of a place, so what a
//! state leads to is decided with the next character, and a match is told one
//! character late.

use std::rc::Rc;

use super::TooCostly;
use super::chars::{self, Classes, Kind, MAX_CHAR_BYTES};
use super::program::{Direction, Program, State, StateId};

/// Entries of the table before it is begun anew: 2 MiB.
const MAX_ENTRIES: usize = 1 << 19;

/// Program states in all keys before the table is begun anew.
const MAX_KEPT: usize = 1 << 18;

/// Steps that a query may spend on making states. Most patterns need a few
/// thousand; this many, some seconds' worth, only one that makes a new state for
/// most characters of a long artifact.
const MAX_STEPS: u64 = if cfg!(test) { 1 << 26 } else { 1 << 31 };

/// What a table entry is: a row's first entry, and flags.
type Entry = u32;

/// A match ends (backward: may begin) before the character.
const MATCH: Entry = 1 << 31;
/// Not in the table yet.
const UNKNOWN: Entry = 1 << 30;
/// Nothing can match any more.
const DEAD: Entry = 1 << 29;
/// From here on an entry has flags.
const SPECIAL: Entry = DEAD;

/// An automaton's place in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(Entry);

/// How far a walk went.
#[derive(Debug)]
pub(super) struct Walk {
    /// Where to go on; none if nothing can match any more.
    pub place: Option<Place>,
    /// Bytes that were walked over.
    pub used: usize,
    /// The last place of a match, in bytes of those given.
    pub found: Option<usize>,
}

pub(super) struct Automaton {
    program: Program,
    classes: Rc<Classes>,
    table: Vec<Entry>,
    /// The key of each row, and the row of each key.
    keys: Vec<Rc<[u32]>>,
    rows: Rows,
    kept: usize,
    /// The rows that walks begin with, by kind.
    begun: [Option<Entry>; Kind::ALL.len()],
    scratch: Scratch,
    steps: u64,
}

/// What making a state needs, kept between two.
#[derive(Default)]
struct Scratch {
    /// When each program state was visited last.
    visited: Vec<u32>,
    round: u32,
    stack: Vec<StateId>,
    /// Program states that wait for a character, in the order of preference.
    waiting: Vec<(u32, StateId)>,
}

impl Scratch {
    fn begin(&mut self) {
        if self.round == u32::MAX {
            self.visited.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.waiting.clear();
    }

    fn is_first_visit(&mut self, state: StateId) -> bool {
        std::mem::replace(&mut self.visited[state as usize], self.round) != self.round
    }
}

impl Automaton {
    pub(super) fn new(program: Program, classes: Rc<Classes>) -> Self {
        let scratch = Scratch { visited: vec![0; program.len()], ..Scratch::default() };
        Automaton {
            program,
            classes,
            table: Vec::new(),
            keys: Vec::new(),
            rows: Rows::default(),
            kept: 0,
            begun: [None; Kind::ALL.len()],
            scratch,
            steps: 0,
        }
    }

    /// Where a walk begins, beside a character of this kind.
    pub(super) fn begin(&mut self, beside: Kind) -> Place {
        if let Some(row) = self.begun[beside as usize] {
            return Place(row);
        }
        let mut key = vec![self.header(beside, false)];
        if self.program.direction == Direction::Backward {
            key.push(self.program.start);
        }
        let row = self.row(key.into());
        self.begun[beside as usize] = Some(row);
        Place(row)
    }

    /// Walks over `bytes`, from the first to the last. If the text goes on behind
    /// them, a last character that may not be whole is left over. With `any` the
    /// walk ends at the first place of a match.
    pub(super) fn forward(
        &mut self,
        place: Place,
        bytes: &[u8],
        is_end: bool,
        any: bool,
    ) -> Result<Walk, TooCostly> {
        let (mut row, mut at, mut found) = (place.0, 0, None);
        loop {
            // As long as there is nothing to find out.
            let (table, classes) = (&self.table[..], self.classes.bytes());
            while let Some(&byte) = bytes.get(at) {
                let next = table[row as usize + usize::from(classes[usize::from(byte)])];
                if next >= SPECIAL {
                    if any || next & (UNKNOWN | DEAD) != 0 {
                        break;
                    }
                    found = Some(at);
                }
                row = next & !MATCH;
                at += 1;
            }
            let (class, length) = match &bytes[at..] {
                [] if is_end => (self.classes.end(), 0),
                [] => break,
                rest if !rest[0].is_ascii() && rest.len() < MAX_CHAR_BYTES && !is_end => break,
                rest => {
                    let (c, length) = chars::decode(rest);
                    (self.classes.of(c), length)
                }
            };
            let next = self.step(row, class)?;
            if next & MATCH != 0 {
                found = Some(at);
            }
            at += length;
            if next & DEAD != 0 || length == 0 || (any && found.is_some()) {
                return Ok(Walk { place: None, used: at, found });
            }
            row = next & !MATCH;
        }
        Ok(Walk { place: Some(Place(row)), used: at, found })
    }

    /// Walks over `bytes`, from the last to the first. If the text begins before
    /// them, a first character that may not be whole is left over.
    pub(super) fn backward(&mut self, place: Place, bytes: &[u8], is_start: bool) -> Result<Walk, TooCostly> {
        let (mut row, mut at, mut found) = (place.0, bytes.len(), None);
        loop {
            let (table, classes) = (&self.table[..], self.classes.bytes());
            while let Some(&byte) = bytes[..at].last() {
                let next = table[row as usize + usize::from(classes[usize::from(byte)])];
                if next & (UNKNOWN | DEAD) != 0 {
                    break;
                }
                if next & MATCH != 0 {
                    found = Some(at);
                }
                row = next & !MATCH;
                at -= 1;
            }
            let (class, length) = match &bytes[..at] {
                [] if is_start => (self.classes.end(), 0),
                [] => break,
                rest if rest.len() < MAX_CHAR_BYTES && !is_start => break,
                rest => {
                    let (c, length) = chars::decode_last(rest);
                    (self.classes.of(c), length)
                }
            };
            let next = self.step(row, class)?;
            if next & MATCH != 0 {
                found = Some(at);
            }
            at -= length;
            if next & DEAD != 0 || length == 0 {
                return Ok(Walk { place: None, used: bytes.len() - at, found });
            }
            row = next & !MATCH;
        }
        Ok(Walk { place: Some(Place(row)), used: bytes.len() - at, found })
    }

    /// Where a class leads to.
    fn step(&mut self, row: Entry, class: u16) -> Result<Entry, TooCostly> {
        match self.table[row as usize + usize::from(class)] {
            UNKNOWN => self.make(row, class),
            known => Ok(known),
        }
    }

    fn make(&mut self, row: Entry, class: u16) -> Result<Entry, TooCostly> {
        let key = Rc::clone(&self.keys[row as usize / self.classes.count()]);
        let (before, had_match) = self.read_header(key[0]);
        let here = self.classes.kind(class);
        let forward = self.program.direction == Direction::Forward;
        let neighbours = if forward { (before, here) } else { (here, before) };

        // What waits at this place, up to the preferred match.
        self.scratch.begin();
        let mut is_match = false;
        for &state in &key[1..] {
            is_match |= self.wait(state, neighbours);
            if is_match && forward {
                break;
            }
        }
        // A match may begin here, if none was found that begins before.
        let begins = forward && !is_match && !had_match && (!self.program.anchored || before == Kind::Edge);
        if begins {
            is_match |= self.wait(self.program.start, neighbours);
        }

        // What is left of it behind the character.
        let has_match = forward && (had_match || is_match);
        let waiting = std::mem::take(&mut self.scratch.waiting);
        self.scratch.begin();
        let mut next = vec![self.header(here, has_match)];
        for &(set, state) in &waiting {
            if self.program.contains(set, class) && self.scratch.is_first_visit(state) {
                next.push(state);
            }
        }
        self.steps += key.len() as u64 + waiting.len() as u64;
        self.scratch.waiting = waiting;
        if self.steps > MAX_STEPS {
            return Err(TooCostly);
        }

        let flag = if is_match { MATCH } else { 0 };
        let no_more = !forward || has_match || self.program.anchored;
        if class == self.classes.end() || (next.len() == 1 && no_more) {
            self.table[row as usize + usize::from(class)] = DEAD | flag;
            return Ok(DEAD | flag);
        }
        if self.table.len() + self.classes.count() > MAX_ENTRIES || self.kept + next.len() > MAX_KEPT {
            // The row that the character was read in is gone with the others.
            self.forget();
            return Ok(self.row(next.into()) | flag);
        }
        let entry = self.row(next.into()) | flag;
        self.table[row as usize + usize::from(class)] = entry;
        Ok(entry)
    }

    /// Follows a state to those that wait for a character. True if it comes to a
    /// match on the way; forward, what is less preferred is not followed then.
    fn wait(&mut self, state: StateId, (left, right): (Kind, Kind)) -> bool {
        let forward = self.program.direction == Direction::Forward;
        let mut is_match = false;
        self.scratch.stack.clear();
        self.scratch.stack.push(state);
        while let Some(state) = self.scratch.stack.pop() {
            if !self.scratch.is_first_visit(state) {
                continue;
            }
            self.steps += 1;
            match self.program.state(state) {
                State::Set(set, next) => self.scratch.waiting.push((set, next)),
                State::Split(first, second) => self.scratch.stack.extend([second, first]),
                State::Look(look, next) => {
                    if look.holds(left, right) {
                        self.scratch.stack.push(next);
                    }
                }
                State::Match => {
                    is_match = true;
                    if forward {
                        break;
                    }
                }
            }
        }
        is_match
    }

    /// The row of a key, made if there is none.
    fn row(&mut self, key: Rc<[u32]>) -> Entry {
        let count = self.classes.count();
        let slot = self.rows.slot(&key, |row| &self.keys[row as usize / count]);
        if let Some(row) = self.rows.slots[slot] {
            return row;
        }
        let row = self.table.len() as Entry;
        self.table.resize(self.table.len() + count, UNKNOWN);
        self.kept += key.len();
        self.keys.push(key);
        self.rows.slots[slot] = Some(row);
        if self.keys.len() * 2 > self.rows.slots.len() {
            self.rows.grow(&self.keys, count);
        }
        row
    }

    /// Begins the table anew.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.keys.clear();
        self.rows = Rows::default();
        self.begun = [None; Kind::ALL.len()];
        self.kept = 0;
    }

    /// A key's first word. Without assertions no character is unlike another.
    fn header(&self, kind: Kind, has_match: bool) -> u32 {
        let kind = if self.program.looks { kind } else { Kind::Other };
        kind as u32 | u32::from(has_match) << 3
    }

    fn read_header(&self, header: u32) -> (Kind, bool) {
        (Kind::ALL[(header & 7) as usize], header & 8 != 0)
    }
}

/// The row of each key: a table of slots, at least half of them free, in which a
/// key is at its hash or at the next slots behind it.
struct Rows {
    slots: Vec<Option<Entry>>,
}

impl Default for Rows {
    fn default() -> Self {
        Rows { slots: vec![None; 64] }
    }
}

impl Rows {
    /// Where a key is, or would be.
    fn slot<'k>(&self, key: &[u32], key_of: impl Fn(Entry) -> &'k Rc<[u32]>) -> usize {
        let hash = key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &word| {
            (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
        });
        let mut slot = (hash >> 32 ^ hash) as usize & (self.slots.len() - 1);
        while self.slots[slot].is_some_and(|row| **key_of(row) != *key) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Twice as many slots, for the keys of these rows.
    fn grow(&mut self, keys: &[Rc<[u32]>], count: usize) {
        self.slots = vec![None; self.slots.len() * 2];
        for (n, key) in keys.iter().enumerate() {
            let slot = self.slot(key, |row| &keys[row as usize / count]);
            self.slots[slot] = Some((n * count) as Entry);
        }
    }
}
