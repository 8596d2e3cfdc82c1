//! Reads from the log of a step how many tests ran in it: the closing lines of Rust's test
//! runner, pytest and Node's test runner.

/// Returns how many tests passed by all closing lines of a log.
pub fn passed(log: &str) -> u64 {
    log.lines().filter_map(|line| of_line(line.trim())).sum()
}

fn of_line(line: &str) -> Option<u64> {
    // Colours would hide how a line begins.
    if let Some(result) = line.strip_prefix("test result: ") {
        // `ok. 12 passed; 0 failed; …`
        return result.split_once(". ").and_then(|(_, counts)| number_before(counts, " passed"));
    }
    if let Some(count) = line.strip_prefix("ℹ pass ").or_else(|| line.strip_prefix("# pass ")) {
        return count.parse().ok();
    }
    // pytest: `12 passed, 1 skipped in 0.52s`.
    let is_pytest = line.contains(" in ")
        && line.trim_end_matches(['=', ' ', ')']).ends_with(|c: char| c == 's' || c.is_ascii_digit());
    if is_pytest { number_before(line.trim_start_matches(['=', ' ']), " passed") } else { None }
}

/// Returns the number at the beginning of a text, if these words follow it at once or after a
/// comma.
fn number_before(text: &str, words: &str) -> Option<u64> {
    let (before, _) = text.split_once(words)?;
    before.rsplit([' ', ',']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted() {
        for (log, expected) in [
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s",
                12,
            ),
            ("test result: FAILED. 3 passed; 1 failed; 0 ignored", 3),
            ("135 passed, 2 skipped in 61.20s (0:01:01)", 135),
            ("2 failed, 5 passed in 0.10s", 5),
            ("===== 7 passed in 0.10s =====", 7),
            ("ℹ tests 5\nℹ pass 5\nℹ fail 0", 5),
            ("# pass 4", 4),
            ("test result: ok. 1 passed; 0 failed\n\ntest result: ok. 2 passed; 0 failed", 3),
            ("prose in which one passed in silence", 0),
            ("", 0),
        ] {
            assert_eq!(passed(log), expected, "{log}");
        }
    }
}
