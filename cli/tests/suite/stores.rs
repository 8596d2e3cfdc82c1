//! Stores of the command line: age, quota, sessions, buckets.

use crate::test_dir::{TestDir, lines};

/// Ages are measured in whole seconds: at this one, everything has expired.
const AT_ONCE: &str = "500ms";

#[test]
fn the_users_own_store_has_an_age_and_a_quota() {
    let dir = TestDir::new();
    let own = |arguments: &[&str]| {
        let mut command = dir.command(arguments);
        command.env_remove("TUCKAWAY_STORE").env("XDG_STATE_HOME", dir.0.join("state"));
        crate::test_dir::Outcome::of(command.output().unwrap())
    };
    dir.write("big.log", lines(100_000));
    own(&["offload", "big.log"]).ok();
    let listed = own(&["list"]);
    assert_eq!(listed.stderr, "tuckaway: 1 artifact, 2 MB of 2.1 GB, kept for 7 d\n");
    assert!(listed.out().lines().next().unwrap().contains("EXPIRES IN"), "{}", listed.out());
    assert!(listed.out().contains("  7 d  ") || listed.out().contains("  6 d  "), "{}", listed.out());
    // A quota that is too small costs the stored copy, not the view.
    let full = own(&["offload", "big.log", "--quota", "1M"]);
    assert_eq!(full.status, 0);
    assert!(full.stderr.contains("quota is used up"), "{}", full.stderr);
    assert!((1_000..=200_000).contains(&full.stdout.len()), "{}", full.stdout.len());
}

#[test]
fn garbage_is_what_has_expired_or_is_too_much() {
    let dir = TestDir::new();
    let id = dir.put("sql query", lines(1_000).as_bytes());
    assert_eq!(dir.run(&["gc", "--json"]).ok(), garbage(0, 0));
    let listed = dir.run(&["list"]);
    assert!(listed.out().contains("  never  "), "{}", listed.out());
    assert_eq!(dir.run(&["gc", "--max-age", AT_ONCE, "--json"]).ok(), garbage(1, 16_893));
    assert!(dir.run(&["gc"]).ok().starts_with("expired    0\n"));
    let error = dir.run(&["read", &id]).error(2);
    let before = format!("Artifact {id:?}, an output of \"sql query\", expired at 20");
    assert!(error.starts_with(&before) && error.ends_with(" UTC; run the tool again."), "{error}");

    let (old, new) = (dir.put("old", lines(1_000).as_bytes()), dir.put("new", lines(1_000).as_bytes()));
    assert_eq!(dir.run(&["gc", "--quota", "20K", "--json"]).ok(), garbage(1, 16_893));
    assert!(dir.run(&["stat", &old]).error(2).contains("expired at"));
    dir.run(&["stat", &new]).ok();
}

fn garbage(expired: u64, freed_bytes: u64) -> String {
    let garbage = serde_json::json!({
        "expired": expired, "abandoned": 0, "forgotten": 0, "freed_bytes": freed_bytes,
    });
    format!("{}\n", serde_json::to_string_pretty(&garbage).unwrap())
}

#[test]
fn sessions_know_nothing_of_each_other() {
    let dir = TestDir::new();
    assert_eq!(dir.run(&["sessions", "--json"]).ok(), "[]\n");
    dir.write("big.log", lines(100_000));
    let view = dir.run(&["offload", "big.log", "--session", "chat-1"]).ok();
    let id = view.split('"').find(|word| word.starts_with("art_big_")).expect("an id").to_owned();
    assert_eq!(dir.run(&["sessions"]).ok(), "chat-1\n");
    assert_eq!(dir.run(&["read", &id, "--lines", "1", "--session", "chat-1"]).ok(), "line 1 of 100000\n");
    for other in [&["read", &id][..], &["read", &id, "--session", "chat-2"]] {
        assert!(dir.run(other).error(2).contains("there is no artifact"));
    }
    assert_eq!(dir.run(&["list", "--json", "--session", "chat-2"]).ok(), "[]\n");
    assert_eq!(dir.run(&["rm", "--all", "--session", "chat-1"]).ok(), "");
    assert!(dir.run(&["rm", "--all", "--session", "chat-1"]).error(1).contains("there is no session"));
    assert!(dir.run(&["sessions"]).stderr.contains("no sessions"));
    for wrong in ["Chat", "a/b", "..", "shared"] {
        assert_ne!(dir.run(&["list", "--session", wrong]).status, 0, "{wrong}");
    }
}

#[test]
fn a_bucket_that_cannot_be_reached_costs_the_copy_only() {
    let dir = TestDir::new();
    dir.write("big.log", lines(100_000));
    let mut command = dir.command(&["offload", "big.log", "--deadline", "8s"]);
    command.args(["--store", "s3://bucket/agents", "--store-endpoint", "http://127.0.0.1:1"]);
    command.env("AWS_ACCESS_KEY_ID", "id-of-key").env("AWS_SECRET_ACCESS_KEY", "secret");
    let ran = crate::test_dir::Outcome::of(command.output().unwrap());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!((1_000..=200_000).contains(&ran.stdout.len()), "{}", ran.stdout.len());
    assert!(ran.stderr.contains("The store failed"), "{}", ran.stderr);
    for secret in ["secret", "id-of-key", "127.0.0.1"] {
        assert!(!ran.stderr.contains(secret), "{}", ran.stderr);
    }
    assert!(
        dir.run(&["list", "--store-endpoint", "http://x"])
            .error(1)
            .contains("an endpoint can be set only for a store in a bucket")
    );
}
