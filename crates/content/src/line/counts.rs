//! Detects lines that report failures, or that count none.

use tuckaway_search::find;

/// Words for counted failures.
const WORDS: [&[u8]; 7] = [b"error", b"fail", b"exception", b"panic", b"fatal", b"timeout", b"abort"];

/// Endings of these words outside names.
const ENDS: [&[u8]; 16] = [
    b"error",
    b"errors",
    b"errored",
    b"fail",
    b"fails",
    b"failed",
    b"failing",
    b"failure",
    b"failures",
    b"exception",
    b"exceptions",
    b"panicked",
    b"fatal",
    b"timeout",
    b"timeouts",
    b"aborted",
];

/// Returns whether a result reports a failure: `1 failed`, `Failures: 2`, `FAILED`, but
/// not `0 failed`, `no errors`.
pub fn has_failures(line: &[u8]) -> bool {
    let lower = line[..line.len().min(1_000)].to_ascii_lowercase();
    let is_failure = |at: usize| !is_in_name(&lower, at) && !counts_none(&lower, at);
    WORDS.iter().any(|word| find::texts(word, &lower).any(is_failure))
}

/// Returns whether the word at `at` is part of a name: `errorhandlertest`, `xfailed`,
/// `libgpg-error0`.
fn is_in_name(line: &[u8], at: usize) -> bool {
    let is_of_name = |b: &u8| b.is_ascii_alphanumeric() || b"_-./@".contains(b);
    let letters = line[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let is_form = ENDS.iter().any(|end| line[at..at + letters].ends_with(end));
    let continues = match line[at + letters..] {
        [b'_' | b'-' | b'/' | b'@', ..] => true,
        [b'.' | b':', next, ..] => is_of_name(&next) || next == b':',
        [next, ..] => next.is_ascii_digit(),
        [] => false,
    };
    line[..at].last().is_some_and(is_of_name) || !is_form || continues
}

/// Returns whether the line counts none of the word at `at`: `0 errors`, `no error`,
/// `errors: 0`, `failed=0`, `"errors": []`, or an
/// expected one: `1 expected fail`, `1 known failure`.
pub fn counts_none(line: &[u8], at: usize) -> bool {
    let is_in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-';
    let before = trim_marks(trim_word(&line[..at]));
    let rest = trim_word(before);
    if matches!(&before[rest.len()..], b"0" | b"no" | b"No" | b"NO" | b"zero" | b"without" | b"never") {
        return true;
    }
    if before.ends_with(b" expected") {
        return true;
    }
    // One adjective may separate them: `0 compile errors`.
    let rest = trim_marks(rest);
    let count = &rest[trim_word(rest).len()..];
    let is_count = !count.is_empty() && count.iter().all(u8::is_ascii_digit);
    if rest.len() < before.len() && (count == b"0" || is_count && before.ends_with(b" known")) {
        return true;
    }
    let word = line[at..].iter().take_while(|b| is_in_word(b)).count();
    let after = &line[at + word..];
    let marks = after.iter().take_while(|b| b" \t\"'(s)".contains(b)).count();
    // `fail 0`, as node and sbt count.
    if let ([b'f' | b'a', ..], [b'0', rest @ ..]) = (&line[at..], &after[marks..])
        && !rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || b".:%".contains(b))
    {
        return true;
    }
    let Some((b':' | b'=', value)) = after[marks..].split_first() else { return false };
    let value = value.trim_ascii_start();
    let none: [&[u8]; 7] = [b"0", b"none", b"None", b"null", b"nil", b"[]", b"false"];
    none.iter().any(|none| {
        value.strip_prefix(*none).is_some_and(|rest| {
            !rest.first().is_some_and(|b| b.is_ascii_alphanumeric())
                && !matches!(rest, [b'.' | b':', b'0'..=b'9', ..])
        })
    })
}

fn trim_word(text: &[u8]) -> &[u8] {
    let word = text.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    &text[..text.len() - word]
}

fn trim_marks(text: &[u8]) -> &[u8] {
    let marks = text.iter().rev().take_while(|b| b" \t(\"'-".contains(b)).count();
    &text[..text.len() - marks]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_distinguished_from_counts_of_none() {
        for line in [
            "test result: FAILED. 1 passed; 2 failed; 0 ignored",
            "Tests run: 3, Failures: 1, Errors: 0",
            "Tests:       1 failed, 2 passed, 3 total",
            "=== 1 failed, 10 passed in 0.12s ===",
            "10 errors generated",
            "error: 0x80070005",
            "BUILD FAILED in 3s",
            "FAILED (errors=1)",
            "errors: 0.5 of all",
            "not ok: fail",
            "Build hit a known error: no space left",
            "connect: known failure",
        ] {
            assert!(has_failures(line.as_bytes()), "{line}");
        }
        for line in [
            "test result: ok. 12 passed; 0 failed; 0 ignored",
            "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
            "0 errors, 2 warnings",
            "0 Error(s)",
            "Found no errors.",
            "0 compile errors",
            "errors=0 failed=0",
            "finished without error",
            "{\"errors\": [], \"failed\": false}",
            "3 passed in 0.01s",
            "Tests  1 passed | 1 expected fail (2)",
            "2 known failures",
        ] {
            assert!(!has_failures(line.as_bytes()), "{line}");
        }
    }
}
