//! The npm packages from a registry: the library in a project, and the command by npx.

use std::fs;

use anyhow::{Context, Result, ensure};
use xtask::component::output;

use super::super::files;
use super::super::release::Release;
use super::checks::{self, PRINTS_ROWS};
use super::client;
use super::clock::first_envelope;
use super::home::{Home, node_directory, python};
use super::launcher::Launcher;
use super::npm_registry::{self, npm_program};
use super::readme;
use crate::shell;

/// Stands before the example of the README: an output, and a call as a model makes it.
const BEFORE: &str = "\
const rows = JSON.stringify({ rows: [...Array(200_000).keys()] });
const call = { get arguments() { return { artifact_id: view.artifacts[0].id, filter: '.rows | length' }; } };
";

/// Stands behind the example.
const AFTER: &str = "\
if (reply.text.trim() !== '200000') throw new Error(`jq found ${reply.text} rows`);
console.log(view.text);
";

/// Installs the library from the registry and runs its first lines, then starts the command by npx.
pub fn verify(release: &Release) -> Result<()> {
    let registry = npm_registry::start(release)?;
    let empty = |name| {
        let home = Home::new(release, name, &[node_directory()?])?;
        anyhow::Ok(home.with("npm_config_registry", format!("http://{}/", registry.address())))
    };

    let home = empty("npm")?;
    let example = format!("{BEFORE}{}{AFTER}", readme::example("js")?);
    first_envelope("npm install tuckaway", || {
        let mut install = home.command(npm_program("npm")?)?;
        shell::succeed(install.args(["install", "--silent", "tuckaway"])).context("installing by npm")?;
        files::write(&home.directory.join("view.mjs"), &example)?;
        output(home.command("node")?.arg("view.mjs"))
    })?;
    let installed = fs::read_dir(home.directory.join("node_modules/@tuckaway"));
    let installed = installed.context("npm installed no command")?.count();
    ensure!(installed == 1, "npm installed the commands of {installed} platforms");

    let home = empty("npx")?;
    let npx = Launcher { home: &home, words: vec![npm_program("npx")?.into(), "tuckaway".into()] };
    first_envelope("npx tuckaway", || {
        output(npx.command(&["exec", "--"])?.arg(python()?).args(["-c", PRINTS_ROWS]))
    })?;
    checks::run(&npx, &release.version)?;
    client::run(&npx)
}
