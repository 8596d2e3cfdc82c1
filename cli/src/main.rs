//! The command line `tuckaway`: the engine for shells, and for agents in any
//! language that can run a command.
//!
//! Output for the model goes to stdout, everything else to stderr.

mod args;
mod beginning;
mod choice;
mod color;
mod commands;
mod docs;
mod exec;
mod exit;
mod explain;
mod extract;
mod files;
mod grep;
#[cfg(feature = "mcp")]
mod hook;
mod jq;
mod manage;
#[cfg(feature = "mcp")]
mod mcp;
mod offload;
mod operands;
mod pager;
mod parse;
mod plan;
mod print;
mod progress;
mod read;
mod reduce;
mod setup;
mod signals;
mod sink;
mod source;
mod stats;
mod too_big;
mod transcript;
mod usage;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Outcome;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::report(error),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(8).build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("tuckaway: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = runtime.block_on(run(&cli));
    // Does not wait for the thread that reads a pipe which a background process holds.
    runtime.shutdown_background();
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            if let Some(message) = failure.message {
                eprintln!("tuckaway: {message}");
            }
            ExitCode::from(failure.status)
        }
    }
}

async fn run(cli: &Cli) -> Outcome {
    match &cli.command {
        Command::Offload(args) => offload::run(cli, args).await,
        Command::Exec(args) => exec::run(cli, args).await,
        Command::Read(args) => read::run(cli, args).await,
        Command::Grep(args) => grep::run(cli, args).await,
        Command::Jq(args) => jq::run(cli, args).await,
        Command::Shape(args) => reduce::shape(cli, args).await,
        Command::Truncate(args) => reduce::truncate(cli, args).await,
        Command::Plan(args) => plan::run(cli, args).await,
        Command::Extract(args) => extract::run(cli, args).await,
        #[cfg(feature = "mcp")]
        Command::Mcp(command) => mcp::run(cli, command).await,
        #[cfg(feature = "mcp")]
        Command::Hook(command) => hook::run(cli, command),
        Command::List => manage::list(cli).await,
        Command::Stat { id } => manage::stat(cli, id).await,
        Command::Sessions => manage::sessions(cli).await,
        Command::Stats(args) => stats::run(cli, args).await,
        Command::Gc => manage::collect_garbage(cli).await,
        Command::Rm(args) => manage::remove(cli, args).await,
        Command::Completions { shell } => docs::completions(*shell),
        Command::Man { output: Some(directory), .. } => docs::man_pages(directory),
        Command::Man { command, output: None } => docs::man(command.as_deref()),
        Command::Tools { dialect, tools, detailed } => manage::tools(cli, tools, *dialect, *detailed).await,
        Command::Call { name, arguments, max_bytes } => manage::call(cli, name, arguments, *max_bytes).await,
    }
}
