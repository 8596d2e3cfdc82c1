//! Classifies lines that have neither a known prefix nor a location: by their first byte,
//! then by other parts.

use tuckaway_search::find;

use super::line::Meaning::{
    Context, Error, Failed, FailedTest, Heading, Passed, Progress, Started, StepDone, Summary, Warning,
};
use super::line::{Tool, ToolLine};
use crate::line::counts::has_failures;

/// Classifies a line; `text` is the line without what precedes its first word, and is
/// not empty.
pub fn by_form(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    match text[0] {
        b'-' => cargo_test_output(text),
        b'=' => pytest_rule(text),
        b'>' => pytest_source(line, text),
        b'_' => pytest_heading(text),
        b'#' => buildkit_step(text),
        b'[' => cmake_step(text).or_else(|| junit_count(text)).or_else(|| task_result(text)),
        b'@' => task_result(text),
        b'0'..=b'9' => numbered(line, text),
        b'A'..=b'Z' | b'a'..=b'z' => test_result(text)
            .or_else(|| gradle_test(text))
            .or_else(|| exit_code(text))
            .or_else(|| ansible_recap(text))
            .or_else(|| task_result(text)),
        b'/' => eslint_compact(text),
        _ => None,
    }
}

#[inline(always)]
fn has(text: &[u8], part: &[u8]) -> bool {
    find::text(part, text).is_some()
}

/// `---- tests::reads stdout ----`.
fn cargo_test_output(text: &[u8]) -> Option<ToolLine> {
    let is_heading = text.starts_with(b"---- ") && text.ends_with(b" stdout ----");
    is_heading.then_some(ToolLine::new(Tool::Cargo, Heading, 3))
}

/// `===== 1 failed, 3 passed in 0.12s =====`.
fn pytest_rule(text: &[u8]) -> Option<ToolLine> {
    if !text.ends_with(b"===") {
        return None;
    }
    if has(text, b" test session starts ") {
        return Some(ToolLine::new(Tool::Pytest, Progress, 3));
    }
    if has(text, b" FAILURES ") || has(text, b" ERRORS ") {
        return Some(ToolLine::new(Tool::Pytest, Heading, 2));
    }
    let counts = has(text, b" passed") || has(text, b" failed") || has(text, b" error");
    (counts && has(text, b" in ")).then_some(ToolLine::new(Tool::Pytest, Summary, 3))
}

/// The line of source where a test failed, with nothing around it:
/// `>   assert read() == 1`.
fn pytest_source(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    let is_source = line.len() == text.len() && text.starts_with(b">   ");
    is_source.then_some(ToolLine::new(Tool::Pytest, Context, 0))
}

/// `_____ test_reads _____`, `_ _ _ _`.
fn pytest_heading(text: &[u8]) -> Option<ToolLine> {
    let is_rule = text.starts_with(b"____") && text.ends_with(b"____");
    let is_dashed_rule = text.starts_with(b"_ ") && text.ends_with(b" _");
    (is_rule || is_dashed_rule).then_some(ToolLine::new(Tool::Pytest, Heading, 0))
}

/// `#12 ERROR: …`, `#12 [2/4] RUN …`, `#12 DONE 0.1s`.
fn buildkit_step(text: &[u8]) -> Option<ToolLine> {
    if !text.get(1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let space = find::byte(b' ', text)?;
    let after = &text[space + 1..];
    if after.starts_with(b"ERROR") {
        return Some(ToolLine::new(Tool::Docker, Error, 3));
    }
    if after.starts_with(b"naming to ") {
        return Some(ToolLine::new(Tool::Docker, StepDone, 3));
    }
    let steps = [&b"["[..], b"DONE ", b"CACHED", b"sha256:", b"exporting ", b"transferring "];
    let is_step = steps.iter().any(|step| after.starts_with(step));
    is_step.then_some(ToolLine::new(Tool::Docker, Progress, 2))
}

/// `[ 50%] Building C object a.o`.
fn cmake_step(text: &[u8]) -> Option<ToolLine> {
    let part = &text[find::text(b"%] ", text)? + 3..];
    if part.starts_with(b"Built target ") {
        return Some(ToolLine::new(Tool::CMake, StepDone, 3));
    }
    let is_step = part.starts_with(b"Building ") || part.starts_with(b"Linking ");
    is_step.then_some(ToolLine::new(Tool::CMake, Progress, 3))
}

/// `[         1 tests failed          ]`, as JUnit's console counts, containers of them first.
fn junit_count(text: &[u8]) -> Option<ToolLine> {
    let is_of_containers = has(text, b" containers failed  ");
    let is_count = is_of_containers || has(text, b" tests failed  ");
    let meaning = if is_of_containers && !has_failures(text) { Progress } else { Summary };
    (is_count && text.ends_with(b" ]")).then_some(ToolLine::new(Tool::Any, meaning, 3))
}

/// A line that begins with a number or, as ESLint prints it, with line and column:
/// `  12:5  error  message  rule`, `2 errors generated.`, `  12 passing (34ms)`.
fn numbered(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
    let (number, rest) = text.split_at(digits);
    if number.contains(&b':') && line.len() > text.len() {
        let message = rest.trim_ascii_start();
        if message.starts_with(b"error  ") {
            return Some(ToolLine::new(Tool::Eslint, Error, 2));
        }
        if message.starts_with(b"warning  ") {
            return Some(ToolLine::new(Tool::Eslint, Warning, 2));
        }
    }
    counted(number, rest).or_else(|| {
        let is_title = rest.starts_with(b") ") && line.len() >= text.len() + 2 && digits <= 3;
        is_title.then_some(ToolLine::new(Tool::Mocha, Heading, 0))
    })
}

/// Counts of a result: `12 passing (34ms)`, `3 examples, 0 failures`, `2 passed in 0.1s`.
fn counted(number: &[u8], rest: &[u8]) -> Option<ToolLine> {
    let starts = |start: &[u8]| rest.starts_with(start);
    let result = |tool, meaning| Some(ToolLine::new(tool, meaning, 3));
    match rest {
        _ if starts(b"/") && has(rest, b" Test ") && has(rest, b" #") => {
            let is_failure =
                has(rest, b"***Failed") || has(rest, b"***Exception") || has(rest, b"***Timeout");
            result(Tool::Ctest, if is_failure { FailedTest } else { Progress })
        }
        b" errors" | b" error" => Some(ToolLine::new(Tool::Any, Summary, 1)),
        b" errors generated." | b" error generated." => Some(ToolLine::new(Tool::Compiler, Summary, 1)),
        b" failing" => result(Tool::Mocha, Failed),
        b" failed" if number == b"0" => None,
        b" failed" => Some(ToolLine::new(Tool::Playwright, Failed, 2)),
        // pytest-sugar counts what failed after that.
        b" passed" => Some(ToolLine::new(Tool::Pytest, Passed, 0)),
        b" fail" => result(Tool::Bun, if number == b"0" { Passed } else { Failed }),
        b" Error(s)" => result(Tool::Dotnet, Summary),
        b" passing" => result(Tool::Mocha, Passed),
        _ if starts(b" passing (") => result(Tool::Mocha, Passed),
        _ if starts(b" passed (") => result(Tool::Playwright, Passed),
        _ if starts(b" example") && has(rest, b" failure") => result(Tool::Rspec, Summary),
        _ if starts(b" runs, ") => result(Tool::Minitest, Summary),
        _ if starts(b"% tests passed, ") => result(Tool::Ctest, Summary),
        _ if starts(b" tests completed, ") => result(Tool::Gradle, Summary),
        _ if (starts(b" tests, ") || starts(b" test, ") || starts(b" spec"))
            && (has(rest, b" failure") || has(rest, b" failed")) =>
        {
            result(Tool::Any, Summary)
        }
        // `2 scenarios (1 failed, 1 passed)`, `2 scenarios passed, 0 failed, 0 skipped`.
        _ if starts(b" scenario") && has(rest, b"ed") => result(Tool::Any, Summary),
        b" tests passed" | b" test passed" => result(Tool::Any, Passed),
        b" tests failed" | b" test failed" => result(Tool::Any, Failed),
        _ if starts(b" successes / ") => result(Tool::Any, Summary),
        _ if starts(b" error") && has(rest, b" informations") => result(Tool::Linter, Summary),
        b" issues." | b" issues:" => result(Tool::Linter, if number == b"0" { Passed } else { Failed }),
        _ if starts(b" files inspected, ") || starts(b" file inspected, ") => {
            result(Tool::Linter, if has(rest, b", no offenses") { Passed } else { Failed })
        }
        _ if rest.ends_with(b": All tests passed!") => result(Tool::Any, Passed),
        _ if rest.ends_with(b": Some tests failed.") => result(Tool::Any, Failed),
        _ if starts(b" file")
            && (has(rest, b" reformatted, ") || rest.ends_with(b" reformatted"))
            && !has(rest, b" would ") =>
        {
            result(Tool::Ruff, Passed)
        }
        _ if starts(b" file") && rest.ends_with(b" left unchanged") && !has(rest, b" would ") => {
            result(Tool::Ruff, Passed)
        }
        _ if starts(b" file") && has(rest, b" would be reformatted") => result(Tool::Ruff, Failed),
        _ if starts(b" file") && rest.ends_with(b" already formatted") => result(Tool::Ruff, Passed),
        _ => {
            let counts =
                [&b" passed"[..], b" failed", b" error", b" skipped"].iter().any(|start| starts(start));
            (counts && takes_time(rest)).then_some(ToolLine::new(Tool::Pytest, Summary, 3))
        }
    }
}

/// `… in 0.12s`, `… in 62.10s (0:01:02)`.
fn takes_time(text: &[u8]) -> bool {
    let Some(at) = find::last_text(b" in ", text) else { return false };
    let time = text[at + 4..].split(|byte| *byte == b' ').next().unwrap_or_default();
    time.ends_with(b"s")
        && time.contains(&b'.')
        && time[..time.len() - 1].iter().all(|b| b.is_ascii_digit() || *b == b'.')
}

/// `test tests::reads ... ok`, `FAILED a.py::test_reads`, `ok 3 - reads`.
fn test_result(text: &[u8]) -> Option<ToolLine> {
    match text {
        [b't', ..] if text.starts_with(b"test ") => {
            if text.ends_with(b" ... FAILED") {
                return Some(ToolLine::new(Tool::Cargo, FailedTest, 3));
            }
            let is_fine = text.ends_with(b" ... ok") || text.ends_with(b" ... ignored");
            is_fine.then_some(ToolLine::new(Tool::Cargo, Progress, 3))
        }
        b"FAIL" => Some(ToolLine::new(Tool::Any, Failed, 0)),
        b"OK" => Some(ToolLine::new(Tool::Unittest, Passed, 0)),
        b"PASS" => Some(ToolLine::new(Tool::Go, Progress, 0)),
        [b'F', ..] if text.starts_with(b"FAILED ") && has(text, b"::") => {
            Some(ToolLine::new(Tool::Pytest, FailedTest, 3))
        }
        // With the path of the test, and not only some word.
        [b'F', ..] if text.starts_with(b"FAIL ") => {
            let name = text[5..].split(|b| *b == b' ').next().unwrap_or_default();
            let is_path = name.contains(&b'.') || name.contains(&b'/');
            is_path.then_some(ToolLine::new(Tool::Jest, FailedTest, 1))
        }
        // Terraform goes on after its plan.
        _ if [&b": Creating..."[..], b": Modifying..."].iter().any(|end| text.ends_with(end)) => {
            Some(ToolLine::new(Tool::Terraform, Started, 1))
        }
        _ if text.ends_with(b"...Passed") => Some(ToolLine::new(Tool::PreCommit, Passed, 2)),
        _ if text.ends_with(b"...Failed") => Some(ToolLine::new(Tool::PreCommit, FailedTest, 2)),
        [b'o', b'k', b' ', b'0'..=b'9', ..] => Some(ToolLine::new(Tool::Tap, Progress, 1)),
        _ => None,
    }
}

/// `ReaderTest > reads a row FAILED`.
fn gradle_test(text: &[u8]) -> Option<ToolLine> {
    let is_failure = text.ends_with(b" FAILED") && has(text, b" > ");
    is_failure.then_some(ToolLine::new(Tool::Gradle, FailedTest, 2))
}

/// `Process finished with exit code 1`, `The command "make" exited with 2.`
fn exit_code(text: &[u8]) -> Option<ToolLine> {
    // The rare letter first, as most other lines come this far.
    find::byte(b'x', text)?;
    let names_code = has(text, b" exit")
        && [&b"exit code "[..], b"exited with ", b"exit status "].iter().any(|words| has(text, words));
    if !names_code {
        return None;
    }
    let exit = find::last_text(b" exit", text)?;
    let digits = exit + text[exit..].iter().position(u8::is_ascii_digit)?;
    let code = text[digits..].split(|b| !b.is_ascii_digit()).next()?;
    Some(ToolLine::new(Tool::Any, if code == b"0" { Passed } else { Failed }, 0))
}

/// `web1 : ok=2 changed=1 unreachable=0 failed=0 …`.
fn ansible_recap(text: &[u8]) -> Option<ToolLine> {
    // The rare byte first, as most other lines come this far.
    find::byte(b'=', text)?;
    find::text(b" unreachable=", text)?;
    let is_fine = has(text, b" unreachable=0 ") && has(text, b" failed=0 ");
    let meaning = if is_fine { Passed } else { Failed };
    has(text, b" failed=").then_some(ToolLine::new(Tool::Ansible, meaning, 3))
}

/// `/app/a.js: line 1, col 7, Error - …`.
fn eslint_compact(text: &[u8]) -> Option<ToolLine> {
    let after = &text[find::text(b": line ", text)?..];
    has(after, b", Error - ").then_some(ToolLine::new(Tool::Eslint, Error, 2))
}

/// Jest's and Vitest's counts of one task of several, behind its name, as turbo, Nx, Lerna, pnpm and
/// yarn print them: `api:test: Tests:       1 failed, 2 total`. That one of them passed decides nothing.
fn task_result(text: &[u8]) -> Option<ToolLine> {
    // Nearly all lines end in another way.
    if !text.ends_with(b" total") && !text.ends_with(b")") {
        return None;
    }
    let colon = find::text(b": ", text)?;
    let counts = text[colon + 2..].trim_ascii_start().strip_prefix(b"Test")?;
    let names = [&b"s:"[..], b"s  ", b" Suites:", b" Files  "];
    let counts = names.iter().find_map(|name| counts.strip_prefix(*name))?.trim_ascii_start();
    // `packages/api test: `, as pnpm prints it, has one space, and a sentence more.
    let is_name = text[..colon].iter().filter(|byte| **byte == b' ').count() <= 1;
    let is_count = counts.first().is_some_and(u8::is_ascii_digit);
    let meaning = if has_failures(counts) { Summary } else { Progress };
    (is_name && is_count).then_some(ToolLine::new(Tool::TaskRunner, meaning, 3))
}
