//! Tests of whole configurations.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

mod allow;
mod clients;
mod joined;
mod listing;

fn request(action: Action, only: &[&str]) -> Request {
    let only = only.iter().map(|name| (*name).to_owned()).collect();
    let file = "/c/mcp.json.tuckaway.json".to_owned();
    Request { action, only, program: "tuckaway".to_owned(), separate: true, file, joined: None }
}

fn client(id: &str) -> &'static Client {
    Client::named(id).unwrap()
}

fn install(id: &str, text: &str) -> Changed {
    change(text, client(id), &request(Action::Install, &[])).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn uninstall(id: &str, text: &str) -> Changed {
    change(text, client(id), &request(Action::Uninstall, &[])).unwrap()
}

/// Installs, and checks that installing again changes nothing and that uninstalling restores
/// every byte.
fn installed(id: &str, text: &str) -> Changed {
    let changed = install(id, text);
    let again = install(id, &changed.text);
    assert_eq!(again.text, changed.text, "idempotent");
    let is_unchanged =
        |server: &ServerChange| !matches!(server.outcome, Outcome::Changed | Outcome::ChangedUrl);
    assert!(again.servers.iter().all(is_unchanged), "{:?}", again.servers);
    assert_eq!(uninstall(id, &changed.text).text, text, "undone");
    assert_eq!(uninstall(id, text).text, text, "nothing to undo");
    Changed { text: without_options(&changed.text, id), ..changed }
}

/// Removes the options that every proxy gets, which `listing` tests.
fn without_options(text: &str, id: &str) -> String {
    let mut text = text.to_owned();
    for word in ["\"--session\"".to_owned(), format!("\"{id}\""), "\"--unlisted\"".to_owned()] {
        while let Some((before, after)) = text.split_once(&*word) {
            let after = after.trim_start_matches([',', ' ', '\t', '\r', '\n']);
            text = format!("{before}{}", after.strip_prefix("- ").unwrap_or(after));
        }
    }
    text
}

fn value(id: &str, text: &str) -> Value {
    client(id).format.parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")).to_json()
}

const DESKTOP: &str = r#"{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/ada/Desktop"
      ]
    },
    "sqlite": { "command": "uvx", "args": ["mcp-server-sqlite", "--db-path", "~/test.db"], "env": { "LEVEL": "debug" } },
    "plain": { "command": "\/opt\/plain" },
    "empty": { "args": [ ], "command": "C:\\Program Files\\x.exe" }
  }
}
"#;

#[test]
fn claude_desktop() {
    let changed = installed("claude-desktop", DESKTOP);
    let expected = r#"{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "tuckaway",
      "args": [
        "mcp",
        "proxy",
        "--name",
        "filesystem",
        "--",
        "npx",
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/ada/Desktop"
      ]
    },
    "sqlite": { "command": "tuckaway", "args": ["mcp", "proxy", "--name", "sqlite", "--", "uvx", "mcp-server-sqlite", "--db-path", "~/test.db"], "env": { "LEVEL": "debug" } },
    "plain": { "command": "tuckaway", "args": ["mcp", "proxy", "--name=plain", "--", "\/opt\/plain"] },
    "empty": { "args": ["mcp", "proxy", "--name", "empty", "--", "C:\\Program Files\\x.exe" ], "command": "tuckaway" }
  }
}
"#;
    assert_eq!(changed.text, expected);
    assert!(changed.servers.iter().all(|server| server.outcome == Outcome::Changed));
}

#[test]
fn claude_code_with_projects_and_urls() {
    let text = r#"{
  "numStartups": 3,
  "mcpServers": {
    "web": {
      "type": "http",
      "url": "https://example.com/mcp?x=1",
      "headers": {
        "Authorization": "Bearer ${TOKEN}",
        "X-Api-Key": "s3cret"
      }
    },
    "bare": {"type":"streamable-http","url":"http://localhost:8000"},
    "old": { "type": "sse", "url": "https://example.com/sse" },
    "oauth": { "type": "http", "url": "https://example.com", "oauth": { "clientId": "x" } }
  },
  "projects": { "/src/app": { "allowedTools": [], "mcpServers": { "web": { "type": "stdio", "command": "web", "args": [], "env": {} } } } }
}"#;
    let changed = installed("claude-code", text);
    let servers = &value("claude-code", &changed.text)["mcpServers"];
    assert_eq!(
        servers["web"],
        json!({
            "type": "stdio",
            "command": "tuckaway",
            "args": ["mcp", "proxy", "--name", "web", "--url", "https://example.com/mcp?x=1", "--url-type", "http",
                "--header", "Authorization: $TUCKAWAY_HEADER_AUTHORIZATION",
                "--header", "X-Api-Key: $TUCKAWAY_HEADER_X_API_KEY"],
            "env": {"TUCKAWAY_HEADER_AUTHORIZATION": "Bearer ${TOKEN}", "TUCKAWAY_HEADER_X_API_KEY": "s3cret"}
        })
    );
    // No secret is an argument.
    assert!(!servers["web"]["args"].to_string().contains("s3cret"));
    assert_eq!(
        changed.text.lines().find(|line| line.contains("\"bare\"")).unwrap().trim(),
        r#""bare": {"type":"stdio","command":"tuckaway","args":["mcp", "proxy", "--name", "bare", "--url", "http://localhost:8000", "--url-type", "streamable-http"]},"#
    );
    let left = |name: &str| {
        let server = changed.servers.iter().find(|server| server.name == name).unwrap();
        match &server.outcome {
            Outcome::LeftAlone(why) => why.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(left("old"), "its type is sse, which the proxy does not support");
    assert_eq!(
        left("oauth"),
        "its client logs in (oauth); to use the proxy, run `tuckaway mcp login` with its URL, and remove oauth"
    );
    assert_eq!(changed.servers[0].outcome, Outcome::ChangedUrl);
    let last = changed.servers.last().unwrap();
    assert_eq!(
        (last.project.as_deref(), &*last.name, &last.outcome),
        (Some("/src/app"), "web", &Outcome::Changed)
    );
}

#[test]
fn vscode_with_comments() {
    let text = "{\r\n\t// Asked once.\r\n\t\"inputs\": [{ \"id\": \"key\", \"type\": \"promptString\" }],\r\n\t\"servers\": {\r\n\
        \t\t/* mine */\r\n\t\t\"py\": {\r\n\t\t\t\"type\": \"stdio\",\r\n\t\t\t\"command\": \"python\", // 3.12\r\n\t\t\t\"args\": [\r\n\
        \t\t\t\t// the module\r\n\t\t\t\t\"-m\", \"notes\",\r\n\t\t\t],\r\n\t\t\t\"envFile\": \".env\",\r\n\t\t},\r\n\
        \t\t\"web\": {\r\n\t\t\t\"url\": \"https://example.com/mcp\", // the address\r\n\t\t\t\"headers\": { /* secret */ \"Key\": \"${input:key}\", },\r\n\t\t},\r\n\t},\r\n}\r\n";
    let changed = installed("vscode", text);
    let servers = &value("vscode", &changed.text)["servers"];
    assert_eq!(servers["py"]["args"], json!(["mcp", "proxy", "--name", "py", "--", "python", "-m", "notes"]));
    assert_eq!(servers["web"]["env"], json!({"TUCKAWAY_HEADER_KEY": "${input:key}"}));
    for comment in
        ["// Asked once.", "/* mine */", "// 3.12", "// the module", "// the address", "/* secret */"]
    {
        assert!(changed.text.contains(comment), "{comment}");
    }
}

#[test]
fn cursor_minified_and_with_a_byte_order_mark() {
    let text = "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"a\"},\"b\":{\"command\":\"b\",\"args\":[\"x\"]},\"c\":{\"url\":\"http://c\"}}}";
    let changed = installed("cursor", text);
    assert_eq!(
        changed.text,
        "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"tuckaway\",\"args\":[\"mcp\", \"proxy\", \"--name=a\", \"--\", \"a\"]},\
         \"b\":{\"command\":\"tuckaway\",\"args\":[\"mcp\", \"proxy\", \"--name\", \"b\", \"--\", \"b\", \"x\"]},\
         \"c\":{\"command\":\"tuckaway\",\"args\":[\"mcp\", \"proxy\", \"--name\", \"c\", \"--url\", \"http://c\"]}}}"
    );
}

const CODEX: &str = r#"model = "gpt-5" # the model

[mcp_servers.docs] # of the project
command = "npx"    # with Node
args = ["-y", 'docs-server']
startup_timeout_sec = 20

[mcp_servers.docs.env]
"API_KEY" = "value"

[mcp_servers.plain]
  command = '/opt/plain' # no arguments

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1", Plain = "x" }

[mcp_servers.table]
url = "https://example.com"
[mcp_servers.table.http_headers]
Authorization = """Bearer x"""

[mcp_servers]
inline = { command = "a", args = [] }
short = {command="b"}
dotted.command = "c"

[profiles.x]
model = "o3""#;

#[test]
fn codex() {
    let changed = installed("codex", CODEX);
    let servers = &value("codex", &changed.text)["mcp_servers"];
    assert_eq!(
        servers["docs"]["args"],
        json!(["mcp", "proxy", "--name", "docs", "--", "npx", "-y", "docs-server"])
    );
    assert_eq!(servers["plain"]["args"], json!(["mcp", "proxy", "--name=plain", "--", "/opt/plain"]));
    assert_eq!(servers["dotted"]["args"], json!(["mcp", "proxy", "--name=dotted", "--", "c"]));
    assert_eq!(servers["inline"]["args"], json!(["mcp", "proxy", "--name", "inline", "--", "a"]));
    assert_eq!(servers["short"]["args"], json!(["mcp", "proxy", "--name=short", "--", "b"]));
    assert_eq!(
        servers["figma"],
        json!({
            "command": "tuckaway",
            "args": ["mcp", "proxy", "--name", "figma", "--url", "https://mcp.figma.com/mcp",
                "--header", "Authorization: Bearer $FIGMA_TOKEN",
                "--header", "X-Figma-Region: $TUCKAWAY_HEADER_X_FIGMA_REGION",
                "--header", "Plain: $TUCKAWAY_HEADER_PLAIN"],
            "env_vars": ["FIGMA_TOKEN"],
            "env": {"TUCKAWAY_HEADER_X_FIGMA_REGION": "us-east-1", "TUCKAWAY_HEADER_PLAIN": "x"}
        })
    );
    assert_eq!(servers["table"]["env"], json!({"TUCKAWAY_HEADER_AUTHORIZATION": "Bearer x"}));
    assert!(
        changed.servers.iter().all(|server| !matches!(server.outcome, Outcome::LeftAlone(_))),
        "{:?}",
        changed.servers
    );
    assert!(
        changed.text.contains(
            "  command = \"tuckaway\" # no arguments\n  args = [\"mcp\", \"proxy\", \"--name=plain\""
        )
    );
    installed("codex", &CODEX.replace('\n', "\r\n"));
}

#[test]
fn only_the_named_servers_change() {
    let only =
        |action, names: &[&str], text: &str| change(text, client("claude-desktop"), &request(action, names));
    let changed = only(Action::Install, &["sqlite"], DESKTOP).unwrap();
    assert_eq!(changed.servers.len(), 1);
    assert_eq!(changed.text.matches("tuckaway").count(), 1);
    let both = install("claude-desktop", &changed.text);
    let back = only(Action::Uninstall, &["sqlite"], &both.text).unwrap();
    assert_eq!(back.text.matches("\"tuckaway\"").count(), 3);
    assert_eq!(uninstall("claude-desktop", &back.text).text, DESKTOP);
    let error = only(Action::Install, &["sqlite", "sqlit"], DESKTOP).unwrap_err().to_string();
    assert_eq!(error, "there is no server \"sqlit\"; the servers are filesystem, sqlite, plain, empty");
}

#[test]
fn servers_that_cannot_be_changed_are_reported() {
    let outcome = |id: &str, server: &str| {
        let text = match client(id).format {
            crate::document::Format::Json => format!("{{\"mcpServers\": {{\"a\": {server}}}}}"),
            _ => format!("[mcp_servers.a]\n{server}\n"),
        };
        let changed = installed(id, &text);
        match &changed.servers[0].outcome {
            Outcome::LeftAlone(why) => {
                assert_eq!(changed.text, text);
                why.clone()
            }
            Outcome::Unchanged => "unchanged".to_owned(),
            other => panic!("{other:?}"),
        }
    };
    for (server, why) in [
        ("1", "it is not a table"),
        ("{}", "it has neither a command nor a URL"),
        ("{\"command\": 1}", "its command is not a string"),
        ("{\"command\": \"a\", \"args\": null}", "its args are not a list of strings"),
        ("{\"command\": \"a\", \"args\": [1]}", "its args are not a list of strings"),
        ("{\"command\": \"a\", \"command\": \"b\"}", "it has \"command\" twice"),
        ("{\"command\": \"a\", \"url\": \"b\"}", "it has a command and a URL"),
        ("{\"url\": \"http://b\", \"env\": {}}", "it has a URL and env"),
        ("{\"url\": \"http://b\", \"headers\": {\"A\": null}}", "its header \"A\" is not a string"),
        (
            "{\"url\": \"http://b\", \"headers\": {\"A-B\": \"\", \"A_B\": \"\"}}",
            "its header \"A_B\" cannot be stored in a separate variable",
        ),
        ("{\"url\": \"http://b\", \"type\": \"ws\"}", "its type is not http"),
        ("{\"command\": \"/usr/bin/tuckaway\", \"args\": [\"mcp\", \"serve\"]}", "unchanged"),
        ("{\"command\": \"tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--\", \"mine\"]}", "unchanged"),
    ] {
        assert_eq!(outcome("cursor", server), why, "{server}");
    }
    for (server, why) in [
        ("url = \"http://b\"\nenv_http_headers = { A = \"B\" }", "it has a URL and env_http_headers"),
        // The key of the table is written twice.
        (
            "url = \"http://b\"\nhttp_headers.A = \"x\"\nhttp_headers.B = \"y\"",
            "it is written in a way that cannot be changed safely; change it by hand",
        ),
    ] {
        assert_eq!(outcome("codex", server), why, "{server}");
    }
    let text = "{\"mcpServers\": {\"größe\": {\"command\": \"a\"}}}";
    assert!(
        matches!(&installed("cursor", text).servers[0].outcome, Outcome::LeftAlone(why) if why.contains("'ö'"))
    );
}

#[test]
fn options_that_were_added_are_removed_with_the_proxy() {
    let text = "{\"mcpServers\": {\"a\": {\"command\": \"/usr/local/bin/tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--name\", \"a\", \
        \"--cap\", \"5000\", \"--\", \"npx\", \"x\"]}, \"b\": {\"command\": \"tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--name\", \"b\", \
        \"--url\", \"http://b\", \"--cap\", \"1\"]}, \"c\": {\"command\": \"tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--name\", \"c\", \"--\", \"c\",]}}}";
    assert_eq!(
        uninstall("cursor", text).text,
        "{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"x\"]}, \"b\": {\"url\": \"http://b\"}, \"c\": {\"command\": \"c\", \"args\": []}}}"
    );
    let broken = "{\"mcpServers\": {\"a\": {\"command\": \"tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--name\", \"a\", \"--\"]}}}";
    let left = uninstall("cursor", broken);
    assert_eq!(
        left.servers[0].outcome,
        Outcome::LeftAlone("its arguments end before the command".to_owned())
    );
}

#[test]
fn files_without_servers_are_refused() {
    let error =
        |text: &str| change(text, client("cursor"), &request(Action::Install, &[])).unwrap_err().to_string();
    assert_eq!(error(""), "there are no MCP servers in this file");
    assert_eq!(error("{\"mcpServers\": {}}"), "there are no MCP servers in this file");
    assert!(error("{\"mcpServers\": \n{").starts_with("line 2: "));
}

/// Generates white space, sometimes with a comment.
fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", " ", "\n    ", "\r\n\t", " /* \"x\": [,] */ ", " // } ]\n  "])
}

/// Generates a JSON string in one of the ways in which it can be written.
fn string() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "\"npx\"",
        "\"-y\"",
        "\"--\"",
        "\"--url\"",
        "\"a b\"",
        "\"\\u0041\\/b\"",
        "\"\"",
        "\"é\\n\"",
        "\"mcp\"",
        "\"--name=a\"",
    ])
    .prop_map(str::to_owned)
}

fn joined(parts: Vec<(&'static str, String, &'static str)>, open: char, close: char, comma: bool) -> String {
    let last = parts.len().saturating_sub(1);
    let parts = parts.into_iter().enumerate().map(|(at, (before, part, after))| {
        let comma = if at < last || comma { "," } else { "" };
        format!("{before}{part}{after}{comma}")
    });
    format!("{open}{}{close}", parts.collect::<String>())
}

/// Generates a server.
fn server() -> impl Strategy<Value = String> {
    let list = (prop::collection::vec((space(), string(), space()), 0..4), any::<bool>())
        .prop_map(|(parts, comma)| joined(parts, '[', ']', comma));
    let headers = prop::collection::vec(
        (space(), prop::sample::select(vec!["Authorization", "X-Key", "a.b"]), string(), space()),
        0..3,
    )
    .prop_map(|parts| {
        joined(
            parts
                .into_iter()
                .map(|(before, key, value, after)| (before, format!("\"{key}\" : {value}"), after))
                .collect(),
            '{',
            '}',
            false,
        )
    });
    let member = |key: &'static str, value: BoxedStrategy<String>| {
        (space(), space(), space(), value)
            .prop_map(move |(a, b, c, value)| (a, format!("\"{key}\"{b}:{c}{value}"), ""))
    };
    let url = Just("\"https://example.com/mcp\"".to_owned()).boxed();
    let kind = prop::sample::select(vec!["\"http\"".to_owned(), "\"streamable-http\"".to_owned()]).boxed();
    let command = (
        member("command", string().boxed()),
        prop::option::of(member("args", list.boxed())),
        prop::option::of(member("type", Just("\"stdio\"".to_owned()).boxed())),
    )
        .prop_map(|(command, args, kind)| [Some(command), args, kind]);
    let remote = (
        member("url", url),
        prop::option::of(member("headers", headers.boxed())),
        prop::option::of(member("type", kind)),
    )
        .prop_map(|(url, headers, kind)| [Some(url), headers, kind]);
    let members =
        prop_oneof![command, remote].prop_map(|members| members.into_iter().flatten().collect::<Vec<_>>());
    (members.prop_shuffle(), any::<bool>()).prop_map(|(members, comma)| joined(members, '{', '}', comma))
}

proptest! {
    #[test]
    fn any_configuration_is_restored(servers in prop::collection::vec((space(), server(), space()), 1..4), comma in any::<bool>()) {
        let names = ["a", "b", "c"];
        let members = servers.into_iter().zip(names).map(|((before, server, after), name)| (before, format!("\"{name}\":{server}"), after));
        let text = format!("{{\"mcpServers\":{}}}", joined(members.collect(), '{', '}', comma));
        let changed = installed("cursor", &text);
        for server in &changed.servers {
            let duplicate = matches!(&server.outcome, Outcome::LeftAlone(why) if why.contains("separate variable"));
            prop_assert!(duplicate || matches!(server.outcome, Outcome::Changed | Outcome::ChangedUrl), "{:?}\n{}", server, text);
        }
    }
}
