//! `tuckaway mcp`: for agents that speak the Model Context Protocol.

mod install;
mod settings;

use crate::args::{Cli, Mcp};
use crate::exit::Outcome;

pub fn run(cli: &Cli, command: &Mcp) -> Outcome {
    match command {
        Mcp::Install(args) => install::run(cli, args),
    }
}
