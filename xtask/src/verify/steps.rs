//! The steps of `cargo xtask test` and `cargo xtask check`: one row each.

use anyhow::{Result, bail};
use xtask::component::{self, Variant, has_target};
use xtask::object_servers;

use super::programs::{self, Select};
use crate::{
    adapters, budget, composed, dist, examples, interop, javascript, package, python, shell, suites,
};

/// The resource that a step needs exclusively while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Nothing.
    None,
    /// Cargo's lock of `target/debug`: a second cargo would only wait for it.
    Cargo,
    /// Cargo's lock of `target/component`.
    Component,
    /// The clock: tests with time limits, which a busy machine would exceed. They run one after
    /// the other, before all other steps.
    Clock,
}

/// A step: a check, or something that checks need.
pub struct Step {
    /// Its name on the command line and of its log.
    pub name: &'static str,
    /// Selects it together with others, as the jobs of the workflow file do.
    pub group: &'static str,
    /// Its description, for the list.
    pub about: &'static str,
    /// The steps that must have passed before.
    pub needs: &'static [&'static str],
    /// The steps that it would disturb: it waits for them if they run too.
    pub after: &'static [&'static str],
    /// The resource that it needs exclusively.
    pub lock: Lock,
    /// Advice if it fails.
    pub advice: &'static str,
    /// Runs it, in a separate process.
    pub run: fn() -> Result<()>,
    /// Whether `--without` omits it, because some machines cannot run it.
    pub can_be_omitted: bool,
}

/// The steps of `cargo xtask check`. The steps that they need run too.
pub const CHECK: [&str; 4] = ["format", "unit", "corpus", "lints"];

/// All steps. If several are ready, the first starts: steps that others wait for come first.
pub const STEPS: [Step; 32] = [
    Step {
        name: "format",
        group: "rust",
        about: "the format of Rust",
        run: || shell::cargo(["fmt", "--all", "--check"]),
        advice: "run `cargo fmt --all`",
        ..STEP
    },
    Step {
        name: "component",
        about: "the component, its imports and its size",
        lock: Lock::Component,
        run: || budget::run(&budget::installing(Variant::Sealed)),
        ..STEP
    },
    Step {
        name: "build",
        about: "all test programs and the command line",
        needs: &["component"],
        lock: Lock::Cargo,
        run: programs::build,
        advice: "fix what the compiler reports",
        ..STEP
    },
    Step {
        name: "npm-install",
        about: "the dependencies of the npm package, and Chromium",
        run: javascript::install,
        advice: "this needs Node with npm, access to npm's registry, and a Chromium",
        ..STEP
    },
    Step {
        name: "python-install",
        about: "Python environments for the tests and the agent frameworks",
        run: python::install,
        advice: "this needs python3 3.11 or newer with venv and pip, and access to the Python Package Index",
        ..STEP
    },
    Step {
        name: "object-servers",
        about: "servers with the APIs of S3 and Azure",
        run: || object_servers::ensure(&shell::target_dir()?).map(drop),
        advice: "this needs python3 with venv and pip, npm, and access to the package registries",
        ..STEP
    },
    Step {
        name: "suites",
        about: "third-party test suites",
        run: suites::fetch_all,
        advice: "this needs npm, python3 with pip, tar, and access to the package registries",
        ..STEP
    },
    Step {
        name: "interop-install",
        about: "MCP servers and clients",
        run: interop::install,
        advice: "this needs npm, python3 with pip, git, and access to the package registries",
        ..STEP
    },
    Step {
        name: "npm-package",
        about: "the npm package: glue by jco, types, bundles",
        needs: &["component", "npm-install"],
        run: javascript::build,
        advice: "`npm run build` in js repeats it",
        ..STEP
    },
    Step {
        name: "python-wheel",
        about: "the Python wheel, installed into both environments",
        needs: &["build", "python-install"],
        lock: Lock::Cargo,
        run: python::build,
        advice: "the message above says what to do",
        ..STEP
    },
    Step {
        name: "node",
        group: "node",
        about: "the npm package in Node, Chromium, Deno, Bun and workerd",
        needs: &["build", "npm-package", "object-servers"],
        run: || javascript::test(&shell::command_line()?),
        advice: "`npm test -- PART_OF_A_PATH` in js runs only the failing file",
        ..STEP
    },
    Step {
        name: "unit",
        group: "rust",
        about: "unit tests of all packages, and the layout of the sources",
        needs: &["build", "suites"],
        run: || programs::run(Select::Units, &[]),
        advice: "`cargo test --workspace NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "corpus",
        group: "rust",
        about: "the cases, natively and in wasmtime",
        needs: &["build", "suites"],
        run: || programs::run(Select::Suite("host-test"), CORPUS),
        advice: "TUCKAWAY_CASES=NAME selects cases; see cases/README.md",
        ..STEP
    },
    Step {
        name: "stores",
        group: "stores",
        about: "stores under faults: servers, kills, full disks, many processes",
        needs: &["build", "object-servers"],
        lock: Lock::Clock,
        run: || programs::run(Select::Suite("host-test"), &["stores::"]),
        advice: "on Linux this needs strace and unshare",
        ..STEP
    },
    Step {
        name: "interop",
        group: "mcp",
        about: "real MCP servers and clients, with the proxy and without",
        needs: &["build", "interop-install"],
        lock: Lock::Clock,
        run: || interop::run(&[], &shell::command_line()?),
        advice: "lines that begin with DIFFERENT name the sections; `cargo xtask mcp-interop NAME` runs only one",
        ..STEP
    },
    Step {
        name: "python",
        group: "python",
        about: "the Python package",
        needs: &["build", "python-wheel", "object-servers"],
        run: || python::test(&shell::command_line()?),
        advice: "`cargo xtask python -k NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "python-frameworks",
        group: "python",
        about: "the Python package with the agent frameworks",
        needs: &["build", "python-wheel", "object-servers"],
        run: || python::test_frameworks(&shell::command_line()?),
        advice: "`cargo xtask python -k NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "python-lints",
        group: "python",
        about: "format, lints and types of the Python package",
        needs: &["python-wheel"],
        run: python::check,
        advice: "run `ruff format` in python/ if it is the format",
        ..STEP
    },
    Step {
        name: "adapters",
        group: "adapters",
        about: "the modules for plugin hosts, and the cases in Extism, in wasmtime and in Node",
        // It compiles the engine again, and most steps wait for the component and the build.
        needs: &["component"],
        after: &["build"],
        lock: Lock::Component,
        run: adapters::run,
        advice: "this needs python3 with venv and pip, Node with npm, and access to the package registries; \
                 `cargo xtask adapters` repeats it",
        ..STEP
    },
    Step {
        name: "adapters-wasi",
        group: "adapters",
        about: "the components for hosts with nothing but WASI, and the cases in wasmtime's WASI",
        needs: &["component"],
        after: &["build"],
        lock: Lock::Cargo,
        run: composed::run,
        advice: "`--without adapters-wasi` omits this if rustup cannot add the target wasm32-wasip2; \
                 `cargo xtask adapters --wasi` repeats it",
        can_be_omitted: true,
    },
    Step {
        name: "properties",
        group: "rust",
        about: "properties, limits and third-party suites, natively and in wasmtime",
        needs: &["build", "suites"],
        run: || programs::run(Select::Suite("host-test"), PROPERTIES),
        advice: "`cargo test --package tuckaway-host-test --test suite NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "command",
        group: "rust",
        about: "the command line as a process",
        needs: &["build"],
        run: || programs::run(Select::Suite("cli"), &[]),
        advice: "`cargo test --package tuckaway-cli --test suite NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "library",
        group: "rust",
        about: "the host library",
        needs: &["build"],
        run: || programs::run(Select::Suite("host"), &[]),
        advice: "`cargo test --package tuckaway-host --test suite NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "proxy",
        group: "mcp",
        about: "the MCP proxy between servers and clients that misbehave",
        needs: &["build"],
        lock: Lock::Clock,
        run: || programs::run(Select::Suite("host-test"), &["mcp::"]),
        advice: "`cargo test --package tuckaway-host-test --test suite mcp::NAME` runs only the failing test",
        ..STEP
    },
    Step {
        name: "examples",
        group: "rust",
        about: "the host in JavaScript of examples/, run on a real file",
        needs: &["component"],
        run: examples::run,
        advice: "this needs Node with npm, and access to npm's registry",
        ..STEP
    },
    Step {
        name: "fuzz",
        group: "rust",
        about: "the fuzz targets, compiled but not run",
        needs: &["component"],
        lock: Lock::Cargo,
        run: fuzz,
        advice: "fix what the compiler reports; CONTRIBUTING.md says how to run a target",
        ..STEP
    },
    Step {
        name: "lints",
        group: "rust",
        about: "clippy on the workspace",
        needs: &["component"],
        lock: Lock::Cargo,
        run: lints,
        advice: "fix what clippy reports; `cargo clippy --workspace --all-targets` repeats it",
        ..STEP
    },
    Step {
        name: "component-lints",
        group: "rust",
        about: "clippy on the code for WebAssembly only",
        needs: &["component"],
        lock: Lock::Cargo,
        run: component_lints,
        advice: "fix what clippy reports in src/component.rs or in adapters/",
        can_be_omitted: true,
        ..STEP
    },
    Step {
        name: "documentation",
        group: "rust",
        about: "rustdoc without warnings, and the examples in it",
        needs: &["component"],
        lock: Lock::Cargo,
        run: documentation,
        advice: "fix what rustdoc reports; `cargo doc --workspace --lib --no-deps` repeats it",
        ..STEP
    },
    Step {
        name: "packages",
        group: "rust",
        about: "the published crates, built outside of the repository",
        needs: &["component", "build"],
        // It links the command line again, in its place.
        after: &["command", "interop", "node", "proxy", "python", "python-frameworks"],
        lock: Lock::Cargo,
        run: package::run,
        advice: "`cargo xtask package` repeats it",
        ..STEP
    },
    Step {
        name: "dist",
        group: "dist",
        about: "a release for this machine in the profile of tests, installed into empty homes and run",
        needs: &["build", "npm-package"],
        // It builds the adapters, and links the command line again, in its place.
        after: &[
            "adapters",
            "adapters-wasi",
            "command",
            "interop",
            "node",
            "proxy",
            "python",
            "python-frameworks",
        ],
        lock: Lock::Cargo,
        run: || dist::run_and_verify("dev"),
        advice: "this needs Node with npm, python3 with venv and pip, on Linux skopeo and docker-registry, and \
                 access to the package registries; `cargo xtask dist --profile dev`, then `--verify`, repeat it",
        ..STEP
    },
    Step {
        name: "wasi",
        group: "rust",
        about: "the cases in a build for wasm32-wasip2",
        needs: &["build"],
        lock: Lock::Component,
        run: wasi,
        advice: "`--without wasi` omits this if rustup cannot add the target wasm32-wasip2",
        can_be_omitted: true,
        ..STEP
    },
];

/// The defaults of a row.
pub const STEP: Step = Step {
    name: "",
    group: "",
    about: "",
    needs: &[],
    after: &[],
    lock: Lock::None,
    advice: "the message above says what to do",
    run: || Ok(()),
    can_be_omitted: false,
};

/// The tests that run the cases, for the test runner.
const CORPUS: &[&str] = &["native::", "wasmtime::"];

/// Everything in the suite of host-test that no other step runs.
const PROPERTIES: &[&str] = &[
    "--skip",
    "native::",
    "--skip",
    "wasmtime::",
    "--skip",
    "wasip2::",
    "--skip",
    "stores::",
    "--skip",
    "mcp::",
];

/// Returns the step of this name.
pub fn named(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

fn lints() -> Result<()> {
    let deny = ["--", "-D", "warnings"];
    shell::cargo(["clippy", "--workspace", "--all-targets"].into_iter().chain(deny))?;
    // As embedders see the contract: in the workspace, the command line makes its types exhaustive.
    let embedded = ["clippy", "--package", "tuckaway-mcp", "--package", "tuckaway-features"];
    let all = [
        "tuckaway-features/compiler",
        "tuckaway-features/http",
        "tuckaway-host/http",
        "tuckaway-host/object-store",
    ];
    shell::cargo(embedded.into_iter().chain(["--features", &all.join(",")]).chain(deny))
}

/// Checks the fuzz targets, which are a workspace of their own, because they are linked with a fuzzer.
fn fuzz() -> Result<()> {
    let target = shell::target_dir()?.join("fuzz");
    let mut command = shell::cargo_command();
    command.args(["clippy", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]).arg(target);
    shell::succeed(command.args(["--", "-D", "warnings"]))
}

fn component_lints() -> Result<()> {
    let target = Variant::Sealed.target();
    // A component that was built elsewhere needs no compiler, but clippy does.
    component::prepare(&budget::installing(Variant::Sealed))?;
    if !has_target(Variant::Sealed) {
        bail!(
            "the component was built with Debian's compiler, which has no clippy; `rustup target add {target}` \
             adds what clippy needs, `--without component-lints` omits this check"
        );
    }
    let lint = |target: &str, packages: &[&str]| {
        let rest = ["--lib", "--target", target, "--", "-D", "warnings"];
        shell::cargo(["clippy"].into_iter().chain(packages.iter().copied()).chain(rest))
    };
    lint(target, &["--package", "tuckaway"])?;
    lint(target, &["--package", "tuckaway-core", "--package", "tuckaway-extism"])?;
    lint(target, &["--package", "tuckaway-extism", "--features", "host-functions"])?;
    if !has_target(Variant::Wasi) {
        eprintln!("adapters/wasi is not checked: its target is not installed");
        return Ok(());
    }
    for feature in ["filesystem", "keyvalue"] {
        lint(Variant::Wasi.target(), &["--package", "tuckaway-wasi", "--features", feature])?;
    }
    Ok(())
}

/// Builds the documentation of libraries only: the command line and the engine share the
/// name `tuckaway`, and so the directory of their documentation.
fn documentation() -> Result<()> {
    let mut command = shell::cargo_command();
    command.args(["doc", "--workspace", "--lib", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    shell::succeed(&mut command)?;
    shell::cargo(["test", "--workspace", "--doc"])
}

fn wasi() -> Result<()> {
    budget::run(&budget::installing(Variant::Wasi))?;
    programs::run(Select::Suite("host-test"), &["wasip2::"])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn needs_are_steps_and_lead_to_no_circle() {
        let mut done: BTreeSet<&str> = BTreeSet::new();
        while done.len() < STEPS.len() {
            let next = STEPS
                .iter()
                .find(|step| !done.contains(step.name) && step.needs.iter().all(|need| done.contains(need)));
            let next = next.unwrap_or_else(|| panic!("nothing can start after {done:?}"));
            assert!(done.insert(next.name), "{} is listed twice", next.name);
        }
        assert!(CHECK.iter().all(|name| named(name).is_some()));
    }

    #[test]
    fn each_test_of_the_suite_belongs_to_one_step() {
        let steps = [CORPUS, &["wasip2::"], &["stores::"], &["mcp::"]].concat();
        let skipped: Vec<&str> = PROPERTIES.iter().copied().filter(|word| *word != "--skip").collect();
        assert_eq!(BTreeSet::from_iter(steps), BTreeSet::from_iter(skipped));
    }
}
