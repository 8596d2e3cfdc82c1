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
use xtask::{install, object_servers};

use crate::{shell, workspace};

/// How pytest ends if it ran no test.
const NONE_SELECTED: i32 = 5;

/// A Python environment with the wheel in it.
struct Environment {
    directory: PathBuf,
}

impl Environment {
    /// Installs what a file of `python/requirements` names, in an environment of this name.
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
        command
    }

    /// Installs the wheel, in place of an earlier build of the same version.
    fn install_wheel(&self, wheel: &Path) -> Result<()> {
        let mut pip = self.program("pip");
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
        shell::succeed(pip.arg("--force-reinstall").arg(wheel)).context("installing the wheel")
    }
}

/// Builds the wheel and runs all checks and tests. Those after `only` in pytest's command line
/// select the tests, and leave the checks out.
pub fn run(only: &[String], command_line: &Path) -> Result<()> {
    let home = shell::target_dir()?.join("python");
    let tests = Environment::new(&home, "tests")?;
    let integrations = Environment::new(&home, "integrations")?;
    let wheel = build(&tests, &home.join("wheels"))?;
    for environment in [&tests, &integrations] {
        environment.install_wheel(&wheel)?;
    }
    if only.is_empty() {
        check(&tests, &integrations)?;
    }
    test(&tests, &integrations, only, &wheel, command_line)
}

fn package() -> PathBuf {
    workspace().join("python")
}

/// Builds a wheel with the profile of tests, so that it shares what they have compiled.
fn build(tools: &Environment, directory: &Path) -> Result<PathBuf> {
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(|| format!("removing {}", directory.display()))?;
    }
    let mut maturin = tools.program("maturin");
    shell::succeed(maturin.args(["build", "--locked", "--profile", "dev", "--out"]).arg(directory))
        .context("building the wheel")?;
    let wheels = fs::read_dir(directory).with_context(|| format!("reading {}", directory.display()))?;
    let wheels: Vec<_> = wheels.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    match <[PathBuf; 1]>::try_from(wheels) {
        Ok([wheel]) => Ok(wheel),
        Err(others) => bail!("maturin built {} wheels, not one", others.len()),
    }
}

fn check(tests: &Environment, integrations: &Environment) -> Result<()> {
    shell::succeed(tests.program("ruff").args(["format", "--check", "."]))
        .context("the format; run `ruff format` in python/")?;
    shell::succeed(tests.program("ruff").args(["check", "."])).context("lints of Python")?;
    // With the frameworks, so that the types of the integrations are theirs.
    let python = install::python_program(&integrations.directory, "python");
    let mut mypy = tests.program("mypy");
    shell::succeed(
        mypy.arg("--python-executable").arg(&python).args(["tuckaway", "tests/typing_consumer.py"]),
    )
    .context("types, by mypy")?;
    let mut pyright = tests.program("pyright");
    shell::succeed(pyright.arg("--pythonpath").arg(&python)).context("types, by pyright")
}

fn test(
    tests: &Environment,
    integrations: &Environment,
    only: &[String],
    wheel: &Path,
    command_line: &Path,
) -> Result<()> {
    let servers = object_servers::ensure(&shell::target_dir()?)?.to_json();
    let mut selected = false;
    for (environment, arguments) in [
        // The examples of the installed package, not of its source: `--pyargs` looks there.
        (integrations, ["--doctest-modules", "--pyargs", "tuckaway"].as_slice()),
        (tests, &["tests", "--ignore=tests/integrations"]),
        (integrations, &["tests/integrations"]),
    ] {
        let mut pytest = environment.program("pytest");
        pytest.args(["-q", "--config-file=pyproject.toml", "--rootdir=."]).args(arguments).args(only);
        pytest.env("TUCKAWAY_WHEEL", wheel).env("TUCKAWAY_CLI", command_line);
        pytest.env("TUCKAWAY_OBJECT_SERVERS", &servers);
        let status = pytest.status().context("running pytest")?;
        match status.code() {
            Some(0) => selected = true,
            Some(NONE_SELECTED) if !only.is_empty() => {}
            _ => bail!("pytest {} failed ({status})", arguments.join(" ")),
        }
    }
    if !selected {
        bail!("{} selects no test", only.join(" "));
    }
    Ok(())
}
