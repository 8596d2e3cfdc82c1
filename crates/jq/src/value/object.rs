//! Objects: members in the order of insertion, found by their key.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Val;
use crate::limits::{self, Reservation};
use crate::watch;

/// Members up to which a linear search is faster than an index.
const MAX_UNINDEXED: usize = 64;

/// Steps of adding or copying a member and its entry in the index.
const STEPS_PER_MEMBER: u64 = 2;

/// Length from which comparing keys is charged.
const LONG_KEY_BYTES: usize = 64;

/// Bytes of a long key that are compared in a step: WebAssembly compares them one after the other.
const KEY_BYTES_PER_STEP: usize = 16;

/// An object. Removing a member keeps the order of the others.
#[derive(Debug)]
pub(crate) struct Obj {
    members: Vec<(Rc<str>, Val)>,
    /// The position of each key, if there are many.
    index: Option<BTreeMap<Rc<[u8]>, usize>>,
    /// A Bloom filter with one bit for each key (see [`key_bit`]): a key whose bit is not set is
    /// missing. The bits of removed keys stay set.
    key_bits: u64,
    /// Upper bound of its levels, its own included.
    pub(super) depth: u32,
    /// Cost of a walk over it; see [`Val::weight`].
    weight: u64,
    memory: Reservation,
}

/// Weight of a member without its value: comparing objects sorts their keys.
const MEMBER_WEIGHT: u64 = 4;

/// Estimated sizes of an object, and of each of its members without the bytes of the key.
const OBJECT_BYTES: u64 = 64;
const MEMBER_BYTES: u64 = 48;

impl Default for Obj {
    fn default() -> Self {
        let memory = Reservation::new(OBJECT_BYTES);
        Obj { members: Vec::new(), index: None, key_bits: 0, depth: 1, weight: 1, memory }
    }
}

/// Charges the copy of the members.
impl Clone for Obj {
    fn clone(&self) -> Self {
        limits::charge(1 + STEPS_PER_MEMBER * self.len() as u64);
        Obj { members: self.members.clone(), index: self.index.clone(), memory: self.memory.clone(), ..*self }
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

    /// Returns a member that the filter requests, and records whether it exists.
    #[inline]
    pub(crate) fn watched(&self, key: &str) -> Option<&Val> {
        let member = self.get(key);
        match member {
            Some(_) => watch::found(key),
            None => watch::missed(key, self.members.iter().map(|(key, _)| &**key)),
        }
        member
    }

    /// Returns the member at a position.
    pub(super) fn member_at(&self, at: usize) -> (&Rc<str>, &Val) {
        let (key, value) = &self.members[at];
        (key, value)
    }

    /// Takes the value of a member and leaves null in its place.
    pub(crate) fn take(&mut self, key: &str) -> Option<Val> {
        self.position(key).map(|at| self.set(at, Val::Null))
    }

    fn set(&mut self, at: usize, value: Val) -> Val {
        self.depth = self.depth.max(1 + value.depth());
        self.weight = super::weight_after(self.weight, &self.members[at].1, &value);
        std::mem::replace(&mut self.members[at].1, value)
    }

    /// Sets a member. An existing one keeps its position.
    pub(crate) fn insert(&mut self, key: Rc<str>, value: Val) {
        if let Some(at) = self.position(&key) {
            self.set(at, value);
            return;
        }
        self.key_bits |= key_bit(&key);
        limits::charge(STEPS_PER_MEMBER + key.len() as u64 / 64);
        self.depth = self.depth.max(1 + value.depth());
        self.weight =
            self.weight.saturating_add(value.weight()).saturating_add(MEMBER_WEIGHT + key.len() as u64 / 32);
        self.memory.resize(self.memory.bytes() + MEMBER_BYTES + key.len() as u64);
        if let Some(index) = &mut self.index {
            index.insert(key.clone().into(), self.members.len());
        }
        self.members.push((key, value));
        if self.index.is_none() && self.members.len() > MAX_UNINDEXED {
            let index = self.index.insert(BTreeMap::new());
            for (at, (key, _)) in self.members.iter().enumerate() {
                index.insert(key.clone().into(), at);
            }
        }
    }

    /// Removes the members for whose keys `keep` returns false.
    pub(crate) fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        let members = std::mem::take(self).members;
        members.into_iter().filter(|(key, _)| keep(key)).for_each(|(key, value)| self.insert(key, value));
    }

    /// Returns the members in the order of their keys.
    pub(crate) fn sorted(&self) -> Vec<&(Rc<str>, Val)> {
        fn key<'m>(member: &&'m (Rc<str>, Val)) -> &'m str {
            &member.0
        }
        let mut members: Vec<_> = self.members.iter().collect();
        tuckaway_text::order::sort_by_key(&mut members, key);
        members
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.key_bits & key_bit(key) == 0 {
            return None;
        }
        if key.len() >= LONG_KEY_BYTES {
            // The search compares it with many keys, which may differ at their ends only.
            let compared = if self.index.is_some() { self.len().ilog2() as usize + 1 } else { self.len() };
            limits::charge((key.len() / KEY_BYTES_PER_STEP).saturating_mul(compared) as u64);
        }
        match &self.index {
            Some(index) => {
                // The larger the index, the less of it is in the processor's caches.
                limits::charge(u64::from(self.len().ilog2()) / 3);
                index.get(key.as_bytes()).copied()
            }
            None => self.members.iter().position(|(k, _)| **k == *key),
        }
    }
}

/// Returns the bit of a key in [`Obj::key_bits`], by its length and three of its bytes.
fn key_bit(key: &str) -> u64 {
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
    fn members_keep_their_order_of_insertion() {
        let mut obj = Obj::default();
        for n in (0..40).rev() {
            obj.insert(format!("k{n}").into(), Val::from(n as isize));
        }
        obj.insert("k7".into(), Val::Null);
        let even: Vec<_> = (0..40).step_by(2).map(|n| format!("k{n}")).collect();
        obj.retain(|key| !even.iter().any(|removed| removed == key));
        let keys: Vec<String> = obj.iter().map(|(key, _)| key.to_string()).collect();
        assert_eq!(keys, (0..40).rev().filter(|n| n % 2 == 1).map(|n| format!("k{n}")).collect::<Vec<_>>());
        assert!(obj.get("k7") == Some(&Val::Null) && obj.get("k8").is_none());
        for (key, value) in obj.iter() {
            assert!(**key == *"k7" || *value == Val::from(key[1..].parse::<isize>().unwrap()));
        }
    }
}
