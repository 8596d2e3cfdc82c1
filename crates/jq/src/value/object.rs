//! Objects: members in the order in which they came, found by their key.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Val;
use crate::limits::{self, Held};

/// Up to here, looking at every key is faster than an index.
const INDEX_FROM: usize = 64;

/// The steps of adding a member, or of copying one, to its place in the index, too.
const STEPS_A_MEMBER: u64 = 2;

/// From here on, comparing keys takes steps.
const LONG_KEY_BYTES: usize = 128;

/// An object. Removing a member keeps the order of the others.
#[derive(Debug)]
pub(crate) struct Obj {
    members: Vec<(Rc<str>, Val)>,
    /// Where each key is, once there are many.
    index: Option<BTreeMap<Rc<[u8]>, usize>>,
    /// A bit for each key, by its length and ends: a key whose bit is not set is
    /// not there. Bits of keys that were removed stay.
    seen: u64,
    /// Levels, this one included; never too few.
    pub(super) depth: u32,
    /// What it takes to walk it; see [`Val::weight`].
    weight: u64,
    held: Held,
}

/// What a member weighs beside its value: to compare objects, their keys are sorted.
const MEMBER_WEIGHT: u64 = 4;

/// What an object and each of its members are estimated to hold, beside the
/// bytes of keys.
const OBJECT_BYTES: u64 = 64;
const MEMBER_BYTES: u64 = 48;

impl Default for Obj {
    fn default() -> Self {
        Obj { members: Vec::new(), index: None, seen: 0, depth: 1, weight: 1, held: Held::new(OBJECT_BYTES) }
    }
}

/// Members and all they hold together are counted where they are copied.
impl Clone for Obj {
    fn clone(&self) -> Self {
        limits::take(1 + STEPS_A_MEMBER * self.len() as u64);
        Obj {
            members: self.members.clone(),
            index: self.index.clone(),
            seen: self.seen,
            depth: self.depth,
            weight: self.weight,
            held: self.held.clone(),
        }
    }
}

impl Obj {
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&Rc<str>, &Val)> {
        self.members.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn into_members(self) -> Vec<(Rc<str>, Val)> {
        self.members
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Val> {
        self.position(key).map(|at| &self.members[at].1)
    }

    /// The member in this place of the order.
    pub(super) fn at(&self, at: usize) -> (&Rc<str>, &Val) {
        let (key, value) = &self.members[at];
        (key, value)
    }

    /// Takes a member's value out, which leaves null in its place.
    pub(crate) fn take(&mut self, key: &str) -> Option<Val> {
        self.position(key).map(|at| self.set(at, Val::Null))
    }

    fn set(&mut self, at: usize, value: Val) -> Val {
        self.depth = self.depth.max(1 + value.depth());
        self.weight = super::reweighed(self.weight, &self.members[at].1, &value);
        std::mem::replace(&mut self.members[at].1, value)
    }

    /// Sets a member; one that is there keeps its place.
    pub(crate) fn insert(&mut self, key: Rc<str>, value: Val) {
        if let Some(at) = self.position(&key) {
            self.set(at, value);
            return;
        }
        self.seen |= bit(&key);
        limits::take(STEPS_A_MEMBER + key.len() as u64 / 64);
        self.depth = self.depth.max(1 + value.depth());
        self.weight =
            self.weight.saturating_add(value.weight()).saturating_add(MEMBER_WEIGHT + key.len() as u64 / 32);
        self.held.set(self.held.bytes() + MEMBER_BYTES + key.len() as u64);
        if let Some(index) = &mut self.index {
            index.insert(key.clone().into(), self.members.len());
        }
        self.members.push((key, value));
        if self.index.is_none() && self.members.len() > INDEX_FROM {
            let index = self.index.insert(BTreeMap::new());
            for (at, (key, _)) in self.members.iter().enumerate() {
                index.insert(key.clone().into(), at);
            }
        }
    }

    /// Removes the members whose keys are not to stay.
    pub(crate) fn retain(&mut self, stays: impl Fn(&str) -> bool) {
        let members = std::mem::take(self).members;
        members.into_iter().filter(|(key, _)| stays(key)).for_each(|(key, value)| self.insert(key, value));
    }

    /// The members in the order of their keys.
    pub(crate) fn sorted(&self) -> Vec<&(Rc<str>, Val)> {
        let mut members: Vec<_> = self.members.iter().collect();
        members.sort_by(|(l, _), (r, _)| l.cmp(r));
        members
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.seen & bit(key) == 0 {
            return None;
        }
        if key.len() >= LONG_KEY_BYTES {
            // It is compared with many others, which may differ at their ends only.
            let compared = if self.index.is_some() { self.len().ilog2() as usize + 1 } else { self.len() };
            limits::take((key.len() / LONG_KEY_BYTES).saturating_mul(compared) as u64);
        }
        match &self.index {
            Some(index) => index.get(key.as_bytes()).copied(),
            None => self.members.iter().position(|(k, _)| **k == *key),
        }
    }
}

/// The bit of a key in [`Obj::seen`].
fn bit(key: &str) -> u64 {
    let end = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or_default());
    let bytes = key.as_bytes();
    1 << ((bytes.len() * 5
        + end(bytes.first())
        + end(bytes.last()) * 3
        + end(bytes.get(bytes.len() / 2)) * 7)
        % 64)
}

impl FromIterator<(Rc<str>, Val)> for Obj {
    fn from_iter<I: IntoIterator<Item = (Rc<str>, Val)>>(members: I) -> Self {
        let mut obj = Obj::default();
        members.into_iter().for_each(|(key, value)| obj.insert(key, value));
        obj
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order() {
        let mut obj = Obj::default();
        for n in (0..40).rev() {
            obj.insert(format!("k{n}").into(), Val::from(n as isize));
        }
        obj.insert("k7".into(), Val::Null);
        let even: Vec<_> = (0..40).step_by(2).map(|n| format!("k{n}")).collect();
        obj.retain(|key| !even.iter().any(|gone| gone == key));
        let keys: Vec<String> = obj.iter().map(|(key, _)| key.to_string()).collect();
        assert_eq!(keys, (0..40).rev().filter(|n| n % 2 == 1).map(|n| format!("k{n}")).collect::<Vec<_>>());
        assert!(obj.get("k7") == Some(&Val::Null) && obj.get("k8").is_none());
        for (key, value) in obj.iter() {
            assert!(**key == *"k7" || *value == Val::from(key[1..].parse::<isize>().unwrap()));
        }
    }
}
