//! Tests of clients that name the members of a server differently, or write YAML.

use super::*;

/// Returns the reason why the only server of a text is not changed.
fn reason(id: &str, text: &str) -> String {
    let changed = installed(id, text);
    assert_eq!(changed.text, text);
    match &changed.servers[0].outcome {
        Outcome::LeftAlone(why) => why.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn gemini_and_qwen_have_two_keys_for_urls() {
    let text = r#"{
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"], "trust": true },
    "web": { "httpUrl": "https://example.com/mcp", "headers": { "Key": "$TOKEN" }, "timeout": 5000 },
    "new": { "url": "https://example.com/mcp", "type": "http" }
  }
}"#;
    for id in ["gemini", "qwen"] {
        let servers = value(id, &installed(id, text).text)["mcpServers"].take();
        assert_eq!(
            servers["git"]["args"],
            json!(["mcp", "proxy", "--name", "git", "--", "uvx", "mcp-server-git"])
        );
        assert_eq!(
            servers["web"],
            json!({
                "command": "tuckaway",
                "args": ["mcp", "proxy", "--name", "web", "--url", "https://example.com/mcp",
                    "--header", "Key: $TUCKAWAY_HEADER_KEY"],
                "env": {"TUCKAWAY_HEADER_KEY": "$TOKEN"},
                "timeout": 5000
            })
        );
        assert_eq!(servers["new"]["type"], json!("stdio"));
        let old = r#"{"mcpServers": {"a": {"url": "https://example.com/sse"}}}"#;
        let sse = "it has \"url\" without a type, which means SSE, and the proxy does not support SSE";
        assert_eq!(reason(id, old), sse);
        let both = r#"{"mcpServers": {"a": {"httpUrl": "https://a", "url": "https://b"}}}"#;
        assert_eq!(reason(id, both), "it has two URLs");
    }
}

#[test]
fn opencode_and_kilo_write_one_list() {
    let text = r#"{
  // Servers.
  "mcp": {
    "git": {
      "type": "local",
      "command": [
        "uvx",
        "mcp-server-git", // the server
      ],
      "environment": { "LEVEL": "debug" },
      "enabled": true,
    },
    "plain": { "type": "local", "command": ["plain"] },
    "web": { "type": "remote", "url": "https://example.com/mcp", "headers": { "Key": "{env:KEY}" } },
    "empty": { "type": "local", "command": [] },
  },
}"#;
    for id in ["opencode", "kilo"] {
        let changed = installed(id, text);
        let servers = value(id, &changed.text)["mcp"].take();
        let proxy =
            |name: &str, rest: &[&str]| json!([&["tuckaway", "mcp", "proxy", "--name", name], rest].concat());
        assert_eq!(servers["git"]["command"], proxy("git", &["--", "uvx", "mcp-server-git"]));
        assert_eq!(servers["git"]["environment"], json!({"LEVEL": "debug"}));
        assert_eq!(servers["plain"]["command"], proxy("plain", &["--", "plain"]));
        let rest = [
            "--url",
            "https://example.com/mcp",
            "--url-type",
            "remote",
            "--header",
            "Key: $TUCKAWAY_HEADER_KEY",
        ];
        assert_eq!(
            servers["web"],
            json!({
                "type": "local",
                "command": proxy("web", &rest),
                "environment": {"TUCKAWAY_HEADER_KEY": "{env:KEY}"}
            })
        );
        assert_eq!(changed.servers[3].outcome, Outcome::LeftAlone("its command is empty".to_owned()));
    }
    let second = r#"{"mcp": {"timeout": 5, "servers": {"a": {"type": "local", "command": ["a"]}}}}"#;
    let changed = installed("opencode", second);
    let names: Vec<&str> = changed.servers.iter().map(|server| &*server.name).collect();
    assert_eq!(names, ["a", "timeout"]);
    assert_eq!(changed.servers[0].outcome, Outcome::Changed);
}

#[test]
fn clients_with_other_types_and_keys() {
    let server = r#"{"command": "npx", "args": ["-y", "x"]}"#;
    for (id, table) in [
        ("cline", "mcpServers"),
        ("copilot", "mcpServers"),
        ("kiro", "mcpServers"),
        ("windsurf", "mcpServers"),
        ("zed", "context_servers"),
    ] {
        let changed = installed(id, &format!("{{\"{table}\": {{\"a\": {server}}}}}"));
        assert_eq!(changed.servers[0].outcome, Outcome::Changed, "{id}");
    }
    let url = |id: &str, table: &str, server: &str| {
        let changed = installed(id, &format!("{{\"{table}\": {{\"a\": {server}}}}}"));
        value(id, &changed.text)[table]["a"].take()
    };
    let copilot = url("copilot", "mcpServers", r#"{"type": "http", "url": "https://a", "tools": ["*"]}"#);
    assert_eq!((&copilot["type"], &copilot["tools"]), (&json!("local"), &json!(["*"])));
    let windsurf = url("windsurf", "mcpServers", r#"{"serverUrl": "https://a", "headers": {"A": "b"}}"#);
    assert_eq!(windsurf["args"][5], json!("https://a"));
    assert_eq!(windsurf["env"], json!({"TUCKAWAY_HEADER_A": "b"}));
    let zed = url("zed", "context_servers", r#"{"source": "custom", "url": "https://a"}"#);
    assert_eq!(zed["args"][5], json!("https://a"));
    let cline = url("cline", "mcpServers", r#"{"type": "streamableHttp", "url": "https://a"}"#);
    assert_eq!(cline["args"][7], json!("streamableHttp"));
    assert!(reason("cline", r#"{"mcpServers": {"a": {"url": "https://a"}}}"#).contains("means SSE"));
}

const CONTINUE: &str = "name: Mine # größe
version: 1.0.0
models:
  - name: m
mcpServers:
  # A list.
  - name: git
    command: uvx   # with Python
    args:
      - mcp-server-git
      - --repository
      - \"a: b\"
    env:
      LEVEL: debug
  - name: plain
    command: '/opt/plain'
  - command: npx
    name: flow
    args: [ -y, 'x, y' ]

  - { name: inline, command: a }
  -
    name: web
    type: streamable-http
    url: https://example.com/mcp?x=1#y
  - name: secret
    url: https://example.com/mcp
    requestOptions:
      headers:
        Key: x
  - name: odd
    command: >-
      folded
rules: []
";

#[test]
fn continue_has_a_list_in_yaml() {
    for text in
        [CONTINUE.to_owned(), CONTINUE.replace('\n', "\r\n"), format!("\u{feff}{}", CONTINUE.trim_end())]
    {
        let changed = installed("continue", &text);
        let outcomes: Vec<_> =
            changed.servers.iter().map(|server| (&*server.name, &server.outcome)).collect();
        let by_hand = "it is written in a way that cannot be changed safely; change it by hand";
        assert_eq!(
            outcomes,
            [
                ("git", &Outcome::Changed),
                ("plain", &Outcome::Changed),
                ("flow", &Outcome::Changed),
                ("inline", &Outcome::Changed),
                ("web", &Outcome::ChangedUrl),
                ("secret", &Outcome::LeftAlone("it has a URL and requestOptions".to_owned())),
                ("odd", &Outcome::LeftAlone(by_hand.to_owned())),
            ]
        );
        let servers = value("continue", &changed.text)["mcpServers"].take();
        let args = |at: usize| servers[at]["args"].clone();
        assert_eq!(
            args(0),
            json!(["mcp", "proxy", "--name", "git", "--", "uvx", "mcp-server-git", "--repository", "a: b"])
        );
        assert_eq!(args(1), json!(["mcp", "proxy", "--name=plain", "--", "/opt/plain"]));
        assert_eq!(args(2), json!(["mcp", "proxy", "--name", "flow", "--", "npx", "-y", "x, y"]));
        assert_eq!(args(3), json!(["mcp", "proxy", "--name=inline", "--", "a"]));
        assert_eq!(args(4)[5], json!("https://example.com/mcp?x=1#y"));
        assert_eq!(servers[4]["type"], json!("stdio"));
    }
}

#[test]
fn goose_has_extensions_in_yaml() {
    let text = "GOOSE_PROVIDER: openai
extensions:
  developer:
    type: builtin
    enabled: true
  git:
    type: stdio
    cmd: uvx
    args: []
    envs: {}
    env_keys: []
    timeout: 300
  web:
    type: streamable_http
    uri: https://example.com/mcp
    headers:
      Authorization: Bearer x
";
    let changed = installed("goose", text);
    let servers = value("goose", &changed.text)["extensions"].take();
    assert_eq!(servers["git"]["cmd"], json!("tuckaway"));
    assert_eq!(servers["git"]["args"], json!(["mcp", "proxy", "--name", "git", "--", "uvx"]));
    assert_eq!(
        servers["web"],
        json!({
            "type": "stdio",
            "cmd": "tuckaway",
            "args": ["mcp", "proxy", "--name", "web", "--url", "https://example.com/mcp", "--url-type", "streamable_http",
                "--header", "Authorization: $TUCKAWAY_HEADER_AUTHORIZATION"],
            "envs": {"TUCKAWAY_HEADER_AUTHORIZATION": "Bearer x"}
        })
    );
    let why = "it has neither a command nor a URL";
    assert_eq!(changed.servers[0].outcome, Outcome::LeftAlone(why.to_owned()));
}
