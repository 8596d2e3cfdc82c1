//! Random sequences of calls: the native engine and the component in wasmtime, each with
//! its own world, give the same answer to every call.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    ArtifactTool, Block, ByteRange, Content, Dialect, GrepQuery, JqQuery, LineRange, Mode, Policy, Range,
    ToolOutput, ToolOverride, Turn,
};
use tuckaway_host_test::{Call, Native, Sandboxed, Subject, World};

/// Ids of artifacts that are in the store from the start, that are stored later, or that
/// do not exist.
const IDS: [&str; 6] = ["json", "text", "bad", "none", "art_t_0000000001", "../x"];

fn store() -> Value {
    json!({"artifacts": [
        {"id": "json", "content": {"concat": ["[", {"each": "{\"id\": %, \"s\": \"é %\"}", "from": 1, "to": 60, "join": ","}, "]"]}},
        {"id": "text", "content": {"each": "line % of a log\r\n", "from": 1, "to": 80}},
        {"id": "bad", "content": {"repeat": {"concat": ["a", {"hex": "fff09f"}, "\n👩‍👩‍👧"]}, "times": 40}},
    ]})
}

fn id() -> impl Strategy<Value = String> {
    proptest::sample::select(&IDS[..]).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,80}",
        ("\\PC{0,12}\n?", 0usize..400).prop_map(|(unit, times)| unit.repeat(times)),
        (0u32..120).prop_map(|n| json!({"rows": vec![json!({"id": n, "x": null}); n as usize]}).to_string()),
    ]
}

fn output() -> impl Strategy<Value = ToolOutput> {
    let content = prop_oneof![
        4 => text().prop_map(Content::Text),
        2 => proptest::collection::vec(any::<u8>(), 0..1_500).prop_map(Content::Bytes),
        1 => id().prop_map(Content::Stored),
    ];
    let media_type =
        proptest::option::weighted(0.2, proptest::sample::select(vec!["image/png", "text/csv", "\n"]));
    let block = (content, media_type)
        .prop_map(|(content, media_type)| Block { content, media_type: media_type.map(str::to_owned) });
    let structured = proptest::option::weighted(0.2, text());
    (any::<bool>(), proptest::collection::vec(block, 0..3), structured).prop_map(
        |(is_error, blocks, structured)| ToolOutput { tool: "t".to_owned(), is_error, blocks, structured },
    )
}

fn policy() -> impl Strategy<Value = Policy> {
    let mode = prop_oneof![Just(Mode::Auto), Just(Mode::Artifact), Just(Mode::Truncate)];
    let tokens = proptest::option::of(0u64..300);
    let dialect = proptest::sample::select(&Dialect::ALL[..]);
    (any::<bool>(), (dialect, mode), 0u64..600, 0u64..2_000, 0.0..=1.1, tokens, 0u32..600, any::<bool>())
        .prop_map(
            |(
                keep_all,
                (dialect, mode),
                min,
                max,
                headroom_percentage,
                max_output_tokens,
                preview_bytes,
                exempt,
            )| Policy {
                keep_all,
                dialect,
                mode,
                min_threshold_bytes: min,
                max_threshold_bytes: max,
                headroom_percentage,
                max_output_tokens,
                preview_bytes,
                overrides: vec![ToolOverride {
                    tools: if exempt { "t" } else { "x*" }.to_owned(),
                    exempt: exempt && keep_all,
                    mode: None,
                    max_threshold_bytes: None,
                }],
                ..Policy::default()
            },
        )
}

fn turn() -> impl Strategy<Value = Turn> {
    let tools = proptest::collection::btree_set(proptest::sample::select(&ArtifactTool::ALL[..]), 0..=3);
    (0u64..6_000, 0u64..3_000, tools).prop_map(|(context_window, used_tokens, tools)| Turn {
        context_window,
        used_tokens,
        tools: tools.into_iter().collect(),
    })
}

fn max_bytes() -> impl Strategy<Value = Option<u32>> {
    proptest::option::of(prop_oneof![1 => Just(0u32), 9 => 250u32..2_000])
}

fn call() -> impl Strategy<Value = Call> {
    let range = prop_oneof![
        (0u64..100, 0u64..100).prop_map(|(a, b)| Range::Lines(LineRange { start: a, end: b })),
        (0u64..40).prop_map(Range::LastLines),
        (0u64..900, 0u64..900).prop_map(|(a, b)| Range::Bytes(ByteRange { start: a, end: b })),
        "r\\.[0-9a-z.]{0,20}".prop_map(Range::Cursor),
    ];
    let pattern = prop_oneof![
        Just("line".to_owned()),
        Just("[0-9]+ of".to_owned()),
        Just("a.".to_owned()),
        "\\PC{0,6}",
        "[a-c().*+?|\\[\\]{}0-2^$\\\\]{0,10}",
    ];
    let grep = (pattern.boxed(), any::<[bool; 4]>(), 0u32..4, 0u32..4, proptest::option::of(0u32..9))
        .prop_map(
            |(
                pattern,
                [fixed_string, ignore_case, invert, each_match],
                before_context,
                after_context,
                max_matches,
            )| {
                GrepQuery {
                    pattern,
                    fixed_string,
                    ignore_case,
                    invert,
                    before_context,
                    after_context,
                    each_match,
                    max_matches,
                    cursor: None,
                }
            },
        );
    let filter = prop_oneof![
        4 => proptest::sample::select(vec![
            ".", ".[]", ".[].id", "[inputs]", "input", "map(.id) | add", ".[3:5]", "length", ".x", ".[] | select(.id > 50)", "keys",
            "[.[].s | test(\"5\")]", "tojson", "map(.id * 1000000007) | .[7:9]", ".[0] | to_entries", "error",
            "[.[] | .s | ascii_upcase | @base64] | join(\",\")", "group_by(.id % 3) | map(length)", "..|numbers",
        ]).prop_map(str::to_owned),
        1 => "[.\\[\\]|a-c0-9(){},: ]{0,12}",
    ];
    let jq = (filter, any::<[bool; 4]>()).prop_map(|(filter, [raw, compact, slurp, null_input])| JqQuery {
        filter,
        raw,
        compact,
        slurp,
        null_input,
        ..JqQuery::default()
    });
    let arguments = prop_oneof![
        "\\PC{0,30}",
        (id(), any::<i16>()).prop_map(|(id, n)| json!({"artifact_id": id, "start_line": n}).to_string()),
        id().prop_map(|id| {
            json!({"artifact_id": id, "pattern": "1", "filter": ".[2]", "zeta": 1, "alpha": 2}).to_string()
        }),
        id().prop_map(|id| json!({"artifact_id": id, "filter": ".[2]"}).to_string()),
        (id(), id()).prop_map(|(id, other)| {
            let variables = format!("other={other}");
            json!({"artifact_id": id, "filter": "[., $other]", "variables": variables, "save_as": "both"})
                .to_string()
        }),
        id().prop_map(|id| json!({"ref_id": id, "offset": 1}).to_string()),
        id().prop_map(|id| json!({"handle": id, "extract": "x", "mode": "truncate"}).to_string()),
        id().prop_map(|id| json!({"filename": id, "start": 3}).to_string()),
        id().prop_map(|id| json!({"filename": id, "pattern": "1"}).to_string()),
        id().prop_map(|id| json!({"artifact_id": id, "pattern": "1", "context": 1}).to_string()),
        any::<bool>().prop_map(|invert| json!({"pattern": "1", "invert": invert}).to_string()),
    ];
    let names = Dialect::ALL.into_iter().flat_map(Dialect::tool_names).chain(["other"]);
    let name = proptest::sample::select(names.collect::<Vec<_>>());
    let dialect = proptest::sample::select(&Dialect::ALL[..]);
    prop_oneof![
        (output(), turn(), policy()).prop_map(|(output, turn, policy)| Call::Decide { output, turn, policy }),
        (output(), turn(), policy()).prop_map(|(output, turn, policy)| Call::Process {
            output,
            turn,
            policy
        }),
        (proptest::collection::vec(output(), 0..4), turn(), policy())
            .prop_map(|(outputs, turn, policy)| Call::ProcessTurn { outputs, turn, policy }),
        (text(), max_bytes())
            .prop_map(|(text, max_bytes)| Call::InferShape { content: text.into(), max_bytes }),
        (text(), 500u64..2_000)
            .prop_map(|(text, max_bytes)| Call::Truncate { content: text.into(), max_bytes }),
        (id(), range, any::<bool>(), max_bytes()).prop_map(|(id, range, line_numbers, max_bytes)| {
            Call::Read { id, range, line_numbers, max_bytes }
        }),
        (id(), grep.clone(), max_bytes()).prop_map(|(id, query, max_bytes)| Call::Grep {
            id,
            query,
            max_bytes
        }),
        (grep, max_bytes()).prop_map(|(query, max_bytes)| Call::GrepAll { query, max_bytes }),
        (id(), jq, max_bytes()).prop_map(|(id, query, max_bytes)| Call::Jq { id, query, max_bytes }),
        Just(Call::ListArtifacts),
        (turn(), dialect, any::<bool>(), any::<bool>()).prop_map(
            |(turn, dialect, is_final_turn, is_detailed)| Call::Definitions {
                tools: turn.tools,
                dialect,
                is_final_turn,
                is_detailed
            }
        ),
        (name, arguments, max_bytes()).prop_map(|(name, arguments, max_bytes)| Call::Call {
            name: name.to_owned(),
            arguments,
            max_bytes
        }),
    ]
}

/// A script, mostly without failures.
fn script() -> impl Strategy<Value = Value> {
    let method = proptest::sample::select(vec![
        "create",
        "append",
        "seal",
        "stat",
        "read",
        "list_artifacts",
        "delete",
    ]);
    proptest::option::weighted(0.4, (method, 1u64..4)).prop_map(|failure| {
        let mut store = store();
        if let Some((method, at)) = failure {
            store["fail"] = json!({method: {"error": "quota_exceeded", "at": at}});
        }
        store
    })
}

#[test]
fn native_and_sandboxed_answers_are_the_same() {
    let sandboxed = Sandboxed::default();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(store in script(), calls in proptest::collection::vec(call(), 1..6))| {
        let worlds = [(); 2].map(|()| Arc::new(World::new(&store, &Value::Null).unwrap()));
        let mut native = Native.enter(Arc::clone(&worlds[0]));
        let mut guest = sandboxed.enter(Arc::clone(&worlds[1]));
        for call in &calls {
            prop_assert_eq!(native.call(call), guest.call(call), "{:?}", call);
        }
        prop_assert_eq!(worlds[0].after(), worlds[1].after());
    });
}
