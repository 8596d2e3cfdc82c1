//! Tests of one proxy for several servers.

use super::*;
use crate::config::{Options, Settings};

const FILE: &str = "/c/mcp.json.tuckaway.json";

/// Changes a text, and returns it with the proxy's file.
fn changed(
    id: &str,
    action: Action,
    only: &[&str],
    text: &str,
    joined: Option<&str>,
) -> (Changed, Option<String>) {
    let request = Request { separate: false, joined: joined.map(str::to_owned), ..request(action, only) };
    let changed = change(text, client(id), &request).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let joined = match &changed.joined {
        JoinedFile::Unchanged => joined.map(str::to_owned),
        JoinedFile::Write(text) => Some(text.clone()),
        JoinedFile::Remove => None,
    };
    (changed, joined)
}

/// Installs, and checks that the proxy can read its file, that installing again changes nothing
/// and that uninstalling restores every byte.
fn joined(id: &str, text: &str) -> (Changed, Vec<String>) {
    let (first, file) = changed(id, Action::Install, &[], text, None);
    let file = file.expect("several servers share a proxy");
    let settings = Settings::read(&file, FILE.as_ref(), Options::default()).unwrap();
    let (again, _) = changed(id, Action::Install, &[], &first.text, Some(&file));
    assert_eq!((&again.text, &again.joined), (&first.text, &JoinedFile::Unchanged), "idempotent");
    let (undone, _) = changed(id, Action::Uninstall, &[], &first.text, Some(&file));
    assert_eq!((&*undone.text, &undone.joined), (text, &JoinedFile::Remove), "undone");
    (first, settings.servers.into_iter().map(|server| server.name).collect())
}

#[test]
fn json_on_lines_and_on_one_line() {
    let (changed, names) = joined("claude-desktop", DESKTOP);
    assert_eq!(names, ["filesystem", "sqlite", "plain", "empty"]);
    assert_eq!(
        changed.text,
        format!(
            r#"{{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {{
    "tuckaway": {{
      "command": "tuckaway",
      "args": ["mcp", "proxy", "--config", "{FILE}", "--session", "claude-desktop"]
    }}
  }}
}}
"#
        )
    );
    let (changed, _) = joined("cursor", r#"{"mcpServers":{"a":{"command":"a"},"b":{"url":"http://b"}}}"#);
    assert!(changed.text.starts_with(r#"{"mcpServers":{"tuckaway": {"command": "tuckaway", "args": ["#));
    assert_eq!(changed.servers[1].outcome, Outcome::ChangedUrl);
}

#[test]
fn servers_that_cannot_share_a_proxy_stay_where_they_are() {
    let text = r#"{
	"mcpServers": {
		// the first
		"old": { "type": "sse", "url": "https://example.com/sse" },
		"a": { "command": "a", "env": { "KEY": "s3cret" } }, // mine
		"b": { "command": "b" },
		"input": { "command": "c", "env": { "KEY": "${input:key}" } },
		"d": { "command": "d" }, /* last */
		"e": { "command": "e", "disabledTools": ["x"] },
	},
}"#;
    let (changed, names) = joined("cursor", text);
    assert_eq!(names, ["a", "b", "d"]);
    let servers = value("cursor", &changed.text)["mcpServers"].take();
    assert_eq!(servers.as_object().unwrap().keys().collect::<Vec<_>>(), ["old", "tuckaway", "input", "e"]);
    let words = |name: &str, rest: &[&str]| {
        json!(
            [&["mcp", "proxy", &*format!("--name={name}"), "--session", "cursor", "--unlisted", "--"], rest]
                .concat()
        )
    };
    assert_eq!(servers["input"]["args"], words("input", &["c"]));
    assert_eq!(servers["e"]["args"], words("e", &["e"]));
    let alone = |at: usize| changed.servers[at].alone.as_deref();
    assert_eq!(alone(1), None);
    assert_eq!(alone(3), Some("only Cursor can replace its variables"));
    assert_eq!(alone(5), Some("the proxy cannot take over its disabledTools"));
    assert!(matches!(&changed.servers[0].outcome, Outcome::LeftAlone(why) if why.contains("sse")));
    assert!(!changed.text.contains("s3cret"));
}

#[test]
fn toml_with_headers_or_inline_tables() {
    let (inline, last) = (CODEX.find("[mcp_servers]").unwrap(), CODEX.find("[profiles.x]").unwrap());
    let headers = format!("{}{}", &CODEX[..inline], &CODEX[last..]);
    for text in [headers.clone(), headers.replace('\n', "\r\n")] {
        let (changed, names) = joined("codex", &text);
        assert_eq!(names, ["docs", "plain", "table"]);
        let servers = value("codex", &changed.text)["mcp_servers"].take();
        assert_eq!(servers.as_object().unwrap().keys().collect::<Vec<_>>(), ["tuckaway", "figma"]);
        let entry = "[mcp_servers.tuckaway]\ncommand = \"tuckaway\"\nargs = [";
        assert!(changed.text.replace('\r', "").contains(entry), "{}", changed.text);
        assert!(changed.text.ends_with("model = \"o3\""));
    }
    let inline = "[mcp_servers]\na = { command = \"a\" } # mine\nb = { command = \"b\", args = [\"c\"] }\n";
    let (changed, _) = joined("codex", inline);
    assert!(changed.text.starts_with("[mcp_servers]\ntuckaway = { command = \"tuckaway\", args = ["));
    // Between two servers that are written in different ways, there is something else.
    let (mixed, file) = changed_by_install(CODEX);
    assert_eq!((file, mixed.text.matches("--unlisted").count()), (None, 6));
}

fn changed_by_install(text: &str) -> (Changed, Option<String>) {
    changed("codex", Action::Install, &[], text, None)
}

#[test]
fn yaml_lists_and_tables() {
    let text = "mcpServers:
  # A list.
  - name: git # ü
    command: uvx
    args:
      - mcp-server-git
    env:
      LEVEL: 1

  - name: secret
    command: x
    env: {KEY: \"${{ secrets.KEY }}\"}
  - command: b
    name: b
rules: []
";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let (changed, names) = joined("continue", &text);
        assert_eq!(names, ["git", "b"]);
        let servers = value("continue", &changed.text)["mcpServers"].take();
        assert_eq!((&servers[0]["name"], &servers[1]["name"]), (&json!("tuckaway"), &json!("secret")));
        assert_eq!(servers[0]["args"][3], json!(FILE));
        assert_eq!(servers.as_array().unwrap().len(), 2);
    }
    let goose = "extensions:
  developer:
    type: builtin
  git:
    type: stdio
    cmd: uvx
    args: [mcp-server-git]
    envs: {}
    env_keys: []
    enabled: true
  b:
    type: stdio
    cmd: b
    envs:
      A: b
GOOSE_MODE: auto
";
    let (changed, names) = joined("goose", goose);
    assert_eq!(names, ["git", "b"]);
    let servers = value("goose", &changed.text)["extensions"].take();
    assert_eq!(servers["tuckaway"]["cmd"], json!("tuckaway"));
    assert_eq!(servers["tuckaway"]["enabled"], json!(true));
}

#[test]
fn clients_with_other_keys() {
    let text = r#"{"mcp": {"a": {"type": "local", "command": ["npx", "a"], "environment": {"K": "v"}}, "b": {"type": "remote", "url": "https://b"}}}"#;
    for id in ["opencode", "kilo"] {
        let (changed, names) = joined(id, text);
        assert_eq!(names, ["a", "b"]);
        let servers = value(id, &changed.text)["mcp"].take();
        assert_eq!(servers["tuckaway"]["type"], json!("local"));
        assert_eq!(servers["tuckaway"]["command"][4], json!(FILE));
    }
    let text = r#"{"mcpServers": {"a": {"type": "local", "command": "a", "tools": ["*"]}, "b": {"type": "http", "url": "https://b", "tools": []}}}"#;
    let (changed, _) = joined("copilot", text);
    let servers = value("copilot", &changed.text)["mcpServers"].take();
    assert_eq!(servers["tuckaway"]["tools"], json!(["*"]));
}

#[test]
fn servers_come_and_go() {
    let id = "cursor";
    let (first, file) = changed(id, Action::Install, &["filesystem", "plain"], DESKTOP, None);
    assert_eq!(first.servers.len(), 2);
    // The client adds a server, and rewrites its file.
    let mut edited = value(id, &first.text);
    edited["mcpServers"]["new"] = json!({"command": "new"});
    let edited = serde_json::to_string_pretty(&edited).unwrap();
    let (second, file) = changed(id, Action::Install, &[], &edited, file.as_deref());
    let outcomes: Vec<_> = second.servers.iter().map(|server| (&*server.name, &server.outcome)).collect();
    assert_eq!(
        outcomes,
        [
            ("filesystem", &Outcome::Unchanged),
            ("sqlite", &Outcome::Changed),
            ("plain", &Outcome::Unchanged),
            ("empty", &Outcome::Changed),
            ("new", &Outcome::Changed)
        ]
    );
    let (third, file) = changed(id, Action::Uninstall, &["sqlite"], &second.text, file.as_deref());
    let servers = value(id, &third.text)["mcpServers"].take();
    assert_eq!(servers.as_object().unwrap().keys().collect::<Vec<_>>(), ["tuckaway", "sqlite"]);
    let (last, file) = changed(id, Action::Uninstall, &[], &third.text, file.as_deref());
    assert_eq!(file, None);
    let mut expected = value(id, DESKTOP);
    expected["mcpServers"]["new"] = json!({"command": "new"});
    assert_eq!(value(id, &last.text), expected);
}

#[test]
fn a_missing_or_broken_file_is_an_error_that_says_what_to_do() {
    let (first, _) = changed("cursor", Action::Install, &[], DESKTOP, None);
    let error = |joined: Option<&str>| {
        let request = Request { joined: joined.map(str::to_owned), ..request(Action::Uninstall, &[]) };
        change(&first.text, client("cursor"), &request).unwrap_err().to_string()
    };
    assert_eq!(
        error(None),
        "the servers are in /c/mcp.json.tuckaway.json, which does not exist; restore this file, or restore the configuration from a copy"
    );
    assert!(error(Some("{")).starts_with("the file with the servers of the proxy is invalid: EOF"));
    let empty = r#"{"mcpServers": {}, "installed": []}"#;
    assert!(error(Some(empty)).contains("its servers do not fit into the configuration"));
}

#[test]
fn a_single_server_keeps_its_entry() {
    let text = r#"{"mcpServers": {"a": {"command": "a"}}}"#;
    let (changed, file) = changed("cursor", Action::Install, &[], text, None);
    assert_eq!(file, None);
    assert!(changed.text.contains("--name=a"));
}

proptest! {
    #[test]
    fn any_configuration_is_put_back(servers in prop::collection::vec((space(), server(), space()), 2..5), comma in any::<bool>()) {
        let names = ["a", "b", "c", "d"];
        let members = servers.into_iter().zip(names).map(|((before, server, after), name)| (before, format!("\"{name}\":{server}"), after));
        let text = format!("{{\"mcpServers\":{}}}", super::joined(members.collect(), '{', '}', comma));
        let (first, file) = changed("cursor", Action::Install, &[], &text, None);
        let (undone, _) = changed("cursor", Action::Uninstall, &[], &first.text, file.as_deref());
        prop_assert_eq!(undone.text, text);
    }
}
