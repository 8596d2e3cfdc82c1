//! Selects the children of a container that are kept if there is no space for part of
//! each: those at both ends, and between them some that report an error. Of a row, the members that
//! distinguish it from the others.

use std::ops::Range;

use tuckaway_search::find;

use super::children::{Container, ContainerKind, overhead};
use super::{errors, siblings};
use crate::runs;

/// Selects children of a container that has `space` bytes for them and for one notice.
/// Each further notice takes up to `notice` bytes. Returns their indices, in order.
pub fn select(container: &Container<'_>, space: usize, notice: usize) -> Vec<usize> {
    let cap = (space / 4).max(container.kind.min_share());
    let costs = Costs { container, cap, notice };
    if let Some(differing) = siblings::differing(container) {
        let errors = errors::among(container, 0..container.children.len());
        return costs.by_priority(space, &mut errors.chain(differing));
    }
    let failing = failing(container);
    if !failing.is_empty() {
        return costs.by_priority(space, &mut failing.iter().copied());
    }
    let between = costs.between_ends(space);
    let (between, errors) = costs.with_errors(space, between.clone()).unwrap_or((between, Vec::new()));
    (0..between.start).chain(errors).chain(between.end..container.children.len()).collect()
}

/// Returns the number of notices for the children that are not kept, of `count`.
pub fn notices(kept: &[usize], count: usize) -> usize {
    let ends = kept.iter().copied().chain([count]);
    let starts = [0].into_iter().chain(kept.iter().map(|index| index + 1));
    starts.zip(ends).filter(|(start, end)| start < end).count()
}

/// Returns the documents with the reasons of failed tests, if they are a report of a run, each on a
/// line.
fn failing<'c>(container: &'c Container<'_>) -> &'c [usize] {
    let (document, count) = (container.document, container.children.len());
    if container.kind != ContainerKind::Sequence {
        return &[];
    }
    document.values.failing.get_or_init(|| {
        match find::count(b'\n', document.text.trim_end().as_bytes()) + 1 == count {
            true => runs::failing_documents(document.text),
            false => Vec::new(),
        }
    })
}

/// The bytes that children take.
struct Costs<'c> {
    container: &'c Container<'c>,
    /// Maximum bytes that one value is counted with.
    cap: usize,
    /// Maximum bytes of a notice.
    notice: usize,
}

impl Costs<'_> {
    /// Selects fewer children at the ends, and some with errors between them. None if
    /// there are no errors, or no space for one.
    fn with_errors(&self, space: usize, between: Range<usize>) -> Option<(Range<usize>, Vec<usize>)> {
        let error = errors::among(self.container, between).next()?;
        // A third of the space, or what one error takes, unless little would be left for
        // the ends.
        let for_errors = self.of_error(error).max(space / 3);
        if for_errors * 3 > space * 2 {
            return None;
        }
        let between = self.between_ends(space - for_errors);
        let (mut errors, left) = self.errors_within(for_errors, between);
        // What they do not take is for the ends.
        let between = self.between_ends(space - for_errors + left);
        errors.retain(|index| between.contains(index));
        (!errors.is_empty()).then_some((between, errors))
    }

    /// Selects children in an order, and then the others, each if there is space: of a row, those
    /// that report errors, then those that differ from the neighbouring row.
    fn by_priority(&self, mut space: usize, first: &mut dyn Iterator<Item = usize>) -> Vec<usize> {
        let count = self.container.children.len();
        let in_order = first.chain(0..count);
        let mut is_kept = vec![false; count];
        for index in in_order {
            if is_kept[index] {
                continue;
            }
            // Only between two that are dropped it makes two notices of one.
            let is_dropped = |at: Option<usize>| at.is_some_and(|at| at < count && !is_kept[at]);
            let splits = is_dropped(index.checked_sub(1)) && is_dropped(Some(index + 1));
            let cost = if splits { self.of_error(index) } else { self.of(index) };
            let Some(left) = space.checked_sub(cost) else { break };
            space = left;
            is_kept[index] = true;
        }
        (0..count).filter(|index| is_kept[*index]).collect()
    }

    fn of(&self, index: usize) -> usize {
        let child = &self.container.children[index];
        self.container.shown_len(child, self.cap).min(self.cap) + overhead(child)
    }

    /// Returns the bytes of a child with a separate notice before it.
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

    /// Returns the first children with errors that fit in `space` bytes, and the bytes left.
    fn errors_within(&self, mut space: usize, between: Range<usize>) -> (Vec<usize>, usize) {
        let mut errors = Vec::new();
        for index in errors::among(self.container, between) {
            let follows = errors.last().is_some_and(|&last| last + 1 == index);
            let cost = if follows { self.of(index) } else { self.of_error(index) };
            let Some(left) = space.checked_sub(cost) else { break };
            space = left;
            errors.push(index);
        }
        (errors, space)
    }
}
