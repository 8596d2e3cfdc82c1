//! Counts entries by the file or directory that they are in.

use std::cmp::Reverse;

use tuckaway_search::hash;
use tuckaway_text::order;

use crate::bytes::are_same;
use crate::hashes::Hashes;

/// Maximum number of groups that are counted separately.
const MAX_GROUPS: usize = 10_000;

/// Entries that are in the same file or directory.
#[derive(Clone, Copy)]
pub struct Group<'a> {
    /// Its path.
    pub name: &'a [u8],
    /// The number of its entries.
    pub count: u64,
    /// Their total size in bytes.
    pub size: u64,
}

/// The groups of entries. Two paths with the same hash are one.
#[derive(Default)]
pub struct Groups<'a> {
    /// Whether there are more groups.
    pub has_more: bool,
    groups: Vec<Group<'a>>,
    numbers: Hashes,
    /// The group of the last entry.
    last: usize,
}

impl<'a> Groups<'a> {
    /// Adds an entry of a size.
    pub fn push(&mut self, name: &'a [u8], size: u64) {
        if self.groups.get(self.last).is_none_or(|group| !are_same(group.name, name)) {
            let Some(number) = self.number(name) else {
                self.has_more = true;
                return;
            };
            self.last = number;
        }
        let group = &mut self.groups[self.last];
        group.count += 1;
        group.size = group.size.saturating_add(size);
    }

    /// Returns the number of a group, unless there are too many.
    fn number(&mut self, name: &'a [u8]) -> Option<usize> {
        let hash = hash::of(name);
        if let Some(number) = self.numbers.get(hash) {
            return Some(number);
        }
        let number = self.groups.len();
        if number == MAX_GROUPS || self.numbers.insert(hash, number) != Some(true) {
            return None;
        }
        self.groups.push(Group { name, count: 0, size: 0 });
        Some(number)
    }

    /// Returns their number.
    pub fn len(&self) -> u64 {
        self.groups.len() as u64
    }

    /// Returns the groups with the most entries.
    pub fn largest(mut self, count: usize) -> Vec<Group<'a>> {
        order::sort_by_key(&mut self.groups, |group| Reverse(group.count));
        self.groups.truncate(count);
        self.groups
    }
}
