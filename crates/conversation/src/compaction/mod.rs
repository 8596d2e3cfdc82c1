//! Compaction of the compaction document, section 2 (docs/origins.md): a summary that a model
//! writes replaces older messages.

mod answer;
mod prompt;
mod provider;
mod request;
mod transcript;

use tuckaway_contract::{
    AlarmKind, Bucket, CompactionConfig, Error, Removal, SummaryRequest, TokenUsage, Violations,
};

use crate::carry;
use crate::config::MAX_ITEMS;
use crate::draft::Draft;
use crate::past;

use request::next_request;

pub use answer::Answer;
pub use provider::{ProviderCompaction, compact};
pub use request::request_of_pair;

/// After this many consecutive compactions without progress, requests stop.
const MAX_FAILURES: u32 = 3;
/// Minimum tokens of an answer.
const MIN_SUMMARY_TOKENS: u64 = 64;
/// Maximum bytes of a prompt.
const MAX_PROMPT_BYTES: usize = 64 << 10;
/// The newest turns may use half of the limit; if they are larger, only their newest steps stay.
const NEWEST_SHARE: u64 = 2;
/// If the removable messages are a smaller share of the tokens to free, they are not summarized.
const LEAST_SHARE: u64 = 4;

/// Returns whether the total usage has reached the threshold (the compaction document, section
/// 2.5).
///
/// Errors: a configuration that contradicts itself, an unknown context limit.
pub fn should_compact(usage: &TokenUsage, config: &CompactionConfig) -> Result<bool, Error> {
    let limit = limit(config)?;
    Ok(is_due(usage.total_tokens(), limit, config))
}

/// Returns the tokens that a compaction leaves if it can, so that it lasts: half of the threshold.
fn target(limit: u64, config: &CompactionConfig) -> u64 {
    (limit as f64 * config.threshold_ratio / 2.0) as u64
}

/// Returns the number of tokens to remove for a compaction to last.
pub fn excess(total: u64, limit: u64, config: &CompactionConfig) -> u64 {
    total.saturating_sub(target(limit, config))
}

/// Returns whether this many tokens are compacted automatically.
pub fn is_due(total: u64, limit: u64, config: &CompactionConfig) -> bool {
    config.enabled && config.auto && is_full(total, limit, config)
}

/// Returns whether this many tokens reach the threshold.
pub fn is_full(total: u64, limit: u64, config: &CompactionConfig) -> bool {
    total as f64 >= limit as f64 * config.threshold_ratio
}

/// The outcome for messages to be summarized.
#[derive(Default)]
pub struct Outcome {
    /// The next request, if the model's answers are incomplete.
    pub request: Option<SummaryRequest>,
    /// The reason why a summary was refused.
    pub refusal: Option<String>,
}

/// Requests a summary of messages, or uses the model's answers. Messages that are not to be
/// summarized are stored and removed without one. If nothing but the caller's request requires their
/// removal, they stay if the summary is not smaller.
pub fn summarize(
    draft: &mut Draft,
    past: &[usize],
    answers: &[String],
    config: &CompactionConfig,
    is_required: bool,
) -> Outcome {
    if past.is_empty() {
        return Outcome::default();
    }
    if config.enabled && !is_exhausted(draft) {
        let request = next_request(draft, past, answers, config);
        if request.is_some() {
            return Outcome { request, refusal: None };
        }
    }
    Outcome { request: None, refusal: replace(draft, past, answers, config, is_required) }
}

/// Returns messages if summarizing them pays off: they must make up a good part of the excess to
/// free.
pub fn if_it_pays(draft: &Draft, past: Vec<usize>, excess: u64) -> Vec<usize> {
    match draft.tokens_left(&past) >= excess / LEAST_SHARE {
        true => past,
        false => Vec::new(),
    }
}

/// Returns messages unless an earlier plan inserted all of them: they would be summarized once
/// more, and the retained content would be lost if their summary is not smaller.
pub fn if_new(draft: &Draft, past: Vec<usize>) -> Vec<usize> {
    match past.iter().any(|index| !draft.conversation.messages[*index].inserted) {
        true => past,
        false => Vec::new(),
    }
}

/// Returns whether requests have stopped.
fn is_exhausted(draft: &Draft) -> bool {
    draft.failures() >= MAX_FAILURES
}

/// Returns the messages before the newest turns that a summary may replace.
pub fn before_newest(draft: &Draft, limit: u64, config: &CompactionConfig) -> Vec<usize> {
    let border = past::border(draft, config.retain_last_turns, limit / NEWEST_SHARE);
    past::removable(draft, border)
}

/// Returns the messages to remove for a compaction to last: those before the newest turns that fit
/// the target together with the summary. At least as many turns stay as [`before_newest`] keeps.
pub fn before_fitting(draft: &Draft, limit: u64, config: &CompactionConfig) -> Vec<usize> {
    let past = before_newest(draft, limit, config);
    let summary = request::max_summary_tokens(config);
    let enough = excess(draft.after.total.saturating_add(summary), limit, config);
    oldest(draft, past, enough, &|messages| draft.tokens_left(messages))
}

/// Returns the messages to summarize for a bucket to lose this many tokens: those of the oldest turns. At
/// least as many turns stay as [`before_newest`] keeps.
pub fn before_losing(
    draft: &Draft,
    limit: u64,
    config: &CompactionConfig,
    bucket: Bucket,
    excess: u64,
) -> Vec<usize> {
    let past = before_newest(draft, limit, config);
    let summary = if bucket == Bucket::History { request::max_summary_tokens(config) } else { 0 };
    oldest(draft, past, excess.saturating_add(summary), &|messages| draft.tokens_in(bucket, messages))
}

/// Returns the messages of the oldest turns that have enough tokens together; all if they have fewer.
fn oldest(draft: &Draft, past: Vec<usize>, enough: u64, tokens: &dyn Fn(&[usize]) -> u64) -> Vec<usize> {
    let mut removed = 0u64;
    let mut chosen = 0;
    for start in draft.shape.turn_starts() {
        if removed >= enough {
            break;
        }
        let until = past.partition_point(|index| *index < start);
        removed = removed.saturating_add(tokens(&past[chosen..until]));
        chosen = until;
    }
    match removed >= enough {
        true => past[..chosen].to_vec(),
        false => past,
    }
}

/// Replaces messages with the content carried over and, if usable, the summary. Returns the reason
/// if the summary was refused.
fn replace(
    draft: &mut Draft,
    past: &[usize],
    answers: &[String],
    config: &CompactionConfig,
    is_required: bool,
) -> Option<String> {
    let before = draft.tokens_left(past);
    let usable = match () {
        () if !config.enabled => Err("summaries are turned off".to_owned()),
        () if is_exhausted(draft) => Err(format!("{MAX_FAILURES} compactions in a row made no progress")),
        () => Answer::read(answers.last().map_or("", String::as_str)),
    };
    // Removal without a summary would also remove the content that earlier plans retained.
    let may_stay = usable.is_ok() && !is_required;
    let used = usable.and_then(|answer| {
        let stored =
            carry::replace(draft, past, Removal::Summarized, config, 0, &|carried| texts(&answer, carried));
        stored.map_err(|after| not_smaller(after, before))
    });
    let refusal = used.err();
    if refusal.is_some() && !may_stay {
        // If that is not smaller either, the messages stay.
        let _: Result<(), u64> =
            carry::replace(draft, past, Removal::Evicted, config, 0, &|carried| vec![carried]);
    }
    let has_failed = refusal.is_some() && !may_stay && !is_exhausted(draft);
    count_failures(draft, if has_failed { Attempt::Failed } else { Attempt::Done }, config);
    if let Some(why) = &refusal {
        draft.alarm(AlarmKind::NoSummary, None, format!("No summary was used: {why}."));
    }
    refusal
}

/// Explains that the replacement of messages is not smaller.
fn not_smaller(after: u64, before: u64) -> String {
    format!("with the content carried over, it has {after} tokens, and it would replace {before}")
}

/// The outcome of a compaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Done,
    Failed,
}

/// Counts a compaction that failed or made no progress; any other ends the count.
fn count_failures(draft: &mut Draft, attempt: Attempt, config: &CompactionConfig) {
    let made_progress = !is_due(draft.after.total, config.context_limit.unwrap_or(0), config);
    let counts = attempt == Attempt::Failed || !made_progress;
    draft.set_failures(if counts { draft.failures().saturating_add(1) } else { 0 });
}

/// Returns the texts that replace messages: the retained content, then the summary.
fn texts(answer: &Answer, carried: String) -> Vec<String> {
    let retained = match &answer.retain {
        Some(retained) => [retained, "\n\n", &carried].concat(),
        None => carried,
    };
    vec![retained, answer.summary.clone()]
}

/// Returns the context limit.
///
/// Errors: a configuration that contradicts itself, an unknown limit.
pub fn limit(config: &CompactionConfig) -> Result<u64, Error> {
    let mut violations = Violations::default();
    match config.threshold_ratio {
        0.0 => violations.add(&["threshold_ratio"], "threshold_ratio is 0; it must be above 0."),
        ratio => violations.fraction("threshold_ratio", ratio),
    }
    if config.max_summary_tokens < MIN_SUMMARY_TOKENS {
        violations.add(
            &["max_summary_tokens"],
            format!(
                "max_summary_tokens is {}; it must be at least {MIN_SUMMARY_TOKENS}.",
                config.max_summary_tokens
            ),
        );
    }
    for (name, prompt) in
        [("summary_prompt", &config.summary_prompt), ("retain_prompt", &config.retain_prompt)]
    {
        if prompt.as_ref().is_some_and(|prompt| prompt.len() > MAX_PROMPT_BYTES) {
            violations.add(&[name], format!("{name} is longer than {MAX_PROMPT_BYTES} bytes."));
        }
    }
    for (name, directives) in
        [("summary_directives", &config.summary_directives), ("retain_directives", &config.retain_directives)]
    {
        let bytes: usize = directives.iter().map(String::len).sum();
        if directives.len() > MAX_ITEMS || bytes > MAX_PROMPT_BYTES {
            violations.add(&[name], format!(
                "{name} has {} items of {bytes} bytes; at most {MAX_ITEMS} of {MAX_PROMPT_BYTES} bytes are allowed.",
                directives.len()
            ));
        }
    }
    let limit = match config.context_limit {
        None => {
            violations
                .add(&["context_limit"], "context_limit is unknown; pass the model's max_input_tokens.");
            0
        }
        Some(limit) => limit,
    };
    for (name, limit) in
        [("context_limit", config.context_limit), ("summary_context_limit", config.summary_context_limit)]
    {
        if limit == Some(0) {
            violations.add(&[name], format!("{name} is 0; it must be at least 1."));
        }
    }
    violations.into_result().map(|()| limit)
}
