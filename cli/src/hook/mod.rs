//! `tuckaway hook`: the shell of an agent's client runs its commands through `tuckaway exec`.
//!
//! ```text
//! call ─► shell (commands of the script) ─► wrap ─► rules ─► run (the client's answer)
//! ```

mod install;
mod rules;
mod run;
mod shell;
mod wrap;

use crate::args::{Cli, Hook};
use crate::exit::Outcome;

pub fn run(cli: &Cli, command: &Hook) -> Outcome {
    match command {
        Hook::Install(args) => install::install(cli, args),
        Hook::Uninstall(args) => install::uninstall(cli, args),
        Hook::Run { client } => run::run(client),
    }
}
