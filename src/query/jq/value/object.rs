//! Objects: members in the order in which they came, found by their key.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Val;

/// Up to here, looking at every key is faster than an index.
const INDEX_FROM: usize = 12;

/// An object. Removing a member keeps the order of the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Obj {
    members: Vec<(Rc<str>, Val)>,
    /// Where each key is, once there are many. A tree, because nobody can
    /// choose keys that make it slow.
    index: Option<BTreeMap<Rc<str>, usize>>,
    /// Levels, this one included; never too few.
    pub(super) depth: u32,
}

impl Obj {
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
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

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Val> {
        self.position(key).map(|at| &mut self.members[at].1)
    }

    /// Sets a member; one that is there keeps its place.
    pub(crate) fn insert(&mut self, key: Rc<str>, value: Val) {
        self.depth = self.depth.max(1 + value.depth());
        if let Some(at) = self.position(&key) {
            self.members[at].1 = value;
            return;
        }
        if let Some(index) = &mut self.index {
            index.insert(key.clone(), self.members.len());
        }
        self.members.push((key, value));
        if self.index.is_none() && self.members.len() > INDEX_FROM {
            self.index = Some(self.members.iter().map(|(key, _)| key.clone()).zip(0..).collect());
        }
    }

    pub(crate) fn remove(&mut self, key: &str) {
        if let Some(at) = self.position(key) {
            self.members.remove(at);
            if let Some(index) = &mut self.index {
                index.remove(key);
                index.values_mut().filter(|place| **place > at).for_each(|place| *place -= 1);
            }
        }
    }

    /// The members in the order of their keys.
    pub(crate) fn sorted(&self) -> Vec<&(Rc<str>, Val)> {
        let mut members: Vec<_> = self.members.iter().collect();
        members.sort_by(|(l, _), (r, _)| l.cmp(r));
        members
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).copied(),
            None => self.members.iter().position(|(k, _)| **k == *key),
        }
    }
}

impl FromIterator<(Rc<str>, Val)> for Obj {
    fn from_iter<I: IntoIterator<Item = (Rc<str>, Val)>>(members: I) -> Self {
        let mut obj = Obj { depth: 1, ..Obj::default() };
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
        for n in (0..40).step_by(2) {
            obj.remove(&format!("k{n}"));
        }
        let keys: Vec<String> = obj.iter().map(|(key, _)| key.to_string()).collect();
        assert_eq!(keys, (0..40).rev().filter(|n| n % 2 == 1).map(|n| format!("k{n}")).collect::<Vec<_>>());
        assert!(obj.get("k7") == Some(&Val::Null) && obj.get("k8").is_none());
        for (key, value) in obj.iter() {
            assert!(**key == *"k7" || *value == Val::from(key[1..].parse::<isize>().unwrap()));
        }
    }
}
