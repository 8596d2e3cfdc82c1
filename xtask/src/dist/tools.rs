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
    install::python(&environment, &sources().join("requirements.txt"))
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

/// Returns the path of verdaccio, a registry of npm, for Node.
pub fn verdaccio() -> Result<PathBuf> {
    Ok(node()?.join("node_modules/verdaccio/bin/verdaccio"))
}

/// Returns the path of the MCP client, for Node. It is next to its server and the SDK.
pub fn mcp_client() -> Result<PathBuf> {
    let directory = node()?;
    for script in ["client.mjs", "server.mjs"] {
        files::copy(&sources().join(script), &directory.join(script))?;
    }
    Ok(directory.join("client.mjs"))
}

/// Returns the directory with the packages for Node.
fn node() -> Result<PathBuf> {
    let directory = home()?.join("node");
    install::node_without_scripts(&directory, &sources()).context("installing the tools for Node")?;
    Ok(directory)
}

/// Returns the directory with the versions of the tools.
fn sources() -> PathBuf {
    workspace().join("xtask/release")
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
