//! The command `tuckaway` for one platform, with its man pages and completions.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::component::source_flags;

use super::release::Release;
use super::{component, files, tools};
use crate::{shell, workspace};

/// The shells that the command prints completions for, with the names of the files.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "tuckaway.bash"),
    ("elvish", "tuckaway.elv"),
    ("fish", "tuckaway.fish"),
    ("powershell", "_tuckaway.ps1"),
    ("zsh", "_tuckaway"),
];

/// The feature with which a build makes machine code for another processor.
pub const CROSS: &str = "tuckaway-host/cross";

/// Directories with the documentation that the command prints.
pub struct Pages {
    /// The man pages.
    pub man: PathBuf,
    /// The completions.
    pub completions: PathBuf,
}

/// Builds the command and returns its path. It has the features that the native module of Python
/// has, so that dependencies are compiled once for both.
pub fn build(release: &Release, component: &component::Paths) -> Result<PathBuf> {
    let target = &release.target;
    let mut cargo = shell::cargo_command();
    cargo.arg(if target.is_cross { "zigbuild" } else { "build" });
    cargo.args(["--locked", "--package", "tuckaway-cli", "--package", "tuckaway-features"]);
    cargo.args(["--features", "tuckaway-features/http", "--profile", &release.profile]);
    if target.is_foreign {
        cargo.args(["--features", CROSS]);
    }
    if target.is_cross {
        tools::find_zig(&mut cargo)?;
        cargo.args(["--target", &target.zig_name()]);
    }
    prepare(&mut cargo, release, component);
    shell::succeed(&mut cargo).context("building the command")?;
    let mut path = shell::target_dir()?;
    if target.is_cross {
        path.push(target.platform.target);
    }
    // The directory of the profile `dev` has another name than the profile.
    path.push(if release.profile == "dev" { "debug" } else { &release.profile });
    Ok(path.join(target.platform.program("tuckaway")))
}

/// Has a build embed the component, and keeps the paths of this machine out of the binaries. In the
/// profile of tests, the build shares compiled code with the tests: they embed a component of the same
/// sources, and the paths stay.
pub fn prepare(command: &mut Command, release: &Release, component: &component::Paths) {
    if release.profile != "dev" {
        command.env("TUCKAWAY_COMPONENT", &component.sealed);
        command.env("CARGO_ENCODED_RUSTFLAGS", source_flags(&workspace()).join("\x1f"));
    }
}

/// Has the command write its man pages and completions. It must run on this machine, or in an emulator.
pub fn pages(release: &Release, command: &Path) -> Result<Pages> {
    let pages = Pages { man: release.work.join("man"), completions: release.work.join("completions") };
    files::empty_directory(&pages.man)?;
    files::empty_directory(&pages.completions)?;
    let advice = || {
        let variable = release.target.runner_variable();
        format!("{} must run on this machine; set {variable} to an emulator", command.display())
    };
    let started = || {
        let words = release.target.words_of(command);
        let mut started = Command::new(&words[0]);
        started.args(&words[1..]);
        started
    };
    shell::succeed(started().args(["man", "--output"]).arg(&pages.man)).with_context(advice)?;
    for (shell, file) in SHELLS {
        let script = started().args(["completions", shell]).output().with_context(advice)?;
        anyhow::ensure!(script.status.success(), "tuckaway completions {shell} failed ({})", script.status);
        files::write(&pages.completions.join(file), script.stdout)?;
    }
    Ok(pages)
}
