//! An agent loop that stays within its window: one call before each request to the model.

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
            // The one line: `history` is what is sent.
            let managed = tuckaway.manage_history(&history, &memory, usage, &task, ask_for_summary).await?;
            (history, memory) = (managed.history, managed.memory);
            for receipt in &managed.report.receipts {
                println!(
                    "turn {turn}: {:?} {:?}, now in {:?}",
                    receipt.removal, receipt.tool, receipt.artifact
                );
            }
            let (messages, reported) = ask_model(turn, is_last);
            history = history.with(&messages)?;
            usage = reported.map(|reported| token_usage(&reported)).transpose()?;
        }
    }
    println!("{} messages, {} bytes", history.items().len(), history.as_json().len());
    Ok(())
}

/// Stands for a request to the model, and the tools that it calls. Returns the messages
/// that follow, and the usage if the provider reported it.
fn ask_model(turn: usize, is_last: bool) -> (Vec<String>, Option<serde_json::Value>) {
    if is_last {
        return (vec![format!(r#"{{"role": "assistant", "content": "Log {turn} is fine."}}"#)], None);
    }
    let call = format!(
        r#"{{"role": "assistant", "content": null, "tool_calls": [{{"id": "call_{turn}", "type": "function",
            "function": {{"name": "read_log", "arguments": "{{\"log\": {turn}}}"}}}}]}}"#
    );
    let log: String = (0..100).map(|line| format!("{line} job {turn} is running\\n")).collect();
    let result = format!(r#"{{"role": "tool", "tool_call_id": "call_{turn}", "content": "{log}"}}"#);
    (vec![call, result], None)
}

/// Stands for a request to the model that writes summaries, which takes no tools.
async fn ask_for_summary(request: SummaryRequest) -> anyhow::Result<String> {
    Ok(format!("<summary>The first {} messages were about logs without errors.</summary>", request.through))
}
