//! The Python package: a wheel with the native module and the command, and the source distribution.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::command::{CROSS, Pages, prepare};
use super::release::Release;
use super::{bill, component, files, licences, tools};
use crate::{shell, workspace};

/// The folder of the packages in a release.
pub const FOLDER: &str = "python";

/// Builds the wheel. The command and its man pages are in the directories from which installers copy
/// them, as `uvx tuckaway` and `pipx install tuckaway` expect.
pub fn wheel(
    release: &Release,
    component: &component::Paths,
    command: &Path,
    pages: &Pages,
    notices: &str,
) -> Result<()> {
    let target = &release.target;
    let data = Data::new(&package())?;
    files::copy(command, &data.0.join("scripts").join(target.platform.program("tuckaway")))?;
    for page in files::below(&pages.man)? {
        let name = page.file_name().unwrap_or_default();
        files::copy(&page, &data.0.join("data/share/man/man1").join(name))?;
    }
    files::write(&data.0.join("data/share/doc/tuckaway").join(licences::FILE), notices)?;
    let bill = release.work.join(bill::PYTHON);
    files::write(&bill, bill::python(release)?)?;
    let mut maturin = maturin(release)?;
    maturin.args(["build", "--locked", "--profile", &release.profile, "--out"]).arg(folder(release));
    maturin.arg("--sbom-include").arg(&bill);
    if target.is_foreign {
        maturin.args(["--features", CROSS]);
    }
    if target.is_cross {
        tools::find_zig(&mut maturin)?;
        maturin.args(["--zig", "--target", target.platform.target]);
    }
    match (&target.glibc, target.platform.npm_libc) {
        (Some(glibc), _) => {
            let tag = format!("manylinux_{}", glibc.replace('.', "_"));
            maturin.args(["--compatibility", &tag]);
        }
        (None, Some("musl")) => {
            maturin.args(["--compatibility", "musllinux_1_2"]);
        }
        // The oldest that this machine's libraries allow.
        (None, _) => {}
    }
    prepare(&mut maturin, release, component);
    shell::succeed(&mut maturin).context("building the wheel")
}

/// Packs the sources of the native module, with the component but without the command.
pub fn sdist(release: &Release) -> Result<()> {
    let mut maturin = maturin(release)?;
    maturin.args(["sdist", "--out"]).arg(folder(release));
    shell::succeed(&mut maturin).context("packing the sources of the Python package")
}

fn package() -> PathBuf {
    workspace().join("python")
}

fn folder(release: &Release) -> PathBuf {
    release.directory.join(FOLDER)
}

fn maturin(release: &Release) -> Result<Command> {
    let mut maturin = Command::new(tools::python("maturin")?);
    maturin.current_dir(package());
    // Archives have this time. Build scripts that compile C run again for another value, and so would those
    // of the tests, whose profile this is.
    if release.profile != "dev" {
        maturin.env("SOURCE_DATE_EPOCH", release.time.to_string());
    }
    shell::without_package(&mut maturin);
    Ok(maturin)
}

/// The directory whose files maturin adds to the wheel: it has the name of the native module. It is removed
/// at the end, so that other builds of the wheel do not find it.
struct Data(PathBuf);

impl Data {
    fn new(package: &Path) -> Result<Self> {
        let path = package.join("tuckaway._native.data");
        files::empty_directory(&path)?;
        Ok(Data(path))
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // The next build empties the directory first.
        let _ = fs::remove_dir_all(&self.0);
    }
}
