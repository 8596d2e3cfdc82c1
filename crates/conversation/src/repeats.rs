//! New results that repeat an earlier one still in the conversation.

use std::collections::HashMap;

use tuckaway_contract::{CacheConfig, Dialect, Repeats};
use tuckaway_text::glob;

use crate::draft::{Draft, is_reference};
use crate::shape::Place;
use crate::unread::unread;

/// Minimum bytes of a result that a reference replaces: below, it would save too little.
const MIN_BYTES: usize = 1_024;

/// Replaces results that the model has not read yet with references, if they repeat an earlier one
/// that stays unchanged. Results of artifact tools stay: a model that reads a reference asks for
/// the text.
pub fn replace(draft: &mut Draft, config: &CacheConfig) {
    if !config.enabled || config.repeats == Repeats::Off {
        return;
    }
    let is_protected = |tool: &str| {
        config.protected_tools.iter().any(|name| glob::matches(name, tool))
            || Dialect::ALL.into_iter().any(|dialect| dialect.has_tool(tool))
    };
    let mut new: Vec<Place> = unread(draft).into_iter().map(|(place, _)| place).collect();
    new.retain(|place| is_large(draft, *place) && !is_protected(draft.tool_of(*place)));
    let Some(first) = new.first().copied() else { return };
    let (mut by_text, mut by_call) = (Newest::new(), Newest::new());
    for (index, message) in draft.conversation.messages.iter().enumerate().take(first.0 + 1) {
        for place in (0..message.parts.len()).map(|part| (index, part)).take_while(|place| *place < first) {
            if is_whole(draft, place) {
                learn(draft, place, &mut by_text, &mut by_call);
            }
        }
    }
    for place in new {
        if !refer(draft, place, config.repeats, &by_text, &by_call) {
            learn(draft, place, &mut by_text, &mut by_call);
        }
    }
}

/// Returns whether a place has a result of at least the minimum.
fn is_large(draft: &Draft, place: Place) -> bool {
    draft.result(place).is_some_and(|result| result.text.len() >= MIN_BYTES)
}

/// Returns whether a result will be unchanged in the next request. A result that a provider has
/// compacted has no tokens.
fn is_whole(draft: &Draft, place: Place) -> bool {
    is_large(draft, place)
        && draft.stays(place.0)
        && draft.text_at(place).is_none()
        && draft.part_tokens(place) > 0
        && !draft.result(place).is_some_and(is_reference)
}

/// The newest result with each pair of texts: a tool and its result, or a tool and its arguments.
type Newest<'a> = HashMap<(&'a str, &'a str), Place>;

/// Records a result, so that later ones can refer to it.
fn learn<'a>(draft: &Draft<'a>, place: Place, by_text: &mut Newest<'a>, by_call: &mut Newest<'a>) {
    let Some(result) = draft.result(place) else { return };
    if let Some(call) = draft.shape.call(draft.conversation, place) {
        by_text.insert((&call.name, &result.text), place);
        by_call.insert((&call.name, &call.arguments), place);
    }
}

/// Replaces a result with a reference to the newest one that it repeats. Returns whether there is one.
fn refer(draft: &mut Draft, place: Place, repeats: Repeats, by_text: &Newest, by_call: &Newest) -> bool {
    let (Some(result), Some(call)) = (draft.result(place), draft.shape.call(draft.conversation, place))
    else {
        return false;
    };
    let equal = by_text.get(&(&*call.name, &*result.text));
    let similar = by_call.get(&(&*call.name, &*call.arguments)).filter(|_| repeats == Repeats::Diff);
    equal.or(similar).is_some_and(|earlier| draft.refer(place, *earlier))
}
