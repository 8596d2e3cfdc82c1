//! How fast a conversation is planned, in the sandbox.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tuckaway_host::{
    CacheConfig, CompactionConfig, Conversation, Dialect, Estimate, ManageTask, MemoryStore, Message, Part,
    PlanState, Role, Step, Task, ToolCall, ToolResult, Tuckaway,
};

use crate::generated::STORAGE;
use crate::history;
use crate::report::{Report, Row};

/// The messages of the history that the budget is for.
const MESSAGES: usize = 2_000;
/// How much longer the history is that shows whether the time is linear.
const LONGER: usize = 4;
/// The maximum time for the history.
const BUDGET: Duration = Duration::from_millis(20);
/// The maximum growth of its time by message: unlike the shorter history, it does not fit the
/// processor's caches. If the time were quadratic, this would be [`LONGER`].
const MAX_GROWTH: f64 = 2.0;
/// The number of measurements; the median counts.
const RUNS: usize = 21;

/// The outcome of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Nothing,
    Trim,
    Summary,
}

impl Outcome {
    /// Returns the task that has this outcome for a history of `tokens` tokens.
    fn task(self, tokens: u64) -> Task {
        let cache = match self {
            Outcome::Nothing => CacheConfig { context_budget_tokens: Some(tokens), ..CacheConfig::default() },
            Outcome::Trim => {
                CacheConfig { context_budget_tokens: Some(tokens / 5), ..CacheConfig::default() }
            }
            Outcome::Summary => CacheConfig { enabled: false, ..CacheConfig::default() },
        };
        let context_window = if self == Outcome::Summary { tokens } else { 4 * tokens };
        Task::Manage(ManageTask {
            context_window,
            cache,
            budget: None,
            compaction: CompactionConfig::default(),
            refusal: None,
            pairs: None,
        })
    }

    fn of(step: &Step) -> Outcome {
        match (step.request.is_some(), step.plan.is_empty) {
            (true, _) => Outcome::Summary,
            (false, true) => Outcome::Nothing,
            (false, false) => Outcome::Trim,
        }
    }
}

/// Adds a row for each outcome of a plan, and one for a longer history.
pub async fn measure(report: &mut Report) -> Result<()> {
    for (outcome, name) in [
        (Outcome::Nothing, "nothing to do"),
        (Outcome::Trim, "results to trim"),
        (Outcome::Summary, "a summary to ask for"),
    ] {
        let (time, tokens) = median(MESSAGES, outcome).await?;
        report.add(Row {
            what: format!("{MESSAGES} messages, {}k tokens, {name}", tokens / 1_000),
            measured: format!("{:.1} ms", time.as_secs_f64() * 1e3),
            budget: format!("≤ {} ms", BUDGET.as_millis()),
            met: Some(time <= BUDGET),
            ratio: String::new(),
        });
    }
    let (short, _) = median(MESSAGES, Outcome::Trim).await?;
    let (long, tokens) = median(LONGER * MESSAGES, Outcome::Trim).await?;
    let growth = long.as_secs_f64() / short.as_secs_f64() / LONGER as f64;
    report.add(Row {
        what: format!("{} messages, {}k tokens, results to trim", LONGER * MESSAGES, tokens / 1_000),
        measured: format!("{:.1} ms", long.as_secs_f64() * 1e3),
        budget: format!("≤ {MAX_GROWTH} x the time by message"),
        met: Some(growth <= MAX_GROWTH),
        ratio: format!("{growth:.2} x the time by message"),
    });
    history::measure(report).await
}

/// Returns the time of a plan, and the tokens of the history.
async fn median(messages: usize, outcome: Outcome) -> Result<(Duration, u64)> {
    let history = history(messages);
    let tokens = Tuckaway::builder().tokens(Estimate).build()?.account(&history).await?.total;
    let task = outcome.task(tokens);
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        // Each plan stores the items that it removes in a separate store.
        let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate).build()?;
        // The first call starts the instance.
        tuckaway.default_policy(Dialect::Artifact).await?;
        let started = Instant::now();
        let step = tuckaway.plan(&history, &task, &[], &PlanState::default()).await?;
        times.push(started.elapsed());
        let actual = Outcome::of(&step);
        ensure!(actual == outcome, "the plan for {tokens} tokens is {actual:?}, not {outcome:?}");
    }
    times.sort();
    Ok((times[RUNS / 2], tokens))
}

/// Returns a history of turns of four messages: a question, a call, its result, an answer.
fn history(messages: usize) -> Conversation {
    let log = STORAGE.text();
    let lines: Vec<&str> = log.lines().collect();
    let said = |role, part| Message {
        role,
        parts: vec![part],
        tokens: None,
        pinned: false,
        inserted: false,
        joined: false,
        kept: false,
    };
    let prose = "The workers were restarted after the deployment, and the queue is empty again. ";
    let mut all = Vec::with_capacity(messages);
    for turn in 0..messages / 4 {
        let id = format!("call_{turn}");
        let output: Vec<&str> = lines.iter().cycle().skip(turn * 3 % lines.len()).take(4).copied().collect();
        let arguments = format!("{{\"from\": {turn}}}");
        let call = ToolCall { id: id.clone(), name: "read_log".to_owned(), arguments, pinned: false };
        let result = ToolResult { call_id: id, text: output.join("\n"), is_error: false, artifact: None };
        all.push(said(Role::User, Part::Text(format!("Question {turn}: {}", prose.repeat(2)))));
        all.push(said(Role::Assistant, Part::ToolCall(call)));
        all.push(said(Role::Tool, Part::ToolResult(result)));
        all.push(said(Role::Assistant, Part::Text(prose.repeat(4))));
    }
    Conversation { messages: all, tools: Vec::new(), usage: None }
}
