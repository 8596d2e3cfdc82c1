//! Lines by which tools are known, and what each says.

use tuckaway_search::find;

use super::starts::starts;

/// A sample whose lines weigh as much is a tool's output.
pub const CERTAIN: u32 = 3;
/// Bytes of a line that are looked at.
const LINE_BYTES: usize = 500;

/// What a line of a tool says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Something is wrong at a place.
    Error,
    /// Something may be wrong.
    Warning,
    /// A test, or a suite, that failed.
    FailedTest,
    /// How it ended: the line counts what failed.
    Result,
    /// It ended badly.
    Failed,
    /// It ended well.
    Passed,
    /// What follows tells of a failure.
    Heading,
    /// What explains the error before.
    Context,
    /// It goes on.
    Progress,
}
use What::*;

/// Who says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tool {
    Any,
    Actions,
    Cargo,
    CMake,
    Compiler,
    Docker,
    Dotnet,
    Eslint,
    Go,
    Gradle,
    Javac,
    Jest,
    Make,
    Maven,
    Mocha,
    Npm,
    Pip,
    Pnpm,
    Pytest,
    Tap,
    Terraform,
    TypeScript,
    Unittest,
    Vite,
    Vitest,
    Webpack,
    Yarn,
}
use Tool::*;

impl Tool {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Any => "build",
            Actions => "GitHub Actions",
            Cargo => "cargo",
            CMake => "CMake",
            Compiler => "compiler",
            Docker => "docker build",
            Dotnet => "dotnet",
            Eslint => "ESLint",
            Go => "go",
            Gradle => "Gradle",
            Javac => "javac",
            Jest => "Jest",
            Make => "make",
            Maven => "Maven",
            Mocha => "Mocha",
            Npm => "npm",
            Pip => "pip",
            Pnpm => "pnpm",
            Pytest => "pytest",
            Tap => "TAP",
            Terraform => "Terraform",
            TypeScript => "tsc",
            Unittest => "unittest",
            Vite => "Vite",
            Vitest => "Vitest",
            Webpack => "webpack",
            Yarn => "yarn",
        }
    }
}

/// A line that a tool is known by, or that says something whoever says it.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// Who says it.
    pub tool: Tool,
    /// What it says.
    pub what: What,
    /// How sure it makes that this is a tool's output, of [`CERTAIN`].
    pub weight: u32,
}

/// What a line says, its colours taken away.
pub fn of(line: &[u8]) -> Option<Sign> {
    let line = &line[..line.len().min(LINE_BYTES)];
    let text = without_lead(line);
    let first = *text.first()?;
    let row = starts(first).iter().find(|(start, ..)| find::begins(text, start.as_bytes()));
    if let Some(&(start, tool, what, weight)) = row {
        return refined(start, tool, what, weight, line, text);
    }
    by_place(text).or_else(|| by_form(first, line, text))
}

/// What a start alone leaves open.
fn refined(start: &str, tool: Tool, what: What, weight: u32, line: &[u8], text: &[u8]) -> Option<Sign> {
    let rest = &text[start.len()..];
    let has = |mark: &[u8]| find::text(mark, text).is_some();
    let is_set_in = text.len() < line.len() && line.first().is_some_and(|&b| b == b' ' || b == b'\t');
    let sign = |tool, what, weight| Some(Sign { tool, what, weight });
    // These are most of what cargo prints, and told by their first bytes.
    let is_finished = matches!(start.as_bytes(), [b'F', b'i', b'n', ..]);
    let is_cargo_step =
        is_finished || matches!(start.as_bytes(), [b'C', b'o' | b'h', b'm' | b'e', ..] | [b'F', b'r', ..]);
    let is_versioned = || find::byte(b' ', rest).is_some_and(|space| rest.get(space + 1) == Some(&b'v'));
    // By the first byte as well, as texts are compared one by one.
    match (text[0], start) {
        // A crate has a version, `(path)`; others compile and check as well.
        (b'C' | b'F', _) if is_cargo_step && (!is_set_in || !is_finished && !is_versioned()) => {
            sign(Any, Progress, 0)
        }
        (b'>', "> Task :") if text.ends_with(b" FAILED") => sign(Gradle, Error, 3),
        (b'E', "E   ") if is_set_in => None,
        (b'S', "Step ") if !has(b" : ") => None,
        (b'F', "Found ") => (has(b" error") && !has(b"rror handl")).then_some(Sign {
            tool: TypeScript,
            what: Result,
            weight: 1,
        }),
        // PHPUnit counts otherwise.
        (b'T', "Tests: ") if has(b", Assertions: ") => sign(Any, Result, 3),
        (b'T', "Tests  ") if !text.iter().any(u8::is_ascii_digit) => None,
        (b'r', "running ") => (rest.ends_with(b" tests") || rest.ends_with(b" test")).then_some(Sign {
            tool: Cargo,
            what: Progress,
            weight: 3,
        }),
        (b'a', "added ") => has(b" package").then_some(Sign { tool: Npm, what: Progress, weight: 2 }),
        (b'R', "Ran ") => has(b" test").then_some(Sign { tool: Unittest, what: Progress, weight: 2 }),
        (0xE2, "✖ ") if !has(b" problem") => sign(Any, FailedTest, 1),
        (b'w', "webpack ") => has(b" compiled ").then_some(Sign { tool: Webpack, what: Result, weight: 3 }),
        (b'e', "exit status ") => sign(Any, if rest == b"0" { Passed } else { Failed }, 1),
        (b'n', "npm error" | "npm ERR!") => {
            let said = rest.trim_ascii();
            let is_trail = said.is_empty() || said.starts_with(b"A complete log") || said.starts_with(b"/");
            let says_how = rest.starts_with(b"  ") || said.starts_with(b"To see ");
            sign(
                Npm,
                if is_trail {
                    Progress
                } else if says_how {
                    Context
                } else {
                    Error
                },
                3,
            )
        }
        (b'E', "E   " | "ERROR: " | "Error: " | "ERROR ") if rest.trim_ascii().is_empty() => None,
        (b'e', "error: ") if rest.trim_ascii().is_empty() || rest == b"|-" => None,
        (b'n', "not ok ") if has(b"# TODO") || has(b"# SKIP") => sign(Tap, Progress, 2),
        (b'n', "not ok ") if !rest.first().is_some_and(u8::is_ascii_digit) && rest.first() != Some(&b'-') => {
            None
        }
        (b'w', "warning: ") if has(b" generated ") => sign(Any, Context, 1),
        (b'f', "failures:") if !rest.is_empty() => None,
        (b'-', "-->") => (is_set_in && has(b":")).then_some(Sign { tool: Cargo, what: Context, weight: 1 }),
        (b'l', "ld: ") if !has(b"rror") && !has(b"undefined") && !has(b"not found") => {
            sign(Compiler, Warning, 1)
        }
        _ => sign(tool, what, weight),
    }
}

/// `file:12:5: error: …`, `file(12,5): error CS1: …`, `file:12:5 - error TS1: …`.
fn by_place(text: &[u8]) -> Option<Sign> {
    let mut from = 0;
    // The colon before the word is one of the first.
    for _ in 0..6 {
        let colon = from + find::byte(b':', text.get(from..)?)?;
        from = colon + 1;
        let after = &text[from..];
        let after_dash = after.iter().position(|&b| b == b' ').map(|space| &after[space..]);
        let is_place = colon > 0 && (text[colon - 1].is_ascii_digit() || text[colon - 1] == b')');
        let (is_dashed, said) =
            match (after.strip_prefix(b" "), after_dash.and_then(|rest| rest.strip_prefix(b" - "))) {
                (Some(said), _) => (false, said),
                (None, Some(said)) if after.first().is_some_and(u8::is_ascii_digit) => (true, said),
                _ => continue,
            };
        let what = [
            (&b"error"[..], Error),
            (b"fatal error", Error),
            (b"warning", Warning),
            (b"undefined reference to", Error),
            (b"note:", Context),
            (b"multiple definition of", Error),
        ]
        .into_iter()
        .find_map(|(word, what)| said.strip_prefix(word).map(|rest| (what, rest)));
        let Some((what, rest)) = what else {
            // go vet and the compiler of Go: `./a.go:12:5: undefined: x`.
            if is_place && find::text(b".go:", &text[..colon]).is_some() {
                return Some(Sign { tool: Go, what: Error, weight: 2 });
            }
            continue;
        };
        // Others write a time before a dash.
        let is_place = is_place || is_dashed && rest.starts_with(b" TS");
        let tool = match () {
            () if is_dashed || rest.starts_with(b" TS") => TypeScript,
            () if rest.starts_with(b" CS") || rest.starts_with(b" NU") || rest.starts_with(b" MSB") => Dotnet,
            () if find::text(b".java", &text[..colon]).is_some() => Javac,
            () => Compiler,
        };
        let weight = if is_place && what != Context { 2 } else { 0 };
        // Without a place only linkers say so, and anyone says `error`.
        return (is_place || weight > 0 || what != Context).then_some(Sign {
            tool: if weight == 0 { Any } else { tool },
            what,
            weight,
        });
    }
    None
}

/// Lines known by more than how they start.
fn by_form(first: u8, line: &[u8], text: &[u8]) -> Option<Sign> {
    let has = |mark: &[u8]| find::text(mark, text).is_some();
    let ends = |mark: &[u8]| text.ends_with(mark);
    let sign = |tool, what, weight| Some(Sign { tool, what, weight });
    match first {
        b't' if text.starts_with(b"test ") && ends(b" ... FAILED") => sign(Cargo, FailedTest, 3),
        b't' if text.starts_with(b"test ") && (ends(b" ... ok") || ends(b" ... ignored")) => {
            sign(Cargo, Progress, 3)
        }
        b'-' if text.starts_with(b"---- ") && ends(b" stdout ----") => sign(Cargo, Heading, 3),
        b'=' if ends(b"=====") || ends(b"====") || ends(b"===") => {
            if has(b" test session starts ") {
                return sign(Pytest, Progress, 3);
            }
            if has(b" FAILURES ") || has(b" ERRORS ") {
                return sign(Pytest, Heading, 2);
            }
            let is_result = has(b" in ") && (has(b" passed") || has(b" failed") || has(b" error"));
            if is_result {
                return sign(Pytest, Result, 3);
            }
            None
        }
        b'F' if text.starts_with(b"FAILED ") && has(b"::") => sign(Pytest, FailedTest, 3),
        b'F' if text.starts_with(b"FAIL ") => sign(Jest, FailedTest, 1),
        b'F' | b'O' if text == b"FAIL" || text == b"OK" => {
            sign(Any, if first == b'F' { Failed } else { Passed }, 0)
        }
        b'>' if line.len() > text.len() => None,
        b'>' if text.starts_with(b">   ") => sign(Pytest, Context, 0),
        b'_' if text.starts_with(b"____") && ends(b"____") || ends(b" _") && text.starts_with(b"_ ") => {
            sign(Pytest, Heading, 0)
        }
        b'o' if text.starts_with(b"ok ") && text[3..].first().is_some_and(u8::is_ascii_digit) => {
            sign(Tap, Progress, 1)
        }
        b'#' if text.get(1).is_some_and(u8::is_ascii_digit) => {
            // BuildKit: `#12 ERROR: …`, `#12 [2/4] RUN …`, `#12 DONE 0.1s`.
            let after = text[1..].iter().position(|&b| b == b' ').map(|space| &text[space + 2..])?;
            if after.starts_with(b"ERROR") {
                return sign(Docker, Error, 3);
            }
            let is_step = [&b"["[..], b"DONE ", b"CACHED", b"sha256:", b"exporting ", b"transferring "]
                .iter()
                .any(|start| after.starts_with(start));
            if is_step { sign(Docker, Progress, 2) } else { None }
        }
        b'[' if has(b"%] ") && (has(b"Building ") || has(b"Linking ") || has(b"Built target ")) => {
            sign(CMake, Progress, 3)
        }
        // ESLint: `  12:5  error  message  rule`.
        b'0'..=b'9' => {
            let place = text.iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
            let rest = text[place..].trim_ascii_start();
            if text[..place].contains(&b':') && line.len() > text.len() {
                if rest.starts_with(b"error  ") {
                    return sign(Eslint, Error, 2);
                }
                if rest.starts_with(b"warning  ") {
                    return sign(Eslint, Warning, 2);
                }
            }
            if matches!(&text[place..], b" errors" | b" error" | b" errors generated." | b" error generated.")
            {
                return sign(Compiler, Result, 1);
            }
            if text[place..].starts_with(b" passing (") {
                return sign(Mocha, Progress, 3);
            }
            if text[place..] == *b" failing" {
                return sign(Mocha, Failed, 3);
            }
            let is_title = text[place..].starts_with(b") ") && line.len() >= text.len() + 2 && place <= 3;
            if is_title { sign(Mocha, Heading, 0) } else { None }
        }
        b'C' if ends(b" FAILED") && has(b" > ") => sign(Gradle, FailedTest, 2),
        b'A'..=b'Z' | b'a'..=b'z' if ends(b" FAILED") && has(b" > ") => sign(Gradle, FailedTest, 2),
        b'A'..=b'Z' | b'a'..=b'z'
            // A rare letter first: this is asked of every other line.
            if find::byte(b'x', text).is_some() && has(b" exit") && (has(b"exit code ") || has(b"exited with ") || has(b"exit status ")) =>
        {
            let at = find::last_text(b" exit", text).unwrap_or(0);
            let code =
                text[at..].iter().skip_while(|b| !b.is_ascii_digit()).take_while(|b| b.is_ascii_digit());
            let code: Vec<u8> = code.copied().collect();
            match &code[..] {
                b"" => None,
                b"0" => sign(Any, Passed, 0),
                _ => sign(Any, Failed, 0),
            }
        }
        _ => None,
    }
}

/// A line without white space, and without the time that a CI service or the
/// step that BuildKit puts before it.
pub fn without_lead(line: &[u8]) -> &[u8] {
    let text = line.trim_ascii();
    // 2024-01-02T03:04:05.1234567Z
    if text.len() > 28 && text[0].is_ascii_digit() && text[10] == b'T' && text[27] == b'Z' {
        return text[28..].trim_ascii_start();
    }
    if let Some(rest) = text.strip_prefix(b"#") {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let step = rest[digits..].strip_prefix(b" ").filter(|_| digits > 0);
        if let Some(step) = step {
            let time = step.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
            if time > 1 && step[..time].contains(&b'.') {
                return step[time..].trim_ascii_start();
            }
        }
    }
    text
}

/// The name of a test that failed.
pub fn test_name(line: &[u8]) -> &[u8] {
    let text = without_lead(line);
    let starts = [&b"test "[..], b"--- FAIL: ", b"FAILED ", b"FAIL: ", b"ERROR: ", b"not ok "];
    let text = starts.iter().find_map(|start| text.strip_prefix(*start)).unwrap_or(text);
    text.strip_suffix(b" ... FAILED").unwrap_or(text)
}

/// The place that rustc names below an error.
pub fn place(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"--> ")
}
