//! Selects the children of a container that are kept if there is no space for part of
//! each: those at both ends, and between them some that report an error.

use std::ops::Range;

use super::children::{Container, overhead};
use super::errors;

/// The children that are kept.
pub struct KeptChildren {
    /// The children between the two ends. They are omitted, except for `errors`.
    between: Range<usize>,
    /// Children between the ends that report an error, in order.
    pub errors: Vec<usize>,
}

impl KeptChildren {
    /// Selects children of a container that has `space` bytes for them and for one
    /// notice. Each further notice takes up to `notice` bytes.
    pub fn of(container: &Container<'_>, space: usize, notice: usize) -> Self {
        let cap = (space / 4).max(container.kind.min_share());
        let costs = Costs { container, cap, notice };
        let between = costs.between_ends(space);
        KeptChildren::with_errors(&costs, space, between.clone())
            .unwrap_or(KeptChildren { between, errors: Vec::new() })
    }

    /// Selects fewer children at the ends, and some with errors between them. None if
    /// there are no errors, or no space for one.
    fn with_errors(costs: &Costs<'_>, space: usize, between: Range<usize>) -> Option<Self> {
        let error = errors::among(costs.container, between).next()?;
        // A third of the space, or what one error takes, unless little would be left for
        // the ends.
        let for_errors = costs.of_error(error).max(space / 3);
        if for_errors * 3 > space * 2 {
            return None;
        }
        let between = costs.between_ends(space - for_errors);
        let errors = costs.errors_within(for_errors, between.clone());
        (!errors.is_empty()).then_some(KeptChildren { between, errors })
    }

    /// Returns the most notices before errors: errors in a row have one.
    pub fn notices(&self) -> usize {
        let is_next = |pair: &&[usize]| pair[0] + 1 == pair[1];
        self.errors.len() - self.errors.windows(2).filter(is_next).count()
    }

    /// Returns the indices of the children that are kept, of `count`.
    pub fn kept(&self, count: usize) -> Vec<usize> {
        (0..self.between.start).chain(self.errors.iter().copied()).chain(self.between.end..count).collect()
    }
}

/// What children take.
struct Costs<'c> {
    container: &'c Container<'c>,
    /// The most bytes that one value is counted with.
    cap: usize,
    /// The most bytes of a notice.
    notice: usize,
}

impl Costs<'_> {
    fn of(&self, index: usize) -> usize {
        let child = &self.container.children[index];
        self.container.shown_len(child, self.cap).min(self.cap) + overhead(child)
    }

    /// Returns what a child takes that has a notice of its own before it.
    fn of_error(&self, index: usize) -> usize {
        self.of(index) + self.notice
    }

    /// Returns the children that are left between the two ends, if the ends have `space`
    /// bytes. Front and back take turns.
    fn between_ends(&self, mut space: usize) -> Range<usize> {
        let count = self.container.children.len();
        let (mut first, mut last) = (0, count);
        while first < last {
            let from_front = first <= count - last;
            let next = if from_front { first } else { last - 1 };
            let Some(left) = space.checked_sub(self.of(next)) else { break };
            space = left;
            if from_front { first += 1 } else { last -= 1 }
        }
        first..last
    }

    /// Returns the first children with errors that fit in `space` bytes.
    fn errors_within(&self, mut space: usize, between: Range<usize>) -> Vec<usize> {
        let mut errors = Vec::new();
        for index in errors::among(self.container, between) {
            let follows = errors.last().is_some_and(|&last| last + 1 == index);
            let cost = if follows { self.of(index) } else { self.of_error(index) };
            let Some(left) = space.checked_sub(cost) else { break };
            space = left;
            errors.push(index);
        }
        errors
    }
}
