//! Invariants of every kind of content under any declared media type: the corpus of
//! kinds, whole, cut and mutated.

use std::fmt::{self, Debug, Formatter};
use std::fs;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use tuckaway::{
    Action, ArtifactTool, Block, Content, Engine, GrepQuery, JqQuery, LineRange, Mode, Policy, Range,
    ReadOptions, ToolOutput, Turn,
};
use tuckaway_host_test::content::encoded;
use tuckaway_host_test::{Call, World, workspace};
use tuckaway_text::encoding::Encoding;

/// Media types that tools declare, right or wrong.
const CLAIMS: [&str; 21] = [
    "application/json",
    "application/x-ndjson",
    "text/csv",
    "text/tab-separated-values; header=present",
    "application/yaml",
    "text/x-yaml",
    "application/toml",
    "application/xml",
    "TEXT/HTML; charset=utf-8",
    "image/svg+xml",
    "image/png",
    "text/markdown",
    "text/x-diff",
    "text/x-python-traceback",
    "text/x-log",
    "text/plain",
    "application/pdf",
    "application/octet-stream",
    "application/zip",
    "\u{7}",
    "",
];

/// The contents of the cases of all kinds.
static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for entry in fs::read_dir(workspace().join("cases/kinds")).unwrap() {
        let file: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let input = case["input"].as_object().cloned().unwrap_or_else(Map::new);
            match Call::parse(case["call"].as_str().unwrap_or_default(), &input) {
                Ok(Call::InferShape { content, .. } | Call::Truncate { content, .. }) => {
                    samples.push(content)
                }
                Ok(call) => samples.extend(call.outputs()),
                Err(_) => {}
            }
        }
    }
    samples.retain(|sample: &Vec<u8>| !sample.is_empty());
    samples.sort();
    samples.dedup();
    assert!(samples.len() > 150, "{}", samples.len());
    samples
});

/// Bytes that a failing test shows as text.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl Debug for Bytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// A mutation of a sample.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index, Index),
    Overwrite(Index, Vec<u8>),
    Insert(Index, Vec<u8>),
    /// Replaces everything from an offset on by another sample.
    GoOn(Index, Index),
    Repeat(usize),
    WithoutFeeds,
    Crlf,
}

fn change() -> impl Strategy<Value = Change> {
    let bytes = || {
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 1..8),
            "\\PC{1,6}".prop_map(String::into_bytes),
            select(vec![
                "\"",
                "\n",
                "\0",
                "\u{1b}[31m",
                "👩‍👩‍👧",
                "{",
                "[",
                "<",
                "```",
                "\\",
                "\u{FEFF}",
                "\r",
                ","
            ])
            .prop_map(|piece| piece.as_bytes().to_vec()),
        ]
    };
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), index()).prop_map(|(from, to)| Change::Cut(from, to)),
        3 => (index(), bytes()).prop_map(|(at, bytes)| Change::Overwrite(at, bytes)),
        3 => (index(), bytes()).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        2 => (index(), index()).prop_map(|(at, other)| Change::GoOn(at, other)),
        2 => (2usize..6).prop_map(Change::Repeat),
        1 => Just(Change::WithoutFeeds),
        1 => Just(Change::Crlf),
    ]
}

fn changed(mut bytes: Vec<u8>, change: Change) -> Vec<u8> {
    let place = |bytes: &[u8], at: &Index| at.index(bytes.len() + 1);
    match change {
        Change::Cut(from, to) => {
            let (from, to) = (place(&bytes, &from), place(&bytes, &to));
            bytes.drain(from.min(to)..from.max(to));
        }
        Change::Overwrite(at, new) => {
            let at = place(&bytes, &at);
            let end = (at + new.len()).min(bytes.len());
            bytes.splice(at..end, new);
        }
        Change::Insert(at, new) => {
            let at = place(&bytes, &at);
            bytes.splice(at..at, new);
        }
        Change::GoOn(at, other) => {
            bytes.truncate(place(&bytes, &at));
            bytes.extend(other.get(&SAMPLES[..]));
        }
        Change::Repeat(times) => bytes = bytes.repeat(times),
        Change::WithoutFeeds => bytes.retain(|byte| *byte != b'\n'),
        Change::Crlf => {
            bytes = bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
        }
    }
    bytes.truncate(100_000);
    bytes
}

fn content() -> impl Strategy<Value = Bytes> {
    let sample = any::<Index>().prop_map(|index| index.get(&SAMPLES[..]).clone());
    let random = proptest::collection::vec(any::<u8>(), 0..400);
    let seed = prop_oneof![9 => sample, 1 => random];
    let changes = prop_oneof![1 => Just(Vec::new()), 4 => proptest::collection::vec(change(), 1..5)];
    (seed, changes).prop_map(|(seed, changes)| Bytes(changes.into_iter().fold(seed, changed)))
}

fn policy() -> impl Strategy<Value = Policy> {
    let mode = prop_oneof![Just(Mode::Auto), Just(Mode::Artifact), Just(Mode::Truncate)];
    let bounds = (0u64..3_000, 0u64..20_000, proptest::option::of(0u64..5_000));
    (mode, any::<bool>(), bounds, 0u32..3_000).prop_map(
        |(mode, keep_all, (min, more, max_view_bytes), preview_bytes)| Policy {
            mode,
            keep_all,
            min_threshold_bytes: min,
            max_threshold_bytes: min + more,
            max_view_bytes,
            preview_bytes,
            ..Policy::default()
        },
    )
}

fn turn() -> impl Strategy<Value = Turn> {
    let tools = proptest::collection::btree_set(select(&ArtifactTool::ALL[..]), 0..=3);
    (1u64..100_000, tools).prop_map(|(context_window, tools)| Turn {
        context_window,
        used_tokens: 0,
        tools: tools.into_iter().collect::<Vec<_>>(),
    })
}

/// Returns the number of JSON documents in a text, according to serde_json.
fn documents(text: &str) -> Option<usize> {
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    values.ok().map(|values| values.len())
}

/// Returns whether bytes are a tool's result, which is unwrapped before it is stored:
/// `blocks.rs` has its invariants.
fn is_wrapped(bytes: &[u8]) -> bool {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(result)) => result.contains_key("content"),
        Ok(Value::Array(items)) => items.first().is_some_and(|item| item.get("type").is_some()),
        _ => false,
    }
}

fn is_sound(text: &str, whole: &[u8]) -> bool {
    // Only invalid UTF-8 is shown as U+FFFD.
    std::str::from_utf8(whole).is_err()
        || !text.contains('\u{FFFD}')
        || String::from_utf8_lossy(whole).contains('\u{FFFD}')
        || documents(&String::from_utf8_lossy(whole)).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_kind_has_a_view(
        Bytes(bytes) in content(),
        claimed in proptest::option::of(select(&CLAIMS[..])),
        is_error in any::<bool>(),
        as_text in any::<bool>(),
        turn in turn(),
        policy in policy(),
    ) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let engine = Engine::new(&world, &world);
        let content = match String::from_utf8(bytes.clone()) {
            Ok(text) if as_text => Content::Text(text),
            _ => Content::Bytes(bytes.clone()),
        };
        let output = ToolOutput {
            tool: "t".to_owned(),
            is_error,
            blocks: vec![Block { content, media_type: claimed.map(str::to_owned) }],
            structured: None,
        };
        let view = engine.process(&output, &turn, &policy).unwrap();
        if !view.kept.is_empty() {
            prop_assert!(view.text.is_empty() && view.artifacts.is_empty());
            return Ok(());
        }
        let is_wrapped = is_wrapped(&bytes);
        let decision = &view.decision;
        prop_assert_eq!(decision.size_bytes, bytes.len() as u64);
        prop_assert_eq!(view.text.is_empty(), bytes.is_empty());
        let length = view.text.len() as u64;
        match decision.action {
            Action::Inline if Encoding::of(&bytes).is_some() => prop_assert!(length <= 2 * bytes.len() as u64),
            Action::Inline => prop_assert!(length <= String::from_utf8_lossy(&bytes).len() as u64),
            Action::Truncate => {
                prop_assert!(length <= policy.max_view_bytes.unwrap_or(decision.threshold_bytes).max(512));
            }
            Action::Artifact => {
                prop_assert!(length <= decision.threshold_bytes.max(768));
                if is_wrapped {
                    return Ok(());
                }
                prop_assert_eq!(view.artifacts.len(), 1);
                let envelope: Value = serde_json::from_str(&view.text).unwrap();
                prop_assert!(envelope["shape"].is_object() && envelope["how_to_access"].is_object());
                prop_assert_eq!(&envelope["media_type"], &view.artifacts[0].media_type);
            }
        }
        prop_assert!(is_sound(&view.text, &bytes), "{}", view.text);
        for artifact in view.artifacts.iter().filter(|_| !is_wrapped) {
            let stored = world.stored(&artifact.id).unwrap();
            prop_assert!(stored == bytes, "{:?}", Bytes(stored));
        }
    }

    #[test]
    fn any_kind_has_a_shape(Bytes(bytes) in content(), max in proptest::option::of(256u32..4_000)) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let shape = Engine::new(&world, &world).infer_shape(&bytes, max).unwrap();
        let bound = max.map_or(2_048, |max| max as usize);
        prop_assert!(shape.json.len() <= bound, "{} > {}", shape.json.len(), bound);
        prop_assert!(serde_json::from_str::<Map<String, Value>>(&shape.json).is_ok(), "{}", shape.json);
    }

    #[test]
    fn any_kind_can_be_cut(Bytes(bytes) in content(), max in 512u64..6_000) {
        let world = World::new(&Value::Null, &Value::Null).unwrap();
        let text = match Encoding::of(&bytes) {
            Some(encoding) => encoding.decode(&bytes).into(),
            None => String::from_utf8_lossy(&bytes),
        };
        let engine = Engine::new(&world, &world);
        let view = engine.truncate(&bytes, max).unwrap();
        prop_assert!(view.len() as u64 <= max && view.is_empty() == text.is_empty());
        if view.ends_with(", not shown]") && std::str::from_utf8(&bytes).is_err() {
            return Ok(());
        }
        prop_assert!(is_sound(&view, text.as_bytes()), "{}", view);
        if text.len() as u64 <= max {
            prop_assert_eq!(&view, &*text);
            return Ok(());
        }
        let media_type = engine.infer_shape(&bytes, None).unwrap().media_type;
        match documents(&text) {
            Some(_) if media_type == "application/json" => prop_assert_eq!(documents(&view), Some(1), "{}", view),
            Some(_) if media_type == "application/x-ndjson" => prop_assert!(documents(&view).is_some(), "{}", view),
            _ => {
                let is_shown = |c: char| !c.is_control() || "\t\n".contains(c);
                prop_assert!(view.replace("\r\n", "\n").chars().all(is_shown), "{:?}", view);
            }
        }
    }

    #[test]
    fn any_kind_can_be_queried(
        Bytes(bytes) in content(),
        claimed in select(&CLAIMS[..]),
        filter in select(vec![".", ".[0]", ".[].id", "keys", "length", ".. | strings", "[.[]?] | first"]),
        pattern in select(vec!["e", "^.", "error|fail", "\\d+$", "."]),
        max in 256u32..2_000,
    ) {
        let artifact = json!({"id": "art", "media_type": claimed, "content": encoded(&bytes)});
        let world = World::new(&json!({"artifacts": [artifact]}), &Value::Null).unwrap();
        let engine = Engine::new(&world, &world);
        let range = Range::Lines(LineRange { start: 1, end: u64::MAX });
        let page = engine.read("art", &range, &ReadOptions { line_numbers: true, max_bytes: Some(max) }).unwrap();
        prop_assert!(page.text.len() <= max as usize);
        let query = GrepQuery { pattern: pattern.to_owned(), ..GrepQuery::default() };
        if let Ok(found) = engine.grep("art", &query, Some(max)) {
            prop_assert!(found.matches.iter().map(|found| found.text.len()).sum::<usize>() <= max as usize);
        }
        let query = JqQuery { filter: filter.to_owned(), ..JqQuery::default() };
        match engine.jq("art", &query, Some(max)) {
            Ok(outputs) => prop_assert!(outputs.text.len() <= max as usize),
            Err(error) => prop_assert!(!error.message.is_empty() && error.message.len() <= 4_096),
        }
    }
}
