//! `tuckaway plan` over the sessions that agents keep on disk.

use std::fs;
use std::path::Path;

use crate::test_dir::{Outcome, TestDir};
use serde_json::Value;

const AGENTS: [&str; 2] = ["claude-code.jsonl", "codex.jsonl"];

/// Returns a directory with a session of each agent.
fn sessions() -> TestDir {
    let dir = TestDir::new();
    for name in AGENTS {
        dir.write(name, sample(name));
    }
    dir
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn json(ran: Outcome) -> Value {
    serde_json::from_str(&ran.ok()).unwrap()
}

#[test]
fn a_session_of_claude_code_is_planned() {
    let dir = sessions();
    let shown = dir.run(&["plan", "claude-code.jsonl", "--window", "32000"]).ok();
    let rows: Vec<Vec<&str>> = shown.lines().map(|row| row.split_whitespace().collect()).collect();
    let begins = [
        "Claude Code session 5f0c6a1e-3b7d-4a52-9c1f-2d8e7b904a11: 35 lines, 8 requests, 1 compaction",
        "not in the history: 16 lines before the last compaction; 2 lines of subagents; 1 attachment, whose text the \
         session does not have; 6 lines of other kinds",
        "all requests: 144,896 tokens of input, 111,950 of them from the cache, and 688 of output",
        "warning: Line 35 is incomplete and was skipped; the agent was probably killed while it wrote.",
        "The system prompt, the tools and what else is not in the session take about 11,819 of 32,000 tokens.",
        "anthropic, 6 messages",
    ];
    assert!(shown.starts_with(&(begins.join("\n") + "\n")), "{shown}");
    // Only the newest results are in the history; the plan is for the rest of the window.
    let total = rows.iter().find(|row| row[0] == "total").unwrap();
    assert_eq!((total[1], total[3]), ("8,691", "20,181"));
    assert!(shown.contains("Planned:\n  trim  message 3, Bash"), "{shown}");
    let table = rows.iter().skip_while(|row| row[0] != "RESULTS").map(|row| row.join(" "));
    let table: Vec<String> = table.take(5).collect();
    assert_eq!(table[0], "RESULTS OF COUNT TOKENS LARGEST STORED SAVED ONCE IN ALL");
    assert!(table[1].starts_with("Bash 3 19,431 8,514 3 "), "{table:?}");
    assert_eq!(table[2..], ["Read 1 839 839 0 0 0", "Grep 1 33 33 0 0 0", "Edit 1 17 17 0 0 0"]);
    assert!(
        shown.contains("Storing results of more than 2,000 tokens on arrival would have saved"),
        "{shown}"
    );
}

#[test]
fn a_rollout_of_codex_names_its_window() {
    let dir = sessions();
    let plan = json(dir.run(&["plan", "codex.jsonl", "--json"]));
    assert_eq!((&plan["format"], &plan["context_window"]), (&"openai-responses".into(), &258_400.into()));
    let session = &plan["session"];
    assert_eq!((&session["agent"], &session["requests"]), (&"codex".into(), &7.into()));
    let left_out = [("before_compaction", 13), ("other_branches", 2), ("other", 18)];
    assert!(left_out.iter().all(|(name, count)| session["left_out"][name] == *count), "{session:#}");
    assert_eq!(session["unseen_tokens"], 2348);
    // The last answer used 6,683 tokens, those included.
    assert_eq!(plan["before"]["total"], 6683 - 2348);
    let narrow = dir.run(&["plan", "codex.jsonl", "--window", "12000"]).ok();
    assert!(
        narrow.contains("trim  message 5, exec_command") && narrow.contains("to a new artifact"),
        "{narrow}"
    );
}

#[test]
fn a_saving_counts_once_for_each_later_request() {
    let dir = sessions();
    let savings = |name: &str, cap: &str| {
        let plan = json(dir.run(&["plan", name, "--window", "200000", "--cap", cap, "--json"]));
        let figure = |name: &str| plan["session"]["savings"][name].as_u64().unwrap();
        (figure("stored"), figure("saved_once"), figure("saved_in_all"))
    };
    // One request followed the largest result. Four followed the second, one of them on a branch
    // that was taken back.
    let (stored, largest, in_all) = savings("claude-code.jsonl", "8500");
    assert_eq!((stored, in_all), (1, largest));
    let (stored, both, in_all) = savings("claude-code.jsonl", "3000");
    let (second, in_four) = (both - largest, in_all - largest);
    // Ids are random, and their tokens differ by a few.
    assert!(stored == 2 && in_four.abs_diff(4 * second) < 50, "{in_four} of {second}");
    let (stored, once, in_all) = savings("codex.jsonl", "9000");
    assert_eq!((stored, in_all), (1, 4 * once));
    assert!((8_000..9_698).contains(&once), "{once}");
    assert_eq!(savings("codex.jsonl", "10000"), (0, 0, 0));
    let none = dir.run(&["plan", "codex.jsonl", "--cap", "10000"]).ok();
    assert!(
        none.ends_with("No result has more than 10,000 tokens; set another limit with --cap.\n"),
        "{none}"
    );
}

#[test]
fn a_session_is_only_read() {
    let dir = sessions();
    for name in AGENTS {
        dir.run(&["plan", name, "--window", "20000"]).ok();
        let refused = ["plan", name, "--window", "20000", "--apply", "--output", &format!("./{name}")];
        assert!(dir.run(&refused).error(1).contains("--output names the session itself"));
        assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
        assert_eq!(fs::read(dir.0.join(name)).unwrap(), sample(name));
    }
    // On request, its history becomes a new request.
    let ran = dir.run(&["plan", "codex.jsonl", "--window", "12000", "--apply"]);
    let request: Value = serde_json::from_str(ran.out()).unwrap();
    assert_eq!(request["input"].as_array().unwrap().len(), 7);
    assert!(request["instructions"].as_str().unwrap().starts_with("You are a coding agent."));
    let id = ran.out().split(['=', ']', ';', ' ']).find(|word| word.starts_with("art_")).expect("an id");
    assert!(dir.run(&["read", id]).ok().starts_with("Exit code: 0\nOutput:\nrunning 380 tests\n"));
    assert!(ran.stderr.contains("Applied:"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_read_is_named() {
    let dir = sessions();
    assert!(dir.run(&["plan", "claude-code.jsonl"]).error(2).contains("pass it with --window TOKENS"));
    // A usage that is passed covers the whole window.
    let passed = dir.run(&["plan", "claude-code.jsonl", "--window", "32000", "--usage", "30000"]).ok();
    assert!(passed.contains("30,00") && !passed.contains("what else is not in the session"), "{passed}");
    for (content, why) in [
        (
            "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n",
            "neither a session of",
        ),
        ("{\"type\":\"session_meta\",\"payload\":{}}\n{\"type\":\"resp", "the session has no messages"),
        ("{\"type\":\"user\",\"uuid\":", "malformed"),
    ] {
        dir.write("other.jsonl", content);
        let error = dir.run(&["plan", "other.jsonl", "--window", "9000"]).error(1);
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(dir.run(&["plan", "codex.jsonl", "--cap", "0"]).status, 2);
}
