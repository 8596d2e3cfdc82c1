//! Keys and the numbers that belong to them: one tree for all that looks keys up.
//!
//! A tree, because nobody can choose keys that make it slow; of one type,
//! because each type of tree is some 5 KB of the component.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A number for each key.
pub type Keys = BTreeMap<Rc<[u8]>, usize>;

/// Whether the key is new; then it is not any more.
pub fn is_new(keys: &mut Keys, key: &[u8]) -> bool {
    let is_new = !keys.contains_key(key);
    if is_new {
        keys.insert(key.into(), keys.len());
    }
    is_new
}
