//! The cascade: each layer acts only if the earlier layers did not suffice.

use tuckaway_contract::{AlarmKind, Bucket, BudgetConfig, CompactionConfig, Layer, Overflow, Strategy};

use super::{check, evict, tools};
use crate::compaction;
use crate::draft::Draft;

/// The size to which an overflowing bucket shrinks, in percent of its cap.
const OVERFLOW_TO_PCT: u32 = 80;

/// Brings a conversation within its budget as far as possible without a model. Returns the messages
/// to summarize for the rest.
///
/// The budget must be valid.
pub fn keep(draft: &mut Draft, config: &BudgetConfig, summaries: &CompactionConfig) -> Vec<usize> {
    if draft.after.tools > config.tools.max_tokens && config.tools.on_overflow == Overflow::PruneUnused {
        tools::prune(draft, config.tools.max_tokens, config.unused_turns);
    }
    let mut past = Vec::new();
    for layer in &config.layers {
        let excess = excess(draft, config, layer.target, layer.at_pct, layer.to_pct);
        if excess > 0 && past.is_empty() {
            past = run(draft, config, summaries, layer, excess);
        }
    }
    for bucket in [Bucket::ToolOutputs, Bucket::History] {
        if past.is_empty() && draft.after.of(bucket) > config.cap(bucket).max_tokens {
            past = overflow(draft, config, summaries, bucket);
        }
    }
    let capacity = config.capacity();
    if draft.after.total > capacity {
        let message = format!(
            "The conversation has {} tokens, more than the {capacity} that the window has without headroom and working.",
            draft.after.total
        );
        draft.alarm(AlarmKind::Headroom, None, message);
        if past.is_empty() {
            let excess = draft.after.total - capacity;
            past = compaction::before_fitting(draft, capacity, summaries);
            past = compaction::if_it_pays(draft, past, excess);
        }
    }
    past
}

/// Returns the number of tokens that a bucket must lose to reach the fill level `to_pct`, if its
/// fill level is `at_pct` or more, relative to its cap or to the capacity of the window.
fn excess(draft: &Draft, config: &BudgetConfig, bucket: Bucket, at_pct: u32, to_pct: u32) -> u64 {
    let over = |used: u64, cap: u64| {
        let is_due = used > 0 && u128::from(used) * 100 >= u128::from(cap) * u128::from(at_pct);
        let target = u128::from(cap) * u128::from(to_pct) / 100;
        if is_due { used.saturating_sub(target as u64) } else { 0 }
    };
    let of_bucket = over(draft.after.of(bucket), config.cap(bucket).max_tokens);
    of_bucket.max(over(draft.after.total, config.capacity()))
}

/// Runs a layer. Returns the messages to summarize.
fn run(
    draft: &mut Draft,
    config: &BudgetConfig,
    summaries: &CompactionConfig,
    layer: &Layer,
    excess: u64,
) -> Vec<usize> {
    match layer.strategy {
        Strategy::TruncateLargest => evict::largest(draft, excess),
        Strategy::SlidingWindow => evict::turns(draft, excess, layer.keep_recent_turns, summaries),
        Strategy::RecursiveSummarize => {
            let past = oldest_part(draft, config.capacity(), layer.evict_pct, summaries);
            return compaction::if_it_pays(draft, past, excess);
        }
    }
    Vec::new()
}

/// Returns the oldest part of the messages that may be summarized: `evict_pct` of their tokens, in
/// whole units.
fn oldest_part(draft: &Draft, capacity: u64, evict_pct: u32, summaries: &CompactionConfig) -> Vec<usize> {
    let mut past = compaction::before_newest(draft, capacity, summaries);
    let wanted = u128::from(draft.tokens_left(&past)) * u128::from(evict_pct) / 100;
    let (mut tokens, mut end) = (0u128, 0);
    for unit in &draft.shape.units {
        if tokens >= wanted {
            break;
        }
        let until = past.partition_point(|index| *index < unit.end);
        tokens += u128::from(draft.tokens_left(&past[end..until]));
        end = until;
    }
    past.truncate(end);
    past
}

/// Applies the overflow rule of a bucket that exceeds its cap. Returns the messages to summarize.
fn overflow(
    draft: &mut Draft,
    config: &BudgetConfig,
    summaries: &CompactionConfig,
    bucket: Bucket,
) -> Vec<usize> {
    let cap = config.cap(bucket);
    let target = (u128::from(cap.max_tokens) * u128::from(OVERFLOW_TO_PCT) / 100) as u64;
    let excess = draft.after.of(bucket).saturating_sub(target);
    match (cap.on_overflow, bucket) {
        (Overflow::Summarize, _) => {
            let past = compaction::before_losing(draft, config.capacity(), summaries, bucket, excess);
            return compaction::if_it_pays(draft, past, excess);
        }
        (Overflow::Truncate, Bucket::ToolOutputs) => evict::oldest(draft, excess),
        (Overflow::Truncate, _) => evict::turns(draft, excess, summaries.retain_last_turns, summaries),
        (Overflow::Reject | Overflow::PruneUnused, _) => {}
    }
    Vec::new()
}

/// Reports the buckets that exceed their caps, or that are so full that a layer should have shrunk
/// them. Outputs that were just made to fit are not reported.
pub fn report(draft: &mut Draft, config: &BudgetConfig, is_fitted: bool) {
    let outputs = if is_fitted { None } else { Some(Bucket::ToolOutputs) };
    for bucket in [Bucket::System, Bucket::Tools, Bucket::History].into_iter().chain(outputs) {
        let (used, cap) = (draft.after.of(bucket), config.cap(bucket).max_tokens);
        let mut layers = config.layers.iter().filter(|layer| layer.target == bucket);
        let is_filled = layers.any(|layer| excess(draft, config, bucket, layer.at_pct, layer.to_pct) > 0);
        if used > cap || is_filled {
            let advice = match bucket {
                Bucket::System => "shorten the system prompt",
                Bucket::Tools => "offer fewer tools",
                _ => "the rest is pinned, not read yet, could not be stored, or belongs to the newest turns",
            };
            let message =
                format!("{} has {used} tokens, and its cap is {cap}: {advice}.", check::name(bucket));
            draft.alarm(AlarmKind::OverCap, Some(bucket), message);
        }
    }
}
