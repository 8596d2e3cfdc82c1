//! The answer: the exact texts of the extraction document, §2 (docs/origins.md), with notes and
//! checked quotes.

use tuckaway_contract::{Answer, Coverage, ExtractionMode, ExtractionOutcome, ExtractionUsage};
use tuckaway_text::clean::clean;
use tuckaway_text::counted;
use tuckaway_text::cut::with_ellipsis;
use tuckaway_text::human_bytes;

use crate::host::{Failed, Host};
use crate::job::Job;
use crate::map::{Chunk, Status};
use crate::quotes;
use crate::subject;

/// The maximum bytes of all notes.
const MAX_NOTES_BYTES: usize = 900;
/// The maximum bytes of the warning before a truncated document.
const MAX_WARNING_BYTES: usize = 320;
/// The maximum bytes of the warning around its reason.
const WARNING_FRAME_BYTES: usize = 80;
/// The minimum bytes of a truncated document.
const MIN_TRUNCATED_BYTES: usize = 512;

/// The result of an extraction before it is formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The model's answer.
    pub content: String,
    /// Whether the answer says that nothing is relevant.
    pub is_not_found: bool,
    /// Whether something is missing from the answer.
    pub is_partial: bool,
    /// The part of the document that was read.
    pub coverage: Coverage,
}

/// Returns the first line of an answer, and the empty line that follows it.
pub fn answer_head(tool: &str, artifact: &str, strategy: ExtractionMode) -> String {
    let (tool, strategy) = (subject::name(tool), strategy.name());
    format!("ABSTRACT FROM TOOL OUTPUT {tool} WITH HANDLE {artifact}, STRATEGY:{strategy}:\n\n")
}

/// Returns the answer with a model's content.
pub fn of_model(host: &dyn Host, mut job: Job, mut ending: Ending) -> Result<Answer, Failed> {
    // Parts of our frame that the model repeats mean nothing to the next model.
    let content = clean(&job.subject.masked(&ending.content)).into_owned();
    let (quotes, marked) = quotes::check(host, &content)?;
    let head = answer_head(&job.subject.tool, &job.subject.artifact, job.strategy);
    let most = (job.config.max_answer_bytes as usize).saturating_sub(head.len());
    let most_notes = MAX_NOTES_BYTES.min(most / 2);
    if marked.len() + notes(&job, &ending, most_notes).len() > most {
        ending.is_partial = true;
        job.warn(format!("the answer exceeded {} bytes and was truncated", job.config.max_answer_bytes));
    }
    let notes = notes(&job, &ending, most_notes);
    let most = most.saturating_sub(notes.len());
    Ok(Answer {
        text: format!("{head}{}{notes}", with_ellipsis(marked, most)),
        content: ending.content,
        outcome: if ending.is_not_found { ExtractionOutcome::NotFound } else { ExtractionOutcome::Found },
        strategy: job.strategy,
        is_partial: ending.is_partial,
        coverage: ending.coverage,
        quotes,
        warnings: job.warnings,
        usage: job.usage,
    })
}

/// Returns the notes below an answer: whether it is partial, and warnings.
fn notes(job: &Job, ending: &Ending, max_bytes: usize) -> String {
    let partial = ending.is_partial.then(|| format!("[Partial answer: {}]", read_part(&ending.coverage)));
    let warnings = job.warnings.iter().map(|warning| format!("[WARNING: {warning}]"));
    let notes: Vec<String> = partial.into_iter().chain(warnings).collect();
    match notes.is_empty() {
        true => String::new(),
        false => with_ellipsis(format!("\n\n{}", notes.join("\n")), max_bytes),
    }
}

/// Describes the part of a document that was read, for people.
fn read_part(coverage: &Coverage) -> String {
    let read: u64 = coverage.read.iter().map(|span| span.end - span.start).sum();
    let bytes = format!("{} of {}", human_bytes(read), human_bytes(coverage.size_bytes));
    match coverage.chunks {
        0 => format!("the model has read {bytes}"),
        chunks => {
            let was = if chunks == 1 { "was" } else { "were" };
            format!("{} of {} {was} read, {bytes}", coverage.chunks_done, counted(chunks.into(), "chunk"))
        }
    }
}

/// Returns the head and the tail of the document as the answer, after a warning if a strategy
/// failed.
pub fn truncated(
    host: &dyn Host,
    mut job: Job,
    failure: Option<&str>,
    coverage: Coverage,
) -> Result<Answer, Failed> {
    let head = answer_head(&job.subject.tool, &job.subject.artifact, ExtractionMode::Truncate);
    let reserved = if failure.is_some() { MAX_WARNING_BYTES } else { 0 };
    let most = (job.config.max_answer_bytes as usize).saturating_sub(head.len() + reserved);
    let content = host.truncated(most.max(MIN_TRUNCATED_BYTES))?;
    let is_partial = (content.len() as u64) < job.size.bytes;
    let mut shown = String::new();
    if let Some(why) = failure {
        let what = if is_partial { "the head and the tail" } else { "all" };
        let strategy = job.strategy.name();
        let warning = |why: &str| format!("{strategy} failed ({why}); this is {what} of the output");
        let short = with_ellipsis(why.to_owned(), MAX_WARNING_BYTES - WARNING_FRAME_BYTES);
        shown = format!("WARNING: {}.\n\n", warning(&short));
        job.warnings.push(warning(why));
    }
    Ok(Answer {
        text: format!("{head}{shown}{content}"),
        is_partial,
        content,
        outcome: ExtractionOutcome::Truncated,
        strategy: ExtractionMode::Truncate,
        coverage,
        quotes: Vec::new(),
        warnings: job.warnings,
        usage: job.usage,
    })
}

/// Returns the answer of an extraction that failed: the message says why.
pub fn failed(
    (tool, artifact): (&str, &str),
    strategy: ExtractionMode,
    message: &str,
    usage: ExtractionUsage,
) -> Answer {
    Answer {
        text: format!(
            "TOOL_OUTPUT FAILED FOR {tool} WITH HANDLE {artifact}, STRATEGY:{}:\n\n{message}",
            strategy.name()
        ),
        content: message.to_owned(),
        outcome: ExtractionOutcome::Failed,
        strategy,
        is_partial: false,
        coverage: Coverage::default(),
        quotes: Vec::new(),
        warnings: Vec::new(),
        usage,
    }
}

/// Warns of failed and skipped chunks. Returns whether there are any.
pub fn warn_of_missing(job: &mut Job, chunks: &[Chunk]) -> bool {
    let mut failures = chunks.iter().filter_map(|chunk| match &chunk.status {
        Status::Failed(why) => Some((chunk.range, why)),
        _ => None,
    });
    let skipped = chunks.iter().filter(|chunk| chunk.status == Status::Skipped).count() as u64;
    let first = failures.next().map(|(range, why)| (range, why.clone()));
    if let Some((range, why)) = &first {
        let count = counted(1 + failures.count() as u64, "chunk");
        job.warn(format!(
            "{count} could not be read, the first at bytes {} to {}: {why}",
            range.own, range.end
        ));
    }
    if skipped > 0 {
        job.warn(format!(
            "{} not sent because a limit was reached",
            match skipped {
                1 => "1 chunk was".to_owned(),
                more => format!("{more} chunks were"),
            }
        ));
    }
    first.is_some() || skipped > 0
}
