//! The wheel from a package index: installed by pip, and run by uvx.

use anyhow::{Context, Result};
use xtask::component::output;
use xtask::install::python_program;

use super::super::release::Release;
use super::super::{files, tools};
use super::checks::{self, PRINTS_ROWS};
use super::client;
use super::clock::first_envelope;
use super::home::{Home, node_directory, python};
use super::launcher::Launcher;
use super::{python_index, readme};
use crate::shell;

/// Stands before the example of the README: an output, and a call as a model makes it.
const BEFORE: &str = "\
import json

rows = json.dumps({'rows': list(range(200000))})


class Call:
    arguments = property(lambda _: {'artifact_id': view.artifacts[0].id, 'filter': '.rows | length'})


call = Call()
";

/// Stands behind the example.
const AFTER: &str = "\
assert reply.text.strip() == '200000', reply.text
print(view.text)
";

/// Installs the wheel from the index and runs its first lines and the command, then starts the command by
/// uvx.
pub fn verify(release: &Release) -> Result<()> {
    let index = python_index::start(release)?;
    let address = format!("http://{}/simple/", index.address());

    let home = Home::new(release, "pip", &[])?.with("PIP_INDEX_URL", &*address);
    let home = home.with("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    let environment = home.directory.join("environment");
    let example = format!("{BEFORE}{}{AFTER}", readme::example("python")?);
    first_envelope("pip install tuckaway", || {
        shell::succeed(home.command(python()?)?.args(["-m", "venv"]).arg(&environment))?;
        let mut pip = home.command(python_program(&environment, "pip"))?;
        // With the sources, pip would compile the package if it refused the wheel.
        pip.args(["install", "--quiet", "--only-binary", ":all:", "tuckaway"]);
        shell::succeed(&mut pip).context("installing by pip")?;
        files::write(&home.directory.join("view.py"), &example)?;
        output(home.command(python_program(&environment, "python"))?.arg("view.py"))
    })?;
    let command = python_program(&environment, "tuckaway");
    checks::run(&Launcher::program(&home, &command), &release.version)?;

    let home = Home::new(release, "uvx", &[node_directory()?])?.with("UV_DEFAULT_INDEX", address);
    // Otherwise uv may download an interpreter.
    let home = home.with("UV_PYTHON_DOWNLOADS", "never").with("UV_PYTHON", python()?.to_string_lossy());
    let uvx = Launcher { home: &home, words: vec![tools::python("uvx")?.into(), "tuckaway".into()] };
    first_envelope("uvx tuckaway", || {
        output(uvx.command(&["exec", "--"])?.arg(python()?).args(["-c", PRINTS_ROWS]))
    })?;
    checks::run(&uvx, &release.version)?;
    client::run(&uvx)
}
