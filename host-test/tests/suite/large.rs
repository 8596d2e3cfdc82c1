//! Queries on an artifact of 1 GiB, generated as it is read, need little memory. The peak
//! of the process is read from `/proc`, if there is one, so the test runs itself again in a
//! process in which nothing else runs.

use std::env;
use std::process::Command;

use tuckaway_host_test::large::{self, NativeRows, QueryRows};

/// Returns the peak memory of the process in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

type Check = fn(&dyn QueryRows);

/// The name of the test, for a process that runs only this one.
const TEST: &str = "large::large_artifacts_take_little_memory";

/// The variable that is set in that process.
const IS_ALONE: &str = "TUCKAWAY_TEST_IS_ALONE";

#[test]
fn large_artifacts_take_little_memory() {
    if env::var_os(IS_ALONE).is_some() {
        return check_peaks();
    }
    let mut alone = Command::new(env::current_exe().expect("the path of this program"));
    let output = alone.args(["--exact", TEST, "--nocapture"]).env(IS_ALONE, "1").output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("1 passed"),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn check_peaks() {
    let engine = NativeRows::default();
    let checks: [(&str, Check); 3] = [
        ("read", large::lines_are_read),
        ("grep", large::lines_are_searched),
        ("jq", large::paths_are_followed),
    ];
    let before = peak();
    for (name, check) in checks {
        check(&engine);
        if let (Some(before), Some(after)) = (before, peak()) {
            assert!(after - before < 64 << 20, "{name}: {} MiB", (after - before) >> 20);
        }
    }
}
