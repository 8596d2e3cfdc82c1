//! Every path in an outline of JSON is a filter that runs on that JSON.

use proptest::prelude::*;
use serde_json::{Value, json};
use tuckaway_contract::JqQuery;

use super::jq::jq;
use super::testing::One;
use tuckaway_content::{self as content, Facts, Layout};

/// Returns the paths of an outline.
fn paths(json: &str) -> Vec<String> {
    let facts = Facts { line_count: 1, ..Facts::default() };
    let outline = content::inspect(json.as_bytes(), &facts).to_json(1 << 16, &Layout::ONE_LINE);
    let outline: serde_json::Map<String, Value> = serde_json::from_str(&outline).unwrap();
    let is_path = |(name, entry): &(String, Value)| {
        entry.is_object() && (name.starts_with('.') || name.starts_with("fromjson"))
    };
    outline.into_iter().filter(is_path).map(|(name, _)| name).collect()
}

/// Checks that each path runs, and returns their number.
fn check(json: &str) -> usize {
    let store = One(json.as_bytes().to_vec());
    let paths = paths(json);
    for path in &paths {
        let query = JqQuery { filter: path.clone(), ..JqQuery::default() };
        let outputs =
            jq(&store, "art", &query, None).unwrap_or_else(|error| panic!("{path} of {json}: {error}"));
        assert_eq!(outputs.failure, None, "{path} of {json}");
        let outputs = outputs.text.lines().count();
        assert!(outputs > 0, "{path} of {json} leads nowhere");
    }
    paths.len()
}

#[test]
fn paths_of_outlines_run() {
    for (json, expected) in [
        (r#"{"cells": [{"id": 1, "outputs": [{"text": "x"}]}, {"id": 2}]}"#, 2),
        (r#"{"rows": [{"a": {"b": {"c": 1}}}, {"a": null}, {}]}"#, 3),
        (r#"[{"a": [1, {"b": 2}]}, {"a": {"b": 3}}, {"a": "x"}]"#, 3),
        (r#"{"n": {"x": [[{"a": 1}], null, [{"a": null}]]}, "if": {"and b": {".c": {"d?": 1}}}}"#, 5),
        (r#"[{"m": "{\"a\": {\"b\": 1}}"}, {"m": "text"}, {"m": null}, {}]"#, 3),
        (r#"[{"m": "{\"a\": [{\"b\": 1}]}"}, {"m": 3}]"#, 3),
        ("{\"a\": {\"b\": 1}}\n{\"a\": {\"b\": 1}, \"c\": [{\"d\": 2}]}\n[1]\n", 3),
        (r#""\"{\\\"a\\\": true}\"""#, 1),
    ] {
        assert_eq!(check(json), expected, "{json}: {:?}", paths(json));
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(1.5)),
        Just(json!("text")),
        Just(json!("{\"s\": {\"t\": 1}, \"u\": [{\"v\": null}]}")),
        Just(json!("[{\"s\": 2}]")),
        Just(json!({})),
        Just(json!([])),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let key =
            prop_oneof![Just("a"), Just("b"), Just("b c"), Just(".d"), Just("and"), Just("e?"), Just("1")];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn paths_of_any_outline_run(documents in proptest::collection::vec(values(), 1..4)) {
        check(&documents.iter().map(|document| format!("{document}\n")).collect::<String>());
    }
}
