//! An agent loop that stays within its window: one call before each request to the model.

use serde_json::{Value, json};
use tuckaway_host::histories::token_usage;
use tuckaway_host::{
    CacheConfig, CompactionConfig, Format, History, Memory, MemoryStore, Preset, SummaryRequest, Task,
    Tiktoken, Tuckaway,
};

const WINDOW: u64 = 32_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Tiktoken::default()).build()?;
    let task = Task::Manage {
        context_window: WINDOW,
        cache: CacheConfig::default(),
        budget: Some(tuckaway.budget_preset(Preset::General, Some(WINDOW)).await?),
        compaction: CompactionConfig::default(),
    };
    let mut history =
        History::parse(r#"[{"role": "system", "content": "You read logs."}]"#, Some(Format::OpenaiChat))?;
    let (mut memory, mut usage) = (Memory::default(), None);
    for turn in 0..40 {
        history = history.with(&[format!(r#"{{"role": "user", "content": "Read log {turn}."}}"#)])?;
        for is_last in [false, true] {
            // This call is the only addition: `history` is the history to send.
            let managed = tuckaway.manage_history(&history, &memory, usage, &task, ask_for_summary).await?;
            (history, memory) = (managed.history, managed.memory);
            for receipt in &managed.report.receipts {
                println!(
                    "turn {turn}: {:?} {:?}, now in {:?}",
                    receipt.removal, receipt.tool, receipt.artifact
                );
            }
            let (messages, reported) = ask_model(&history, turn, is_last);
            history = history.with(&messages)?;
            usage = Some(token_usage(&reported)?);
        }
    }
    println!("{} messages, {} bytes", history.items().len(), history.as_json().len());
    Ok(())
}

/// Takes the place of a request to the model, and of the tools that the model calls. Returns
/// the messages that follow, and the usage as the provider reported it.
fn ask_model(history: &History, turn: usize, is_last: bool) -> (Vec<String>, Value) {
    let usage = json!({"prompt_tokens": history.as_json().len() / 4, "completion_tokens": 20});
    if is_last {
        return (
            vec![json!({"role": "assistant", "content": format!("Log {turn} is fine.")}).to_string()],
            usage,
        );
    }
    let id = format!("call_{turn}");
    let function = json!({"name": "read_log", "arguments": format!("{{\"log\": {turn}}}")});
    let calls = [json!({"id": id, "type": "function", "function": function})];
    let log: String = (0..100).map(|line| format!("{line} job {turn} is running\n")).collect();
    let call = json!({"role": "assistant", "content": null, "tool_calls": calls});
    let result = json!({"role": "tool", "tool_call_id": id, "content": log});
    (vec![call.to_string(), result.to_string()], usage)
}

/// Takes the place of a request to the model that writes summaries, which gets no tools.
async fn ask_for_summary(request: SummaryRequest) -> anyhow::Result<String> {
    Ok(format!("<summary>The first {} messages were about logs without errors.</summary>", request.through))
}
