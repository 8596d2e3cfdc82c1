//! `cargo xtask mcp-interop`: real MCP servers and clients from the registries, with the
//! proxy between them and without, by the package in `mcp/interop/`.
//!
//! Everything is installed below the target directory, from lock files, except for the clients in
//! `clients/package.json`: only their own versions are pinned.
//!
//! ```text
//! mcp/interop/ ─► copied ─► target/mcp-interop/ ─► npm ci, pip install ─► node src/main.mjs
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::install;

use crate::{javascript, shell, workspace};

/// Copied folders: what is installed is next to them, where Node searches for packages.
const FOLDERS: [&str; 4] = ["src", "sessions", "clients", "servers"];
const REQUIREMENTS: &str = "requirements.txt";

/// The argument that runs the clients that people use. They are more than a gigabyte, so they are
/// installed only for it.
const CLIENTS: &str = "--clients";

/// The argument that runs the servers of the table, which are installed only for it.
const SERVERS: &str = "--servers";

/// The argument that puts the table of the servers into the documentation.
const WRITE: &str = "--write";
const DOCUMENTATION: &str = "docs/mcp.md";

/// Installs what is missing.
pub fn install() -> Result<()> {
    prepare().map(drop)
}

/// Installs what is missing, and runs the sections whose names contain one of these texts,
/// or all. [`CLIENTS`] or [`SERVERS`] among the texts selects other sections.
pub fn run(sections: &[String], command_line: &Path) -> Result<()> {
    let has = |argument: &str| sections.iter().any(|section| section == argument);
    let home = prepare()?;
    let mut command = Command::new("node");
    if has(CLIENTS) {
        install_clients()?;
    }
    if has(SERVERS) {
        install_servers()?;
        command.env(javascript::CHROMIUM, javascript::ensure_chromium()?);
    }
    command.arg("src/main.mjs").current_dir(&home).env("TUCKAWAY_CLI", command_line);
    for section in sections {
        command.arg(section);
        if section == WRITE {
            command.arg(workspace().join(DOCUMENTATION));
        }
    }
    shell::succeed(&mut command)
}

/// Returns the directory with everything that is needed.
fn prepare() -> Result<PathBuf> {
    javascript::ensure_node()?;
    let (from, home) = (workspace().join("mcp/interop"), shell::target_dir()?.join("mcp-interop"));
    for folder in FOLDERS {
        copy_folder(&from.join(folder), &home.join(folder))?;
    }
    // The table of the servers has the versions.
    let requirements = from.join(REQUIREMENTS);
    fs::copy(&requirements, home.join(REQUIREMENTS))
        .with_context(|| format!("copying {}", requirements.display()))?;
    install::node(&home, &from)?;
    install::python(&home.join("python"), &requirements)
        .context("installing the Python servers and clients")?;
    Ok(home)
}

fn install_clients() -> Result<()> {
    let (from, home) = (workspace().join("mcp/interop/clients"), shell::target_dir()?.join("mcp-clients"));
    install::node_unlocked(&home, &from)?;
    install::python(&home.join("python"), &from.join(REQUIREMENTS)).context("installing the Python clients")
}

fn install_servers() -> Result<()> {
    let (from, home) = (workspace().join("mcp/interop/servers"), shell::target_dir()?.join("mcp-servers"));
    install::node_without_scripts(&home, &from)?;
    for (environment, requirements) in [("python", REQUIREMENTS), ("python-1", "requirements-1.txt")] {
        let requirements = from.join(requirements);
        install::python(&home.join(environment), &requirements).context("installing the Python servers")?;
    }
    Ok(())
}

/// Copies the files of a folder that has no folders; files that are gone are removed.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("removing {}", to.display()))?;
    }
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))
            .with_context(|| format!("copying {}", entry.path().display()))?;
    }
    Ok(())
}
