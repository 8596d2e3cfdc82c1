//! Two sessions of many turns under several strategies: the fill of the window, the cost of the
//! requests, and the facts that can still be found at the end.

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
use tuckaway::Store;
use tuckaway_host::{
    CacheConfig, CompactionConfig, Conversation, Medium, Message, Part, Role, Tiktoken, ToolCall, ToolResult,
    ToolSpec, Tuckaway,
};
use tuckaway_host_test::{Immediate, World, workspace};

use crate::report::{Report, Row};
use chart::Line;
use meter::{Meter, Tokens, texts};
use script::{Fact, Step, TURNS, Turn, Work};
use strategies::{
    ClearingHybrid, HIGH_MARK, KeepLast, Managed, Masking, MaskingHybrid, Nothing, Session, SlidingWindow,
    Strategy, Summary, WINDOW, said,
};

/// The file of the chart, in the workspace.
const CHART: &str = "docs/session.svg";
/// The system prompt and the tools, about as long as in real agents.
const SYSTEM_SENTENCES: usize = 120;
const TOOLS: [&str; 6] =
    ["read_log", "export_reviews", "query_table", "call_api", "write_file", "screenshot"];
/// The size of a screenshot, as sent, and its side lengths.
const IMAGE_BYTES: u64 = 800 << 10;
const IMAGE_SIDES: (u64, u64) = (1280, 720);
/// The price of a small model that summarizes calls, relative to the agent's.
const CHEAP: f64 = 0.1;
/// How many pixels count as a token.
const PIXELS: u64 = 750;

/// The strategy that the others are compared with.
const OWN: &str = "tuckaway";
/// The strategies of the chart.
const DRAWN: [&str; 6] = [
    "nothing, until the window is full",
    "clearing at 100k, the last 3 stay",
    "summary at 0.8",
    "hybrid: clearing at 100k, summary at 0.4",
    OWN,
    "tuckaway, summary at 0.4",
];

/// Adds a row for each strategy in each session. Writes the chart of the first session if
/// `is_written`.
pub async fn measure(report: &mut Report, is_written: bool) -> Result<()> {
    report.name_columns(["strategy", "tokens", "facts at the end", "cost"]);
    for (work, lead) in [(Work::Reads, ""), (Work::WritesAndSees, "files and images: ")] {
        let (turns, named) = script::session(work)?;
        eprintln!("bench: {TURNS} turns of {named}");
        let session = Played::of(&turns).await?;
        for row in session.rows(lead) {
            report.add(row);
        }
        if is_written && work == Work::Reads {
            fs::write(workspace().join(CHART), chart::draw(&session.lines(), WINDOW, TURNS))?;
        }
    }
    Ok(())
}

/// A session under all strategies.
struct Played {
    facts: usize,
    runs: Vec<(&'static str, Run, Found)>,
}

impl Played {
    async fn of(turns: &[Turn]) -> Result<Played> {
        let facts: Vec<Fact> = turns.iter().flat_map(|turn| turn.facts.clone()).collect();
        // Its ids are the same in each run.
        let store = Arc::new(World::new(&Value::Null, &Value::Null)?);
        let (mut tokens, mut runs) = (Tokens::default(), Vec::new());
        for mut strategy in strategies(&store).await? {
            let run = play(&mut *strategy, turns, &facts, &mut tokens, &store).await?;
            let found = find(&run.conversation, &facts, &store);
            eprintln!("bench: {}: {:.2} M", strategy.name(), run.meter.cost() / 1e6);
            runs.push((strategy.name(), run, found));
        }
        Ok(Played { facts: facts.len(), runs })
    }

    fn rows(&self, lead: &str) -> Vec<Row> {
        let own = self.runs.iter().find(|(name, ..)| *name == OWN);
        let own = own.map(|(_, run, _)| run.meter.cost() / run.fill.len() as f64).unwrap_or_default();
        let rows = self
            .runs
            .iter()
            .map(|(name, run, found)| row(&format!("{lead}{name}"), run, found, self.facts, own));
        rows.collect()
    }

    fn lines(&self) -> Vec<Line> {
        let drawn = self.runs.iter().filter(|(name, ..)| DRAWN.contains(name));
        drawn.map(|(name, run, _)| Line { name, tokens: run.fill.clone() }).collect()
    }
}

async fn strategies(store: &Arc<World>) -> Result<Vec<Box<dyn Strategy>>> {
    let tuckaway =
        Tuckaway::builder().store(Immediate(Arc::clone(store))).tokens(Tiktoken::default()).build()?;
    let fewer =
        CacheConfig { context_budget_tokens: Some(30_000), target_ratio: 0.3, ..CacheConfig::default() };
    let early = CompactionConfig { threshold_ratio: HIGH_MARK, ..CompactionConfig::default() };
    let (cache, late) = (CacheConfig::default(), CompactionConfig::default());
    let summarized = async |name, cache, compaction, price| {
        let managed = Managed::new(name, &tuckaway, cache, compaction).await?;
        anyhow::Ok(managed.with_pairs(price))
    };
    Ok(vec![
        Box::new(Nothing),
        Box::new(KeepLast),
        Box::new(Masking),
        Box::new(SlidingWindow),
        Box::new(Summary),
        Box::new(MaskingHybrid),
        Box::new(ClearingHybrid),
        Box::new(Managed::new(OWN, &tuckaway, cache.clone(), late.clone()).await?),
        Box::new(Managed::new("tuckaway, summary at 0.4", &tuckaway, cache.clone(), early.clone()).await?),
        Box::new(
            Managed::new("tuckaway, results from 30k to 9k", &tuckaway, fewer.clone(), late.clone()).await?,
        ),
        Box::new(Managed::new("tuckaway, both", &tuckaway, fewer.clone(), early.clone()).await?),
        Box::new(summarized("tuckaway, calls summarized", cache.clone(), late.clone(), 1.0).await?),
        Box::new(summarized("tuckaway, calls summarized at a tenth", cache, late, CHEAP).await?),
        Box::new(summarized("tuckaway, both, calls at a tenth", fewer, early, CHEAP).await?),
    ])
}

/// The outcome of a strategy.
struct Run {
    /// The tokens of the last request of each turn.
    fill: Vec<u64>,
    meter: Meter,
    conversation: Conversation,
}

/// Plays the turns until the strategy cannot continue.
async fn play(
    strategy: &mut dyn Strategy,
    turns: &[Turn],
    facts: &[Fact],
    tokens: &mut Tokens,
    store: &World,
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
                session.conversation.messages.push(returned(&id, call, store)?);
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

fn returned(id: &str, step: &Step, store: &World) -> Result<Message> {
    let result =
        ToolResult { call_id: id.to_owned(), text: step.output.clone(), is_error: false, artifact: None };
    let mut message = said(Role::Tool, String::new());
    message.parts = vec![Part::ToolResult(result)];
    if step.has_image {
        message.parts.push(Part::Media(screenshot(id, store)?));
    }
    Ok(message)
}

/// Stores a screenshot, as a host does. Only its size matters here, so its name stands for its bytes.
fn screenshot(id: &str, store: &World) -> Result<Medium> {
    let artifact = store.create("screenshot", "image/png")?;
    store.append(&artifact, id.as_bytes())?;
    store.seal(&artifact, 1)?;
    let (width, height) = IMAGE_SIDES;
    Ok(Medium {
        tokens: width * height / PIXELS,
        bytes: IMAGE_BYTES,
        label: Some(format!("image/png, {width} x {height}")),
        artifact: Some(artifact),
    })
}

/// The locations of the facts at the end.
struct Found {
    in_context: usize,
    /// In an artifact that the context names.
    by_query: usize,
    /// In an artifact that such an artifact names.
    by_two: usize,
}

fn find(conversation: &Conversation, facts: &[Fact], store: &World) -> Found {
    let context: String = conversation.messages.iter().flat_map(texts).collect::<Vec<_>>().join("\n");
    let stored = named(&context, store);
    let behind = named(&stored, store);
    let mut found = Found { in_context: 0, by_query: 0, by_two: 0 };
    for Fact { text, .. } in facts {
        match () {
            () if context.contains(text) => found.in_context += 1,
            () if stored.contains(text) => found.by_query += 1,
            () if behind.contains(text) => found.by_two += 1,
            () => {}
        }
    }
    found
}

/// Returns the artifacts that a text names.
fn named(text: &str, store: &World) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ids: BTreeSet<&str> = words.filter(|word| word.starts_with("art_")).collect();
    let stored: Vec<u8> = ids.into_iter().filter_map(|id| store.stored(id).ok()).flatten().collect();
    String::from_utf8_lossy(&stored).into_owned()
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
            "{} of {facts}: {} in the context, {} by one query, {} by two",
            found.in_context + found.by_query + found.by_two,
            found.in_context,
            found.by_query,
            found.by_two
        ),
        met: None,
        ratio: format!(
            "{:.2} M, {per_turn:.0} a turn, {:.2} x tuckaway",
            run.meter.cost() / 1e6,
            per_turn / own
        ),
    }
}
