//! How fast filters run that compute and read almost nothing, compared with native programs, in
//! processor time: the programs that jaq's README measures.

mod list;

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;
use tuckaway_host::{Error, JqQuery, MemoryStore, Outputs, Tuckaway};

use crate::clock::{self, Clock};
use crate::report::{Report, Row};
use crate::stored::sealed;
use list::{PROGRAMS, Program};

/// The programs to compare with.
const PEERS: [&str; 2] = ["jaq", "jq"];

/// More than any program takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// More steps than any program takes.
const STEPS: u64 = 100_000_000_000;

/// Memory for the values of the programs.
const MEMORY: u64 = 2 << 30;

/// The times of one program.
struct Times {
    /// `None` if the filter was stopped by a limit.
    ours: Option<Duration>,
    /// Those of [`PEERS`]; `None` for one that is not installed or fails.
    peers: [Option<Duration>; 2],
}

/// Runs all programs. Returns an error if one cannot be run at all.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns(["program", "tuckaway", "with the default limits", "against"]);
    let mut all = Vec::new();
    for program in &PROGRAMS {
        let times = Times {
            ours: ours(program, Limits::Raised).await?.ok(),
            peers: PEERS.map(|peer| natively(peer, program)),
        };
        let by_default = ours(program, Limits::Default).await?;
        report.add(Row {
            what: format!("{} {}", program.name, program.size),
            measured: seconds(times.ours),
            budget: by_default.map_or_else(|limit| limit, |_| "ends".to_owned()),
            met: None,
            ratio: times.against(),
        });
        all.push(times);
    }
    for (peer, name) in PEERS.into_iter().enumerate() {
        mean(&all, peer, name).into_iter().for_each(|row| report.add(row));
    }
    Ok(())
}

impl Times {
    /// Returns how many times as fast as a peer it is.
    fn ratio(&self, peer: usize) -> Option<f64> {
        Some(self.peers[peer]?.as_secs_f64() / self.ours?.as_secs_f64())
    }

    fn against(&self) -> String {
        let peers = PEERS.into_iter().enumerate().map(|(peer, name)| match self.ratio(peer) {
            Some(ratio) => format!("{ratio:.2} x {name} ({})", seconds(self.peers[peer])),
            None => format!("{name} {}", seconds(self.peers[peer])),
        });
        peers.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the row of the geometric mean over the programs that both ran; `None` if there are none.
fn mean(all: &[Times], peer: usize, name: &str) -> Option<Row> {
    let ratios: Vec<f64> = all.iter().filter_map(|times| times.ratio(peer)).collect();
    if ratios.is_empty() {
        return None;
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    Some(Row {
        what: format!("geometric mean of {} programs", ratios.len()),
        measured: String::new(),
        budget: String::new(),
        met: None,
        ratio: format!("{mean:.2} x {name}"),
    })
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{:.2} s", time.as_secs_f64()))
}

#[derive(Clone, Copy, PartialEq)]
enum Limits {
    Default,
    Raised,
}

/// Runs a program in the sandbox. Returns its time, or the limit that stopped it.
async fn ours(program: &Program, limits: Limits) -> Result<Result<Duration, String>> {
    let store = MemoryStore::new();
    let id = sealed(&store, program.size.to_string().as_bytes()).await?;
    let builder = Tuckaway::builder().store(store).deadline(DEADLINE).memory_limit(u32::MAX as usize);
    let tuckaway = builder.build()?;
    // Work that is done once per process is not measured.
    ask(&tuckaway, &id, ".", limits).await?;
    let started = Clock::start();
    let answer = ask(&tuckaway, &id, program.filter, limits).await;
    let took = started.elapsed();
    Ok(match answer {
        Ok(Outputs { failure: None, .. }) => Ok(took),
        Ok(Outputs { failure: Some(error), .. }) | Err(error) => Err(error.message),
    })
}

async fn ask(tuckaway: &Tuckaway, id: &str, filter: &str, limits: Limits) -> Result<Outputs, Error> {
    let mut query = JqQuery { filter: filter.to_owned(), compact: true, ..JqQuery::default() };
    if limits == Limits::Raised {
        query.max_steps = Some(STEPS);
        query.max_memory = Some(MEMORY);
    }
    tuckaway.jq(id, &query, None).await
}

/// Runs a program natively. Returns `None` if the peer is not installed, fails, or takes longer than
/// [`DEADLINE`], as jq 1.6 does for updates of large objects.
fn natively(peer: &str, program: &Program) -> Option<Duration> {
    let filter = format!("{} | {}", program.size, program.filter);
    let before = clock::of_children()?;
    let mut command = Command::new("timeout");
    command
        .args([&DEADLINE.as_secs().to_string(), peer, "-n", "-c", &filter])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let ended = command.status().ok()?;
    let took = clock::of_children()?.saturating_sub(before);
    ended.success().then_some(took)
}
