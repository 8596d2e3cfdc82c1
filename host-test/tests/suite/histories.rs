//! Plans of the engine for histories of every provider: what comes out is accepted by the
//! provider, nothing is lost, and the plan for it is empty.

#[path = "../../../crates/histories/src/tests/generated.rs"]
mod generated;

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    Alarm, AlarmKind, CacheConfig, CompactionConfig, Engine, HistoryFormat, HistoryInput, HistoryItem,
    ManageTask, ManagedHistory, Preset, Removal, SummaryAnswer, Task, is_artifact_id,
};
use tuckaway_histories::rules::violations;
use tuckaway_host_test::World;

/// More steps than any plan here needs.
const MAX_STEPS: usize = 200;

/// What the model that writes summaries answers.
const ANSWERS: [Result<&str, &str>; 6] = [
    Ok("<summary>All is well.</summary>"),
    Ok("<retain>call_0 matters</retain> and <summary>a summary without an end, \"</summary"),
    Ok(""),
    Ok("no tags at all"),
    Ok("<summary>résumé: tout va bien</summary></summary><retain></retain>"),
    Err("the model is overloaded"),
];

fn task() -> impl Strategy<Value = Task> {
    let cache = (any::<bool>(), prop::option::of(100..3_000_u64), 0..4_u32).prop_map(
        |(enabled, context_budget_tokens, keep_last)| CacheConfig {
            enabled,
            context_budget_tokens,
            keep_last,
            ..CacheConfig::default()
        },
    );
    let preset =
        prop::option::of(prop::sample::select(vec![Preset::General, Preset::Voice, Preset::Automation]));
    let compaction = (any::<bool>(), 1..3_u32).prop_map(|(auto, retain_last_turns)| CompactionConfig {
        auto,
        retain_last_turns,
        ..CompactionConfig::default()
    });
    (800..12_000_u64, cache, preset, compaction).prop_map(|(context_window, cache, preset, compaction)| {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let budget = preset
            .map(|preset| Engine::new(&world, &world).budget_preset(preset, Some(context_window)).unwrap());
        Task::Manage(ManageTask { context_window, cache, budget, compaction, refusal: None })
    })
}

/// Manages a history to the end.
fn manage(
    world: &World,
    input: &HistoryInput,
    memory: Option<&str>,
    task: &Task,
    answer: Result<&str, &str>,
) -> ManagedHistory {
    let engine = Engine::new(world, world);
    let mut step = engine
        .start_history(input.clone(), memory, task.clone())
        .unwrap_or_else(|error| panic!("{error}: {}", input.json));
    for _ in 0..MAX_STEPS {
        if step.request.is_none() {
            assert!(step.state.is_empty());
            return step.history;
        }
        let answer = match answer {
            Ok(text) => SummaryAnswer::Text(text.to_owned()),
            Err(why) => SummaryAnswer::Failed(why.to_owned()),
        };
        step = engine.step_history(input.clone(), task.clone(), &step.state, answer).unwrap();
    }
    panic!("the plan does not come to an end");
}

fn given(format: HistoryFormat, items: &[Value]) -> HistoryInput {
    HistoryInput {
        json: Value::from(items.to_vec()).to_string(),
        format: Some(format),
        with_json: true,
        ..HistoryInput::default()
    }
}

/// Returns the items of the new history, and checks that the ranges and the JSON say the same.
fn items_of(managed: &ManagedHistory, given: &[Value]) -> Vec<Value> {
    let mut items = Vec::new();
    for item in &managed.items {
        match item {
            HistoryItem::Keep(span) => {
                items.extend_from_slice(&given[span.start as usize..span.end as usize])
            }
            HistoryItem::Insert(json) => items.push(serde_json::from_str(json).unwrap()),
        }
    }
    let written: Vec<Value> = serde_json::from_str(managed.json.as_deref().unwrap()).unwrap();
    assert_eq!(items, written);
    items
}

proptest! {
    #[test]
    fn providers_accept_what_a_plan_leaves(
        turns in generated::turns(),
        format in prop::sample::select(&generated::FORMATS[..]),
        task in task(),
        answer in prop::sample::select(&ANSWERS[..]),
    ) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let (old, _) = generated::items(format, &turns);
        prop_assert_eq!(violations(format, &old), Vec::<String>::new());
        let managed = manage(&world, &given(format, &old), None, &task, answer);
        let new = items_of(&managed, &old);
        prop_assert_eq!(violations(format, &new), Vec::<String>::new());
        prop_assert!(managed.report.after.total <= managed.report.before.total);
        // What is removed is in an artifact.
        for receipt in managed.report.receipts.iter().filter(|receipt| receipt.removal != Removal::Pruned) {
            let artifact = receipt.artifact.as_deref().expect("what goes is stored");
            prop_assert!(is_artifact_id(artifact) && world.stored(artifact).is_ok());
        }
        // The newest item stays. It may lose an id that belonged to reasoning before it.
        let newest = |items: &[Value]| {
            let mut item = items.last().unwrap().clone();
            item["id"].take();
            item
        };
        let is_trimmed = newest(&new).to_string().contains("art_");
        prop_assert!(is_trimmed || newest(&new) == newest(&old), "{:#}", newest(&new));
        // The plan for the new history is empty, unless this one could not do enough.
        let is_short = |alarm: &Alarm| matches!(alarm.kind, AlarmKind::Headroom | AlarmKind::OverCap);
        if !managed.report.alarms.iter().any(is_short) {
            let again = manage(&world, &given(format, &new), Some(&managed.memory), &task, answer);
            prop_assert!(!again.report.is_changed, "{:#?}", again.report);
            prop_assert_eq!(again.json, managed.json);
        }
    }

    /// Whatever calls and results a history loses, its provider accepts it after a repair.
    #[test]
    fn providers_accept_what_a_repair_leaves(
        turns in generated::turns(),
        format in prop::sample::select(&generated::FORMATS[..]),
        lost in prop::collection::vec(prop::bool::weighted(0.2), 200),
    ) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let (mut items, _) = generated::items(format, &generated::without_programs(turns));
        let mut lost = lost.into_iter();
        // The user's own items stay, so that the turns are what they were, and so do those of Responses
        // that are neither calls nor results.
        let stays = |item: &Value| {
            is_said_by_user(item) || item["type"] == "reasoning" || item["type"] == "message"
        };
        items.retain(|item| stays(item) || !lost.next().unwrap_or_default());
        let last = json!({"role": "user", "content": "And now?"});
        if format != HistoryFormat::Bedrock && format != HistoryFormat::AiSdkUi {
            items.extend(match format {
                HistoryFormat::Gemini => Some(json!({"role": "user", "parts": [{"text": "And now?"}]})),
                HistoryFormat::Langchain => Some(json!({"type": "human", "data": {"content": "And now?"}})),
                _ => Some(last),
            });
            let task = Task::Account;
            let managed = manage(&world, &given(format, &items), None, &task, Ok(""));
            let new = items_of(&managed, &items);
            prop_assert_eq!(violations(format, &new), Vec::<String>::new());
            prop_assert_eq!(managed.report.repairs.is_empty(), violations(format, &items).is_empty());
            let again = manage(&world, &given(format, &new), Some(&managed.memory), &task, Ok(""));
            prop_assert!(!again.report.is_changed, "{:#?}", again.report.repairs);
        }
    }
}

/// Returns whether an item is a message of the user without results.
fn is_said_by_user(item: &Value) -> bool {
    let text = item.to_string();
    (item["role"] == "user" || item["type"] == "human")
        && !["tool_result", "functionResponse", "toolResult"].iter().any(|name| text.contains(name))
}

/// How many files of random cases are written, and how many cases each has.
const RANDOM: (usize, usize) = (10, 100);

/// Writes random cases to the directory in `TUCKAWAY_CASES_FROM`, without expectations: the native run
/// blesses them, and every other home must meet them. CONTRIBUTING.md has the commands.
#[test]
#[ignore = "writes files"]
fn random_cases_are_written() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, TestRunner};

    let directory = std::env::var(tuckaway_host_test::corpus::FROM).expect("the directory is named");
    let answers = prop::collection::vec(prop::sample::select(&ANSWERS[..]), 0..3);
    let format = prop::sample::select(&generated::FORMATS[..]);
    let cases = (generated::turns(), format, task(), answers);
    let mut runner = TestRunner::new(Config::default());
    let random = |number| {
        let (turns, format, task, answers) = cases.new_tree(&mut runner).unwrap().current();
        let answers: Vec<Value> = answers
            .into_iter()
            .map(|answer| answer.map_or_else(|why| json!({"failed": why}), Value::from))
            .collect();
        json!({
            "name": format!("{number}"),
            "input": {
                "history": generated::items(format, &turns).0, "format": format, "task": task,
                "answers": answers, "with_json": true,
            },
            "expect": {},
        })
    };
    let (files, in_each) = RANDOM;
    let cases: Vec<Value> = (0..files * in_each).map(random).collect();
    for (number, cases) in cases.chunks(in_each).enumerate() {
        let file = json!({"call": "manage_history", "cases": cases});
        std::fs::write(format!("{directory}/{number}.json"), file.to_string()).expect("writing the cases");
    }
}

/// A history is managed natively and in the sandbox alike, with what is stored, also if the store
/// fails.
#[cfg(feature = "sandbox")]
#[test]
fn native_and_sandboxed_histories_are_the_same() {
    use std::sync::Arc;

    use tuckaway_host_test::histories::{Histories, Run};
    use tuckaway_host_test::{Call, Native, Sandboxed, Subject};

    let sandboxed = Sandboxed::default();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let fails = prop::option::weighted(0.3, 1..4_u64);
    let answers = prop::collection::vec(prop::sample::select(&ANSWERS[..]), 0..3);
    let format = prop::sample::select(&generated::FORMATS[..]);
    proptest!(config, |(turns in generated::turns(), format in format, task in task(), answers in answers, fails in fails)| {
        let store = fails.map_or(Value::Null, |at| json!({"fail": {"append": {"error": "quota_exceeded", "at": at}}}));
        let (items, _) = generated::items(format, &turns);
        let answers = answers.into_iter().map(|answer| match answer {
            Ok(text) => SummaryAnswer::Text(text.to_owned()),
            Err(why) => SummaryAnswer::Failed(why.to_owned()),
        });
        let run = Run { input: given(format, &items), memory: None, task, answers: answers.collect() };
        let call = Call::Histories(Box::new(Histories::Manage(Box::new(run))));
        let worlds = [(); 2].map(|()| Arc::new(World::new(&store, &Value::Null).unwrap()));
        let native = Native.enter(Arc::clone(&worlds[0])).call(&call);
        prop_assert_eq!(native, sandboxed.enter(Arc::clone(&worlds[1])).call(&call));
        prop_assert_eq!(worlds[0].after(), worlds[1].after());
    });
}
