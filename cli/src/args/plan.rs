//! The arguments of `plan`.

use std::path::PathBuf;

use clap::Args;
use tuckaway_host::HistoryFormat;

use crate::choice::{Budget, Counter};
use crate::parse;

/// Shows what fills a conversation, and how it would be kept within its window.
///
/// Reads a history in the format of OpenAI (Chat Completions or Responses), Anthropic, Gemini,
/// Bedrock, LangChain, the AI SDK or tuckaway itself (neutral): a JSON list of messages, or the
/// request that contains it. Prints its tokens by bucket, what would be trimmed, evicted or summarized, and alarms.
/// Without `--apply`, nothing is stored and nothing is changed.
///
/// Also reads what agents keep on disk: a session file of Claude Code or a rollout of Codex. Of
/// these, it plans the history that the provider saw last, and prints the results by tool and what
/// would have been saved if the large ones had been stored when they arrived.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tuckaway plan request.json --window 200000
  tuckaway plan messages.json --window 128000 --preset code-editing --usage 101234
  tuckaway plan request.json --window 32000 --json | jq .receipts
  tuckaway plan request.json --window 32000 --apply --output request.json
  tuckaway plan request.json --window 32000 --apply --summary-command ./ask-model
  tuckaway plan ~/.claude/projects/PROJECT/SESSION.jsonl --window 200000
  tuckaway plan ~/.codex/sessions/YEAR/MONTH/DAY/rollout-SESSION.jsonl --cap 1000

The summary command receives a request as JSON on standard input, with `messages` (each with
`role` and `text`), `prompt` and `max_output_tokens`, and prints the summary.

A configuration file sets some of the fields of `cache`, `budget` and `compaction`; the
others keep their defaults or the values of the preset:
  {\"cache\": {\"keep_last\": 3}, \"budget\": {\"headroom_tokens\": 4000}}")]
pub struct Plan {
    /// The history or session; standard input if `-` or omitted.
    #[arg(default_value = "-", hide_default_value = true, value_name = "CONVERSATION.json|SESSION.jsonl")]
    pub file: PathBuf,
    /// The model's context window in tokens. [default: the file's member `context_window`, or the
    /// window in a rollout of Codex]
    #[arg(long, value_name = "TOKENS")]
    pub window: Option<u64>,
    /// The budget, scaled to the window: `general`, `customer-support`, `code-editing`,
    /// `research`, `voice`, `automation`, or `none`.
    #[arg(long, value_name = "NAME", default_value = "general", value_parser = parse::preset)]
    pub preset: Budget,
    /// A JSON file with the settings that differ from the defaults.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The usage that the provider last reported: its JSON, or the total as a number.
    /// [default: the file's member `usage`, or that of the session's last answer]
    #[arg(long, value_name = "USAGE", value_parser = parse::usage)]
    pub usage: Option<String>,
    /// The error with which the provider refused this conversation, as text or JSON: the plan then
    /// brings the conversation within the provider's limit.
    #[arg(long, value_name = "ERROR")]
    pub refusal: Option<String>,
    /// The format: `openai-chat`, `openai-responses`, `anthropic`, `ai-sdk`, `ai-sdk-ui`, `gemini`,
    /// `bedrock`, `langchain` or `neutral`. [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = parse::format)]
    pub format: Option<HistoryFormat>,
    /// How tokens are counted: `o200k_base` (or `tiktoken`), `cl100k_base`, `p50k_base`,
    /// `r50k_base`, or `estimate`, which needs no vocabulary.
    #[arg(long, value_name = "COUNTER", default_value = Counter::DEFAULT)]
    pub tokens: Counter,
    /// Of a session, results with more tokens count as stored when they arrived.
    #[arg(long, value_name = "TOKENS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub cap: u64,
    /// Refuses a history with a call without a result, or a result without a call, instead of
    /// repairing it.
    #[arg(long)]
    pub strict: bool,
    /// Stores what is removed, and writes the new history to standard output.
    #[arg(long)]
    pub apply: bool,
    /// Writes the new history to this file instead.
    #[arg(long, value_name = "FILE", requires = "apply")]
    pub output: Option<PathBuf>,
    /// A JSON file with the memory of earlier plans, such as which messages they inserted. It is
    /// created if it is missing, and updated by `--apply`.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// A command that asks a model for a summary. It is run only if a summary is needed.
    #[arg(long, value_name = "CMD")]
    pub summary_command: Option<String>,
}
