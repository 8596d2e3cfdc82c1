//! The dialects on the command line: a model's view of an output, and its calls.

use crate::test_dir::TestDir;

fn log(count: u32) -> String {
    (1..=count).map(|n| format!("line {n} of a log\n")).collect()
}

#[test]
fn each_dialect_has_its_view_and_its_tools() {
    let dir = TestDir::new();
    dir.write("log.txt", log(20_000));
    for (dialect, begins, tools) in [
        ("artifact", "{\n  \"artifact_id\"", &["artifact_read", "artifact_grep", "artifact_jq"][..]),
        ("cache", "line 1 of a log\n", &["tool_output_cache", "tool_output_cache_grep"]),
        ("handle", "Tool output is too large (", &["tool_output"]),
        (
            "file",
            "Tool output was large and saved to file: tool_",
            &["read_large_output", "search_large_output", "query_large_output"],
        ),
    ] {
        let view = dir.run(&["offload", "log.txt", "--tool", "fetch", "--dialect", dialect]).ok();
        assert!(view.starts_with(begins), "{dialect}: {view}");
        let defined: serde_json::Value =
            serde_json::from_str(&dir.run(&["tools", "--dialect", dialect]).ok()).unwrap();
        let names: Vec<_> =
            defined.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, tools);
    }
    let ran = dir.run(&["offload", "log.txt", "--dialect", "morse"]);
    assert!(
        ran.status == 2 && ran.stderr.contains("write artifact, cache, handle or file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn calls_of_every_dialect_are_answered() {
    let dir = TestDir::new();
    let id = dir.put("fetch", log(3).as_bytes());
    let call = |tool: &str, arguments: &str| dir.run(&["call", tool, &arguments.replace("ID", &id)]);
    assert_eq!(
        call("tool_output_cache", r#"{"ref_id": "ID", "offset": 2}"#).ok(),
        "     3\tline 3 of a log\n"
    );
    assert_eq!(call("read_large_output", r#"{"filename": "ID", "start": 32}"#).ok(), "line 3 of a log\n");
    let truncated = call("tool_output", r#"{"handle": "ID", "extract": "all", "mode": "truncate"}"#).ok();
    assert!(truncated.starts_with(&format!(
        "ABSTRACT FROM TOOL OUTPUT fetch WITH HANDLE {id}, STRATEGY:truncate:\n\nline 1"
    )));
    // Only an extraction can answer it, which asks a model.
    let error = call("tool_output", r#"{"handle": "ID", "extract": "all"}"#).error(1);
    assert!(error.contains("run an extraction"), "{error}");
    let traversal = call("read_large_output", r#"{"filename": "../ID"}"#);
    assert!(
        traversal.status == 1 && traversal.out().starts_with("path traversal detected"),
        "{}",
        traversal.out()
    );
}

#[test]
fn a_policy_file_keeps_the_defaults_of_its_dialect() {
    let dir = TestDir::new();
    dir.write("log.txt", log(5_000));
    dir.write("policy.json", r#"{"dialect": "file", "preview_bytes": 16}"#);
    let decided = |arguments: &[&str]| {
        let all =
            [&["offload", "log.txt", "--tokens", "estimate", "--json", "--policy", "policy.json"], arguments];
        let view: serde_json::Value = serde_json::from_str(&dir.run(&all.concat()).ok()).unwrap();
        (view["decision"]["gate"].clone(), view["text"].as_str().unwrap().to_owned())
    };
    let (gate, text) = decided(&[]);
    assert!(
        gate == "token_cap" && text.ends_with("Preview (the first 16 characters):\nline 1 of a log\n"),
        "{text}"
    );
    let (gate, text) = decided(&["--dialect", "cache"]);
    assert!(gate == "ceiling" && text.starts_with("line 1 of a log\nline 2"), "{text}");
}
