//! Every revision of the client with every kind of server.

use serde_json::{Value, json};
use tuckaway_test_kit::mcp_client::{McpClient, text_of};

use super::support::{Proxied, names, server, settings};

const OLD: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const KINDS: [&[&str]; 2] = [&[], &["--modern"]];

/// Asserts that lists, calls, resources and prompts work.
async fn all_work(client: &McpClient, is_modern: bool) {
    let results = [
        client.result("tools/list", json!({})).await.unwrap(),
        client.call("echo", json!({ "text": "hello" })).await.unwrap(),
        client.call("structured", json!({})).await.unwrap(),
        client.result("resources/list", json!({})).await.unwrap(),
        client.result("resources/templates/list", json!({})).await.unwrap(),
        client.result("resources/read", json!({ "uri": "test://small" })).await.unwrap(),
        client.result("prompts/list", json!({})).await.unwrap(),
        client.result("prompts/get", json!({ "name": "greeting" })).await.unwrap(),
    ];
    for result in &results {
        let expected = if is_modern { json!("complete") } else { Value::Null };
        assert_eq!(result["resultType"], expected, "{result}");
    }
    assert!(names(&results[0]).contains(&"artifact_read".to_owned()));
    assert_eq!(text_of(&results[1]), "hello");
    assert_eq!(results[2]["structuredContent"]["rows"].as_array().unwrap().len(), 3);
    assert_eq!(results[5]["contents"][0]["text"], "contents of test://small");
    assert_eq!(results[7]["messages"][0]["content"]["text"], "prompt \"greeting\"");
    let call = json!({ "name": "progress", "arguments": {}, "_meta": { "progressToken": "mine" } });
    client.result("tools/call", call).await.unwrap();
    for step in 1..=3 {
        let progress = client.other_of("notifications/progress").await.unwrap();
        assert_eq!(
            (&progress["params"]["progressToken"], &progress["params"]["progress"]),
            (&json!("mine"), &json!(step))
        );
    }
    let lists = [&results[0], &results[3], &results[4], &results[6]];
    assert!(!is_modern || lists.iter().all(|list| list["ttlMs"].is_number()));
}

#[tokio::test]
async fn clients_with_an_introduction_reach_old_and_new_servers() {
    for version in OLD {
        for args in KINDS {
            let proxied = Proxied::with(settings(vec![server("scripted", args)]));
            let answer = proxied.client.initialize(version, json!({})).await.unwrap();
            assert_eq!(answer["result"]["protocolVersion"], version);
            assert_eq!(answer["result"]["serverInfo"]["name"], "scripted", "{args:?}");
            assert_eq!(answer["result"]["instructions"], "Call echo.");
            assert!(answer["result"]["capabilities"]["tools"]["listChanged"] == true);
            all_work(&proxied.client, false).await;
            proxied.end().await;
        }
    }
}

#[tokio::test]
async fn a_revision_that_nobody_knows_is_answered_with_one_that_is_known() {
    let proxied = Proxied::with(settings(vec![server("scripted", &[])]));
    let answer = proxied.client.initialize("2099-01-01", json!({})).await.unwrap();
    assert!(OLD.contains(&answer["result"]["protocolVersion"].as_str().unwrap()), "{answer}");
    proxied.still_works().await;
}

#[tokio::test]
async fn clients_without_an_introduction_reach_old_and_new_servers() {
    for args in KINDS {
        let proxied = Proxied::modern(args);
        let discovered = proxied.client.result("server/discover", json!({})).await.unwrap();
        assert!(discovered["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
        assert_eq!(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "scripted");
        all_work(&proxied.client, true).await;
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn the_first_message_of_a_modern_client_may_be_a_call() {
    for args in KINDS {
        let proxied = Proxied::modern(args);
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn a_request_without_what_introduces_the_client_is_refused() {
    let proxied = Proxied::modern(&[]);
    proxied.client.result("server/discover", json!({})).await.unwrap();
    let request = json!({ "jsonrpc": "2.0", "id": "bare", "method": "tools/list", "params": {} });
    proxied.client.send(&request).await.unwrap();
    let refused = proxied.client.other().await.unwrap();
    assert_eq!((refused["id"].as_str(), refused["error"].is_object()), (Some("bare"), true), "{refused}");
    proxied.still_works().await;
}

#[tokio::test]
async fn modern_clients_subscribe_to_changes_of_old_and_new_servers() {
    for args in KINDS {
        let proxied = Proxied::modern(args);
        proxied.client.result("server/discover", json!({})).await.unwrap();
        let filter = json!({ "notifications": { "toolsListChanged": true } });
        let (id, _open) = proxied.client.begin("subscriptions/listen", filter).await.unwrap();
        let subscription =
            |message: &Value| message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
        let method = "notifications/subscriptions/acknowledged";
        let acknowledged = proxied.client.other_of(method).await.unwrap();
        assert_eq!(subscription(&acknowledged), id, "{acknowledged}");
        proxied.client.call("news", json!({})).await.unwrap();
        let news = proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
        assert_eq!(subscription(&news), id, "{args:?}: {news}");
        proxied.end().await;
    }
}

#[tokio::test]
async fn methods_that_were_removed_are_unknown() {
    let proxied = Proxied::modern(&["--modern"]);
    for method in ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let params = json!({ "level": "error", "uri": "test://a" });
        let answer = proxied.client.request(method, params).await.unwrap();
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    proxied.end().await;
}
