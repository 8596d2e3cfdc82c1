//! Installs what tests need below the target directory, once for each version.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;

/// What a Python environment needs.
const PYTHON_ADVICE: &str = "this needs python3 (3.10 or newer) with venv and pip";

/// Installs what `wanted` describes, such as a lock file, unless that was done: the stamp
/// has the same content. The stamp is written last.
pub fn once(stamp: &Path, wanted: &[u8], install: impl FnOnce() -> Result<()>) -> Result<()> {
    if fs::read(stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    install()?;
    fs::write(stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

/// Installs the packages of the lock file of a package for Node into a directory, unless that
/// was done.
pub fn node(directory: &Path, package: &Path) -> Result<()> {
    const LOCK: &str = "package-lock.json";
    fs::create_dir_all(directory).with_context(|| format!("making {}", directory.display()))?;
    for file in ["package.json", LOCK] {
        let from = package.join(file);
        fs::copy(&from, directory.join(file)).with_context(|| format!("copying {}", from.display()))?;
    }
    let wanted = fs::read(directory.join(LOCK)).with_context(|| format!("reading {LOCK}"))?;
    once(&directory.join("node_modules/.installed-from"), &wanted, || {
        let mut npm = shell::npm();
        // What this program prints on stdout may be for programs.
        npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(directory).stdout(io::stderr());
        shell::succeed(&mut npm).context("this needs Node with npm")
    })
}

/// Makes a Python environment with the packages of a requirements file, in place of the one
/// that may be there, unless that was done.
pub fn python(environment: &Path, requirements: &Path) -> Result<()> {
    let wanted = fs::read(requirements).with_context(|| format!("reading {}", requirements.display()))?;
    once(&environment.join(".installed-from"), &wanted, || {
        eprintln!("Installing the packages of {}.", requirements.display());
        let mut venv = Command::new("python3");
        shell::succeed(venv.args(["-m", "venv", "--clear"]).arg(environment)).context(PYTHON_ADVICE)?;
        let mut pip = Command::new(python_program(environment, "pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(requirements);
        shell::succeed(&mut pip).context(PYTHON_ADVICE)
    })
}

/// Returns the path of a program of a Python environment.
pub fn python_program(environment: &Path, name: &str) -> PathBuf {
    match cfg!(windows) {
        true => environment.join("Scripts").join(format!("{name}.exe")),
        false => environment.join("bin").join(name),
    }
}
