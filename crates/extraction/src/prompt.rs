//! The prompts of the extraction document, §3a (docs/origins.md), and foreign texts in them.
//!
//! The texts of documents, arguments and models cannot leave their place: single values are one
//! line; blocks are enclosed by lines with the nonce, which is masked inside the blocks; and
//! lines of the instructions that look like a heading are marked.

use tuckaway_contract::RequestMessage;

use crate::host::Host;
use crate::measure::Size;
use crate::subject::{Subject, ends_line};

/// The headings of the prompts.
const HEADINGS: [&str; 7] = [
    "SOURCE TOOL",
    "DOCUMENT STATS",
    "CHUNK INFO",
    "CHUNK OUTPUTS",
    "WHAT TO EXTRACT",
    "OUTPUT FORMAT",
    "IMPORTANT:",
];

/// The name of the lines around a chunk.
pub const CHUNK: &str = "document-chunk";
/// The name of the lines around an extract.
pub const OUTPUT: &str = "chunk-output";

const EXTRACT_CHUNK: &str =
    "You are an internal extraction agent. You must extract information from a document chunk.";
const SYNTHESIZE: &str = "You are an internal extraction agent. You must synthesize multiple chunk extractions into one final answer.";
const SEARCH: &str = "You are an internal extraction agent. You can only use Read and Grep tools.

IMPORTANT: The handle is the filename.
Use the filename exactly as given when calling Read or Grep.";

/// The texts of a request.
pub struct Prompt {
    /// The system prompt.
    pub system: String,
    /// The messages.
    pub messages: Vec<RequestMessage>,
    /// The tokens of the system prompt and the messages.
    pub tokens: u64,
}

impl Prompt {
    /// Returns a system prompt with one message.
    pub fn new(host: &dyn Host, system: String, message: String) -> Self {
        let tokens = count(host, &system, &message);
        Prompt { system, messages: vec![RequestMessage::User(message)], tokens }
    }
}

/// A chunk's place in the document, for its prompt.
pub struct ChunkInfo {
    /// The chunk's number, from 1.
    pub index: usize,
    /// The number of chunks.
    pub total: usize,
    /// The share of the chunk that repeats the previous one, in percent.
    pub overlap_pct: u32,
}

/// Returns the system prompt for a chunk.
pub fn map(subject: &Subject, size: &Size, chunk: &ChunkInfo) -> String {
    let Size { bytes, lines, tokens } = size;
    let ChunkInfo { index, total, overlap_pct } = chunk;
    format!(
        "{EXTRACT_CHUNK}\n\n{}\n\nDOCUMENT STATS\n- Bytes: {bytes}\n- Lines: {lines}\n- Tokens (estimate): {tokens}\n\nCHUNK INFO\n- Index: {index} of {total}\n- Overlap: {overlap_pct}%\n\n{}\n\n{}",
        source(subject),
        instructions(subject),
        output_format(subject, "- Put your extracted result inside the wrapper.\n", "in this chunk"),
    )
}

/// Returns the system prompt for combining extracts.
pub fn reduce(subject: &Subject, outputs: &str) -> String {
    format!(
        "{SYNTHESIZE}\n\n{}\n\n{}\n\nCHUNK OUTPUTS\n{outputs}\n\n{}",
        source(subject),
        instructions(subject),
        output_format(subject, "", "across the chunks"),
    )
}

/// Returns the system prompt for a model with `Read` and `Grep`.
pub fn search(subject: &Subject) -> String {
    format!(
        "{SEARCH}\n\n{}\n- Handle/filename: {}\n- Root directory: .\n\n{}\n\n{}",
        source(subject),
        subject.artifact,
        instructions(subject),
        output_format(subject, "", "in the file"),
    )
}

fn source(subject: &Subject) -> String {
    format!("SOURCE TOOL\n- Name: {}\n- Arguments (verbatim JSON): {}", subject.tool, subject.arguments)
}

fn instructions(subject: &Subject) -> String {
    let is_heading = |line: &str| HEADINGS.iter().any(|heading| line.trim_start().starts_with(heading));
    let masked = subject.masked(&subject.extract).replace("\r\n", "\n");
    let lines: Vec<String> = masked
        .trim_end()
        .split(ends_line)
        .map(|line| if is_heading(line) { format!("| {line}") } else { line.to_owned() })
        .collect();
    format!("WHAT TO EXTRACT\n{}", lines.join("\n"))
}

fn output_format(subject: &Subject, detail: &str, place: &str) -> String {
    let nonce = &subject.nonce;
    format!(
        "OUTPUT FORMAT (required)\n- Emit exactly one XML final-report wrapper:\n  <ai-agent-{nonce}-FINAL format=\"text\"> ... </ai-agent-{nonce}-FINAL>\n{detail}- If no relevant data exists, output:\n  NO RELEVANT DATA FOUND\n  <short description of what kind of information is available {place}>"
    )
}

/// Returns a text between two lines with the nonce.
pub fn fenced(subject: &Subject, name: &str, text: &str) -> String {
    let nonce = &subject.nonce;
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("<{name}-{nonce}>\n{}{end}</{name}-{nonce}>", subject.masked(text))
}

/// Returns the first message for a model with `Read` and `Grep`.
pub fn begin_search(subject: &Subject) -> String {
    format!("Extract what is asked for from the file {}.", subject.artifact)
}

/// The only message of a request that combines extracts.
pub const SYNTHESIZE_NOW: &str = "Synthesize the chunk outputs into one final answer.";

/// Returns the message that asks a model for its answer.
pub fn last_turn(subject: &Subject) -> String {
    format!(
        "No more calls are possible. Answer now from what you have read, inside of <ai-agent-{}-FINAL format=\"text\">.",
        subject.nonce
    )
}

/// Returns the message that asks a model for the missing wrapper.
pub fn missing_report(subject: &Subject) -> String {
    format!(
        "Your answer has no final-report wrapper. Call Read or Grep, or answer inside of <ai-agent-{}-FINAL format=\"text\">.",
        subject.nonce
    )
}

/// Replaces a result that does not fit.
pub const OMITTED_RESULT: &str = "[omitted to save space; repeat the call if you need it]";

/// Answers a call beyond the limit.
pub const TOO_MANY_CALLS: &str = "No more calls are possible. Answer from what you have read.";

/// The tokens of a message besides its text.
pub const MESSAGE_TOKENS: u64 = 8;

/// Counts the tokens of a prompt and a message.
pub fn count(host: &dyn Host, system: &str, message: &str) -> u64 {
    crate::measure::count(host, system) + crate::measure::count(host, message) + 2 * MESSAGE_TOKENS
}
