//! Estimates, progress and remarks, which are printed besides the answer of an extraction.

use std::fmt::Write;
use std::time::Duration;

use tuckaway_host::{
    Answer, ExtractionConfig, ExtractionEstimate, ExtractionMode, ExtractionProgress, Question,
};
use tuckaway_text::{counted, human_bytes};

use crate::print::{age, inline, number};

/// Renders the estimate of an extraction.
pub fn estimate(question: &Question, config: &ExtractionConfig, estimate: &ExtractionEstimate) -> String {
    let ExtractionEstimate { strategy, size_bytes, line_count, tokens, chunks, .. } = *estimate;
    let at_most = if strategy == ExtractionMode::ReadGrep { " at most" } else { "" };
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:10}  {value}");
    };
    let lines = counted(line_count, "line");
    row(
        "output",
        format!("{}: {}, {lines}, {} tokens", question.artifact, human_bytes(size_bytes), number(tokens)),
    );
    row("strategy", format!("{}, as {}", strategy.name(), inline(&estimate.reason)));
    if chunks > 0 {
        let overlap = if chunks > 1 { format!(", {} % overlap", config.overlap_pct) } else { String::new() };
        row("chunks", format!("{}{overlap}", number(chunks)));
    }
    row("requests", format!("{}{at_most}", number(estimate.requests)));
    row("tokens in", format!("{}{at_most}", number(estimate.input_tokens)));
    row("tokens out", format!("{} at most", number(estimate.output_tokens)));
    text
}

/// Renders the progress of an extraction.
pub fn progress(progress: &ExtractionProgress, elapsed: Duration) -> String {
    let ExtractionProgress { answered, failed, open, input_tokens, output_tokens } = *progress;
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    format!(
        "{answered} answered, {open} open{failed}, {} tokens in, {} out, {}",
        number(input_tokens),
        number(output_tokens),
        age(elapsed.as_secs())
    )
}

/// Renders the warnings of an answer, and its cost.
pub fn remarks(answer: &Answer) -> String {
    let mut text = String::new();
    for warning in &answer.warnings {
        let _ = writeln!(text, "tuckaway: {}", inline(warning));
    }
    if answer.usage.requests > 0 {
        let _ = writeln!(
            text,
            "tuckaway: {}, {}, {} tokens in, {} out",
            answer.strategy.name(),
            counted(answer.usage.requests.into(), "request"),
            number(answer.usage.input_tokens),
            number(answer.usage.output_tokens)
        );
    }
    text
}
