//! The limits of an extraction: defaults and allowed ranges.

use tuckaway_contract::{ExtractionConfig, Question, Violations};

use crate::host::Error;

/// The smallest context window: it fits the prompts and a tool's reply.
const MIN_CONTEXT_TOKENS: u64 = 2_048;
/// The largest context window: sums over requests do not overflow.
const MAX_CONTEXT_TOKENS: u64 = 1 << 32;
/// The minimum limit of an answer's tokens.
const MIN_OUTPUT_TOKENS: u64 = 64;
/// The maximum bytes of `extract`.
const MAX_EXTRACT_BYTES: usize = 16 << 10;

/// Returns the defaults for a context window.
///
/// Errors: invalid for a window of fewer than 2048 tokens, or of more than 2^32.
pub fn default_config(context_tokens: u64) -> Result<ExtractionConfig, Error> {
    let config = defaults(context_tokens);
    check_config(&config)?;
    Ok(config)
}

/// Returns the defaults for any window.
pub(crate) fn defaults(context_tokens: u64) -> ExtractionConfig {
    ExtractionConfig {
        context_tokens,
        max_output_tokens: (context_tokens / 8).clamp(MIN_OUTPUT_TOKENS, 4_096),
        max_full_chunks: 1,
        long_line_bytes: 1_000,
        max_chunks: 64,
        overlap_pct: 10,
        max_parallel: 4,
        max_requests: 150,
        max_tokens: None,
        max_turns: 12,
        max_tool_calls: 40,
        max_reply_bytes: 16_384,
        max_answer_bytes: 32_768,
    }
}

/// Checks a configuration. The message of the error names every violation.
pub(crate) fn check_config(config: &ExtractionConfig) -> Result<(), Error> {
    // An invalid window is reported by itself.
    let most_output = match config.context_tokens {
        tokens @ MIN_CONTEXT_TOKENS..=MAX_CONTEXT_TOKENS => tokens / 2,
        _ => u64::MAX,
    };
    let ranges = [
        ("context_tokens", config.context_tokens, MIN_CONTEXT_TOKENS, MAX_CONTEXT_TOKENS),
        ("max_output_tokens", config.max_output_tokens, MIN_OUTPUT_TOKENS, most_output),
        ("max_full_chunks", config.max_full_chunks.into(), 1, u64::MAX),
        ("max_chunks", config.max_chunks.into(), 1, 1_024),
        ("overlap_pct", config.overlap_pct.into(), 0, 50),
        ("max_parallel", config.max_parallel.into(), 1, 64),
        ("max_requests", config.max_requests.into(), 1, u64::MAX),
        ("max_turns", config.max_turns.into(), 2, 64),
        ("max_tool_calls", config.max_tool_calls.into(), 1, 256),
        ("max_reply_bytes", config.max_reply_bytes.into(), 256, 65_536),
        ("max_answer_bytes", config.max_answer_bytes.into(), 1_024, 1_048_576),
    ];
    let mut violations = Violations::default();
    for (name, value, least, most) in ranges {
        let range = match most {
            u64::MAX => format!("at least {least}"),
            most => format!("from {least} to {most}"),
        };
        if !(least..=most).contains(&value) {
            violations.add(&[name], format!("{name} is {value}; it must be {range}."));
        }
    }
    Ok(violations.into_result()?)
}

/// Checks a question, except for its artifact, which the host knows.
pub(crate) fn check_question(question: &Question) -> Result<(), Error> {
    if question.extract.trim().is_empty() {
        return Err(Error::invalid("extract", "extract is empty; say precisely what to extract."));
    }
    if question.extract.len() > MAX_EXTRACT_BYTES {
        return Err(Error::invalid(
            "extract",
            format!("extract has {} bytes; at most {MAX_EXTRACT_BYTES} are allowed.", question.extract.len()),
        ));
    }
    match &question.nonce {
        Some(nonce) if !is_nonce(nonce) => Err(Error::invalid(
            "nonce",
            "The nonce has to be 8 to 64 ASCII letters and digits; omit it to derive one from the artifact's id.",
        )),
        _ => Ok(()),
    }
}

fn is_nonce(nonce: &str) -> bool {
    (8..=64).contains(&nonce.len()) && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
