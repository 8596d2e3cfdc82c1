//! The servers of resources and tasks, whose names the servers chose.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// The maximum number of names that are remembered.
const MAX_REMEMBERED: usize = 100_000;

/// The owner of each name: the server, and further facts. The oldest names are forgotten.
pub struct Owners<T> {
    inner: Mutex<Inner<T>>,
}

struct Inner<T> {
    owners: HashMap<String, T>,
    order: VecDeque<String>,
}

impl<T> Default for Owners<T> {
    fn default() -> Self {
        Owners { inner: Mutex::new(Inner { owners: HashMap::new(), order: VecDeque::new() }) }
    }
}

impl<T: Clone> Owners<T> {
    /// Remembers the owner of a name.
    pub fn remember(&self, name: &str, owner: T) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.owners.insert(name.to_owned(), owner).is_none() {
            inner.order.push_back(name.to_owned());
        }
        while inner.order.len() > MAX_REMEMBERED {
            if let Some(oldest) = inner.order.pop_front() {
                inner.owners.remove(&oldest);
            }
        }
    }

    /// Returns the owner of a name, if it is remembered.
    pub fn get(&self, name: &str) -> Option<T> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).owners.get(name).cloned()
    }
}
