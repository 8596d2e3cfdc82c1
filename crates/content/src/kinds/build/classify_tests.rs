//! Lines of builds and tests, one by one.

use proptest::prelude::*;

use super::classify::classify;
use super::excerpt::{location, test_name, without_lead};
use super::line::{CERTAIN, Meaning, Tool};
use super::prefixes::beginning_with;

/// Returns the tool and the meaning of a line.
fn classified(line: &str) -> Option<(Tool, Meaning)> {
    classify(line.as_bytes()).map(|line| (line.tool, line.meaning))
}

/// Checks lines of one tool, each with its meaning.
fn check(tool: Tool, lines: &[(&str, Meaning)]) {
    for (line, meaning) in lines {
        assert_eq!(classified(line), Some((tool, *meaning)), "{line}");
    }
}

#[test]
fn errors_of_compilers_are_classified() {
    check(
        Tool::Compiler,
        &[
            ("src/main.c:12:5: error: expected ';' before 'return'", Meaning::Error),
            ("src/main.c:12:5: warning: unused variable 'n' [-Wunused-variable]", Meaning::Warning),
            ("/usr/bin/ld: main.o: in function `main': a.c:3: undefined reference to `run'", Meaning::Error),
            ("C:\\work\\main.c(12): error C2065: 'n': undeclared identifier", Meaning::Error),
            ("collect2: error: ld returned 1 exit status", Meaning::Error),
            ("2 errors generated.", Meaning::Summary),
        ],
    );
    check(
        Tool::TypeScript,
        &[
            ("src/a.ts(12,5): error TS2304: Cannot find name 'x'.", Meaning::Error),
            ("src/a.ts:12:5 - error TS2304: Cannot find name 'x'.", Meaning::Error),
            ("error TS18003: No inputs were found", Meaning::Error),
            ("Found 2 errors in the same file, starting at: a.ts:1", Meaning::Summary),
        ],
    );
    check(
        Tool::Dotnet,
        &[("/app/A.cs(3,17): error CS0103: The name 'x' does not exist [/app/a.csproj]", Meaning::Error)],
    );
    // Without a line number any tool may print it.
    check(Tool::Any, &[("/app/a.csproj : error NU1101: Unable to find package", Meaning::Error)]);
    check(Tool::Javac, &[("src/A.java:3: error: cannot find symbol", Meaning::Error)]);
    check(Tool::Go, &[("./main.go:12:5: undefined: run", Meaning::Error)]);
    check(
        Tool::Eslint,
        &[
            ("  12:5  error  'n' is never used  no-unused-vars", Meaning::Error),
            ("✖ 3 problems (1 error)", Meaning::Summary),
        ],
    );
}

#[test]
fn results_of_builds_and_tests_are_classified() {
    check(
        Tool::Cargo,
        &[
            ("error[E0425]: cannot find value `x` in this scope", Meaning::Error),
            ("error: could not compile `a` (lib) due to 2 previous errors", Meaning::Failed),
            ("   Compiling serde v1.0.228", Meaning::Progress),
            ("test tests::it_works ... ok", Meaning::Progress),
            ("test tests::it_fails ... FAILED", Meaning::FailedTest),
            ("---- tests::it_fails stdout ----", Meaning::Heading),
            ("test result: FAILED. 3 passed; 1 failed; 0 ignored", Meaning::Summary),
            ("  --> src/main.rs:3:5", Meaning::Context),
        ],
    );
    check(
        Tool::Pytest,
        &[
            ("============ test session starts ============", Meaning::Progress),
            ("=================== FAILURES ===================", Meaning::Heading),
            ("E   AssertionError: assert 1 == 2", Meaning::Error),
            ("FAILED tests/test_a.py::test_run - ValueError: no", Meaning::FailedTest),
            ("========= 1 failed, 3 passed in 0.12s =========", Meaning::Summary),
        ],
    );
    check(
        Tool::Maven,
        &[("[INFO] BUILD FAILURE", Meaning::Failed), ("[INFO] BUILD SUCCESS", Meaning::Passed)],
    );
    check(
        Tool::Gradle,
        &[
            ("> Task :app:test FAILED", Meaning::Error),
            ("> Task :app:test", Meaning::Progress),
            ("ReaderTest > reads a row FAILED", Meaning::FailedTest),
        ],
    );
    check(Tool::Mocha, &[("  12 passing (34ms)", Meaning::Passed), ("  2 failing", Meaning::Failed)]);
    check(Tool::Tap, &[("not ok 3 - reads", Meaning::FailedTest), ("ok 2 - writes", Meaning::Progress)]);
    check(Tool::Make, &[("make: *** [Makefile:3: all] Error 2", Meaning::Failed)]);
    check(Tool::Make, &[("make: Target 'all' not remade because of errors.", Meaning::Failed)]);
    check(Tool::Npm, &[("npm error code ERESOLVE", Meaning::Error), ("npm error", Meaning::Progress)]);
    check(Tool::Npm, &[("npm ERR! Lifecycle script `test` failed with error:", Meaning::Failed)]);
    check(
        Tool::Docker,
        &[
            ("#12 ERROR: process \"/bin/sh -c make\" failed", Meaning::Error),
            ("#3 DONE 0.1s", Meaning::Progress),
        ],
    );
    check(
        Tool::Any,
        &[
            ("exit status 0", Meaning::Passed),
            ("exit status 3", Meaning::Failed),
            ("The command \"make\" exited with 2.", Meaning::Failed),
            ("Process finished with exit code 0", Meaning::Passed),
        ],
    );
}

#[test]
fn text_that_only_resembles_a_tools_line_is_not_classified() {
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
        assert_eq!(classified(line), None, "{line}");
    }
}

#[test]
fn times_and_steps_before_a_line_are_skipped() {
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
    assert_eq!(classified("2024-01-02T03:04:05.1234567Z ##[error]No"), Some((Tool::Actions, Meaning::Error)));
}

#[test]
fn names_of_tests_and_locations_are_extracted() {
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
    assert_eq!(location(b"   --> src/main.rs:3:5"), Some(&b"src/main.rs:3:5"[..]));
    assert_eq!(location(b"see --> there"), None);
}

#[test]
fn the_head_of_a_long_line_is_enough() {
    let long = format!("error[E0308]: {}", "x".repeat(1 << 20));
    assert_eq!(classified(&long), Some((Tool::Cargo, Meaning::Error)));
    let late = format!("{} ... FAILED", "test ".repeat(1 << 18));
    assert_eq!(classified(&late), None);
}

#[test]
fn every_prefix_is_found_by_its_first_byte() {
    for first in 0..=u8::MAX {
        for prefix in beginning_with(first) {
            assert_eq!(prefix.text.as_bytes()[0], first, "{}", prefix.text);
            assert!(prefix.line.weight <= CERTAIN && !prefix.line.tool.name().is_empty(), "{}", prefix.text);
        }
    }
}

#[test]
fn no_prefix_hides_a_longer_one() {
    for first in 0..=u8::MAX {
        let prefixes = beginning_with(first);
        for (index, prefix) in prefixes.iter().enumerate() {
            let hidden = prefixes[..index].iter().find(|earlier| prefix.text.starts_with(earlier.text));
            assert!(hidden.is_none(), "{} comes after {}", prefix.text, hidden.unwrap().text);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_classified(line in proptest::collection::vec(any::<u8>(), 0..700)) {
        let weight = classify(&line).map_or(0, |line| line.weight);
        prop_assert!(weight <= CERTAIN);
        prop_assert!(without_lead(&line).len() <= line.len());
        prop_assert!(test_name(&line).len() <= line.len());
        location(&line);
    }

    /// Parts of lines in any order, cut anywhere.
    #[test]
    fn cut_lines_are_classified(
        parts in proptest::collection::vec(prop::sample::select(vec![
            "error", "error: ", "a.rs:1:2: ", "a.go:1:", "(1,2): ", " - ", "npm error ", "#1 ", "#1 0.1 ", "test ", " ... FAILED",
            "====", " in ", " failed", "1:2  ", "exit code ", "exited with ", "12", " > ", " FAILED", "✖ ", "not ok ", "\t", "\u{1b}[31m", "note:", "-->",
        ]), 0..8),
        cut in 0..200usize,
    ) {
        let line = parts.concat().into_bytes();
        let cut_line = &line[..cut.min(line.len())];
        classify(cut_line);
        // White space at the end changes nothing.
        let spaced = [cut_line, b"  "].concat();
        prop_assert_eq!(without_lead(&spaced), without_lead(cut_line));
    }
}

#[test]
fn lines_of_other_reporters_are_classified() {
    check(
        Tool::Eslint,
        &[("/app/a.js:1:7: 'x' is assigned a value but never used. [Error/no-unused-vars]", Meaning::Error)],
    );
    check(Tool::Linter, &[("app.py:1: [F401] `os` imported but unused", Meaning::Error)]);
    check(Tool::Any, &[("FAIL: shop_test", Meaning::FailedTest), ("2 errors", Meaning::Summary)]);
    check(Tool::Rspec, &[("rspec ./spec/cart_spec.rb:2 # Cart price", Meaning::FailedTest)]);
    check(Tool::Make, &[("# FAIL:  1", Meaning::Failed), ("# FAIL:  0", Meaning::Passed)]);
    check(Tool::Actions, &[("Command completed after 2 attempt(s).", Meaning::Passed)]);
    check(Tool::Pytest, &[("Results (0.83s):", Meaning::Progress)]);
    check(Tool::Make, &[("# XPASS: 1", Meaning::Failed), ("# ERROR: 0", Meaning::Progress)]);
    check(Tool::Any, &[("#     expected: '78'", Meaning::Why), ("message: 'no'", Meaning::Why)]);
    for line in [
        "severity: error",
        "    Tests: 3 failed, 3 total",
        "It is as we said: Tests: 3 failed, 3 total",
        "fix: Tests: do not fail",
        "Tasks: 3 done",
        "Checked 3 files.",
        "Checked 120 links (3 errors):",
        "Checked 14 packages (2 vulnerabilities):",
        "Checked login after 3 attempt(s).",
        "Checked all in turn. No fixes applied.",
        "Command completed after 10 s (2 timeouts):",
        "Command completed after many attempt(s).",
        "Results (all tests):",
        "Diff in /etc/nginx/nginx.conf:",
        "0 failed",
        "ISO8601 Dates",
        "rspec ./spec/models",
        "a.js:1:7: fine",
    ] {
        assert_eq!(classified(line), None, "{line}");
    }
}

#[test]
fn lines_of_task_runners_and_of_bundlers_are_classified() {
    check(
        Tool::TaskRunner,
        &[
            ("api:test: Tests:       1 failed, 2 passed, 3 total", Meaning::Summary),
            ("api: Test Suites: 1 failed, 1 total", Meaning::Summary),
            ("@shop/errors:test: Tests: 3 passed, 3 total", Meaning::Progress),
            ("[api]: Tests:       1 failed, 1 total", Meaning::Summary),
            ("packages/api test:       Tests  1 failed | 3 passed (4)", Meaning::Summary),
            (" Tasks:    2 successful, 2 total", Meaning::Passed),
            (" Tasks:    2 successful, 12 total", Meaning::Failed),
            (" ERROR  run failed: command  exited (1)", Meaning::Failed),
            (" NX   Running target test for 2 projects:", Meaning::Progress),
            (" Lerna (powered by Nx)   Running target test for 2 projects failed", Meaning::Failed),
            ("lerna ERR! npm run test exited 1 in 'api'", Meaning::Failed),
            ("Done in 1s 422ms", Meaning::Passed),
            ("Done in 2m 1s 422ms", Meaning::Passed),
        ],
    );
    check(
        Tool::Yarn,
        &[
            ("Done in 4.31s.", Meaning::StepDone),
            // Any program may say so.
            ("Done in 350 ms", Meaning::StepDone),
            ("Done in 2 runs 350ms", Meaning::StepDone),
            ("Failed with errors in 0s 858ms", Meaning::Failed),
        ],
    );
    check(
        Tool::Linter,
        &[("Checked 1 file in 3ms. No fixes applied.", Meaning::Passed), ("Found 1 warning.", Meaning::Why)],
    );
    check(
        Tool::Any,
        &[
            ("[         1 tests failed          ]", Meaning::Summary),
            ("[         0 containers failed     ]", Meaning::Progress),
            ("⚡ Done in 5ms", Meaning::StepDone),
        ],
    );
    check(
        Tool::Cargo,
        &[
            ("warning: 1 warning emitted", Meaning::StepDone),
            ("warning: 12 warnings emitted", Meaning::StepDone),
            ("Diff in /app/a.rs:1:", Meaning::Error),
            ("Diff in /app/a.rs at line 1:", Meaning::Error),
        ],
    );
    check(
        Tool::Any,
        &[
            ("warning: deprecation event emitted", Meaning::Warning),
            ("ERROR: Coverage for commit abc was already uploaded", Meaning::Error),
        ],
    );
    check(Tool::Linter, &[("Found 3 errors and 2 warnings.", Meaning::Summary)]);
    check(
        Tool::Coverage,
        &[("ERROR: Coverage for lines (60%) does not meet global threshold (90%)", Meaning::Failed)],
    );
}
