//! Servers that ask the client for something while they work on its call: all four
//! combinations of revisions with and without requests of servers.

use serde_json::{Value, json};
use tuckaway_test_kit::mcp_client::{text_of, wait};

use super::support::Proxied;

const KINDS: [&[&str]; 2] = [&[], &["--modern"]];

/// Requests of servers, and a client's answers.
fn asks() -> [(&'static str, Value, Value); 3] {
    [
        ("roots/list", json!({}), json!({ "roots": [{ "uri": "file:///work" }] })),
        (
            "elicitation/create",
            json!({ "message": "Which?", "mode": "form", "requestedSchema": { "type": "object", "properties": {} } }),
            json!({ "action": "accept", "content": { "which": "this" } }),
        ),
        (
            "sampling/createMessage",
            json!({ "messages": [], "maxTokens": 9 }),
            json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "said" } }),
        ),
    ]
}

#[tokio::test]
async fn old_clients_are_asked_by_old_and_new_servers() {
    for args in KINDS {
        let proxied = Proxied::of_one(args).await;
        for (method, params, answer) in asks() {
            let call = json!({ "name": "ask", "arguments": { "method": method, "params": params } });
            let (_, result) = proxied.client.begin("tools/call", call).await.unwrap();
            let asked = proxied.client.other_of(method).await.unwrap();
            assert_eq!(asked["params"]["message"], params["message"], "{args:?} {method}");
            proxied.client.answer(&asked, answer.clone()).await.unwrap();
            let text = text_of(&wait(result).await.unwrap()["result"]);
            let got: Value = serde_json::from_str(&text).unwrap();
            let got = if args.is_empty() { &got["result"] } else { &got["first"] };
            assert_eq!(*got, answer, "{args:?} {method}");
        }
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn new_clients_are_asked_by_old_and_new_servers() {
    for args in KINDS {
        let proxied = Proxied::modern(args);
        for (method, params, answer) in asks() {
            let mut call = json!({ "name": "ask", "arguments": { "method": method, "params": params } });
            let required = proxied.client.result("tools/call", call.clone()).await.unwrap();
            assert_eq!(required["resultType"], "input_required", "{args:?} {method}: {required}");
            let requests = required["inputRequests"].as_object().unwrap();
            let (key, request) = requests.iter().next().unwrap();
            assert_eq!(request["method"], method);
            assert_eq!(request["params"]["message"], params["message"]);
            call["inputResponses"] = json!({ key: answer });
            call["requestState"] = required["requestState"].clone();
            let result = proxied.client.result("tools/call", call).await.unwrap();
            assert_eq!(result["resultType"], "complete");
            let got: Value = serde_json::from_str(&text_of(&result)).unwrap();
            let got = if args.is_empty() { &got["result"] } else { &got["first"] };
            assert_eq!(*got, answer, "{args:?} {method}");
        }
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn a_client_that_refuses_an_input_is_heard() {
    for args in KINDS {
        let proxied = Proxied::of_one(args).await;
        let call = json!({ "name": "ask", "arguments": { "method": "elicitation/create", "params": {} } });
        let (_, result) = proxied.client.begin("tools/call", call).await.unwrap();
        let asked = proxied.client.other_of("elicitation/create").await.unwrap();
        let error = json!({ "code": -1, "message": "not now" });
        proxied.client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error })).await.unwrap();
        let answer = wait(result).await.unwrap();
        assert!(answer.to_string().contains("not now"), "{args:?}: {answer}");
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn an_input_for_a_request_that_does_not_wait_is_refused() {
    let proxied = Proxied::modern(&[]);
    let call = json!({
        "name": "ask", "arguments": {}, "requestState": "tuckaway-held:99", "inputResponses": { "input": {} }
    });
    let refused = proxied.client.request("tools/call", call).await.unwrap();
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    proxied.still_works().await;
}

#[tokio::test]
async fn servers_may_ping() {
    let proxied = Proxied::of_one(&[]).await;
    let answer = proxied.client.text("ask", json!({ "method": "ping", "params": {} })).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["result"], json!({}));
    proxied.still_works().await;
}
