//! Clients that misbehave.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tuckaway_test_kit::mcp_client::wait;

use super::support::{OLD, Proxied, runs, server, settings, until};

/// Returns the messages of one method that the server has received.
async fn received(proxied: &Proxied, method: &str) -> Vec<Value> {
    let text = proxied.client.text("received", json!({})).await.unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    all.into_iter().filter(|message| message["method"] == method).collect()
}

async fn cancel(proxied: &Proxied, id: u64) {
    let params = json!({ "requestId": id, "reason": "enough" });
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    proxied.client.send(&cancelled).await.unwrap();
}

#[tokio::test]
async fn a_call_that_is_cancelled_is_cancelled_at_the_server() {
    is_cancelled_at_the_server(Proxied::of_one(&[]).await).await;
    is_cancelled_at_the_server(Proxied::of_one(&["--modern"]).await).await;
    is_cancelled_at_the_server(Proxied::modern(&[])).await;
    is_cancelled_at_the_server(Proxied::modern(&["--modern"])).await;
}

async fn is_cancelled_at_the_server(proxied: Proxied) {
    // So that the ids of both sides differ.
    for _ in 0..5 {
        proxied.client.request("prompts/get", json!({ "name": "none" })).await.unwrap();
        proxied.client.request("tools/call", json!({})).await.unwrap();
    }
    let (id, mut answer) =
        proxied.client.begin("tools/call", json!({ "name": "silent", "arguments": {} })).await.unwrap();
    let mut silent = Value::Null;
    while silent.is_null() {
        let calls = received(&proxied, "tools/call").await;
        let mut calls = calls.into_iter().filter(|call| call["params"]["name"] == "silent");
        silent = calls.next().unwrap_or_default();
    }
    cancel(&proxied, id).await;
    let mut cancelled = Vec::new();
    for _ in 0..100 {
        cancelled = received(&proxied, "notifications/cancelled").await;
        if !cancelled.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(cancelled.len(), 1);
    assert_eq!(cancelled[0]["params"]["requestId"], silent["id"]);
    assert_ne!(silent["id"], id, "the server's id is ours, not the client's");
    assert!(answer.try_recv().is_err(), "a cancelled request has no answer");
    proxied.end().await;
}

#[tokio::test]
async fn what_is_cancelled_late_or_never_was_is_ignored() {
    let proxied = Proxied::of_one(&[]).await;
    let (id, answer) =
        proxied.client.begin("tools/call", json!({ "name": "echo", "arguments": {} })).await.unwrap();
    wait(answer).await.unwrap();
    cancel(&proxied, id).await;
    cancel(&proxied, 4_711).await;
    proxied.still_works().await;
}

#[tokio::test]
async fn what_comes_before_the_first_request_is_ignored() {
    let proxied = Proxied::with(settings(vec![server("scripted", &[])]));
    let client = &proxied.client;
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await.unwrap();
    client.send(&json!({ "jsonrpc": "2.0", "id": 900, "result": {} })).await.unwrap();
    client
        .send(&json!({ "jsonrpc": "2.0", "id": 901, "error": { "code": 1, "message": "?" } }))
        .await
        .unwrap();
    client.send_line(b"not JSON at all").await.unwrap();
    client.initialize(OLD, json!({})).await.unwrap();
    proxied.still_works().await;
}

#[tokio::test]
async fn a_request_before_the_introduction_is_refused_and_nothing_is_lost() {
    let proxied = Proxied::with(settings(vec![server("scripted", &[])]));
    let early = proxied.client.request("tools/list", json!({})).await.unwrap();
    assert!(early["error"]["message"].is_string(), "{early}");
    let answer = proxied.client.initialize(OLD, json!({})).await.unwrap();
    assert_eq!(answer["result"]["protocolVersion"], OLD);
    proxied.still_works().await;
}

#[tokio::test]
async fn a_ping_may_come_first() {
    let proxied = Proxied::with(settings(vec![server("scripted", &[])]));
    assert!(proxied.client.request("ping", json!({})).await.unwrap()["result"].is_object());
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    proxied.still_works().await;
}

#[tokio::test]
async fn a_second_introduction_changes_nothing() {
    let proxied = Proxied::of_one(&[]).await;
    let again = proxied.client.request("initialize", json!({})).await.unwrap();
    assert!(again.get("error").is_some() || again.get("result").is_some());
    proxied.still_works().await;
}

#[tokio::test]
async fn a_tool_that_is_gone_or_never_was_is_an_answer() {
    let proxied = Proxied::of_one(&[]).await;
    proxied.client.call("remove", json!({ "name": "structured" })).await.unwrap();
    proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
    assert!(!proxied.names().await.contains(&"structured".to_owned()));
    let unnamed = proxied.client.request("tools/call", json!({ "arguments": {} })).await.unwrap();
    assert_eq!(unnamed["error"]["code"], -32602);
    let other = proxied.client.request("no/such/method", json!({})).await.unwrap();
    assert_eq!(other["error"]["code"], -32601);
    proxied.still_works().await;
}

#[tokio::test]
async fn an_id_that_is_used_twice_is_answered() {
    let proxied = Proxied::of_one(&[]).await;
    let call = |text: &str| {
        let params = json!({ "name": "echo", "arguments": { "text": text } });
        json!({ "jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": params })
    };
    proxied.client.send(&call("one")).await.unwrap();
    proxied.client.send(&call("two")).await.unwrap();
    // Nobody could say whose a second answer is.
    let answer = proxied.client.other().await.unwrap();
    assert_eq!(answer["id"], "same");
    let text = &answer["result"]["content"][0]["text"];
    assert!(text == "one" || text == "two", "{answer}");
    proxied.still_works().await;
}

#[tokio::test]
async fn lines_that_are_no_messages_change_nothing() {
    let proxied = Proxied::of_one(&[]).await;
    let lines: [&[u8]; 12] = [
        b"",
        b"{",
        b"[]",
        b"[[[]]]",
        b"null",
        b"\"text\"",
        b"\xff\xfe\x00",
        b"{\"jsonrpc\":\"2.0\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"method\":7}",
        b"{\"jsonrpc\":\"2.0\",\"id\":800,\"method\":\"tools/call\",\"params\":[1]}",
        b"{\"jsonrpc\":\"2.0\",\"id\":801,\"method\":\"tools/call\",\"params\":{\"name\":7,\"_meta\":3}}",
    ];
    for line in lines {
        proxied.client.send_line(line).await.unwrap();
    }
    proxied.still_works().await;
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused() {
    let mut small = settings(vec![server("scripted", &[])]);
    small.max_result_bytes = 1 << 20;
    let proxied = Proxied::with(small);
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let arguments = json!({ "text": "x".repeat(2 << 20) });
    let refused = proxied
        .client
        .request("tools/call", json!({ "name": "echo", "arguments": arguments }))
        .await
        .unwrap();
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("2 MB") && why.contains("max_result"), "{why}");
    proxied.still_works().await;
}

#[tokio::test]
async fn a_broken_request_with_an_id_is_refused() {
    let proxied = Proxied::of_one(&[]).await;
    proxied
        .client
        .send_line(b"{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"tools/list\",\"params\":{]}")
        .await
        .unwrap();
    let refused = proxied.client.other().await.unwrap();
    assert_eq!((refused["id"].as_str(), refused["error"].is_object()), (Some("mine"), true), "{refused}");
    proxied.still_works().await;
}

#[tokio::test]
async fn servers_end_with_a_client_that_goes_in_the_middle_of_a_call() {
    let many: Vec<_> = ["a", "b", "c"].iter().map(|name| server(name, &[])).collect();
    let proxied = Proxied::with(settings(many));
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let mut pids = Vec::new();
    for name in ["a", "b", "c"] {
        pids.push(proxied.client.text(&format!("{name}_pid"), json!({})).await.unwrap());
        let silent = json!({ "name": format!("{name}_silent"), "arguments": {} });
        proxied.client.begin("tools/call", silent).await.unwrap();
    }
    assert!(pids.iter().all(|pid| runs(pid)));
    let begun = Instant::now();
    proxied.end().await;
    until("the servers have ended", || !pids.iter().any(|pid| runs(pid))).await;
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}
