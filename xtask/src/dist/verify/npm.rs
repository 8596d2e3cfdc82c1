//! The npm packages: the library in a project, and the command by npx.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::component::output;

use super::super::files;
use super::super::npm::FOLDER;
use super::super::release::Release;
use super::checks;
use super::home::{Home, node_directory};
use super::launcher::Launcher;
use crate::shell;

/// The first example of the package's README, without a tokenizer from a registry.
const VIEW: &str = "\
import { DirStore, createTuckaway } from 'tuckaway';

const tuckaway = await createTuckaway({ store: DirStore.open('outputs'), contextWindow: 128_000 });
console.log(tuckaway.process({ tool: 'cat', content: 'a line\\n'.repeat(300_000) }).text);
";

/// Installs the library and the command of this platform from their files, and runs both.
pub fn verify(release: &Release) -> Result<()> {
    let packages = release.directory.join(FOLDER);
    let library = files::only(&packages, &format!("tuckaway-{}", release.version), ".tgz")?;
    let command = release.target.platform.npm_package().trim_start_matches('@').replace('/', "-");
    let command = files::only(&packages, &format!("{command}-{}", release.version), ".tgz")?;

    let home = Home::new(release, "npm", &[node_directory()?])?;
    files::write(&home.directory.join("package.json"), "{\"private\": true}\n")?;
    // Offline: the commands of other platforms are in no registry yet, and are not needed.
    let mut install = home.command(program("npm")?)?;
    install.args(["install", "--silent", "--offline", "--no-audit", "--no-fund"]);
    shell::succeed(install.arg(library).arg(command)).context("installing by npm")?;

    files::write(&home.directory.join("view.mjs"), VIEW)?;
    let view = output(home.command("node")?.arg("view.mjs"))?;
    let view: Value = serde_json::from_str(&view).context("the library printed no envelope")?;
    ensure!(view["artifact_id"].is_string(), "the library printed {view}");
    let words = vec![program("npx")?.into(), "--offline".into(), "tuckaway".into()];
    checks::run(&Launcher { home: &home, words }, &release.version)
}

/// Returns the path of npm or npx, which are shell scripts on Windows.
fn program(name: &str) -> Result<PathBuf> {
    let file = if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() };
    Ok(node_directory()?.join(file))
}
