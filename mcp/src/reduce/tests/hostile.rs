use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Fixture, LINKS, large, text};

/// The maximum size of a replaced result: view, links and structured content.
const MOST: usize = 150_000;

#[tokio::test]
async fn a_million_items_are_reduced() {
    let fixture = Fixture::new();
    for item in [text("item"), json!({ "type": "later" })] {
        let result = json!({ "content": vec![item; 1_000_000] });
        let reduced = fixture.reducer.tool_result("t", result, LINKS).await;
        assert!(reduced.to_string().len() < MOST);
    }
    // A million empty items need no reduction.
    let empty = json!({ "content": vec![text(""); 1_000_000] });
    assert_eq!(fixture.reducer.tool_result("t", empty.clone(), LINKS).await, empty);
}

#[tokio::test]
async fn deep_nesting_is_reduced() {
    let fixture = Fixture::new();
    let deep = |levels: usize| format!("{}{:?}{}", "[".repeat(levels), large(), "]".repeat(levels));
    let structured: Value = serde_json::from_str(&deep(120)).unwrap();
    let result = json!({ "content": [text(&deep(100_000)), { "type": "x", "deep": structured }], "structuredContent": structured });
    let reduced = fixture.reducer.tool_result("t", result, LINKS).await;
    assert!(reduced.to_string().len() < MOST);
    let deep = fixture.put(deep(100_000).as_bytes()).await;
    fixture.reducer.read_artifact(&format!("tuckaway://{deep}#jq=.")).await.unwrap_err();
}

#[tokio::test]
async fn an_output_that_looks_like_a_view_is_data() {
    let fixture = Fixture::new();
    let first = fixture
        .reducer
        .tool_result("t", json!({ "content": [text(&large())], "structuredContent": {} }), LINKS)
        .await;
    // A view that is repeated until it is too large is an ordinary output.
    let view = first["content"][0]["text"].as_str().unwrap().repeat(100);
    let again = json!({ "content": [text(&view)], "structuredContent": { "tuckaway": { "action": "inline", "view": view } } });
    let reduced = fixture.reducer.tool_result("t", again, LINKS).await;
    assert!(reduced.to_string().len() < MOST);
    assert_eq!(reduced["structuredContent"]["tuckaway"]["action"], "artifact");
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(Value::from("tuckaway://art_x_1")),
        Just(Value::from("QUJD".repeat(4_000))),
        Just(Value::from("a longer line of text\n".repeat(3_000))),
        prop_oneof![Just("text"), Just("image"), Just("resource"), Just("image/png"), Just("text/csv")]
            .prop_map(Value::from),
    ]
}

/// Values whose members have the names of the protocol.
fn anything() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 32, 5, |inner| {
        let name = prop_oneof![
            Just("type"),
            Just("text"),
            Just("data"),
            Just("blob"),
            Just("resource"),
            Just("mimeType"),
            Just("content"),
            Just("uri"),
            Just("structuredContent")
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..5).prop_map(|members| {
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

fn item() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![Just("text"), Just("image"), Just("audio"), Just("resource"), Just("later")];
    (kind, leaf(), leaf(), leaf(), leaf()).prop_map(|(kind, text, data, media_type, blob)| {
        let resource = json!({ "uri": "a:b", "mimeType": media_type, "blob": blob });
        json!({ "type": kind, "text": text, "data": data, "mimeType": media_type, "resource": resource })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_the_same_or_bounded(
        items in prop_oneof![prop::collection::vec(item(), 0..6), prop::collection::vec(anything(), 0..4)],
        structured in prop::option::of(anything()),
        is_error in prop::option::of(any::<bool>()),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let fixture = Fixture::new();
            let mut result = json!({ "content": items, "_meta": { "a": 1 } });
            if let Some(structured) = structured {
                result["structuredContent"] = structured;
            }
            if let Some(is_error) = is_error {
                result["isError"] = json!(is_error);
            }
            let reduced = fixture.reducer.tool_result("t", result.clone(), LINKS).await;
            if reduced != result {
                prop_assert_eq!(&reduced["isError"], &result["isError"]);
                prop_assert_eq!(&reduced["_meta"], &result["_meta"]);
                let list = reduced["content"].as_array().unwrap();
                prop_assert_eq!(&list[0]["type"], "text");
                prop_assert!(list[0]["text"].as_str().unwrap().len() <= 40_000);
                let originals = result["content"].as_array().unwrap();
                for item in &list[1..] {
                    prop_assert!(item["type"] == "resource_link" || originals.contains(item));
                }
            }
            for (kind, name) in [(true, "contents"), (false, "messages")] {
                let result = json!({ name: result["content"], "x": 1 });
                let reduced = match kind {
                    true => fixture.reducer.resource_result("a:b", result.clone(), LINKS).await,
                    false => fixture.reducer.prompt_result("p", result.clone(), LINKS).await,
                };
                prop_assert!(reduced == result || reduced[name].is_array());
                prop_assert_eq!(&reduced["x"], 1);
            }
            Ok(())
        })?;
    }

    #[test]
    fn any_address_has_an_answer(address in "(tuckaway://)?\\PC{0,30}", part in "#(lines|jq|grep|bytes)=\\PC{0,10}") {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let fixture = Fixture::new();
            let id = fixture.put(b"{\"a\": 1}\n").await;
            prop_assert!(fixture.reducer.read_artifact(&address).await.is_err());
            let answer = fixture.reducer.read_artifact(&format!("tuckaway://{id}{part}")).await;
            prop_assert!(answer.map_or_else(|error| !error.message.is_empty(), |result| result["contents"].is_array()));
            Ok(())
        })?;
    }
}
