//! `tuckaway hook` as a process: the calls of clients, and their files.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::test_dir::{Outcome, TestDir};

/// Calls as the clients pass them, with the members of November 2026.
fn call(client: &str, script: &str) -> Value {
    match client {
        "claude-code" => json!({
            "session_id": "1f6b", "transcript_path": "/home/ada/.claude/projects/x/1f6b.jsonl", "cwd": "work",
            "permission_mode": "bypassPermissions", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": script, "description": "Run it", "timeout": 120_000}, "tool_use_id": "toolu_1",
        }),
        "codex" => json!({
            "session_id": "019a", "turn_id": "1", "transcript_path": null, "cwd": "work", "hook_event_name": "PreToolUse",
            "model": "gpt-5-mini", "permission_mode": "default", "tool_name": "Bash",
            "tool_input": {"command": script}, "tool_use_id": "call_1",
        }),
        "gemini" => json!({
            "session_id": "9a", "transcript_path": "", "cwd": "work", "hook_event_name": "BeforeTool",
            "timestamp": "2026-11-28T05:00:00.000Z", "tool_name": "run_shell_command",
            "tool_input": {"command": script, "description": "Run it"},
        }),
        _ => {
            json!({"cwd": "work", "tool_name": "bash", "tool_input": {"command": script, "description": "Run it"}})
        }
    }
}

/// Returns a command with the directory as its home.
fn at_home(dir: &TestDir, mut command: Command) -> Command {
    command.env("HOME", &dir.0).env("SHELL", "/bin/bash");
    for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "TUCKAWAY_HOOK"]
    {
        command.env_remove(name);
    }
    command
}

/// Runs a hook on a call, which is given as its text.
fn asked(dir: &TestDir, client: &str, call: &str, hook: &str) -> Outcome {
    let mut command = at_home(dir, dir.command(&["hook", "run", client]));
    command.env("TUCKAWAY_HOOK", hook).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(call.as_bytes()).unwrap();
    Outcome::of(child.wait_with_output().unwrap())
}

/// Returns the arguments of the changed call; `None` if the hook did not change it.
fn changed(dir: &TestDir, client: &str, call: &Value) -> Option<Value> {
    let answer = asked(dir, client, &call.to_string(), "").ok();
    let answer: Value = (!answer.is_empty()).then(|| serde_json::from_str(&answer).unwrap())?;
    let output = &answer["hookSpecificOutput"];
    Some(match client {
        "gemini" => output["tool_input"].clone(),
        "opencode" => answer["tool_input"].clone(),
        _ => output["updatedInput"].clone(),
    })
}

fn shell(dir: &TestDir, script: &str) -> Outcome {
    let mut command = Command::new("bash");
    command
        .current_dir(&dir.0)
        .env("TUCKAWAY_STORE", format!("dir:{}", dir.0.join("store").display()))
        .args(["-c", script])
        .stdin(Stdio::null());
    Outcome::of(at_home(dir, command).output().unwrap())
}

#[test]
fn a_changed_command_does_the_same() {
    let dir = TestDir::new();
    fs::create_dir(dir.0.join("a b")).unwrap();
    for client in ["claude-code", "codex", "gemini", "opencode"] {
        for script in [
            "echo \"it's\" $((6 / 2 ))",
            "echo \"it's\" 'a \"b\"' \\$x; ls /no-such-folder; echo done | grep -c o",
            "cd 'a b' && ls | wc -l",
            "export GREETING='a  b'\nprintenv GREETING",
            "for i in 1 2 3; do\n  echo \"$i\" # it's a comment\ndone",
            "ls no-such-file || false",
            "sh -c 'exit 7'",
            "sh -c 'kill -PIPE $$' || sh -c \"exit $?\"",
            "true && { echo one; echo two >&2; }",
        ] {
            let call = call(client, script);
            let direct = shell(&dir, script);
            let Some(input) = changed(&dir, client, &call) else {
                assert!(script.contains("$(("), "{client}: {script}");
                continue;
            };
            let wrapped = input["command"].as_str().unwrap();
            assert!(wrapped.contains(" exec --tool ") && wrapped != script, "{wrapped}");
            let ran = shell(&dir, wrapped);
            let output = [ran.out().as_bytes(), ran.stderr.as_bytes()].concat();
            let (mut lines, mut expected): (Vec<_>, Vec<_>) = (
                String::from_utf8(output).unwrap().lines().map(str::to_owned).collect(),
                direct.out().lines().chain(direct.stderr.lines()).map(str::to_owned).collect(),
            );
            lines.sort();
            expected.sort();
            assert_eq!((ran.status, lines), (direct.status, expected), "{wrapped}");
            // Everything but the command is preserved.
            let mut before = call["tool_input"].clone();
            before["command"] = wrapped.into();
            assert_eq!(input, before);
        }
    }
}

#[test]
fn the_model_reads_a_stored_output_with_the_commands_that_are_named() {
    let dir = TestDir::new();
    let call = call("codex", "seq 1 60000; sh -c 'echo error: it broke; exit 3'");
    let answer: Value = serde_json::from_str(&asked(&dir, "codex", &call.to_string(), "").ok()).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "allow");
    let ran = shell(&dir, answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap());
    let view = ran.quiet(3);
    assert!(view.len() < 8_000 && view.contains("error: it broke"), "{view}");
    assert!(!view.contains("artifact_read") && !view.contains("artifact_grep"), "{view}");
    let (_, rest) = view.split_once("\"tuckaway read ").unwrap();
    let (id, _) = rest.split_once(" --lines 1:200\"").unwrap();
    assert_eq!(dir.run(&["read", id, "--lines", "59999:60001"]).ok(), "59999\n60000\nerror: it broke\n");
    assert!(view.contains(&format!("\"tuckaway grep -n PATTERN {id} | head -50\": ")), "{view}");
}

#[test]
fn a_command_runs_even_if_there_is_no_store() {
    let dir = TestDir::new();
    let input = changed(&dir, "codex", &call("codex", "seq 1 60000; sh -c 'exit 3'")).unwrap();
    let script = format!("export TUCKAWAY_STORE=dir:/dev/null/store; {}", input["command"].as_str().unwrap());
    let ran = shell(&dir, &script);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(ran.out().starts_with("1\n2\n") && ran.stdout.len() < 64_000, "{}", ran.out().len());
    assert!(ran.stderr.starts_with("tuckaway: nothing is stored: "), "{}", ran.stderr);
}

#[test]
fn commands_are_left_alone_if_the_client_may_restrict_them() {
    let dir = TestDir::new();
    fs::create_dir_all(dir.0.join("work/.claude")).unwrap();
    let settings =
        json!({"permissions": {"allow": ["Bash(ls:*)", "Bash(seq *)"], "deny": ["Bash(seq 9:*)"]}});
    dir.write("work/.claude/settings.json", settings.to_string());
    for (mode, script, is_changed) in [
        ("bypassPermissions", "wc -l x", true),
        ("bypassPermissions", "seq 8", true),
        ("bypassPermissions", "seq 9", false),
        ("default", "wc -l x", false),
        ("default", "ls -l | seq 8", true),
        ("default", "ls > x", false),
        ("acceptEdits", "cd x && ls", false),
    ] {
        let mut call = call("claude-code", script);
        call["permission_mode"] = mode.into();
        let answer = asked(&dir, "claude-code", &call.to_string(), "").ok();
        assert_eq!(!answer.is_empty(), is_changed, "{mode}: {script}");
        assert_eq!(
            answer.contains("\"allow\""),
            is_changed && mode != "bypassPermissions",
            "{mode}: {script}"
        );
    }
}

#[test]
fn the_hook_can_be_turned_off_and_other_calls_pass() {
    let dir = TestDir::new();
    let usual = call("claude-code", "ls").to_string();
    assert_ne!(asked(&dir, "claude-code", &usual, "on").ok(), "");
    assert_eq!(asked(&dir, "claude-code", &usual, "off").ok(), "");
    for (member, value) in [
        ("tool_name", json!("Edit")),
        ("tool_input", json!({"command": "ls", "run_in_background": true})),
        ("tool_input", json!({"command": 7})),
        ("tool_input", json!([])),
        ("tool_input", json!({"command": "TUCKAWAY_HOOK=off ls"})),
    ] {
        let mut call = call("claude-code", "ls");
        call[member] = value;
        assert_eq!(asked(&dir, "claude-code", &call.to_string(), "").ok(), "", "{call}");
    }
    assert_eq!(asked(&dir, "codex", "[]", "").ok(), "");
    let error = asked(&dir, "codex", "{", "").error(1);
    assert!(error.starts_with("the call is invalid: EOF while parsing"), "{error}");
}

#[test]
fn a_hook_is_installed_and_removed() {
    let dir = TestDir::new();
    let run = |arguments: &[&str]| Outcome::of(at_home(&dir, dir.command(arguments)).output().unwrap());
    fs::create_dir(dir.0.join(".claude")).unwrap();
    let text = "{\n  \"model\": \"opus\"\n}\n";
    dir.write(".claude/settings.json", text);
    for (client, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", ".config/opencode/plugins/tuckaway.js"),
    ] {
        let before = fs::read_to_string(dir.0.join(file)).ok();
        let shown = run(&["hook", "install", client, "--program", "/opt/tuckaway"]);
        assert!(
            shown.stderr.contains("nothing was written; run this again with --write"),
            "{}",
            shown.stderr
        );
        assert_eq!(fs::read_to_string(dir.0.join(file)).ok(), before);
        let ran = run(&["hook", "install", client, "--program", "/opt/tuckaway", "--write"]);
        assert!(ran.stderr.contains(": written\n") && ran.stderr.contains("Restart "), "{}", ran.stderr);
        let written = fs::read_to_string(dir.0.join(file)).unwrap();
        assert_eq!(written, shown.out());
        assert!(written.contains("/opt/tuckaway"), "{written}");
        let again = run(&["hook", "install", client, "--program", "/opt/tuckaway", "--write"]);
        assert!(again.stderr.contains(": nothing to change\n"), "{}", again.stderr);
        let undone = run(&["hook", "uninstall", client, "--write", "--json"]);
        assert_eq!(serde_json::from_str::<Value>(&undone.ok()).unwrap()["changed"], true);
        assert_eq!(fs::read_to_string(dir.0.join(file)).ok(), before);
    }
    assert_eq!(fs::read_to_string(dir.0.join(".claude/settings.json")).unwrap(), text);
    dir.write("plugin.js", "// mine\n");
    let refused = run(&["hook", "install", "opencode", "--path", "plugin.js"]).error(1);
    assert_eq!(
        refused,
        "plugin.js: this file was not written by tuckaway; move it away, or remove it by hand"
    );
    assert!(run(&["hook", "install", "cursor"]).stderr.contains("claude-code, codex, gemini, opencode"));
    for command in ["hook", "hook install", "hook uninstall", "hook run"] {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        assert_eq!(run(&words).status, 0);
    }
}
