//! Results of runs, by lines of several tools.

use super::classify::classify;
use super::verdict::{Ending, Verdict};

fn ending(lines: &[&str]) -> Ending {
    verdict(lines).ending(lines.len() as u64, false)
}

/// Returns the ending of a run whose tool reports an error.
fn ending_of_failed(lines: &[&str]) -> Ending {
    verdict(lines).ending(lines.len() as u64, true)
}

fn verdict(lines: &[&str]) -> Verdict {
    let mut verdict = Verdict::default();
    for (text, number) in lines.iter().zip(1..) {
        if let Some(line) = classify(text.as_bytes()) {
            verdict.read(line, number, text.trim().as_bytes());
        }
        verdict.read_any(text.as_bytes(), number);
    }
    verdict
}

#[test]
fn a_result_decides_for_what_the_tool_printed() {
    let run = ["running 1 test", "a.c:1:2: error: printed by a test", "test a ... ok"];
    let ok = "test result: ok. 1 passed; 0 failed; 0 ignored";
    assert_eq!(ending(&[run.as_slice(), &[ok]].concat()), Ending::Passed);
    assert_eq!(ending(&run), Ending::Failed);
    // The compiler came before the test runner began.
    let tsc = ["a.ts(1,2): error TS2322: no", "PASS a.test.js", "Tests:       1 passed, 1 total"];
    assert_eq!(ending(&tsc), Ending::Failed);
    assert_eq!(ending(&tsc[1..]), Ending::Passed);
}

#[test]
fn a_build_tool_overrules_what_it_ran() {
    let failed = ["[INFO] Scanning for projects...", "[ERROR] Tests run: 2, Failures: 1, Errors: 0"];
    assert_eq!(ending(&failed), Ending::Failed);
    assert_eq!(ending(&[failed.as_slice(), &["[INFO] BUILD SUCCESS"]].concat()), Ending::Passed);
    let twice = [&failed[..], &["[INFO] BUILD FAILURE"], &failed[..1], &["[INFO] BUILD SUCCESS"]].concat();
    assert_eq!(ending(&twice), Ending::NoResult);
    assert_eq!(ending(&twice[..2]), Ending::Failed);
}

#[test]
fn a_failure_that_a_later_success_contradicts_decides_nothing() {
    let (failed, passed) = ("3 examples, 1 failure", "3 examples, 0 failures");
    let twice = [failed, "", "a", "b", passed];
    assert_eq!(ending(&twice), Ending::NoResult);
    assert_eq!(ending_of_failed(&twice), Ending::Failed);
    assert_eq!(ending(&[&twice[..], &["exit status 0"]].concat()), Ending::Passed);
    assert_eq!(ending(&[&twice[..], &[failed]].concat()), Ending::Failed);
    let go = ["--- FAIL: TestA (0.00s)", "FAIL\tshop/a\t0.1s", "ok  \tshop/b\t0.1s", "FAIL"];
    assert_eq!(ending(&go), Ending::Failed);
    assert_eq!(ending(&go[..3]), Ending::NoResult);
    // Without the line of the package that failed.
    assert_eq!(ending(&[go[0], go[2], "ok  \tshop/c\t0.1s"]), Ending::NoResult);
    let cargo = ["test a ... FAILED", "error: test failed", "running 1 test", "test result: ok. 1 passed"];
    assert_eq!(ending(&cargo), Ending::NoResult);
    // Two runners of tests: either ran first and failed, or a test of the second printed it.
    let two = ["3 examples, 1 failure", "TAP version 13", "ok 1 - a", "# fail 0"];
    assert_eq!(ending(&two), Ending::NoResult);
    assert_eq!(ending(&two[..2]), Ending::Failed);
    let script = ["FAIL: expected", "All tests passed"];
    assert_eq!(ending(&script), Ending::NoResult);
    assert_eq!(ending(&script[..1]), Ending::Failed);
    // A suite did not load; hosts are reported one by one.
    let jest = ["Test Suites: 1 failed, 1 passed, 2 total", "Tests:       3 passed, 3 total"];
    assert_eq!(ending(&jest), Ending::Failed);
    let host = |failed| format!("web : ok=2 changed=1 unreachable=0 failed={failed} skipped=0");
    let hosts: Vec<String> = [1, 0, 0, 0, 0, 0].into_iter().map(host).collect();
    assert_eq!(ending(&hosts.iter().map(String::as_str).collect::<Vec<_>>()), Ending::Failed);
}

#[test]
fn lines_of_tap_decide_about_tap() {
    let printed = ["  1 failing", "ok 1 - a", "  0 passing (1ms)", "  1 failing", "ok 2 - b", "# fail 0"];
    assert_eq!(ending(&printed), Ending::Passed);
    assert_eq!(ending(&printed[..5]), Ending::Failed);
    assert_eq!(ending(&[&printed[..4], &["not ok 2 - b", "# fail 1"]].concat()), Ending::Failed);
    // No test printed what make says.
    let made = ["ok 1 - a", "make: *** [a] Error 1", "ok 2 - b", "1..2"];
    assert_eq!(ending(&made), Ending::NoResult);
    assert_eq!(ending(&["1..1", made[0], made[1], "1..1", made[0]]), Ending::Failed);
    // Mocha failed before TAP began, or a test printed both.
    let before = [&printed[2..4], &["TAP version 13", "ok 1 - a", "# fail 0"]].concat();
    assert_eq!(ending(&before), Ending::NoResult);
}

#[test]
fn mocha_counts_what_passed_before_what_failed() {
    assert_eq!(ending(&["  2 passing (4ms)", "  1 pending", "  1 failing"]), Ending::Failed);
    assert_eq!(ending(&["  1 failing", "    ✔ a", "  2 passing (4ms)"]), Ending::Passed);
    assert_eq!(ending(&["  1 failing"]), Ending::NoResult);
}

#[test]
fn a_task_runner_decides_about_its_tasks() {
    let (failed, passed) = ("api:test: Tests:       1 failed, 2 total", "web:test: Tests: 3 passed, 3 total");
    assert_eq!(ending(&[failed, passed]), Ending::Failed);
    // Others may have failed.
    assert_eq!(ending(&[passed, passed]), Ending::NoResult);
    let turbo = ["• Packages in scope: api, web", failed, passed];
    for (line, expected) in [
        (" Tasks:    2 successful, 2 total", Ending::Passed),
        (" Tasks:    1 successful, 2 total", Ending::Failed),
        (" NX   Successfully ran target test for 2 projects", Ending::Passed),
        (" NX   Running target test for 2 projects failed", Ending::Failed),
        ("Failed with errors in 1s 20ms", Ending::Failed),
        ("Done in 1s 20ms", Ending::Passed),
    ] {
        assert_eq!(ending(&[&turbo[..], &[line]].concat()), expected, "{line}");
        // Without its heading, it may be that another runner failed.
        let headless = if expected == Ending::Passed { Ending::NoResult } else { expected };
        assert_eq!(ending(&[&turbo[1..], &[line]].concat()), headless, "{line}");
        assert_eq!(ending(&[passed, failed, line]), headless, "{line}");
        assert_eq!(ending(&[line]), expected, "{line}");
    }
    // It is not yarn that took so long.
    let jest = ["  ✓ reads (2 ms)", "  ✕ writes (1 ms)", "Tests:       1 failed, 1 passed, 2 total"];
    assert_eq!(ending(&[&jest[..], &["Done in 350 ms"]].concat()), Ending::Failed);
    // Lerna's own runner goes on with the others.
    assert_eq!(ending(&["lerna ERR! Received non-zero exit code 1", passed]), Ending::Failed);
    // Every attempt but the last failed.
    let (first, second) = (["Tests: 1 failed, 1 total", "", ""], ["", "Tests: 1 passed, 1 total"]);
    let attempts = [&["##[group]Run a"], &first[..], &second].concat();
    assert_eq!(ending(&attempts), Ending::NoResult);
    let done = [&attempts[..], &["Command completed after 2 attempt(s)."]].concat();
    assert_eq!(ending(&done), Ending::Passed);
    let stopped = "make: *** [Makefile:3: api] Error 1";
    let make = [&["PASS b.test.js"], &first[..1], &[stopped, ""], &second].concat();
    assert_eq!(ending(&make), Ending::NoResult);
    let kept = [&make[..], &["make: Target 'test' not remade because of errors."]].concat();
    assert_eq!(ending(&kept), Ending::Failed);
}

#[test]
fn a_task_runner_decides_nothing_about_what_came_before() {
    let jest = ["  ✓ reads (2 ms)", "  ✕ writes (1 ms)", "Tests:       1 failed, 1 passed, 2 total"];
    let nx = [
        " NX   Running target build for project web:",
        " NX   Successfully ran target build for project web",
    ];
    for from in 0..jest.len() {
        let (headless, whole) = ([&jest[from..], &nx[1..]].concat(), [&jest[from..], &nx].concat());
        assert_eq!(ending(&headless), Ending::NoResult, "{headless:?}");
        assert_ne!(ending(&whole), Ending::Passed, "{whole:?}");
    }
    // Nor without a count.
    assert_ne!(ending(&[&jest[..2], &nx].concat()), Ending::Passed);
    assert_ne!(ending(&[&jest[..2], &nx[1..]].concat()), Ending::Passed);
    assert_ne!(ending(&[&["✓ reads", "✗ writes"], &nx[..]].concat()), Ending::Passed);
    assert_eq!(ending(&[&nx[..1], &jest, &nx[1..]].concat()), Ending::Passed);
}

#[test]
fn a_workspace_that_failed_decides_unless_its_script_is_repeated() {
    let api = ["> api@1.0.0 test", "FAIL a.test.js", "", "Tests: 1 failed, 2 total"];
    let error = ["npm error Lifecycle script `test` failed with error:", "npm error code 1"];
    let passed = |name| [name, "PASS a.test.js", "", "Tests: 2 passed, 2 total"];
    let (web, again) = (passed("> web@1.0.0 test"), passed("> api@1.0.0 test"));
    assert_eq!(ending(&[&api[..], &error, &web].concat()), Ending::Failed);
    assert_eq!(ending(&[&api[..], &error, &again].concat()), Ending::NoResult);
    assert_eq!(ending(&[&api[..], &error, &web, &again].concat()), Ending::NoResult);
    assert_eq!(ending(&[&api[..], &error, &web, &api, &error].concat()), Ending::Failed);
    // Its name is cut off.
    assert_eq!(ending(&[&error[..], &again].concat()), Ending::NoResult);
    assert_eq!(ending(&error), Ending::Failed);
}

#[test]
fn the_exit_status_decides_if_no_result_does() {
    assert_eq!(ending(&["error: cannot open config"]), Ending::Failed);
    assert_eq!(ending(&["Error: cannot open config"]), Ending::NoResult);
    assert_eq!(ending_of_failed(&["Error: cannot open config"]), Ending::Failed);
    assert_eq!(ending(&["a.c:1:2: error: x", "exit status 0"]), Ending::Passed);
    assert_eq!(ending(&["make: *** [all] Error 1", "exit status 0"]), Ending::Failed);
    let quoted = ["a.c:1:2: error: x", "exit status 0", "a", "b", "c"];
    assert_eq!(ending(&quoted), Ending::Failed);
    assert_eq!(ending(&[]), Ending::NoResult);
}

#[test]
fn an_exit_status_decides_over_a_count_alone() {
    let go =
        ["# shop", "a.go:5:3: warning: 'x' is deprecated", "2 errors", "ok  \tshop\t0.1s", "exit status 0"];
    assert_eq!(ending(&go), Ending::Passed);
    assert_eq!(ending(&go[2..3]), Ending::Failed);
}

#[test]
fn a_success_without_tests_says_nothing() {
    for lines in [
        &["TAP version 13", "1..0", "# tests 0", "# fail 0"][..],
        &["ℹ tests 0", "ℹ pass 0", "ℹ fail 0"],
        &["Ran 0 tests in 0.000s", "", "OK"],
        &["0 examples, 0 failures"],
    ] {
        assert_eq!(ending(lines), Ending::NoResult, "{lines:?}");
    }
    assert_eq!(ending(&["===== no tests ran in 0.01s ====="]), Ending::Failed);
}

#[test]
fn coverage_that_is_too_low_is_a_failure() {
    let missed = "Jest: Coverage for branches (0%) does not meet \"global\" threshold (90%)";
    assert_eq!(ending(&["PASS a.test.js", missed, "Tests:       1 passed, 1 total"]), Ending::Failed);
}

#[test]
fn a_package_that_does_not_build_is_not_contradicted_by_another() {
    let lines = ["FAIL\tshop/a [build failed]", "ok  \tshop/b\t0.1s"];
    assert_eq!(ending(&lines), Ending::Failed);
}

#[test]
fn a_plan_with_a_failed_test_is_a_failure() {
    let (failed, passed) = (["1..2", "ok 1 - a", "not ok 2 - b"], ["1..1", "ok 1 - c"]);
    assert_eq!(ending(&failed), Ending::Failed);
    assert_eq!(ending(&[&failed[..], &passed].concat()), Ending::NoResult);
    assert_eq!(ending(&[&passed[..], &failed].concat()), Ending::Failed);
}

#[test]
fn a_program_that_is_started_may_still_fail() {
    let run = ["    Finished `dev` profile in 0.1s", "     Running `target/debug/app`", "Error: no config"];
    assert_eq!(ending(&run[..1]), Ending::Passed);
    assert_eq!(ending(&run[..2]), Ending::NoResult);
    assert_eq!(ending(&run), Ending::NoResult);
    assert_eq!(ending_of_failed(&run), Ending::Failed);
}
