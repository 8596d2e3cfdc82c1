//! Limits in tokens hold for the model's input with any counter: words, bytes, or the
//! vocabulary o200k_base. Views use most of their allowance.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    Action, ArtifactTool, Block, Content, CountTokens, Engine, Mode, Policy, ToolOutput, Turn, View,
};
use tuckaway_host_test::World;

/// Views of this size are not cut below it, however few tokens are left.
const LEAST_VIEW: usize = 512;
const LEAST_ENVELOPE: usize = 768;
/// A window in which only limits in tokens reduce an output.
const WINDOW: u64 = 10_000_000;

/// How tokens are counted.
#[derive(Clone, Copy, Debug)]
enum Counter {
    Words,
    Bytes,
    O200k,
}

impl CountTokens for Counter {
    fn count(&self, text: &str) -> Result<u64, String> {
        Ok(match self {
            Counter::Words => text.split_ascii_whitespace().count() as u64,
            Counter::Bytes => text.len() as u64,
            Counter::O200k => tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u64,
        })
    }
}

/// Kinds of outputs, each with a number of lines or rows.
fn text() -> impl Strategy<Value = String> {
    let lines =
        |line: fn(usize) -> String| (200usize..1_500).prop_map(move |rows| (0..rows).map(line).collect());
    prop_oneof![
        lines(|n| format!(
            "{{\"id\":{n},\"name\":\"user {n}\",\"score\":{},\"tags\":[\"a{n}\",null]}}\n",
            n * 7919
        )),
        lines(|n| format!(
            "2026-01-{:02} 10:00:{:02} INFO worker-{n}: fetched {} rows\n",
            n % 28 + 1,
            n % 60,
            n * 31
        )),
        lines(|n| format!(
            "The {n}th visitor said that the garden looked rather lovely in the evening light. "
        )),
        lines(|n| format!("{n},{}.5,\"Müller, Zoë\",{:x}\n", n * 3, n * 104_729)),
        lines(|n| format!("第{n}行：今天天气很好，我们去公园散步。👩‍🌾\n")),
        lines(|n| format!("{:016x}{:016x}", n * 7919, n * 104_729)),
        lines(|n| format!("    let value_{n} = compute({n}, &mut state)?; // step {n}\n")),
        (200usize..1_500).prop_map(|rows| {
            let rows: Vec<Value> =
                (0..rows).map(|n| json!({"key": n, "text": format!("entry {n}")})).collect();
            serde_json::to_string_pretty(&json!({"rows": rows, "ok": true})).unwrap()
        }),
    ]
}

/// Records of records; some report an error. Their kept parts have all sizes.
fn nested_records(rows: usize) -> String {
    let record = |n: usize| {
        let members = (0..10 + n % 30).map(|m| (format!("member_{m}"), json!(n * m)));
        json!({
            "id": n,
            "status": if n % 9 == 4 { "error" } else { "ok" },
            "text": "a word or two ".repeat(n % 10),
            "user": {"name": format!("user {n}"), "profile": members.collect::<serde_json::Map<_, _>>()},
        })
    };
    json!({"records": (0..rows).map(record).collect::<Vec<_>>(), "next": null}).to_string()
}

fn counter() -> impl Strategy<Value = Counter> {
    prop_oneof![Just(Counter::Words), Just(Counter::Bytes), Just(Counter::O200k)]
}

fn output(text: &str) -> ToolOutput {
    ToolOutput {
        tool: "t".to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(text.to_owned()), media_type: None }],
        structured: None,
    }
}

fn policy(mode: Mode) -> Policy {
    Policy {
        mode,
        context_percentage: 1.0,
        max_threshold_bytes: u64::MAX,
        max_view_bytes: Some(u64::MAX),
        headroom_percentage: 1.0,
        ..Policy::default()
    }
}

fn turn(context_window: u64) -> Turn {
    let tools = [ArtifactTool::Read, ArtifactTool::Grep].into_iter().collect::<Vec<_>>();
    Turn { context_window, used_tokens: 0, tools }
}

fn views(counter: Counter, texts: &[String], turn: &Turn, policy: &Policy) -> Vec<View> {
    let world = World::new(&Value::Null, &Value::Null).unwrap();
    let outputs: Vec<_> = texts.iter().map(|text| output(text)).collect();
    Engine::new(&world, &counter).process_turn(&outputs, turn, policy).unwrap()
}

fn is_at_its_least(view: &View) -> bool {
    match view.decision.action {
        Action::Inline => false,
        Action::Truncate => view.text.len() <= LEAST_VIEW,
        Action::Artifact => view.text.len() <= LEAST_ENVELOPE,
    }
}

/// Returns whether something is omitted from a view. JSON without its white space may be
/// shown whole.
fn omits(view: &View) -> bool {
    view.decision.action == Action::Truncate && view.text.contains("truncated")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_view_has_at_most_the_tokens_of_the_cap(
        counter in counter(),
        text in text(),
        cap in 20u64..20_000,
        mode in prop_oneof![2 => Just(Mode::Truncate), 1 => Just(Mode::Artifact)],
    ) {
        let policy = Policy { max_output_tokens: Some(cap), ..policy(mode) };
        let view = &views(counter, std::slice::from_ref(&text), &turn(WINDOW), &policy)[0];
        let tokens = counter.count(&view.text).unwrap();
        prop_assert!(tokens <= cap || is_at_its_least(view), "{} of {}, {:?}", tokens, cap, view.decision);
        let is_larger = counter.count(&text).unwrap() > cap;
        prop_assert_eq!(view.decision.action == Action::Inline, !is_larger);
        if is_larger && omits(view) && !is_at_its_least(view) {
            prop_assert!(tokens * 10 >= cap * 8, "only {} of {}: {}", tokens, cap, view.text);
        }
    }

    // Not by words: JSON has hardly any, and a view puts spaces between kept parts.
    #[test]
    fn a_view_of_nested_records_uses_most_of_the_cap(
        counter in prop_oneof![Just(Counter::Bytes), Just(Counter::O200k)],
        rows in 50usize..300,
        cap in 6_000u64..30_000,
    ) {
        let policy = Policy { max_output_tokens: Some(cap), ..policy(Mode::Truncate) };
        let text = nested_records(rows);
        let view = &views(counter, std::slice::from_ref(&text), &turn(WINDOW), &policy)[0];
        let tokens = counter.count(&view.text).unwrap();
        prop_assert!(tokens <= cap, "{} of {}", tokens, cap);
        if omits(view) {
            prop_assert!(tokens * 10 >= cap * 8, "only {} of {}: {}", tokens, cap, view.text);
        }
    }

    #[test]
    fn the_views_of_a_turn_have_at_most_the_tokens_of_the_headroom(
        counter in counter(),
        texts in proptest::collection::vec(text(), 1..5),
        left in 100u64..40_000,
        mode in prop_oneof![2 => Just(Mode::Truncate), 1 => Just(Mode::Artifact)],
    ) {
        let policy = Policy { headroom_percentage: 0.5, ..policy(mode) };
        let turn = turn(left * 2);
        let views = views(counter, &texts, &turn, &policy);
        let total: u64 = views.iter().map(|view| counter.count(&view.text).unwrap()).sum();
        let all: u64 = texts.iter().map(|text| counter.count(text).unwrap()).sum();
        prop_assert!(total <= left || views.iter().any(is_at_its_least), "{} of {}", total, left);
        // A few tokens more or less are a fifth of a small share.
        if all > left && left >= 1_000 && views.iter().all(|view| omits(view) && !is_at_its_least(view)) {
            prop_assert!(total * 10 >= left * 8, "only {} of {}", total, left);
        }
    }
}
