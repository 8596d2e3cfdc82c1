//! The npm package in `js/`: its dependencies, its build, its tests, the playground.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::component::Variant;
use xtask::install;

use crate::{budget, shell, workspace};

/// The oldest Node that the package and its tests run on.
const OLDEST_NODE: u32 = 20;

/// The variable with the path of the browser for the tests.
pub const CHROMIUM: &str = "TUCKAWAY_CHROMIUM";

/// The default browser, where Debian installs it.
const DEBIAN_CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the component and the package, and serves the playground until it is stopped.
pub fn playground() -> Result<()> {
    budget::run(&budget::installing(Variant::Sealed))?;
    install_dependencies()?;
    // The script builds the package first.
    shell::succeed(npm().args(["run", "playground"]))
}

/// Installs the dependencies, and the browser for the tests.
pub fn install() -> Result<()> {
    install_dependencies()?;
    ensure_chromium().map(drop)
}

/// Builds the package with the existing component.
pub fn build() -> Result<()> {
    install_dependencies()?;
    shell::succeed(npm().args(["run", "build"]))
}

/// Builds the package with the existing component, without files of earlier builds.
pub fn build_anew() -> Result<()> {
    install_dependencies()?;
    shell::succeed(npm().args(["run", "build", "--", "--clean"]))
}

/// Runs the package's tests, in Node and in Chromium, against the command line that cargo has built.
pub fn test(command_line: &Path) -> Result<()> {
    let chromium = ensure_chromium()?;
    shell::succeed(npm().arg("test").env("TUCKAWAY_CLI", command_line).env(CHROMIUM, chromium))
}

/// Installs the dependencies of the lock file, unless they are installed already.
fn install_dependencies() -> Result<()> {
    ensure_node()?;
    let lock = directory().join("package-lock.json");
    install::once(&directory().join("node_modules/.installed-from"), &[&lock], "", || {
        shell::succeed(npm().args(["ci", "--no-audit", "--no-fund"]))
    })
}

fn directory() -> PathBuf {
    workspace().join("js")
}

fn npm() -> Command {
    let mut command = shell::npm();
    command.current_dir(directory());
    command
}

/// Checks that Node is there and new enough.
pub fn ensure_node() -> Result<()> {
    let output = Command::new("node").arg("--version").stderr(Stdio::inherit()).output();
    let version = match &output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => bail!("node is missing; install Node.js {OLDEST_NODE} or newer, with npm"),
    };
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST_NODE) {
        bail!("this node is {version}; install Node.js {OLDEST_NODE} or newer");
    }
    Ok(())
}

/// Returns the browser for the tests: the variable's, or Debian's, which is installed if
/// possible.
pub fn ensure_chromium() -> Result<PathBuf> {
    if let Some(named) = env::var_os(CHROMIUM).filter(|path| !path.is_empty()).map(PathBuf::from) {
        if !named.exists() {
            bail!("{CHROMIUM} names {}, which does not exist; name a Chromium or Chrome", named.display());
        }
        return Ok(named);
    }
    let debian = PathBuf::from(DEBIAN_CHROMIUM);
    if debian.exists() {
        return Ok(debian);
    }
    let advice = format!(
        "the tests need a browser; `apt-get update && apt-get install chromium` installs one, or set {CHROMIUM} to \
         the path of a Chromium or Chrome"
    );
    shell::install_debian_packages(&["chromium"]).with_context(|| advice.clone())?;
    match debian.exists() {
        true => Ok(debian),
        false => bail!("{advice}"),
    }
}
