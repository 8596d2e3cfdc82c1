//! The containers of the outer levels of a document: the spans of their values are collected
//! while it is summarized.

use super::{NodeId, Summary};
use crate::spans::{Collector, Span, Spans};

/// The outer containers that are open.
pub(super) struct Outer {
    /// The number of outer levels.
    levels: usize,
    spans: Collector,
    /// The next value in each.
    next: Vec<Next>,
    /// The start of the container that is open in the innermost outer container.
    start: usize,
}

/// The next value in an outer container.
struct Next {
    /// The node of the value's path, if there is one for it.
    node: Option<NodeId>,
    /// In an object, the index of the member that is expected.
    expected: usize,
}

impl Outer {
    /// Starts before a document.
    pub fn of(levels: usize) -> Self {
        let document = Next { node: Some(Summary::ROOT), expected: 0 };
        Outer { levels, spans: Collector::default(), next: vec![document], start: 0 }
    }

    /// Returns the index of the member that is expected next.
    pub fn expected(&self) -> usize {
        self.next.last().map_or(0, |next| next.expected)
    }

    /// Adds a key, with the node of its value and the member after it.
    pub fn key(&mut self, key: Span, node: Option<NodeId>, expected: usize) {
        self.spans.key(key);
        if let Some(next) = self.next.last_mut() {
            *next = Next { node, expected };
        }
    }

    /// Adds a value that is not entered as a container. Returns the node of its path.
    pub fn value(&mut self, value: Span) -> Option<NodeId> {
        self.spans.value(value);
        self.next.last()?.node
    }

    /// Begins a container. Returns the node of its path and whether it is an outer one; none, and
    /// no effect, if it has no node.
    pub fn open(&mut self, at: usize, depth: usize) -> Option<(NodeId, bool)> {
        let node = self.next.last()?.node?;
        let is_outer = depth < self.levels;
        match is_outer {
            true => self.spans.open(at),
            false => self.start = at,
        }
        Some((node, is_outer))
    }

    /// Notes the node of the next value of the outer container that was begun last.
    pub fn enter(&mut self, node: Option<NodeId>) {
        self.next.push(Next { node, expected: 0 });
    }

    /// Ends the container that was begun last, which `was_outer` or not.
    pub fn close(&mut self, was_outer: bool, end: usize) {
        match was_outer {
            true => {
                self.next.pop();
                self.spans.close(end);
            }
            false => self.spans.value(Span { start: self.start, end }),
        }
    }

    /// Returns the collected spans.
    pub fn finish(self) -> Spans {
        self.spans.finish()
    }
}
