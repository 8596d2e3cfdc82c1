//! Servers that misbehave: each call gets an answer, and the next call works.

use std::time::Duration;

use serde_json::{Value, json};
use tuckaway_mcp::config::Reach;
use tuckaway_test_kit::mcp_client::text_of;

use super::support::{OLD, Proxied, runs, server, settings, until};

/// Calls a tool, and returns the answer as a whole.
async fn answer(proxied: &Proxied, tool: &str, arguments: Value) -> Value {
    proxied.client.request("tools/call", json!({ "name": tool, "arguments": arguments })).await.unwrap()
}

async fn text(proxied: &Proxied, tool: &str, arguments: Value) -> String {
    text_of(&answer(proxied, tool, arguments).await["result"])
}

#[tokio::test]
async fn what_is_right_passes_as_it_is() {
    let proxied = Proxied::of_one(&[]).await;
    let result = |answer: Value| answer["result"].clone();
    assert_eq!(
        result(answer(&proxied, "echo", json!({ "text": "é😀" })).await),
        json!({ "content": [{ "type": "text", "text": "é😀" }] })
    );
    let structured = result(answer(&proxied, "structured", json!({})).await);
    assert_eq!(structured["structuredContent"]["rows"].as_array().unwrap().len(), 3);
    let error = result(answer(&proxied, "error", json!({})).await);
    assert_eq!(error, json!({ "content": [{ "type": "text", "text": "it did not work" }], "isError": true }));
    let link = result(answer(&proxied, "link", json!({})).await);
    assert_eq!(link["content"][0]["uri"], "test://small");
    let refused = answer(&proxied, "failure", json!({})).await;
    assert_eq!(refused["error"], json!({ "code": -32042, "message": "refused on purpose" }));
    let params = json!({ "name": "progress", "arguments": {}, "_meta": { "progressToken": "mine" } });
    proxied.client.result("tools/call", params).await.unwrap();
    for step in 1..=3 {
        let progress = proxied.client.other_of("notifications/progress").await.unwrap();
        assert_eq!(
            progress["params"],
            json!({ "progressToken": "mine", "progress": step, "message": "working" })
        );
    }
    proxied.still_works().await;
}

#[tokio::test]
async fn all_pages_are_listed_with_what_is_unknown() {
    let proxied = Proxied::of_one(&["--tools", "one,two"]).await;
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    assert_eq!(list.get("nextCursor"), None);
    let names = super::support::names(&list);
    assert_eq!((&*names[0], &*names[34]), ("echo", "two"));
    assert!(names[35..].iter().all(|name| name.starts_with("artifact_")), "{names:?}");
    assert_eq!(list["tools"][0]["x-unknown"], json!({ "kept": true }));
    proxied.still_works().await;
}

#[tokio::test]
async fn garbage_between_messages_is_ignored() {
    let proxied = Proxied::of_one(&["--fault", "chatty"]).await;
    assert_eq!(text(&proxied, "garbage", json!({})).await, "after garbage");
    proxied.still_works().await;
}

#[tokio::test]
async fn answers_that_nobody_waits_for_are_ignored() {
    let proxied = Proxied::of_one(&[]).await;
    assert_eq!(text(&proxied, "unknown_id", json!({})).await, "mine");
    assert_eq!(text(&proxied, "twice", json!({})).await, "first");
    proxied.still_works().await;
}

#[tokio::test]
async fn half_a_line_is_waited_for() {
    let proxied = Proxied::of_one(&[]).await;
    assert_eq!(text(&proxied, "half", json!({})).await, "in two halves");
    proxied.still_works().await;
}

#[tokio::test]
async fn a_server_that_ends_in_a_call_is_started_again() {
    for tool in ["half_exit", "exit"] {
        let proxied = Proxied::of_one(&[]).await;
        let before = text(&proxied, "pid", json!({})).await;
        let result = answer(&proxied, tool, json!({})).await["result"].clone();
        assert_eq!(result["isError"], true);
        let why = text_of(&result);
        assert!(why.contains(tool) && why.contains("scripted") && why.contains("ended"), "{why}");
        proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
        let mut after = String::new();
        for _ in 0..100 {
            let again = answer(&proxied, "pid", json!({})).await["result"].clone();
            after = text_of(&again);
            if again.get("isError").is_none() {
                break;
            }
            // It pauses: the call fails at once, with the reason.
            assert!(after.contains("is not running"), "{after}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_ne!(before, after);
        assert!(!runs(&before) && runs(&after), "{before} {after}");
        proxied.still_works().await;
        until("the server has ended", || !runs(&after)).await;
    }
}

#[tokio::test]
async fn calls_that_a_server_took_with_it_are_all_answered() {
    let proxied = Proxied::of_one(&[]).await;
    proxied.client.text("echo", json!({})).await.unwrap();
    let mut answers = Vec::new();
    for _ in 0..20 {
        let params = json!({ "name": "silent", "arguments": {} });
        answers.push(proxied.client.begin("tools/call", params).await.unwrap().1);
    }
    assert_eq!(answer(&proxied, "exit", json!({})).await["result"]["isError"], true);
    for answer in answers {
        let answer = tuckaway_test_kit::mcp_client::wait(answer).await.unwrap();
        assert_eq!(answer["result"]["isError"], true);
    }
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_does_not_start_fails_the_introduction() {
    let proxied = Proxied::with(settings(vec![server("broken", &["--fault", "exit"])]));
    let answer = proxied.client.initialize(OLD, json!({})).await.unwrap();
    let why = answer["error"]["message"].as_str().unwrap();
    assert!(why.starts_with("The server broken is not running: "), "{why}");
    proxied.refused().await;
}

#[tokio::test]
async fn a_program_that_is_missing_is_named() {
    let mut missing = settings(vec![server("missing", &[])]);
    if let Reach::Command { program, .. } = &mut missing.servers[0].reach {
        *program = "no-such-program-anywhere".to_owned();
    }
    let proxied = Proxied::with(missing);
    let answer = proxied.client.initialize(OLD, json!({})).await.unwrap();
    let why = answer["error"]["message"].as_str().unwrap();
    assert!(why.contains("no-such-program-anywhere"), "{why}");
    proxied.refused().await;
}

#[tokio::test]
async fn the_client_is_answered_though_the_server_never_is_introduced() {
    let proxied = Proxied::with(settings(vec![server("mute", &["--fault", "mute"])]));
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    assert!(proxied.client.request("ping", json!({})).await.unwrap()["result"].is_object());
    // The call waits for the server, and can be cancelled.
    let (id, _) = proxied.client.begin("tools/call", json!({ "name": "echo" })).await.unwrap();
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    proxied.client.send(&cancelled).await.unwrap();
    assert!(proxied.client.request("ping", json!({})).await.unwrap()["result"].is_object());
    proxied.end().await;
}

#[tokio::test]
async fn text_that_is_not_unicode_is_repaired() {
    let proxied = Proxied::of_one(&[]).await;
    assert_eq!(text(&proxied, "invalid_utf8", json!({})).await, "caf\u{fffd}");
    assert_eq!(text(&proxied, "surrogate", json!({})).await, "cut \u{fffd}");
    proxied.still_works().await;
}

#[tokio::test]
async fn a_result_over_the_limit_is_an_error_that_names_the_tool() {
    let mut small = settings(vec![server("scripted", &[])]);
    small.max_result_bytes = 4 << 20;
    let proxied = Proxied::with(small);
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let result = answer(&proxied, "big", json!({ "bytes": 12 << 20 })).await["result"].clone();
    assert_eq!(result["isError"], true);
    let why = text_of(&result);
    for part in ["Tool big", "scripted", "12.5 MB", "4.1 MB", "max_result"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let fits = answer(&proxied, "big", json!({ "bytes": 3 << 20 })).await["result"].clone();
    assert_eq!(fits.get("isError"), None);
    proxied.still_works().await;
}

#[tokio::test]
async fn a_large_error_is_cut() {
    let proxied = Proxied::of_one(&[]).await;
    let error = answer(&proxied, "huge_failure", json!({})).await["error"].clone();
    assert_eq!(error["code"], -32042);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("a long story") && message.len() < 20_000, "{}", message.len());
    proxied.still_works().await;
}

#[tokio::test]
async fn a_flood_of_standard_error_blocks_nothing() {
    let proxied = Proxied::of_one(&[]).await;
    assert_eq!(text(&proxied, "stderr", json!({ "bytes": 10 << 20 })).await, "said a lot");
    proxied.still_works().await;
}

#[tokio::test]
async fn nesting_without_an_end_is_an_error_of_that_call() {
    let proxied = Proxied::of_one(&[]).await;
    for levels in [500, 200_000] {
        let result = answer(&proxied, "deep", json!({ "levels": levels })).await["result"].clone();
        assert_eq!(result["isError"], true);
        assert!(text_of(&result).contains("Tool deep"), "{result}");
    }
    proxied.still_works().await;
}

#[tokio::test]
async fn batches_are_taken_apart() {
    let proxied = Proxied::of_one(&[]).await;
    assert_eq!(text(&proxied, "batch", json!({})).await, "batched");
    let note = proxied.client.other_of("notifications/message").await.unwrap();
    assert_eq!(note["params"]["data"], "in a batch");
    proxied.still_works().await;
}

#[tokio::test]
async fn results_of_another_shape_are_answers() {
    let proxied = Proxied::of_one(&[]).await;
    for tool in ["not_object", "null_result", "no_result"] {
        let answer = answer(&proxied, tool, json!({})).await;
        assert!(answer.get("result").is_some() || answer.get("error").is_some(), "{tool}: {answer}");
    }
    proxied.still_works().await;
}

#[tokio::test]
async fn a_cursor_that_repeats_ends_the_list() {
    let proxied = Proxied::of_one(&["--fault", "cursor"]).await;
    let names = proxied.names().await;
    assert!(names.len() < 40, "{}", names.len());
    proxied.still_works().await;
}

#[tokio::test]
async fn a_list_without_an_end_is_bounded() {
    let proxied = Proxied::of_one(&["--fault", "endless"]).await;
    let names = proxied.names().await;
    assert!(names.len() < 11_000, "{}", names.len());
    proxied.still_works().await;
}

#[tokio::test]
async fn a_list_that_never_comes_can_be_cancelled() {
    let proxied = Proxied::of_one(&["--fault", "no-list"]).await;
    let (id, _) = proxied.client.begin("tools/list", json!({})).await.unwrap();
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    proxied.client.send(&cancelled).await.unwrap();
    assert_eq!(proxied.client.text("echo", json!({ "text": "alive" })).await.unwrap(), "alive");
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_ignores_the_end_of_its_input_is_ended() {
    let proxied = Proxied::of_one(&["--fault", "orphan"]).await;
    let pid = proxied.client.text("pid", json!({})).await.unwrap();
    proxied.end().await;
    until("the server has ended", || !runs(&pid)).await;
}

#[tokio::test]
async fn what_a_server_has_started_ends_with_it() {
    let mut wrapped = settings(vec![server("wrapped", &[])]);
    if let Reach::Command { program, args, .. } = &mut wrapped.servers[0].reach {
        // The shell waits for the server, as npx does.
        *args = vec!["-c".to_owned(), format!("{program} --fault orphan; true")];
        *program = "sh".to_owned();
    }
    let proxied = Proxied::with(wrapped);
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let pid = proxied.client.text("pid", json!({})).await.unwrap();
    assert!(runs(&pid));
    proxied.end().await;
    until("the server has ended", || !runs(&pid)).await;
}
