//! The command line as a process: stdout, stderr, exit status.

mod desk;

use std::fs;

use desk::{Desk, lines};

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

#[cfg(unix)]
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

    let without_tools = ["offload", "--memory", "6M", "--mode", "artifact", "--tools", "none"];
    let ran = desk.pipe(text.as_bytes(), &without_tools);
    assert!(ran.out().contains("too large to be summed up. It begins and ends"), "{}", ran.out());
}

#[test]
fn an_output_that_the_engine_cannot_even_decide_on_is_kept_and_named() {
    let desk = Desk::new();
    let text = lines(300_000);
    // Tokens are asked for, which takes the whole text.
    desk.write("policy.json", r#"{"max_threshold_bytes": 1000000000, "max_output_tokens": 1000}"#);
    let arguments = ["--tool", "make", "--policy", "policy.json", "--window", "1000000000"];
    let ran = desk.pipe(text.as_bytes(), &[&["offload", "--memory", "6M"], &arguments[..]].concat());
    let complaint = ran.complaint(1);
    let id = complaint.split([' ', '.']).find(|word| word.starts_with("art_make_")).expect("an id");
    assert!(complaint.ends_with(&format!("The output is kept as {id}.")), "{complaint}");
    assert_eq!(desk.run(&["read", id, "--raw"]).ok(), text);
}

#[cfg(unix)]
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
fn explain_asks_the_override_that_a_gate_before_it_left_unasked() {
    let desk = Desk::new();
    for (exempt, says) in [(true, "override \"*\" exempts make"), (false, "and does not exempt")] {
        let policy = serde_json::json!({"enabled": false, "overrides": [{"tools": "*", "exempt": exempt}]});
        desk.write("policy.json", policy.to_string());
        let ran = desk.pipe(b"text", &["offload", "--explain", "--tool", "make", "--policy", "policy.json"]);
        assert!(ran.status == 0 && ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn a_files_name_does_not_open_the_artifact_tools_gate() {
    let desk = Desk::new();
    desk.write("artifact_read.json", lines(100_000));
    let gate = |arguments: &[&str]| {
        let view: serde_json::Value = serde_json::from_str(&desk.run(arguments).ok()).unwrap();
        (view["decision"]["gate"].clone(), view["artifacts"][0]["tool"].clone())
    };
    let is = ("ceiling".into(), "file_artifact_read".into());
    assert_eq!(gate(&["offload", "artifact_read.json", "--json"]), is);
    // Who says so means it.
    let said = ["offload", "artifact_read.json", "--json", "--tool", "artifact_read"];
    assert_eq!(gate(&said).0, "artifact_tool");
}

#[test]
fn what_a_store_in_memory_forgets_is_said() {
    let desk = Desk::new();
    let text = lines(100_000);
    let ran = desk.pipe(text.as_bytes(), &["--store", "memory", "offload", "--tool", "make"]);
    assert!(ran.status == 0 && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("is forgotten as this command ends"), "{}", ran.stderr);
    // Nor is it said to be kept where nothing could be made of it.
    let stuck = ["--store", "memory", "offload", "--memory", "1M"];
    assert!(!desk.pipe(text.as_bytes(), &stuck).complaint(1).contains("kept as"));
    let truncated = ["--store", "memory", "offload", "--mode", "truncate"];
    assert!(!desk.pipe(text.as_bytes(), &truncated).ok().is_empty());
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
