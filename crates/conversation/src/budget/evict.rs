//! Evictions that need no model: placeholders for results, and a window over the newest turns.

use std::cmp::Reverse;

use tuckaway_contract::{CompactionConfig, Removal};
use tuckaway_text::order;

use crate::carry;
use crate::draft::{Candidate, Draft};
use crate::past;

/// Replaces results with placeholders, largest first, until `enough` tokens are saved.
pub fn largest(draft: &mut Draft, enough: u64) {
    let mut candidates = draft.results();
    order::sort_by_key(&mut candidates, |candidate| Reverse(candidate.tokens));
    trim(draft, candidates, enough);
}

/// Replaces results with placeholders, oldest first, until `enough` tokens are saved.
pub fn oldest(draft: &mut Draft, enough: u64) {
    let candidates = draft.results();
    trim(draft, candidates, enough);
}

fn trim(draft: &mut Draft, candidates: Vec<Candidate>, enough: u64) {
    let mut saved = 0;
    for candidate in candidates {
        if saved >= enough {
            break;
        }
        saved += draft.trim(&candidate);
    }
}

/// Removes the oldest turns until `enough` tokens are saved, but none of the newest `keep_turns`.
/// Removed messages are stored first; if they cannot be stored, they stay.
pub fn turns(draft: &mut Draft, enough: u64, keep_turns: u32, config: &CompactionConfig) {
    let count = draft.conversation.messages.len();
    let border = draft.shape.newest_turns(keep_turns, count);
    let removable = past::removable(draft, border);
    let mut chosen = 0;
    let mut tokens = 0u64;
    for turn in 0..draft.shape.turn_count() {
        let end = draft.shape.turn(turn, count).end;
        if tokens >= enough || end > border {
            break;
        }
        let until = removable.partition_point(|index| *index < end);
        tokens = tokens.saturating_add(draft.tokens_left(&removable[chosen..until]));
        chosen = until;
    }
    // If their replacement is not smaller, the messages stay.
    let _: Result<(), u64> =
        carry::replace(draft, &removable[..chosen], Removal::Evicted, config, 0, &|carried| vec![carried]);
}
