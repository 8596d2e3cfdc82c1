//! What lines of builds and tests say, one by one.

use proptest::prelude::*;

use super::signs::{CERTAIN, Tool, What, of, place, test_name, without_lead};
use super::starts::starts;

/// Who says it and what; nothing where no tool is known by the line.
fn said(line: &str) -> Option<(Tool, What)> {
    of(line.as_bytes()).map(|sign| (sign.tool, sign.what))
}

/// Checks lines of one tool, each with what it says.
fn check(tool: Tool, lines: &[(&str, What)]) {
    for (line, what) in lines {
        assert_eq!(said(line), Some((tool, *what)), "{line}");
    }
}

#[test]
fn compilers_say_where_it_is_wrong() {
    check(
        Tool::Compiler,
        &[
            ("src/main.c:12:5: error: expected ';' before 'return'", What::Error),
            ("src/main.c:12:5: warning: unused variable 'n' [-Wunused-variable]", What::Warning),
            ("/usr/bin/ld: main.o: in function `main': a.c:3: undefined reference to `run'", What::Error),
            ("C:\\work\\main.c(12): error C2065: 'n': undeclared identifier", What::Error),
            ("collect2: error: ld returned 1 exit status", What::Error),
            ("2 errors generated.", What::Result),
        ],
    );
    check(
        Tool::TypeScript,
        &[
            ("src/a.ts(12,5): error TS2304: Cannot find name 'x'.", What::Error),
            ("src/a.ts:12:5 - error TS2304: Cannot find name 'x'.", What::Error),
            ("error TS18003: No inputs were found", What::Error),
            ("Found 2 errors in the same file, starting at: a.ts:1", What::Result),
        ],
    );
    check(
        Tool::Dotnet,
        &[("/app/A.cs(3,17): error CS0103: The name 'x' does not exist [/app/a.csproj]", What::Error)],
    );
    // Without a line it is anyone's.
    check(Tool::Any, &[("/app/a.csproj : error NU1101: Unable to find package", What::Error)]);
    check(Tool::Javac, &[("src/A.java:3: error: cannot find symbol", What::Error)]);
    check(Tool::Go, &[("./main.go:12:5: undefined: run", What::Error)]);
    check(
        Tool::Eslint,
        &[
            ("  12:5  error  'n' is never used  no-unused-vars", What::Error),
            ("✖ 3 problems (1 error)", What::Result),
        ],
    );
}

#[test]
fn builds_and_tests_say_how_they_went() {
    check(
        Tool::Cargo,
        &[
            ("error[E0425]: cannot find value `x` in this scope", What::Error),
            ("error: could not compile `a` (lib) due to 2 previous errors", What::Failed),
            ("   Compiling serde v1.0.228", What::Progress),
            ("test tests::it_works ... ok", What::Progress),
            ("test tests::it_fails ... FAILED", What::FailedTest),
            ("---- tests::it_fails stdout ----", What::Heading),
            ("test result: FAILED. 3 passed; 1 failed; 0 ignored", What::Result),
            ("  --> src/main.rs:3:5", What::Context),
        ],
    );
    check(
        Tool::Pytest,
        &[
            ("============ test session starts ============", What::Progress),
            ("=================== FAILURES ===================", What::Heading),
            ("E   AssertionError: assert 1 == 2", What::Error),
            ("FAILED tests/test_a.py::test_run - ValueError: no", What::FailedTest),
            ("========= 1 failed, 3 passed in 0.12s =========", What::Result),
        ],
    );
    check(Tool::Maven, &[("[INFO] BUILD FAILURE", What::Failed), ("[INFO] BUILD SUCCESS", What::Passed)]);
    check(
        Tool::Gradle,
        &[
            ("> Task :app:test FAILED", What::Error),
            ("> Task :app:test", What::Progress),
            ("ReaderTest > reads a row FAILED", What::FailedTest),
        ],
    );
    check(Tool::Mocha, &[("  12 passing (34ms)", What::Progress), ("  2 failing", What::Failed)]);
    check(Tool::Tap, &[("not ok 3 - reads", What::FailedTest), ("ok 2 - writes", What::Progress)]);
    check(Tool::Make, &[("make: *** [Makefile:3: all] Error 2", What::Failed)]);
    check(Tool::Npm, &[("npm error code ERESOLVE", What::Error), ("npm error", What::Progress)]);
    check(
        Tool::Docker,
        &[("#12 ERROR: process \"/bin/sh -c make\" failed", What::Error), ("#3 DONE 0.1s", What::Progress)],
    );
    check(
        Tool::Any,
        &[
            ("exit status 0", What::Passed),
            ("exit status 3", What::Failed),
            ("The command \"make\" exited with 2.", What::Failed),
            ("Process finished with exit code 0", What::Passed),
        ],
    );
}

#[test]
fn what_only_looks_like_a_sign_is_none() {
    for line in [
        "",
        " \t ",
        "\r",
        "error: ",
        "The errors of our fathers",
        "Found a way home",
        "running late",
        "added value",
        "not ok with me",
        "Step by step",
        "webpack is a bundler",
        "at 12:30: noted",
        "ok then",
        "# a heading",
        "12) ",
        "Ran home",
        "failures: a history",
        "this uses exit codes",
        "=====",
    ] {
        assert_eq!(said(line), None, "{line}");
    }
}

#[test]
fn times_and_steps_before_a_line_are_passed_over() {
    for (line, rest) in [
        ("2024-01-02T03:04:05.1234567Z ##[error]No", "##[error]No"),
        ("2024-01-02T03:04:05.1234567Z    error: x", "error: x"),
        ("2024-01-02T03:04:05.1234567Z", "2024-01-02T03:04:05.1234567Z"),
        ("#12 0.345 error: x", "error: x"),
        ("#12 3 error: x", "#12 3 error: x"),
        ("#12 ERROR: x", "#12 ERROR: x"),
        ("# 0.3 x", "# 0.3 x"),
        ("  error: x\r", "error: x"),
    ] {
        assert_eq!(without_lead(line.as_bytes()), rest.as_bytes(), "{line}");
    }
    assert_eq!(said("2024-01-02T03:04:05.1234567Z ##[error]No"), Some((Tool::Actions, What::Error)));
}

#[test]
fn failed_tests_and_places_are_named() {
    for (line, name) in [
        ("test tests::it_fails ... FAILED", "tests::it_fails"),
        ("    --- FAIL: TestRun/empty (0.00s)", "TestRun/empty (0.00s)"),
        ("FAILED a.py::test_b - no", "a.py::test_b - no"),
        ("not ok 3 - reads", "3 - reads"),
        ("something else", "something else"),
        ("", ""),
    ] {
        assert_eq!(test_name(line.as_bytes()), name.as_bytes(), "{line}");
    }
    assert_eq!(place(b"   --> src/main.rs:3:5"), Some(&b"src/main.rs:3:5"[..]));
    assert_eq!(place(b"see --> there"), None);
}

#[test]
fn the_head_of_a_long_line_is_enough() {
    let long = format!("error[E0308]: {}", "x".repeat(1 << 20));
    assert_eq!(said(&long), Some((Tool::Cargo, What::Error)));
    let late = format!("{} ... FAILED", "test ".repeat(1 << 18));
    assert_eq!(said(&late), None);
}

#[test]
fn every_start_is_asked_for_by_its_first_byte() {
    for first in 0..=u8::MAX {
        for (start, tool, _, weight) in starts(first) {
            let lead = start.as_bytes()[0];
            // The marks of test runners are more than one byte long, in two rows.
            assert!(lead == first || matches!((lead, first), (0xC3 | 0xE2, 0xC3 | 0xE2)), "{start}");
            assert!(*weight <= CERTAIN && !tool.name().is_empty(), "{start}");
        }
    }
}

#[test]
fn no_start_hides_a_longer_one() {
    for first in 0..=u8::MAX {
        let rows = starts(first);
        for (index, (start, ..)) in rows.iter().enumerate() {
            let hidden = rows[..index].iter().find(|(earlier, ..)| start.starts_with(earlier));
            assert!(hidden.is_none(), "{start} comes behind {hidden:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(line in proptest::collection::vec(any::<u8>(), 0..700)) {
        let sign = of(&line);
        let weight = sign.map_or(0, |sign| sign.weight);
        prop_assert!(weight <= CERTAIN);
        prop_assert!(without_lead(&line).len() <= line.len());
        prop_assert!(test_name(&line).len() <= line.len());
        place(&line);
    }

    /// Parts of signs in any order, torn anywhere.
    #[test]
    fn torn_signs_are_read(
        parts in proptest::collection::vec(prop::sample::select(vec![
            "error", "error: ", "a.rs:1:2: ", "a.go:1:", "(1,2): ", " - ", "npm error ", "#1 ", "#1 0.1 ", "test ", " ... FAILED",
            "====", " in ", " failed", "1:2  ", "exit code ", "exited with ", "12", " > ", " FAILED", "✖ ", "not ok ", "\t", "\u{1b}[31m", "note:", "-->",
        ]), 0..8),
        cut in 0..200usize,
    ) {
        let line = parts.concat().into_bytes();
        let torn = &line[..cut.min(line.len())];
        of(torn);
        // White space at its end says nothing.
        let spaced = [torn, b"  "].concat();
        prop_assert_eq!(without_lead(&spaced), without_lead(torn));
    }
}
