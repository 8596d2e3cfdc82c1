//! The tools that make a release, installed below the target directory.

use std::env::{self, consts::EXE_SUFFIX};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use xtask::install;

use super::files;
use crate::{shell, workspace};

const CYCLONEDX_VERSION: &str = "0.5.9";

/// Returns the path of a program of the Python environment with maturin, cargo-zigbuild, Zig and uv.
pub fn python(name: &str) -> Result<PathBuf> {
    let environment = home()?.join("python");
    install::python(&environment, &workspace().join("xtask/release/requirements.txt"))
        .context("installing the tools for packages of Python")?;
    Ok(install::python_program(&environment, name))
}

/// Has a command find cargo-zigbuild and Zig.
pub fn find_zig(command: &mut Command) -> Result<()> {
    let directory = python("cargo-zigbuild")?.parent().map(PathBuf::from).unwrap_or_default();
    let path = env::var_os("PATH").unwrap_or_default();
    let searched = std::iter::once(directory).chain(env::split_paths(&path));
    command.env("PATH", env::join_paths(searched).context("the variable PATH")?);
    Ok(())
}

/// Returns the path of a file of the packages for Node: an npm registry and the SDK of MCP.
pub fn node(file: &str) -> Result<PathBuf> {
    let directory = home()?.join("node");
    install::node_without_scripts(&directory, &workspace().join("xtask/release"))
        .context("installing the tools for npm packages")?;
    Ok(directory.join("node_modules").join(file))
}

/// Returns the path of cargo-cyclonedx.
pub fn cyclonedx() -> Result<PathBuf> {
    let root = home()?.join("cyclonedx");
    files::make_directory(&root)?;
    install::once(&root.join(".installed-from"), &[], CYCLONEDX_VERSION, || {
        eprintln!("Installing cargo-cyclonedx {CYCLONEDX_VERSION}, which takes minutes the first time.");
        let mut cargo = shell::cargo_command();
        cargo.args(["install", "--quiet", "--locked", "--force", "--debug", "--root"]).arg(&root);
        cargo.arg(format!("cargo-cyclonedx@{CYCLONEDX_VERSION}"));
        shell::succeed(&mut cargo).context("this needs access to the registry of crates")
    })?;
    Ok(root.join("bin").join(format!("cargo-cyclonedx{EXE_SUFFIX}")))
}

fn home() -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("dist-tools"))
}
