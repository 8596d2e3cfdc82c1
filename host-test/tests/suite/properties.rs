//! Invariants that hold for any output, policy and turn.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    Action, ArtifactTool, Block, CallOptions, Content, Dialect, Engine, Gate, GrepQuery, JqQuery, LineRange,
    Mode, Policy, Range, ReadOptions, ToolOutput, ToolOverride, Turn, View,
};
use tuckaway_host_test::World;
use tuckaway_text::encoding::Encoding;

/// The size that any truncated view and envelope may have, regardless of the policy.
const LEAST_VIEW: u64 = 512;
const LEAST_ENVELOPE: u64 = 768;

fn world(store: Value) -> World {
    World::new(&store, &Value::Null).unwrap()
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "\\PC{0,40}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..40),
        Just(b"error: it failed\n".to_vec()),
        Just(b"{\"id\": 1, \"name\": \"x\"}\n".to_vec()),
        Just("👩‍👩‍👧".as_bytes().to_vec()),
        "[a-z ]{0,60}\n".prop_map(String::into_bytes),
    ];
    (proptest::collection::vec(piece, 0..12), 1usize..200, any::<bool>())
        .prop_map(|(pieces, times, json)| match json {
            true => serde_json::to_vec(&vec![
                json!({"a": String::from_utf8_lossy(&pieces.concat())});
                times.min(40)
            ])
            .unwrap(),
            false => pieces.concat().repeat(times),
        })
        // Bytes that can be decoded are not shown lossily.
        .prop_filter("in UTF-8", |bytes: &Vec<u8>| Encoding::of(bytes).is_none())
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Auto), Just(Mode::Artifact), Just(Mode::Truncate)]
}

/// Any valid policy.
fn policy() -> impl Strategy<Value = Policy> {
    let bounds = (0u64..6_000, 0u64..20_000);
    let over = (any::<bool>(), proptest::option::of(mode()), proptest::option::of(0u64..9_000));
    let dialect = proptest::sample::select(&Dialect::ALL[..]);
    (
        (prop::bool::weighted(0.95), (dialect, mode()), any::<bool>(), 0.0..=1.0, bounds, 0.0..=1.0),
        (proptest::option::of(1u64..4_000), 0.5..8.0, proptest::option::of(0u64..5_000), 0u32..3_000, over),
    )
        .prop_map(|((enabled, (dialect, mode), keep_all, context, (min, more), headroom), rest)| {
            let (max_output_tokens, bytes_per_token, max_view_bytes, preview_bytes, over) = rest;
            Policy {
                enabled,
                dialect,
                mode,
                keep_all,
                context_percentage: context,
                min_threshold_bytes: min,
                max_threshold_bytes: min + more,
                headroom_percentage: headroom,
                max_output_tokens,
                bytes_per_token,
                max_view_bytes,
                preview_bytes,
                image_tokens: 1_600,
                overrides: vec![ToolOverride {
                    tools: "over_*".to_owned(),
                    exempt: over.0,
                    mode: over.1,
                    max_threshold_bytes: over.2,
                }],
            }
        })
}

fn turn() -> impl Strategy<Value = Turn> {
    let tools = proptest::collection::btree_set(proptest::sample::select(&ArtifactTool::ALL[..]), 0..=3);
    let window = prop_oneof![1u64..50_000, Just(200_000), Just(u64::MAX)];
    (window, prop_oneof![Just(0u64), 0u64..60_000, Just(u64::MAX)], tools).prop_map(
        |(context_window, used_tokens, tools)| Turn {
            context_window,
            used_tokens,
            tools: tools.into_iter().collect(),
        },
    )
}

fn tool() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("sql_query".to_owned()),
        1 => Just("over_ride".to_owned()),
        1 => Just("artifact_read".to_owned()),
        1 => Just("tool_output".to_owned()),
        1 => "\\PC{0,20}",
    ]
}

fn output() -> impl Strategy<Value = ToolOutput> {
    (tool(), any::<bool>(), bytes()).prop_map(|(tool, is_error, bytes)| ToolOutput {
        tool,
        is_error,
        blocks: vec![Block { content: Content::Bytes(bytes), media_type: None }],
        structured: None,
    })
}

fn content(output: &ToolOutput) -> &[u8] {
    match &output.blocks[0].content {
        Content::Bytes(bytes) => bytes,
        _ => &[],
    }
}

/// Checks the size of a view against its decision and policy.
fn check_bound(view: &View, policy: &Policy, shown: u64) -> Result<(), TestCaseError> {
    let (decision, length) = (&view.decision, view.text.len() as u64);
    match decision.action {
        // Bytes that are not text are replaced by a line that says so, if that is shorter.
        Action::Inline => {
            let is_noted = view.text.ends_with(", not shown]") && length <= shown;
            prop_assert!(length == shown || is_noted, "{} of {}", length, shown);
        }
        Action::Truncate => {
            let bound = policy.max_view_bytes.unwrap_or(decision.threshold_bytes).max(LEAST_VIEW);
            prop_assert!(length <= bound, "{} > {}", length, bound);
        }
        Action::Artifact => {
            let bound = decision.threshold_bytes.max(LEAST_ENVELOPE);
            prop_assert!(length <= bound, "{} > {}", length, bound);
            let is_json = serde_json::from_str::<Value>(&view.text).is_ok();
            prop_assert!(is_json || policy.dialect != Dialect::Artifact, "{}", view.text);
        }
    }
    Ok(())
}

/// Checks that the gate of a decision holds for its numbers, and that no earlier gate does.
fn check_gate(view: &View, policy: &Policy, tool: &str, shown: u64) -> Result<(), TestCaseError> {
    let d = &view.decision;
    let tokens = d.token_count.unwrap_or(0);
    let exempt = d.matched_override.is_some() && policy.overrides[0].exempt;
    let holds = [
        (Gate::Disabled, !policy.enabled),
        (Gate::Exempt, exempt),
        (Gate::ArtifactTool, policy.dialect.has_tool(tool)),
        (Gate::BelowFloor, shown < d.min_threshold_bytes || d.size_bytes == 0),
        (Gate::Ceiling, shown > d.max_threshold_bytes),
        (Gate::PerOutput, shown > d.threshold_bytes),
        (Gate::TokenCap, d.max_output_tokens.is_some_and(|cap| tokens > cap)),
    ];
    let first = holds.into_iter().find(|(_, holds)| *holds).map(|(gate, _)| gate);
    match first {
        Some(gate) => prop_assert_eq!(d.gate, gate),
        // For a single output, the headroom gate is an inequality too.
        None => {
            let most = d.token_count.unwrap_or(d.size_bytes);
            let over = d.headroom_tokens.is_some_and(|left| i128::from(most) > i128::from(left));
            prop_assert_eq!(d.gate, if over { Gate::Headroom } else { Gate::Fits }, "{:?}", d);
        }
    }
    prop_assert!(d.min_threshold_bytes <= d.threshold_bytes && d.threshold_bytes <= d.max_threshold_bytes);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_view_is_bounded_lossless_and_explained(output in output(), turn in turn(), policy in policy()) {
        let world = world(Value::Null);
        let engine = Engine::new(&world, &world);
        let view = engine.process(&output, &turn, &policy).unwrap();
        let bytes = content(&output);
        let shown = String::from_utf8_lossy(bytes);
        prop_assert_eq!(view.text.is_empty(), bytes.is_empty());
        check_bound(&view, &policy, shown.len() as u64)?;
        check_gate(&view, &policy, &output.tool, shown.len() as u64)?;
        prop_assert_eq!(&engine.decide(&output, &turn, &policy).unwrap(), &view.decision);
        if view.decision.action == Action::Artifact {
            prop_assert_eq!(view.artifacts.len(), 1);
        }
        for artifact in &view.artifacts {
            prop_assert_eq!(world.stored(&artifact.id).unwrap(), bytes);
        }
    }

    #[test]
    fn a_store_that_fails_leaves_a_bounded_view(
        output in output(),
        turn in turn(),
        policy in policy(),
        method in proptest::sample::select(vec!["create", "append", "seal"]),
        error in proptest::sample::select(vec!["quota_exceeded", "not_found", "expired", "on fire"]),
    ) {
        let failing = world(json!({"fail": {method: {"error": error}}}));
        let sound = world(Value::Null);
        let view = Engine::new(&failing, &failing).process(&output, &turn, &policy).unwrap();
        let wanted = Engine::new(&sound, &sound).process(&output, &turn, &policy).unwrap();
        prop_assert_eq!(view.text.is_empty(), content(&output).is_empty());
        prop_assert!(view.artifacts.is_empty());
        if wanted.decision.action == Action::Artifact {
            prop_assert_eq!(view.decision.action, Action::Truncate);
            check_bound(&view, &policy, 0)?;
        }
        prop_assert_eq!(view.decision.failures.is_empty(), wanted.artifacts.is_empty());
    }

    #[test]
    fn a_larger_output_is_never_reduced_less(
        unit in "[a-z {}\\[\\]\":,0-9\n]{1,40}",
        times in 1usize..300,
        more in 1usize..300,
        turn in turn(),
        policy in policy(),
    ) {
        let process = |times: usize| {
            let world = world(Value::Null);
            let output = ToolOutput {
                tool: "t".to_owned(),
                is_error: false,
                blocks: vec![Block { content: Content::Text(unit.repeat(times)), media_type: None }],
                structured: None,
            };
            Engine::new(&world, &world).process(&output, &turn, &policy).unwrap().decision
        };
        let (small, large) = (process(times), process(times + more));
        prop_assert!(small.action == Action::Inline || large.action != Action::Inline, "{:?} {:?}", small, large);
    }

    #[test]
    fn a_turn_fits_its_headroom_if_all_outputs_may_be_truncated(
        lengths in proptest::collection::vec(0usize..6_000, 0..8),
        window in 1_000u64..20_000,
        used in 0u64..15_000,
    ) {
        let outputs: Vec<_> = lengths.iter().map(|&length| ToolOutput {
            tool: "t".to_owned(),
            is_error: false,
            blocks: vec![Block { content: Content::Text("x".repeat(length)), media_type: None }],
            structured: None,
        }).collect();
        let policy = Policy { min_threshold_bytes: 0, ..Policy::default() };
        let turn = Turn { context_window: window, used_tokens: used, tools: Vec::new() };
        let world = world(Value::Null);
        let views = Engine::new(&world, &world).process_turn(&outputs, &turn, &policy).unwrap();
        prop_assert_eq!(views.len(), outputs.len());
        let tokens = |view: &View| view.text.len().div_ceil(4) as u64;
        let total: u64 = views.iter().map(tokens).sum();
        // Every view may have the minimum size, regardless of the space left.
        let least: u64 = views.iter().map(|view| tokens(view).min(LEAST_VIEW / 4)).sum();
        let left = ((window as f64 * 0.7) as u64).saturating_sub(used);
        prop_assert!(total <= left.max(least) + views.len() as u64 * LEAST_VIEW / 4, "{} > {}", total, left);
        if views.iter().all(|view| view.text.len() as u64 > LEAST_VIEW) {
            prop_assert!(total <= left + views.len() as u64, "{} > {}", total, left);
        }
    }

    #[test]
    fn pages_of_read_are_the_whole_artifact(bytes in bytes(), max in 256u32..2_000, numbers in any::<bool>()) {
        let world = world(json!({"artifacts": [{"id": "art", "content": tuckaway_host_test::content::encoded(&bytes)}]}));
        let engine = Engine::new(&world, &world);
        let (mut range, mut whole) = (Range::Lines(LineRange { start: 1, end: u64::MAX }), String::new());
        loop {
            let page = engine.read("art", &range, &ReadOptions { line_numbers: numbers, max_bytes: Some(max) }).unwrap();
            prop_assert!(page.text.len() <= max as usize);
            whole += &page.text;
            match page.next {
                Some(next) => range = Range::Cursor(next),
                None => break,
            }
        }
        if !numbers {
            prop_assert_eq!(whole, String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn pages_of_grep_are_all_matches(
        lines in proptest::collection::vec("[ab]{0,6}|[ab]{300}", 0..60),
        pattern in prop_oneof!["[ab]{1,3}", Just("a.b".to_owned()), Just("^a".to_owned()), Just("b$".to_owned())],
        max in 256u32..1_000,
        most in proptest::option::of(1u32..5),
    ) {
        let text = lines.join("\n");
        let world = world(json!({"artifacts": [{"id": "art", "content": text}]}));
        let engine = Engine::new(&world, &world);
        let mut query = GrepQuery { pattern, max_matches: most, ..GrepQuery::default() };
        let whole = engine.grep("art", &GrepQuery { max_matches: Some(1_000), ..query.clone() }, Some(1 << 20)).unwrap();
        let mut found = Vec::new();
        loop {
            let page = engine.grep("art", &query, Some(max)).unwrap();
            found.extend(page.matches.into_iter().map(|m| (m.line, m.column, m.byte_offset)));
            match page.next {
                Some(next) => query.cursor = Some(next),
                None => break,
            }
        }
        let expected: Vec<_> = whole.matches.iter().map(|m| (m.line, m.column, m.byte_offset)).collect();
        prop_assert_eq!(whole.total, Some(expected.len() as u64));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn pages_of_jq_are_all_outputs(numbers in proptest::collection::vec(any::<i64>(), 0..120), max in 256u32..1_000) {
        let world = world(json!({"artifacts": [{"id": "art", "content": json!(numbers).to_string()}]}));
        let engine = Engine::new(&world, &world);
        let mut query = JqQuery { filter: ".[]".to_owned(), ..JqQuery::default() };
        let mut text = String::new();
        loop {
            let page = engine.jq("art", &query, Some(max)).unwrap();
            prop_assert!(page.text.len() <= max as usize && page.failure.is_none());
            text += &page.text;
            match page.next {
                Some(next) => query.cursor = Some(next),
                None => break,
            }
        }
        let expected: String = numbers.iter().map(|number| format!("{number}\n")).collect();
        prop_assert_eq!(text, expected);
    }

    #[test]
    fn any_arguments_get_a_reply(
        name in proptest::sample::select(vec!["artifact_read", "artifact_grep", "artifact_jq"]),
        arguments in "\\PC{0,60}|\\{\"(artifact_id|pattern|filter|cursor|start_line)\": (\"art\"|1|null|\\[\\])(, \"(pattern|filter|end_line)\": (\"\\PC{0,20}\"|0|-1|1e9))?\\}",
        max in 256u32..600,
    ) {
        let world = world(json!({"artifacts": [{"id": "art", "content": "{\"a\": [1, 2]}\n"}]}));
        let reply = Engine::new(&world, &world).call_tool(name, &arguments, &CallOptions { max_bytes: Some(max) }).unwrap();
        prop_assert!(reply.text.len() <= max as usize && !reply.text.is_empty());
    }
}
