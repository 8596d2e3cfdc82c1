//! A session of many turns under several strategies: how full the window is, what the
//! requests cost, and what can still be found at the end.

mod chart;
mod meter;
mod model;
mod script;
mod strategies;

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use anyhow::Result;
use serde_json::Value;
use tuckaway_host::{
    CacheConfig, Conversation, Message, Part, Role, Tiktoken, ToolCall, ToolResult, ToolSpec, Tuckaway,
};
use tuckaway_host_test::{Immediate, World, workspace};

use crate::report::{Report, Row};
use chart::Line;
use meter::{Meter, Tokens, texts};
use script::{Fact, TURNS, Turn};
use strategies::{KeepLast, Managed, Nothing, Session, SlidingWindow, Strategy, Summary, WINDOW, said};

/// The file of the chart, in the workspace.
const CHART: &str = "docs/session.svg";
/// The system prompt and the tools, about as long as those of real agents.
const SYSTEM_SENTENCES: usize = 120;
const TOOLS: [&str; 4] = ["read_log", "export_reviews", "query_table", "call_api"];

/// The strategy that the others are compared with.
const OWN: &str = "tuckaway";

/// Adds a row for each strategy. Writes the chart if `is_written`.
pub async fn measure(report: &mut Report, is_written: bool) -> Result<()> {
    report.name_columns(["strategy", "tokens", "facts at the end", "cost"]);
    let (turns, named) = script::session()?;
    eprintln!("bench: {TURNS} turns of {named}");
    let facts: Vec<Fact> = turns.iter().flat_map(|turn| turn.facts.clone()).collect();
    // Its ids are the same in each run.
    let store = Arc::new(World::new(&Value::Null, &Value::Null)?);
    let tuckaway =
        Tuckaway::builder().store(Immediate(Arc::clone(&store))).tokens(Tiktoken::default()).build()?;
    let fewer =
        CacheConfig { context_budget_tokens: Some(30_000), target_ratio: 0.3, ..CacheConfig::default() };
    let strategies: [Box<dyn Strategy>; 6] = [
        Box::new(Nothing),
        Box::new(KeepLast),
        Box::new(SlidingWindow),
        Box::new(Summary),
        Box::new(Managed::new(OWN, &tuckaway, CacheConfig::default()).await?),
        Box::new(Managed::new("tuckaway, results from 30k to 9k", &tuckaway, fewer).await?),
    ];
    let (mut tokens, mut lines, mut runs) = (Tokens::default(), Vec::new(), Vec::new());
    for mut strategy in strategies {
        let run = play(&mut *strategy, &turns, &facts, &mut tokens).await?;
        lines.push(Line { name: strategy.name(), tokens: run.fill.clone() });
        let found = find(&run.conversation, &facts, &store);
        runs.push((strategy.name(), run, found));
    }
    let own = runs.iter().find(|(name, ..)| *name == OWN);
    let own = own.map(|(_, run, _)| run.meter.cost() / run.fill.len() as f64).unwrap_or_default();
    for (name, run, found) in &runs {
        report.add(row(name, run, found, facts.len(), own));
    }
    if is_written {
        fs::write(workspace().join(CHART), chart::draw(&lines, WINDOW, TURNS))?;
    }
    Ok(())
}

/// What a strategy led to.
struct Run {
    /// The tokens of the last request of each turn.
    fill: Vec<u64>,
    meter: Meter,
    conversation: Conversation,
}

/// Goes through the turns until the strategy cannot go on.
async fn play(
    strategy: &mut dyn Strategy,
    turns: &[Turn],
    facts: &[Fact],
    tokens: &mut Tokens,
) -> Result<Run> {
    let mut session =
        Session { conversation: beginning(), tokens, meter: Meter::default(), facts, usage: None };
    let mut fill = Vec::new();
    'turns: for (index, turn) in turns.iter().enumerate() {
        session.conversation.messages.push(said(Role::User, turn.user.clone()));
        for step in 0..=turn.steps.len() {
            if !strategy.prepare(&mut session).await? {
                break 'turns;
            }
            let id = format!("call_{index}_{step}");
            let answer = match turn.steps.get(step) {
                Some(call) => called(&id, call.tool, &call.arguments),
                None => said(Role::Assistant, turn.answer.clone()),
            };
            let usage = session.meter.request(&session.conversation, &answer, session.tokens).await?;
            session.usage = Some(usage);
            session.conversation.messages.push(answer);
            if let Some(call) = turn.steps.get(step) {
                session.conversation.messages.push(returned(&id, &call.output));
            } else {
                fill.push(usage.total_tokens() - usage.output_tokens);
            }
        }
    }
    let Session { conversation, meter, .. } = session;
    Ok(Run { fill, meter, conversation })
}

fn beginning() -> Conversation {
    let system = "You are an agent that investigates services with tools, and answers briefly. ";
    let definition = |name: &str| {
        format!(
            "{{\"name\": \"{name}\", \"description\": \"{}\", \"input_schema\": {{\"type\": \"object\"}}}}",
            "Returns what is known about a service, page by page. ".repeat(20)
        )
    };
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        definition: definition(name),
        tokens: None,
        pinned: false,
    };
    Conversation {
        messages: vec![said(Role::System, system.repeat(SYSTEM_SENTENCES))],
        tools: TOOLS.map(tool).to_vec(),
        usage: None,
    }
}

fn called(id: &str, tool: &str, arguments: &str) -> Message {
    let call =
        ToolCall { id: id.to_owned(), name: tool.to_owned(), arguments: arguments.to_owned(), pinned: false };
    let mut message = said(Role::Assistant, String::new());
    message.parts = vec![Part::ToolCall(call)];
    message
}

fn returned(id: &str, output: &str) -> Message {
    let result =
        ToolResult { call_id: id.to_owned(), text: output.to_owned(), is_error: false, artifact: None };
    let mut message = said(Role::Tool, String::new());
    message.parts = vec![Part::ToolResult(result)];
    message
}

/// Where the facts are at the end.
struct Found {
    in_context: usize,
    /// In an artifact that the context names.
    by_query: usize,
}

fn find(conversation: &Conversation, facts: &[Fact], store: &World) -> Found {
    let context: String = conversation.messages.iter().flat_map(texts).collect::<Vec<_>>().join("\n");
    let ids: BTreeSet<&str> = context
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("art_"))
        .collect();
    let stored: Vec<u8> = ids.into_iter().filter_map(|id| store.stored(id).ok()).flatten().collect();
    let stored = String::from_utf8_lossy(&stored);
    let in_context = facts.iter().filter(|fact| context.contains(&fact.text)).count();
    let reachable =
        facts.iter().filter(|fact| context.contains(&fact.text) || stored.contains(&fact.text)).count();
    Found { in_context, by_query: reachable - in_context }
}

fn row(name: &str, run: &Run, found: &Found, facts: usize, own: f64) -> Row {
    let millions = |tokens: u64| format!("{:.2} M", tokens as f64 / 1e6);
    let Meter { sent, read, written, summaries, asked, .. } = &run.meter;
    let turns = run.fill.len();
    let end = if turns < TURNS { format!("ends in turn {}; ", turns + 1) } else { String::new() };
    let summed = match asked {
        0 => String::new(),
        asked => format!(", {asked} summaries of {summaries} tokens"),
    };
    let per_turn = run.meter.cost() / turns.max(1) as f64;
    Row {
        what: name.to_owned(),
        measured: format!(
            "{end}{} sent, {} read from the cache, {} written{summed}",
            millions(*sent),
            millions(*read),
            millions(*written)
        ),
        budget: format!(
            "{} of {facts}: {} in the context, {} by one query",
            found.in_context + found.by_query,
            found.in_context,
            found.by_query
        ),
        met: None,
        ratio: format!(
            "{:.2} M, {per_turn:.0} a turn, {:.2} x tuckaway",
            run.meter.cost() / 1e6,
            per_turn / own
        ),
    }
}
