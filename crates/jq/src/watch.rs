//! The keys of a filter that no object has, observed while it runs.
//!
//! A filter that asks for a key that is missing everywhere still returns something: `0` for a
//! length, an empty array for a selection. What it was asked, and of how many objects, is known
//! only where values are indexed. Once every key was found, watching costs a comparison.

use std::cell::{Cell, RefCell};

use crate::suggest::KeyList;

/// A key that the text of a filter names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// Whether the filter says what to do without it: it is reported only if a similar key exists.
    pub(crate) has_alternative: bool,
    /// Whether objects may be read only for members that the filter demands, this one among them.
    pub(crate) is_demanded: bool,
}

/// A key that no object had so far of those that were asked for it.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) key: Key,
    is_asked: bool,
    /// The keys of the first object that was asked, and the nearest one of all objects; none if not
    /// all of them may have been read.
    pub(crate) keys: Option<KeyList>,
}

thread_local! {
    /// How many keys were not found so far.
    static UNSETTLED: Cell<usize> = const { Cell::new(0) };
    static WATCHED: RefCell<Vec<Missing>> = const { RefCell::new(Vec::new()) };
}

/// Starts to watch keys, and forgets those of an earlier run.
pub(crate) fn start(keys: &[Key]) {
    UNSETTLED.set(keys.len());
    let watched = |key: &Key| Missing { key: key.clone(), is_asked: false, keys: None };
    WATCHED.set(keys.iter().map(watched).collect());
}

/// Records that an object has a key.
#[inline]
pub(crate) fn found(key: &str) {
    if UNSETTLED.get() > 0 {
        settle(key);
    }
}

#[inline(never)]
fn settle(key: &str) {
    WATCHED.with_borrow_mut(|watched| {
        if let Some(at) = watched.iter().position(|watched| watched.key.name == key) {
            watched.remove(at);
            UNSETTLED.set(watched.len());
        }
    });
}

/// Records that an object with these keys does not have a key.
#[inline]
pub(crate) fn missed<'k>(key: &str, keys: impl Iterator<Item = &'k str>) {
    if UNSETTLED.get() == 0 {
        return;
    }
    WATCHED.with_borrow_mut(|watched| {
        let Some(watched) = watched.iter_mut().find(|watched| watched.key.name == key) else { return };
        watched.is_asked = true;
        match &mut watched.keys {
            _ if watched.key.is_demanded => {}
            None => {
                let mut list = KeyList::default();
                keys.for_each(|key| list.add(key, &watched.key.name));
                watched.keys = Some(list);
            }
            Some(list) if list.may_find_nearest() => {
                keys.for_each(|key| list.compare(key, &watched.key.name));
            }
            Some(_) => {}
        }
    });
}

/// Stops watching, and returns the keys that were asked for and never found.
pub(crate) fn finish() -> Vec<Missing> {
    UNSETTLED.set(0);
    WATCHED.take().into_iter().filter(|watched| watched.is_asked).collect()
}
