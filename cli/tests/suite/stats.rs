//! `tuckaway stats`: sums over the artifacts of a store.

use std::fs;

use crate::test_dir::{TestDir, lines};
use serde_json::{Value, json};

fn stats(dir: &TestDir, options: &[&str]) -> Value {
    serde_json::from_str(&dir.run(&[&["stats", "--json"], options].concat()).ok()).unwrap()
}

/// Returns the figures of rows, by their names.
fn rows(stats: &Value, by: &str, column: &str) -> Vec<(Value, u64, u64)> {
    let figures = |row: &Value| {
        let figure = |name: &str| row[name].as_u64().unwrap();
        (row[column].clone(), figure("artifacts"), figure("size_bytes"))
    };
    stats[by].as_array().unwrap().iter().map(figures).collect()
}

/// Stores an output in a session and dates it.
fn put(dir: &TestDir, session: &str, tool: &str, content: &str, created_at: u64) {
    dir.write("keep.json", r#"{"keep_all": true}"#);
    let store = ["offload", "--json", "--policy", "keep.json", "--tool", tool, "--session", session];
    let view: Value = serde_json::from_str(&dir.pipe(content.as_bytes(), &store).ok()).unwrap();
    let id = view["artifacts"][0]["id"].as_str().unwrap();
    let record = dir.0.join(format!("store/sessions/{session}/{id}.json"));
    let mut artifact: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    artifact["created_at"] = json!(created_at);
    fs::write(&record, artifact.to_string()).unwrap();
}

#[test]
fn artifacts_are_summed_by_tool_session_and_day() {
    let dir = TestDir::new();
    let text = lines(1_000);
    put(&dir, "chat-1", "sql", &text, 951_868_799);
    put(&dir, "chat-1", "fetch", "short\n", 951_868_800);
    put(&dir, "chat-2", "sql", &text, 951_868_800);
    put(&dir, "chat-2", "never", "x", u64::MAX);
    let size = text.len() as u64;

    let all = stats(&dir, &[]);
    assert_eq!((&all["artifacts"], &all["line_count"]), (&json!(4), &json!(2_002)));
    assert_eq!((&all["tokens"], &all["tokens_estimated"]), (&json!(2 * size.div_ceil(4) + 3), &json!(true)));
    let tools = [("sql", 2, 2 * size), ("fetch", 1, 6), ("never", 1, 1)];
    assert_eq!(rows(&all, "by_tool", "tool"), tools.map(|(tool, count, size)| (json!(tool), count, size)));
    let sessions = [("chat-1", 2, size + 6), ("chat-2", 2, size + 1)];
    assert_eq!(
        rows(&all, "by_session", "session"),
        sessions.map(|(name, count, size)| (json!(name), count, size))
    );
    let days = rows(&all, "by_day", "day");
    assert_eq!(days[..2], [(json!("2000-02-29"), 1, size), (json!("2000-03-01"), 2, size + 6)]);

    let one = stats(&dir, &["--session", "chat-2"]);
    assert_eq!(rows(&one, "by_tool", "tool"), [(json!("sql"), 1, size), (json!("never"), 1, 1)]);
    let counted = stats(&dir, &["--session", "chat-1", "--tokens", "estimate"]);
    assert_eq!(counted["tokens_estimated"], false);
    assert!(counted["tokens"].as_u64() > Some(4_000) && counted["tokens"] != one["tokens"], "{counted}");
}

#[test]
fn artifacts_of_no_session_are_included() {
    let dir = TestDir::new();
    let nothing = dir.run(&["stats"]);
    assert_eq!((nothing.status, nothing.out()), (0, ""));
    assert_eq!(nothing.stderr, "tuckaway: nothing is stored\n");
    assert_eq!(stats(&dir, &[])["artifacts"], 0);
    for tool in 0..25 {
        dir.put(&format!("tool-{tool:02}\u{1b}[31m"), &vec![b'x'; 100 + tool]);
    }
    let shown = dir.run(&["stats"]).ok();
    let rows: Vec<Vec<&str>> = shown.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["TOOL", "ARTIFACTS", "SIZE", "LINES", "TOKENS"]);
    assert_eq!(rows[1], ["tool-24\u{fffd}[31m", "1", "124", "bytes", "1", "31"]);
    assert_eq!(rows[21], ["and", "5", "more;", "--json", "lists", "all"]);
    let session = rows.iter().find(|row| row.first() == Some(&"(none)")).unwrap();
    assert_eq!(session[1..], ["25", "2.8", "KB", "25", "709"]);
    assert!(
        shown.contains("25 artifacts, 2.8 KB, 709 tokens (at 4 bytes each; --tokens counts them).\n"),
        "{shown}"
    );
    assert!(shown.contains("The store records neither queries nor the views"), "{shown}");
    assert!(!shown.contains('\u{1b}'));
}

/// The parts in which an artifact is read end with lines, or within a line of a megabyte.
#[test]
fn tokens_of_large_artifacts_are_counted_in_parts() {
    let dir = TestDir::new();
    dir.put("lines", lines(120_000).as_bytes());
    dir.put("bytes", &[b"\xff\xfe".repeat(700_000), b"end".to_vec()].concat());
    let all = stats(&dir, &["--tokens", "estimate"]);
    let tokens = |tool: &str| {
        let rows = all["by_tool"].as_array().unwrap();
        rows.iter().find(|row| row["tool"] == tool).unwrap()["tokens"].as_u64().unwrap()
    };
    // "line 12345 of 120000" has four words and digits in groups of three.
    assert!((800_000..1_200_000).contains(&tokens("lines")), "{}", tokens("lines"));
    assert!(tokens("bytes") > 10_000, "{}", tokens("bytes"));
}

#[test]
fn savings_are_those_of_envelopes() {
    let dir = TestDir::new();
    put(&dir, "chat", "sql", &lines(5_000), 1);
    put(&dir, "chat", "small", "short\n", 1);
    assert_eq!(stats(&dir, &[])["by_tool"][0].get("saved_tokens"), None);
    let all = stats(&dir, &["--tokens", "estimate"]);
    let figure = |row: &Value, name: &str| row[name].as_u64().unwrap();
    let [sql, small] = [0, 1].map(|row| &all["by_tool"][row]);
    let view = figure(sql, "tokens") - figure(sql, "saved_tokens");
    assert!((50..2_000).contains(&view), "{all}");
    assert_eq!(figure(small, "saved_tokens"), 0);
    assert_eq!(all["saved_tokens"], sql["saved_tokens"]);
    let shown = dir.run(&["stats", "--tokens", "estimate"]).ok();
    let titles: Vec<&str> = shown.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(titles[4..], ["TOKENS", "SAVED"]);
    assert!(shown.contains("with an envelope in place of each artifact"), "{shown}");
}
