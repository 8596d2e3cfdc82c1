//! An agent's tool: a question about a stored output, answered by a second model.
//!
//! ```sh
//! OPENAI_API_KEY=… cargo run -p tuckaway-host --features http --example extract -- build.log "why did it fail?"
//! ```

use std::{env, fs};

use anyhow::Context;
use tuckaway_host::{
    ArtifactTool, Block, Content, Endpoint, ExtractOptions, ExtractionMode, OpenAiModel, Policy, Question,
    Tiktoken, ToolOutput, Tuckaway, Turn,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().context("name a file")?;
    let extract = arguments.next().context("say what to extract")?;
    let tuckaway = Tuckaway::builder().tokens(Tiktoken::default()).build()?;

    // A tool output that is too large for the agent's model is stored.
    let output = ToolOutput {
        tool: "build".into(),
        is_error: false,
        blocks: vec![Block { content: Content::Bytes(fs::read(file)?), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: 128_000, used_tokens: 0, tools: vec![ArtifactTool::Read] };
    let view = tuckaway.process(&output, &turn, &Policy { keep_all: true, ..Policy::default() }).await?;
    let artifact = view.artifacts.first().context("it was not stored")?.id.clone();

    // The agent's model asks a question about it, and a second model answers.
    let question =
        Question { artifact, extract, mode: ExtractionMode::Auto, tool_arguments: None, nonce: None };
    let config = tuckaway.extraction_config(turn.context_window).await?;
    let estimate = tuckaway.estimate_extraction(&question, &config).await?;
    println!("{}: {} requests, as {}", estimate.strategy.name(), estimate.requests, estimate.reason);
    let endpoint = Endpoint::new(OpenAiModel::BASE_URL, "gpt-5-mini", env::var("OPENAI_API_KEY").ok());
    let model = OpenAiModel::new(endpoint)?;
    let options = ExtractOptions::new().on_progress(|progress| eprintln!("{progress:?}"));
    let answer = tuckaway.extract(&question, &config, &model, options).await?;
    println!("{}", answer.text);
    Ok(())
}
