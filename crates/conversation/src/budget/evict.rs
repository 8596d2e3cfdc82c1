//! What needs no model: placeholders for results, a window over the newest turns.

use crate::carry;
use crate::config::CompactionConfig;
use crate::draft::{Candidate, Draft};
use crate::model::Removal;
use crate::past;

/// Replaces results by placeholders until `enough` tokens are saved: the largest first.
pub fn largest(draft: &mut Draft, enough: u64) {
    let mut candidates = draft.candidates();
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.tokens));
    trim(draft, candidates, enough);
}

/// Replaces results by placeholders until `enough` tokens are saved: the oldest first.
pub fn oldest(draft: &mut Draft, enough: u64) {
    let candidates = draft.candidates();
    trim(draft, candidates, enough);
}

fn trim(draft: &mut Draft, candidates: Vec<Candidate>, enough: u64) {
    let mut saved = 0;
    for candidate in candidates {
        if saved >= enough {
            break;
        }
        saved += draft.trim(candidate.place);
    }
}

/// Removes the oldest turns until `enough` tokens are saved, but none of the newest
/// `keep_turns`. What is removed is stored first; if it cannot be, it stays.
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
    // If what stands for them is not smaller, the messages stay.
    let _: Result<(), u64> =
        carry::replace(draft, &removable[..chosen], Removal::Evicted, config, |carried| vec![carried]);
}
