//! `cargo xtask`: builds, demonstrates, tests, packages and measures tuckaway.

use std::process::ExitCode;

mod adapters;
mod args;
mod budget;
mod composed;
mod contract;
mod demo;
mod dist;
mod examples;
mod interop;
mod javascript;
mod package;
mod python;
mod suites;
mod verify;

use args::Command;
use xtask::{object_servers, shell, workspace};

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
        Command::Adapters { only_wasi } => match only_wasi {
            true => composed::run(),
            false => adapters::run().and_then(|()| composed::run()),
        },
        Command::Contract => contract::run(&workspace()),
        Command::Demo => demo::run(),
        Command::Check => verify::check(),
        Command::Test(selection) => verify::run(&selection),
        Command::ListSteps => {
            verify::list();
            Ok(())
        }
        Command::Step(name) => verify::step(&name),
        Command::Suites => suites::fetch_all(),
        Command::Package => package::run(),
        Command::Dist(options) => dist::run(&options),
        Command::Playground => javascript::playground(),
        Command::Python(only) => python(&only),
        Command::Bench(args) => bench(&args),
        Command::Interop(sections) => interop(&sections),
        Command::ObjectServers { is_json } => install_object_servers(is_json),
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
    let run = ["run", "--release", "--package", "tuckaway-bench"];
    // The others need no implementation of WASI.
    let features = match args.iter().any(|arg| arg == "composed") {
        true => &["--features", "wasi", "--"][..],
        false => &["--"],
    };
    let args = args.iter().map(String::as_str);
    shell::cargo(run.into_iter().chain(features.iter().copied()).chain(args))
}

fn interop(sections: &[String]) -> anyhow::Result<()> {
    shell::cargo(["build", "--package", "tuckaway-cli"])?;
    interop::run(sections, &shell::command_line()?)
}

fn python(only: &[String]) -> anyhow::Result<()> {
    shell::cargo(["build", "--package", "tuckaway-cli"])?;
    python::run(only, &shell::command_line()?)
}

/// Installs the servers and prints where they are.
fn install_object_servers(is_json: bool) -> anyhow::Result<()> {
    let servers = object_servers::ensure(&shell::target_dir()?)?;
    match is_json {
        true => println!("{}", servers.to_json()),
        false => {
            let [s3s_fs, moto, azurite] =
                [&servers.s3s_fs, &servers.moto, &servers.azurite].map(|path| path.display());
            println!("s3s-fs:  {s3s_fs}\nmoto:    {moto}\nazurite: {azurite}");
        }
    }
    Ok(())
}
