//! The keys of a filter that no object has, observed while it runs.
//!
//! A filter that requests a key that is missing everywhere still returns something: `0` for a
//! length, an empty array for a selection. Only the code that indexes values knows which keys were
//! requested, and from how many objects. Once every key has been found, watching costs a
//! comparison.

use std::cell::{Cell, RefCell};

use crate::suggest::KeyList;

/// A key that the text of a filter names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// Whether the filter has an alternative; then the key is reported only if a similar key
    /// exists.
    pub(crate) has_alternative: bool,
    /// Whether objects may be read only for members that the filter demands, this one among them.
    pub(crate) is_demanded: bool,
}

/// A requested key that no object has had so far.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) key: Key,
    is_asked: bool,
    /// The keys of the first queried object, and the nearest key of all objects; none if some keys
    /// may not have been read.
    pub(crate) keys: Option<KeyList>,
}

thread_local! {
    /// The number of keys not found so far.
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

/// Stops watching, and returns the requested keys that were never found.
pub(crate) fn finish() -> Vec<Missing> {
    UNSETTLED.set(0);
    WATCHED.take().into_iter().filter(|watched| watched.is_asked).collect()
}
