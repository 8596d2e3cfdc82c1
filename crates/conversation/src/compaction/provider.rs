//! The provider's own compaction, which takes the place of messages as a summary does.

use tuckaway_contract::{CompactionConfig, Conversation, Removal, Role};

use super::{Attempt, Outcome, count_failures, not_smaller};
use crate::carry;
use crate::draft::Draft;
use crate::past;
use crate::shape::Shape;

/// The items that a provider returned for the messages that a request for a summary covers.
pub struct ProviderCompaction {
    /// The number of messages that the request covers, as the request stated it.
    pub through: usize,
    /// The items that take their place, as messages.
    pub items: Conversation,
}

/// Replaces the messages that a compaction covers with the content carried over, and counts the items
/// of the compaction. The plan changes nothing if the compaction is refused.
pub fn compact(draft: &mut Draft, compaction: &ProviderCompaction, config: &CompactionConfig) -> Outcome {
    Outcome { request: None, refusal: replace(draft, compaction, config).err() }
}

/// Errors: the reason why a compaction is refused.
fn replace(
    draft: &mut Draft,
    compaction: &ProviderCompaction,
    config: &CompactionConfig,
) -> Result<(), String> {
    let items = &compaction.items.messages;
    let shape = Shape::of(&compaction.items).map_err(|error| error.message)?;
    if shape.waiting < items.len() {
        return Err("it has a call without a result".to_owned());
    }
    if items.len() > compaction.through {
        return Err("it has more items than it replaces".to_owned());
    }
    let past = past::removable(draft, compaction.through);
    let Some(first) = past.first() else { return Err("nothing that it covers may be removed".to_owned()) };
    // Words of the user that the provider has kept are not repeated.
    let has_words = items.iter().any(|item| item.role == Role::User);
    let max_user_bytes = if has_words { 0 } else { config.max_user_bytes };
    let carried = CompactionConfig { max_user_bytes, ..config.clone() };
    let (before, tokens) = (draft.tokens_left(&past), draft.count_messages(items, *first));
    carry::replace(draft, &past, Removal::Summarized, &carried, tokens, &|carried| vec![carried])
        .map_err(|after| not_smaller(after, before))?;
    // If the store has refused them, the messages stay.
    if !draft.stays(*first) {
        draft.add_items(items.len(), tokens);
    }
    count_failures(draft, Attempt::Done, config);
    Ok(())
}
