//! Limits of a filter: steps, memory and depth.
//!
//! **Steps** count work. jaq takes one for each term that it evaluates, and one for each context that it
//! copies for that; operations on whole values are charged in proportion to their size. Reading the
//! source gives steps back, but a filter never has more of them left than it started with: what it
//! does after reading is bounded, whatever the size of the source. Reading the source again and again
//! takes steps. **Memory** is an estimate of the bytes that all live values and contexts occupy.
//! The units of both are the same on every machine, so that a filter stops at the same place
//! everywhere.
//!
//! An error alone cannot end a filter: some values are built where nothing can fail
//! (`FromIterator`), and a filter can catch errors (`try`). Instead, the first limit that is
//! exceeded is recorded. No steps are left from then on, `run` makes every term end the
//! run, and the caller checks [`error`] after each output. All of this is thread-local, as is a
//! run: nothing else reaches the places where values are compared, cloned and dropped.

use std::cell::Cell;

use crate::error::Error;

/// Levels of arrays and objects that a document may have. Reading, writing and comparing take a
/// stack frame for each.
pub(crate) const MAX_DOCUMENT_DEPTH: usize = 256;

/// Levels of a value that a filter builds, and components of a path.
pub(crate) const MAX_DEPTH: u32 = 512;

/// Bytes of a string that a filter builds by default.
pub(crate) const STRING_BYTES: usize = 64 << 20;

/// The part of the memory that a string may have, if that is more.
const STRING_SHARE: u64 = 16;

/// Elements of an array that a filter builds.
pub(crate) const MAX_ITEMS: usize = 1 << 24;

/// Terms of a filter that may wait for each other's outputs: each takes stack. The smallest stack of a host
/// is wasmtime's default of 512 KiB, which 960 terms of the largest frames exceed.
pub(crate) const MAX_NESTING: u32 = 640;

/// Steps of a filter by default.
pub const DEFAULT_STEPS: u64 = 20_000_000;

/// Bytes of the source that give a step back when they are read first: a filter that processes one row
/// after the other takes time that is linear in the size of the source, as reading does. The same
/// number takes a step if the source was read more than [`FREE_READS`] times.
const BYTES_PER_STEP: u64 = 16;

/// Times that a filter may read its source before reading takes steps: a path is read twice, once
/// to find it and once for its values, and most filters have few paths.
const FREE_READS: u64 = 4;

/// Maximum steps that a caller can allow a filter.
pub const MAX_STEPS: u64 = 100_000_000_000;

/// Default memory of a filter and its document in bytes: the amount that hosts allow a guest. Five
/// eighths of it are for the values of a document (see `read`), three eighths for the values that
/// the filter builds.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// Minimum memory that a caller can allow a filter.
pub const MIN_MEMORY: u64 = 1 << 20;

/// Maximum memory that a caller can allow a filter.
pub const MAX_MEMORY: u64 = 3 << 30;

/// A limit that a filter exceeded.
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
    /// Describes the exceeded limit, as a clause without a full stop.
    pub(crate) fn message(self) -> String {
        match self {
            Limit::Depth => format!("the filter builds a value of more than {MAX_DEPTH} levels"),
            Limit::String => {
                format!("the filter builds a string of more than {} MiB", max_string_bytes() >> 20)
            }
            Limit::Items => format!("the filter builds an array of more than {MAX_ITEMS} elements"),
            Limit::Steps => {
                format!("it takes more than {} steps", METER.with(|meter| meter.allowed_steps.get()))
            }
            Limit::Memory => {
                let (share, whole) = (filter_memory(), METER.with(|meter| meter.memory.get()));
                format!(
                    "it holds more than {} in memory, its share of {}",
                    binary_size(share),
                    binary_size(whole)
                )
            }
            Limit::Nesting => format!("its definitions call each other more than {MAX_NESTING} levels deep"),
            Limit::Path => format!("the filter builds a path of more than {MAX_DEPTH} parts"),
        }
    }
}

/// Formats an amount of memory for people.
pub(crate) fn binary_size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes >> 10),
        mebibytes if mebibytes % 1024 == 0 => format!("{} GiB", mebibytes >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

/// An amount of memory that no run reaches.
const UNBOUNDED: u64 = u64::MAX / 2;

/// Counters of a thread, in one place because every value updates them.
struct Meter {
    exceeded: Cell<Option<Limit>>,
    /// The remaining steps, and their maximum.
    remaining: Cell<u64>,
    allowed_steps: Cell<u64>,
    /// Bytes of the source that were not read so far, and those that may be read again without steps.
    unread: Cell<u64>,
    free: Cell<u64>,
    /// Bytes that were read first, and too often, since they last changed the remaining steps.
    credited: Cell<u64>,
    owed: Cell<u64>,
    /// Whether steps are charged.
    is_metered: Cell<bool>,
    /// Depth of the term that was looked up last.
    depth: Cell<u32>,
    /// Maximum bytes that the filter and its document may occupy.
    memory: Cell<u64>,
    /// Bytes of the document's share that the values of variables take.
    held: Cell<u64>,
    /// Bytes that all live values and contexts occupy.
    reserved: Cell<u64>,
    /// Bytes that can be reserved before the instance's memory has to grow, approximately.
    #[cfg(target_family = "wasm")]
    committed: Cell<u64>,
    /// The part of the reserved bytes that belongs to values read from documents.
    read: Cell<u64>,
    /// Bytes up to which reserving more needs no further check: the limits above, as of the last
    /// change of one of them.
    unchecked: Cell<u64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            exceeded: Cell::new(None),
            remaining: Cell::new(u64::MAX),
            allowed_steps: Cell::new(u64::MAX),
            unread: Cell::new(0),
            free: Cell::new(0),
            credited: Cell::new(0),
            owed: Cell::new(0),
            is_metered: Cell::new(true),
            depth: Cell::new(0),
            memory: Cell::new(DEFAULT_MEMORY),
            held: Cell::new(0),
            reserved: Cell::new(0),
            #[cfg(target_family = "wasm")]
            committed: Cell::new(0),
            read: Cell::new(0),
            unchecked: Cell::new(0),
        }
    };
}

impl Meter {
    /// Returns the maximum bytes that may be reserved in all.
    fn allowed(&self) -> u64 {
        // The values that a filter keeps of many documents must not exceed the limit of one.
        let read = match self.read.get() {
            UNBOUNDED => UNBOUNDED,
            read => read.min(self.memory.get() / 8 * 5),
        };
        self.memory.get() / 8 * 3 + read
    }

    /// Changes the part that belongs to values read from documents.
    fn set_read(&self, bytes: u64) -> u64 {
        let old = self.read.replace(bytes);
        self.update_unchecked();
        old
    }

    /// Gives steps back for the credited bytes, and takes those that are owed. The bytes of an incomplete
    /// step stay.
    #[inline(never)]
    fn settle(&self) {
        let steps = |bytes: &Cell<u64>| bytes.replace(bytes.get() % BYTES_PER_STEP) / BYTES_PER_STEP;
        self.give_back(steps(&self.credited));
        let owed = steps(&self.owed);
        if owed > 0 {
            charge(owed);
        }
    }

    /// Adds to the remaining steps, as long as no limit was exceeded.
    fn give_back(&self, steps: u64) {
        if self.exceeded.get().is_none() {
            self.remaining.set(self.remaining.get().saturating_add(steps).min(self.allowed_steps.get()));
        }
    }

    fn update_unchecked(&self) {
        #[cfg(target_family = "wasm")]
        self.unchecked.set(self.allowed().min(self.committed.get()));
        #[cfg(not(target_family = "wasm"))]
        self.unchecked.set(self.allowed());
    }

    /// Grows the instance's memory if it has to, and records the limit if the reserved bytes
    /// exceed it.
    #[cold]
    fn check(&self) {
        let reserved = self.reserved.get();
        #[cfg(target_family = "wasm")]
        if reserved > self.committed.get() {
            self.grow();
        }
        self.update_unchecked();
        if reserved > self.allowed() {
            exceed(Limit::Memory);
        }
    }

    /// Grows the instance's memory at once by the amount that may be needed next. Small values
    /// would grow it page by page, and some engines take a millisecond each time (Node 20 does).
    #[cfg(target_family = "wasm")]
    #[cold]
    fn grow(&self) {
        let reserved = self.reserved.get();
        let ahead = (reserved / 4).clamp(1 << 20, 16 << 20);
        self.committed.set(reserved.saturating_add(ahead));
        // The allocator keeps freed memory. If it cannot grow, nothing is lost.
        let mut buffer = Vec::<u8>::new();
        let _ = buffer.try_reserve_exact(ahead as usize);
        std::hint::black_box(&mut buffer);
    }
}

/// Starts the meter of a run, with this many steps and bytes of memory (`None` for the defaults), over
/// a source of this size. Clears the limit that an earlier filter exceeded.
pub(crate) fn start(steps: Option<u64>, memory: Option<u64>, source_bytes: u64) {
    let steps = steps.unwrap_or(DEFAULT_STEPS).min(MAX_STEPS);
    let memory = memory.unwrap_or(DEFAULT_MEMORY).clamp(MIN_MEMORY, MAX_MEMORY);
    METER.with(|meter| {
        meter.memory.set(memory);
        meter.held.set(0);
        meter.update_unchecked();
        meter.exceeded.set(None);
        meter.allowed_steps.set(steps);
        meter.remaining.set(steps);
        meter.unread.set(source_bytes);
        meter.free.set(source_bytes.saturating_mul(FREE_READS - 1));
        meter.credited.set(0);
        meter.owed.set(0);
    });
}

/// Returns the maximum bytes that the values of one document may occupy at once.
pub(crate) fn document_memory() -> u64 {
    METER.with(|meter| (meter.memory.get() / 8 * 5).saturating_sub(meter.held.get()))
}

/// Returns the maximum bytes of a string that the filter builds.
pub(crate) fn max_string_bytes() -> usize {
    let share = METER.with(|meter| meter.memory.get() / STRING_SHARE);
    STRING_BYTES.max(usize::try_from(share).unwrap_or(STRING_BYTES))
}

/// Takes bytes from the memory of documents until the run ends.
pub(crate) fn hold(bytes: u64) {
    METER.with(|meter| meter.held.set(meter.held.get().saturating_add(bytes)));
}

/// Returns the maximum bytes that a run may occupy in addition to the document.
fn filter_memory() -> u64 {
    METER.with(|meter| meter.memory.get() / 8 * 3)
}

/// Records that bytes of the source were read: gives steps back, or takes them if the source was read
/// too often.
pub(crate) fn record_read(bytes: u64) {
    /// Moves bytes out of a counter, and returns those that it did not have.
    fn take(counter: &Cell<u64>, bytes: u64) -> u64 {
        let taken = bytes.min(counter.get());
        counter.set(counter.get() - taken);
        bytes - taken
    }
    METER.with(|meter| {
        let again = take(&meter.unread, bytes);
        let owed = take(&meter.free, again);
        meter.credited.set(meter.credited.get().saturating_add(bytes - again));
        meter.owed.set(meter.owed.get().saturating_add(owed));
        if meter.is_metered.get() {
            meter.settle();
        }
    });
}

/// Returns steps that were charged in advance and not used.
pub(crate) fn refund(steps: u64) {
    METER.with(|meter| meter.give_back(steps));
}

/// Runs `f` without charging steps or limiting memory, for reading, which has its own limits (see
/// [`record_read`]).
pub(crate) fn unmetered<T>(f: impl FnOnce() -> T) -> T {
    let (was_metered, remaining, reserved, read) = METER.with(|meter| {
        let was_metered = meter.is_metered.replace(false);
        (was_metered, meter.remaining.replace(u64::MAX), meter.reserved.get(), meter.set_read(UNBOUNDED))
    });
    let result = f();
    METER.with(|meter| {
        let added = meter.reserved.get().saturating_sub(reserved);
        meter.set_read(meter.reserved.get().min(read.saturating_add(added)));
        meter.is_metered.set(was_metered);
        // A limit that was exceeded before stays exceeded.
        meter.remaining.set(if meter.exceeded.get().is_none() { remaining } else { 0 });
        if was_metered {
            meter.settle();
        }
    });
    result
}

/// Records that a limit was exceeded. The first record stays.
#[cold]
pub(crate) fn exceed(limit: Limit) {
    METER.with(|meter| {
        meter.exceeded.set(meter.exceeded.get().or(Some(limit)));
        meter.remaining.set(0);
    });
}

/// Returns the error that stopped a filter, if it exceeded a limit. It names the option that raises the
/// limit, if there is one and it is not at its maximum.
pub(crate) fn error() -> Option<Error> {
    exceeded().map(|limit| {
        let (steps, memory) = METER.with(|meter| (meter.allowed_steps.get(), meter.memory.get()));
        let option = match limit {
            Limit::Steps if steps < MAX_STEPS => Some("max_steps"),
            Limit::Memory | Limit::String if memory < MAX_MEMORY => Some("max_memory"),
            _ => None,
        };
        advised(format!("The filter was stopped: {}. Query less at a time", limit.message()), option)
    })
}

/// Returns the error of a document or a value that needs more memory than is left. The message has no
/// full stop.
pub(crate) fn out_of_memory(message: String) -> Error {
    let memory = METER.with(|meter| meter.memory.get());
    advised(message, (memory < MAX_MEMORY).then_some("max_memory"))
}

/// Returns the error of a limit, whose message ends with the option that raises the limit, if there is one.
fn advised(message: String, option: Option<&'static str>) -> Error {
    let advice = option.map_or_else(String::new, |option| format!("; the host can raise {option}"));
    let mut error = Error::limit(format!("{message}{advice}."));
    error.option = option;
    error
}

/// Returns the limit that was exceeded, if any.
pub(crate) fn exceeded() -> Option<Limit> {
    METER.with(|meter| meter.exceeded.get())
}

/// Charges steps. Returns false, and records the limit, if there are not enough.
#[inline]
pub(crate) fn charge(steps: u64) -> bool {
    // None remain once a limit was exceeded, so that charging zero steps fails too.
    let is_enough = METER.with(|meter| {
        let remaining = meter.remaining.get();
        let is_enough = remaining > steps;
        if is_enough {
            meter.remaining.set(remaining - steps);
        }
        is_enough
    });
    if !is_enough {
        exceed(Limit::Steps);
    }
    is_enough
}

/// Depth from which terms take more steps: their outputs pass through so many others that the
/// processor's caches do not hold them.
const DEEP: u32 = 64;

/// Charges the look-up of a term that is nested this deep. At some depth it takes more than one
/// step: each output of the term passes through all terms around it.
pub(crate) fn charge_lookup(depth: u32) -> bool {
    METER.with(|meter| meter.depth.set(depth));
    charge(1 + u64::from(depth.saturating_sub(DEEP)) / 16)
}

/// Returns the steps of each output of the term that was looked up last, if it produces several
/// outputs without another look-up.
pub(crate) fn steps_per_output() -> u64 {
    let depth = METER.with(|meter| meter.depth.get());
    1 + u64::from(depth) / 8 + u64::from(depth.saturating_sub(DEEP)) / 3
}

/// Returns the steps of sorting this many values, or of a binary search among them, where one
/// round takes `steps`.
pub(crate) fn log_steps(steps: u64, values: usize) -> u64 {
    steps.saturating_mul(u64::from(values.max(1).ilog2()) + 1)
}

/// Memory that is reserved until this is dropped. A clone reserves the same amount again.
#[derive(Debug)]
pub(crate) struct Reservation(u64);

impl Reservation {
    pub(crate) fn new(bytes: u64) -> Reservation {
        reserve(bytes);
        Reservation(bytes)
    }

    /// Changes the amount.
    pub(crate) fn resize(&mut self, bytes: u64) {
        reserve(bytes);
        release(self.0);
        self.0 = bytes;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0
    }
}

impl Clone for Reservation {
    fn clone(&self) -> Self {
        Reservation::new(self.0)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        release(self.0);
    }
}

/// Checks whether this many more bytes can be reserved, and records the limit if not.
pub(crate) fn check_memory(bytes: u64) {
    if METER.with(|meter| meter.reserved.get().saturating_add(bytes) > meter.allowed()) {
        exceed(Limit::Memory);
    }
}

/// Returns the bytes that all live values and contexts of this thread occupy.
#[cfg(test)]
pub(crate) fn reserved() -> u64 {
    METER.with(|meter| meter.reserved.get())
}

/// Reserves bytes until they are released. Records the limit if there are too many.
#[inline]
pub(crate) fn reserve(bytes: u64) {
    METER.with(|meter| {
        let reserved = meter.reserved.get().saturating_add(bytes);
        meter.reserved.set(reserved);
        if reserved > meter.unchecked.get() {
            meter.check();
        }
    });
}

/// Releases reserved bytes. Not inlined: every value that is dropped calls it, and copies of it at
/// all these places take 6 KB of the component (gzip).
#[inline(never)]
pub(crate) fn release(bytes: u64) {
    METER.with(|meter| {
        let reserved = meter.reserved.get().saturating_sub(bytes);
        meter.reserved.set(reserved);
        let read = meter.read.get();
        if read > reserved && read != UNBOUNDED {
            meter.set_read(reserved);
        }
    });
}

#[cfg(test)]
mod tests;
