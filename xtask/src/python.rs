//! `cargo xtask python`: the Python package in `python/`, its wheel, its checks and its tests.
//!
//! ```text
//! maturin build ─► wheel ─► environment "tests": format, lints, types, doctests, corpus, stores
//!                      └──► environment "integrations": the agent frameworks, types with them
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::component::{self, Variant};
use xtask::{install, object_servers};

use crate::budget::installing;
use crate::{shell, workspace};

/// How pytest ends if it ran no test.
const NONE_SELECTED: i32 = 5;

/// The examples of the installed package, not of its source: `--pyargs` looks there.
const DOCTESTS: &[&str] = &["--doctest-modules", "--pyargs", "tuckaway"];
/// The tests that need no framework.
const TESTS: &[&str] = &["tests", "--ignore=tests/integrations"];
/// The tests of the integrations.
const FRAMEWORKS: &[&str] = &["tests/integrations"];

/// A Python environment with the wheel in it.
struct Environment {
    directory: PathBuf,
}

impl Environment {
    /// Installs the packages in a file of `python/requirements` in an environment of this name.
    fn new(home: &Path, name: &str) -> Result<Self> {
        let directory = home.join(name);
        let requirements = package().join("requirements").join(format!("{name}.txt"));
        install::python(&directory, &requirements)
            .with_context(|| format!("installing {}", requirements.display()))?;
        Ok(Environment { directory })
    }

    /// Creates a command that runs a program of the environment in `python/`.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(install::python_program(&self.directory, name));
        command.current_dir(package());
        shell::without_package(&mut command);
        command
    }

    /// Installs the wheel, in place of an earlier build of the same version.
    fn install_wheel(&self, wheel: &Path) -> Result<()> {
        let mut pip = self.program("pip");
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
        shell::succeed(pip.arg("--force-reinstall").arg(wheel)).context("installing the wheel")
    }
}

/// Makes both environments, unless that was done.
pub fn install() -> Result<()> {
    tests()?;
    integrations().map(drop)
}

/// Builds the wheel with the profile of tests, so that it shares compiled code with them, and
/// installs it into both environments.
pub fn build() -> Result<()> {
    let (tests, directory) = (tests()?, wheels()?);
    if directory.exists() {
        fs::remove_dir_all(&directory).with_context(|| format!("removing {}", directory.display()))?;
    }
    let mut maturin = tests.program("maturin");
    shell::with_this_program(&mut maturin);
    shell::succeed(maturin.args(["build", "--locked", "--profile", "dev", "--out"]).arg(&directory))
        .context("building the wheel")?;
    let wheel = wheel()?;
    for environment in [tests, integrations()?] {
        environment.install_wheel(&wheel)?;
    }
    Ok(())
}

/// Checks format, lints and types.
pub fn check() -> Result<()> {
    let tests = tests()?;
    shell::succeed(tests.program("ruff").args(["format", "--check", "."]))
        .context("the format; run `ruff format` in python/")?;
    shell::succeed(tests.program("ruff").args(["check", "."])).context("lints of Python")?;
    // With the frameworks, so that the types of the integrations are theirs.
    let python = install::python_program(&integrations()?.directory, "python");
    let mut mypy = tests.program("mypy");
    shell::succeed(
        mypy.arg("--python-executable").arg(&python).args(["tuckaway", "tests/typing_consumer.py"]),
    )
    .context("types, by mypy")?;
    let mut pyright = tests.program("pyright");
    shell::succeed(pyright.arg("--pythonpath").arg(&python)).context("types, by pyright")
}

/// Tests the package without the frameworks.
pub fn test(command_line: &Path) -> Result<()> {
    pytest(&tests()?, TESTS, &[], command_line).map(drop)
}

/// Tests the integrations with the real frameworks, and the examples in the documentation of
/// the installed package.
pub fn test_frameworks(command_line: &Path) -> Result<()> {
    let integrations = integrations()?;
    pytest(&integrations, DOCTESTS, &[], command_line)?;
    pytest(&integrations, FRAMEWORKS, &[], command_line).map(drop)
}

/// Builds the wheel and runs all checks and tests; if there are arguments for pytest, which
/// select tests, only those tests.
pub fn run(only: &[String], command_line: &Path) -> Result<()> {
    build()?;
    if only.is_empty() {
        check()?;
        test(command_line)?;
        return test_frameworks(command_line);
    }
    let (tests, integrations) = (tests()?, integrations()?);
    let mut selected = false;
    for (environment, arguments) in [(&integrations, DOCTESTS), (&tests, TESTS), (&integrations, FRAMEWORKS)]
    {
        selected |= pytest(environment, arguments, only, command_line)?;
    }
    match selected {
        true => Ok(()),
        false => bail!("{} selects no test", only.join(" ")),
    }
}

fn package() -> PathBuf {
    workspace().join("python")
}

fn home() -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("python"))
}

fn tests() -> Result<Environment> {
    Environment::new(&home()?, "tests")
}

fn integrations() -> Result<Environment> {
    Environment::new(&home()?, "integrations")
}

fn wheels() -> Result<PathBuf> {
    Ok(home()?.join("wheels"))
}

/// Returns the wheel that was built.
fn wheel() -> Result<PathBuf> {
    let directory = wheels()?;
    let wheels = fs::read_dir(&directory).with_context(|| format!("reading {}", directory.display()))?;
    let wheels: Vec<_> = wheels.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    match <[PathBuf; 1]>::try_from(wheels) {
        Ok([wheel]) => Ok(wheel),
        Err(others) => bail!("maturin built {} wheels, not one", others.len()),
    }
}

/// Runs pytest in an environment, and returns whether it ran a test. Running no test is an
/// error unless arguments select tests.
fn pytest(
    environment: &Environment,
    arguments: &[&str],
    only: &[String],
    command_line: &Path,
) -> Result<bool> {
    let mut pytest = environment.program("pytest");
    pytest.args(["-q", "--config-file=pyproject.toml", "--rootdir=."]).args(arguments).args(only);
    pytest.env("TUCKAWAY_WHEEL", wheel()?).env("TUCKAWAY_CLI", command_line);
    pytest.env("TUCKAWAY_WASM", component::build(&installing(Variant::Sealed))?.path);
    pytest.env("TUCKAWAY_OBJECT_SERVERS", object_servers::ensure(&shell::target_dir()?)?.to_json());
    let status = pytest.status().context("running pytest")?;
    match status.code() {
        Some(0) => Ok(true),
        Some(NONE_SELECTED) if !only.is_empty() => Ok(false),
        _ => bail!("pytest {} failed ({status})", arguments.join(" ")),
    }
}
