//! Tests of lists of the tools that the model may call.

use super::*;

const ALL: [&str; 3] = ["artifact_read", "artifact_grep", "artifact_jq"];

#[test]
fn lists_get_the_artifact_tools_and_lose_them_again() {
    let with_all = |own: &[&str]| json!([own, &ALL].concat());
    let gemini = r#"{
  "mcpServers": {
    "git": {
      "command": "uvx",
      "includeTools": [
        "log", // the history
        "diff"
      ]
    }
  }
}"#;
    for id in ["gemini", "qwen"] {
        let changed = installed(id, gemini);
        assert_eq!(value(id, &changed.text)["mcpServers"]["git"]["includeTools"], with_all(&["log", "diff"]));
        assert!(changed.text.contains("\"diff\",\n        \"artifact_read\",\n"), "{}", changed.text);
    }
    let codex = "[mcp_servers.a]\nurl = \"https://a\"\nenabled_tools = ['x', ] # few\n";
    let changed = value("codex", &installed("codex", codex).text);
    assert_eq!(changed["mcp_servers"]["a"]["enabled_tools"], with_all(&["x"]));
    let copilot = r#"{"mcpServers": {"a": {"type": "local", "command": "a", "args": [], "tools": ["x"]}}}"#;
    assert_eq!(
        value("copilot", &installed("copilot", copilot).text)["mcpServers"]["a"]["tools"],
        with_all(&["x"])
    );
    let goose = "extensions:\n  a:\n    cmd: a\n    available_tools:\n    - x\n    - y\n    enabled: true\n";
    for text in [goose.to_owned(), goose.replace('\n', "\r\n")] {
        let changed = value("goose", &installed("goose", &text).text);
        assert_eq!(changed["extensions"]["a"]["available_tools"], with_all(&["x", "y"]));
    }
}

#[test]
fn lists_of_all_tools_or_of_none_do_not_change() {
    for list in [json!(["*"]), json!([]), json!(null), json!("x")] {
        let text = json!({"mcpServers": {"a": {"command": "a", "args": [], "tools": list}}}).to_string();
        let changed = installed("copilot", &text);
        assert_eq!(value("copilot", &changed.text)["mcpServers"]["a"]["tools"], list);
        assert_eq!(changed.servers[0].outcome, Outcome::Changed);
    }
}

#[test]
fn only_the_proxy_that_lists_the_tools_needs_them_in_its_list() {
    let text =
        "[mcp_servers.a]\ncommand = \"a\"\n[mcp_servers.b]\ncommand = \"b\"\nenabled_tools = [\"x\"]\n";
    let changed = install("codex", text);
    let list = |text: &str| value("codex", text)["mcp_servers"]["b"]["enabled_tools"].take();
    assert_eq!(list(&changed.text), json!(["x"]));
    assert_eq!(changed.listing, ["a"]);
    // If the first one is removed, the second lists them.
    let left = change(&changed.text, client("codex"), &request(Action::Uninstall, &["a"])).unwrap();
    assert_eq!(list(&left.text), json!([&["x"], &ALL[..]].concat()));
    assert_eq!(left.listing, ["b"]);
    assert_eq!(uninstall("codex", &left.text).text, text);
}
