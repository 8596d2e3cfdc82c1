//! The requests for a summary: one, or several if the past does not fit the model's window.

use tuckaway_text::tokens::estimate;

use super::MIN_SUMMARY_TOKENS;
use super::answer::Answer;
use super::prompt::prompt;
use super::transcript::{alternating, content_of, shortened, text_of};
use crate::config::CompactionConfig;
use crate::draft::Draft;
use crate::model::{Part, Role, SummaryRequest, TextMessage};

/// The most bytes of a result that is summarized, tried in order until the past fits.
const RESULT_BYTES: [usize; 3] = [16 << 10, 4 << 10, 1 << 10];
/// The part of a window that is planned to be used: estimates are a tenth wrong.
const WINDOW_SHARE: (u64, u64) = (85, 100);
/// The part of the context limit that a summary may have.
const SUMMARY_PART: u64 = 8;
/// The least tokens of the past in a request.
const MIN_CHUNK_TOKENS: u64 = 256;
/// Bytes of a token, at the least, in a text that is cut to a number of tokens.
const LEAST_TOKEN_BYTES: usize = 2;

/// Returns the request that follows the answers so far; none if the past is summarized, or
/// if the last answer has nothing usable: what follows would be a summary without what is
/// before. Each request but the first begins with the summary before.
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
    let window = config.summary_context_limit.or(config.context_limit).unwrap_or(0);
    let window = (u128::from(window) * u128::from(WINDOW_SHARE.0) / u128::from(WINDOW_SHARE.1)) as u64;
    let limit = config.context_limit.unwrap_or(u64::MAX);
    let max_output = config.max_summary_tokens.min(limit / SUMMARY_PART).max(MIN_SUMMARY_TOKENS);
    let space = window.saturating_sub(max_output).saturating_sub(estimate(&prompt)).max(MIN_CHUNK_TOKENS);
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
    })
}

/// Returns whether the past is everything behind the messages of the developer.
fn is_start(draft: &Draft, past: &[usize]) -> bool {
    past.first() == Some(&draft.shape.start) && past.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

/// A text, and what it takes.
struct Estimated {
    message: TextMessage,
    tokens: u64,
}

impl Estimated {
    fn of(message: TextMessage) -> Self {
        Estimated { tokens: estimate(&message.text), message }
    }
}

/// Returns the texts of messages, their results cut as far as is needed for them to fit, and
/// whether nothing was cut. A text is only estimated again if it may have changed.
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

/// A part of the past that fits one request.
struct Chunk {
    messages: Vec<TextMessage>,
    /// How many messages of the past it ends behind.
    end: usize,
}

/// Splits the past between messages; a message that does not fit is cut.
fn chunks(texts: Vec<Estimated>, space: u64, max_output: u64) -> Vec<Chunk> {
    let mut chunks = vec![Chunk { messages: Vec::new(), end: 0 }];
    let mut left = space;
    // The summary before takes its part of each request but the first.
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

/// Cuts a text to a number of tokens.
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

/// Returns the message that a request begins with after the first one.
fn summary_before(answer: Answer, max_tokens: u64) -> String {
    let summary = match answer.retain {
        Some(retain) => [&retain, "\n\n", &answer.summary].concat(),
        None => answer.summary,
    };
    format!("[Summary of the earlier conversation]\n{}", cut_to(&summary, max_tokens))
}

/// Returns the text of the message that waits for results of its calls, if the past ends
/// before it: without the calls, which the summary's model could not answer.
fn waiting(draft: &Draft, past: &[usize]) -> Option<TextMessage> {
    let last = draft.conversation.messages.len().checked_sub(1)?;
    let message = &draft.conversation.messages[last];
    let calls = message.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
    (calls && past.last() == Some(&last.checked_sub(1)?)).then(|| content_of(message))
}
