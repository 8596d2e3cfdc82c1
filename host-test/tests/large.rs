//! Queries on an artifact of 1 GiB, generated as it is read, need little memory. The peak
//! of the process is read from `/proc`, if there is one.

use tuckaway_host_test::large::{self, NativeRows, QueryRows};

/// Returns the peak memory of the process in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

type Check = fn(&dyn QueryRows);

#[test]
fn large_artifacts_take_little_memory() {
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
