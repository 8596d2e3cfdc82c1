//! Hostile and malformed conversations and answers.

use tuckaway_contract::{
    CacheConfig, CompactionConfig, Conversation, Entry, ManageTask, Message, Part, PlanState, Preset, Role,
    Step, Task, ToolCall, ToolResult,
};
use tuckaway_conversation::*;

use crate::common::{Memory, message, user};

fn call(id: usize) -> Part {
    Part::ToolCall(ToolCall {
        id: id.to_string(),
        name: "read".to_owned(),
        arguments: "{}".to_owned(),
        pinned: false,
    })
}

fn result(id: usize) -> Message {
    let result =
        ToolResult { call_id: id.to_string(), text: "x".to_owned(), is_error: false, artifact: None };
    message(Role::Tool, vec![Part::ToolResult(result)])
}

fn said(text: &str) -> Message {
    message(Role::Assistant, vec![Part::Text(text.to_owned())])
}

fn compacted(messages: &[Message], answers: &[&str], config: &CompactionConfig) -> Step {
    let conversation = Conversation { messages: messages.to_vec(), tools: Vec::new(), usage: None };
    let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
    let task = Task::Compact(config.clone());
    plan(&conversation, &task, &answers, &PlanState::default(), &Memory::default()).unwrap()
}

fn inserted(step: &Step) -> Vec<&str> {
    let texts = step.plan.history.iter().filter_map(|entry| match entry {
        Entry::Insert(message) => Some(message.text.as_str()),
        Entry::Keep(_) => None,
    });
    texts.collect()
}

fn config(context_limit: u64) -> CompactionConfig {
    CompactionConfig { context_limit: Some(context_limit), ..CompactionConfig::default() }
}

#[test]
fn many_calls_at_once_are_paired() {
    const CALLS: usize = 50_000;
    let mut messages = vec![user("Read all."), message(Role::Assistant, (0..CALLS).map(call).collect())];
    messages.extend((0..CALLS).map(result));
    let conversation = Conversation { messages, tools: Vec::new(), usage: None };
    let host = Memory::default();
    let step = plan(&conversation, &Task::Account, &[], &PlanState::default(), &host).unwrap();
    assert!(step.plan.before.tool_outputs >= CALLS as u64);
}

#[test]
fn an_answer_of_tags_is_read() {
    let messages = [user("Go."), said(&"word ".repeat(2_000)), user("On.")];
    let answer = "<summary>x".repeat(200_000);
    let step = compacted(&messages, &[&answer], &config(100_000));
    // It is larger than the messages it would replace.
    assert!(step.refusal.is_some());
}

#[test]
fn a_step_without_a_usable_summary_ends_the_requests() {
    // The next summary would lack the earlier messages.
    let mut messages: Vec<Message> = Vec::new();
    for turn in 0..20 {
        messages.extend([user(format!("Part {turn}.")), said(&"word ".repeat(300))]);
    }
    messages.push(user("Now?"));
    let config = config(3_000);
    let first = compacted(&messages, &[], &config).request.unwrap();
    assert!(first.remaining > 1);
    let second = compacted(&messages, &["<summary>ALPHA</summary>"], &config).request.unwrap();
    assert!(second.messages[0].text.contains("ALPHA"));
    for unusable in ["", "I cannot do that."] {
        let step = compacted(&messages, &["<summary>ALPHA</summary>", unusable], &config);
        assert!(step.request.is_none());
        assert!(step.refusal.is_some());
        assert_eq!(inserted(&step).len(), 1);
    }
}

#[test]
fn the_newest_words_of_an_earlier_plan_go_on() {
    let messages = [user("First wish."), user("Second wish."), said(&"word ".repeat(500)), user("On.")];
    let roomy = config(100_000);
    let step = compacted(&messages, &["<summary>He wrote:\n> not the user</summary>"], &roomy);
    let [carried, summary] = inserted(&step)[..] else { panic!("{step:?}") };
    assert!(carried.contains("> First wish.\n\n> Second wish."));
    let again = |max_user_bytes| {
        let was = |text: &str| Message { inserted: true, ..user(text) };
        let messages = [was(carried), was(summary), said(&"word ".repeat(500)), user("More.")];
        let config = CompactionConfig { max_user_bytes, ..config(100_000) };
        let step = compacted(&messages, &["<summary>All.</summary>"], &config);
        inserted(&step)[0].to_owned()
    };
    assert!(again(8_192).contains("own words:\n> First wish.\n\n> Second wish."));
    assert!(!again(8_192).contains("not the user"));
    let newest = again(20);
    assert!(newest.contains("(1 earlier message omitted):\n> Second wish."), "{newest}");
}

#[test]
fn words_beside_results_are_the_users_too() {
    let mut answered = result(1);
    answered.role = Role::User;
    answered.parts.push(Part::Text("And never touch main.".to_owned()));
    let messages = [
        user("Read."),
        message(Role::Assistant, vec![call(1)]),
        answered,
        said(&"word ".repeat(500)),
        user("On."),
    ];
    let step = compacted(&messages, &["<summary>All.</summary>"], &config(100_000));
    assert!(inserted(&step)[0].contains("> And never touch main."));
}

#[test]
fn large_histories_are_planned() {
    const MANY: usize = 100_000;
    let results = |count: usize| {
        let mut results = message(Role::User, (0..count).flat_map(|id| result(id).parts).collect());
        for part in &mut results.parts {
            let Part::ToolResult(result) = part else { continue };
            result.text = "word ".repeat(40);
        }
        results
    };
    let calls = |count: usize| message(Role::Assistant, (0..count).map(call).collect());
    let turns = (0..MANY / 2).flat_map(|turn| [user(format!("Question {turn}.")), said(&"word ".repeat(20))]);
    let histories = [
        vec![user("Read all."), calls(MANY), results(MANY), said("Done."), user("On.")],
        turns.collect(),
        vec![
            user("Read."),
            message(Role::Assistant, vec![call(1)]),
            result(1),
            said(&"x".repeat(50 << 20)),
            user("On."),
        ],
        (0..MANY).map(|_| message(Role::Assistant, vec![Part::Opaque(u64::MAX)])).collect(),
    ];
    let budget = budget::preset(Preset::General, Some(200_000)).unwrap();
    let task = Task::Manage(ManageTask {
        context_window: 200_000,
        cache: CacheConfig::default(),
        budget: Some(budget),
        compaction: CompactionConfig::default(),
        refusal: None,
        pairs: None,
    });
    for messages in histories {
        let conversation = Conversation { messages, tools: Vec::new(), usage: None };
        let host = Forgetful;
        let step = plan(&conversation, &task, &[], &PlanState::default(), &host).unwrap();
        assert!(step.plan.after.total <= step.plan.before.total);
    }
}

/// Stores nothing, but reports success.
struct Forgetful;

impl Host for Forgetful {
    fn count(&self, text: &str) -> Option<u64> {
        Some(text.len().div_ceil(4) as u64)
    }

    fn keep(&self, _: &str, _: Option<&str>, _: &[u8]) -> Result<String, String> {
        Ok("kept".to_owned())
    }

    fn about(&self, _: &str) -> Option<Stored> {
        None
    }
}
