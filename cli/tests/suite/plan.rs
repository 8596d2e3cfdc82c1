//! `tuckaway plan` as a process.

use std::fs;

use crate::test_dir::TestDir;
use serde_json::{Value, json};

/// Returns a history in which each of the results takes about a thousand tokens.
fn history(results: usize) -> Vec<Value> {
    let mut messages = vec![json!({"role": "system", "content": "You fix bugs."})];
    for n in 0..results {
        let call = json!({"id": format!("call_{n}"), "type": "function",
            "function": {"name": "read_file", "arguments": format!("{{\"path\": \"src/{n}.rs\"}}")}});
        let output: String = (0..100).map(|line| format!("line {line} of file {n}: some code\n")).collect();
        messages.extend([
            json!({"role": "user", "content": format!("Look at file {n}.")}),
            json!({"role": "assistant", "content": null, "tool_calls": [call], "x_vendor": 1.5}),
            json!({"role": "tool", "tool_call_id": format!("call_{n}"), "content": output}),
            json!({"role": "assistant", "content": format!("File {n} is fine.")}),
        ]);
    }
    messages
}

fn text(results: usize) -> String {
    let request = json!({"model": "m", "messages": history(results)});
    // Another way to write the number, which only a copy keeps.
    serde_json::to_string_pretty(&request).unwrap().replace("\"x_vendor\": 1.5", "\"x_vendor\": 1.50")
}

#[test]
fn the_account_is_shown_by_bucket() {
    let dir = TestDir::new();
    dir.write("chat.json", text(3));
    let shown = dir.run(&["plan", "chat.json", "--window", "100000"]).ok();
    let rows: Vec<Vec<&str>> = shown.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["openai-chat,", "13", "messages"]);
    assert_eq!(rows[1], ["BUCKET", "BEFORE", "AFTER", "CAP", "FILL"]);
    let names: Vec<&str> = rows[2..7].iter().map(|row| row[0]).collect();
    assert_eq!(names, ["system", "tools", "history", "tool_outputs", "total"]);
    assert_eq!(rows[6][3], "100,000");
    assert!(shown.contains("Nothing to do."), "{shown}");
    assert_eq!(dir.pipe(text(3).as_bytes(), &["plan", "--window", "100000"]).ok(), shown);
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
}

#[test]
fn a_refused_conversation_is_planned_within_the_providers_limit() {
    let dir = TestDir::new();
    dir.write("chat.json", text(3));
    let refusal = "prompt is too long: 9000 tokens > 8000 maximum";
    let args = ["plan", "chat.json", "--window", "100000", "--refusal", refusal, "--json"];
    let shown: Value = serde_json::from_str(&dir.run(&args).ok()).unwrap();
    assert_eq!(shown["before"]["total"], 9_000);
    assert!(shown["after"]["total"].as_u64().unwrap() <= 4_800, "{shown}");
    assert_eq!(shown["alarms"][0]["kind"], "setting");
}

#[test]
fn the_plan_is_shown_and_nothing_is_stored() {
    let dir = TestDir::new();
    dir.write("chat.json", text(60));
    let shown = dir.run(&["plan", "chat.json", "--window", "64000"]).ok();
    assert!(shown.contains("Planned:\n  trim  message 3, read_file"), "{shown}");
    assert!(shown.contains("to a new artifact") && shown.contains("more; --json lists all"), "{shown}");
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
    let plan: Value =
        serde_json::from_str(&dir.run(&["plan", "chat.json", "--window", "64000", "--json"]).ok()).unwrap();
    assert_eq!((&plan["format"], &plan["context_window"]), (&json!("openai-chat"), &json!(64_000)));
    assert!(plan["receipts"].as_array().unwrap().len() > 20 && plan["history"].is_null());
    assert!(plan["after"]["total"].as_u64() < plan["before"]["total"].as_u64());
}

#[test]
fn a_plan_is_applied_and_what_was_removed_can_be_read() {
    let dir = TestDir::new();
    dir.write("chat.json", text(60));
    let ran = dir.run(&["plan", "chat.json", "--window", "64000", "--apply"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("Applied:\n  trim  message 3, read_file"), "{}", ran.stderr);
    let new: Value = serde_json::from_str(ran.out()).unwrap();
    let (old, new) = (history(60), new["messages"].as_array().unwrap());
    assert_eq!(new.len(), old.len());
    assert!(ran.out().contains("\"x_vendor\": 1.50"), "what stays is the same, byte for byte");
    let placeholder = new[3]["content"].as_str().unwrap();
    let id = placeholder.split(['=', ']', ';', ' ']).find(|word| word.starts_with("art_")).expect("an id");
    assert_eq!(dir.run(&["read", id, "--raw"]).ok(), old[3]["content"].as_str().unwrap());
    assert_eq!(new.last(), old.last());
    // The new history needs no plan.
    let again = dir.pipe(&ran.stdout, &["plan", "--window", "64000"]).ok();
    assert!(again.contains("Nothing to do."), "{again}");
}

#[test]
fn files_take_the_history_and_the_state() {
    let dir = TestDir::new();
    dir.write("chat.json", text(60));
    let arguments = [
        "plan",
        "chat.json",
        "--window",
        "64000",
        "--apply",
        "--output",
        "new.json",
        "--state",
        "state.json",
    ];
    let shown = dir.run(&arguments).ok();
    assert!(shown.contains("Applied:"), "{shown}");
    let state: Value = serde_json::from_slice(&fs::read(dir.0.join("state.json")).unwrap()).unwrap();
    let (call, artifact) = state["artifacts"].as_object().unwrap().iter().next().unwrap();
    assert!(
        call.starts_with("call_0 ") && artifact.as_str().unwrap().starts_with("art_read_file_"),
        "{state}"
    );
    assert!(!dir.0.join("new.json.part").exists());
    let unwritable = ["plan", "chat.json", "--window", "64000", "--apply", "--output", "no/new.json"];
    assert!(dir.run(&unwritable).error(1).contains("cannot write no/new.json"));
    let again = dir.run(&["plan", "new.json", "--window", "64000", "--state", "state.json"]).ok();
    assert!(again.contains("Nothing to do."), "{again}");
}

#[cfg(unix)]
#[test]
fn a_command_writes_the_summary() {
    let dir = TestDir::new();
    dir.write("chat.json", text(60));
    let base = ["plan", "chat.json", "--window", "12000", "--preset", "none", "--json", "--apply"];
    let config = ["--config", "config.json"];
    dir.write("config.json", r#"{"cache": {"enabled": false}}"#);
    let plan = |more: &[&str]| -> Value {
        let ran = dir.run(&[&base[..], &config, more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        serde_json::from_slice(&ran.stdout).unwrap()
    };
    let waiting = plan(&[]);
    assert!(waiting["request"]["prompt"].is_string(), "{waiting}");
    let shown = dir.run(&[&base[..6], &config].concat()).ok();
    assert!(shown.contains("name a command that asks a model with --summary-command"), "{shown}");
    let command = "cat > request.json; echo '<summary>All files are fine.</summary>'";
    let summarized = plan(&["--summary-command", command]);
    assert!(summarized["request"].is_null() && summarized["requests"].as_u64() > Some(0), "{summarized}");
    assert!(summarized["history"].to_string().contains("All files are fine."));
    let request: Value = serde_json::from_slice(&fs::read(dir.0.join("request.json")).unwrap()).unwrap();
    assert_eq!(request["messages"][0]["role"], "user");
    // Without an answer, the history is planned without a summary.
    let failed = plan(&["--summary-command", "exit 3"]);
    assert!(failed["refusal"].is_string() && !failed["summary_errors"].as_array().unwrap().is_empty());
}

#[test]
fn mistakes_are_named() {
    let dir = TestDir::new();
    dir.write("chat.json", text(1));
    let error = |arguments: &[&str], status| dir.run(&[&["plan"], arguments].concat()).error(status);
    assert!(error(&["chat.json"], 2).contains("pass it with --window TOKENS"));
    assert!(error(&["missing.json", "--window", "1"], 2).contains("cannot read missing.json"));
    for (wrong, why) in
        [("--preset=huge", "no such preset"), ("--usage=-5", "input_tokens of the usage is -5")]
    {
        let ran = dir.run(&["plan", "chat.json", "--window", "9", wrong]);
        assert!(ran.status == 2 && ran.stderr.contains(why), "{}", ran.stderr);
    }
    dir.write("config.json", r#"{"caches": {}}"#);
    let named = error(&["chat.json", "--window", "9000", "--config", "config.json"], 1);
    assert!(named.contains("there is no section \"caches\""), "{named}");
    for (json, why) in [
        ("nothing", "A history is a JSON list"),
        ("{\"messages\": 3}", "malformed"),
        (r#"[{"role": "tool", "tool_call_id": "c", "content": "x"}]"#, "no earlier call awaits it"),
    ] {
        dir.write("bad.json", json);
        let error = error(&["bad.json", "--window", "9000", "--strict"], 1);
        assert!(error.contains(why), "{error}");
    }
    // The memory of a history is not the option `--memory`.
    dir.write("state.json", "{}");
    let kept = ["chat.json", "--window", "9000", "--apply", "--state", "state.json"];
    let changed = error(&kept, 1);
    assert!(changed.contains("The memory is invalid: it is not a memory. Pass the memory that"), "{changed}");
    let shown = dir.run(&["plan", "bad.json", "--window", "9000"]).ok();
    assert!(shown.contains("repair: Item 0 has a result for \"c\""), "{shown}");
}
