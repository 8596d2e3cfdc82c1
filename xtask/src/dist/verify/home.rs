//! An empty home, in which programs run without the environment of this machine.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::component::output;

use super::super::files;
use super::super::release::Release;

/// Variables without which programs do not start on Windows.
const KEPT: [&str; 4] = ["COMSPEC", "PATHEXT", "SystemRoot", "TEMP"];

/// The home.
pub struct Home {
    /// Its directory.
    pub directory: PathBuf,
    /// The directories in which programs are found.
    path: Vec<PathBuf>,
    /// Variables of all programs.
    settings: Vec<(&'static str, String)>,
}

impl Home {
    /// Makes an empty home. Its search path has `path` first, then the programs of the system.
    pub fn new(release: &Release, name: &str, path: &[PathBuf]) -> Result<Self> {
        let directory = Self::directory(release, name);
        files::empty_directory(&directory)?;
        let system: &[&str] = if cfg!(windows) { &[r"C:\Windows\System32"] } else { &["/usr/bin", "/bin"] };
        let path = [path, &system.iter().map(PathBuf::from).collect::<Vec<_>>()].concat();
        if let Some(with_rust) = path.iter().find(|directory| directory.join("cargo").exists()) {
            bail!(
                "{} contains cargo, so this machine cannot show that the packages run without Rust; remove it, or \
                 verify on another machine",
                with_rust.display()
            );
        }
        Ok(Home { directory, path, settings: Vec::new() })
    }

    /// Returns the directory of the home with this name.
    pub fn directory(release: &Release, name: &str) -> PathBuf {
        release.work.join("verify").join(name)
    }

    /// Sets a variable for all programs, such as the address of a registry.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    /// Creates a command that runs a program in the home.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Result<Command> {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.directory);
        for name in KEPT {
            command.envs(env::var_os(name).map(|value| (name, value)));
        }
        command.env("HOME", &self.directory).env("USERPROFILE", &self.directory);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.env("PATH", env::join_paths(&self.path).context("the directories of programs")?);
        Ok(command)
    }
}

/// Returns the path of the real python3, not of a script that chooses one.
pub fn python() -> Result<PathBuf> {
    let path = output(Command::new("python3").args(["-c", "import sys; print(sys.executable)"]))?;
    Ok(PathBuf::from(path.trim()))
}

/// Returns the directory with Node.
pub fn node_directory() -> Result<PathBuf> {
    let path = output(Command::new("node").args(["-p", "process.execPath"]))?;
    Ok(Path::new(path.trim()).parent().context("node is in no directory")?.to_owned())
}
