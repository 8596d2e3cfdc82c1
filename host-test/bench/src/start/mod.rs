//! The cost of a start: of an instance of the component, of a command that does almost nothing
//! compared with native commands, of an MCP proxy.

mod command;
mod instance;

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::mcp::Child;
use crate::report::{Report, Row};
use command::{Command, Cost};

/// In milliseconds.
const START: f64 = 10.0;
/// In MB.
const FILE: f64 = 30.0;
/// The memory of a proxy that has only listed its tools, in MiB.
const IDLE: u64 = 20;
/// The memory of a proxy that has counted the tokens of a result, in MiB.
const COUNTED: u64 = 35;

/// A result that is counted and stored.
const RESULT_BYTES: usize = 200_000;

/// Runs all measurements, with the command line in its release build.
pub async fn measure(report: &mut Report) -> Result<()> {
    instance::measure(report).await;
    let program = built()?;
    let costs = command::measure(&commands(&program)?)?;
    for cost in &costs {
        report.add(row(cost, &costs));
    }
    let megabytes = std::fs::metadata(&program)?.len() as f64 / 1e6;
    report.add(Row {
        what: "the file of the command".to_owned(),
        measured: format!("{megabytes:.1} MB"),
        budget: format!("≤ {FILE} MB"),
        met: Some(megabytes <= FILE),
        ratio: String::new(),
    });
    proxy(report, &program).await
}

/// Builds the command line as releases have it, and returns its program.
fn built() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Process::new(cargo);
    build.args(["build", "--quiet", "--profile", "distribution", "--package", "tuckaway-cli"]);
    build.stdout(Stdio::null());
    ensure!(build.status()?.success(), "the command line could not be built");
    let bench = std::env::current_exe()?;
    let target = bench.ancestors().nth(2).context("the bench is not in a target directory")?;
    let program = target.join("distribution/tuckaway").with_extension(std::env::consts::EXE_EXTENSION);
    ensure!(program.is_file(), "there is no {}", program.display());
    Ok(program)
}

/// The commands that are compared: ours in a home without any file, and in one that it has used.
fn commands(program: &Path) -> Result<Vec<Command>> {
    let program = program.to_str().context("the path of the command line is not UTF-8")?;
    let ours = |what: &str, verb: &str| Command::ours(what, program).with(verb);
    Ok(vec![
        ours("tuckaway jq .a, in an empty home", "jq").with(".a").in_empty_home(),
        ours("tuckaway jq .a", "jq").with(".a"),
        ours("tuckaway grep a", "grep").with("a"),
        Command::peer("jq").with(".a"),
        Command::peer("jaq").with(".a"),
        Command::peer("gojq").with(".a"),
        Command::peer("rg").with("a"),
    ])
}

fn row(cost: &Cost, all: &[Cost]) -> Row {
    let peers = all.iter().filter(|peer| cost.is_ours && !peer.is_ours);
    let ratios = peers.map(|peer| format!("{:.1} x {}", cost.milliseconds / peer.milliseconds, peer.what));
    let memory =
        cost.peak.map_or_else(String::new, |kibibytes| format!(", {:.1} MiB", kibibytes as f64 / 1024.0));
    Row {
        what: cost.what.clone(),
        measured: format!("{:.1} ms{memory}", cost.milliseconds),
        budget: if cost.is_ours { format!("≤ {START} ms") } else { String::new() },
        met: cost.is_ours.then_some(cost.milliseconds <= START),
        ratio: ratios.collect::<Vec<_>>().join(", "),
    }
}

/// Measures the memory of a proxy for one server, before and after it has counted tokens.
async fn proxy(report: &mut Report, program: &Path) -> Result<()> {
    let child = Child::command_line(program).await?;
    child.client.result("tools/list", json!({})).await?;
    report.add(memory("an idle MCP proxy", child.memory("VmRSS")?, IDLE));
    child.client.call("big", json!({ "bytes": RESULT_BYTES })).await?;
    report.add(memory("an MCP proxy that has counted tokens", child.memory("VmRSS")?, COUNTED));
    child.end().await
}

fn memory(what: &str, kibibytes: u64, budget: u64) -> Row {
    Row {
        what: what.to_owned(),
        measured: format!("{:.1} MiB", kibibytes as f64 / 1024.0),
        budget: format!("≤ {budget} MiB"),
        met: Some(kibibytes <= budget << 10),
        ratio: String::new(),
    }
}
