//! Installs the tests' requirements below the target directory, once for each version.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::component::run::output;
use crate::shell;

const LOCK: &str = "package-lock.json";

/// The advice if a Python environment cannot be made.
const PYTHON_ADVICE: &str = "this needs python3 (3.11 or newer) with venv and pip";

/// Installs the packages that files such as a lock file describe, unless that was done: the stamp
/// has the hash of the files and of `tool`, such as the version of an interpreter. The stamp is
/// written last.
pub fn once(stamp: &Path, files: &[&Path], tool: &str, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut hash = Sha256::new_with_prefix(tool);
    for file in files {
        hash.update(fs::read(file).with_context(|| format!("reading {}", file.display()))?);
    }
    let wanted = format!("{:x}\n", hash.finalize());
    if fs::read_to_string(stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    install()?;
    fs::write(stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

/// Installs the packages of the lock file of a package for Node into a directory, unless that
/// was done.
pub fn node(directory: &Path, package: &Path) -> Result<()> {
    node_from(directory, package, LOCK, &["package.json", LOCK], &["ci"])
}

/// Installs the packages of a lock file as [`node`] does, without running the scripts of packages:
/// some download browsers and programs that are not used.
pub fn node_without_scripts(directory: &Path, package: &Path) -> Result<()> {
    node_from(directory, package, LOCK, &["package.json", LOCK], &["ci", "--ignore-scripts"])
}

/// Installs the packages with the versions of a `package.json` into a directory, unless that was
/// done. For packages without a lock file: one for all platforms names packages that a mirror may
/// not have.
pub fn node_unlocked(directory: &Path, package: &Path) -> Result<()> {
    node_from(directory, package, "package.json", &["package.json"], &["install", "--no-package-lock"])
}

/// Copies files of a package into a directory, and runs npm there unless `stamped` is unchanged.
fn node_from(
    directory: &Path,
    package: &Path,
    stamped: &str,
    files: &[&str],
    command: &[&str],
) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("making {}", directory.display()))?;
    for file in files {
        let from = package.join(file);
        fs::copy(&from, directory.join(file)).with_context(|| format!("copying {}", from.display()))?;
    }
    once(&directory.join("node_modules/.installed-from"), &[&directory.join(stamped)], "", || {
        let mut npm = shell::npm();
        // The output of this program on stdout may be for programs.
        npm.args(command).args(["--no-audit", "--no-fund"]).current_dir(directory).stdout(io::stderr());
        shell::succeed(&mut npm).context("this needs Node with npm")
    })
}

/// Makes a Python environment with the packages of a requirements file, in place of the one
/// that may be there, unless that was done.
pub fn python(environment: &Path, requirements: &Path) -> Result<()> {
    // Packages belong to the version of the interpreter.
    let version = output(Command::new("python3").arg("--version")).context(PYTHON_ADVICE)?;
    once(&environment.join(".installed-from"), &[requirements], &version, || {
        eprintln!("Installing the packages of {}.", requirements.display());
        let mut venv = Command::new("python3");
        shell::succeed(venv.args(["-m", "venv", "--clear"]).arg(environment)).context(PYTHON_ADVICE)?;
        let mut pip = Command::new(python_program(environment, "pip"));
        // Python compiles the modules that are imported; most are not.
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-compile", "--requirement"]);
        pip.arg(requirements);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::env;
    use std::process;

    use super::*;

    #[test]
    fn a_change_of_a_file_or_a_tool_installs_again() {
        let directory = env::temp_dir().join(format!("tuckaway-install-{}", process::id()));
        fs::create_dir_all(&directory).unwrap();
        let (stamp, lock) = (directory.join("stamp"), directory.join("lock"));
        let installed = Cell::new(0);
        let install = |tool: &str| {
            once(&stamp, &[&lock], tool, || {
                installed.set(installed.get() + 1);
                Ok(())
            })
            .unwrap();
            installed.get()
        };
        fs::write(&lock, "one").unwrap();
        assert_eq!([install("3.11"), install("3.11")], [1, 1]);
        fs::write(&lock, "two").unwrap();
        assert_eq!([install("3.11"), install("3.12"), install("3.12")], [2, 3, 3]);
        assert!(once(&stamp, &[&lock], "", || anyhow::bail!("no network")).is_err());
        assert_eq!(install("3.12"), 3, "what failed leaves the old stamp");
        fs::remove_dir_all(directory).unwrap();
    }
}
