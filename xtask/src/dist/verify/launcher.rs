//! How a user starts an installed command.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::home::Home;

/// A program and arguments that precede the arguments of the command.
pub struct Launcher<'a> {
    /// Where it is installed.
    pub home: &'a Home,
    /// The program and the arguments.
    pub words: Vec<OsString>,
}

impl<'a> Launcher<'a> {
    /// Returns a launcher that is one program.
    pub fn program(home: &'a Home, path: &Path) -> Self {
        Launcher { home, words: vec![path.into()] }
    }

    /// Creates a command line.
    pub fn command(&self, args: &[&str]) -> Result<Command> {
        let mut words = self.words.iter();
        let mut command = self.home.command(words.next().context("a launcher has no program")?)?;
        command.args(words).args(args);
        Ok(command)
    }
}
