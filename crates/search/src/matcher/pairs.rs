//! The first matching line of several that an automaton must inspect.
//!
//! A step of an automaton begins with the state that the step before leads to, so a walk waits for
//! memory at every byte. Two lines do not depend on each other: walking over both takes hardly longer
//! than over one.

use std::ops::Range;

use super::TooCostly;
use super::automaton::{Automaton, Walker};

/// Returns the range of the first line that matches. Each line has its range, line ending included, and
/// its content.
pub(super) fn first_match<'l>(
    automaton: &mut Automaton,
    lines: impl Iterator<Item = (Range<usize>, &'l [u8])>,
) -> Result<Option<Range<usize>>, TooCostly> {
    let mut waiting: Option<(Range<usize>, Walker<'l>)> = None;
    for (range, line) in lines {
        let mut later = (range, automaton.walker(line)?);
        let Some(mut earlier) = waiting.take() else {
            waiting = Some(later);
            continue;
        };
        if automaton.walk_both(&mut earlier.1, &mut later.1) {
            if automaton.finish(earlier.1)? {
                return Ok(Some(earlier.0));
            }
            waiting = Some(later);
        } else if automaton.finish(later.1)? {
            let is_match = automaton.finish(earlier.1)?;
            return Ok(Some(if is_match { earlier.0 } else { later.0 }));
        } else {
            waiting = Some(earlier);
        }
    }
    let Some((range, walker)) = waiting else { return Ok(None) };
    Ok(automaton.finish(walker)?.then_some(range))
}
