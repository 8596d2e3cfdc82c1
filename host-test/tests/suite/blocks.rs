//! Invariants of outputs of several blocks: bounded, lossless, explained.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway::{
    Action, Artifact, ArtifactTool, Block, Content, Engine, Mode, Policy, ToolOutput, Turn, View,
};
use tuckaway_host_test::World;
use tuckaway_text::encoding::Encoding;

fn world(store: Value) -> World {
    World::new(&store, &Value::Null).unwrap()
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let unit = prop_oneof![
        2 => "[a-z .,\n]{0,40}".prop_map(String::into_bytes),
        1 => "\\PC{0,30}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => Just(b"a,b,c\n1,2,3\n".to_vec()),
        1 => Just(b"{\"id\": 1, \"name\": \"x\"}\n".to_vec()),
    ];
    (unit, 0usize..150, any::<bool>())
        .prop_map(|(unit, times, json)| match json {
            true => serde_json::to_vec(&vec![json!({"a": String::from_utf8_lossy(&unit)}); times.min(60)])
                .unwrap(),
            false => unit.repeat(times),
        })
        // Bytes that can be decoded are not shown lossily.
        .prop_filter("in UTF-8", |bytes: &Vec<u8>| Encoding::of(bytes).is_none())
}

fn block() -> impl Strategy<Value = Block> {
    let named = proptest::sample::select(vec![
        "text/csv",
        "application/json",
        "text/plain",
        "image/png",
        "\n",
        "application/pdf",
    ]);
    let named = proptest::option::weighted(0.3, named);
    (piece(), named, any::<bool>()).prop_map(|(bytes, named, text)| Block {
        content: match String::from_utf8(bytes) {
            Ok(words) if text => Content::Text(words),
            Ok(words) => Content::Bytes(words.into_bytes()),
            Err(error) => Content::Bytes(error.into_bytes()),
        },
        media_type: named.map(str::to_owned),
    })
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    prop_oneof![8 => proptest::collection::vec(block(), 2..8), 1 => proptest::collection::vec(block(), 15..40)]
}

fn policy() -> impl Strategy<Value = Policy> {
    let mode = prop_oneof![Just(Mode::Auto), Just(Mode::Artifact), Just(Mode::Truncate)];
    let bounds = (0u64..3_000, 0u64..20_000, proptest::option::of(0u64..5_000));
    (mode, any::<bool>(), bounds, 0.0..=1.0, 0u32..3_000, 0u32..3_000).prop_map(
        |(mode, keep_all, (min, more, max_view_bytes), headroom_percentage, preview_bytes, image_tokens)| {
            Policy {
                mode,
                keep_all,
                min_threshold_bytes: min,
                max_threshold_bytes: min + more,
                headroom_percentage,
                max_view_bytes,
                preview_bytes,
                image_tokens,
                ..Policy::default()
            }
        },
    )
}

fn turn() -> impl Strategy<Value = Turn> {
    (1u64..100_000, any::<bool>()).prop_map(|(context_window, tools)| Turn {
        context_window,
        used_tokens: 0,
        tools: if tools { ArtifactTool::ALL.to_vec() } else { Vec::new() },
    })
}

fn bytes(block: &Block) -> &[u8] {
    match &block.content {
        Content::Text(text) => text.as_bytes(),
        Content::Bytes(bytes) => bytes,
        Content::Stored(_) => &[],
    }
}

/// Returns the blocks that are not passed on, as one text.
fn joined<'a>(blocks: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut joined = Vec::new();
    for block in blocks {
        if joined.last().is_some_and(|&last| last != b'\n') {
            joined.push(b'\n');
        }
        joined.extend_from_slice(block);
    }
    joined
}

fn without_feeds(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|&byte| byte != b'\n').collect()
}

fn stored(world: &World, artifacts: &[Artifact]) -> Vec<Vec<u8>> {
    artifacts.iter().map(|artifact| world.stored(&artifact.id).unwrap()).collect()
}

fn check_bound(view: &View, policy: &Policy, whole: &[u8]) -> Result<(), TestCaseError> {
    let (decision, length) = (&view.decision, view.text.len() as u64);
    let bound = match decision.action {
        Action::Inline => {
            // Unchanged, except for a line in place of each block that is not text.
            let text = String::from_utf8_lossy(whole);
            let is_noted = view.text.contains(", not shown]") && view.text.len() <= text.len();
            prop_assert!(view.text == text || is_noted, "{:?} of {text:?}", view.text);
            return Ok(());
        }
        Action::Truncate => policy.max_view_bytes.unwrap_or(decision.threshold_bytes).max(512),
        Action::Artifact => decision.threshold_bytes.max(768),
    };
    prop_assert!(length <= bound && length > 0, "{} > {}", length, bound);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn views_of_blocks_are_bounded_and_lossless(
        blocks in blocks(),
        turn in turn(),
        policy in policy(),
        is_error in any::<bool>(),
    ) {
        let world = world(Value::Null);
        let engine = Engine::new(&world, &world);
        let output = ToolOutput { tool: "t".to_owned(), is_error, blocks, structured: None };
        let view = engine.process(&output, &turn, &policy).unwrap();
        let here: Vec<&[u8]> = output
            .blocks
            .iter()
            .enumerate()
            .filter(|(index, _)| !view.kept.contains(&(*index as u32)))
            .map(|(_, block)| bytes(block))
            .collect();
        let whole = joined(here.iter().copied());
        prop_assert_eq!(view.decision.size_bytes, whole.len() as u64);
        prop_assert_eq!(&engine.decide(&output, &turn, &policy).unwrap(), &view.decision);
        check_bound(&view, &policy, &whole)?;
        let kept_tokens = view.kept.len() as u64 * u64::from(policy.image_tokens);
        prop_assert_eq!(view.decision.kept_tokens, (!view.kept.is_empty()).then_some(kept_tokens));
        // Every artifact is a run of consecutive blocks, joined as one text.
        let stored = stored(&world, &view.artifacts);
        for bytes in &stored {
            let is_run = (0..here.len()).any(|from| {
                (from..here.len()).any(|to| joined(here[from..=to].iter().copied().filter(|b| !b.is_empty())) == *bytes)
            });
            prop_assert!(is_run || *bytes == whole, "{}", String::from_utf8_lossy(bytes));
        }
        if policy.keep_all && view.decision.gate != tuckaway::Gate::ArtifactTool {
            prop_assert_eq!(without_feeds(&stored.concat()), without_feeds(&whole));
        }
        prop_assert_eq!(view.decision.action == Action::Artifact && view.artifacts.is_empty(), false);
    }

    #[test]
    fn a_store_that_fails_at_some_part_leaves_a_bounded_view(
        blocks in blocks(),
        turn in turn(),
        policy in policy(),
        method in proptest::sample::select(vec!["create", "append", "seal"]),
        at in 1u64..4,
    ) {
        let world = world(json!({"fail": {method: {"error": "quota_exceeded", "at": at}}}));
        let output = ToolOutput { tool: "t".to_owned(), is_error: false, blocks, structured: None };
        let view = Engine::new(&world, &world).process(&output, &turn, &policy).unwrap();
        let kept = |index: usize| view.kept.contains(&(index as u32));
        let here = output.blocks.iter().enumerate().filter(|(index, _)| !kept(*index));
        check_bound(&view, &policy, &joined(here.map(|(_, block)| bytes(block))))?;
        for artifact in &view.artifacts {
            prop_assert_eq!(world.stored(&artifact.id).unwrap().len() as u64, artifact.size_bytes);
        }
    }

    #[test]
    fn the_content_of_a_wrapped_result_is_stored(
        texts in proptest::collection::vec(("[a-z\"\\\\é\n\t]{1,60}", 1usize..60), 1..6),
        structured in any::<bool>(),
        turn in turn(),
        policy in policy(),
    ) {
        let texts: Vec<String> = texts.into_iter().map(|(unit, times)| unit.repeat(times)).collect();
        let content: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        let mut result = json!({"content": content, "isError": false});
        let mut inside: Vec<String> = texts;
        if structured {
            result["structuredContent"] = json!({"more": [1, 2, 3]});
            inside.push("{\"more\":[1,2,3]}".to_owned());
        }
        let policy = Policy { keep_all: true, ..policy };
        let world = world(Value::Null);
        let output = ToolOutput {
            tool: "t".to_owned(),
            is_error: false,
            blocks: vec![Block { content: Content::Text(result.to_string()), media_type: None }],
            structured: None,
        };
        let view = Engine::new(&world, &world).process(&output, &turn, &policy).unwrap();
        check_bound(&view, &policy, result.to_string().as_bytes())?;
        let stored = stored(&world, &view.artifacts).concat();
        prop_assert_eq!(without_feeds(&stored), without_feeds(inside.concat().as_bytes()));
    }

    #[test]
    fn structured_content_that_is_a_text_is_stored_once(
        words in proptest::collection::vec("[a-z\"é]{0,20}", 20..60),
        wrapped in any::<bool>(),
        turn in turn(),
        policy in policy(),
    ) {
        let value = json!({"words": words, "count": words.len()});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let structured = if wrapped { json!({"result": value}) } else { value };
        let policy = Policy { keep_all: true, ..policy };
        let world = world(Value::Null);
        let output = ToolOutput {
            tool: "t".to_owned(),
            is_error: false,
            blocks: vec![Block { content: Content::Text(text.clone()), media_type: None }],
            structured: Some(structured.to_string()),
        };
        let view = Engine::new(&world, &world).process(&output, &turn, &policy).unwrap();
        prop_assert_eq!(view.decision.size_bytes, text.len() as u64);
        prop_assert_eq!(stored(&world, &view.artifacts), vec![text.into_bytes()]);
        prop_assert_eq!(&view.artifacts[0].media_type, "application/json");
    }
}
