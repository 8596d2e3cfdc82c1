//! `tuckaway mcp`: for agents that speak the Model Context Protocol.

mod install;
mod log;
mod login;
mod run;
mod settings;
mod tools;

pub use install::warn_if_not_found;

use crate::args::{Cli, Mcp};
use crate::exit::Outcome;

pub async fn run(cli: &Cli, command: &Mcp) -> Outcome {
    match command {
        Mcp::Proxy(args) => run::proxy(cli, args).await,
        Mcp::Serve(args) => run::serve(cli, args).await,
        Mcp::Tools(args) => tools::run(cli, args).await,
        Mcp::Install(args) => install::run(cli, args),
        Mcp::LogIn(args) => login::login(cli, args).await,
        Mcp::LogOut(args) => login::logout(cli, args).await,
        Mcp::Logins(_) => login::logins(cli),
    }
}
