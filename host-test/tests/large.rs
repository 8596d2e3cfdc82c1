//! An artifact of 1 GiB, made as it is read: queries hold little of it. What the
//! process came to is read from `/proc`, where there is one.

use tuckaway_host_test::large::{self, Asked, AskedNatively};

/// The most memory that the process ever had, in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

type Question = fn(&dyn Asked);

#[test]
fn large_artifacts_take_little_memory() {
    let asked = AskedNatively::default();
    let questions: [(&str, Question); 3] = [
        ("read", large::lines_are_read),
        ("grep", large::lines_are_searched),
        ("jq", large::paths_are_followed),
    ];
    let before = peak();
    for (name, ask) in questions {
        ask(&asked);
        if let (Some(before), Some(after)) = (before, peak()) {
            assert!(after - before < 64 << 20, "{name}: {} MiB", (after - before) >> 20);
        }
    }
}
