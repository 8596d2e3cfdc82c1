//! The user's pager, for text that is too long for a terminal.

use std::env;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::exit::Failure;
use crate::signals::Signals;

/// The pager to run if `PAGER` is not set.
const DEFAULT: &str = if cfg!(windows) { "more.com" } else { "less" };

/// The options of `less` if `LESS` is not set: text that fits on the screen is printed
/// and stays there. Without -R, control characters are shown instead of interpreted.
const LESS: &str = "FX";

/// A running pager.
pub struct Pager {
    child: Child,
    stdin: Option<ChildStdin>,
    /// Ignores interrupts, which are for the pager.
    _signals: Signals,
}

impl Pager {
    /// Starts the pager. Returns `None` if none is configured or installed.
    pub fn start() -> Result<Option<Self>, Failure> {
        let mut command = match env::var_os("PAGER") {
            Some(pager) if pager.is_empty() => return Ok(None),
            Some(pager) => {
                // It may have arguments.
                let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
                let mut command = Command::new(shell);
                command.arg(flag).arg(pager);
                command
            }
            None => Command::new(DEFAULT),
        };
        if env::var_os("LESS").is_none() {
            command.env("LESS", LESS);
        }
        let signals = Signals::new().map_err(|error| cannot_run(&error))?;
        match command.stdin(Stdio::piped()).spawn() {
            Ok(mut child) => {
                let stdin = child.stdin.take();
                Ok(Some(Pager { child, stdin, _signals: signals }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot_run(&error)),
        }
    }

    /// Writes text to the pager. Returns false if the user has quit it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        let Some(stdin) = &mut self.stdin else { return Ok(false) };
        match stdin.write_all(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(Failure::new(format!("cannot write to the pager: {error}"))),
        }
    }

    /// Waits until the user quits the pager.
    pub fn wait(mut self) -> Result<(), Failure> {
        drop(self.stdin.take());
        self.child.wait().map(|_| ()).map_err(|error| Failure::new(format!("waiting for the pager: {error}")))
    }
}

fn cannot_run(error: &io::Error) -> Failure {
    Failure::new(format!("cannot run a pager: {error}"))
}
