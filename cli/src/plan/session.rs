//! Plans for the sessions that agents keep on disk.

use std::fs;
use std::path::Path;

use serde::Serialize;
use tuckaway_host::{HistoryInput, Task, TokenUsage, Tuckaway};

use crate::args::{Cli, Plan};
use crate::exit::Failure;
use crate::print::number;
use crate::transcript::{self, Facts, Savings, Transcript};

/// The report on a session, in addition to its plan.
#[derive(Serialize)]
pub struct Session<'a> {
    #[serde(flatten)]
    facts: &'a Facts,
    /// Tokens that are sent but not in the session.
    unseen_tokens: u64,
    savings: Savings,
}

/// The input of a plan for a session.
pub struct Input {
    pub history: HistoryInput,
    /// The tokens of the system prompt, the tools and everything else that the agent sends but does
    /// not write to the session.
    pub unseen_tokens: u64,
}

/// Returns the history in a session. Its usage excludes tokens that are not in the session.
pub async fn input(
    engine: &Tuckaway,
    args: &Plan,
    transcript: &Transcript<'_>,
    input: HistoryInput,
) -> Result<Input, Failure> {
    let format = Some(args.format.unwrap_or(transcript.facts.agent.format()));
    let mut history = HistoryInput { json: transcript.json.clone(), format, ..input };
    // A usage that was passed counts as for any history.
    if history.usage.is_some() {
        return Ok(Input { history, unseen_tokens: 0 });
    }
    let unseen_tokens = unseen(engine, transcript, &history).await?;
    history.usage = transcript.usage.map(|usage| {
        let input_tokens = transcript::input_tokens(&usage).saturating_sub(unseen_tokens);
        let seen = TokenUsage { input_tokens, output_tokens: usage.output_tokens, ..TokenUsage::default() };
        serde_json::json!(seen).to_string()
    });
    Ok(Input { history, unseen_tokens })
}

/// Returns the tokens that the provider counted for the first request in excess of its messages.
async fn unseen(
    engine: &Tuckaway,
    transcript: &Transcript<'_>,
    history: &HistoryInput,
) -> Result<u64, Failure> {
    let Some(first) = &transcript.first else { return Ok(0) };
    let messages = HistoryInput { json: first.json.clone(), with_json: false, ..history.clone() };
    let counted = engine.start_history(&messages, None, &Task::Account).await?;
    Ok(first.input_tokens.saturating_sub(counted.history.report.before.total))
}

/// Fails if the new history would replace the session, which only the agent writes.
pub fn check_output(args: &Plan) -> Result<(), Failure> {
    let file = |path: &Path| fs::canonicalize(path).ok();
    match &args.output {
        Some(path) if file(path).is_some_and(|path| Some(path) == file(&args.file)) => Err(Failure::new(
            "--output names the session itself, which is only read; name another file for the history",
        )),
        _ => Ok(()),
    }
}

impl<'a> Session<'a> {
    pub async fn new(
        cli: &Cli,
        args: &Plan,
        transcript: &'a Transcript<'_>,
        window: u64,
        unseen_tokens: u64,
    ) -> Result<Session<'a>, Failure> {
        let savings = Savings::new(cli, &transcript.results, args.cap, args.tokens, window).await?;
        Ok(Session { facts: &transcript.facts, unseen_tokens, savings })
    }

    /// Returns the whole report: the session's facts, the plan, the results.
    pub fn describe(&self, window: u64, plan: &str) -> String {
        let mut text = transcript::describe(self.facts);
        if self.unseen_tokens > 0 {
            text += &format!(
                "The system prompt, the tools and what else is not in the session take about {} of {} tokens.\n",
                number(self.unseen_tokens),
                number(window)
            );
        }
        text + plan + &transcript::describe_savings(&self.savings)
    }
}
