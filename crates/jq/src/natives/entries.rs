//! `to_entries` and `from_entries`.

use std::rc::Rc;

use jaq_core::ValT;

use crate::value::{FilterError, Obj, Val, ValR, cannot_index, charge};

/// Returns an object for each member, with its `key` and its `value`.
pub(super) fn to_entries(value: Val) -> ValR {
    let [key_name, value_name] = ["key", "value"].map(Rc::<str>::from);
    let entry = |member: Result<(Val, Val), FilterError>| {
        let (key, value) = member?;
        Val::object([(key_name.clone(), key), (value_name.clone(), value)].into_iter().collect())
    };
    value.key_values().map(entry).collect()
}

/// The keys of an entry that may hold the key of the member, if `key` is null; the first one that
/// is neither null nor false does, or the last one.
const KEY_NAMES: [&str; 5] = ["k", "name", "Name", "K", "Key"];

/// The keys of an entry that may hold the value of the member: the first one that exists does.
const VALUE_NAMES: [&str; 4] = ["value", "v", "Value", "V"];

/// Steps of reading an entry, besides those of adding its member.
const STEPS_PER_ENTRY: u64 = 4;

/// Returns the object with these entries.
pub(super) fn from_entries(value: Val) -> ValR {
    let mut obj = Obj::default();
    for entry in value.values() {
        let entry = entry?;
        charge(STEPS_PER_ENTRY)?;
        let (key, value) = match &entry {
            Val::Obj(entry) => (entry_key(entry), entry_value(entry)),
            Val::Null => (Val::Null, Val::Null),
            other => return Err(cannot_index(other, &Val::str("key"))),
        };
        obj.insert(Rc::from(&**key.to_text()?), value);
    }
    Val::object(obj)
}

fn entry_key(entry: &Obj) -> Val {
    let named = |name| entry.watched(name).cloned().unwrap_or_default();
    match named("key") {
        Val::Null => {
            let is_key = |name: &&str| entry.get(name).is_some_and(Val::as_bool);
            named(KEY_NAMES.into_iter().find(is_key).unwrap_or("Key"))
        }
        key => key,
    }
}

fn entry_value(entry: &Obj) -> Val {
    VALUE_NAMES.into_iter().find_map(|name| entry.watched(name)).cloned().unwrap_or_default()
}
