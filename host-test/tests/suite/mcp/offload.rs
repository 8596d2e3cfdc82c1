//! Results that are stored, end to end.

use serde_json::{Value, json};
use tuckaway_test_kit::mcp_client::text_of;

use super::support::Proxied;

/// Returns the id of the artifact that a result names.
fn id(result: &Value) -> String {
    let text = result.to_string();
    let start = text.find("art_").unwrap_or_else(|| panic!("no artifact: {text}"));
    text[start..].chars().take_while(|&c| c.is_ascii_alphanumeric() || c == '_').collect()
}

#[tokio::test]
async fn a_large_result_is_an_envelope_and_can_be_asked() {
    for proxied in [Proxied::of_one(&[]).await, Proxied::modern(&["--modern"]), Proxied::modern(&[])] {
        let result = proxied.client.call("big", json!({ "bytes": 5 << 20 })).await.unwrap();
        assert!(result.to_string().len() < 60_000);
        assert_eq!(result.get("isError"), None);
        let id = id(&result);
        let uri = format!("tuckaway://{id}");
        let links = result["content"].as_array().unwrap().iter().filter(|block| block["uri"] == uri);
        assert_eq!(links.count(), 1, "{result}");
        let read = json!({ "artifact_id": id, "start_line": 10, "end_line": 12 });
        let read = proxied.client.text("artifact_read", read).await.unwrap();
        assert!(read.contains("a row of a result"), "{read}");
        let grep = json!({ "artifact_id": id, "pattern": "far too large", "max_matches": 2 });
        let grep = proxied.client.text("artifact_grep", grep).await.unwrap();
        assert!(grep.contains("far too large"), "{grep}");
        let resource = proxied.client.result("resources/read", json!({ "uri": uri })).await.unwrap();
        assert!(resource["contents"][0]["text"].as_str().unwrap().starts_with("a row of"));
        let lines = format!("{uri}#lines=1:2");
        let resource = proxied.client.result("resources/read", json!({ "uri": lines })).await.unwrap();
        let text = resource["contents"][0]["text"].as_str().unwrap();
        assert!(text.len() < 1_000 && text.contains("a row of"), "{text}");
        proxied.still_works().await;
    }
}

#[tokio::test]
async fn structured_content_is_an_envelope_too() {
    let proxied = Proxied::of_one(&[]).await;
    let result = proxied.client.call("big_structured", json!({})).await.unwrap();
    assert!(result.to_string().len() < 60_000);
    assert_eq!(result["isError"], false);
    let id = id(&result["structuredContent"]);
    assert!(text_of(&result).contains(&id));
    let filter = json!({ "artifact_id": id, "filter": ".rows | length" });
    let counted = proxied.client.text("artifact_jq", filter).await.unwrap();
    assert!(counted.contains("20000"), "{counted}");
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    for tool in list["tools"].as_array().unwrap() {
        assert_eq!(tool.get("outputSchema"), None, "{tool}");
        assert!(!tool["description"].as_str().unwrap().contains("\"rows\""), "{tool}");
    }
    proxied.still_works().await;
}

#[tokio::test]
async fn errors_stay_errors_and_images_images() {
    let proxied = Proxied::of_one(&[]).await;
    let error = proxied.client.call("big_error", json!({})).await.unwrap();
    assert_eq!(error["isError"], true);
    assert!(error.to_string().len() < 60_000);
    let image = proxied.client.call("image", json!({})).await.unwrap();
    let blocks = image["content"].as_array().unwrap();
    let images: Vec<_> = blocks.iter().filter(|block| block["type"] == "image").collect();
    assert_eq!(images.len(), 1);
    assert!(images[0]["data"].as_str().unwrap().starts_with("iVBOR"));
    assert!(image.to_string().len() < 60_000);
    id(&image);
    proxied.still_works().await;
}

#[tokio::test]
async fn the_result_of_a_task_is_reduced() {
    let proxied = Proxied::of_one(&[]).await;
    let params = json!({ "name": "task", "arguments": {}, "task": { "ttl": 60_000 } });
    let created = proxied.client.result("tools/call", params).await.unwrap();
    assert_eq!(created["task"]["taskId"], "task-1", "{created}");
    let status = proxied.client.result("tasks/get", json!({ "taskId": "task-1" })).await.unwrap();
    assert_eq!(status["status"], "completed");
    let result = proxied.client.result("tasks/result", json!({ "taskId": "task-1" })).await.unwrap();
    assert!(result.to_string().len() < 60_000);
    id(&result);
    proxied.still_works().await;

    let proxied = Proxied::modern(&["--modern"]);
    let created = proxied.client.call("task", json!({})).await.unwrap();
    assert_eq!((&created["resultType"], &created["taskId"]), (&json!("task"), &json!("task-1")));
    let got = proxied.client.result("tasks/get", json!({ "taskId": "task-1" })).await.unwrap();
    assert_eq!(got["status"], "completed");
    assert!(got.to_string().len() < 60_000);
    id(&got["result"]);
    proxied.still_works().await;
}

#[tokio::test]
async fn large_resources_are_reduced() {
    let proxied = Proxied::of_one(&[]).await;
    let read = proxied.client.result("resources/read", json!({ "uri": "test://big" })).await.unwrap();
    assert!(read.to_string().len() < 150_000, "{}", read.to_string().len());
    id(&read);
    proxied.still_works().await;
}
