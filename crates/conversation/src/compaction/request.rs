//! The requests for a summary: one, or several if the messages do not fit the model's window.

use tuckaway_contract::{CompactionConfig, Part, Role, SummaryRequest, TextMessage};
use tuckaway_text::tokens::estimate;

use super::MIN_SUMMARY_TOKENS;
use super::answer::Answer;
use super::prompt::{prompt, without_retained};
use super::transcript::{alternating, content_of, shortened, text_of, text_of_pair};
use crate::draft::Draft;
use crate::shape::Place;

/// Limits in bytes for each summarized result, tried in order until the messages fit.
const RESULT_BYTES: [usize; 3] = [16 << 10, 4 << 10, 1 << 10];
/// The share of a window that requests use, because estimates may be off by a tenth.
const WINDOW_SHARE: (u64, u64) = (85, 100);
/// The share of the context limit that a summary may use.
const SUMMARY_PART: u64 = 8;
/// The share of a result that its summary may have, and its maximum in tokens.
const PAIR_PART: u64 = 4;
const MAX_PAIR_TOKENS: u64 = 512;
/// Minimum tokens of the messages in a request.
const MIN_CHUNK_TOKENS: u64 = 256;
/// Minimum bytes of a token when a text is truncated to a number of tokens.
const LEAST_TOKEN_BYTES: usize = 2;

/// Returns the request that follows the answers so far. Returns none if everything is summarized,
/// or if the last answer has nothing usable, because the next summary would lack the earlier
/// messages. Each request except the first begins with the previous summary.
pub fn next_request(
    draft: &Draft,
    past: &[usize],
    answers: &[String],
    config: &CompactionConfig,
) -> Option<SummaryRequest> {
    if past.is_empty() {
        return None;
    }
    let summary = match answers.last() {
        Some(last) => Some(Answer::read(last).ok()?),
        None => None,
    };
    let prompt = prompt(config);
    let max_output = max_summary_tokens(config);
    let space = space(config, max_output, &prompt);
    let (texts, is_uncut) = fitting(draft, past, space);
    let chunks = chunks(texts, space, max_output);
    let chunk = chunks.get(answers.len())?;
    let is_whole = chunks.len() == 1 && is_uncut && is_start(draft, past);
    let mut messages: Vec<TextMessage> = Vec::new();
    if let Some(summary) = summary {
        messages.push(TextMessage { role: Role::User, text: summary_before(summary, max_output) });
    }
    messages.extend(chunk.messages.iter().cloned());
    if chunks.len() == answers.len() + 1 {
        messages.extend(waiting(draft, past));
    }
    let through = past.get(chunk.end.checked_sub(1)?).map_or(0, |last| last + 1);
    Some(SummaryRequest {
        model: config.model.clone(),
        messages: alternating(messages),
        prompt,
        through: draft.index_after(through),
        is_whole,
        remaining: (chunks.len() - answers.len() - 1) as u32,
        max_output_tokens: max_output,
        pair: None,
    })
}

/// Returns the request for the summary of a result and its call; none if there is no result at a
/// place. A result that does not fit the model's window is truncated.
pub fn request_of_pair(
    draft: &Draft,
    place: Place,
    pair: u64,
    config: &CompactionConfig,
) -> Option<SummaryRequest> {
    let prompt = without_retained(config);
    let part = draft.part_tokens(place) / PAIR_PART;
    let max_output = part.clamp(MIN_SUMMARY_TOKENS, MAX_PAIR_TOKENS).min(max_summary_tokens(config));
    let text = text_of_pair(draft, place)?;
    let space = space(config, max_output, &prompt);
    let text = if estimate(&text) > space { cut_to(&text, space) } else { text };
    Some(SummaryRequest {
        model: config.model.clone(),
        messages: vec![TextMessage { role: Role::User, text }],
        prompt,
        through: 0,
        is_whole: false,
        remaining: 0,
        max_output_tokens: max_output,
        pair: Some(pair),
    })
}

/// Returns the tokens that the messages of a request may have.
fn space(config: &CompactionConfig, max_output: u64, prompt: &str) -> u64 {
    let window = config.summary_context_limit.or(config.context_limit).unwrap_or(0);
    let window = (u128::from(window) * u128::from(WINDOW_SHARE.0) / u128::from(WINDOW_SHARE.1)) as u64;
    window.saturating_sub(max_output).saturating_sub(estimate(prompt)).max(MIN_CHUNK_TOKENS)
}

/// Returns the maximum tokens of a summary.
pub fn max_summary_tokens(config: &CompactionConfig) -> u64 {
    let limit = config.context_limit.unwrap_or(u64::MAX);
    config.max_summary_tokens.min(limit / SUMMARY_PART).max(MIN_SUMMARY_TOKENS)
}

/// Returns whether the messages to summarize are everything after the developer's messages.
fn is_start(draft: &Draft, past: &[usize]) -> bool {
    past.first() == Some(&draft.shape.start) && past.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

/// A text and its tokens.
struct Estimated {
    message: TextMessage,
    tokens: u64,
}

impl Estimated {
    fn of(message: TextMessage) -> Self {
        Estimated { tokens: estimate(&message.text), message }
    }
}

/// Returns the texts of messages, with results truncated as far as necessary to fit, and whether
/// nothing was truncated. A text is estimated again only if it may have changed.
fn fitting(draft: &Draft, past: &[usize], space: u64) -> (Vec<Estimated>, bool) {
    let whole = |index: &usize| Estimated::of(text_of(draft, *index, usize::MAX));
    let mut texts: Vec<Estimated> = past.iter().map(whole).collect();
    let fits = |texts: &[Estimated]| texts.iter().map(|text| text.tokens).sum::<u64>() <= space;
    let is_uncut = fits(&texts);
    for max_bytes in RESULT_BYTES {
        if fits(&texts) {
            break;
        }
        for (text, index) in texts.iter_mut().zip(past) {
            if text.message.text.len() > max_bytes {
                *text = Estimated::of(text_of(draft, *index, max_bytes));
            }
        }
    }
    (texts, is_uncut)
}

/// A part of the messages that fits one request.
struct Chunk {
    messages: Vec<TextMessage>,
    /// The number of messages up to its end.
    end: usize,
}

/// Splits the past between messages; a message that does not fit is truncated.
fn chunks(texts: Vec<Estimated>, space: u64, max_output: u64) -> Vec<Chunk> {
    let mut chunks = vec![Chunk { messages: Vec::new(), end: 0 }];
    let mut left = space;
    // The previous summary takes its share of each request except the first.
    let next_space = space.saturating_sub(max_output).max(MIN_CHUNK_TOKENS);
    for (index, text) in texts.into_iter().enumerate() {
        let Estimated { mut message, mut tokens } = text;
        if tokens > next_space {
            message.text = cut_to(&message.text, next_space);
            tokens = estimate(&message.text);
        }
        if tokens > left {
            chunks.push(Chunk { messages: Vec::new(), end: index });
            left = next_space;
        }
        left = left.saturating_sub(tokens);
        if let Some(chunk) = chunks.last_mut() {
            chunk.messages.push(message);
            chunk.end = index + 1;
        }
    }
    chunks
}

/// Truncates a text to a number of tokens.
fn cut_to(text: &str, tokens: u64) -> String {
    let mut bytes = text.len().min(usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX));
    loop {
        let cut = shortened(text, bytes);
        if estimate(&cut) <= tokens || bytes <= tokens as usize / LEAST_TOKEN_BYTES {
            return cut;
        }
        bytes = bytes * 3 / 4;
    }
}

/// Returns the first message of every request except the first.
fn summary_before(answer: Answer, max_tokens: u64) -> String {
    let summary = match answer.retain {
        Some(retain) => [&retain, "\n\n", &answer.summary].concat(),
        None => answer.summary,
    };
    format!("[Summary of the earlier conversation]\n{}", cut_to(&summary, max_tokens))
}

/// Returns the text of the message that awaits results of its calls, if the past ends before it.
/// The text omits the calls, which the summary's model could not answer.
fn waiting(draft: &Draft, past: &[usize]) -> Option<TextMessage> {
    let last = draft.conversation.messages.len().checked_sub(1)?;
    let message = &draft.conversation.messages[last];
    let calls = message.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
    (calls && past.last() == Some(&last.checked_sub(1)?)).then(|| content_of(message))
}
