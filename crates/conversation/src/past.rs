//! The part of a conversation that a plan may remove: old, complete messages that are not pinned.

use tuckaway_contract::Role;

use crate::draft::Draft;

/// Returns the messages before a border that may be removed: messages of whole units that the model
/// has read and that are neither pinned nor the developer's.
pub fn removable(draft: &Draft, border: usize) -> Vec<usize> {
    let border = border.min(draft.shape.unread).min(draft.shape.waiting);
    let messages = &draft.conversation.messages;
    let units = draft.shape.units.iter().filter(|unit| unit.end <= border);
    let units = units
        .filter(|unit| !messages[unit.start..unit.end].iter().any(|message| message.pinned || message.kept));
    let of_units = units.flat_map(|unit| unit.clone());
    of_units.filter(|index| draft.stays(*index) && messages[*index].role != Role::System).collect()
}

/// Returns the border before the newest turns. If these have more than `max_tokens`, the border is
/// inside them, before the newest steps that have fewer.
pub fn border(draft: &Draft, turns: u32, max_tokens: u64) -> usize {
    let count = draft.conversation.messages.len();
    let of_turns = draft.shape.newest_turns(turns, count);
    let newest: Vec<usize> = (of_turns..count).collect();
    if draft.tokens_left(&newest) <= max_tokens {
        return of_turns;
    }
    let mut tokens = 0u64;
    let mut border = count;
    for unit in draft.shape.units.iter().rev().take_while(|unit| unit.start >= of_turns) {
        let messages: Vec<usize> = unit.clone().collect();
        tokens = tokens.saturating_add(draft.tokens_left(&messages));
        if tokens > max_tokens && border < count {
            break;
        }
        border = unit.start;
    }
    border
}
