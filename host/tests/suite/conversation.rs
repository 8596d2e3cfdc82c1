//! A provider's history is managed in one call.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tuckaway_host::histories::rules;
use tuckaway_host::{
    CacheConfig, CompactionConfig, Estimate, Format, History, Limits, Memory, MemoryStore, Store,
    SummaryRequest, Task, TokenUsage, Tuckaway,
};

const WINDOW: u64 = 8_000;

fn tuckaway(store: &MemoryStore) -> Tuckaway {
    Tuckaway::builder().store(store.clone()).tokens(Estimate).build().unwrap()
}

/// Returns the task with a budget for results, and whether summaries are made.
fn task(context_budget_tokens: u64, auto: bool) -> Task {
    Task::Manage {
        context_window: WINDOW,
        cache: CacheConfig { context_budget_tokens: Some(context_budget_tokens), ..CacheConfig::default() },
        budget: None,
        compaction: CompactionConfig { auto, ..CompactionConfig::default() },
    }
}

/// Returns the messages of a turn in Anthropic's format, with a result of about `bytes` bytes.
fn turn(n: usize, bytes: usize) -> Vec<String> {
    let output = format!("row {n} is fine\n").repeat(bytes / 14);
    [
        json!({"role": "user", "content": format!("Look at {n}, my code is {}.", 7_000 + n)}),
        json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "EqQB+/="},
            {"type": "tool_use", "id": format!("toolu_{n}"), "name": "look", "input": {"n": n}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("toolu_{n}"), "content": output}]}),
        json!({"role": "assistant", "content": "It is fine."}),
    ]
    .map(|message| message.to_string())
    .to_vec()
}

fn history(turns: usize, bytes: usize) -> History {
    let messages: Vec<String> = (0..turns).flat_map(|n| turn(n, bytes)).collect();
    let request = r#"{"system": "You look.", "messages": []}"#;
    History::parse(request, Some(Format::Anthropic)).unwrap().with(&messages).unwrap()
}

async fn never(_: SummaryRequest) -> Result<String, String> {
    panic!("no summary is needed")
}

#[tokio::test]
async fn results_are_replaced_by_references() {
    let store = MemoryStore::new();
    let history = history(6, 2_000);
    let managed = tuckaway(&store)
        .manage_history(&history, &Memory::default(), None, &task(1_000, false), never)
        .await
        .unwrap();
    assert_eq!(rules::violations(&managed.history), [] as [&str; 0]);
    assert_eq!(managed.history.items().len(), history.items().len());
    assert!(!managed.report.receipts.is_empty() && managed.report.requests == 0);
    let old: Value = serde_json::from_str(history.items().nth(2).unwrap()).unwrap();
    let id = &managed.memory.artifacts["toolu_0"];
    let stored = store.read(id, 0, u32::MAX).await.unwrap();
    assert_eq!(String::from_utf8(stored).unwrap(), old["content"][0]["content"]);
    // The memory is plain data, and with it the next plan is empty.
    let memory: Memory = serde_json::from_str(&serde_json::to_string(&managed.memory).unwrap()).unwrap();
    assert_eq!(memory, managed.memory);
    let again = tuckaway(&store)
        .manage_history(&managed.history, &memory, None, &task(1_000, false), never)
        .await
        .unwrap();
    assert_eq!(again.history.as_json(), managed.history.as_json());
}

#[tokio::test]
async fn the_model_is_asked_only_if_a_plan_needs_it() {
    let store = MemoryStore::new();
    let tuckaway = tuckaway(&store);
    let few = history(2, 500);
    let managed =
        tuckaway.manage_history(&few, &Memory::default(), None, &task(60_000, true), never).await.unwrap();
    assert_eq!((managed.history.as_json(), managed.report.requests), (few.as_json(), 0));

    let many = history(40, 1_000);
    let asked = AtomicU32::new(0);
    let answer = |request: SummaryRequest| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert!(!request.messages.is_empty());
        async { Ok::<_, String>("<summary>All of it is fine.</summary>".to_owned()) }
    };
    let managed =
        tuckaway.manage_history(&many, &Memory::default(), None, &task(60_000, true), answer).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), managed.report.requests);
    assert!(managed.report.requests > 0 && managed.report.refusal.is_none());
    assert_eq!(rules::violations(&managed.history), [] as [&str; 0]);
    assert!(managed.history.as_json().contains("All of it is fine."));
    assert_eq!(managed.history.items().last(), many.items().last());
    assert!(!managed.memory.inserted.is_empty() && managed.report.after.total < managed.report.before.total);
}

#[tokio::test]
async fn histories_are_managed_without_a_model_that_fails() {
    let store = MemoryStore::new();
    let many = history(40, 1_000);
    let failing = |_| async { Err::<String, _>("the model is overloaded") };
    let managed = tuckaway(&store)
        .manage_history(&many, &Memory::default(), None, &task(60_000, true), failing)
        .await
        .unwrap();
    assert!(managed.report.refusal.is_some());
    assert!(managed.report.summary_errors.iter().all(|why| why == "the model is overloaded"));
    assert!(!managed.report.summary_errors.is_empty());
    assert_eq!(rules::violations(&managed.history), [] as [&str; 0]);
    assert!(managed.report.after.total < managed.report.before.total);
}

#[tokio::test]
async fn a_usage_from_before_a_plan_is_not_used_again() {
    let store = MemoryStore::new();
    let tuckaway = tuckaway(&store);
    let history = history(8, 2_000);
    let usage = Some(TokenUsage { input_tokens: 6_000, ..TokenUsage::default() });
    let plan = task(1_000, false);
    let managed = tuckaway.manage_history(&history, &Memory::default(), usage, &plan, never).await.unwrap();
    assert_eq!(managed.report.before.total, 6_000);
    let again =
        tuckaway.manage_history(&managed.history, &managed.memory, usage, &plan, never).await.unwrap();
    assert_eq!(again.report.before.total, managed.report.after.total);
}

#[tokio::test]
async fn malformed_histories_are_errors() {
    let tuckaway = tuckaway(&MemoryStore::new());
    let orphan =
        r#"[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}]"#;
    let history = History::parse(orphan, Some(Format::Anthropic)).unwrap();
    let error = tuckaway
        .manage_history(&history, &Memory::default(), None, &task(1_000, true), never)
        .await
        .unwrap_err();
    assert!(error.message.contains("no earlier call awaits it"), "{error}");
}

#[tokio::test]
async fn images_of_removed_messages_can_be_read() {
    let store = MemoryStore::new();
    let image = r#"{"role": "user", "content": [{"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}]}"#;
    let messages: Vec<String> = std::iter::once(image.to_owned())
        .chain([r#"{"role": "assistant", "content": "A picture."}"#.to_owned()])
        .chain((0..40).flat_map(|n| turn(n, 1_000)))
        .collect();
    let history = history(0, 0).with(&messages).unwrap();
    let answer = |_| async { Ok::<_, String>("<summary>A picture was shown.</summary>".to_owned()) };
    let managed = tuckaway(&store)
        .manage_history(&history, &Memory::default(), None, &task(60_000, true), answer)
        .await
        .unwrap();
    assert!(!managed.history.as_json().contains("iVBORw0KGgo="));
    let [id] = &managed.report.originals[..] else { panic!("{:?}", managed.report.originals) };
    let stored = store.read(id, 0, u32::MAX).await.unwrap();
    let line: Value = serde_json::from_slice(&stored).unwrap();
    assert_eq!(line["original"], serde_json::from_str::<Value>(image).unwrap());

    let full = MemoryStore::new().with_limits(Limits::none().with_quota(2_000));
    let answer = |_| async { Ok::<_, String>("<summary>A picture was shown.</summary>".to_owned()) };
    let managed = tuckaway(&full)
        .manage_history(&history, &Memory::default(), None, &task(60_000, true), answer)
        .await
        .unwrap();
    assert!(managed.history.as_json().contains("iVBORw0KGgo="));
}
