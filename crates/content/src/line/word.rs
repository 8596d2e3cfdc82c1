//! Decides whether a word such as `error` reports a failure, or is part of a name.

use tuckaway_search::find;

/// Words that report failures, in lower case.
const WORDS: [&[u8]; 17] = [
    b"error",
    b"errors",
    b"errored",
    b"failed",
    b"fail",
    b"fails",
    b"failing",
    b"failure",
    b"failures",
    b"panicked",
    b"panic",
    b"exception",
    b"exceptions",
    b"fatal",
    b"critical",
    b"severe",
    b"oom",
];

/// Marks that are not the beginning of one of the words, without its first letter.
const PARTS: [&[u8]; 6] = [b"rror", b"RROR", b"ailed", b"ailure", b"anic", b"xception"];
/// Marks that are one of the words, or its beginning.
const WHOLE: [&[u8]; 5] = [b"FAIL", b"FATAL", b"CRITICAL", b"SEVERE", b"OOM"];

/// Words that make `error` a part of a name: `error handling`, `Error log`.
const PARTS_OF_NAMES: [&[u8]; 10] =
    [b"handl", b"messag", b"page", b"log", b"rate", b"report", b"bound", b"path", b"type", b"class"];

/// Starts of lines that report a success.
const SUCCESSES: [&[u8]; 9] = [
    "✓".as_bytes(),
    "✔".as_bytes(),
    "√".as_bytes(),
    b"ok ",
    b"ok\t",
    b"PASS",
    b"--- PASS",
    b"--- SKIP",
    b"=== ",
];

/// Returns whether the mark at `at`, a part of a word, says that something failed: a
/// word of its own (`error: x`) or the name of an exception (`ValueError: x`), but not a
/// part of another word or name (`mirror`, `ErrorHandlerTest`, `error.rs`, `http-errors`).
pub fn says_error(line: &[u8], at: usize) -> bool {
    let begins = |marks: &[&[u8]]| marks.iter().any(|mark| line[at..].starts_with(mark));
    let from = match (begins(&PARTS), at.checked_sub(1)) {
        (true, Some(before)) => before,
        (true, None) => return false,
        (false, _) if begins(&WHOLE) => at,
        (false, _) => return true,
    };
    // Most other words are `mirror`, `detail`, `mechanic`.
    if !matches!(line[from] | 0x20, b'e' | b'f' | b'p' | b'c' | b's' | b'o') {
        return false;
    }
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte == b'$';
    let start = from - line[..from].iter().rev().take_while(is_of_name).count();
    let end = from + line[from..].iter().take_while(is_of_name).count();
    let word = &line[from..end];
    if !WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)) {
        return false;
    }
    let (before, after) = (&line[..start], &line[end..]);
    let is_qualified = matches!(before, [.., byte, b'.'] if is_of_name(&byte));
    if from > start || is_qualified {
        return line[from].is_ascii_uppercase() && line[start].is_ascii_alphabetic() && ends_exception(after);
    }
    match word {
        b"panic" | b"Panic" | b"PANIC" => after.first() == Some(&b':') || before.ends_with(b"ernel "),
        _ => !is_joined(before, after) && !is_part_of_phrase(after),
    }
}

/// Returns whether the name of an exception is followed by its message or by nothing.
fn ends_exception(after: &[u8]) -> bool {
    match after {
        [] | [b')' | b'\r'] => true,
        [b':', rest @ ..] => rest.first() != Some(&b':'),
        _ => after.starts_with(b" [") || after.starts_with(b" at "),
    }
}

/// Returns whether a word is joined to another one: `fail-fast`, `/errors/`, `error::`,
/// `errors=remount-ro`, `'error'`.
fn is_joined(before: &[u8], after: &[u8]) -> bool {
    if let Some(b'-' | b'/' | b'\\' | b'@') = before.last() {
        return true;
    }
    match (before.last(), after) {
        (Some(b'`'), [b'`', ..]) | (Some(b'\''), [b'\'', ..]) | (_, [b':', b':', ..] | [b';']) => true,
        (_, [b'-' | b'/' | b'\\' | b'@', ..]) => true,
        (_, [b'(', rest @ ..]) => !rest.starts_with(b"s)"),
        (_, [b'=', next, ..]) => !matches!(next, b'"' | b'1'..=b'9'),
        (_, [b'.', next, ..]) => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

fn is_part_of_phrase(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b" ") else { return false };
    rest.starts_with(b"{") || PARTS_OF_NAMES.iter().any(|part| rest.starts_with(part))
}

/// Returns whether a line reports that a test passed, whatever the test is named.
pub fn reports_success(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let ends = [&b" ok"[..], b" PASSED", b" passed", b" ignored"];
    let may_start = matches!(line.first(), Some(0xE2 | b'o' | b'P' | b'-' | b'='));
    may_start && SUCCESSES.iter().any(|start| find::starts_with(line, start))
        || ends.iter().any(|end| line.ends_with(end))
        || has_word(b"PASSED  ", line)
        || find::byte(b'(', line).is_some() && has_word(b"... ok (", line)
}

/// Returns whether a line has a text after a space, which most bytes of a line are not.
fn has_word(text: &[u8], line: &[u8]) -> bool {
    find::texts(text, line).any(|at| line[..at].ends_with(b" "))
}

/// Returns whether a message of a test that failed says why, as far as its words show.
pub fn explains(text: &[u8]) -> bool {
    let words = [&b"want"[..], b"xpected", b"got ", b"ssert", b"refused", b"!="];
    words.iter().any(|word| find::text(word, text).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(line: &str) -> bool {
        let marks = PARTS.iter().chain(&WHOLE);
        let mut at = marks.flat_map(|mark| find::texts(mark, line.as_bytes()));
        at.any(|at| says_error(line.as_bytes(), at))
    }

    #[test]
    fn words_say_that_something_failed() {
        for line in [
            "error: x",
            "1 test failed",
            "ValueError: no",
            "java.io.IOException",
            "java.lang.Exception: x",
            "r.rb:2:in `f': wrong (ArgumentError)",
            "AssertionError [ERR_ASSERTION]: x",
            "pre-commit....Failed",
            "FAILED (errors=1)",
            "<<< FAILURE!",
            "2 Error(s)",
            "panic: x",
            "Kernel panic - not syncing",
            "level=error msg=x",
            "{\"level\":\"error\"}",
            "thread 'main' panicked at x",
            "an error occurred.",
        ] {
            assert!(says(line), "{line}");
        }
    }

    #[test]
    fn names_are_no_errors() {
        for line in [
            "ErrorHandlerTest",
            "libgpg-error0",
            "http-errors@2.0.1",
            "panic=1 errors=remount-ro",
            "src/error.rs:12: x",
            "error_log",
            "mod error;",
            "use error::Result;",
            "handleError(x)",
            "the Error(x)",
            "class ValidationError extends Base {",
            "pub enum Error {",
            "mirrors prevail, details trail, mechanics",
            "unused variable: `error`",
            "Variable 'error' is never used",
            "fail-fast, on_failure: x",
            "--fail-on-error",
            "2 xfailed",
            "Error handling",
            "core::panicking::panic_fmt",
            "rror",
        ] {
            assert!(!says(line), "{line}");
        }
    }

    #[test]
    fn passing_tests_may_have_any_name() {
        for line in
            ["  ✓ shows an error (2 ms)", "ok 3 - error", "test failed ... ok", "a::error PASSED  [ 1%]"]
        {
            assert!(reports_success(line.as_bytes()), "{line}");
        }
        assert!(!reports_success(b"not ok 3 - x"));
    }
}
