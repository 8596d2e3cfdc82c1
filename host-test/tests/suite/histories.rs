//! Plans of the engine for histories of every provider: the provider accepts the new history,
//! nothing is lost, and the plan for the new history is empty.

#[path = "../../../crates/histories/src/tests/generated.rs"]
mod generated;
mod tasks;

use std::collections::HashSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    Alarm, AlarmKind, CacheConfig, Engine, HistoryFormat, HistoryInput, HistoryItem, ManagedHistory, Removal,
    SummaryAnswer, Task, TrimTask, is_artifact_id,
};
use tuckaway_histories::rules::{thinking_violations, violations};
use tuckaway_host_test::World;

use tasks::{after, answered, task};

/// More steps than any plan here needs.
const MAX_STEPS: usize = 200;

/// Answers of the model that writes summaries.
const ANSWERS: [Result<&str, &str>; 6] = [
    Ok("<summary>All is well.</summary>"),
    Ok("<retain>call_0 matters</retain> and <summary>a summary without an end, \"</summary"),
    Ok(""),
    Ok("no tags at all"),
    Ok("<summary>résumé: tout va bien</summary></summary><retain></retain>"),
    Err("the model is overloaded"),
];

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

/// Returns the items of pieces of a history.
fn pieces_of(pieces: &[HistoryItem], given: &[Value]) -> Vec<Value> {
    let items = pieces.iter().flat_map(|piece| match piece {
        HistoryItem::Keep(span) => given[span.start as usize..span.end as usize].to_vec(),
        HistoryItem::Insert(json) => vec![serde_json::from_str(json).unwrap()],
    });
    items.collect()
}

/// Returns a provider's compaction of items.
fn compacted(format: HistoryFormat, items: &[Value]) -> Vec<Value> {
    if format == HistoryFormat::Anthropic {
        let block = json!({"type": "compaction", "content": "All is well.", "signature": "EuYB"});
        return vec![json!({"role": "assistant", "content": [block]})];
    }
    let of_user = items.iter().filter(|item| item["role"] == "user").cloned();
    of_user.chain([json!({"type": "compaction", "encrypted_content": "gAAA"})]).collect()
}

/// Returns the items of the new history, and checks that the ranges and the JSON say the same.
fn items_of(managed: &ManagedHistory, given: &[Value]) -> Vec<Value> {
    let items = pieces_of(&managed.items, given);
    let written: Vec<Value> = serde_json::from_str(managed.json.as_deref().unwrap()).unwrap();
    assert_eq!(items, written);
    items
}

proptest! {
    #[test]
    fn providers_accept_what_their_compaction_leaves(
        turns in generated::turns(),
        format in prop::sample::select(&[HistoryFormat::OpenaiResponses, HistoryFormat::Anthropic][..]),
        task in task(),
        pinned in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let (old, _) = generated::items(format, &generated::without_compactions(turns));
        let pinned = pinned.map(|index| index.index(old.len()) as u32);
        let input = HistoryInput { pinned: pinned.into_iter().collect(), ..given(format, &old) };
        let engine = Engine::new(&world, &world);
        let step = engine.start_history(input.clone(), None, task.clone()).unwrap();
        // Most tasks leave nothing to compact.
        if step.compactable.is_empty() {
            return Ok(());
        }
        let (is_asked, covered) = (step.request.is_some(), pieces_of(&step.compactable, &old));
        let answer = SummaryAnswer::Compacted(Value::from(compacted(format, &covered)).to_string());
        prop_assert!(is_asked);
        prop_assert_eq!(violations(format, &covered), Vec::<String>::new());
        let step = engine.step_history(input, task, &step.state, answer).unwrap();
        let new = items_of(&step.history, &old);
        prop_assert_eq!(violations(format, &new), Vec::<String>::new());
        let report = &step.history.report;
        prop_assert!(report.after.total <= report.before.total, "{:?}", report);
        // A pinned item may lose an id that belonged to reasoning before it.
        let without_id = |item: &Value| {
            let mut item = item.clone();
            item["id"].take();
            item
        };
        if let Some(pinned) = pinned.map(|index| without_id(&old[index as usize])) {
            prop_assert!(new.iter().any(|item| without_id(item) == pinned));
        }
        // It is used, or the request is repeated for a summary.
        let is_used = new.iter().any(|item| item.to_string().contains(r#""type":"compaction""#));
        prop_assert_eq!(is_used, step.request.is_none());
        prop_assert!(is_used || !step.history.report.summary_errors.is_empty());
    }

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
        let task = answered(&given(format, &old), task);
        let managed = manage(&world, &given(format, &old), None, &task, answer);
        let new = items_of(&managed, &old);
        prop_assert_eq!(violations(format, &new), Vec::<String>::new());
        prop_assert_eq!(thinking_violations(format, &old, &new), Vec::<String>::new());
        prop_assert!(managed.report.after.total <= managed.report.before.total);
        // Removed items are in an artifact.
        let is_stored = |removal| !matches!(removal, Removal::Pruned | Removal::Cleared);
        for receipt in managed.report.receipts.iter().filter(|receipt| is_stored(receipt.removal)) {
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
        let is_short = |alarm: &Alarm| {
            matches!(alarm.kind, AlarmKind::Headroom | AlarmKind::OverCap | AlarmKind::CannotFit)
        };
        if !managed.report.alarms.iter().any(is_short) {
            let again = manage(&world, &given(format, &new), Some(&managed.memory), &after(&task), answer);
            prop_assert!(!again.report.is_changed, "{:?}\nFIRST {:?}\n", again.report, managed.report);
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
        let (mut items, _) = generated::items(format, &generated::without_hosted_calls(turns));
        let mut lost = lost.into_iter();
        // The user's own items stay, so that the turns are unchanged, and so do items of Responses
        // that are neither calls nor results.
        let stays = |item: &Value| {
            is_said_by_user(item) || item["type"] == "reasoning" || item["type"] == "message"
        };
        items.retain(|item| stays(item) || !lost.next().unwrap_or_default());
        let last = json!({"role": "user", "content": "And now?"});
        let takes_part =
            !matches!(format, HistoryFormat::Bedrock | HistoryFormat::AiSdkUi | HistoryFormat::Neutral);
        if takes_part {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_whichever_call_the_store_refuses(
        turns in generated::turns(),
        format in prop::sample::select(&generated::FORMATS[..]),
        task in task(),
        answer in prop::sample::select(&ANSWERS[..]),
        method in prop::sample::select(&["create", "append", "seal"][..]),
    ) {
        let (old, _) = generated::items(format, &turns);
        let task = answered(&given(format, &old), task);
        let mut said = HashSet::new();
        old.iter().for_each(|item| add_texts(item, &mut said));
        let images = said.into_iter().filter(|text| text.starts_with(generated::IMAGE_HEAD));
        let contents: Vec<String> = generated::contents(&turns).into_iter().chain(images).collect();
        for at in 1.. {
            let store = json!({"fail": {method: {"error": "quota_exceeded", "at": at}}});
            let world = World::new(&store, &Value::Null).unwrap();
            let managed = manage(&world, &given(format, &old), None, &task, answer);
            let new = items_of(&managed, &old);
            prop_assert_eq!(violations(format, &new), Vec::<String>::new());
            let readable = readable(&new, &world);
            // The line of an image that was trimmed alone follows the text of its result.
            let is_readable = |content: &String| {
                let is_start = |text: &String| {
                    text.strip_prefix(content.as_str()).is_some_and(|rest| rest.starts_with("\n[PNG image"))
                };
                readable.contains(content) || readable.iter().any(is_start)
            };
            for content in &contents {
                prop_assert!(is_readable(content), "{content:?} is lost if call {at} of {method} fails");
            }
            if !managed.report.alarms.iter().any(|alarm| alarm.kind == AlarmKind::NotStored) {
                break;
            }
        }
    }
}

/// A plan that replaces the text and the images of a result leaves nothing of it for the next plan to store.
#[test]
fn a_result_is_trimmed_once_with_its_images() {
    let source = |data: usize| {
        let data = format!("{}{data:08}", generated::IMAGE_HEAD);
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
    };
    let mut items = vec![json!({"role": "user", "content": "Look."})];
    for id in 0..8 {
        let call = json!({"type": "tool_use", "id": id.to_string(), "name": "shot", "input": {"page": id}});
        let text = json!({"type": "text", "text": "A page of a shop. ".repeat(20)});
        let result =
            json!({"type": "tool_result", "tool_use_id": id.to_string(), "content": [text, source(id)]});
        items.push(json!({"role": "assistant", "content": [call]}));
        items.push(json!({"role": "user", "content": [result]}));
    }
    items.push(json!({"role": "assistant", "content": "Done."}));
    let cache = |budget| CacheConfig { context_budget_tokens: Some(budget), ..CacheConfig::default() };
    let task = |budget| Task::Trim(TrimTask { context_window: 100_000, config: cache(budget) });
    let world = World::new(&Value::Null, &Value::Null).unwrap();
    let format = HistoryFormat::Anthropic;
    let managed = manage(&world, &given(format, &items), None, &task(2_000), Ok(""));
    let new = items_of(&managed, &items);
    let text = new[2].to_string();
    assert!(text.contains("tool output trimmed") && text.contains("PNG image"), "{text}");
    // Nothing is left that a smaller budget could trim, but the results that the first plan kept.
    let again = manage(&world, &given(format, &new), Some(&managed.memory), &task(0), Ok(""));
    assert_eq!(items_of(&again, &new)[2], new[2]);
}

/// Returns the texts and the data of images, as base64, that are in items or in sealed artifacts.
fn readable(items: &[Value], world: &World) -> HashSet<String> {
    let mut texts = HashSet::new();
    items.iter().for_each(|item| add_texts(item, &mut texts));
    let after = world.after();
    for id in after["stored"].as_object().into_iter().flat_map(|stored| stored.keys()) {
        let Ok(bytes) = world.stored(id) else { continue };
        texts.insert(BASE64_STANDARD.encode(&bytes));
        let Ok(text) = String::from_utf8(bytes) else { continue };
        text.lines().for_each(|line| add_texts(&Value::from(line), &mut texts));
        add_texts(&Value::from(text), &mut texts);
    }
    texts
}

/// Adds the texts in a value, including texts in JSON texts, and the data of data URLs.
fn add_texts(value: &Value, texts: &mut HashSet<String>) {
    match value {
        Value::String(text) => {
            if let Ok(inner @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
                add_texts(&inner, texts);
            }
            let data = text.split_once(";base64,").map_or(text.as_str(), |(_, data)| data);
            texts.insert(data.to_owned());
        }
        Value::Array(elements) => elements.iter().for_each(|element| add_texts(element, texts)),
        Value::Object(members) => members.values().for_each(|member| add_texts(member, texts)),
        _ => {}
    }
}

/// Returns whether an item is a message of the user without results.
fn is_said_by_user(item: &Value) -> bool {
    let text = item.to_string();
    (item["role"] == "user" || item["type"] == "human")
        && !["tool_result", "functionResponse", "toolResult"].iter().any(|name| text.contains(name))
}

/// In the corpus, a continued session has the memory, the items and the artifacts of the first one:
/// each home runs both, so that any home can continue from the results of any other.
#[test]
fn continued_cases_go_on_with_what_the_earlier_ones_return() {
    let file: Value = serde_json::from_str(include_str!("../../../cases/histories/continued.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4 * HistoryFormat::ALL.len());
    for pair in cases.chunks(2) {
        let (earlier, later) = (&pair[0], &pair[1]);
        let (name, history) = (&later["name"], later["input"]["history"].as_array().unwrap());
        assert_eq!(later["input"]["memory"], earlier["expect"]["memory"], "{name}");
        let pieces = earlier["expect"]["items"].as_array().unwrap().iter();
        let inserted: Vec<Value> = pieces.filter_map(|piece| piece.get("insert")).map(joined).collect();
        assert!(!inserted.is_empty(), "{name}");
        assert!(inserted.iter().all(|item| history.contains(item)), "{name}");
        let stored = earlier["after"]["stored"].as_object().unwrap().keys();
        let given = later["store"]["artifacts"].as_array().unwrap().iter();
        assert!(stored.eq(given.map(|artifact| artifact["id"].as_str().unwrap())), "{name}");
    }
}

/// Returns a value of an expectation whose texts of several lines, which are lists of lines, are texts.
fn joined(value: &Value) -> Value {
    match value {
        Value::Array(elements) => match elements.iter().map(Value::as_str).collect::<Option<Vec<&str>>>() {
            Some(lines) if !lines.is_empty() => Value::from(lines.join("\n")),
            _ => elements.iter().map(joined).collect(),
        },
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), joined(value))).collect(),
        other => other.clone(),
    }
}

/// How many files of random cases are written, unless `TUCKAWAY_RANDOM_FILES` says it.
const RANDOM_FILES: usize = 10;
/// How many cases each file has.
const IN_EACH: usize = 100;

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
    let mut random = |number| {
        let (turns, format, task, answers) = cases.new_tree(&mut runner).unwrap().current();
        let answers: Vec<Value> = answers
            .into_iter()
            .map(|answer| answer.map_or_else(|why| json!({"failed": why}), Value::from))
            .collect();
        let (history, _) = generated::items(format, &turns);
        let task = answered(&given(format, &history), task);
        json!({
            "name": format!("{number}"),
            "input": {
                "history": history, "format": format, "task": task,
                "answers": answers, "with_json": true,
            },
            "expect": {},
        })
    };
    let files = std::env::var("TUCKAWAY_RANDOM_FILES");
    let files = files.map_or(RANDOM_FILES, |files| files.parse().expect("the number of files is a number"));
    for number in 0..files {
        let cases: Vec<Value> = (0..IN_EACH).map(|each| random(number * IN_EACH + each)).collect();
        let file = json!({"call": "manage_history", "cases": cases});
        std::fs::write(format!("{directory}/{number}.json"), file.to_string()).expect("writing the cases");
    }
}

/// A history is managed alike natively and in the sandbox, with the same artifacts, even if the
/// store fails.
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
        let input = given(format, &items);
        let task = answered(&input, task);
        let run = Run { input, memory: None, task, answers: answers.collect() };
        let call = Call::Histories(Box::new(Histories::Manage(Box::new(run))));
        let worlds = [(); 2].map(|()| Arc::new(World::new(&store, &Value::Null).unwrap()));
        let native = Native.enter(Arc::clone(&worlds[0])).call(&call);
        prop_assert_eq!(native, sandboxed.enter(Arc::clone(&worlds[1])).call(&call));
        prop_assert_eq!(worlds[0].after(), worlds[1].after());
    });
}
