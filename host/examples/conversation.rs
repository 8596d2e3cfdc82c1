//! An agent loop that stays within its window: one call before each request to the model.

use serde_json::{Value, json};
use tuckaway_host::{
    CacheConfig, CompactionConfig, HistoryFormat, HistoryInput, ManageTask, MemoryStore, Preset,
    SummaryRequest, Task, Tiktoken, Tuckaway,
};

const WINDOW: u64 = 32_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Tiktoken::default()).build()?;
    let task = Task::Manage(ManageTask {
        context_window: WINDOW,
        cache: CacheConfig::default(),
        budget: Some(tuckaway.budget_preset(Preset::General, Some(WINDOW)).await?),
        compaction: CompactionConfig::default(),
        refusal: None,
        pairs: None,
    });
    let mut history = vec![json!({"role": "system", "content": "You read logs."})];
    let (mut memory, mut usage): (Option<String>, Option<Value>) = (None, None);
    for turn in 0..40 {
        history.push(json!({"role": "user", "content": format!("Read log {turn}.")}));
        for is_last in [false, true] {
            // This call is the only addition: the JSON that it returns is the history to send.
            let input = HistoryInput {
                json: Value::from(history).to_string(),
                format: Some(HistoryFormat::OpenaiChat),
                usage: usage.map(|usage| usage.to_string()),
                with_json: true,
                ..HistoryInput::default()
            };
            let managed = tuckaway.manage_history(&input, memory.as_deref(), &task, ask_for_summary).await?;
            for receipt in &managed.report.receipts {
                println!(
                    "turn {turn}: {:?} {:?}, now in {:?}",
                    receipt.removal, receipt.tool, receipt.artifact
                );
            }
            history = serde_json::from_str(managed.json.as_deref().unwrap_or_default())?;
            memory = Some(managed.memory);
            let (messages, reported) = ask_model(&history, turn, is_last);
            history.extend(messages);
            usage = Some(reported);
        }
    }
    println!("{} messages, {} bytes", history.len(), Value::from(history).to_string().len());
    Ok(())
}

/// Takes the place of a request to the model, and of the tools that the model calls. Returns
/// the messages that follow, and the usage as the provider reported it.
fn ask_model(history: &[Value], turn: usize, is_last: bool) -> (Vec<Value>, Value) {
    let bytes: usize = history.iter().map(|message| message.to_string().len()).sum();
    let usage = json!({"prompt_tokens": bytes / 4, "completion_tokens": 20});
    if is_last {
        return (vec![json!({"role": "assistant", "content": format!("Log {turn} is fine.")})], usage);
    }
    let id = format!("call_{turn}");
    let function = json!({"name": "read_log", "arguments": format!("{{\"log\": {turn}}}")});
    let calls = [json!({"id": id, "type": "function", "function": function})];
    let log: String = (0..100).map(|line| format!("{line} job {turn} is running\n")).collect();
    let call = json!({"role": "assistant", "content": null, "tool_calls": calls});
    (vec![call, json!({"role": "tool", "tool_call_id": id, "content": log})], usage)
}

/// Takes the place of a request to the model that writes summaries, which gets no tools.
async fn ask_for_summary(request: SummaryRequest) -> anyhow::Result<String> {
    Ok(format!("<summary>The first {} messages were about logs without errors.</summary>", request.through))
}
