//! The command line as a process: stdout, stderr, exit status.

use std::fs;

use crate::test_dir::{TestDir, lines};

#[test]
fn an_output_that_fits_passes_unchanged() {
    let dir = TestDir::new();
    assert_eq!(dir.pipe(b"small, no line feed", &["offload"]).ok(), "small, no line feed");
    assert_eq!(dir.pipe(b"", &["offload"]).ok(), "");
    dir.write("small.txt", "from a file\n");
    assert_eq!(dir.run(&["offload", "small.txt"]).ok(), "from a file\n");
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
}

#[test]
fn an_output_that_does_not_fit_is_stored_and_queried() {
    let dir = TestDir::new();
    let text = lines(100_000);
    dir.write("build.log", &text);
    let view = dir.run(&["offload", "build.log"]).ok();
    assert!(view.len() < 4000, "{view}");
    let id = view.split('"').find(|word| word.starts_with("art_build_")).expect("an id").to_owned();

    assert_eq!(dir.run(&["read", &id]).ok(), text);
    assert_eq!(dir.run(&["read", &id, "--raw"]).ok(), text);
    assert_eq!(dir.run(&["read", &id, "--lines", "3:4"]).ok(), "line 3 of 100000\nline 4 of 100000\n");
    assert_eq!(dir.run(&["read", &id, "--lines", "99999:"]).ok().lines().count(), 2);
    assert_eq!(dir.run(&["read", &id, "--bytes", ":7"]).ok(), "line 1 ");
    assert_eq!(dir.run(&["read", &id, "--raw", "--bytes", "5:8"]).ok(), "1 o");
    assert_eq!(dir.run(&["read", &id, "--lines", "7", "-n"]).ok().trim_start(), "7\tline 7 of 100000\n");
    assert_eq!(dir.run(&["grep", &id, "-c", " 1234"]).ok(), "11\n");
    assert_eq!(dir.run(&["stat", &id]).ok().lines().next().unwrap(), format!("id          {id}"));
    let listed = dir.run(&["list"]);
    assert_eq!(listed.stderr, "tuckaway: 1 artifact, 2 MB\n");
    let listed = listed.out();
    assert!(listed.lines().nth(1).unwrap().starts_with(&id), "{listed}");

    assert_eq!(dir.run(&["rm", &id]).ok(), "");
    assert!(dir.run(&["stat", &id]).error(2).contains("There is no artifact"));
    assert!(dir.run(&["rm", &id]).error(2).contains("There is no artifact"));
}

#[cfg(unix)]
#[test]
fn an_output_too_big_for_memory_is_written_to_the_store() {
    let dir = TestDir::new();
    let text = lines(200_000);
    let ran = dir.pipe(text.as_bytes(), &["offload", "--memory", "16M", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let view: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let id = view["artifacts"][0]["id"].as_str().unwrap();
    assert_eq!(view["artifacts"][0]["line_count"], 200_000);
    assert_eq!(dir.run(&["read", id, "--raw"]).ok(), text);
    // If the view does not refer to the artifact, it is deleted.
    dir.run(&["rm", "--all"]).ok();
    let ran =
        dir.pipe(text.as_bytes(), &["offload", "--memory", "8M", "--mode", "truncate", "--max-bytes", "2K"]);
    assert!(ran.status == 0 && ran.stdout.len() <= 2048, "{}", ran.stderr);
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
}

#[test]
fn an_output_too_big_for_the_engine_is_stored_and_named() {
    let dir = TestDir::new();
    let text = lines(300_000);
    let ran = dir.pipe(text.as_bytes(), &["offload", "--memory", "6M", "--tool", "make"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let view = ran.out();
    assert!(view.len() < 6000, "{} bytes", view.len());
    assert!(view.contains("\nline 1 of 300000\n") && view.ends_with("\nline 300000 of 300000\n"), "{view}");
    assert!(view.contains("300,000 lines") && view.contains("artifact_grep"), "{view}");
    assert!(ran.stderr.contains("memory"), "{}", ran.stderr);
    let id = view.split([' ', ':']).find(|word| word.starts_with("art_make_")).expect("an id");
    assert_eq!(dir.run(&["read", id, "--raw"]).ok(), text);

    let without_tools = ["offload", "--memory", "6M", "--mode", "artifact", "--tools", "none"];
    let ran = dir.pipe(text.as_bytes(), &without_tools);
    assert!(ran.out().contains("too large to describe. It begins and ends"), "{}", ran.out());
}

#[test]
fn an_output_on_which_the_engine_cannot_decide_is_stored_and_named() {
    let dir = TestDir::new();
    let text = lines(300_000);
    // The cap needs a token count, which needs the whole text.
    dir.write("policy.json", r#"{"max_threshold_bytes": 1000000000, "max_output_tokens": 1000}"#);
    let arguments = ["--tool", "make", "--policy", "policy.json", "--window", "1000000000"];
    let ran = dir.pipe(text.as_bytes(), &[&["offload", "--memory", "6M"], &arguments[..]].concat());
    let error = ran.error(1);
    let id = error.split([' ', '.']).find(|word| word.starts_with("art_make_")).expect("an id");
    assert!(error.ends_with(&format!("The output is stored as {id}.")), "{error}");
    assert_eq!(dir.run(&["read", id, "--raw"]).ok(), text);
}

#[cfg(unix)]
#[test]
fn explain_shows_every_gate() {
    let dir = TestDir::new();
    let ran = dir.pipe(lines(100_000).as_bytes(), &["offload", "--explain", "--tool", "make"]);
    let rows: Vec<Vec<&str>> = ran.stderr.lines().map(|row| row.split_whitespace().collect()).collect();
    let gates: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(
        gates,
        [
            "GATE",
            "disabled",
            "exempt",
            "artifact_tool",
            "below_floor",
            "ceiling",
            "per_output",
            "token_cap",
            "headroom",
            "fits",
            "make:"
        ]
    );
    assert_eq!(rows[5].last(), Some(&"yes"));
    assert!(ran.stderr.contains("ceiling        2,088,895 bytes > 1,048,576"), "{}", ran.stderr);
    assert!(rows[6..10].iter().all(|row| row.ends_with(&["not", "reached"])), "{}", ran.stderr);
    let ran = dir.pipe(&[b'x'; 20_000], &["offload", "--explain", "--used", "139000", "--mode", "truncate"]);
    assert!(ran.stderr.contains("(0.7 × 200,000 tokens − 139,000 used)  yes"), "{}", ran.stderr);
}

#[test]
fn explain_says_that_invalid_bytes_are_more_as_shown() {
    let dir = TestDir::new();
    let ran = dir.pipe(&b"ab\xFF\xFF\xFE cd\n".repeat(14_000), &["offload", "--explain"]);
    assert!(ran.stderr.contains("126,000 bytes (more when shown) > 200,000"), "{}", ran.stderr);
}

#[test]
fn explain_inspects_the_override_although_an_earlier_gate_decided() {
    let dir = TestDir::new();
    for (exempt, expected) in [(true, "override \"*\" exempts make"), (false, "but does not exempt")] {
        let policy = serde_json::json!({"enabled": false, "overrides": [{"tools": "*", "exempt": exempt}]});
        dir.write("policy.json", policy.to_string());
        let ran = dir.pipe(b"text", &["offload", "--explain", "--tool", "make", "--policy", "policy.json"]);
        assert!(ran.status == 0 && ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn a_file_name_does_not_make_an_output_an_artifact_tools() {
    let dir = TestDir::new();
    dir.write("artifact_read.json", lines(100_000));
    let gate = |arguments: &[&str]| {
        let view: serde_json::Value = serde_json::from_str(&dir.run(arguments).ok()).unwrap();
        (view["decision"]["gate"].clone(), view["artifacts"][0]["tool"].clone())
    };
    let is = ("ceiling".into(), "file_artifact_read".into());
    assert_eq!(gate(&["offload", "artifact_read.json", "--json"]), is);
    // An explicit name is respected.
    let explicit = ["offload", "artifact_read.json", "--json", "--tool", "artifact_read"];
    assert_eq!(gate(&explicit).0, "artifact_tool");
}

#[test]
fn a_store_in_memory_warns_that_artifacts_are_lost() {
    let dir = TestDir::new();
    let text = lines(100_000);
    let ran = dir.pipe(text.as_bytes(), &["--store", "memory", "offload", "--tool", "make"]);
    assert!(ran.status == 0 && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("is lost when this command exits"), "{}", ran.stderr);
    // A failure does not claim that the output is stored.
    let stuck = ["--store", "memory", "offload", "--memory", "1M"];
    assert!(!dir.pipe(text.as_bytes(), &stuck).error(1).contains("stored as"));
    let truncated = ["--store", "memory", "offload", "--mode", "truncate"];
    assert!(!dir.pipe(text.as_bytes(), &truncated).ok().is_empty());
}

#[test]
fn options_set_the_policy() {
    let dir = TestDir::new();
    let text = lines(1000);
    let gate = |arguments: &[&str]| {
        let ran = dir.pipe(text.as_bytes(), &[&["offload", "--json"], arguments].concat());
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
    dir.write(
        "policy.json",
        r#"{"max_threshold_bytes": 5000, "overrides": [{"tools": "skill_*", "exempt": true}]}"#,
    );
    assert_eq!(gate(&["--policy", "policy.json"]), is("ceiling", "artifact"));
    assert_eq!(gate(&["--policy", "policy.json", "--tool", "skill_x"]), is("exempt", "inline"));

    dir.write("policy.json", r#"{"max_treshold_bytes": 5000}"#);
    let error = dir.run(&["offload", "--policy", "policy.json"]).error(1);
    assert!(error.contains("unknown field `max_treshold_bytes`") && error.contains("`enabled`"), "{error}");
    dir.write("policy.json", r#"{"context_percentage": 7}"#);
    let error = dir.pipe(b"x", &["offload", "--policy", "policy.json"]).error(1);
    assert!(error.contains("context_percentage") || error.contains("context-percentage"), "{error}");
}

#[test]
fn the_default_store_is_in_the_users_state_directory() {
    let dir = TestDir::new();
    let own = dir
        .command(&["offload", "--mode", "artifact", "--window", "1000", "-"])
        .env_remove("TUCKAWAY_STORE")
        .env("XDG_STATE_HOME", dir.0.join("state"))
        .stdin(
            fs::File::open({
                dir.write("text", lines(1000));
                dir.0.join("text")
            })
            .unwrap(),
        )
        .output()
        .unwrap();
    assert!(own.status.success());
    assert_eq!(fs::read_dir(dir.0.join("state/tuckaway/store")).unwrap().count(), 2);
    assert_eq!(dir.run(&["--store", "memory", "list", "--json"]).ok(), "[]\n");
    assert!(dir.run(&["--store", "ftp://x", "list"]).stderr.contains("write dir:PATH, memory, s3://"));
    dir.write("file", "");
    assert!(dir.run(&["--store", "dir:file/store", "list"]).error(1).contains("cannot open the store"));
}

#[test]
fn artifacts_are_removed_by_age_or_all_at_once() {
    let dir = TestDir::new();
    let (one, two) = (dir.put("a", b"one"), dir.put("b", b"two"));
    assert_eq!(dir.run(&["rm", "--older-than", "1d"]).ok(), "");
    let listed = dir.run(&["list", "--json"]).ok();
    assert!(listed.contains(&one) && listed.contains(&two));
    let removed: serde_json::Value = serde_json::from_str(&dir.run(&["rm", "--all", "--json"]).ok()).unwrap();
    assert_eq!(removed["removed"].as_array().unwrap().len(), 2);
    assert_eq!(dir.run(&["list", "--json"]).ok(), "[]\n");
    assert_eq!(dir.run(&["rm"]).status, 2);
}
