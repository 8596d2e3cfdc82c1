//! Plans of the engine for histories of every provider: what comes out is accepted by the
//! provider, nothing is lost, and the plan for it is empty.

#[path = "../../../crates/histories/tests/histories/generated.rs"]
mod generated;

use proptest::prelude::*;
use serde_json::Value;
use tuckaway::{
    Alarm, AlarmKind, CacheConfig, CompactionConfig, Conversation, Engine, Part, Plan, Preset, Task,
    is_artifact_id,
};
use tuckaway_histories::{Format, History, Managing, Memory, Report, rules};
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
        Task::Manage { context_window, cache, budget, compaction }
    })
}

/// Plans a task and applies it. Returns the conversations before each plan, too.
fn manage(
    world: &World,
    history: &History,
    memory: &Memory,
    task: &Task,
    answer: Result<&str, &str>,
) -> (History, Memory, Report, Vec<Conversation>) {
    let engine = Engine::new(world, world);
    let mut managing = Managing::new(history, memory, None).unwrap();
    let mut before = Vec::new();
    for _ in 0..MAX_STEPS {
        before.push(managing.conversation().clone());
        let step = engine.plan(managing.conversation(), task, managing.answers(), managing.state()).unwrap();
        match managing.advance(step).unwrap() {
            Some(_) => managing.answer(answer.map(str::to_owned).map_err(str::to_owned)),
            None => {
                let (history, memory, report) = managing.finish();
                return (history, memory, report, before);
            }
        }
    }
    panic!("the plan does not come to an end");
}

/// Checks that what a plan replaced can be read byte for byte, and that what it removed is
/// in an artifact.
fn check_lossless(world: &World, conversation: &Conversation, plan: &Plan) {
    for replacement in &plan.replacements {
        let part = &conversation.messages[replacement.message as usize].parts[replacement.part as usize];
        let Part::ToolResult(result) = part else { panic!("only results are replaced") };
        let stored = world.stored(&replacement.artifact).unwrap();
        assert_eq!(String::from_utf8(stored).unwrap(), result.text);
        assert!(replacement.text.contains(&replacement.artifact), "{}", replacement.text);
    }
    for receipt in &plan.receipts {
        let artifact = receipt.artifact.as_deref().expect("what goes is stored");
        assert!(is_artifact_id(artifact) && world.stored(artifact).is_ok());
    }
}

proptest! {
    #[test]
    fn providers_accept_what_a_plan_leaves(
        turns in generated::turns(),
        format in prop::sample::select(&Format::ALL[..4]),
        task in task(),
        answer in prop::sample::select(&ANSWERS[..]),
    ) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let (history, _) = generated::history(format, &turns);
        let (new, memory, report, before) = manage(&world, &history, &Memory::default(), &task, answer);
        prop_assert_eq!(rules::violations(&new), Vec::<String>::new());
        for (conversation, plan) in before.iter().zip(&report.plans) {
            check_lossless(&world, conversation, plan);
        }
        prop_assert!(report.plans.iter().all(|plan| plan.is_empty || plan.after.total <= plan.before.total));
        // The newest item stays. It may lose an id that belonged to reasoning before it.
        let newest = |history: &History| {
            let mut item: Value = serde_json::from_str(history.items().last().unwrap()).unwrap();
            item["id"].take();
            item
        };
        let is_trimmed = newest(&new).to_string().contains("art_");
        prop_assert!(is_trimmed || newest(&new) == newest(&history), "{:#}", newest(&new));
        // The plan for the new history is empty, unless this one could not do enough.
        let is_short = |alarm: &Alarm| matches!(alarm.kind, AlarmKind::Headroom | AlarmKind::OverCap);
        if !report.alarms.iter().any(is_short) {
            let (again, _, report, _) = manage(&world, &new, &memory, &task, answer);
            prop_assert!(report.plans.iter().all(|plan| plan.is_empty), "{:#?}", report.plans);
            prop_assert_eq!(again.as_json(), new.as_json());
        }
    }
}

/// A plan is the same natively and in the sandbox, with what it stores, also if the store
/// fails.
#[cfg(feature = "sandbox")]
#[test]
fn native_and_sandboxed_plans_are_the_same() {
    use std::sync::Arc;

    use serde_json::json;
    use tuckaway::PlanState;
    use tuckaway_host_test::{Call, Native, Planning, Sandboxed, Subject, planning};

    let sandboxed = Sandboxed::default();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let fails = prop::option::weighted(0.3, 1..4_u64);
    let answers = prop::collection::vec(prop::sample::select(&ANSWERS[..5]), 0..2);
    proptest!(config, |(turns in generated::turns(), task in task(), answers in answers, fails in fails)| {
        let store = fails.map_or(Value::Null, |at| json!({"fail": {"append": {"error": "quota_exceeded", "at": at}}}));
        let (history, _) = generated::history(Format::OpenaiChat, &turns);
        let plan = planning::Plan {
            conversation: history.conversation(&Default::default()).unwrap(),
            task,
            answers: answers.into_iter().flatten().map(str::to_owned).collect(),
            state: PlanState::default(),
        };
        let call = Call::Planning(Planning::Plan(Box::new(plan)));
        let worlds = [(); 2].map(|()| Arc::new(World::new(&store, &Value::Null).unwrap()));
        let native = Native.enter(Arc::clone(&worlds[0])).call(&call);
        prop_assert_eq!(native, sandboxed.enter(Arc::clone(&worlds[1])).call(&call));
        prop_assert_eq!(worlds[0].after(), worlds[1].after());
    });
}

#[test]
fn tools_of_every_dialect_are_pinned() {
    let names: Vec<&str> =
        tuckaway::Dialect::ALL.into_iter().flat_map(tuckaway::Dialect::tool_names).collect();
    assert_eq!(names, tuckaway_histories::OWN_TOOLS);
}
