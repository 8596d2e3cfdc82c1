//! The command line as a process: stdout, stderr, exit status.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory with a store in it, where commands are run.
struct Desk(PathBuf);

impl Desk {
    fn new() -> Self {
        let name = tuckaway_host::store::mint("desk").unwrap();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Desk(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuckaway"));
        command.current_dir(&self.0).env("TUCKAWAY_STORE", "dir:store").args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    fn pipe(&self, input: &[u8], arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The command may end without having read all of it.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let ran = Ran::of(child.wait_with_output().unwrap());
        let _ = writer.join().unwrap();
        ran
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).unwrap();
    }

    /// Puts an output away and gives its id.
    fn put(&self, tool: &str, content: &[u8]) -> String {
        self.write("keep.json", r#"{"keep_all": true}"#);
        let ran = self.pipe(content, &["offload", "--json", "--policy", "keep.json", "--tool", tool]);
        let view: serde_json::Value = serde_json::from_str(&ran.ok()).unwrap();
        view["artifacts"][0]["id"].as_str().expect("it was put away").to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a command has done.
#[derive(Debug)]
struct Ran {
    status: i32,
    stdout: Vec<u8>,
    stderr: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Ran {
            status: output.status.code().expect("no signal ended it"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Its output, if it had no complaint.
    #[track_caller]
    fn ok(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""));
        String::from_utf8(self.stdout).unwrap()
    }

    /// The same with another status.
    #[track_caller]
    fn quiet(self, status: i32) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (status, ""));
        String::from_utf8(self.stdout).unwrap()
    }

    /// Its one line of complaint, if it has printed nothing else.
    #[track_caller]
    fn complaint(self, status: i32) -> String {
        assert_eq!((self.status, self.out()), (status, ""), "{}", self.stderr);
        let line =
            self.stderr.strip_suffix('\n').expect("a line").strip_prefix("tuckaway: ").expect("a name");
        assert!(!line.contains('\n'), "more than a line: {line}");
        line.to_owned()
    }
}

fn lines(count: usize) -> String {
    (1..=count).map(|n| format!("line {n} of {count}\n")).collect()
}

#[test]
fn what_fits_passes_as_it_is() {
    let desk = Desk::new();
    assert_eq!(desk.pipe(b"small, no line feed", &["offload"]).ok(), "small, no line feed");
    assert_eq!(desk.pipe(b"", &["offload"]).ok(), "");
    desk.write("small.txt", "from a file\n");
    assert_eq!(desk.run(&["offload", "small.txt"]).ok(), "from a file\n");
    assert_eq!(desk.run(&["list", "--json"]).ok(), "[]\n");
}

#[test]
fn what_does_not_fit_is_put_away_and_asked() {
    let desk = Desk::new();
    let text = lines(100_000);
    desk.write("build.log", &text);
    let view = desk.run(&["offload", "build.log"]).ok();
    assert!(view.len() < 4000, "{view}");
    let id = view.split('"').find(|word| word.starts_with("art_build_")).expect("an id").to_owned();

    assert_eq!(desk.run(&["read", &id]).ok(), text);
    assert_eq!(desk.run(&["read", &id, "--raw"]).ok(), text);
    assert_eq!(desk.run(&["read", &id, "--lines", "3:4"]).ok(), "line 3 of 100000\nline 4 of 100000\n");
    assert_eq!(desk.run(&["read", &id, "--lines", "99999:"]).ok().lines().count(), 2);
    assert_eq!(desk.run(&["read", &id, "--bytes", ":7"]).ok(), "line 1 ");
    assert_eq!(desk.run(&["read", &id, "--raw", "--bytes", "5:8"]).ok(), "1 o");
    assert_eq!(desk.run(&["read", &id, "--lines", "7", "-n"]).ok().trim_start(), "7\tline 7 of 100000\n");
    assert_eq!(desk.run(&["grep", &id, "-c", " 1234"]).ok(), "11\n");
    assert_eq!(desk.run(&["stat", &id]).ok().lines().next().unwrap(), format!("id          {id}"));
    let listed = desk.run(&["list"]).ok();
    assert!(listed.lines().nth(1).unwrap().starts_with(&id), "{listed}");

    assert_eq!(desk.run(&["rm", &id]).ok(), "");
    assert!(desk.run(&["stat", &id]).complaint(1).contains("There is no artifact"));
    assert!(desk.run(&["rm", &id]).complaint(1).contains("There is no artifact"));
}

#[test]
fn pages_lead_to_each_other() {
    let desk = Desk::new();
    let text = lines(500);
    let id = desk.put("build", text.as_bytes());
    let mut all = String::new();
    let mut next: Option<String> = None;
    loop {
        let cursor: Vec<&str> = next.iter().flat_map(|next| ["--cursor", next]).collect();
        let arguments = [&["read", &id, "--max-bytes", "1K"], &cursor[..]].concat();
        let ran = desk.run(&arguments);
        assert!(ran.status == 0 && ran.stdout.len() <= 1024);
        all.push_str(ran.out());
        match ran.stderr.trim_end() {
            "" => break,
            more => next = more.split('\'').nth(1).map(str::to_owned),
        }
        assert!(next.is_some(), "{}", ran.stderr);
    }
    assert_eq!(all, text);
    let page: serde_json::Value =
        serde_json::from_str(&desk.run(&["read", &id, "--max-bytes", "1K", "--json"]).ok()).unwrap();
    assert!(page["next"].is_string() && page["text"].as_str().unwrap().len() <= 1024);
    let page: serde_json::Value = serde_json::from_str(&desk.run(&["read", &id, "--json"]).ok()).unwrap();
    assert!(page["next"].is_null() && page["text"] == text);
}

#[test]
fn exec_keeps_status_and_order() {
    let desk = Desk::new();
    assert_eq!(
        desk.run(&["exec", "--", "sh", "-c", "echo one; echo two >&2; echo three"]).ok(),
        "one\ntwo\nthree\n"
    );
    assert_eq!(desk.run(&["exec", "sh", "-c", "exit 7"]).quiet(7), "");
    assert_eq!(desk.run(&["exec", "--", "sh", "-c", "echo dying; kill -TERM $$"]).quiet(128 + 15), "dying\n");
    assert_eq!(
        desk.run(&["exec", "--", "no-such-command-here"]).complaint(127),
        "there is no command \"no-such-command-here\""
    );
    assert!(desk.run(&["exec", "--", "./store"]).complaint(126).starts_with("cannot run \"./store\""));
    assert_eq!(desk.run(&["exec"]).status, 2);
    // Arguments are the command's from its name on.
    assert_eq!(desk.run(&["exec", "echo", "--json", "-n"]).ok(), "--json -n\n");
}

#[test]
fn exec_puts_away_what_is_too_big() {
    let desk = Desk::new();
    let script =
        "i=0; while [ $i -lt 60000 ]; do echo line $i; i=$((i+1)); done; echo error: it broke >&2; exit 3";
    let ran = desk.run(&["exec", "--tool", "make", "--json", "--", "sh", "-c", script]);
    let view: serde_json::Value = serde_json::from_str(&ran.quiet(3)).unwrap();
    assert_eq!((&view["exit_status"], &view["decision"]["action"]), (&3.into(), &"artifact".into()));
    assert_eq!(view["decision"]["line_count"], 60_001);
    assert!(view["text"].as_str().unwrap().contains("error: it broke"), "{}", view["text"]);
    let id = view["artifacts"][0]["id"].as_str().unwrap();
    assert_eq!(desk.run(&["read", id, "--lines", "60001"]).ok(), "error: it broke\n");
}

#[test]
fn exec_does_not_wait_for_what_it_left_behind() {
    let desk = Desk::new();
    let started = std::time::Instant::now();
    let ran = desk.run(&["exec", "--", "sh", "-c", "sleep 60 & echo started"]);
    assert_eq!((ran.status, ran.out()), (0, "started\n"));
    assert!(ran.stderr.contains("background"), "{}", ran.stderr);
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn an_output_too_big_for_memory_goes_through_the_store() {
    let desk = Desk::new();
    let text = lines(200_000);
    let ran = desk.pipe(text.as_bytes(), &["offload", "--memory", "16M", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let view: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let id = view["artifacts"][0]["id"].as_str().unwrap();
    assert_eq!(view["artifacts"][0]["line_count"], 200_000);
    assert_eq!(desk.run(&["read", id, "--raw"]).ok(), text);
    // One that the model sees in another way leaves nothing behind.
    desk.run(&["rm", "--all"]).ok();
    let ran =
        desk.pipe(text.as_bytes(), &["offload", "--memory", "8M", "--mode", "truncate", "--max-bytes", "2K"]);
    assert!(ran.status == 0 && ran.stdout.len() <= 2048, "{}", ran.stderr);
    assert_eq!(desk.run(&["list", "--json"]).ok(), "[]\n");
}

#[test]
fn an_output_too_big_for_the_engine_is_kept_and_named() {
    let desk = Desk::new();
    let text = lines(300_000);
    let ran = desk.pipe(text.as_bytes(), &["offload", "--memory", "6M", "--tool", "make"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let view = ran.out();
    assert!(view.len() < 6000, "{} bytes", view.len());
    assert!(view.contains("\nline 1 of 300000\n") && view.ends_with("\nline 300000 of 300000\n"), "{view}");
    assert!(view.contains("300,000 lines") && view.contains("artifact_grep"), "{view}");
    assert!(ran.stderr.contains("memory"), "{}", ran.stderr);
    let id = view.split([' ', ':']).find(|word| word.starts_with("art_make_")).expect("an id");
    assert_eq!(desk.run(&["read", id, "--raw"]).ok(), text);
}

#[test]
fn explain_shows_every_gate() {
    let desk = Desk::new();
    let ran = desk.pipe(lines(100_000).as_bytes(), &["offload", "--explain", "--tool", "make"]);
    let rows: Vec<Vec<&str>> = ran.stderr.lines().map(|row| row.split_whitespace().collect()).collect();
    let gates: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(
        gates,
        [
            "GATE",
            "disabled",
            "exempt",
            "artifact-tool",
            "below-floor",
            "ceiling",
            "per-output",
            "token-cap",
            "headroom",
            "fits",
            "make:"
        ]
    );
    assert_eq!(rows[5].last(), Some(&"yes"));
    assert!(ran.stderr.contains("ceiling        2,088,895 bytes > 1,048,576"), "{}", ran.stderr);
    assert!(rows[6..10].iter().all(|row| row.ends_with(&["not", "asked"])), "{}", ran.stderr);
    let ran = desk.pipe(&[b'x'; 20_000], &["offload", "--explain", "--used", "139000", "--mode", "truncate"]);
    assert!(ran.stderr.contains("(0.7 × 200,000 tokens − 139,000 used)  yes"), "{}", ran.stderr);
}

#[test]
fn options_make_the_policy() {
    let desk = Desk::new();
    let text = lines(1000);
    let gate = |arguments: &[&str]| {
        let ran = desk.pipe(text.as_bytes(), &[&["offload", "--json"], arguments].concat());
        let view: serde_json::Value =
            serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
        let word = |name: &str| view["decision"][name].as_str().unwrap().to_owned();
        (word("gate"), word("action"))
    };
    let is = |gate: &str, action: &str| (gate.to_owned(), action.to_owned());
    assert_eq!(gate(&[]), is("fits", "inline"));
    assert_eq!(gate(&["--window", "10000"]), is("per_output", "artifact"));
    assert_eq!(gate(&["--window", "10000", "--tools", "none"]), is("per_output", "truncate"));
    assert_eq!(gate(&["--window", "10000", "--mode", "truncate"]), is("per_output", "truncate"));
    assert_eq!(gate(&["--used", "139000", "--tokens", "estimate"]), is("headroom", "artifact"));
    desk.write(
        "policy.json",
        r#"{"max_threshold_bytes": 5000, "overrides": [{"tools": "skill_*", "exempt": true}]}"#,
    );
    assert_eq!(gate(&["--policy", "policy.json"]), is("ceiling", "artifact"));
    assert_eq!(gate(&["--policy", "policy.json", "--tool", "skill_x"]), is("exempt", "inline"));

    desk.write("policy.json", r#"{"max_treshold_bytes": 5000}"#);
    let complaint = desk.run(&["offload", "--policy", "policy.json"]).complaint(1);
    assert!(
        complaint.contains("unknown field `max_treshold_bytes`") && complaint.contains("`enabled`"),
        "{complaint}"
    );
    desk.write("policy.json", r#"{"context_percentage": 7}"#);
    let complaint = desk.pipe(b"x", &["offload", "--policy", "policy.json"]).complaint(1);
    assert!(
        complaint.contains("context_percentage") || complaint.contains("context-percentage"),
        "{complaint}"
    );
}

#[test]
fn grep_does_as_grep() {
    let desk = Desk::new();
    let text = "alpha\nBeta\ngamma\ndelta\nbeta again\nomega\nlast beta";
    desk.write("words.txt", text);
    let grep = |arguments: &[&str]| desk.run(&[&["grep", "words.txt"], arguments].concat());
    assert_eq!(grep(&["beta"]).ok(), "beta again\nlast beta\n");
    assert_eq!(grep(&["-n", "-i", "beta"]).ok(), "2:Beta\n5:beta again\n7:last beta\n");
    assert_eq!(grep(&["-nA1", "alpha"]).ok(), "1:alpha\n2-Beta\n");
    assert_eq!(
        grep(&["-n", "-C1", "gamma|omega"]).ok(),
        "2-Beta\n3:gamma\n4-delta\n5-beta again\n6:omega\n7-last beta\n"
    );
    assert_eq!(grep(&["-n", "-B1", "alpha|omega"]).ok(), "1:alpha\n--\n5-beta again\n6:omega\n");
    assert_eq!(grep(&["-v", "a$"]).ok(), "beta again\n");
    assert_eq!(grep(&["-c", "a"]).ok(), "7\n");
    assert_eq!(grep(&["-c", "-m2", "a"]).ok(), "2\n");
    assert_eq!(grep(&["-m2", "a"]).ok(), "alpha\nBeta\n");
    assert_eq!(grep(&["-F", "a$"]).quiet(1), "");
    assert_eq!(grep(&["-c", "nothing"]).quiet(1), "0\n");
    assert_eq!(grep(&["-e", "-x", "-v", "-c"]).ok(), "7\n");
    assert_eq!(grep(&["-q", "beta"]).ok(), "");
    assert_eq!(grep(&["-q", "nothing"]).quiet(1), "");
    assert!(!grep(&["["]).complaint(2).is_empty());
    assert!(desk.run(&["grep", "./missing", "x"]).complaint(2).starts_with("cannot read ./missing"));
    assert_eq!(desk.pipe(b"one\ntwo\n", &["grep", "-", "tw"]).ok(), "two\n");
    let json: serde_json::Value = serde_json::from_str(&grep(&["--json", "gamma"]).ok()).unwrap();
    assert_eq!((&json["total"], &json["matches"][0]["byte_offset"]), (&1.into(), &11.into()));
}

#[test]
fn grep_prints_long_lines_whole_unless_asked_for_a_page() {
    let desk = Desk::new();
    let long = format!("{}NEEDLE{}", "x".repeat(300_000), "y".repeat(300_000));
    let before = format!("before {}", "b".repeat(100_000));
    desk.write("long.txt", format!("first\n{before}\n{long}\r\nafter\n"));
    let ran = desk.run(&["grep", "long.txt", "-n", "-C1", "NEEDLE"]).ok();
    assert!(ran == format!("2-{before}\n3:{long}\n4-after\n"), "{} bytes", ran.len());
    let ran = desk.run(&["grep", "long.txt", "NEEDLE", "--max-bytes", "1K"]).ok();
    assert!(ran.len() <= 1024 && ran.contains("NEEDLE"), "{ran}");
}

#[test]
fn jq_does_as_jq() {
    let desk = Desk::new();
    desk.write("data.json", r#"{"rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]}"#);
    let jq = |arguments: &[&str]| desk.run(&[&["jq", "data.json"], arguments].concat());
    assert_eq!(jq(&[".rows | length"]).ok(), "2\n");
    assert_eq!(jq(&["-c", ".rows[0]"]).ok(), "{\"id\":1,\"name\":\"one\"}\n");
    assert_eq!(jq(&[".rows[].name", "-r"]).ok(), "one\ntwo\n");
    assert_eq!(jq(&[".rows[1]"]).ok(), "{\n  \"id\": 2,\n  \"name\": \"two\"\n}\n");
    assert!(!jq(&[".rows["]).complaint(3).is_empty());
    let ran = jq(&[".rows[].name | (., error(\"no\"))"]);
    assert_eq!((ran.status, ran.out()), (5, "\"one\"\n"), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("tuckaway: ") && ran.stderr.contains("no"), "{}", ran.stderr);
    assert!(!desk.pipe(b"no json here", &["jq", "-", "."]).complaint(2).is_empty());
    assert!(desk.run(&["jq", "./missing", "."]).complaint(2).starts_with("cannot read ./missing"));
    assert_eq!(desk.pipe(b"{\"a\":1}\n{\"a\":2}\n", &["jq", "-", ".a"]).ok(), "1\n2\n");
    let id = desk.put("fetch", b"[1, 2, 3]");
    assert_eq!(desk.run(&["jq", &id, "add"]).ok(), "6\n");
}

#[test]
fn names_are_ids_or_paths() {
    let desk = Desk::new();
    desk.write("Makefile", "all:\n");
    assert_eq!(
        desk.run(&["read", "Makefile"]).complaint(1),
        "there is no artifact \"Makefile\"; to ask the file of that name, write ./Makefile"
    );
    assert_eq!(desk.run(&["read", "./Makefile"]).ok(), "all:\n");
    assert!(desk.run(&["read", "nothing"]).complaint(1).contains("tuckaway list"));
    assert!(desk.run(&["read", "../../etc/no-such-file"]).complaint(1).starts_with("cannot read ../../etc"));
    assert!(desk.run(&["read", "./"]).complaint(1).contains("is a directory"));
    assert!(desk.run(&["stat", "../x"]).complaint(1).contains("not an artifact id"));
    assert!(desk.run(&["rm", "../x"]).complaint(1).contains("not an artifact id"));
}

#[test]
fn bytes_that_are_no_text_come_back() {
    let desk = Desk::new();
    let bytes: Vec<u8> = (0..20_000u32).map(|n| (n % 251) as u8).collect();
    desk.write("bytes", &bytes);
    assert_eq!(desk.run(&["read", "./bytes", "--raw"]).stdout, bytes);
    assert!(desk.run(&["read", "./bytes"]).ok().contains('\u{fffd}'));
    let ran = desk.pipe(&bytes, &["offload", "--media-type", "image/png"]);
    assert_eq!((ran.status, ran.stdout), (0, bytes));
}

#[test]
fn shape_and_truncate() {
    let desk = Desk::new();
    desk.write("data.json", r#"{"rows": [{"id": 1}, {"id": 2}]}"#);
    let ran = desk.run(&["shape", "data.json"]);
    assert_eq!(ran.stderr, "application/json\n");
    assert!(ran.out().contains("rows"), "{}", ran.out());
    let shape: serde_json::Value =
        serde_json::from_str(&desk.run(&["shape", "--json", "data.json"]).ok()).unwrap();
    assert_eq!(shape["media_type"], "application/json");
    let short = desk.pipe(lines(10_000).as_bytes(), &["truncate", "--max-bytes", "1K"]).ok();
    assert!(short.len() <= 1024 && short.starts_with("line 1 of") && short.contains("truncated"), "{short}");
    assert!(desk.run(&["truncate", "data.json", "--max-bytes", "5"]).complaint(1).contains("512"));
}

#[test]
fn tools_and_their_calls() {
    let desk = Desk::new();
    let tools: serde_json::Value =
        serde_json::from_str(&desk.run(&["tools", "--tools", "jq,read"]).ok()).unwrap();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["artifact_read", "artifact_jq"]);
    assert_eq!(tools[0]["input_schema"]["type"], "object");
    assert_eq!(desk.run(&["tools", "--tools", "none"]).ok(), "[]\n");
    let id = desk.put("fetch", b"[1, 2, 3]");
    let arguments = format!(r#"{{"artifact_id": "{id}", "filter": "add"}}"#);
    assert!(desk.run(&["call", "artifact_jq", &arguments]).ok().contains('6'));
    assert!(desk.pipe(arguments.as_bytes(), &["call", "artifact_jq", "-"]).ok().contains('6'));
    let ran = desk.run(&["call", "artifact_jq", "{}"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    assert!(ran.out().contains("artifact_id"), "{}", ran.out());
    assert!(!desk.run(&["call", "sql_query", "{}"]).complaint(1).is_empty());
}

#[test]
fn stores_are_named_or_the_users_own() {
    let desk = Desk::new();
    let own = desk
        .command(&["offload", "--mode", "artifact", "--window", "1000", "-"])
        .env_remove("TUCKAWAY_STORE")
        .env("XDG_STATE_HOME", desk.0.join("state"))
        .stdin(
            fs::File::open({
                desk.write("text", lines(1000));
                desk.0.join("text")
            })
            .unwrap(),
        )
        .output()
        .unwrap();
    assert!(own.status.success());
    assert_eq!(fs::read_dir(desk.0.join("state/tuckaway/store")).unwrap().count(), 2);
    assert_eq!(desk.run(&["--store", "memory", "list", "--json"]).ok(), "[]\n");
    assert!(desk.run(&["--store", "s3://x", "list"]).stderr.contains("write dir:PATH or memory"));
    desk.write("file", "");
    assert!(desk.run(&["--store", "dir:file/store", "list"]).complaint(1).contains("cannot open the store"));
}

#[test]
fn old_artifacts_are_removed_by_age_or_all() {
    let desk = Desk::new();
    let (one, two) = (desk.put("a", b"one"), desk.put("b", b"two"));
    assert_eq!(desk.run(&["rm", "--older-than", "1d"]).ok(), "");
    let listed = desk.run(&["list", "--json"]).ok();
    assert!(listed.contains(&one) && listed.contains(&two));
    let removed: serde_json::Value =
        serde_json::from_str(&desk.run(&["rm", "--all", "--json"]).ok()).unwrap();
    assert_eq!(removed["removed"].as_array().unwrap().len(), 2);
    assert_eq!(desk.run(&["list", "--json"]).ok(), "[]\n");
    assert_eq!(desk.run(&["rm"]).status, 2);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_news() {
    let desk = Desk::new();
    desk.write("long.txt", lines(300_000));
    let mut command = desk.command(&["read", "./long.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn help_teaches() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]).ok();
    for word in ["Examples:", "offload", "exec", "TUCKAWAY_STORE", "stderr"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for command in ["offload", "exec", "read", "grep", "jq"] {
        let help = desk.run(&[command, "--help"]).ok();
        assert!(help.contains("Examples:"), "{help}");
    }
    assert_eq!(desk.run(&[]).status, 2);
    assert!(desk.run(&["--version"]).ok().starts_with("tuckaway "));
}
