//! Measures what docs/performance.md promises, each against a peer in the same run:
//! `cargo xtask bench [NAME]... [DIRECTORY] [--json | --write]`. The names are in [`Bench`];
//! without one, `offload` is measured. `--write` puts the tables into
//! docs/performance.md, all of them if no name is given. Machines are noisy: read
//! the ratios, not the figures.
//!
//! `real` measures the files of a directory, or the examples that were fetched.
//!
//! `session` also draws docs/session.svg if it is written. `jq` is short for `programs` and `queries`.
//!
//! `cargo xtask bench mcp --soak MINUTES` calls tools through the MCP proxy for this time, and
//! watches its memory.
//!
//! `cargo xtask bench composed` measures the components for hosts with nothing but WASI. Its table is in
//! docs/plugin-hosts.md, where `--write` does not put it.
//!
//! `cargo xtask bench kinds --confusion` measures no time: it prints the kinds detected in
//! samples of all kinds, changed in many ways, and in random bytes.

mod clock;
#[cfg(feature = "wasi")]
mod composed;
mod estimates;
mod generated;
mod history;
mod hostile;
mod input;
mod kinds;
mod mcp;
mod needles;
mod offload;
mod page;
mod plan;
mod programs;
mod queries;
mod real;
mod report;
mod session;
mod size;
mod start;
mod stored;
mod stores;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use report::Report;

/// A benchmark.
#[derive(Clone, Copy, PartialEq)]
enum Bench {
    /// The time to turn a large document into its view.
    Offload,
    /// Single files, as people have them.
    Real,
    /// Queries on large artifacts.
    Queries,
    /// The time to turn each kind of content into its view.
    Kinds,
    /// Filters that compute, compared with native programs.
    Programs,
    /// Filters that are written to take forever.
    Hostile,
    /// The views of real outputs.
    Views,
    /// Estimated tokens compared with counted ones.
    Estimates,
    /// The time to plan a conversation.
    Plan,
    /// A session of many turns under several strategies.
    Session,
    /// The facts that an extraction finds in outputs of all sizes.
    Needles,
    /// Calls with and without the MCP proxy.
    Mcp,
    /// The cost of stores.
    Stores,
    /// The cost of a start: of an instance, a command, an MCP proxy.
    Start,
    /// The component's size.
    Size,
    /// The components for hosts with nothing but WASI.
    #[cfg(feature = "wasi")]
    Composed,
}

/// All benchmarks with their names, in the order of docs/performance.md.
const BENCHES: [(&str, Bench); 15] = [
    ("offload", Bench::Offload),
    ("real", Bench::Real),
    ("queries", Bench::Queries),
    ("programs", Bench::Programs),
    ("hostile", Bench::Hostile),
    ("kinds", Bench::Kinds),
    ("views", Bench::Views),
    ("estimates", Bench::Estimates),
    ("plan", Bench::Plan),
    ("session", Bench::Session),
    ("needles", Bench::Needles),
    ("mcp", Bench::Mcp),
    ("stores", Bench::Stores),
    ("start", Bench::Start),
    ("size", Bench::Size),
];

/// The benchmarks that this build adds, whose tables are written by hand.
const ADDED: &[(&str, Bench)] = &[
    #[cfg(feature = "wasi")]
    ("composed", Bench::Composed),
];

/// The destination of the tables.
#[derive(Clone, Copy, PartialEq)]
enum Output {
    Table,
    Json,
    Page,
    Confusion,
}

/// The parsed command line.
struct Request {
    benches: Vec<(&'static str, Bench)>,
    /// The files of `real`.
    directory: Option<PathBuf>,
    /// The minutes of `mcp`.
    soak: Option<u64>,
    output: Output,
}

impl Request {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Request> {
        let (mut benches, mut directory, mut soak, mut output) = (Vec::new(), None, None, Output::Table);
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match BENCHES.iter().chain(ADDED).copied().find(|(name, _)| *name == argument) {
                Some(bench) => benches.push(bench),
                None if argument == "jq" => {
                    benches.extend([("programs", Bench::Programs), ("queries", Bench::Queries)]);
                }
                None if argument == "--json" => output = Output::Json,
                None if argument == "--write" => output = Output::Page,
                None if argument == "--soak" => {
                    let minutes = arguments.next().and_then(|minutes| minutes.parse().ok());
                    soak = Some(minutes.context("--soak needs a number of minutes")?);
                }
                None if argument == "--confusion" => output = Output::Confusion,
                None if PathBuf::from(&argument).is_dir() => directory = Some(PathBuf::from(argument)),
                None => {
                    let names = BENCHES.map(|(name, _)| name).join(", ");
                    bail!(
                        "unknown argument {argument:?}; use {names}, a directory for real, --json, --write, mcp --soak MINUTES or kinds --confusion"
                    );
                }
            }
        }
        if output == Output::Confusion && benches != [("kinds", Bench::Kinds)] {
            bail!("--confusion is of kinds: use kinds --confusion");
        }
        if soak.is_some() && (benches != [("mcp", Bench::Mcp)] || output == Output::Page) {
            bail!("--soak is of mcp, and is not written: use mcp --soak MINUTES");
        }
        if output == Output::Page
            && let Some((name, _)) = benches.iter().find(|bench| ADDED.contains(bench))
        {
            bail!("the table of {name} is not in docs/performance.md");
        }
        if benches.is_empty() {
            let count = if output == Output::Page { BENCHES.len() } else { 1 };
            benches = BENCHES[..count].to_vec();
        }
        Ok(Request { benches, directory, soak, output })
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(ended) = mcp::run_child(&arguments).or_else(|| stores::run_child(&arguments)) {
        return match ended {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("bench: a child: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    measured(arguments)
}

#[tokio::main]
async fn measured(arguments: Vec<String>) -> ExitCode {
    let request = match Request::parse(arguments.into_iter()) {
        Ok(request) => request,
        Err(error) => {
            eprintln!("bench: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&request).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("bench: a budget was missed, see the table");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested benchmarks. Returns whether every budget was met.
async fn run(request: &Request) -> Result<bool> {
    let mut is_met = true;
    if request.output == Output::Confusion {
        print!("{}", kinds::confusion()?);
        return Ok(true);
    }
    for &(name, bench) in &request.benches {
        let report = measure(bench, request).await?;
        is_met &= report.meets_budget();
        match request.output {
            Output::Table => print!("{}", report.to_table()),
            Output::Json => print!("{}", report.to_json()),
            Output::Page => page::write(name, &report.to_table())?,
            Output::Confusion => {}
        }
    }
    Ok(is_met)
}

async fn measure(bench: Bench, request: &Request) -> Result<Report> {
    let is_written = request.output == Output::Page;
    let mut report = Report::default();
    match bench {
        Bench::Offload => offload::measure(&mut report).await,
        Bench::Real => real::measure(&mut report, request.directory.as_deref()).await?,
        Bench::Queries => queries::measure(&mut report).await?,
        Bench::Programs => programs::measure(&mut report).await?,
        Bench::Kinds => kinds::measure(&mut report).await?,
        Bench::Hostile => hostile::measure(&mut report).await?,
        Bench::Views => views::measure(&mut report).await?,
        Bench::Estimates => estimates::measure(&mut report).await?,
        Bench::Plan => plan::measure(&mut report).await?,
        Bench::Session => session::measure(&mut report, is_written).await?,
        Bench::Needles => needles::measure(&mut report).await?,
        Bench::Mcp => mcp::measure(&mut report, request.soak).await?,
        Bench::Stores => stores::measure(&mut report).await?,
        Bench::Start => start::measure(&mut report).await?,
        Bench::Size => size::measure(&mut report)?,
        #[cfg(feature = "wasi")]
        Bench::Composed => composed::measure(&mut report).await?,
    }
    Ok(report)
}
