//! A complete embedder: an output is stored, the model sees a reference and queries it.

use tuckaway_host::{
    ArtifactTool, Block, Content, MemoryStore, Policy, Tiktoken, ToolOutput, Tuckaway, Turn,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Tiktoken::default()).build()?;

    // A tool has returned more than a model should read.
    let rows: String = (0..20_000).map(|n| format!("{{\"id\": {n}, \"name\": \"row {n}\"}}\n")).collect();
    let output = ToolOutput {
        tool: "sql_query".into(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(rows), media_type: None }],
        structured: None,
    };
    let turn = Turn { context_window: 200_000, used_tokens: 12_000, tools: ArtifactTool::ALL.to_vec() };
    let policy = Policy::default();
    let view = tuckaway.process(&output, &turn, &policy).await?;
    println!("The model sees: {}", view.text);

    // The model queries it with the tools that it was given.
    for tool in tuckaway.definitions(&turn.tools, policy.dialect, false).await? {
        println!("It can call {}: {}", tool.name, tool.description);
    }
    let id = &view.artifacts[0].id;
    let arguments = format!(r#"{{"artifact_id": "{id}", "pattern": "row 1999\\d"}}"#);
    let reply = tuckaway.call("artifact_grep", &arguments, None).await?;
    println!("It receives: {}", reply.text);
    Ok(())
}
