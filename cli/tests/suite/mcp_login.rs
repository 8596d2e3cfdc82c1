//! `tuckaway mcp login`, `logout` and `logins` as a process: which server is meant. The logins
//! themselves are tested in `mcp/src/login/tests`.

use std::fs;

use serde_json::{Value, json};

use crate::test_dir::{Outcome, TestDir};

const CONFIG: &str = r#"{"mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"] },
    "web": { "url": "http://127.0.0.1:9/mcp" },
    "plain": { "url": "http://example.com/mcp" }
}}"#;

fn run(dir: &TestDir, arguments: &[&str]) -> Outcome {
    let mut command = dir.command(arguments);
    // An absolute path: others are ignored.
    Outcome::of(command.env("XDG_STATE_HOME", dir.0.join("state")).output().unwrap())
}

#[test]
fn servers_are_named_by_their_url_or_in_a_file() {
    let dir = TestDir::new();
    dir.write("mcp.json", CONFIG);
    let login = |arguments: &[&str]| run(&dir, &[&["mcp", "login"], arguments].concat());
    assert!(login(&["web"]).error(2).contains("is neither a URL nor the name of a login"));
    assert!(login(&["ftp://example.com/"]).error(2).contains("is not a URL"));
    assert!(login(&["http://example.com/mcp"]).error(2).contains("it must begin with https://"));
    let config = |name| login(&[name, "--config", "mcp.json"]);
    assert!(config("git").error(2).contains("is a command; only a server with a URL asks for a login"));
    assert!(config("other").error(2).contains("has no server \"other\"; it has git, web, plain"));
    assert!(config("plain").error(2).contains("it must begin with https://"));
    assert!(config("web").error(1).contains("the server cannot be reached"));
    let secret = ["https://example.com/mcp", "--client-id", "a", "--client-secret-env", "TUCKAWAY_NOT_SET"];
    assert!(login(&secret).error(2).contains("TUCKAWAY_NOT_SET has no secret"));
    assert!(!dir.0.join("state").exists(), "nothing is stored");
}

#[test]
fn logins_are_listed_without_their_tokens_and_removed_by_their_names() {
    let dir = TestDir::new();
    assert_eq!(run(&dir, &["mcp", "logins"]).ok(), "");
    assert_eq!(run(&dir, &["mcp", "logins", "--json"]).ok(), "[]\n");
    let url = "https://example.com/mcp";
    assert!(run(&dir, &["mcp", "logout", url]).error(1).contains("there is no login to"));

    let directory = dir.0.join("state/tuckaway/logins");
    fs::create_dir_all(&directory).unwrap();
    let login = json!({
        "url": url, "name": "web", "logged_in_at": 1, "redirect_uri": "http://127.0.0.1:1/callback",
        "credentials": {
            "client_id": "c", "issuer": "https://login.example.com", "granted_scopes": ["read", "write"],
            "token_received_at": 1, "token_response": {
                "access_token": "s3cret", "refresh_token": "t0ken", "token_type": "bearer", "expires_in": 60,
            },
        },
    });
    // The hash of the URL.
    fs::write(directory.join("example.com-5a3e09337f389fc8.json"), login.to_string()).unwrap();
    let listed = run(&dir, &["mcp", "logins"]).ok();
    assert!(listed.contains(url) && listed.contains("read write") && listed.contains("renewed"), "{listed}");
    let json = run(&dir, &["mcp", "logins", "--json"]).ok();
    let parsed: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&parsed[0]["name"], &parsed[0]["state"]), (&json!("web"), &json!("automatic")));
    for text in [listed, json] {
        assert!(!text.contains("s3cret") && !text.contains("t0ken"), "{text}");
    }
    let ran = run(&dir, &["mcp", "logout", "web"]);
    assert_eq!((ran.status, ran.out()), (0, ""));
    assert!(ran.stderr.contains("does not revoke tokens"), "{}", ran.stderr);
    assert_eq!(run(&dir, &["mcp", "logins", "--json"]).ok(), "[]\n");
}
