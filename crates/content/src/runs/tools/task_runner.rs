//! Runners of the tasks of a workspace: turbo, Nx, Lerna, pnpm and yarn.

use tuckaway_search::find;

use crate::line::counts::has_failures;
use crate::runs::line::Meaning::*;
use crate::runs::line::ToolLine;
use crate::runs::profile::Profile;
use crate::runs::rule::{LETTERS, Matched, row, starting_with};

/// The profile of the tool.
pub const PROFILE: Profile = Profile {
    name: "task runner",
    prefixes: &[
        row("ERROR  run failed: ", Failed, 3),
        row("Lerna (powered by Nx)   ", Progress, 3).refined(nx),
        row("NX   ", Progress, 3).refined(nx),
        row("Tasks: ", Passed, 3).refined(tasks),
        row("lerna ERR! ", Failed, 3),
        row("• Packages in scope: ", Progress, 3),
    ],
    forms: &[
        row("@", Summary, 3).ending_with(b"l)").refined(task),
        row("[", Summary, 3).ending_with(b"l)").refined(task),
        starting_with(LETTERS, Summary, 3, task).ending_with(b"l)"),
    ],
    runs_others: true,
    // That one of its tasks passed does not say where it began.
    begins: &["NX   ", "Lerna ", "• "],
    #[cfg(test)]
    samples: &[
        ("api:test: Tests:       1 failed, 2 passed, 3 total", Summary),
        ("api: Test Suites: 1 failed, 1 total", Summary),
        ("@shop/errors:test: Tests: 3 passed, 3 total", Progress),
        ("[api]: Tests:       1 failed, 1 total", Summary),
        ("packages/api test:       Tests  1 failed | 3 passed (4)", Summary),
        (" Tasks:    2 successful, 2 total", Passed),
        (" Tasks:    2 successful, 12 total", Failed),
        (" ERROR  run failed: command  exited (1)", Failed),
        (" NX   Running target test for 2 projects:", Progress),
        (" Lerna (powered by Nx)   Running target test for 2 projects failed", Failed),
        ("lerna ERR! npm run test exited 1 in 'api'", Failed),
        ("Done in 1s 422ms", Passed),
        ("Done in 2m 1s 422ms", Passed),
    ],
    ..Profile::NONE
};

/// Jest's and Vitest's counts of one task of several, after its name:
/// `api:test: Tests:       1 failed, 2 total`. That one of them passed decides nothing.
fn task(line: &Matched) -> Option<ToolLine> {
    let text = line.text;
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
    line.meaning(meaning).filter(|_| is_name && is_count)
}

/// `Tasks:    2 successful, 3 total`, as turbo counts.
fn tasks(line: &Matched) -> Option<ToolLine> {
    let counts = line.rest.trim_ascii_start().strip_suffix(b" total")?;
    let (done, all) = counts.split_at(counts.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let all = all.strip_prefix(b" successful, ")?;
    line.passed_if(done == all)
}

/// `NX   Successfully ran target test for 2 projects`,
/// `NX   Running target test for 2 projects failed`.
fn nx(line: &Matched) -> Option<ToolLine> {
    match line.rest {
        rest if rest.starts_with(b"Successfully ran ") => line.meaning(Passed),
        rest if rest.ends_with(b" failed") => line.meaning(Failed),
        _ => Some(line.default),
    }
}
