//! Runs other programs in the workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Creates a cargo command that reuses the build of a cargo typed by hand.
pub fn cargo_command() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace());
    with_this_program(&mut command);
    without_package(&mut command);
    command
}

/// Lets the build script of `tuckaway-host` build the component with this program instead of compiling
/// another.
pub fn with_this_program(command: &mut Command) {
    if let Ok(this) = env::current_exe() {
        command.env("TUCKAWAY_XTASK", this);
    }
}

/// Removes the variables that describe this package: they would cause recompilation in a cargo
/// that the command starts.
pub fn without_package(command: &mut Command) {
    let describes = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(describes)) {
        command.env_remove(name);
    }
}

/// Runs cargo. Returns an error if it fails; cargo itself prints why.
pub fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Result<()> {
    succeed(cargo_command().args(args))
}

/// Creates an npm command; on Windows, npm is a shell script.
pub fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Runs a command until it ends. Returns an error if it fails.
pub fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("running {}", line(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", line(command));
    }
    Ok(())
}

/// Installs packages of Debian, which needs root. Returns an error if that fails.
pub fn install_debian_packages(packages: &[&str]) -> Result<()> {
    eprintln!("Installing {} from Debian's packages.", packages.join(" and "));
    succeed(Command::new("apt-get").args(["update", "-q"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-q", "-y", "--no-install-recommends"]).args(packages);
    succeed(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Returns the path of the command `tuckaway`, which cargo builds next to this program.
pub fn command_line() -> Result<PathBuf> {
    let program = profile_dir()?.join(format!("tuckaway{}", env::consts::EXE_SUFFIX));
    if !program.is_file() {
        bail!("{} was not built; `cargo build --package tuckaway-cli` builds it", program.display());
    }
    Ok(program)
}

/// Returns the target directory that cargo uses.
pub fn target_dir() -> Result<PathBuf> {
    Ok(profile_dir()?.parent().unwrap_or(Path::new("")).to_owned())
}

/// Returns the directory in which cargo builds programs.
fn profile_dir() -> Result<PathBuf> {
    let this = env::current_exe().context("finding this program")?;
    Ok(this.parent().unwrap_or(Path::new("")).to_owned())
}

/// Formats a command as one would type it.
pub fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let words = program.file_name().into_iter().chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:/.,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("/usr/bin/tuckaway");
        command.args(["jq", "art_1", ".a | length", "it's", ""]);
        assert_eq!(line(&command), r"tuckaway jq art_1 '.a | length' 'it'\''s' ''");
    }
}
