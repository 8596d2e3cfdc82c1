//! Compressed tools: the list, and calls through `call_tool`.

use serde_json::{Value, json};
use tuckaway_host::{CountTokens, Tiktoken};
use tuckaway_mcp::Settings;
use tuckaway_mcp::config::{Compression, ServerTools};
use tuckaway_test_kit::mcp_client::{text_of, wait};

use super::support::{OLD, Proxied, names, server, settings};

const MEDIUM: Compression = Compression::Medium;

/// Starts a proxy for one scripted server at a level.
async fn proxied(level: Compression, args: &[&str]) -> Proxied {
    let settings = Settings { compression: level, ..settings(vec![server("scripted", args)]) };
    let proxied = Proxied::with(settings);
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    proxied
}

/// Calls a tool through `call_tool`. Returns the text of the result, and whether it is an error.
async fn call(proxied: &Proxied, tool: &str, arguments: Value) -> (String, bool) {
    let arguments = json!({ "tool_name": tool, "arguments": arguments });
    let result = proxied.client.call("call_tool", arguments).await.unwrap();
    (text_of(&result), result["isError"] == true)
}

fn description<'a>(list: &'a Value, name: &str) -> &'a str {
    let tools = list["tools"].as_array().unwrap();
    tools.iter().find(|tool| tool["name"] == name).unwrap()["description"].as_str().unwrap()
}

#[tokio::test]
async fn tools_are_called_through_one_tool() {
    let proxied = proxied(MEDIUM, &["--tools", "strict"]).await;
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    let own = ["get_tool_schema", "call_tool", "artifact_read", "artifact_grep", "artifact_jq"];
    assert_eq!(names(&list), own);
    let lines = description(&list, "call_tool");
    assert!(lines.contains("\nstrict(text): Echoes a text") && !lines.contains("nothing else"), "{lines}");
    let schema = proxied.client.text("get_tool_schema", json!({ "tool_name": "strict" })).await.unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["description"], "Echoes a text. It takes nothing else.");
    assert_eq!(schema["inputSchema"]["properties"]["text"]["description"], "The text.");
    let all = proxied.client.text("get_tool_schema", json!({})).await.unwrap();
    assert!(all.contains("\nstrict(text): Echoes a text"), "{all}");
    assert_eq!(call(&proxied, "strict", json!({ "text": "a" })).await, ("a".to_owned(), false));
    assert_eq!(call(&proxied, "strict", json!("{\"text\": \"b\"}")).await, ("b".to_owned(), false));
    let direct = proxied.client.text("strict", json!({ "text": "direct" })).await.unwrap();
    assert_eq!(direct, "direct", "a client that knows the name may use it");
    proxied.still_works().await;
}

#[tokio::test]
async fn mistakes_are_answered_without_a_call() {
    let proxied = proxied(MEDIUM, &["--tools", "strict"]).await;
    for (tool, arguments, what) in [
        ("strikt", json!({}), "There is no tool named \"strikt\". Did you mean \"strict\"?"),
        ("strict", json!({}), "\"text\" is missing. The tool was not called. Its input schema: {"),
        ("strict", json!({ "text": 7 }), "\"text\" is a number; it should be string"),
        ("strict", json!({ "text": "a", "tex": 1 }), "\"tex\" is unknown; did you mean \"text\"?"),
        ("call_tool", json!({}), "call it directly"),
        ("strict", json!({ "text": "a", "_jq": "." }), "\"_jq\" is unknown"),
    ] {
        let (text, is_error) = call(&proxied, tool, arguments).await;
        assert!(is_error && text.contains(what), "{text}");
    }
    let stray =
        proxied.client.call("call_tool", json!({ "tool_name": "strict", "text": "a" })).await.unwrap();
    assert!(text_of(&stray).contains("put it into arguments"), "{stray}");
    let received = proxied.client.text("received", json!({})).await.unwrap();
    assert_eq!(received.matches("\"tools/call\"").count(), 1, "{received}");
    proxied.still_works().await;
}

#[tokio::test]
async fn answers_are_those_of_a_direct_call() {
    let proxied = proxied(Compression::Max, &[]).await;
    assert_eq!(call(&proxied, "error", json!({})).await, ("it did not work".to_owned(), true));
    let refused = json!({ "name": "call_tool", "arguments": { "tool_name": "failure" } });
    let refused = proxied.client.request("tools/call", refused).await.unwrap();
    assert_eq!(refused["error"]["code"], -32042);
    let structured = json!({ "tool_name": "structured" });
    assert_eq!(
        proxied.client.call("call_tool", structured).await.unwrap(),
        proxied.client.call("structured", json!({})).await.unwrap()
    );
    let params = json!({
        "name": "call_tool", "arguments": { "tool_name": "progress", "arguments": { "steps": 2 } },
        "_meta": { "progressToken": "mine" }
    });
    let (_, answer) = proxied.client.begin("tools/call", params).await.unwrap();
    for step in 1..=2 {
        let progress = proxied.client.other_of("notifications/progress").await.unwrap();
        assert_eq!(
            (&progress["params"]["progressToken"], &progress["params"]["progress"]),
            (&json!("mine"), &json!(step))
        );
    }
    assert_eq!(wait(answer).await.unwrap()["result"]["content"][0]["text"], "done");
    let silent = json!({ "name": "call_tool", "arguments": { "tool_name": "silent" } });
    let (id, mut answer) = proxied.client.begin("tools/call", silent).await.unwrap();
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    proxied.client.send(&cancelled).await.unwrap();
    let mut received = String::new();
    for _ in 0..200 {
        received = proxied.client.text("received", json!({})).await.unwrap();
        if received.contains("notifications/cancelled") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(received.contains("notifications/cancelled"), "{received}");
    assert!(answer.try_recv().is_err(), "a cancelled request has no answer");
    proxied.end().await;
}

#[tokio::test]
async fn large_results_are_stored_under_the_name_of_the_tool() {
    let mut settings = Settings { compression: MEDIUM, ..settings(vec![server("scripted", &[])]) };
    settings.reduce.filtered_tools = vec!["big_structured".to_owned()];
    let proxied = Proxied::with(settings);
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let (text, is_error) = call(&proxied, "big", json!({ "bytes": 1 << 20 })).await;
    assert!(text.contains("art_big_") && !is_error && text.len() < 60_000, "{text}");
    for arguments in [
        json!({ "tool_name": "big_structured", "_jq": ".rows | length" }),
        json!({ "tool_name": "big_structured", "arguments": { "_jq": ".rows | length" } }),
    ] {
        let text = proxied.client.text("call_tool", arguments).await.unwrap();
        assert!(text.starts_with("20000\n[The whole result, "), "{text}");
    }
    let refused = json!({ "tool_name": "echo", "_jq": "." });
    let refused = proxied.client.call("call_tool", refused).await.unwrap();
    assert_eq!(text_of(&refused), "The tool echo takes no filter _jq. The tool was not called.");
    let list = json!({ "tool_name": "artifact_jq" });
    let schema = proxied.client.text("get_tool_schema", list).await.unwrap();
    assert!(schema.contains("\"filter\""), "{schema}");
    let (text, _) =
        call(&proxied, "artifact_grep", json!({ "artifact_id": "art_none_0", "pattern": "a" })).await;
    assert!(text.contains("art_none_0"), "{text}");
    proxied.end().await;
}

#[tokio::test]
async fn servers_have_their_own_levels_and_globs() {
    let globs = |all: &[&str]| all.iter().map(|&glob| glob.to_owned()).collect();
    let mut servers = vec![server("plain", &[]), server("low", &["--tools", "strict"]), server("high", &[])];
    servers[0].tools =
        ServerTools { include: globs(&["e*"]), exclude: globs(&["exit"]), ..ServerTools::default() };
    servers[1].tools = ServerTools {
        compression: Some(Compression::Low),
        include: globs(&["strict"]),
        ..ServerTools::default()
    };
    servers[2].tools = ServerTools {
        compression: Some(Compression::High),
        include: globs(&["echo", "e*r"]),
        ..ServerTools::default()
    };
    let proxied = Proxied::with(settings(servers));
    proxied.client.initialize(OLD, json!({})).await.unwrap();
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    let listed = names(&list);
    assert_eq!(listed[..5], ["plain_echo", "plain_error", "low_strict", "get_tool_schema", "call_tool"]);
    assert_eq!(description(&list, "plain_echo"), "Scripted: echo.");
    assert_eq!(description(&list, "low_strict"), "Echoes a text.");
    assert!(description(&list, "call_tool").ends_with("\n\nhigh_echo()\nhigh_error()"));
    let said = ("a".to_owned(), false);
    for tool in ["plain_echo", "low_strict", "high_echo"] {
        assert_eq!(call(&proxied, tool, json!({ "text": "a" })).await, said, "{tool}");
    }
    for tool in ["plain_exit", "high_big", "low_echo"] {
        let (text, is_error) = call(&proxied, tool, json!({})).await;
        assert!(is_error && text.contains("There is no tool named"), "{text}");
        let direct = proxied.client.request("tools/call", json!({ "name": tool })).await.unwrap();
        assert_eq!(direct["error"]["code"], -32602, "{direct}");
    }
    proxied.end().await;
}

#[tokio::test]
async fn names_of_the_two_tools_are_reserved_while_they_are_used() {
    let tools = ["--tools", "call_tool,get_tool_schema"];
    let plain = Proxied::of_one(&tools).await;
    assert_eq!(plain.client.text("call_tool", json!({ "text": "own" })).await.unwrap(), "own");
    plain.end().await;
    let proxied = proxied(Compression::Max, &tools).await;
    let all = proxied.client.text("get_tool_schema", json!({})).await.unwrap();
    let renamed = all.lines().find(|line| line.starts_with("call_tool_")).unwrap();
    let (renamed, _) = renamed.split_once('(').unwrap();
    assert_eq!(call(&proxied, renamed, json!({ "text": "own" })).await, ("own".to_owned(), false));
    proxied.end().await;
}

#[tokio::test]
async fn artifact_tools_come_when_they_are_needed() {
    for (name, waits) in [("claude-code", true), ("opencode", true), ("codex-mcp-client", false)] {
        let settings = Settings { lists_when_stored: true, ..settings(vec![server("scripted", &[])]) };
        let proxied = Proxied::with(settings);
        let hello = json!({
            "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": name, "version": "1" }
        });
        proxied.client.request("initialize", hello).await.unwrap();
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        proxied.client.send(&initialized).await.unwrap();
        let has = async || proxied.names().await.contains(&"artifact_read".to_owned());
        assert_eq!(has().await, !waits, "{name}");
        proxied.client.text("echo", json!({})).await.unwrap();
        assert_eq!(has().await, !waits, "{name}: nothing is stored yet");
        proxied.client.call("big", json!({ "bytes": 1 << 20 })).await.unwrap();
        if waits {
            proxied.client.other_of("notifications/tools/list_changed").await.unwrap();
        }
        assert!(has().await, "{name}");
        proxied.end().await;
    }
}

#[tokio::test]
async fn the_artifact_tools_take_at_most_500_tokens() {
    let proxied = Proxied::of_one(&[]).await;
    let list = proxied.client.result("tools/list", json!({})).await.unwrap();
    let tools = list["tools"].as_array().unwrap();
    let own = tools.iter().filter(|tool| tool["name"].as_str().unwrap().starts_with("artifact_"));
    // What a client passes to the model of a tool.
    let shown = own.map(|tool| {
        let (name, description, schema) = (&tool["name"], &tool["description"], &tool["inputSchema"]);
        json!({ "name": name, "description": description, "inputSchema": schema }).to_string()
    });
    let definitions: Vec<String> = shown.collect();
    assert_eq!(definitions.len(), 3);
    let tokens = Tiktoken::default().count(&definitions.join("\n")).await.unwrap();
    assert!((300..=500).contains(&tokens), "{tokens}");
    proxied.end().await;
}
