//! `cargo xtask`: builds, demonstrates, tests, packages and measures tuckaway.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use xtask::component::{Options, Toolchain, Variant};

mod budget;
mod demo;
mod javascript;
mod jq_suite;
mod package;
mod shell;
mod test;

/// Builds, demonstrates, tests, packages and measures tuckaway.
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
    /// Installs the target of the compiler if it is missing, and says so.
    Component(ComponentArgs),
    /// Put a real tool output away and query it, with every command shown
    Demo,
    /// Run every check: format, lints, documentation, both components, all tests,
    /// the npm package
    ///
    /// Stops at the first that fails and says what to do.
    Test,
    /// Package every crate that is published, and build a program outside of the
    /// repository with what was packaged
    ///
    /// Writes target/package/*.crate; the one of tuckaway-host carries the component.
    Package,
    /// Build the npm package and serve the browser playground
    Playground,
    /// Measure against the performance budget, in a release build; `queries`
    /// measures questions about large artifacts, `hostile` filters without an end
    Bench {
        /// Passed on to the benches
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
    /// Fail if part of the toolchain is missing, instead of installing it
    #[arg(long)]
    no_install: bool,
    /// The file to write [default: target/tuckaway.wasm or target/tuckaway-wasi.wasm]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where cargo keeps its work [default: target/component]
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
}

impl ComponentArgs {
    fn options(self) -> Options {
        let variant = if self.wasi { Variant::Wasi } else { Variant::Sealed };
        let defaults = Options::new(workspace(), variant);
        Options {
            toolchain: self.toolchain.into(),
            install: !self.no_install,
            output: self.output.unwrap_or(defaults.output),
            target_dir: self.target_dir.unwrap_or(defaults.target_dir),
            ..defaults
        }
    }
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
        Command::Component(args) => budget::run(&args.options()),
        Command::Demo => demo::run(),
        Command::Test => test::run(),
        Command::Package => package::run(),
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
