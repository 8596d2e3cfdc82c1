//! What a filter may use up: steps, memory, depth.
//!
//! **Steps** count work. One is what jaq does for one term of a filter; what
//! values do at once is charged in proportion. **Memory** is an estimate of what
//! the values and contexts that are alive hold. Both are counted in units that
//! are the same on every machine, so that a filter stops at the same place
//! everywhere.
//!
//! Values are built in places that cannot fail (`FromIterator`) and errors can
//! be caught (`try`), so that an error alone would not do: the first limit that
//! is passed is noted, there are no more steps from then on ([`super::run`] sees
//! to it that every term ends), and whoever runs the filter asks after each
//! output. All of it is of the thread, as is a run: nothing else could carry it
//! to where values are compared, copied and dropped.

use std::cell::Cell;

use crate::error::Error;

/// Levels of arrays and objects that a document may have. Reading, writing and
/// comparing take a stack frame for each.
pub(crate) const MAX_DOCUMENT_DEPTH: usize = 256;

/// Levels that a value may have that a filter builds, and parts of a path.
pub(crate) const MAX_DEPTH: u32 = 512;

/// Bytes of a string that a filter builds.
pub(crate) const MAX_STRING_BYTES: usize = 64 << 20;

/// Elements of an array that a filter builds.
pub(crate) const MAX_ITEMS: usize = 1 << 24;

/// Terms of a filter that may wait for each other's outputs: each takes stack.
pub(super) const MAX_NESTING: u32 = 640;

/// Steps that a filter has if nothing is said.
pub const DEFAULT_STEPS: u64 = 5_000_000;

/// Steps that a filter has besides, for each byte of the documents that it is run
/// on: time that is linear in what is asked is no harm.
const STEPS_A_BYTE: u64 = 4;

/// Bytes that count as read when a filter begins.
const READ_AT_ONCE: u64 = 1 << 20;

/// The most steps that can be asked for.
pub const MAX_STEPS: u64 = 100_000_000_000;

/// Bytes that a filter and its document may take if nothing is said: what hosts
/// give a guest. Of these, five eighths are for the values of a document, by an
/// estimate that is the same on every machine ([`super::read`]), and three for what
/// the filter makes of it.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// The fewest and the most bytes that can be asked for.
pub const MIN_MEMORY: u64 = 1 << 20;
/// The most memory that a caller can allow a filter.
pub const MAX_MEMORY: u64 = 3 << 30;

/// A limit that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Depth,
    String,
    Items,
    Steps,
    Memory,
    Nesting,
    Path,
}

impl Limit {
    /// What happened, as a sentence without its end.
    pub(crate) fn message(self) -> String {
        match self {
            Limit::Depth => format!("the filter builds a value of more than {MAX_DEPTH} levels"),
            Limit::String => {
                format!("the filter builds a string of more than {} MiB", MAX_STRING_BYTES >> 20)
            }
            Limit::Items => format!("the filter builds an array of more than {MAX_ITEMS} elements"),
            Limit::Steps => format!("it takes more than {} steps", COUNTS.with(|counts| counts.given.get())),
            Limit::Memory => format!("what it holds takes more than {} of memory", size(filter_bytes())),
            Limit::Nesting => format!("its definitions call each other more than {MAX_NESTING} levels deep"),
            Limit::Path => format!("the filter builds a path of more than {MAX_DEPTH} parts"),
        }
    }
}

/// A part of the memory for people.
pub(super) fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

/// As if all that can be held was read.
const UNBOUNDED: u64 = u64::MAX / 2;

/// All that is counted, in one place: it is asked for with every value.
struct Counts {
    passed: Cell<Option<Limit>>,
    /// Steps that were given, and that are left.
    given: Cell<u64>,
    left: Cell<u64>,
    /// How deep the term is that was looked up last.
    depth: Cell<u32>,
    /// Bytes that the filter and its document may take.
    memory: Cell<u64>,
    /// Bytes of the artifact for which none were given yet.
    unread: Cell<u64>,
    /// Bytes that are held by all values and contexts of this thread.
    held: Cell<u64>,
    /// As many bytes can be held before the instance's memory has to grow, more or less.
    #[cfg(target_family = "wasm")]
    reserved: Cell<u64>,
    /// Of these, bytes that were read; at most as many as are held.
    read: Cell<u64>,
}

thread_local! {
    static COUNTS: Counts = const {
        Counts {
            passed: Cell::new(None),
            given: Cell::new(u64::MAX),
            left: Cell::new(u64::MAX),
            depth: Cell::new(0),
            memory: Cell::new(DEFAULT_MEMORY),
            unread: Cell::new(0),
            held: Cell::new(0),
            #[cfg(target_family = "wasm")]
            reserved: Cell::new(0),
            read: Cell::new(0),
        }
    };
}

impl Counts {
    /// Whether so much may be held.
    fn has_room(&self, held: u64) -> bool {
        // What is kept of many values that were read is no more than what one may take.
        let read = match self.read.get() {
            UNBOUNDED => UNBOUNDED,
            read => read.min(self.memory.get() / 8 * 5),
        };
        held <= self.memory.get() / 8 * 3 + read
    }

    /// Makes the instance's memory larger at once by what may be needed next: small
    /// values would have it grow page by page, and some engines take a millisecond
    /// for each time (Node 20 does).
    #[cfg(target_family = "wasm")]
    #[cold]
    fn reserve(&self) {
        let held = self.held.get();
        let ahead = (held / 4).clamp(1 << 20, 16 << 20);
        self.reserved.set(held.saturating_add(ahead));
        // The allocator keeps what is given back. Where there is no room, nothing is lost.
        let mut room = Vec::<u8>::new();
        let _ = room.try_reserve_exact(ahead as usize);
        std::hint::black_box(&mut room);
    }
}

/// Begins to count, with this many steps and bytes of memory (the defaults if
/// none), for an artifact of this size. A note of what an earlier filter passed is
/// not about this one.
pub(super) fn start(steps: Option<u64>, memory: Option<u64>, size: u64) {
    let steps = steps.unwrap_or(DEFAULT_STEPS).min(MAX_STEPS);
    let memory = memory.unwrap_or(DEFAULT_MEMORY).clamp(MIN_MEMORY, MAX_MEMORY);
    COUNTS.with(|counts| {
        counts.memory.set(memory);
        counts.passed.set(None);
        counts.given.set(steps);
        counts.left.set(steps);
        counts.unread.set(size);
    });
    read(READ_AT_ONCE);
}

/// Bytes that the values of one document may take at once.
pub(super) fn document_bytes() -> u64 {
    COUNTS.with(|counts| counts.memory.get() / 8 * 5)
}

/// Bytes that a run may hold, besides what it reads.
fn filter_bytes() -> u64 {
    COUNTS.with(|counts| counts.memory.get() / 8 * 3)
}

/// Gives steps for bytes of the artifact that were read, for each only once.
pub(super) fn read(bytes: u64) {
    COUNTS.with(|counts| {
        let bytes = bytes.min(counts.unread.get());
        counts.unread.set(counts.unread.get() - bytes);
        let steps = bytes.saturating_mul(STEPS_A_BYTE);
        if counts.passed.get().is_none() {
            counts.given.set(counts.given.get().saturating_add(steps));
            counts.left.set(counts.left.get().saturating_add(steps));
        }
    });
}

/// Gives steps back that were taken in advance.
pub(crate) fn give_back(steps: u64) {
    COUNTS.with(|counts| {
        if counts.passed.get().is_none() {
            counts.left.set(counts.left.get().saturating_add(steps));
        }
    });
}

/// Takes neither steps nor memory for what is done here: reading, which has bounds
/// of its own, and gives steps for what is read.
pub(super) fn free<T>(f: impl FnOnce() -> T) -> T {
    // However much it is, there is room.
    let (left, given, held, read) = COUNTS.with(|counts| {
        (counts.left.replace(u64::MAX), counts.given.get(), counts.held.get(), counts.read.replace(UNBOUNDED))
    });
    let done = f();
    COUNTS.with(|counts| {
        let more = counts.held.get().saturating_sub(held);
        counts.read.set(counts.held.get().min(read.saturating_add(more)));
        // What was passed before stays passed.
        counts.left.set(match counts.passed.get() {
            None => left.saturating_add(counts.given.get() - given),
            Some(_) => 0,
        });
    });
    done
}

/// Notes that a limit was passed; the first note stays.
pub(crate) fn pass(limit: Limit) {
    COUNTS.with(|counts| {
        counts.passed.set(counts.passed.get().or(Some(limit)));
        counts.left.set(0);
    });
}

/// What ended a filter, if a limit was passed.
pub(super) fn error() -> Option<Error> {
    passed().map(|limit| {
        let advice = match limit {
            Limit::Steps => "Ask for less at a time; the host can allow more by max-steps",
            Limit::Memory => "Ask for less at a time; the host can allow more by max-memory",
            _ => "Ask for less at a time",
        };
        Error::limit(format!("The filter was stopped: {}. {advice}.", limit.message()))
    })
}

/// The limit that was passed, if one was.
pub(crate) fn passed() -> Option<Limit> {
    COUNTS.with(|counts| counts.passed.get())
}

/// Takes steps. False if there are not as many left: a limit was passed.
pub(crate) fn take(steps: u64) -> bool {
    // Nothing is left once a limit was passed, so that what costs nothing fails too.
    let is_left = COUNTS.with(|counts| {
        let left = counts.left.get();
        let is_left = left > steps;
        if is_left {
            counts.left.set(left - steps);
        }
        is_left
    });
    if !is_left {
        pass(Limit::Steps);
    }
    is_left
}

/// Takes the steps of looking up a term that is inside of so many others. Past some
/// depth more than one: what a term gives passes all that are around it.
pub(super) fn look_up(depth: u32) -> bool {
    COUNTS.with(|counts| counts.depth.set(depth));
    take(1 + u64::from(depth.saturating_sub(64)) / 32)
}

/// The steps of each output of a term that was just looked up, and gives them one
/// after the other without another look-up.
pub(crate) fn steps_of_output() -> u64 {
    1 + u64::from(COUNTS.with(|counts| counts.depth.get())) / 8
}

/// The steps of sorting so many values, or of looking one up among them, where one
/// round takes `steps`.
pub(crate) fn rounds(steps: u64, values: usize) -> u64 {
    steps.saturating_mul(u64::from(values.max(1).ilog2()) + 1)
}

/// Memory that is held until this is dropped. Copies hold as much again.
#[derive(Debug)]
pub(crate) struct Held(u64);

impl Held {
    pub(crate) fn new(bytes: u64) -> Held {
        hold(bytes);
        Held(bytes)
    }

    /// Holds more, or less.
    pub(crate) fn set(&mut self, bytes: u64) {
        hold(bytes);
        release(self.0);
        self.0 = bytes;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Held::new(self.0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        release(self.0);
    }
}

/// Whether there is room for so much more; if not, a limit was passed.
pub(crate) fn has_room(bytes: u64) -> bool {
    let room = COUNTS.with(|counts| counts.has_room(counts.held.get().saturating_add(bytes)));
    if !room {
        pass(Limit::Memory);
    }
    room
}

/// Bytes that are held now by all values and contexts of this thread.
#[cfg(test)]
pub(super) fn held() -> u64 {
    COUNTS.with(|counts| counts.held.get())
}

/// Counts bytes as held, until they are released.
pub(crate) fn hold(bytes: u64) {
    let room = COUNTS.with(|counts| {
        let held = counts.held.get().saturating_add(bytes);
        counts.held.set(held);
        #[cfg(target_family = "wasm")]
        if held > counts.reserved.get() {
            counts.reserve();
        }
        counts.has_room(held)
    });
    if !room {
        pass(Limit::Memory);
    }
}

/// Counts bytes as held no longer.
pub(crate) fn release(bytes: u64) {
    COUNTS.with(|counts| {
        let held = counts.held.get().saturating_sub(bytes);
        counts.held.set(held);
        if counts.read.get() != UNBOUNDED {
            counts.read.set(counts.read.get().min(held));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_stays_and_ends_all() {
        start(Some(10), None, 0);
        assert!(take(9) && passed().is_none());
        assert!(!take(5));
        pass(Limit::Depth);
        assert_eq!(passed(), Some(Limit::Steps));
        assert!(!take(0));
        COUNTS.with(|counts| counts.unread.set(100));
        read(100);
        assert!(!take(1), "what is read after the end is no help");
        start(Some(u64::MAX), None, 0);
        assert!(take(MAX_STEPS - 1) && !take(1));
    }

    #[test]
    fn what_is_read_for_free_gives_its_steps() {
        start(Some(10), None, READ_AT_ONCE + 100);
        assert!(take(10 + 4 * READ_AT_ONCE - 1));
        free(|| {
            assert!(take(1000));
            read(100);
        });
        assert!(take(400) && !take(1));
    }

    #[test]
    fn what_is_read_for_free_is_no_way_past_a_limit() {
        start(Some(10), None, 0);
        pass(Limit::Steps);
        free(|| ());
        assert!(!take(0));
    }

    #[test]
    fn what_is_dropped_is_no_longer_held() {
        start(None, None, 0);
        let before = held();
        let mut holding = Held::new(100);
        let copy = holding.clone();
        assert_eq!(held(), before + 200);
        let read = free(|| Held::new(filter_bytes()));
        assert_eq!(passed(), None);
        holding.set(filter_bytes());
        assert_eq!(passed(), Some(Limit::Memory));
        drop((holding, copy, read));
        assert_eq!(held(), before);
    }
}
