//! `tuckaway mcp proxy` and `serve` as processes, with a server that is a shell script.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::test_dir::TestDir;
use serde_json::{Value, json};
use tuckaway_test_kit::shell_server::{self, Answer};

/// Writes a server with one tool, whose result is large: `sh server.sh` starts it.
fn write_server(dir: &TestDir) {
    let count = json!({"name": "count", "inputSchema": {"type": "object"}});
    let calls = [("count", Answer::Output(r"seq 1 60000 | tr '\n' ' '"))];
    dir.write("server.sh", shell_server::script(&[count], &calls));
}

/// A client of a process.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    id: u64,
}

impl Client {
    fn new(dir: &TestDir, arguments: &[&str]) -> Self {
        let mut command = dir.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut client = Client { input: child.stdin.take(), child, output, id: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        assert!(client.ask("initialize", hello)["result"]["serverInfo"].is_object());
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_ref().unwrap(), "{message}").unwrap();
    }

    /// Sends a request and waits for its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let line = self.output.next().expect("an answer").unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == json!(id) && message["method"].is_null() {
                return message;
            }
        }
    }

    fn tools(&mut self) -> Vec<String> {
        let tools = self.ask("tools/list", json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap_or_else(|| panic!("{tools}"));
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let text = &answer["result"]["content"][0]["text"];
        text.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Disconnects, and returns the exit status.
    fn leave(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

/// Returns the id in an envelope.
fn id_in(text: &str) -> String {
    let start = text.find("art_").unwrap_or_else(|| panic!("{text}"));
    text[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

#[test]
fn a_large_result_is_put_away_and_read_by_its_connection_alone() {
    let dir = TestDir::new();
    write_server(&dir);
    let proxy = ["mcp", "proxy", "--tokens", "estimate", "--", "sh", "server.sh"];
    let mut client = Client::new(&dir, &proxy);
    let tools = client.tools();
    assert!(tools.contains(&"count".to_owned()) && tools.contains(&"artifact_read".to_owned()), "{tools:?}");
    let view = client.call("count", json!({}));
    assert!(view.len() < 20_000, "{}", view.len());
    let id = id_in(&view);
    let read = |client: &mut Client| {
        client.call("artifact_grep", json!({"artifact_id": id, "pattern": "59999", "max_matches": 1}))
    };
    assert!(read(&mut client).contains("59999"));
    let mut other = Client::new(&dir, &proxy);
    assert!(read(&mut other).contains("no artifact"));
    let mut shared = Client::new(&dir, &["mcp", "proxy", "--session", "shared", "--", "sh", "server.sh"]);
    assert!(read(&mut shared).contains("59999"));
    assert_eq!((client.leave(), other.leave(), shared.leave()), (0, 0, 0));
}

#[test]
fn one_of_several_proxies_lists_the_artifact_tools_and_all_answer_them() {
    let dir = TestDir::new();
    write_server(&dir);
    let proxy = |options: &[&'static str]| {
        let common = ["mcp", "proxy", "--session", "cursor", "--tokens", "estimate"];
        Client::new(&dir, &[&common, options, &["--", "sh", "server.sh"]].concat())
    };
    let (mut listed, mut unlisted) = (proxy(&[]), proxy(&["--unlisted"]));
    assert!(listed.tools().contains(&"artifact_read".to_owned()));
    assert_eq!(unlisted.tools(), ["count"]);
    let id = id_in(&unlisted.call("count", json!({})));
    for client in [&mut listed, &mut unlisted] {
        let read = json!({"artifact_id": id, "pattern": "59999", "max_matches": 1});
        assert!(client.call("artifact_grep", read).contains("59999"));
    }
    assert_eq!((listed.leave(), unlisted.leave()), (0, 0));
}

#[cfg(unix)]
#[test]
fn an_installed_proxy_stands_for_several_servers() {
    let dir = TestDir::new();
    write_server(&dir);
    let script = dir.0.join("server.sh");
    let server = json!({"command": "sh", "args": [script]});
    dir.write("mcp.json", json!({"mcpServers": {"one": server, "two": server}}).to_string());
    let ran = dir.run(&["mcp", "install", "cursor", "--path", "mcp.json", "--write"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(dir.0.join("mcp.json")).unwrap()).unwrap();
    let words = written["mcpServers"]["tuckaway"]["args"].as_array().unwrap();
    let words: Vec<&str> = words.iter().map(|word| word.as_str().unwrap()).collect();
    let mut client = Client::new(&dir, &words);
    let tools = client.tools();
    assert_eq!(tools.iter().filter(|name| name.starts_with("artifact_")).count(), 3, "{tools:?}");
    assert!(tools.contains(&"one_count".to_owned()) && tools.contains(&"two_count".to_owned()), "{tools:?}");
    let id = id_in(&client.call("two_count", json!({})));
    let read = json!({"artifact_id": id, "pattern": "59999", "max_matches": 1});
    assert!(client.call("artifact_grep", read).contains("59999"));
    assert_eq!(client.leave(), 0);
}

#[test]
fn a_store_that_cannot_be_opened_costs_the_client_only_the_store() {
    let dir = TestDir::new();
    write_server(&dir);
    dir.write("file", "no directory");
    let proxy =
        ["mcp", "proxy", "--store", "dir:file/store", "--tokens", "estimate", "--", "sh", "server.sh"];
    let mut client = Client::new(&dir, &proxy);
    let view = client.call("count", json!({}));
    assert!(view.starts_with("1 2 3") && view.len() < 60_000, "{} bytes: {:.200}", view.len(), view);
    assert_eq!(client.leave(), 0);
}

#[test]
fn servers_of_a_file_have_a_prefix_and_its_settings() {
    let dir = TestDir::new();
    write_server(&dir);
    dir.write("mcp.toml", "cap = 1_000_000\n[policy]\nenabled = false\n[servers.\"my big\"]\ncommand = \"sh\"\nargs = [\"server.sh\"]\n");
    let mut client = Client::new(&dir, &["mcp", "proxy", "--config", "mcp.toml"]);
    assert!(client.tools().contains(&"my_big_count".to_owned()));
    let all = client.call("my_big_count", json!({}));
    assert!(all.ends_with(" 59999 60000") || all.ends_with(" 59999 60000 "), "{}", all.len());
    assert_eq!(client.leave(), 0);
}

#[test]
fn tokens_of_tools_are_counted_for_each_level() {
    let dir = TestDir::new();
    write_server(&dir);
    let server = ["--", "sh", "server.sh"];
    let shown = dir.run(&[&["mcp", "tools", "--tokens", "estimate"][..], &server].concat()).ok();
    let rows: Vec<Vec<&str>> = shown.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0].join(" "), "SERVER TOOLS WITHOUT PROXY OFF LOW MEDIUM HIGH MAX");
    assert_eq!((rows[1].len(), rows[1][1]), (8, "1"));
    let json = ["mcp", "tools", "--tokens", "estimate", "--json", "--compress-tools", "max"];
    let counted: Value = serde_json::from_str(&dir.run(&[&json[..], &server].concat()).ok()).unwrap();
    let levels = &counted["servers"][0]["levels"];
    assert_eq!(levels["off"], counted["servers"][0]["without_proxy"]);
    assert!(levels["max"].as_u64() > levels["off"].as_u64(), "two tools stand for one: {counted}");
    let names: Vec<&Value> = counted["listed"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["get_tool_schema", "call_tool"]);
    dir.write(
        "mcp.json",
        json!({"mcpServers": {
            "a": {"command": "sh", "args": ["server.sh"]}, "b": {"command": "sh", "args": ["server.sh"]},
            "c": {"command": "false"}
        }})
        .to_string(),
    );
    let ran = dir.run(&["mcp", "tools", "--config", "mcp.json", "--tokens", "estimate"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.starts_with("tuckaway: c: "), "{}", ran.stderr);
    let rows: Vec<&str> = ran.out().lines().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(rows[..4], ["SERVER", "a", "b", "(all)"]);
}

#[test]
fn files_are_put_away_and_asked() {
    let dir = TestDir::new();
    dir.write("numbers.txt", (1..=50_000).map(|n| format!("number {n}\n")).collect::<String>());
    let mut client = Client::new(&dir, &["mcp", "serve"]);
    let id = id_in(&client.call("artifact_put", json!({"path": "numbers.txt"})));
    assert!(
        client
            .call("artifact_read", json!({"artifact_id": id, "start_line": 49_999}))
            .contains("number 50000")
    );
    assert_eq!(client.leave(), 0);
    // It is in the store of the other commands.
    assert!(dir.run(&["read", &id, "--lines", "7"]).ok().contains("number 7"));
}

#[test]
fn mistakes_end_it_before_a_server_starts() {
    let dir = TestDir::new();
    dir.write("mcp.toml", "[servers.a]\ncomand = \"sh\"\n");
    for (arguments, status, message) in [
        (
            &["--config", "mcp.toml"][..],
            2,
            "mcp.toml:2: server \"a\" has an unknown key \"comand\"; did you mean \"command\"?",
        ),
        (&["--config", "none.toml"], 2, "cannot read none.toml"),
        (&["--listen", "127.0.0.1:0", "--token-env", "TUCKAWAY_TEST_UNSET", "--", "x"], 2, "has no token"),
        (&["--listen", "0.0.0.0:0", "--", "x"], 1, "--token-env"),
        (&[], 2, "--config"),
    ] {
        let ran = dir.run(&[&["mcp", "proxy"], arguments].concat());
        assert_eq!((ran.status, ran.out()), (status, ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
}
