//! A complete embedder: an output is stored, the model sees a reference and queries it.

use tuckaway_host::{
    CallOptions, DefinitionOptions, MemoryStore, Policy, Tiktoken, ToolOutput, Tuckaway, Turn,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Tiktoken::default()).build()?;

    // A tool has returned more than a model should read.
    let rows: String = (0..20_000).map(|n| format!("{{\"id\": {n}, \"name\": \"row {n}\"}}\n")).collect();
    let output = ToolOutput::text("sql_query", rows);
    let turn = Turn { used_tokens: 12_000, ..Turn::new(200_000) };
    let view = tuckaway.process(&output, &turn, &Policy::default()).await?;
    println!("The model sees: {}", view.text);

    // The model queries it with the tools that it was given.
    for tool in tuckaway.tool_definitions(&turn.tools, &DefinitionOptions::default()).await? {
        println!("It can call {}: {}", tool.name, tool.description);
    }
    let id = &view.artifacts[0].id;
    let arguments = format!(r#"{{"artifact_id": "{id}", "pattern": "row 1999\\d"}}"#);
    let reply = tuckaway.call_tool("artifact_grep", &arguments, &CallOptions::default()).await?;
    println!("It receives: {}", reply.text);
    Ok(())
}
