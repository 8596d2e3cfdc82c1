//! `tuckaway mcp` as a process.

use std::fs;

use crate::test_dir::TestDir;
use serde_json::{Value, json};

const CURSOR: &str = "{\n  // mine\n  \"mcpServers\": {\n    \"git\": { \"command\": \"uvx\", \"args\": [\"mcp-server-git\"] },\n    \"old\": { \"type\": \"sse\", \"url\": \"https://example.com/sse\" }\n  }\n}\n";

/// Runs the command with the directory as its home, without variables that name other folders.
fn run(dir: &TestDir, arguments: &[&str]) -> crate::test_dir::Outcome {
    let mut command = dir.command(arguments);
    command.env("HOME", &dir.0).env("USERPROFILE", &dir.0).env("APPDATA", dir.0.join("AppData"));
    for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"] {
        command.env_remove(name);
    }
    crate::test_dir::Outcome::of(command.output().unwrap())
}

#[test]
fn a_configuration_is_printed_and_not_written() {
    let dir = TestDir::new();
    dir.write("mcp.json", CURSOR);
    let ran = run(&dir, &["mcp", "install", "cursor", "--path", "mcp.json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let wrapped = "\"git\": { \"command\": \"tuckaway\", \"args\": [\"mcp\", \"proxy\", \"--name\", \"git\", \"--session\", \"cursor\", \"--\", \"uvx\", \"mcp-server-git\"] }";
    assert_eq!(
        ran.out(),
        CURSOR.replace("\"git\": { \"command\": \"uvx\", \"args\": [\"mcp-server-git\"] }", wrapped)
    );
    assert!(
        ran.stderr.starts_with(
            "Cursor, mcp.json\n  git  goes through tuckaway\n  old  not changed: its type is sse"
        ),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("Nothing was written; run this again with --write."), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(dir.0.join("mcp.json")).unwrap(), CURSOR);
}

#[test]
fn the_configuration_of_the_user_is_written_with_a_copy_and_restored() {
    let dir = TestDir::new();
    fs::create_dir(dir.0.join(".cursor")).unwrap();
    dir.write(".cursor/mcp.json", CURSOR);
    let ran = run(&dir, &["mcp", "install", "cursor", "--write", "--program", "/opt/bin/tuckaway"]);
    assert_eq!((ran.status, ran.out()), (0, ""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("Written. The old configuration is kept in ")
            && ran.stderr.contains("Restart Cursor."),
        "{}",
        ran.stderr
    );
    let files = || {
        let names = fs::read_dir(dir.0.join(".cursor"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let written = fs::read_to_string(dir.0.join(".cursor/mcp.json")).unwrap();
    assert!(written.contains("\"command\": \"/opt/bin/tuckaway\""), "{written}");
    let copies = files();
    assert_eq!(copies.len(), 2);
    assert_eq!(fs::read_to_string(dir.0.join(".cursor").join(&copies[1])).unwrap(), CURSOR);
    // Nothing to do, so nothing is written.
    let again = run(&dir, &["mcp", "install", "cursor", "--write"]);
    assert!(again.stderr.contains("git  unchanged, already goes through tuckaway"), "{}", again.stderr);
    assert_eq!(files(), copies);
    let undone = run(&dir, &["mcp", "install", "cursor", "--uninstall", "--write"]);
    assert!(undone.stderr.contains("git  restored"), "{}", undone.stderr);
    assert_eq!(fs::read_to_string(dir.0.join(".cursor/mcp.json")).unwrap(), CURSOR);
    assert_eq!(files().len(), 3);
}

#[test]
fn permissions_in_another_file_are_named_with_the_tools_to_add() {
    let dir = TestDir::new();
    dir.write("mcp.json", CURSOR);
    let install = |client: &str, more: &[&str]| {
        run(&dir, &[&["mcp", "install", client, "--path", "mcp.json"], more].concat())
    };
    let claude = install("claude-code", &["--write"]);
    let told = "If you use permissions.allow in ~/.claude/settings.json, add the artifact tools: \
                mcp__git__artifact_read, mcp__git__artifact_grep, mcp__git__artifact_jq.\n";
    assert!(claude.stderr.contains(told), "{}", claude.stderr);
    let undone = install("claude-code", &["--uninstall", "--write"]);
    assert!(!undone.stderr.contains("permissions.allow"), "{}", undone.stderr);
    // Its list, if it has one, is in the configuration itself.
    assert!(!install("cursor", &[]).stderr.contains("permissions.allow"));
}

#[test]
fn json_has_what_became_of_each_server() {
    let dir = TestDir::new();
    fs::create_dir(dir.0.join(".codex")).unwrap();
    dir.write(
        ".codex/config.toml",
        "[mcp_servers.docs]\ncommand = \"docs\"\n[mcp_servers.web]\nurl = \"http://a\"\n",
    );
    let ran = run(&dir, &["mcp", "install", "codex", "--server", "docs", "--json"]);
    let shown: Value = serde_json::from_str(&ran.ok()).unwrap();
    assert_eq!(
        shown["servers"],
        json!([{"name": "docs", "project": null, "outcome": "changed", "reason": null, "alone": null}])
    );
    assert_eq!(
        (&shown["client"], &shown["changed"], &shown["copy"]),
        (&json!("codex"), &json!(true), &Value::Null)
    );
    assert!(
        shown["text"]
            .as_str()
            .unwrap()
            .contains("args = [\"mcp\", \"proxy\", \"--name=docs\", \"--session\", \"codex\", \"--\", \"docs\"]\n[mcp_servers.web]")
    );
}

#[test]
fn mistakes_say_what_to_do() {
    let dir = TestDir::new();
    dir.write("mcp.json", CURSOR);
    dir.write("broken.json", "{\n\"mcpServers\": {");
    dir.write("latin.json", [b'{', 0xff, b'}']);
    for (arguments, status, message) in [
        (&["cursor"][..], 2, "a project's .cursor/mcp.json"),
        (&["cursor", "--path", "broken.json"], 1, "broken.json: line 2: "),
        (&["cursor", "--path", "latin.json"], 1, "latin.json is not UTF-8"),
        (
            &["cursor", "--path", "mcp.json", "--server", "gti"],
            1,
            "there is no server \"gti\"; the servers are git, old",
        ),
        (&["vscode", "--path", "mcp.json"], 1, "there are no MCP servers in this file"),
        (&["cursor", "--path", "mcp.json", "--program", "/bin/cat"], 2, "is not named tuckaway"),
        (&["emacs"], 2, "claude-code, claude-desktop, cline, codex, continue, copilot"),
        (&[], 2, "CLIENT"),
    ] {
        let ran = run(&dir, &[&["mcp", "install"], arguments].concat());
        assert_eq!((ran.status, ran.out()), (status, ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.replace('\\', "/").contains(message), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn several_servers_move_into_a_file_and_return() {
    let dir = TestDir::new();
    let text = "{\"mcpServers\": {\n  \"a\": {\"command\": \"a\", \"env\": {\"KEY\": \"s3cret\"}},\n  \"b\": {\"command\": \"b\"}\n}}\n";
    dir.write("mcp.json", text);
    let install = ["mcp", "install", "cursor", "--path", "mcp.json"];
    let shown = run(&dir, &install);
    assert!(shown.stderr.contains("One proxy stands for these servers"), "{}", shown.stderr);
    let file = dir.0.join("mcp.json.tuckaway.json");
    assert!(!file.exists(), "nothing is written without --write");
    let ran = run(&dir, &[&install[..], &["--write"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let written: Value = serde_json::from_str(&fs::read_to_string(dir.0.join("mcp.json")).unwrap()).unwrap();
    assert_eq!(
        written["mcpServers"],
        json!({"tuckaway": {"command": "tuckaway", "args": ["mcp", "proxy", "--config", file, "--session", "cursor"]}})
    );
    let moved: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(
        moved["mcpServers"],
        json!({"a": {"command": "a", "env": {"KEY": "s3cret"}}, "b": {"command": "b"}})
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let separate = run(&dir, &[&install[..], &["--write", "--separate"]].concat());
    assert!(separate.stderr.contains("b  unchanged"), "{}", separate.stderr);
    let undone = run(&dir, &[&install[..], &["--uninstall", "--write"]].concat());
    assert!(undone.stderr.contains("a  restored\n  b  restored"), "{}", undone.stderr);
    assert_eq!(fs::read_to_string(dir.0.join("mcp.json")).unwrap(), text);
    assert!(!file.exists());
    let ran = run(&dir, &[&install[..], &["--separate"]].concat());
    assert!(ran.out().contains("--name=a") && ran.out().contains("--name=b"), "{}", ran.out());
}
