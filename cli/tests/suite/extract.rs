//! `tuckaway extract` as a process, with the scripted server in place of a model.

use std::process::Command;

use crate::test_dir::{Outcome, TestDir};
use serde_json::Value;
use tuckaway_test_kit::model_server::ModelServer;

const WHAT: &str = "Say when \"the turbine stopped\"";
const NEEDLE: &str = "the turbine stopped at 04:12";
const KEY: &str = "sk-scripted-secret-key";

fn server(faults: &[&str], always: Option<&str>) -> ModelServer {
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    ModelServer::start(faults, always.map(|fault| fault.parse().unwrap())).unwrap()
}

fn lines(count: usize) -> String {
    let line = |n: usize| match n == count / 2 {
        true => format!("hour {n}: {NEEDLE}\n"),
        false => format!("hour {n}: nothing of note\n"),
    };
    (0..count).map(line).collect()
}

fn row(n: usize) -> String {
    format!("{{\"hour\":{n},\"event\":\"{}\"}}", if n == 900 { NEEDLE } else { "nothing of note" })
}

fn document() -> String {
    format!("[{}]", (0..3_000).map(row).collect::<Vec<_>>().join(","))
}

fn command(dir: &TestDir, server: &ModelServer, arguments: &[&str]) -> Command {
    let mut command = dir.command(&["extract"]);
    command.args(arguments).args(["--base-url", &server.url(), "--tokens", "estimate"]);
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"]
    {
        command.env_remove(name);
    }
    command.env("TUCKAWAY_API_KEY", KEY).env("TUCKAWAY_MODEL", "scripted");
    command
}

fn extract(dir: &TestDir, server: &ModelServer, arguments: &[&str]) -> Outcome {
    Outcome::of(command(dir, server, arguments).output().unwrap())
}

#[test]
fn a_file_is_searched_and_a_document_is_read() {
    let dir = TestDir::new();
    dir.write("hours.log", lines(40_000));
    dir.write("hours.json", document());
    for (file, provider, strategy) in
        [("hours.log", "openai", "read-grep"), ("hours.json", "anthropic", "full-chunked")]
    {
        let server = server(&[], None);
        let arguments = [file, WHAT, "--provider", provider, "--context-tokens", "16000"];
        let ran = extract(&dir, &server, &arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let header = format!("ABSTRACT FROM TOOL OUTPUT hours WITH HANDLE hours, STRATEGY:{strategy}:\n\n");
        assert!(ran.out().starts_with(&header), "{}", ran.out());
        assert!(ran.out().contains(NEEDLE), "{}", ran.out());
        assert!(ran.stderr.starts_with(&format!("tuckaway: {strategy}, ")), "{}", ran.stderr);
        assert!(!server.asked().is_empty());
    }
}

#[test]
fn an_artifact_has_an_answer_as_json() {
    let dir = TestDir::new();
    let server = server(&[], None);
    let id = dir.put("monitor", document().as_bytes());
    let ran = extract(&dir, &server, &[&id, WHAT, "--json", "--context-tokens", "16000", "--parallel", "2"]);
    let answer: Value = serde_json::from_str(&ran.ok()).unwrap();
    assert_eq!((&answer["outcome"], &answer["strategy"]), (&"found".into(), &"full-chunked".into()));
    assert_eq!(answer["coverage"]["chunks"], answer["coverage"]["chunks_done"]);
    assert!(server.most_open() <= 2);
}

#[test]
fn the_plan_needs_no_model() {
    let dir = TestDir::new();
    dir.write("hours.log", lines(40_000));
    let run = |more: &[&str]| {
        let arguments = ["extract", "hours.log", WHAT, "--dry-run", "--tokens", "estimate"];
        dir.run(&[&arguments, more].concat()).ok()
    };
    let shown = run(&["--context-tokens", "32000"]);
    let names: Vec<&str> = shown.lines().map(|line| line.split("  ").next().unwrap().trim()).collect();
    assert_eq!(names, ["output", "strategy", "requests", "tokens in", "tokens out"], "{shown}");
    assert!(shown.contains("40000 lines") && shown.contains("read-grep, as it takes"), "{shown}");
    let shown = run(&["--mode", "full-chunked", "--context-tokens", "32000"]);
    assert!(shown.contains("full-chunked, as it was asked for") && shown.contains("chunks "), "{shown}");
    let estimate: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!((&estimate["strategy"], &estimate["line_count"]), (&"read-grep".into(), &40_000.into()));
}

#[test]
fn mistakes_are_explained() {
    let dir = TestDir::new();
    dir.write("hours.log", lines(100));
    let run = |arguments: &[&str]| {
        let mut command = dir.command(&["extract"]);
        for name in ["TUCKAWAY_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "TUCKAWAY_MODEL"] {
            command.env_remove(name);
        }
        Outcome::of(command.args(arguments).output().unwrap())
    };
    assert!(run(&["hours.log", WHAT]).error(2).starts_with("no model is named"));
    assert!(run(&["hours.log", WHAT, "--model", "gpt"]).error(2).contains("OPENAI_API_KEY"));
    assert!(run(&["hours.log", WHAT, "--model", "claude-x"]).error(2).contains("ANTHROPIC_API_KEY"));
    let wrong_url = run(&["hours.log", WHAT, "--model", "m", "--base-url", "localhost"]);
    assert!(wrong_url.error(2).contains("not an HTTP URL"));
    assert!(run(&["gone.log", WHAT, "--dry-run"]).error(2).contains("gone.log"));
    assert!(run(&["hours.log", " ", "--dry-run"]).error(1).contains("extract is empty"));
    let small = run(&["hours.log", WHAT, "--dry-run", "--context-tokens", "100"]);
    assert!(small.error(2).contains("2048"));
    // Head and tail need no model.
    let ran = run(&["hours.log", WHAT, "--mode", "truncate"]);
    assert!(ran.ok().contains("STRATEGY:truncate"));
}

#[test]
fn a_model_that_fails_is_a_status_and_a_warning() {
    let dir = TestDir::new();
    dir.write("hours.json", document());
    for fault in ["401", "echo"] {
        let server = server(&[], Some(fault));
        let ran = extract(&dir, &server, &["hours.json", WHAT]);
        assert_eq!(ran.status, 1, "{fault}: {}", ran.stderr);
        assert!(ran.out().contains("STRATEGY:truncate:\n\nWARNING: full-chunked failed"), "{}", ran.out());
        assert!(ran.stderr.starts_with("tuckaway: full-chunked failed"), "{}", ran.stderr);
        assert!(!ran.stderr.contains(KEY) && !ran.out().contains(KEY), "{fault}");
    }
}

/// Waits until a command has sent this number of requests.
#[cfg(unix)]
fn wait_for(server: &ModelServer, requests: usize, child: &mut std::process::Child) {
    for _ in 0..3_000 {
        if server.asked().len() >= requests {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it waits for the model");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("only {} requests were sent", server.asked().len());
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_goes_on() {
    let dir = TestDir::new();
    dir.write("hours.json", document());
    let slow = server(&["none", "none"], Some("slow:60000"));
    let arguments = ["hours.json", WHAT, "--context-tokens", "8000", "--state", "run.json"];
    let mut child = command(&dir, &slow, &arguments).spawn().unwrap();
    wait_for(&slow, 6, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(dir.0.join("run.json").is_file());
    let server = server(&[], None);
    let other = extract(&dir, &server, &["hours.json", "what else?", "--state", "run.json"]);
    assert!(other.error(1).contains("the state of another extraction"));
    let ran = extract(&dir, &server, &arguments);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.out().contains(NEEDLE), "{}", ran.out());
    assert!(!dir.0.join("run.json").exists(), "it is removed with the answer");
    dir.write("run.json", "{\"version\": 1");
    assert!(extract(&dir, &server, &arguments).error(1).contains("not the state of an extraction"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_was_found() {
    let dir = TestDir::new();
    dir.write("hours.json", document());
    let slow = server(&["none", "none"], Some("slow:60000"));
    let arguments = ["hours.json", WHAT, "--context-tokens", "8000"];
    let mut command = command(&dir, &slow, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let mut child = child.unwrap();
    wait_for(&slow, 6, &mut child);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let ran = Outcome::of(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 130, "{}", ran.stderr);
    assert!(ran.out().contains("canceled"), "{}", ran.out());
}
