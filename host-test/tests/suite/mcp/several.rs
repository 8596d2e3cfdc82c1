//! Several servers with one proxy.

use std::time::Duration;

use serde_json::json;

use super::support::{OLD, Proxied, names, server, settings};

const MESSAGE: &str = "notifications/message";
/// The time in which a server that cannot be started is started several times.
const SEVERAL_STARTS: Duration = Duration::from_secs(2);

async fn proxied(servers: &[(&str, &[&str])]) -> Proxied {
    let proxied = Proxied::with(settings(servers.iter().map(|(name, args)| server(name, args)).collect()));
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    proxied
}

/// Returns the servers' names, in the order in which their tools are listed.
fn order(names: &[String]) -> Vec<&str> {
    let mut order: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("_echo")).collect();
    order.dedup();
    order
}

#[tokio::test]
async fn ten_servers_are_listed_in_the_order_of_the_configuration() {
    let own: Vec<String> = (0..10).map(|n| format!("s{}", 9 - n)).collect();
    let all: Vec<(&str, &[&str])> = own.iter().map(|name| (name.as_str(), &[] as &[&str])).collect();
    let proxied = proxied(&all).await;
    let listed = proxied.names().await;
    assert_eq!(order(&listed), own);
    assert_eq!(listed, proxied.names().await, "the order is the same each time");
    for name in &own {
        let text = json!({ "text": name });
        assert_eq!(proxied.client.text(&format!("{name}_echo"), text).await.unwrap(), *name);
    }
    let mut pids = Vec::new();
    for name in &own {
        pids.push(proxied.client.text(&format!("{name}_pid"), json!({})).await.unwrap());
    }
    pids.sort();
    pids.dedup();
    assert_eq!(pids.len(), 10, "each name is another server");
    let unknown = proxied.client.request("tools/call", json!({ "name": "echo" })).await.unwrap();
    assert_eq!(unknown["error"]["code"], -32602);
    proxied.end().await;
}

#[tokio::test]
async fn servers_that_do_not_start_leave_the_lists_of_the_others() {
    let servers = [("broken", &["--fault", "exit"][..]), ("one", &[]), ("two", &["--modern"])];
    let proxied = Proxied::with(settings(servers.map(|(name, flags)| server(name, flags)).to_vec()));
    let introduced = proxied.client.initialize(OLD, json!({})).await.unwrap();
    let instructions = introduced["result"]["instructions"].as_str().unwrap();
    assert!(instructions.contains("# broken\n\nThis server is not running: "), "{instructions}");
    let listed = proxied.names().await;
    assert_eq!(order(&listed), ["one", "two"]);
    assert!(listed.iter().any(|name| name == "artifact_read"));
    let why = proxied.client.request("tools/call", json!({ "name": "broken_echo" })).await.unwrap();
    assert!(why.to_string().contains("broken"), "{why}");
    let told = proxied.client.other_of(MESSAGE).await.unwrap();
    assert_eq!((&told["params"]["level"], &told["params"]["logger"]), (&json!("error"), &json!("broken")));
    let data = told["params"]["data"].as_str().unwrap();
    assert!(data.starts_with("The server broken is not running: "), "{data}");
    let again = tokio::time::timeout(SEVERAL_STARTS, proxied.client.other_of(MESSAGE)).await;
    assert!(again.is_err(), "the message comes only once: {again:?}");
    proxied.end().await;
}

#[tokio::test]
async fn a_client_is_told_of_servers_that_failed_once_it_is_ready() {
    let servers = [("broken", &["--fault", "exit"][..]), ("one", &[])];
    let proxied = Proxied::with(settings(servers.map(|(name, flags)| server(name, flags)).to_vec()));
    let introduction = json!({
        "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": "raw", "version": "1" },
    });
    proxied.client.request("initialize", introduction).await.unwrap();
    let early = tokio::time::timeout(SEVERAL_STARTS, proxied.client.other_of(MESSAGE)).await;
    assert!(early.is_err(), "{early:?}");
    proxied.client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await.unwrap();
    assert_eq!(proxied.client.other_of(MESSAGE).await.unwrap()["params"]["logger"], "broken");
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_never_is_introduced_is_not_waited_for_long() {
    let proxied = proxied(&[("mute", &["--fault", "mute"]), ("one", &[])]).await;
    let begun = std::time::Instant::now();
    assert_eq!(order(&proxied.names().await), ["one"]);
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    let text = json!({ "text": "alive" });
    assert_eq!(proxied.client.text("one_echo", text).await.unwrap(), "alive");
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_never_answers_a_list_is_not_waited_for_without_end() {
    let proxied = proxied(&[("stuck", &["--fault", "no-list"]), ("one", &[])]).await;
    assert_eq!(order(&proxied.names().await), ["one"]);
    let text = json!({ "text": "alive" });
    assert_eq!(proxied.client.text("stuck_echo", text).await.unwrap(), "alive", "its calls are answered");
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_comes_late_is_announced() {
    let directory = std::env::temp_dir().join(format!("mcp-late-{}", std::process::id()));
    let fault = format!("exit-once:{}", directory.display());
    let proxied = proxied(&[("late", &["--fault", &fault]), ("one", &[])]).await;
    let mut listed = proxied.names().await;
    for _ in 0..100 {
        if order(&listed) == ["late", "one"] {
            break;
        }
        proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
        listed = proxied.names().await;
    }
    assert_eq!(order(&listed), ["late", "one"]);
    std::fs::remove_file(directory).unwrap();
    proxied.end().await;
}

#[tokio::test]
async fn a_server_that_dies_is_announced_and_comes_back() {
    let proxied = proxied(&[("one", &[]), ("two", &[])]).await;
    assert_eq!(order(&proxied.names().await), ["one", "two"]);
    let result = proxied.client.call("one_exit", json!({})).await.unwrap();
    assert_eq!(result["isError"], true);
    proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
    let text = json!({ "text": "alive" });
    assert_eq!(proxied.client.text("two_echo", text).await.unwrap(), "alive");
    let mut listed = Vec::new();
    for _ in 0..200 {
        listed = proxied.names().await;
        if order(&listed) == ["one", "two"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(order(&listed), ["one", "two"]);
    assert_eq!(proxied.client.text("one_echo", json!({ "text": "back" })).await.unwrap(), "back");
    proxied.end().await;
}

#[tokio::test]
async fn a_call_to_one_server_does_not_wait_for_another() {
    let proxied = proxied(&[("one", &[]), ("two", &[])]).await;
    let (_, mut slow) = proxied
        .client
        .begin("tools/call", json!({ "name": "one_slow", "arguments": { "ms": 6_000 } }))
        .await
        .unwrap();
    let big = json!({ "name": "one_big", "arguments": { "bytes": 60 << 20 } });
    let (_, big) = proxied.client.begin("tools/call", big).await.unwrap();
    proxied.client.text("two_echo", json!({})).await.unwrap();
    assert!(slow.try_recv().is_err(), "the slow call is still running");
    for answer in [slow, big] {
        let answer = tuckaway_test_kit::mcp_client::wait(answer).await.unwrap();
        assert!(answer["result"]["content"].is_array(), "{answer}");
    }
    proxied.end().await;
}

#[tokio::test]
async fn names_that_are_long_or_ambiguous_are_called_by_what_is_listed() {
    let long = "x".repeat(80);
    let tools = format!("b_c,{long}");
    let proxied = proxied(&[("a", &["--tools", &tools]), ("a_b", &["--tools", "c"])]).await;
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    let listed = names(&list);
    assert!(listed.iter().all(|name| name.len() <= 64), "{listed:?}");
    let mut unique = listed.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), listed.len());
    for name in listed.iter().filter(|name| name.contains("b_c") || name.contains("xxx")) {
        let text = json!({ "text": "found" });
        assert_eq!(proxied.client.text(name, text).await.unwrap(), "found", "{name}");
    }
    proxied.end().await;
}
