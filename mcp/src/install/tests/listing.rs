//! Tests of the session that proxies share, and of the one proxy that lists the artifact tools.

use super::*;

/// Returns the options of a server's proxy.
fn options(servers: &Value, name: &str) -> Vec<String> {
    let words =
        servers[name]["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
    let skipped = words.skip_while(|word| word != "--session");
    skipped.take_while(|word| word != "--" && word != "--url").collect()
}

#[test]
fn one_proxy_lists_the_artifact_tools() {
    let changed = install("claude-desktop", DESKTOP);
    let servers = &value("claude-desktop", &changed.text)["mcpServers"];
    assert_eq!(options(servers, "filesystem"), ["--session", "claude-desktop"]);
    for name in ["sqlite", "plain", "empty"] {
        assert_eq!(options(servers, name), ["--session", "claude-desktop", "--unlisted"]);
    }
    // Another proxy takes its place.
    let left = change(&changed.text, client("claude-desktop"), &request(Action::Uninstall, &["filesystem"]))
        .unwrap();
    let servers = &value("claude-desktop", &left.text)["mcpServers"];
    assert_eq!(options(servers, "sqlite"), ["--session", "claude-desktop"]);
    assert_eq!(options(servers, "plain"), ["--session", "claude-desktop", "--unlisted"]);
    assert_eq!(uninstall("claude-desktop", &left.text).text, DESKTOP);
    // A server that is added later does not list them again.
    let one = change(DESKTOP, client("claude-desktop"), &request(Action::Install, &["plain"])).unwrap();
    let all = install("claude-desktop", &one.text);
    let servers = &value("claude-desktop", &all.text)["mcpServers"];
    assert_eq!(options(servers, "plain"), ["--session", "claude-desktop"]);
    assert_eq!(options(servers, "filesystem"), ["--session", "claude-desktop", "--unlisted"]);
}

#[test]
fn each_project_has_a_proxy_that_lists_them() {
    let projects = r#""projects": {"/a": {"mcpServers": {"x": {"command": "x"}, "y": {"command": "y"}}}, "/b": {"mcpServers": {"z": {"command": "z"}}}}"#;
    let text = format!("{{{projects}}}");
    let changed = install("claude-code", &text);
    let projects_of = |text: &str| value("claude-code", text)["projects"].take();
    let found = projects_of(&changed.text);
    assert_eq!(options(&found["/a"]["mcpServers"], "x"), ["--session", "claude-code"]);
    assert_eq!(options(&found["/a"]["mcpServers"], "y"), ["--session", "claude-code", "--unlisted"]);
    assert_eq!(options(&found["/b"]["mcpServers"], "z"), ["--session", "claude-code"]);
    // The user's own servers are in all projects.
    let text = format!("{{\"mcpServers\": {{\"u\": {{\"command\": \"u\"}}}}, {projects}}}");
    let found = projects_of(&install("claude-code", &text).text);
    assert_eq!(options(&found["/a"]["mcpServers"], "x"), ["--session", "claude-code", "--unlisted"]);
    assert_eq!(options(&found["/b"]["mcpServers"], "z"), ["--session", "claude-code", "--unlisted"]);
}
