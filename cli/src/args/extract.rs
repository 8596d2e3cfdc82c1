//! The arguments of `extract`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tuckaway_host::ExtractionMode;

use crate::choice::Counter;
use crate::parse;

/// Answers a question about an artifact or a file with a language model.
///
/// A model reads it in chunks, or reads and searches it with tools, as its size and its lines
/// suggest; quotes in the answer are checked. The key of the API is read from the environment
/// only: TUCKAWAY_API_KEY, or OPENAI_API_KEY or ANTHROPIC_API_KEY.
///
/// Exits with 0 if there is an answer, also one that says that nothing was found; with 1 if
/// there is none, or if the model failed and the answer is only head and tail.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway extract art_make_9k2x7m4q1c \"the first compiler error, verbatim\" --model gpt-5-mini
  tuckaway extract big.log \"which hosts timed out?\" --model claude-sonnet-4-5
  tuckaway extract big.json \"orders over 1000 EUR\" --base-url http://localhost:11434/v1 --model qwen3
  tuckaway extract big.json \"orders over 1000 EUR\" --dry-run    the plan and its cost; asks no model
  tuckaway extract big.log \"…\" --model gpt-5-mini --state run.json   can be stopped, and goes on")]
pub struct Extract {
    /// An artifact's id, a file, which is read in place, or `-` for standard input.
    #[arg(value_name = "ID|FILE")]
    pub source: PathBuf,
    /// What to extract, precisely.
    #[arg(value_name = "WHAT")]
    pub what: String,
    /// The model's name.
    #[arg(long, value_name = "NAME", env = "TUCKAWAY_MODEL")]
    pub model: Option<String>,
    /// The API that the model is behind. [default: anthropic for claude-*, otherwise openai]
    #[arg(long, value_enum)]
    pub provider: Option<Provider>,
    /// The base URL of the API, such as `http://localhost:11434/v1`. [default: the provider's]
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// How the answer is found.
    #[arg(long, value_enum, default_value_t = ModeArg::Auto)]
    pub mode: ModeArg,
    /// The model's context window in tokens: at least 2048.
    #[arg(long, value_name = "TOKENS", default_value_t = 128_000)]
    pub context_tokens: u64,
    /// The most requests to the model. [default: 150]
    #[arg(long, value_name = "N")]
    pub max_requests: Option<u32>,
    /// The most tokens of all requests and answers. [default: no limit]
    #[arg(long, value_name = "TOKENS")]
    pub max_tokens: Option<u64>,
    /// The most requests at the same time. [default: 4]
    #[arg(long, value_name = "N")]
    pub parallel: Option<u32>,
    /// The arguments of the call that the artifact is the output of, as JSON, for the model.
    #[arg(long, value_name = "JSON")]
    pub tool_arguments: Option<String>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
    /// Time for one request to the model, such as `90s` or `5m`.
    #[arg(long, value_name = "TIME", default_value = "180s", value_parser = parse::duration)]
    pub timeout: Duration,
    /// Prints what the extraction would take. Asks no model and needs no key.
    #[arg(long)]
    pub dry_run: bool,
    /// A file for the state after each step. If it is there, the extraction goes on from it; it
    /// is removed with the answer.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub state: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Provider {
    /// OpenAI's Chat Completions, or a server that is compatible with them.
    Openai,
    /// Anthropic's Messages.
    Anthropic,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ModeArg {
    /// By size and length of lines.
    Auto,
    /// The model reads everything, in chunks.
    FullChunked,
    /// The model reads and searches with tools.
    ReadGrep,
    /// Head and tail, without a model.
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
