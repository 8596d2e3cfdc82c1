//! The choice of the strategy (the extraction document, §3).

use tuckaway_contract::{ExtractionConfig, ExtractionMode};
use tuckaway_text::counted;

use crate::chunks;
use crate::host::{Error, Host};
use crate::measure::Size;
use crate::prompt::{self, ChunkInfo};
use crate::subject::Subject;

/// A strategy and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The strategy: never `auto`.
    pub strategy: ExtractionMode,
    /// The number of chunks if the whole document is read.
    pub chunks: u64,
    /// The reason, as a clause.
    pub reason: String,
    /// Whether the strategy replaces the requested one.
    pub is_replaced: bool,
    /// The tokens of a prompt without its chunk.
    pub prompt_tokens: u64,
}

/// Chooses the strategy.
///
/// Errors: invalid if the instructions leave no space for a chunk.
pub fn route(
    host: &dyn Host,
    subject: &Subject,
    config: &ExtractionConfig,
    size: &Size,
    mode: ExtractionMode,
) -> Result<Route, Error> {
    let info = ChunkInfo { index: 9_999, total: 9_999, overlap_pct: config.overlap_pct };
    let frame = prompt::fenced(subject, prompt::CHUNK, "");
    let prompt_tokens = prompt::count(host, &prompt::map(subject, size, &info), &frame);
    let available = config.context_tokens.saturating_sub(config.max_output_tokens + prompt_tokens);
    // The samples may be less dense than the rest.
    let max_bytes = size.bytes_of(available - available / 20);
    if mode != ExtractionMode::Truncate
        && (available < config.context_tokens / 8 || size.bytes > 0 && max_bytes < chunks::MIN_BYTES)
    {
        return Err(Error::invalid(
            "extract",
            format!(
                "The prompt takes {prompt_tokens} of {} tokens and leaves too few for a chunk: shorten extract, or use a model with a larger context window.",
                config.context_tokens
            ),
        ));
    }
    let chunks = chunks::count(size.bytes, max_bytes, config.overlap_pct);
    let route = |strategy, reason: String, is_replaced| Route {
        strategy,
        chunks,
        reason,
        is_replaced,
        prompt_tokens,
    };
    let (wanted, reason) = match mode {
        ExtractionMode::Auto => by_size(config, size, chunks),
        mode => (mode, "it was asked for".to_owned()),
    };
    if wanted == ExtractionMode::FullChunked
        && let Some(limit) = exceeded(config, size, chunks)
    {
        let reason = format!("reading everything takes {limit}");
        return Ok(route(ExtractionMode::ReadGrep, reason, true));
    }
    Ok(route(wanted, reason, false))
}

/// Applies the routing rule.
fn by_size(config: &ExtractionConfig, size: &Size, chunks: u64) -> (ExtractionMode, String) {
    let (most, mean, long) = (config.max_full_chunks, size.mean_line_bytes(), config.long_line_bytes);
    if size.bytes == 0 {
        (ExtractionMode::FullChunked, "it is empty".to_owned())
    } else if chunks <= u64::from(most) {
        (ExtractionMode::FullChunked, format!("it fits into {}, of at most {most}", counted(chunks, "chunk")))
    } else if mean > long {
        (ExtractionMode::FullChunked, format!("its lines have {mean} bytes in the mean, more than {long}"))
    } else {
        (
            ExtractionMode::ReadGrep,
            format!("it takes {}, more than {most}, and its lines are short", counted(chunks, "chunk")),
        )
    }
}

/// Returns the limit that reading everything would exceed.
fn exceeded(config: &ExtractionConfig, size: &Size, chunks: u64) -> Option<String> {
    let requests = chunks + u64::from(chunks > 1);
    if chunks > u64::from(config.max_chunks) {
        return Some(format!("{chunks} chunks, more than max_chunks ({})", config.max_chunks));
    }
    if requests > u64::from(config.max_requests) {
        return Some(format!("{requests} requests, more than max_requests ({})", config.max_requests));
    }
    let most = config.max_tokens?;
    (size.tokens > most)
        .then(|| format!("at least {}, more than max_tokens ({most})", counted(size.tokens, "token")))
}
