//! What a model sees of real outputs: how much less it is, and whether the one
//! fact that its next question needs is in it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tuckaway_host::{
    ArtifactTool, Block, Content, CountTokens, Estimate, MemoryStore, Policy, Tiktoken, ToolOutput, Tuckaway,
    Turn,
};

/// Each with what a person would want to find in the view: a key path, a column,
/// a line that went wrong, a heading, a symbol. The first seven and the logs lie
/// beside the checkout, the others in it.
const OUTPUTS: [(&str, &str, &str); 12] = [
    ("../shared/data/json/twitter.json", "the key of the retweets", "retweet_count"),
    ("../shared/data/json/citm_catalog.json", "the path of the prices", ".performances[].prices[]"),
    ("../shared/data/json/github_events.json", "what an event carries", ".[].payload"),
    ("../shared/data/json/amazon_cellphones.ndjson", "the column of the ratings", "rating"),
    ("../shared/data/csv/Hadoop.csv", "the column of the templates", "EventTemplate"),
    ("../shared/data/csv/OpenSSH.csv", "what addresses are called", "Content"),
    ("../shared/data/logs/Hadoop.log", "an error", "ERROR"),
    ("../shared/data/logs/HDFS.log", "a warning", "Got exception while serving"),
    ("../shared/data/logs/OpenSSH.log", "what failed", "Failed password"),
    ("js/package-lock.json", "where a package's version is", "packages"),
    ("ARCHITECTURE.md", "a heading", "What is not held yet"),
    ("crates/jq/src/tests/grammar.rs", "a function in its middle", "pub fn documents"),
];

/// A model of 8,000 tokens: small enough that all of it is put away.
const WINDOW: u64 = 8_000;

/// Writes a Markdown table; an error where an output is not there.
pub async fn print() -> Result<()> {
    println!("| output | bytes | in the view | tokens | in the view | a fact it needs | is there |");
    println!("|---|---|---|---|---|---|---|");
    for (file, what, fact) in OUTPUTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {file}"))?;
        let view = view_of(&text).await?;
        let tokens = |text: String| async move {
            Tiktoken::O200kBase.count(&text).await.map_err(|why| anyhow::anyhow!("counting {file}: {why}"))
        };
        let is_there = view.contains(fact);
        println!(
            "| {} | {} | {} | {} | {} | {what}: `{}` | {} |",
            path.file_name().unwrap_or_default().display(),
            text.len(),
            view.len(),
            tokens(text.clone()).await?,
            tokens(view).await?,
            fact.trim(),
            if is_there { "yes" } else { "no" },
        );
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
