//! The provider's own compaction as the answer to a request for a summary.

use std::cell::RefCell;

use serde_json::{Value, json};
use tuckaway_contract::{
    HistoryFormat, HistoryInput, HistoryItem, HistoryStep, ManageTask, ManagedHistory, Removal,
    SummaryAnswer, Task,
};
use tuckaway_conversation::{Host, Stored};

use crate::rules::violations;
use crate::{start, step};

/// A host that counts four bytes as a token, and stores in memory unless it is full.
#[derive(Default)]
struct Memory {
    stored: RefCell<Vec<Vec<u8>>>,
    is_full: bool,
}

impl Host for Memory {
    fn count(&self, text: &str) -> Option<u64> {
        Some(text.len().div_ceil(4) as u64)
    }

    fn keep(&self, _: &str, _: Option<&str>, bytes: &[u8]) -> Result<String, String> {
        if self.is_full {
            return Err("The store is full.".to_owned());
        }
        self.stored.borrow_mut().push(bytes.to_vec());
        Ok(format!("art_t_{}", self.stored.borrow().len()))
    }

    fn about(&self, id: &str) -> Option<Stored> {
        let is_stored = id.strip_prefix("art_t_")?.parse::<usize>().ok()? <= self.stored.borrow().len();
        is_stored.then(|| Stored { tool: "t".to_owned(), media_type: "text/plain".to_owned(), size_bytes: 1 })
    }
}

const FORMATS: [HistoryFormat; 2] = [HistoryFormat::OpenaiResponses, HistoryFormat::Anthropic];

fn task() -> Task {
    Task::Manage(ManageTask { context_window: 3_000, ..ManageTask::default() })
}

/// Returns a turn: the user's words, a call with a result of about 700 tokens, and the answer.
fn turn(format: HistoryFormat, number: usize) -> Vec<Value> {
    let (ask, id, long) = (format!("Request {number}."), format!("c{number}"), "It rains. ".repeat(280));
    match format {
        HistoryFormat::OpenaiResponses => vec![
            json!({"role": "user", "content": ask}),
            json!({"type": "function_call", "call_id": id, "name": "look", "arguments": "{}"}),
            json!({"type": "function_call_output", "call_id": id, "output": long}),
            json!({"role": "assistant", "content": "Seen."}),
        ],
        _ => vec![
            json!({"role": "user", "content": ask}),
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "look", "input": {}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": long}]}),
            json!({"role": "assistant", "content": "Seen."}),
        ],
    }
}

fn turns(format: HistoryFormat, numbers: std::ops::Range<usize>) -> Vec<Value> {
    numbers.flat_map(|number| turn(format, number)).collect()
}

/// Returns a provider's answer for items: OpenAI keeps the user's messages, and Anthropic returns
/// one signed block.
fn compacted(format: HistoryFormat, items: &[Value], number: usize) -> Vec<Value> {
    match format {
        HistoryFormat::OpenaiResponses => {
            let of_user = items.iter().filter(|item| item["role"] == "user").cloned();
            let own =
                json!({"type": "compaction", "id": format!("cmp_{number}"), "encrypted_content": "gAAA"});
            of_user.chain([own]).collect()
        }
        _ => {
            let block =
                json!({"type": "compaction", "content": format!("Summary {number}."), "signature": "EuYB"});
            vec![json!({"role": "assistant", "content": [block]})]
        }
    }
}

fn input(format: HistoryFormat, items: &[Value]) -> HistoryInput {
    HistoryInput {
        json: Value::from(items.to_vec()).to_string(),
        format: Some(format),
        ..HistoryInput::default()
    }
}

fn items_of(pieces: &[HistoryItem], given: &[Value]) -> Vec<Value> {
    let items = pieces.iter().flat_map(|piece| match piece {
        HistoryItem::Keep(span) => given[span.start as usize..span.end as usize].to_vec(),
        HistoryItem::Insert(json) => vec![serde_json::from_str(json).unwrap()],
    });
    items.collect()
}

fn answer(items: &[Value]) -> SummaryAnswer {
    SummaryAnswer::Compacted(Value::from(items.to_vec()).to_string())
}

fn count_compactions(items: &[Value]) -> usize {
    let text = Value::from(items.to_vec()).to_string();
    text.matches(r#""type":"compaction""#).count()
}

/// Manages items, answered by `compact`, which gets the compactable items. Returns the step after it.
fn compact_with(
    input: &HistoryInput,
    memory: Option<&str>,
    host: &Memory,
    compact: impl Fn(&[Value]) -> Vec<Value>,
) -> HistoryStep {
    let given: Vec<Value> = serde_json::from_str(&input.json).unwrap();
    let first = start(input.clone(), memory, task(), host).unwrap();
    let covered = items_of(&first.compactable, &given);
    assert!(!covered.is_empty() && first.request.is_some());
    step(input.clone(), task(), &first.state, answer(&compact(&covered)), host).unwrap()
}

fn finished(step: HistoryStep) -> ManagedHistory {
    assert!(step.request.is_none() && step.state.is_empty() && step.compactable.is_empty());
    step.history
}

#[test]
fn the_compaction_replaces_what_the_request_covers() {
    for format in FORMATS {
        let (host, given) = (Memory::default(), turns(format, 0..5));
        let step = compact_with(&input(format, &given), None, &host, |covered| compacted(format, covered, 1));
        let managed = finished(step);
        let new = items_of(&managed.items, &given);
        assert_eq!(violations(format, &new), Vec::<String>::new());
        let (report, first) =
            (&managed.report, new.iter().position(|item| count_compactions(std::slice::from_ref(item)) == 1));
        let kept_words = usize::from(format == HistoryFormat::OpenaiResponses) * first.unwrap();
        assert_eq!(first, Some(kept_words), "only what the provider returned is before its compaction");
        // The message after it names the artifacts with the removed messages and others that can
        // still be read.
        let carried = new[first.unwrap() + 1]["content"].as_str().unwrap();
        assert!(carried.contains("stored as ref=art_t_"), "{carried}");
        assert_eq!(carried.contains("> Request 0."), format == HistoryFormat::Anthropic, "{carried}");
        assert_eq!(new.last(), given.last());
        let receipt = report.receipts.iter().find(|receipt| receipt.removal == Removal::Summarized).unwrap();
        assert!(receipt.tokens_after < receipt.tokens_before && receipt.messages.start == 0);
        assert!(report.is_changed && report.after.total < report.before.total && report.requests == 1);
        assert_eq!(report.summary_errors, [] as [&str; 0]);
        // The next call counts the same, and has nothing to do.
        let next = start(input(format, &new), Some(&managed.memory), task(), &host).unwrap();
        assert_eq!(next.history.report.before.total, report.after.total, "{format:?}");
        assert!(!next.history.report.is_changed);
    }
}

#[test]
fn a_second_compaction_replaces_the_first() {
    for format in FORMATS {
        let (host, given) = (Memory::default(), turns(format, 0..5));
        let step = compact_with(&input(format, &given), None, &host, |covered| compacted(format, covered, 1));
        let first = finished(step);
        let mut grown = items_of(&first.items, &given);
        grown.extend(turns(format, 5..10));
        let step = compact_with(&input(format, &grown), Some(&first.memory), &host, |covered| {
            assert_eq!(count_compactions(covered), 1, "the provider reads its first compaction");
            compacted(format, covered, 2)
        });
        let second = finished(step);
        let new = items_of(&second.items, &grown);
        assert_eq!(violations(format, &new), Vec::<String>::new());
        assert_eq!(count_compactions(&new), 1);
        // The message that the first plan inserted is not kept in addition to that of the second.
        let text = Value::from(new).to_string();
        assert_eq!(text.matches("stored as ref=").count(), 1, "{text}");
        assert_eq!(text.matches("Request 0.").count(), 1, "{text}");
        // The first compaction is stored before it is removed.
        let original = second.report.originals.last().unwrap();
        let index: usize = original.strip_prefix("art_t_").unwrap().parse().unwrap();
        let stored = String::from_utf8(host.stored.borrow()[index - 1].clone()).unwrap();
        assert!(stored.contains(r#""type":"compaction""#), "{stored}");
    }
}

#[test]
fn pinned_items_and_the_developers_messages_follow_the_compaction() {
    for format in FORMATS {
        let (host, mut given) = (Memory::default(), turns(format, 0..5));
        if format == HistoryFormat::OpenaiResponses {
            given.insert(0, json!({"role": "developer", "content": "Be brief."}));
        }
        let lead = given.len() % 4;
        let pinned = vec![lead as u32];
        let step = compact_with(&HistoryInput { pinned, ..input(format, &given) }, None, &host, |covered| {
            assert_eq!(covered[0]["content"], "Request 0.");
            compacted(format, covered, 1)
        });
        let managed = finished(step);
        let new = items_of(&managed.items, &given);
        assert_eq!(violations(format, &new), Vec::<String>::new());
        assert_eq!(new[..lead], given[..lead]);
        let compaction =
            new.iter().position(|item| count_compactions(std::slice::from_ref(item)) == 1).unwrap();
        assert_eq!(new[compaction + 1], given[lead], "{format:?}");
        let kept = HistoryItem::Keep(tuckaway_contract::Span { start: lead as u32, end: lead as u32 + 1 });
        assert!(managed.items.contains(&kept), "{:?}", managed.items);
        // It is not there twice, although OpenAI returned it.
        assert_eq!(new.iter().filter(|item| item["content"] == "Request 0.").count(), 1);
    }
}

#[test]
fn items_that_an_older_compaction_hides_are_not_sent() {
    let format = HistoryFormat::OpenaiResponses;
    let mut given = turns(format, 0..1);
    given.push(json!({"type": "compaction", "id": "cmp_0", "encrypted_content": "gAAA"}));
    given.extend(turns(format, 1..6));
    let host = Memory::default();
    let step = compact_with(&input(format, &given), None, &host, |covered| {
        assert_eq!(covered[0]["id"], "cmp_0");
        compacted(format, covered, 1)
    });
    let new = items_of(&finished(step).items, &given);
    assert_eq!(count_compactions(&new), 1);
    assert!(!Value::from(new).to_string().contains("Request 0."));
}

#[test]
fn an_unusable_compaction_repeats_the_request() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let call = r#"{"type":"function_call","call_id":"x","name":"f","arguments":"{}"}"#;
    let compaction = r#"{"type":"compaction","encrypted_content":"g"}"#;
    let large = format!(r#"[{{"type":"compaction","encrypted_content":"{}"}}]"#, "g".repeat(40_000));
    let many = format!("[{}{compaction}]", format!("{compaction},").repeat(1_000));
    let hostile = [
        "",
        "{",
        "null",
        "[]",
        "[1]",
        "[{}]",
        &deep,
        &large,
        &many,
        compaction,
        r#"[{"role":"user","content":"Only words."}]"#,
        r#"{"items":[],"items":[3]}"#,
        &format!("[{compaction},{call}]"),
        &format!(r#"[{{"type":"function_call_output","call_id":"x","output":"y"}},{compaction}]"#),
    ];
    for json in hostile {
        let format = HistoryFormat::OpenaiResponses;
        let (host, given) = (Memory::default(), input(format, &turns(format, 0..5)));
        let first = start(given.clone(), None, task(), &host).unwrap();
        let stored = host.stored.borrow().len();
        let answer = SummaryAnswer::Compacted(json.to_owned());
        let again = step(given.clone(), task(), &first.state, answer, &host).unwrap();
        let shown: String = json.chars().take(80).collect();
        assert_eq!(again.request, first.request, "{shown}");
        assert!(again.compactable.is_empty(), "{shown}");
        let why = &again.history.report.summary_errors[0];
        assert!(why.starts_with("The provider's compaction was not used: "), "{shown}: {why}");
        assert_eq!(host.stored.borrow().len(), stored, "{shown}");
        // It is not requested again, and an unrequested one counts as a failure.
        let answer = SummaryAnswer::Compacted(format!("[{compaction}]"));
        let last = finished(step(given, task(), &again.state, answer, &host).unwrap());
        assert_eq!((last.report.requests, last.report.summary_errors.len()), (2, 2));
        assert!(last.report.refusal.is_some());
    }
}

#[test]
fn a_failed_block_of_anthropic_is_no_compaction() {
    let format = HistoryFormat::Anthropic;
    let (host, given) = (Memory::default(), input(format, &turns(format, 0..5)));
    let again = compact_with(&given, None, &host, |_| {
        vec![json!({"role": "assistant", "content": [{"type": "compaction", "content": null}]})]
    });
    assert!(again.request.is_some());
    assert_eq!(
        again.history.report.summary_errors,
        ["The provider's compaction was not used: no item is a compaction."]
    );
}

#[test]
fn what_cannot_be_stored_is_not_replaced() {
    for format in FORMATS {
        let (host, given) = (Memory { is_full: true, ..Memory::default() }, turns(format, 0..5));
        let step = compact_with(&input(format, &given), None, &host, |covered| compacted(format, covered, 1));
        let managed = finished(step);
        assert_eq!(items_of(&managed.items, &given), given);
        assert!(!managed.report.is_changed && !managed.report.alarms.is_empty());
    }
}

#[test]
fn other_providers_have_nothing_to_compact() {
    let turn = |number: usize| {
        let long = "It rains. ".repeat(300);
        [
            json!({"role": "user", "content": format!("Request {number}.")}),
            json!({"role": "assistant", "content": long}),
        ]
    };
    let given: Vec<Value> = (0..6).flat_map(turn).collect();
    let given = input(HistoryFormat::OpenaiChat, &given);
    let host = Memory::default();
    let first = start(given.clone(), None, task(), &host).unwrap();
    assert!(first.request.is_some() && first.compactable.is_empty());
    let items = [json!({"type": "compaction", "encrypted_content": "g"})];
    let last = finished(step(given, task(), &first.state, answer(&items), &host).unwrap());
    assert_eq!(
        last.report.summary_errors,
        ["The request has nothing to compact; answer it with the text of a summary."]
    );
}

#[test]
fn the_rules_know_where_a_signed_compaction_belongs() {
    let format = HistoryFormat::Anthropic;
    let block = compacted(format, &[], 1);
    let ask = [json!({"role": "user", "content": "Go on."})];
    assert_eq!(violations(format, &[&block[..], &ask].concat()), Vec::<String>::new());
    for misplaced in [[&ask[..], &block].concat(), [&block[..], &block, &ask].concat()] {
        let found = violations(format, &misplaced);
        assert!(found.iter().any(|why| why.contains("a signed compaction")), "{found:?}");
    }
}
