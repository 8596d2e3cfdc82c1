//! The first matching line of several that an automaton must inspect.
//!
//! A step of an automaton begins with the state that the step before leads to, so a walk waits for
//! memory at every byte. Two lines do not depend on each other: walking over both takes hardly longer
//! than over one.

use std::ops::Range;

use super::TooCostly;
use super::automaton::Automaton;

/// Returns the range of the first line that matches. Each line has its range, line ending included, and
/// its content.
pub(super) fn first_match<'l>(
    automaton: &mut Automaton,
    mut lines: impl Iterator<Item = (Range<usize>, &'l [u8])>,
) -> Result<Option<Range<usize>>, TooCostly> {
    let mut next = |automaton: &mut Automaton| {
        let line = lines.next();
        line.map(|(range, line)| Ok((range, automaton.walker(line)?))).transpose()
    };
    let Some(mut earlier) = next(automaton)? else { return Ok(None) };
    while let Some(mut later) = next(automaton)? {
        if automaton.walk_both(&mut earlier.1, &mut later.1) {
            if automaton.finish(earlier.1)? {
                return Ok(Some(earlier.0));
            }
            earlier = later;
        } else if automaton.finish(later.1)? {
            let is_match = automaton.finish(earlier.1)?;
            return Ok(Some(if is_match { earlier.0 } else { later.0 }));
        }
    }
    Ok(automaton.finish(earlier.1)?.then_some(earlier.0))
}
