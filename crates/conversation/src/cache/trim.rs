//! Trims the oldest results, arguments and media when they exceed their budget together (the
//! compaction document, section 1.7), or media when a request would be too large for its provider.

use std::collections::HashMap;

use tuckaway_contract::{AlarmKind, Bucket, CacheConfig, Conversation, Error, Part, PromptCache};
use tuckaway_text::{glob, human_bytes, order};

use super::sides::longest_side;
use crate::draft::{Candidate, Draft, Rank};
use crate::shape::Place;

/// The minimum and the maximum of the budget that is derived from a context window.
const DERIVED_BUDGET: (u64, u64) = (20_000, 60_000);
/// The share of the largest request in bytes that texts and media may take: as JSON, they take more
/// bytes.
const REQUEST_SHARE: (u64, u64) = (9, 10);

/// Trims results, arguments and media down to the target if together they exceed the budget, enough can
/// be saved, and the trim pays off; and media until a request is not too large.
///
/// Errors: a configuration that contradicts itself, a context window of 0.
pub fn trim(draft: &mut Draft, context_window: u64, config: &CacheConfig) -> Result<(), Error> {
    super::check(config)?;
    if context_window == 0 {
        return Err(Error::invalid("context_window is 0; pass the model's context window in tokens.")
            .about(&["context_window"]));
    }
    if !config.enabled {
        return Ok(());
    }
    trim_new_texts(draft, config);
    if let Some(limits) = config.image_limits {
        trim_wide(draft, config, limits.side, 0);
    }
    trim_old(draft, context_window, config);
    if let Some(limits) = config.image_limits {
        trim_wide(draft, config, limits.side_of_many, limits.many);
    }
    Ok(())
}

/// Trims what exceeds the budget or a limit of a request, and removes old thinking, if enough can be saved
/// and that pays off.
fn trim_old(draft: &mut Draft, context_window: u64, config: &CacheConfig) {
    let excess = Load::of(draft, config).excess(budget(context_window, config), config);
    let mut chosen = draft.old_thinking(config.keep_thinking);
    if !excess.is_none() {
        chosen.extend(choose(draft, config, excess));
    }
    let saved: u64 = chosen.iter().map(|candidate| candidate.saved).sum();
    let is_enough = saved >= config.clear_at_least_tokens.max(1);
    let pays = || config.prompt_cache.as_ref().is_none_or(|cache| pays(draft, &chosen, saved, cache));
    // A request that the provider refuses costs more than any trim.
    if excess.is_of_request() || is_enough && pays() {
        for candidate in &chosen {
            draft.trim(candidate);
        }
    }
}

/// Trims the large texts of the user that the model has not read yet, if the settings say so: the
/// provider has not cached them.
fn trim_new_texts(draft: &mut Draft, config: &CacheConfig) {
    let Some(settings) = config.user_messages.as_ref().filter(|settings| settings.with_newest) else {
        return;
    };
    for candidate in draft.unread_texts(settings) {
        draft.trim(&candidate);
    }
}

/// Trims until the conversation has at most `goal` tokens, even if the budget holds, or the trim would
/// save too little or cost too much of the prompt cache.
pub fn trim_to(draft: &mut Draft, goal: u64, config: &CacheConfig) {
    let tokens = draft.after.total.saturating_sub(goal);
    if config.enabled && tokens > 0 {
        for candidate in choose(draft, config, Excess { tokens, media: 0, bytes: 0 }) {
            draft.trim(&candidate);
        }
    }
}

/// Returns the parts that the next trim will replace, in its order: those beyond its target.
pub fn leaving(draft: &Draft, context_window: u64, config: &CacheConfig) -> Vec<Candidate> {
    if !config.enabled {
        return Vec::new();
    }
    let target = target(budget(context_window, config), config);
    let tokens = Load::of(draft, config).tokens.saturating_sub(target);
    if tokens == 0 {
        return Vec::new();
    }
    choose(draft, config, Excess { tokens, media: 0, bytes: 0 })
}

/// Trims the images with a side above a limit, even new ones, the oldest first, until the request has at
/// most `many` media. An alarm says so; the receipts name them.
fn trim_wide(draft: &mut Draft, config: &CacheConfig, side: u32, many: u32) {
    let load = Load::of(draft, config);
    let is_excess = |load: &Load| load.longest_side > side.into() && load.media > many.into();
    if !is_excess(&load) {
        return;
    }
    let (mut left, mut replaced) = (load.media, 0);
    for candidate in draft.media(0..draft.conversation.messages.len()) {
        let is_wide = longest_side(draft.part(candidate.place)) > side.into();
        if is_wide && left > many.into() && draft.trim(&candidate) > 0 {
            (left, replaced) = (left - 1, replaced + 1);
        }
    }
    let among = if many > 0 { format!(" if there are more than {many}") } else { String::new() };
    let message = format!(
        "The provider refuses images with a side of more than {side} pixels{among}: references replace {replaced}, but none that is pinned or not stored. Reduce images before they are added."
    );
    draft.alarm(AlarmKind::ImageTooWide, None, message);
}

/// Trims the images of more than `bytes`, even new ones. Returns whether none of them stays.
pub fn trim_large(draft: &mut Draft, bytes: u64) -> bool {
    let is_image = |label: &str| label.contains("image");
    let is_large = |part: &Part| matches!(part, Part::Media(medium) if medium.bytes > bytes && medium.label.as_deref().is_none_or(is_image));
    for candidate in draft.media(0..draft.conversation.messages.len()) {
        if is_large(draft.part(candidate.place)) {
            draft.trim(&candidate);
        }
    }
    places_of(draft, &is_large).into_iter().all(|place| draft.text_at(place).is_some())
}

/// The size of the results, the large arguments, the media and the large texts of the user.
struct Load {
    /// Tokens of all of them.
    tokens: u64,
    media: u64,
    /// Bytes of all texts and media.
    bytes: u64,
    /// The longest side of an image in pixels.
    longest_side: f64,
}

/// The amounts that a trim has to save; all zeros if nothing.
#[derive(Clone, Copy)]
struct Excess {
    tokens: u64,
    media: u64,
    bytes: u64,
}

impl Load {
    fn of(draft: &Draft, config: &CacheConfig) -> Load {
        let mut load = Load { tokens: 0, media: 0, bytes: 0, longest_side: 0.0 };
        let parts = places(draft.conversation).filter(|(place, _)| draft.stays(place.0));
        for (place, part) in parts {
            let tokens = draft.part_tokens(place);
            if let Some(text) = draft.text_at(place) {
                load.bytes = load.bytes.saturating_add(text.len() as u64);
                load.tokens += if matches!(part, Part::ToolResult(_)) { tokens } else { 0 };
                continue;
            }
            let bytes = match part {
                Part::Text(text) => {
                    let settings = config.user_messages.as_ref();
                    if settings.is_some_and(|settings| draft.is_large_text(place, settings)) {
                        load.tokens += tokens;
                    }
                    text.len() as u64
                }
                Part::ToolResult(result) => {
                    load.tokens += tokens;
                    result.text.len() as u64
                }
                Part::ToolCall(call) => {
                    let is_large = call.arguments.len() as u64 >= config.min_argument_bytes;
                    if is_large && trims_arguments_of(config, &call.name) {
                        load.tokens += tokens;
                    }
                    call.arguments.len() as u64
                }
                Part::Media(medium) => {
                    load.tokens += tokens;
                    load.media += 1;
                    load.longest_side = load.longest_side.max(longest_side(part));
                    medium.bytes
                }
                Part::Opaque(bytes) | Part::Thinking(bytes) => *bytes,
            };
            load.bytes = load.bytes.saturating_add(bytes);
        }
        load
    }

    /// Returns the excess over the budget and the limits of a request, measured from the target of
    /// trims.
    fn excess(&self, budget: u64, config: &CacheConfig) -> Excess {
        let over = |used: u64, limit: Option<u64>| match limit {
            Some(limit) if used > limit => used.saturating_sub(target(limit, config)),
            _ => 0,
        };
        let of_request = |limit: u64| limit / REQUEST_SHARE.1 * REQUEST_SHARE.0;
        let of_many = config.image_limits.filter(|limits| self.longest_side > limits.side_of_many.into());
        let max_media = match (config.max_media, of_many) {
            (Some(most), Some(limits)) => Some(most.min(limits.many)),
            (most, limits) => most.or(limits.map(|limits| limits.many)),
        };
        Excess {
            tokens: over(self.tokens, Some(budget)),
            media: over(self.media, max_media.map(u64::from)),
            bytes: over(self.bytes, config.max_request_bytes.map(of_request)),
        }
    }
}

impl Excess {
    fn is_none(self) -> bool {
        self.tokens == 0 && !self.is_of_request()
    }

    /// Returns whether a request would be too large for its provider.
    fn is_of_request(self) -> bool {
        self.media > 0 || self.bytes > 0
    }
}

/// Reports that the remaining content exceeds its budget, unless new results were made to fit, or a limit
/// of the provider.
pub fn report(draft: &mut Draft, context_window: u64, config: &CacheConfig, is_fitted: bool) {
    if !config.enabled {
        return;
    }
    let (load, budget) = (Load::of(draft, config), budget(context_window, config));
    if load.tokens > budget && !is_fitted {
        let what = match config.user_messages {
            Some(_) => "tool results, large arguments, media and large texts of the user",
            None => "tool results, large arguments and media",
        };
        let message = format!(
            "The {what} have {} tokens, more than the {budget} of their budget. The rest is pinned, protected, not read yet or among the newest, or a trim would save too little or cost more of the prompt cache than it saves.",
            load.tokens
        );
        draft.alarm(AlarmKind::OverCap, Some(Bucket::ToolOutputs), message);
    }
    if let Some(limit) = config.max_request_bytes.filter(|limit| load.bytes > *limit) {
        let message = format!(
            "The texts and media have {}, more than the {} of a request. Send smaller images, or fewer at once.",
            human_bytes(load.bytes),
            human_bytes(limit)
        );
        draft.alarm(AlarmKind::Headroom, None, message);
    }
}

/// Returns what a trim leaves of a limit.
fn target(limit: u64, config: &CacheConfig) -> u64 {
    (limit as f64 * config.target_ratio) as u64
}

/// Returns the token budget of all results, large arguments and media.
fn budget(context_window: u64, config: &CacheConfig) -> u64 {
    config.context_budget_tokens.unwrap_or_else(|| derived_budget(context_window))
}

/// Returns the budget of a context window: a quarter, within bounds.
fn derived_budget(context_window: u64) -> u64 {
    (context_window / 4).clamp(DERIVED_BUDGET.0, DERIVED_BUDGET.1)
}

/// Returns whether the arguments of a tool's calls may be trimmed.
fn trims_arguments_of(config: &CacheConfig, tool: &str) -> bool {
    let is_among = |globs: &[String]| globs.iter().any(|name| glob::matches(name, tool));
    config.trim_arguments
        && !is_among(&config.protected_tools)
        && (config.argument_tools.is_empty() || is_among(&config.argument_tools))
}

/// Chooses parts until they save enough: first the results that a later call with the same arguments
/// superseded, then the oldest parts. All of them save tokens; media also save bytes and the number
/// of media. Summaries in the place of results are chosen only as far as they would have more than half
/// of what is left, or if nothing else suffices: they say more with fewer tokens.
fn choose(draft: &Draft, config: &CacheConfig, excess: Excess) -> Vec<Candidate> {
    let mut all = results(draft, config);
    all.extend(arguments(draft, config));
    all.extend(media(draft, config));
    if let Some(settings) = &config.user_messages {
        all.extend(draft.read_texts(settings));
    }
    let tokens: u64 = all.iter().map(|candidate| candidate.tokens).sum();
    let mut space = tokens.saturating_sub(excess.tokens) / 2;
    let is_summary =
        |candidate: &&mut Candidate| candidate.rank == Rank::Usual && draft.has_summary(candidate.place);
    for candidate in all.iter_mut().rev().filter(is_summary) {
        let fits = candidate.tokens <= space;
        space = if fits { space - candidate.tokens } else { 0 };
        candidate.rank = if fits { Rank::Last } else { Rank::First };
    }
    // A result is needed as long as a newer one refers to it.
    order::sort_by_key(&mut all, |candidate| {
        (candidate.rank, draft.last_reference(candidate.place).unwrap_or(candidate.place))
    });
    let mut left = excess;
    all.retain(|candidate| {
        let is_medium = matches!(draft.part(candidate.place), Part::Media(_));
        let is_needed = left.tokens > 0 || is_medium && left.is_of_request();
        if is_needed {
            left.tokens = left.tokens.saturating_sub(candidate.saved);
            left.bytes = left.bytes.saturating_sub(candidate.bytes);
            left.media = left.media.saturating_sub(u64::from(is_medium));
        }
        is_needed
    });
    all
}

/// Returns the results that may be trimmed. Those that a later call with the same arguments superseded
/// come first.
fn results(draft: &Draft, config: &CacheConfig) -> Vec<Candidate> {
    let is_result = |part: &Part| matches!(part, Part::ToolResult(_));
    let mut latest: HashMap<(&str, &str), Place> = HashMap::new();
    for place in places_of(draft, &is_result) {
        if let Some(call) = draft.shape.call(draft.conversation, place) {
            latest.insert((&call.name, &call.arguments), place);
        }
    }
    let is_superseded = |place: Place| {
        let call =
            draft.shape.call(draft.conversation, place).filter(|_| draft.last_reference(place).is_none());
        call.is_some_and(|call| latest.get(&(&*call.name, &*call.arguments)) != Some(&place))
    };
    let is_kept_error =
        |place: Place| config.keep_errors && draft.result(place).is_some_and(|result| result.is_error);
    let stays = |place: Place| {
        is_kept_error(place)
            || config.protected_tools.iter().any(|tool| glob::matches(tool, draft.tool_of(place)))
    };
    let mut candidates = draft.results();
    retain_older(draft, &mut candidates, config.keep_last, &is_result, &stays);
    for candidate in candidates.iter_mut().filter(|candidate| is_superseded(candidate.place)) {
        candidate.rank = Rank::First;
    }
    candidates
}

/// Returns the calls whose arguments may be trimmed.
fn arguments(draft: &Draft, config: &CacheConfig) -> Vec<Candidate> {
    if !config.trim_arguments {
        return Vec::new();
    }
    let min_bytes = usize::try_from(config.min_argument_bytes).unwrap_or(usize::MAX);
    let mut candidates = draft.large_arguments(min_bytes);
    let is_call = |part: &Part| matches!(part, Part::ToolCall(_));
    let stays = |place: Place| !trims_arguments_of(config, draft.tool_at(place).unwrap_or_default());
    retain_older(draft, &mut candidates, config.keep_last, &is_call, &stays);
    candidates
}

/// Returns the media that may be trimmed.
fn media(draft: &Draft, config: &CacheConfig) -> Vec<Candidate> {
    let mut candidates = draft.media(0..draft.shape.unread);
    let is_medium = |part: &Part| matches!(part, Part::Media(_));
    retain_older(draft, &mut candidates, config.keep_media, &is_medium, &|_| false);
    candidates
}

/// Removes the candidates that stay, and those among the newest parts of their kind. A result is as new as
/// the last one that refers to it.
fn retain_older(
    draft: &Draft,
    candidates: &mut Vec<Candidate>,
    keep: u32,
    is_of_kind: &dyn Fn(&Part) -> bool,
    stays: &dyn Fn(Place) -> bool,
) {
    let all = places_of(draft, is_of_kind);
    let newest = &all[all.len().saturating_sub(keep as usize)..];
    candidates.retain(|candidate| {
        let last = draft.last_reference(candidate.place).unwrap_or(candidate.place);
        newest.binary_search(&last).is_err() && !stays(candidate.place)
    });
}

/// Returns the places of the parts of a kind in messages that stay, in order.
fn places_of(draft: &Draft, is_of_kind: &dyn Fn(&Part) -> bool) -> Vec<Place> {
    let parts = places(draft.conversation).filter(|(place, part)| is_of_kind(part) && draft.stays(place.0));
    parts.map(|(place, _)| place).collect()
}

/// Returns all parts with their places, in order.
fn places(conversation: &Conversation) -> impl Iterator<Item = (Place, &Part)> {
    conversation.messages.iter().enumerate().flat_map(|(index, message)| {
        message.parts.iter().enumerate().map(move |(part_index, part)| ((index, part_index), part))
    })
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
