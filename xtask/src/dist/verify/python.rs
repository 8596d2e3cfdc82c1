//! The wheel: installed by pip, and run by uvx.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::component::output;
use xtask::install::python_program;

use super::super::python::FOLDER;
use super::super::release::Release;
use super::super::{files, tools};
use super::checks;
use super::home::{Home, python};
use super::launcher::Launcher;
use crate::shell;

/// Installs the wheel and runs the library and the command.
pub fn verify(release: &Release) -> Result<()> {
    let packages = release.directory.join(FOLDER);
    let home = Home::new(release, "pip", &[])?;
    let environment = home.directory.join("environment");
    shell::succeed(home.command(python()?)?.args(["-m", "venv"]).arg(&environment))?;
    let mut pip = home.command(python_program(&environment, "pip"))?;
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--only-binary", ":all:"]);
    shell::succeed(pip.arg("--find-links").arg(&packages).arg("tuckaway")).context("installing by pip")?;

    let file = home.directory.join("output.txt");
    files::write(&file, "a line\n".repeat(300_000))?;
    let mut module = home.command(python_program(&environment, "python"))?;
    let view = output(module.args(["-m", "tuckaway"]).arg(&file))?;
    let view: Value = serde_json::from_str(&view).context("the library printed no envelope")?;
    ensure!(view["artifact_id"].is_string(), "the library printed {view}");
    let command = python_program(&environment, "tuckaway");
    checks::run(&Launcher::program(&home, &command), &release.version)?;

    let home = Home::new(release, "uvx", &[])?;
    let mut words = vec![tools::python("uvx")?.into_os_string()];
    words.extend(["--quiet", "--no-index", "--python-preference", "only-system", "--python"].map(Into::into));
    words.extend([python()?.into(), "--find-links".into(), packages.into(), "tuckaway".into()]);
    checks::run(&Launcher { home: &home, words }, &release.version)
}
