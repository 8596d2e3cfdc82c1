//! The arguments of `extract`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tuckaway_host::ExtractionMode;

use crate::choice::Counter;
use crate::parse;

/// Answers a question about an artifact or a file with a language model.
///
/// The model reads the source in chunks, or reads and searches it with tools, depending on its
/// size and the length of its lines. Quotes in the answer are verified. The API key is read from
/// the environment only: TUCKAWAY_API_KEY, or else OPENAI_API_KEY or ANTHROPIC_API_KEY.
///
/// Exits with 0 if there is an answer, even one that reports that nothing was found, and with 1
/// if there is no answer, or if the model failed and the answer is only head and tail.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway extract art_make_9k2x7m4q1c \"the first compiler error, verbatim\" --model gpt-5-mini
  tuckaway extract big.log \"which hosts timed out?\" --model claude-sonnet-4-5
  tuckaway extract big.json \"orders over 1000 EUR\" --base-url http://localhost:11434/v1 --model qwen3
  tuckaway extract big.json \"orders over 1000 EUR\" --dry-run    the plan and its cost, without a model
  tuckaway extract big.log \"…\" --model gpt-5-mini --state run.json   can be stopped and resumed")]
pub struct Extract {
    /// An artifact's id, a file (which is read in place), or `-` for standard input.
    #[arg(value_name = "ID|FILE")]
    pub source: PathBuf,
    /// A precise description of what to extract.
    #[arg(value_name = "WHAT")]
    pub what: String,
    /// The model's name.
    #[arg(long, value_name = "NAME", env = "TUCKAWAY_MODEL")]
    pub model: Option<String>,
    /// The API that serves the model. [default: anthropic for claude-*, otherwise openai]
    #[arg(long, value_enum)]
    pub provider: Option<Provider>,
    /// The base URL of the API, such as `http://localhost:11434/v1`. [default: the provider's]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// How the source is read.
    #[arg(long, value_enum, default_value_t = ModeArg::Auto)]
    pub mode: ModeArg,
    /// The model's context window in tokens: at least 2048.
    #[arg(long, value_name = "TOKENS", default_value_t = 128_000)]
    pub context_tokens: u64,
    /// Maximum number of requests to the model. [default: 150]
    #[arg(long, value_name = "N")]
    pub max_requests: Option<u32>,
    /// Maximum number of tokens in all requests and answers together. [default: no limit]
    #[arg(long, value_name = "TOKENS")]
    pub max_tokens: Option<u64>,
    /// Maximum concurrent requests. [default: 4]
    #[arg(long, value_name = "N")]
    pub parallel: Option<u32>,
    /// The arguments of the tool call that produced the artifact, as JSON. They are shown to the
    /// model.
    #[arg(long, value_name = "JSON")]
    pub tool_arguments: Option<String>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
    /// Time limit for one request to the model, such as `90s` or `5m`.
    #[arg(long, value_name = "TIME", default_value = "180s", value_parser = parse::duration)]
    pub timeout: Duration,
    /// Prints what the extraction would cost. Sends no request and needs no key.
    #[arg(long)]
    pub dry_run: bool,
    /// A file that stores the state after each step. If the file exists, the extraction resumes
    /// from its state. It is removed once there is an answer.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub state: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Provider {
    /// OpenAI's Chat Completions API, or a compatible server.
    Openai,
    /// Anthropic's Messages API.
    Anthropic,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ModeArg {
    /// Chooses by size and length of lines.
    Auto,
    /// The model reads everything, in chunks.
    FullChunked,
    /// The model reads and searches with tools.
    ReadGrep,
    /// Shows head and tail, without a model.
    Truncate,
}

impl From<ModeArg> for ExtractionMode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Auto => ExtractionMode::Auto,
            ModeArg::FullChunked => ExtractionMode::FullChunked,
            ModeArg::ReadGrep => ExtractionMode::ReadGrep,
            ModeArg::Truncate => ExtractionMode::Truncate,
        }
    }
}
