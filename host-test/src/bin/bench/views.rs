//! What a model sees of real outputs: how much less it is, and whether the one
//! fact that its next question needs is in it.

use std::fs;

use anyhow::{Context, Result};
use tuckaway_host::{
    ArtifactTool, Block, Content, CountTokens, Estimate, MemoryStore, Policy, Tiktoken, ToolOutput, Tuckaway,
    Turn,
};
use tuckaway_host_test::{suites, workspace};

use crate::made;
use crate::report::{Report, Row};

/// Each with what a person would want to find in the view: a key path, a column,
/// a line that went wrong, a heading, a symbol.
const OUTPUTS: [(Source, &str, &str); 12] = [
    (Source::Example("twitter.json"), "the key of the retweets", "retweet_count"),
    (Source::Example("citm_catalog.json"), "the path of the prices", ".performances[].prices[]"),
    (Source::Example("github_events.json"), "what an event carries", ".[].payload"),
    (Source::Made("made reviews.ndjson", made::reviews), "the column of the ratings", "rating"),
    (
        Source::Made("made application.csv", || made::APPLICATION.table()),
        "the column of the templates",
        "template",
    ),
    (Source::Made("made logins.csv", || made::LOGINS.table()), "the column of the messages", "message"),
    (Source::Made("made application.log", || made::APPLICATION.text()), "an error", "ERROR"),
    (Source::Made("made storage.log", || made::STORAGE.text()), "a warning", "could not be served"),
    (Source::Made("made logins.log", || made::LOGINS.text()), "what failed", "Failed password"),
    (Source::Own("js/package-lock.json"), "where a package's version is", "packages"),
    (Source::Own("ARCHITECTURE.md"), "a heading", "Invariants"),
    (Source::Own("crates/jq/src/tests/grammar.rs"), "a function in its middle", "pub fn documents"),
];

/// Where an output comes from.
enum Source {
    /// `cargo xtask suites` fetches it.
    Example(&'static str),
    /// The bench makes it.
    Made(&'static str, fn() -> String),
    /// The workspace has it.
    Own(&'static str),
}

impl Source {
    /// Returns what the report calls it, and its text.
    fn read(&self) -> Result<(&'static str, String)> {
        match *self {
            Source::Example(name) => {
                let bytes = suites::json_example(name)
                    .with_context(|| format!("{name} is missing: `cargo xtask suites` fetches it"))?;
                Ok((name, String::from_utf8(bytes)?))
            }
            Source::Made(name, make) => Ok((name, make())),
            Source::Own(path) => {
                let text =
                    fs::read_to_string(workspace().join(path)).with_context(|| format!("reading {path}"))?;
                Ok((path.rsplit('/').next().unwrap_or(path), text))
            }
        }
    }
}

/// A model of 8,000 tokens: small enough that all of it is put away.
const WINDOW: u64 = 8_000;

/// One row for each output; an error where one is missing.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns(["output", "whole → view", "what must be in the view", "of the tokens"]);
    for (source, what, fact) in OUTPUTS {
        let (name, text) = source.read()?;
        let view = view_of(&text).await?;
        let tokens = async |text: &str| {
            Tiktoken::O200kBase.count(text).await.map_err(|why| anyhow::anyhow!("counting {name}: {why}"))
        };
        let (whole, left) = (tokens(&text).await?, tokens(&view).await?);
        report.add(Row {
            what: name.to_owned(),
            measured: format!("{} → {} bytes, {whole} → {left} tokens", text.len(), view.len()),
            budget: format!("{what}: `{fact}`"),
            met: Some(view.contains(fact)),
            ratio: format!("{:.1} %", 100.0 * left as f64 / whole as f64),
        });
    }
    Ok(())
}

async fn view_of(text: &str) -> Result<String> {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate).build()?;
    let output = ToolOutput {
        tool: "bench".to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(text.to_owned()), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: WINDOW, used_tokens: 0, tools: ArtifactTool::ALL.into() };
    let view = tuckaway.process(&output, &turn, &Policy::default()).await?;
    anyhow::ensure!(view.artifacts.len() == 1, "an output of {} bytes was not put away", text.len());
    Ok(view.text)
}
