//! The command line of `cargo xtask`. It is parsed with a small library, so that the first
//! build is fast.

use lexopt::prelude::{Long, Short, Value};
use lexopt::{Error, Parser, ValueExt};
use xtask::component::{Options, Toolchain, Variant};

use crate::verify::Selection;
use crate::{dist, workspace};

/// The output of `--help`.
pub const HELP: &str = "\
Builds, demonstrates, tests, packages and measures tuckaway

Usage: cargo xtask COMMAND

Commands:
  component   Build the component and show its imports and its size against the
              budget. Writes target/tuckaway.wasm, which imports a store and a
              token counter and nothing else; fails if it imports more, or is over
              its budget. Installs the compiler's target if it is missing.
      --wasi             build for wasm32-wasip2 instead: target/tuckaway-wasi.wasm,
                         which has the wasi:* imports of Rust's standard library
                         and no budget
      --toolchain NAME   auto: the installed one, else rustup, else Debian [default]
                         rustup: the rustc that cargo uses, with rustup's target
                         debian: Debian's rustc-web and rust-web-src
      --no-install       fail if part of the toolchain is missing
      --output FILE      the file to write
      --target-dir DIR   where cargo keeps its work [default: target/component]
  adapters    Build the modules for hosts without the component model and the components
              for hosts with nothing but WASI into target/, and run the cases in such
              hosts
      --wasi             only the components
  contract    Write what follows from wit/: the records of Rust and the conversions of the
              component
  demo        Store a real tool output and query it, with every command shown
  check       Check format, lints, unit tests, the cases natively and in wasmtime, and
              the layout of the sources: what to run while working
  test        Run every check, several at the same time: those of `check`, properties,
              stores, documentation, packages, the npm package, the Python package,
              MCP. Prints a line for each step, and the log of one that fails; all
              logs are in target/test-logs.
      --only NAME        run only this step or group of steps, and what it needs; may
                         be given more than once
      --without NAME     omit a step that this machine cannot run: wasi, adapters-wasi,
                         component-lints
      --list             list the steps with their groups
  suites      Fetch the third-party test suites and data that the tests and benches
              read, by name, version and hash, into target/suites
  package     Package all published crates, and build a program with them outside
              of the repository. Writes target/package/*.crate.
  dist        Make a release in target/dist: the component with metadata, its wasip2 build,
              the contract as a WIT package, an archive of the command with man pages
              and completions, the wheel and the sdist, the npm packages, the crates
              in the order of publishing, licences of dependencies, bills of materials,
              SHA256SUMS
      --target NAME      the platform by Rust's name, and perhaps the oldest glibc:
                         x86_64-unknown-linux-gnu.2.17; a platform other than this
                         machine's is compiled by cargo-zigbuild, which is installed
      --profile NAME     cargo's profile [default: distribution]
      --only PART        shared: what is the same on every platform; platform: the rest.
                         Keeps what is in target/dist
      --verify           make nothing: install what target/dist has into empty homes
                         without Rust, and run it
  playground  Build the npm package and serve the browser playground
  python      Build the Python wheel, install it into environments below
              target/python, check format, lints and types, and run all tests, those
              with the agent frameworks among them. Arguments go to pytest, such as
              -k NAME; with any, only tests run.
  mcp-interop Run real MCP servers and clients with the proxy and without, and compare
              what they get: all, or the sections whose names contain one of the
              given texts. Installs them into target/mcp-interop.
      --clients          run ten clients that people use, such as Claude Code and Codex,
                         with a scripted model. Installs them into target/mcp-clients
      --servers          run twenty-five servers that people use on prepared data, and
                         find a fact in each large result. Installs them into
                         target/mcp-servers
      --write            with --servers: put the table into docs/mcp.md
  object-servers
              Install the servers that tests of stores start, two with the API of S3
              and Azurite, into target/object-servers, and print where they are. The
              tests do it too.
  bench       Measure against the performance budget, in a release build: offload,
              or the named ones of offload, real, queries, programs, hostile, kinds,
              views, estimates, plan, session, needles, mcp, stores, start, size; jq is
              short for programs and queries; real measures the files of a directory,
              if one is given
      --soak MINUTES     with mcp: calls of all kinds for so long
      --json             print JSON
      --write            put the tables into docs/performance.md, all of them if
                         none is named
";

/// One command.
#[derive(Debug)]
pub enum Command {
    Help,
    Component(Options),
    Adapters {
        /// Only the components for hosts with nothing but WASI.
        only_wasi: bool,
    },
    Contract,
    Demo,
    Check,
    Test(Selection),
    ListSteps,
    /// The name of the step that `test` runs in a process.
    Step(String),
    Suites,
    Package,
    Dist(dist::Options),
    Playground,
    /// The arguments for pytest.
    Python(Vec<String>),
    /// The arguments for the benches.
    Bench(Vec<String>),
    /// The sections to run.
    Interop(Vec<String>),
    ObjectServers {
        is_json: bool,
    },
}

/// Parses a command line.
pub fn parse(mut parser: Parser) -> Result<Command, Error> {
    let name = match parser.next()? {
        None | Some(Short('h') | Long("help")) => return Ok(Command::Help),
        Some(Value(name)) => name.string()?,
        Some(other) => return Err(other.unexpected()),
    };
    let command = match name.as_str() {
        "component" => return component(parser),
        "bench" => return texts(&mut parser).map(Command::Bench),
        "mcp-interop" => return unless_help(texts(&mut parser)?, Command::Interop),
        "python" => return unless_help(texts(&mut parser)?, Command::Python),
        "adapters" => {
            return Ok(
                flag(parser, "wasi")?.map_or(Command::Help, |only_wasi| Command::Adapters { only_wasi })
            );
        }
        "object-servers" => {
            return Ok(
                flag(parser, "json")?.map_or(Command::Help, |is_json| Command::ObjectServers { is_json })
            );
        }
        "step" => return Ok(Command::Step(parser.value()?.string()?)),
        "check" => Command::Check,
        "contract" => Command::Contract,
        "demo" => Command::Demo,
        "test" => return test(parser),
        "dist" => return dist(parser),
        "suites" => Command::Suites,
        "package" => Command::Package,
        "playground" => Command::Playground,
        other => return Err(format!("unknown command {other:?}").into()),
    };
    match parser.next()? {
        None => Ok(command),
        Some(Short('h') | Long("help")) => Ok(Command::Help),
        Some(other) => Err(other.unexpected()),
    }
}

/// Returns the remaining arguments.
fn texts(parser: &mut Parser) -> Result<Vec<String>, Error> {
    parser.raw_args()?.map(|arg| arg.string()).collect()
}

/// Returns a command with its arguments, unless they ask for help.
fn unless_help(args: Vec<String>, command: impl FnOnce(Vec<String>) -> Command) -> Result<Command, Error> {
    let asks = args.iter().any(|arg| arg == "--help" || arg == "-h");
    Ok(if asks { Command::Help } else { command(args) })
}

/// Returns whether the only option of a command is given; `None` if help is asked for.
fn flag(mut parser: Parser, name: &str) -> Result<Option<bool>, Error> {
    let mut is_given = false;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long(given) if given == name => is_given = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(is_given))
}

fn test(mut parser: Parser) -> Result<Command, Error> {
    let mut selection = Selection::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("list") => return Ok(Command::ListSteps),
            Long("only") => selection.only.push(parser.value()?.string()?),
            Long("without") => selection.without.push(parser.value()?.string()?),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Command::Test(selection))
}

fn dist(mut parser: Parser) -> Result<Command, Error> {
    let mut options = dist::Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("target") => options.target = Some(parser.value()?.string()?),
            Long("profile") => options.profile = parser.value()?.string()?,
            Long("only") => options.part = parser.value()?.parse_with(part_named)?,
            Long("verify") => options.verify = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Command::Dist(options))
}

fn part_named(name: &str) -> Result<dist::Part, &'static str> {
    match name {
        "shared" => Ok(dist::Part::Shared),
        "platform" => Ok(dist::Part::Platform),
        _ => Err("write shared or platform"),
    }
}

fn component(mut parser: Parser) -> Result<Command, Error> {
    let (mut variant, mut toolchain, mut install) = (Variant::Sealed, Toolchain::Auto, true);
    let (mut output, mut target_dir) = (None, None);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("wasi") => variant = Variant::Wasi,
            Long("toolchain") => toolchain = parser.value()?.parse_with(toolchain_named)?,
            Long("no-install") => install = false,
            Long("output") => output = Some(parser.value()?.into()),
            Long("target-dir") => target_dir = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    let defaults = Options::new(workspace(), variant);
    Ok(Command::Component(Options {
        toolchain,
        install,
        output: output.unwrap_or(defaults.output),
        target_dir: target_dir.unwrap_or(defaults.target_dir),
        ..defaults
    }))
}

fn toolchain_named(name: &str) -> Result<Toolchain, &'static str> {
    match name {
        "auto" => Ok(Toolchain::Auto),
        "rustup" => Ok(Toolchain::Rustup),
        "debian" => Ok(Toolchain::Debian),
        _ => Err("write auto, rustup or debian"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parsed(args: &[&str]) -> Result<Command, Error> {
        parse(Parser::from_args(args))
    }

    #[test]
    fn commands_are_parsed() {
        for (args, expected) in [
            (&[][..], "Help"),
            (&["--help"], "Help"),
            (&["demo", "-h"], "Help"),
            (&["demo"], "Demo"),
            (&["check"], "Check"),
            (&["step", "node"], r#"Step("node")"#),
            (&["test"], "Test(Selection { only: [], without: [] })"),
            (&["test", "--list"], "ListSteps"),
            (
                &["test", "--only", "node", "--without=wasi"],
                r#"Test(Selection { only: ["node"], without: ["wasi"] })"#,
            ),
            (&["suites"], "Suites"),
            (&["package"], "Package"),
            (&["playground"], "Playground"),
            (&["python", "-k", "corpus"], r#"Python(["-k", "corpus"])"#),
            (&["python", "-h"], "Help"),
            (&["mcp-interop"], "Interop([])"),
            (&["mcp-interop", "stdio"], r#"Interop(["stdio"])"#),
            (&["mcp-interop", "--servers", "--write"], r#"Interop(["--servers", "--write"])"#),
            (&["object-servers"], "ObjectServers { is_json: false }"),
            (&["object-servers", "--json"], "ObjectServers { is_json: true }"),
            (&["bench", "queries", "--size", "1"], r#"Bench(["queries", "--size", "1"])"#),
        ] {
            assert_eq!(format!("{:?}", parsed(args).unwrap()), expected, "{args:?}");
        }
        for wrong in
            [&["demon"][..], &["demo", "x"], &["component", "--size"], &["component", "--toolchain", "x"]]
        {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_release_has_its_options() {
        let release = |args: &[&str]| match parsed(args).unwrap() {
            Command::Dist(options) => options,
            other => panic!("{other:?}"),
        };
        assert_eq!(release(&["dist"]), dist::Options::default());
        let options = release(&["dist", "--only=platform", "--target", "a", "--profile", "dev", "--verify"]);
        let expected = dist::Options {
            target: Some("a".to_owned()),
            profile: "dev".to_owned(),
            part: dist::Part::Platform,
            verify: true,
        };
        assert_eq!(options, expected);
        assert!(parsed(&["dist", "--only", "x"]).is_err());
    }

    #[test]
    fn a_build_has_its_options() {
        let build = |args: &[&str]| match parsed(args).unwrap() {
            Command::Component(options) => options,
            other => panic!("{other:?}"),
        };
        let options = build(&["component"]);
        assert_eq!(
            (options.variant, options.toolchain, options.install),
            (Variant::Sealed, Toolchain::Auto, true)
        );
        assert_eq!(options.output, workspace().join("target/tuckaway.wasm"));
        let options = build(&[
            "component",
            "--wasi",
            "--no-install",
            "--toolchain=rustup",
            "--output",
            "x",
            "--target-dir",
            "y",
        ]);
        assert_eq!(
            (options.variant, options.toolchain, options.install),
            (Variant::Wasi, Toolchain::Rustup, false)
        );
        assert_eq!((&*options.output, &*options.target_dir), (Path::new("x"), Path::new("y")));
    }
}
