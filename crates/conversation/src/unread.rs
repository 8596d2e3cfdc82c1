//! Results that the model has not read yet, and that do not fit its window together.

use tuckaway_contract::{CompactionConfig, Part};
use tuckaway_text::fair;

use crate::compaction;
use crate::draft::Draft;
use crate::shape::Place;

/// Minimum tokens of a view: fewer would only name the artifact.
const MIN_VIEW_TOKENS: u64 = 512;

/// Replaces new results with views if the conversation would leave no space for an answer: the
/// largest are reduced first, and none gets fewer tokens than a smaller one keeps. As much space is
/// freed as by a compaction, if the views can be that small. Returns whether the conversation had too
/// little space and now has enough.
pub fn fit(draft: &mut Draft, config: &CompactionConfig) -> bool {
    let limit = config.context_limit.unwrap_or(0);
    let excess = compaction::excess(draft.after.total, limit, config);
    if !compaction::is_full(draft.after.total, limit, config) || excess == 0 {
        return false;
    }
    let unread = unread(draft);
    let needs = || unread.iter().map(|(_, tokens)| *tokens);
    let left = needs().sum::<u64>().saturating_sub(excess);
    let share = fair::share(needs(), left).max(MIN_VIEW_TOKENS);
    for (place, tokens) in &unread {
        if *tokens > share {
            draft.view(*place, share);
        }
    }
    !compaction::is_full(draft.after.total, limit, config)
}

/// Returns the results after the model's last message that may change, in order, with their tokens.
pub fn unread(draft: &Draft) -> Vec<(Place, u64)> {
    let messages = draft.conversation.messages.iter().enumerate().skip(draft.shape.unread);
    let open = messages.filter(|(index, message)| !message.pinned && draft.stays(*index));
    let results = open.flat_map(|(index, message)| {
        let parts = message.parts.iter().enumerate();
        let results = parts.filter(|(_, part)| matches!(part, Part::ToolResult(_)));
        results.map(move |(part, _)| (index, part))
    });
    let open = results.filter(|place| draft.text_at(*place).is_none());
    open.map(|place| (place, draft.part_tokens(place))).collect()
}
