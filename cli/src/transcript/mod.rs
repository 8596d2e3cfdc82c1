//! Sessions that agents keep on disk, read as histories: Claude Code's session files and Codex's
//! rollouts. docs/conversation.md describes both formats and where the facts are from.
//!
//! A session is only read. It grows while the agent runs, it keeps items that are no longer sent to
//! the provider, and a killed agent leaves half of a line at its end: a line that is not understood is
//! counted or named, and never ends the command.

mod chain;
mod claude;
mod codex;
mod content;
mod lines;
mod savings;
mod show;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::value::RawValue;
use tuckaway_host::{HistoryFormat, TokenUsage};

use crate::exit::Failure;
use lines::Lines;
pub use savings::Savings;
pub use show::{describe, describe_savings};

/// The agent that wrote a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agent {
    ClaudeCode,
    Codex,
}

/// A session as the history that its provider saw last.
#[derive(Debug)]
pub struct Transcript<'a> {
    /// The history as the provider's request. Its items are copied byte for byte from the session.
    pub json: String,
    /// The usage of the last answer, if the history ends with the items it covers and later ones.
    pub usage: Option<TokenUsage>,
    /// The first request with a usage. It shows how many tokens are not in the session.
    pub first: Option<FirstRequest>,
    /// The model's context window in tokens, if the session names it.
    pub window: Option<u64>,
    pub facts: Facts,
    /// The results of tools in the whole session, in the order in which they arrived.
    pub results: Vec<Arrived<'a>>,
}

/// A request with known messages and a known count by the provider.
#[derive(Debug)]
pub struct FirstRequest {
    /// The messages, in the form of the history.
    pub json: String,
    /// The tokens of its input as the provider counted them, including the system prompt and the
    /// tools, which a session does not have.
    pub input_tokens: u64,
}

/// Facts that a session states about itself, and the lines that were not read.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    pub agent: Agent,
    /// The id of the session.
    pub session: Option<String>,
    /// Lines that are not blank.
    pub lines: u64,
    /// Answers of the provider in the whole session, without those to subagents.
    pub requests: u64,
    pub compactions: u64,
    /// The sum of the usages of all requests.
    pub usage: TokenUsage,
    pub left_out: LeftOut,
    /// Full sentences: lines that were not understood, and what they could have changed.
    pub warnings: Vec<String>,
}

/// Lines that are not part of the history.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LeftOut {
    /// Messages before the last compaction.
    pub before_compaction: u64,
    /// Messages that the user took back.
    pub other_branches: u64,
    /// Messages of subagents.
    pub subagents: u64,
    /// Attachments, whose text is not in the session.
    pub attachments: u64,
    /// Lines that are not messages, such as titles and events.
    pub other: u64,
}

/// The result of a call.
#[derive(Clone, Debug)]
pub struct Arrived<'a> {
    pub tool: String,
    /// The content as JSON, in the provider's form.
    pub content: &'a RawValue,
    pub is_error: bool,
    /// The number of later requests; each sent the result again.
    pub requests: u64,
}

impl Agent {
    pub fn name(self) -> &'static str {
        match self {
            Agent::ClaudeCode => "Claude Code",
            Agent::Codex => "Codex",
        }
    }

    /// Returns the format of the histories that the agent sends.
    pub fn format(self) -> HistoryFormat {
        match self {
            Agent::ClaudeCode => HistoryFormat::Anthropic,
            Agent::Codex => HistoryFormat::OpenaiResponses,
        }
    }
}

impl Facts {
    fn new(agent: Agent, lines: &Lines<'_>) -> Facts {
        Facts {
            agent,
            session: None,
            lines: lines.len(),
            requests: 0,
            compactions: 0,
            usage: TokenUsage::default(),
            left_out: LeftOut::default(),
            warnings: Vec::new(),
        }
    }

    /// Adds the usage of a request.
    fn add(&mut self, usage: &TokenUsage) {
        let sum = &mut self.usage;
        sum.input_tokens = sum.input_tokens.saturating_add(usage.input_tokens);
        sum.output_tokens = sum.output_tokens.saturating_add(usage.output_tokens);
        sum.cache_creation_tokens = sum.cache_creation_tokens.saturating_add(usage.cache_creation_tokens);
        sum.cache_read_tokens = sum.cache_read_tokens.saturating_add(usage.cache_read_tokens);
    }
}

/// Returns the tokens of a request's input, cached or not.
pub fn input_tokens(usage: &TokenUsage) -> u64 {
    usage.total_tokens().saturating_sub(usage.output_tokens)
}

/// Reads a session. Returns `None` for anything else, which may be a history.
///
/// Errors: a compressed session, JSON Lines of another program, and a session without messages.
pub fn read(bytes: &[u8]) -> Result<Option<Transcript<'_>>, Failure> {
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Err(Failure::new("the session is compressed; decompress it with `zstd -d` first"));
    }
    let lines = Lines::new(bytes);
    let transcript = match lines.agent()? {
        None => return Ok(None),
        Some(Agent::ClaudeCode) => claude::read(&lines),
        Some(Agent::Codex) => codex::read(&lines),
    };
    match transcript {
        Some(transcript) => Ok(Some(transcript)),
        None => Err(Failure::new("the session has no messages, so there is nothing to plan")),
    }
}
