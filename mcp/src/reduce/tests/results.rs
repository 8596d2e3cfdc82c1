use std::time::{Duration, Instant};

use base64::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tuckaway_host::store::OnDemand;
use tuckaway_host::{Dialect, Policy, ToolOverride, Tuckaway};

use super::{Broken, Fixture, LINKS, NO_LINKS, ReduceSettings, Reducer, large, text, words};

#[tokio::test]
async fn a_result_that_fits_is_the_same_value() {
    let fixture = Fixture::new();
    let medium = words(2_000);
    for result in [
        json!({ "content": [] }),
        json!({ "content": [text("short")], "isError": true, "_meta": { "a": 1 }, "resultType": "complete" }),
        json!({ "content": [text(&medium), { "type": "resource", "resource": { "uri": "a:b", "text": medium } }] }),
        json!({ "structuredContent": { "rows": [medium] }, "unknown": [1.50, null] }),
        json!({ "content": [{ "type": "later", "data": medium }], "structuredContent": null }),
        json!({ "content": [{ "type": "resource", "resource": { "uri": "a:b", "blob": BASE64_STANDARD.encode(medium.as_bytes()) } }] }),
    ] {
        let text = result.to_string();
        assert_eq!(fixture.reducer.tool_result("t", result, LINKS).await.to_string(), text);
    }
    assert!(fixture.artifacts().await.is_empty());
}

#[tokio::test]
async fn a_result_without_content_is_the_same_value() {
    let fixture = Fixture::new();
    let (large, medium) = (large(), words(2_000));
    for result in [
        Value::Null,
        json!([large]),
        json!({ "content": null }),
        json!({ "content": medium }),
        json!({ "content": [medium, { "text": "no type" }], "isError": false }),
        json!({ "resultType": "input_required", "inputRequests": { "a": large } }),
        json!({ "task": { "taskId": large } }),
    ] {
        assert_eq!(fixture.reducer.tool_result("t", result.clone(), LINKS).await, result);
    }
}

#[tokio::test]
async fn a_large_result_of_another_form_is_replaced_too() {
    for (content, media_type) in [
        (json!(large()), "text/plain"),
        (json!([large()]), "text/plain"),
        (json!([{ "type": 1, "text": large() }]), "text/plain"),
        (json!({ "type": "text", "text": large() }), "text/plain"),
    ] {
        let fixture = Fixture::new();
        let reduced = fixture.reducer.tool_result("t", json!({ "content": content }), NO_LINKS).await;
        let view = reduced["content"][0]["text"].as_str().unwrap();
        assert!(view.len() < 10_000 && reduced["content"].as_array().unwrap().len() == 1, "{view}");
        assert_eq!(fixture.stored(0).await, large().as_bytes());
        assert_eq!(fixture.artifacts().await[0].media_type, media_type);
    }
}

#[tokio::test]
async fn content_for_the_user_is_passed_on_and_not_described() {
    let fixture = Fixture::new();
    let for_user = json!({ "type": "text", "text": words(20_000), "annotations": { "audience": ["user"] } });
    let small = json!({ "content": [for_user, text("short")] });
    assert_eq!(fixture.reducer.tool_result("t", small.clone(), LINKS).await, small);
    let both = json!({ "content": [for_user, text(&large())] });
    let reduced = fixture.reducer.tool_result("t", both, NO_LINKS).await;
    assert_eq!(reduced["content"].as_array().unwrap().len(), 2);
    assert_eq!(reduced["content"][1], for_user);
    assert_eq!(fixture.artifacts().await.len(), 1);
}

#[tokio::test]
async fn structured_content_alone_is_a_text_for_clients_that_do_not_show_it() {
    let fixture = Fixture::new();
    let result = json!({ "content": [], "structuredContent": { "a": 1 } });
    let shown = fixture.reducer.tool_result("t", result.clone(), NO_LINKS).await;
    assert_eq!(shown["content"], json!([{ "type": "text", "text": "{\"a\":1}" }]));
    assert_eq!(fixture.reducer.tool_result("t", result.clone(), LINKS).await, result);
}

#[tokio::test]
async fn a_large_result_is_replaced_in_its_place() {
    let fixture = Fixture::new();
    let image = json!({ "type": "image", "data": "not even base64!", "mimeType": "image/png", "_meta": {} });
    let result = json!({
        "_meta": { "first": true },
        "content": [text(&large()), image, { "type": "resource_link", "uri": "file:///a", "name": "a" }],
        "isError": false,
        "resultType": "complete",
    });
    let reduced = fixture.reducer.tool_result("db_query", result, LINKS).await;
    let members: Vec<&String> = reduced.as_object().unwrap().keys().collect();
    assert_eq!(members, ["_meta", "content", "isError", "resultType"]);
    let content = reduced["content"].as_array().unwrap();
    let artifacts = fixture.artifacts().await;
    assert_eq!(content[1], image);
    assert_eq!(fixture.stored(0).await, large().as_bytes());
    let view = content[0]["text"].as_str().unwrap();
    assert!(view.contains(&artifacts[0].id) && view.contains("file:///a") && view.len() < 10_000, "{view}");
    assert_eq!(content.len(), 2 + artifacts.len());
    assert_eq!(content[2]["type"], "resource_link");
    assert_eq!(content[2]["uri"], format!("tuckaway://{}", artifacts[0].id));
    assert_eq!(content[2]["name"], artifacts[0].id);
    assert_eq!(content[2]["size"], large().len());
    assert_eq!(content[2]["mimeType"], "text/plain");
    assert!(content[2]["description"].as_str().unwrap().contains("20000 lines"));
}

#[tokio::test]
async fn structured_content_is_replaced_too() {
    let fixture = Fixture::new();
    let rows: Vec<Value> = (0..5_000).map(|n| json!({ "id": n, "name": format!("row {n}") })).collect();
    let structured = json!({ "rows": rows });
    for content in [json!([text(&structured.to_string())]), json!([]), Value::Null] {
        let mut result = json!({ "content": content, "structuredContent": structured });
        if content.is_null() {
            result.as_object_mut().unwrap().shift_remove("content");
        }
        let reduced = fixture.reducer.tool_result("db", result, NO_LINKS).await;
        let artifacts = fixture.artifacts().await;
        let view = &reduced["content"][0]["text"];
        assert_eq!(reduced["content"].as_array().unwrap().len(), 1);
        let id = &artifacts.last().unwrap().id;
        assert_eq!(
            reduced["structuredContent"],
            json!({ "tuckaway": { "action": "artifact", "view": view, "artifacts": [id] } })
        );
        assert!(view.as_str().unwrap().contains("array(5000)"));
    }
    // The content is stored once, although it was returned twice.
    assert_eq!(fixture.artifacts().await.len(), 3);
}

#[tokio::test]
async fn errors_stay_errors_and_show_their_message() {
    let fixture = Fixture::new();
    let message = format!("{}FATAL: disk quota exceeded\n", large());
    let reduced = fixture
        .reducer
        .tool_result("t", json!({ "content": [text(&message)], "isError": true }), LINKS)
        .await;
    assert_eq!(reduced["isError"], true);
    assert!(reduced["content"][0]["text"].as_str().unwrap().contains("FATAL: disk quota exceeded"));
}

#[tokio::test]
async fn blobs_are_decoded_and_stored() {
    let fixture = Fixture::new();
    let wrapped: String = BASE64_STANDARD
        .encode(large().as_bytes())
        .as_bytes()
        .chunks(76)
        .map(|line| format!("{}\r\n", String::from_utf8_lossy(line)))
        .collect();
    let item = json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": "text/plain", "blob": wrapped } });
    fixture.reducer.tool_result("t", json!({ "content": [item] }), LINKS).await;
    assert_eq!(fixture.stored(0).await, large().as_bytes());
    // Data that is not base64 is text.
    let item = json!({ "type": "audio", "data": large() });
    fixture.reducer.tool_result("t", json!({ "content": [item] }), LINKS).await;
    assert_eq!(fixture.stored(1).await, large().as_bytes());
    // An image that is text counts as text.
    let svg = format!("<svg>{}</svg>", "<g/>".repeat(50_000));
    let item =
        json!({ "type": "resource", "resource": { "uri": "a:b", "mimeType": "image/svg+xml", "text": svg } });
    fixture.reducer.tool_result("t", json!({ "content": [item] }), LINKS).await;
    assert_eq!(fixture.stored(2).await, svg.as_bytes());
    // Images without a type are detected.
    let png = [&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], &[0; 300_000]].concat();
    let image = json!({ "type": "image", "data": BASE64_STANDARD.encode(&png) });
    let reduced =
        fixture.reducer.tool_result("t", json!({ "content": [text(&large()), image] }), NO_LINKS).await;
    assert_eq!(reduced["content"][1], image);
}

#[tokio::test]
async fn caps_are_those_of_the_tool() {
    let mut settings =
        ReduceSettings { tool_caps: vec![("tiny*".to_owned(), 2_000)], ..ReduceSettings::default() };
    settings.policy.overrides =
        vec![ToolOverride { tools: "skill".to_owned(), exempt: true, mode: None, max_threshold_bytes: None }];
    let fixture = Fixture::with(settings);
    let of = |tokens: usize| json!({ "content": [text(&words(tokens))] });
    let is_reduced = async |tool: &str, tokens: usize| {
        let result = of(tokens);
        fixture.reducer.tool_result(tool, result.clone(), LINKS).await != result
    };
    assert!(!is_reduced("other", 9_900).await && is_reduced("other", 10_100).await);
    assert!(!is_reduced("fs_read_file", 24_900).await && is_reduced("fs_read_file", 25_100).await);
    assert!(!is_reduced("tiny_read_file", 1_900).await && is_reduced("tiny_read_file", 2_100).await);
    assert!(!is_reduced("skill", 1_000_000).await);
    // A server's tool is not exempt because it has the name of an artifact tool.
    assert!(is_reduced("artifact_read", 30_000).await);
}

#[tokio::test]
async fn nothing_is_reduced_if_the_policy_says_so() {
    let mut settings = ReduceSettings::default();
    settings.policy.enabled = false;
    let fixture = Fixture::with(settings);
    let result = json!({ "content": [text(&large())] });
    assert_eq!(fixture.reducer.tool_result("t", result.clone(), LINKS).await, result);
}

#[tokio::test]
async fn small_results_are_stored_if_all_are() {
    let fixture = Fixture::with_dialect(Dialect::Cache);
    let result = json!({ "content": [text("short")] });
    assert_eq!(fixture.reducer.tool_result("t", result.clone(), LINKS).await, result);
    assert_eq!(fixture.stored(0).await, b"short");
}

#[tokio::test]
async fn a_store_that_fails_leaves_a_truncated_result() {
    let tuckaway = Tuckaway::builder().store(OnDemand(Broken::Fails)).build().unwrap();
    let reducer = Reducer::new(tuckaway, Handle::current(), ReduceSettings::default());
    let result = json!({ "content": [text(&large())], "structuredContent": { "a": 1 }, "isError": true });
    let reduced = reducer.tool_result("t", result, LINKS).await;
    let view = reduced["content"][0]["text"].as_str().unwrap();
    assert!(view.starts_with("row 0 ") && (10_000..60_000).contains(&view.len()), "{}", view.len());
    assert_eq!(reduced["structuredContent"]["tuckaway"]["action"], "truncate");
    assert_eq!(reduced["isError"], true);
}

#[tokio::test]
async fn a_store_that_never_answers_leaves_a_truncated_result() {
    let builder = Tuckaway::builder().store(OnDemand(Broken::Hangs)).deadline(Duration::from_secs(2));
    let reducer = Reducer::new(builder.build().unwrap(), Handle::current(), ReduceSettings::default());
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let result = json!({ "content": [image, text(&large()), text(&large())], "isError": true });
    let reduced = reducer.tool_result("t", result, LINKS).await;
    let content = reduced["content"].as_array().unwrap();
    assert!(content.contains(&image));
    let view: String = content.iter().filter_map(|item| item["text"].as_str()).collect();
    assert!(view.contains("row 0 ") && view.contains("row 19999 ") && view.len() < 60_000, "{}", view.len());
    assert_eq!(reduced["isError"], true);
}

#[tokio::test]
async fn an_engine_that_fails_always_never_lets_a_large_result_pass() {
    let settings = ReduceSettings {
        policy: Policy { context_percentage: 7.0, ..ReduceSettings::default().policy },
        ..ReduceSettings::default()
    };
    let fixture = Fixture::with(settings);
    let reduced = fixture.reducer.tool_result("t", json!({ "content": [text(&large())] }), LINKS).await;
    assert!(reduced["content"][0]["text"].as_str().unwrap().contains("context_percentage is 7"));
    let medium = json!({ "content": [text(&words(7_500))] });
    assert_eq!(fixture.reducer.tool_result("t", medium.clone(), LINKS).await, medium);

    let tuckaway = Tuckaway::builder().memory_limit(1 << 20).build().unwrap();
    let reducer = Reducer::new(tuckaway, Handle::current(), ReduceSettings::default());
    let reduced =
        reducer.tool_result("t", json!({ "content": [text(&large())], "isError": true }), LINKS).await;
    let view = reduced["content"][0]["text"].as_str().unwrap();
    assert!(view.starts_with("[tuckaway could not store this output") && view.len() < 41_000, "{view}");
    assert_eq!(reduced["isError"], true);
}

#[test]
fn a_runtime_that_has_ended_loses_no_call() {
    let gone = tokio::runtime::Runtime::new().unwrap();
    let reducer =
        Reducer::new(Tuckaway::builder().build().unwrap(), gone.handle().clone(), ReduceSettings::default());
    gone.shutdown_background();
    let here = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    here.block_on(async {
        let result =
            json!({ "content": [text(&large())], "structuredContent": {}, "isError": false, "_meta": {} });
        let reduced = reducer.tool_result("t", result, LINKS).await;
        let view = &reduced["content"][0]["text"];
        assert!(view.as_str().unwrap().starts_with("The tool answered, but"));
        assert_eq!(reduced["structuredContent"]["tuckaway"]["view"], *view);
        assert_eq!((&reduced["isError"], &reduced["_meta"]), (&json!(false), &json!({})));
        assert!(
            reducer.artifact_tools().await.is_err() && reducer.read_artifact("tuckaway://a").await.is_err()
        );
        assert_eq!(reducer.call_artifact_tool("artifact_read", &json!({}), NO_LINKS).await["isError"], true);
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_result_does_not_hold_up_a_small_one() {
    let worker = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let reducer = Reducer::new(
        Tuckaway::builder().build().unwrap(),
        worker.handle().clone(),
        ReduceSettings::default(),
    );
    let huge = json!({ "content": [text(&large().repeat(20))] });
    let started = Instant::now();
    let small = json!({ "content": [text("small")] });
    let slow = async {
        reducer.tool_result("t", huge, LINKS).await;
        started.elapsed()
    };
    let quick = async {
        reducer.tool_result("t", small, LINKS).await;
        started.elapsed()
    };
    let (slow, quick) = tokio::join!(slow, quick);
    assert!(quick < slow, "{quick:?} {slow:?}");
    worker.shutdown_background();
}

#[tokio::test]
async fn a_result_that_was_cut_at_its_source_says_so() {
    let fixture = Fixture::new();
    let rows: Vec<Value> = (0..5_000).map(|n| json!({ "id": n, "name": format!("row {n}") })).collect();
    for (has_more, lines) in [(true, 1), (false, 0)] {
        let result = json!({ "content": [text(&json!({ "rows": rows, "has_more": has_more }).to_string())] });
        let reduced = fixture.reducer.tool_result("t", result, LINKS).await;
        let view = reduced["content"][0]["text"].as_str().unwrap();
        let said =
            view.lines().filter(|line| line.starts_with("[The tool returned only a part: has_more is true."));
        assert_eq!(said.count(), lines, "{view}");
    }
    let small = json!({ "content": [text("{\"has_more\": true}")] });
    assert_eq!(fixture.reducer.tool_result("t", small.clone(), LINKS).await, small);
}
