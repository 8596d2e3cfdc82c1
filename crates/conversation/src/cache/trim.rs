//! Trims the oldest results when all results together exceed their budget (the compaction document,
//! section 1.7).

use std::collections::HashMap;

use tuckaway_contract::{AlarmKind, Bucket, CacheConfig, Error, Part, PromptCache};
use tuckaway_text::glob;

use crate::draft::{Candidate, Draft};
use crate::shape::Place;

/// The minimum and the maximum of the budget that is derived from a context window.
const DERIVED_BUDGET: (u64, u64) = (20_000, 60_000);

/// Trims results down to the target if together they exceed the budget, enough can be saved, and
/// the trim pays off.
///
/// Errors: a configuration that contradicts itself, a context window of 0.
pub fn trim(draft: &mut Draft, context_window: u64, config: &CacheConfig) -> Result<(), Error> {
    super::check(config)?;
    if context_window == 0 {
        return Err(Error::invalid("context_window is 0; pass the model's context window in tokens.")
            .about(&["context_window"]));
    }
    let budget = budget(context_window, config);
    let used = draft.after.tool_outputs;
    if !config.enabled || used <= budget {
        return Ok(());
    }
    let target = (budget as f64 * config.target_ratio) as u64;
    let chosen = choose(draft, config, used.saturating_sub(target));
    let saved: u64 = chosen.iter().map(|candidate| candidate.saved).sum();
    let is_enough = saved >= config.clear_at_least_tokens.max(1);
    if is_enough && config.prompt_cache.as_ref().is_none_or(|cache| pays(draft, &chosen, saved, cache)) {
        for candidate in &chosen {
            draft.trim(candidate.place);
        }
    }
    Ok(())
}

/// Reports that the remaining results exceed their budget.
pub fn report(draft: &mut Draft, context_window: u64, config: &CacheConfig) {
    let (used, budget) = (draft.after.tool_outputs, budget(context_window, config));
    if config.enabled && used > budget {
        let message = format!(
            "The tool results have {used} tokens, more than the {budget} of their budget. The rest is pinned, protected, not read yet or among the newest {}, or a trim would save too little or cost more of the prompt cache than it saves.",
            config.keep_last
        );
        draft.alarm(AlarmKind::OverCap, Some(Bucket::ToolOutputs), message);
    }
}

/// Returns the token budget of all results.
fn budget(context_window: u64, config: &CacheConfig) -> u64 {
    config.context_budget_tokens.unwrap_or_else(|| derived_budget(context_window))
}

/// Returns the budget of a context window: a quarter, within bounds.
fn derived_budget(context_window: u64) -> u64 {
    (context_window / 4).clamp(DERIVED_BUDGET.0, DERIVED_BUDGET.1)
}

/// Chooses results until they save enough: first the results that a later call with the same
/// arguments superseded, then the oldest.
fn choose(draft: &Draft, config: &CacheConfig, enough: u64) -> Vec<Candidate> {
    let results = results(draft);
    let newest = results.len().saturating_sub(config.keep_last as usize);
    let is_newest = |place: Place| results[newest..].binary_search(&place).is_ok();
    let mut latest: HashMap<(&str, &str), Place> = HashMap::new();
    for place in &results {
        if let Some(call) = draft.shape.call(draft.conversation, *place) {
            latest.insert((&call.name, &call.arguments), *place);
        }
    }
    let is_superseded = |place: Place| {
        let call = draft.shape.call(draft.conversation, place);
        call.is_some_and(|call| latest.get(&(&*call.name, &*call.arguments)) != Some(&place))
    };
    let is_kept_error =
        |place: Place| config.keep_errors && draft.result(place).is_some_and(|result| result.is_error);
    let is_protected = |place: Place| {
        is_kept_error(place)
            || config.protected_tools.iter().any(|tool| glob::matches(tool, draft.tool_of(place)))
    };
    let candidates = draft.candidates().into_iter();
    let candidates =
        candidates.filter(|candidate| !is_newest(candidate.place) && !is_protected(candidate.place));
    let (superseded, others): (Vec<_>, Vec<_>) =
        candidates.partition(|candidate| is_superseded(candidate.place));
    let mut saved = 0;
    let in_order = superseded.into_iter().chain(others);
    in_order
        .take_while(|candidate| {
            let is_needed = saved < enough;
            saved += candidate.saved;
            is_needed
        })
        .collect()
}

/// Returns all results that stay, in order.
fn results(draft: &Draft) -> Vec<Place> {
    let messages = draft.conversation.messages.iter().enumerate().filter(|(index, _)| draft.stays(*index));
    let of_message = |(index, message): (usize, &tuckaway_contract::Message)| {
        let parts = message.parts.iter().enumerate();
        let results = parts.filter(|(_, part)| matches!(part, Part::ToolResult(_)));
        results.map(move |(part, _)| (index, part)).collect::<Vec<_>>()
    };
    messages.flat_map(of_message).collect()
}

/// Returns whether a trim saves more over the expected requests than it costs: everything after its
/// first change is written to the prompt cache again instead of being read from it.
fn pays(draft: &Draft, chosen: &[Candidate], saved: u64, cache: &PromptCache) -> bool {
    let first = chosen.iter().map(|candidate| candidate.place.0).min().unwrap_or(0);
    let behind: Vec<usize> = (first..draft.conversation.messages.len()).collect();
    let written = draft.tokens_left(&behind).saturating_sub(saved);
    let cost = written as f64 * (cache.write_price - cache.read_price).max(0.0);
    saved as f64 * cache.read_price * f64::from(cache.remaining_turns) >= cost
}
