//! `tuckaway exec` as a process, also under a file size limit of the system.

use std::process::{Command, Stdio};

use crate::test_dir::{Outcome, TestDir, lines};

#[test]
fn exec_keeps_status_and_order() {
    let dir = TestDir::new();
    assert_eq!(
        dir.run(&["exec", "--", "sh", "-c", "echo one; echo two >&2; echo three"]).ok(),
        "one\ntwo\nthree\n"
    );
    assert_eq!(dir.run(&["exec", "sh", "-c", "exit 7"]).quiet(7), "");
    assert_eq!(dir.run(&["exec", "--", "sh", "-c", "echo dying; kill -TERM $$"]).quiet(128 + 15), "dying\n");
    assert_eq!(
        dir.run(&["exec", "--", "no-such-command-here"]).error(127),
        "command not found: \"no-such-command-here\""
    );
    assert!(dir.run(&["exec", "--", "./store"]).error(126).starts_with("cannot run \"./store\""));
    assert_eq!(dir.run(&["exec"]).status, 2);
    // Everything after the command's name is an argument of the command.
    assert_eq!(dir.run(&["exec", "echo", "--json", "-n"]).ok(), "--json -n\n");
}

#[test]
fn exec_stores_an_output_that_is_too_big() {
    let dir = TestDir::new();
    let script =
        "i=0; while [ $i -lt 60000 ]; do echo line $i; i=$((i+1)); done; echo error: it broke >&2; exit 3";
    let ran = dir.run(&["exec", "--tool", "make", "--json", "--", "sh", "-c", script]);
    let view: serde_json::Value = serde_json::from_str(&ran.quiet(3)).unwrap();
    assert_eq!((&view["exit_status"], &view["decision"]["action"]), (&3.into(), &"artifact".into()));
    assert_eq!(view["decision"]["line_count"], 60_001);
    assert!(view["text"].as_str().unwrap().contains("error: it broke"), "{}", view["text"]);
    let id = view["artifacts"][0]["id"].as_str().unwrap();
    assert_eq!(dir.run(&["read", id, "--lines", "60001"]).ok(), "error: it broke\n");
}

#[test]
fn exec_does_not_wait_for_background_processes() {
    let dir = TestDir::new();
    let started = std::time::Instant::now();
    let ran = dir.run(&["exec", "--", "sh", "-c", "sleep 60 & echo started"]);
    assert_eq!((ran.status, ran.out()), (0, "started\n"));
    assert!(ran.stderr.contains("background"), "{}", ran.stderr);
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn exec_passes_a_termination_on_and_shows_the_output() {
    let dir = TestDir::new();
    let script = "trap 'echo bye; exit 9' TERM; echo ready; : > ready; while :; do sleep 0.05; done";
    let mut command = dir.command(&["exec", "--", "sh", "-c", script]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !dir.0.join("ready").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(Outcome::of(child.wait_with_output().unwrap()).quiet(9), "ready\nbye\n");
}

#[test]
fn if_the_store_fails_midway_the_view_shows_the_beginning() {
    let dir = TestDir::new();
    let text = lines(1_000_000);
    dir.write("big.txt", &text);
    let limited = |arguments: &str| {
        // Shells count in units of 512 or 1024 bytes: the limit is 6 MB or 12 MB.
        let script =
            format!("trap '' XFSZ; ulimit -f 12000; exec {} {arguments}", env!("CARGO_BIN_EXE_tuckaway"));
        let mut command = Command::new("sh");
        command.current_dir(&dir.0).env("TUCKAWAY_STORE", "dir:store").args(["-c", &script]);
        Outcome::of(command.stdin(Stdio::null()).output().unwrap())
    };
    let notice = "MB: the store failed; only the beginning was kept] ...\n";
    let ran = limited("offload big.txt --memory 16M --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let view: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let decision = &view["decision"];
    assert_eq!((&decision["action"], &decision["line_count"]), (&"truncate".into(), &1_000_000.into()));
    assert_eq!(decision["gate"], "ceiling");
    assert_eq!(decision["size_bytes"], text.len());
    assert_eq!(decision["failures"][0]["kind"], "store", "{decision}");
    assert_eq!(view["artifacts"], serde_json::json!([]));
    let shown = view["text"].as_str().unwrap();
    assert!(shown.starts_with("line 1 of 1000000\nline 2 of") && shown.ends_with(notice), "{shown}");
    assert!(!shown.contains("tail preserved"), "{shown}");
    assert!(ran.stderr.contains("The store failed while storing the output"), "{}", ran.stderr);
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");

    // Part of an image is not an image.
    let ran = limited("offload big.txt --memory 16M --media-type image/png");
    assert!(
        ran.out().starts_with("[binary output of 22.8 MB, not shown]\n... [truncated 22.8 MB: the store")
    );
    assert!(ran.status == 0 && ran.out().ends_with(notice), "{}", ran.out());

    let ran = limited("exec --memory 16M --max-bytes 2K -- cat big.txt");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.len() <= 2048 && ran.out().ends_with(notice), "{}", ran.out());
}

#[test]
fn a_store_that_cannot_be_opened_costs_the_copy_only() {
    let dir = TestDir::new();
    dir.write("file", "");
    dir.write("big.txt", lines(100_000));
    let notice = "tuckaway: nothing is stored: cannot open the store";
    for (arguments, status) in [
        (&["exec", "--", "sh", "-c", "cat big.txt; exit 7"][..], 7),
        (&["exec", "--", "cat", "big.txt"], 0),
        (&["offload", "big.txt"], 0),
    ] {
        let ran = dir.run(&[&["--store", "dir:file/store"], arguments].concat());
        assert_eq!(ran.status, status, "{}", ran.stderr);
        assert!(
            ran.out().starts_with("line 1 of 100000\n") && ran.stdout.len() <= 200_000,
            "{}",
            ran.stdout.len()
        );
        assert!(
            ran.stderr.starts_with(notice) && ran.stderr.contains("name another store with --store"),
            "{}",
            ran.stderr
        );
    }
    let small = dir.run(&["--store", "dir:file/store", "exec", "--", "echo", "small"]);
    assert_eq!((small.status, small.out()), (0, "small\n"));
    // A mistake in the arguments is reported before the command runs.
    let refused = dir.run(&["--session", "shared", "exec", "--", "touch", "made"]);
    assert!(refused.error(1).contains("is reserved") && !dir.0.join("made").exists());
}
