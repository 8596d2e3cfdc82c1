//! A provider's history is managed in one call.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tuckaway_histories::rules::violations;
use tuckaway_host::{
    CacheConfig, CompactionConfig, ErrorKind, Estimate, HistoryFormat, HistoryInput, HistoryItem, Limits,
    ManageTask, ManagedHistory, MemoryStore, Store, SummaryAnswer, SummaryRequest, Task, Tuckaway,
};

const WINDOW: u64 = 8_000;

fn tuckaway(store: &MemoryStore) -> Tuckaway {
    Tuckaway::builder().store(store.clone()).tokens(Estimate).build().unwrap()
}

/// Returns the task with a budget for results, and whether summaries are made.
fn task(context_budget_tokens: u64, auto: bool) -> Task {
    Task::Manage(ManageTask {
        context_window: WINDOW,
        cache: CacheConfig { context_budget_tokens: Some(context_budget_tokens), ..CacheConfig::default() },
        budget: None,
        compaction: CompactionConfig { auto, ..CompactionConfig::default() },
        refusal: None,
        pairs: None,
    })
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

/// Returns a request with these messages, each as JSON.
fn request(messages: &[String]) -> HistoryInput {
    HistoryInput {
        json: format!(r#"{{"system": "You look.", "messages": [{}]}}"#, messages.join(", ")),
        format: Some(HistoryFormat::Anthropic),
        with_json: true,
        ..HistoryInput::default()
    }
}

fn messages(turns: usize, bytes: usize) -> Vec<String> {
    (0..turns).flat_map(|n| turn(n, bytes)).collect()
}

/// Returns the messages of a managed history, and checks that Anthropic would accept them.
fn valid(managed: &ManagedHistory) -> Vec<Value> {
    let request: Value = serde_json::from_str(managed.json.as_deref().unwrap()).unwrap();
    let messages = request["messages"].as_array().unwrap().clone();
    assert_eq!(violations(HistoryFormat::Anthropic, &messages), [] as [&str; 0]);
    messages
}

async fn never(_: SummaryRequest) -> Result<String, String> {
    panic!("no summary is needed")
}

#[tokio::test]
async fn results_are_replaced_by_references() {
    let store = MemoryStore::new();
    let old = messages(6, 2_000);
    let task = task(1_000, false);
    let managed = tuckaway(&store).manage_history(&request(&old), None, &task, never).await.unwrap();
    let new = valid(&managed);
    assert_eq!(new.len(), old.len());
    assert!(managed.report.is_changed && managed.report.requests == 0);
    let receipt = &managed.report.receipts[0];
    assert_eq!((receipt.messages.start, receipt.messages.end), (2, 3));
    let stored = store.read(receipt.artifact.as_deref().unwrap(), 0, u32::MAX).await.unwrap();
    let item: Value = serde_json::from_str(&old[2]).unwrap();
    assert_eq!(String::from_utf8(stored).unwrap(), item["content"][0]["content"]);
    // With the memory, which has no texts, the next plan is empty.
    assert!(managed.memory.len() < 1_000, "{}", managed.memory);
    let input = HistoryInput { json: managed.json.clone().unwrap(), ..request(&[]) };
    let again = tuckaway(&store).manage_history(&input, Some(&managed.memory), &task, never).await.unwrap();
    assert_eq!(again.json, managed.json);
    assert!(!again.report.is_changed);
}

#[tokio::test]
async fn the_model_is_asked_only_if_a_plan_needs_it() {
    let store = MemoryStore::new();
    let tuckaway = tuckaway(&store);
    let few = request(&messages(2, 500));
    let managed = tuckaway.manage_history(&few, None, &task(60_000, true), never).await.unwrap();
    assert_eq!((managed.json.as_deref(), managed.report.requests), (Some(few.json.as_str()), 0));

    let many = messages(40, 1_000);
    let asked = AtomicU32::new(0);
    let answer = |request: SummaryRequest| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert!(!request.messages.is_empty());
        async { Ok::<_, String>("<summary>All of it is fine.</summary>".to_owned()) }
    };
    let managed = tuckaway.manage_history(&request(&many), None, &task(60_000, true), answer).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), managed.report.requests);
    assert!(managed.report.requests > 0 && managed.report.refusal.is_none());
    let new = valid(&managed);
    assert!(managed.json.as_deref().unwrap().contains("All of it is fine."));
    assert_eq!(
        new.last().unwrap().to_string(),
        serde_json::from_str::<Value>(&many[159]).unwrap().to_string()
    );
    let Some(HistoryItem::Keep(span)) = managed.items.last() else { panic!("{:?}", managed.items) };
    assert_eq!(span.end, 160);
    assert!(managed.report.after.total < managed.report.before.total);
}

#[tokio::test]
async fn histories_are_managed_without_a_model_that_fails() {
    let store = MemoryStore::new();
    let failing = |_| async { Err::<String, _>("the model is overloaded") };
    let input = request(&messages(40, 1_000));
    let managed = tuckaway(&store).manage_history(&input, None, &task(60_000, true), failing).await.unwrap();
    assert!(managed.report.refusal.is_some());
    assert!(managed.report.summary_errors.iter().all(|why| why == "the model is overloaded"));
    assert!(!managed.report.summary_errors.is_empty());
    valid(&managed);
    assert!(managed.report.after.total < managed.report.before.total);
}

#[tokio::test]
async fn a_usage_from_before_a_plan_is_not_used_again() {
    let store = MemoryStore::new();
    let tuckaway = tuckaway(&store);
    let input = HistoryInput {
        usage: Some(r#"{"input_tokens": 6000, "output_tokens": 0}"#.to_owned()),
        ..request(&messages(8, 2_000))
    };
    let plan = task(1_000, false);
    let managed = tuckaway.manage_history(&input, None, &plan, never).await.unwrap();
    assert_eq!(managed.report.before.total, 6_000);
    let next = HistoryInput { json: managed.json.unwrap(), ..input };
    let again = tuckaway.manage_history(&next, Some(&managed.memory), &plan, never).await.unwrap();
    assert_eq!(again.report.before.total, managed.report.after.total);
}

#[tokio::test]
async fn what_an_aborted_turn_left_is_repaired_or_refused() {
    let tuckaway = tuckaway(&MemoryStore::new());
    let orphan = vec![
        r#"{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}"#
            .to_owned(),
    ];
    let task = task(1_000, true);
    let managed = tuckaway.manage_history(&request(&orphan), None, &task, never).await.unwrap();
    assert_eq!(managed.report.repairs.len(), 1);
    assert_eq!(valid(&managed)[0]["content"], "[Result of a call that is not in the history]\nx");
    let strict = HistoryInput { is_strict: true, ..request(&orphan) };
    let error = tuckaway.manage_history(&strict, None, &task, never).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidInput);
    assert!(error.message.contains("no earlier call awaits it"), "{error}");
}

#[tokio::test]
async fn images_of_removed_messages_can_be_read() {
    let store = MemoryStore::new();
    let image = r#"{"role": "user", "content": [{"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}]}"#;
    let all: Vec<String> = [image.to_owned(), r#"{"role": "assistant", "content": "A picture."}"#.to_owned()]
        .into_iter()
        .chain(messages(40, 1_000))
        .collect();
    let answer = |_| async { Ok::<_, String>("<summary>A picture was shown.</summary>".to_owned()) };
    let task = task(60_000, true);
    let managed = tuckaway(&store).manage_history(&request(&all), None, &task, answer).await.unwrap();
    assert!(!managed.json.as_deref().unwrap().contains("iVBORw0KGgo="));
    let [id] = &managed.report.originals[..] else { panic!("{:?}", managed.report.originals) };
    let stored = store.read(id, 0, u32::MAX).await.unwrap();
    let line: Value = serde_json::from_slice(&stored).unwrap();
    assert_eq!(line["original"], serde_json::from_str::<Value>(image).unwrap());

    let full = MemoryStore::new().with_limits(Limits::none().with_quota(2_000));
    let answer = |_| async { Ok::<_, String>("<summary>A picture was shown.</summary>".to_owned()) };
    let managed = tuckaway(&full).manage_history(&request(&all), None, &task, answer).await.unwrap();
    assert!(managed.json.as_deref().unwrap().contains("iVBORw0KGgo="));
}

#[tokio::test]
async fn the_providers_compaction_answers_the_request() {
    let old = messages(10, 3_000);
    let block = json!({"type": "compaction", "content": "All rows are fine.", "signature": "EuYB"});
    let compaction = json!([{"role": "assistant", "content": [block]}]);
    let input = request(&old);
    let store = MemoryStore::new();
    let compact = |_: SummaryRequest, items: Option<String>| {
        let items: Vec<Value> = serde_json::from_str(&items.expect("it covers items")).unwrap();
        let given: Vec<Value> = old.iter().map(|message| serde_json::from_str(message).unwrap()).collect();
        assert_eq!(items, given[..items.len()]);
        let answer = SummaryAnswer::Compacted(compaction.to_string());
        async move { answer }
    };
    let managed =
        tuckaway(&store).manage_history_with(&input, None, &task(60_000, true), compact).await.unwrap();
    let new = valid(&managed);
    assert_eq!(new[0], compaction[0]);
    assert_eq!((managed.report.requests, managed.report.summary_errors.len()), (1, 0));

    // One that cannot be used is not asked for again.
    let asked = AtomicU32::new(0);
    let answer = |_: SummaryRequest, items: Option<String>| {
        let is_first = asked.fetch_add(1, Ordering::Relaxed) == 0;
        assert_eq!(items.is_some(), is_first);
        async move {
            match is_first {
                true => SummaryAnswer::Compacted("[]".to_owned()),
                false => SummaryAnswer::Text("<summary>All of it is fine.</summary>".to_owned()),
            }
        }
    };
    let managed =
        tuckaway(&store).manage_history_with(&input, None, &task(60_000, true), answer).await.unwrap();
    assert!(valid(&managed)[1].to_string().contains("All of it is fine."));
    assert!(managed.report.summary_errors[0].starts_with("The provider's compaction was not used"));
}
