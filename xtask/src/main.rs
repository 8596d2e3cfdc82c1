//! `cargo xtask`: builds, demonstrates, tests, packages and measures tuckaway.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod args;
mod budget;
mod demo;
mod interop;
mod javascript;
mod package;
mod shell;
mod suites;
mod test;

use args::Command;

fn main() -> ExitCode {
    let command = match args::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("error: {error}\n`cargo xtask --help` shows the commands");
            return ExitCode::from(2);
        }
    };
    let result = match command {
        Command::Help => {
            print!("{}", args::HELP);
            Ok(())
        }
        Command::Component(options) => budget::run(&options),
        Command::Demo => demo::run(),
        Command::Test { without } => test::run(&without),
        Command::Suites => suites::fetch_all(),
        Command::Package => package::run(),
        Command::Playground => javascript::playground(),
        Command::Bench(args) => bench(&args),
        Command::Interop(sections) => interop(&sections),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bench(args: &[String]) -> anyhow::Result<()> {
    if let Err(error) = suites::fetch(suites::JSON_EXAMPLES) {
        eprintln!("{error:#}. The rows that use this data are measured on generated data instead.");
    }
    let run = ["run", "--release", "--package", "tuckaway-host-test", "--bin", "bench", "--"];
    shell::cargo(run.into_iter().chain(args.iter().map(String::as_str)))
}

fn interop(sections: &[String]) -> anyhow::Result<()> {
    shell::cargo(["build", "--package", "tuckaway-cli"])?;
    interop::run(sections, &shell::command_line()?)
}

/// Returns the directory of the workspace's `Cargo.toml`. It is determined at run time: a
/// target directory may be shared by checkouts, and outlive the one it was built from.
fn workspace() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = Path::new(&package);
    package.parent().expect("this package is in a workspace").to_path_buf()
}
