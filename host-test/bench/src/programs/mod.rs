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
use list::{OWN, PROGRAMS, Program};

/// The programs to compare with.
const PEERS: [&str; 3] = ["jaq", "jq", "gojq"];
const JAQ: usize = 0;
const JQ: usize = 1;

/// How many times as fast as jaq the geometric mean must be, and each program as jq.
const MEAN_OF_JAQ: f64 = 0.8;
const OF_JQ: f64 = 1.0;

/// A program that jq ends within this time must end with the default limits.
const ENDS_BY_DEFAULT: Duration = Duration::from_secs(3);

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
    peers: [Option<Duration>; PEERS.len()],
    /// The limit that stops it if no limit is raised.
    refused: Option<String>,
}

/// Runs all programs. Returns an error if one cannot be run.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns(["program", "tuckaway", "budget, and with the default limits", "against"]);
    let mut all = Vec::new();
    for program in &PROGRAMS {
        let times = Times::of(program).await?;
        report.add(times.row(format!("{} {}", program.name, program.size)));
        all.push(times);
    }
    for (peer, name) in PEERS.into_iter().enumerate() {
        mean(&all, peer, name).into_iter().for_each(|row| report.add(row));
    }
    for program in &OWN {
        report.add(Times::of(program).await?.row(format!("ours: {} {}", program.name, program.size)));
    }
    Ok(())
}

impl Times {
    async fn of(program: &Program) -> Result<Times> {
        Ok(Times {
            ours: ours(program, Limits::Raised).await?.ok(),
            peers: PEERS.map(|peer| natively(peer, program)),
            refused: ours(program, Limits::Default).await?.err(),
        })
    }

    fn row(&self, what: String) -> Row {
        let by_default = self.refused.as_deref().unwrap_or("ends");
        Row {
            what,
            measured: seconds(self.ours),
            budget: format!("≥ {OF_JQ} x jq; {by_default}"),
            met: self.is_met(),
            ratio: self.against(),
        }
    }

    /// Returns whether it is as fast as jq, and not refused if jq is fast; `None` without jq.
    fn is_met(&self) -> Option<bool> {
        let jq = self.peers[JQ]?;
        let is_fast = self.ratio(JQ).is_some_and(|ratio| ratio >= OF_JQ);
        Some(is_fast && (self.refused.is_none() || jq > ENDS_BY_DEFAULT))
    }

    /// Returns how many times as fast as a peer it is. Peers are measured in ticks, so nothing counts as
    /// faster than one.
    fn ratio(&self, peer: usize) -> Option<f64> {
        let [theirs, ours] = [self.peers[peer]?, self.ours?].map(|time| time.max(clock::TICK).as_secs_f64());
        Some(theirs / ours)
    }

    fn against(&self) -> String {
        let peers = PEERS.into_iter().enumerate().map(|(peer, name)| match self.ratio(peer) {
            Some(ratio) => format!("{ratio:.2} x {name} ({})", seconds(self.peers[peer])),
            None => format!("{name} {}", seconds(self.peers[peer])),
        });
        peers.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the row of the geometric mean over programs that both ran; `None` if there are no such programs.
fn mean(all: &[Times], peer: usize, name: &str) -> Option<Row> {
    let ratios: Vec<f64> = all.iter().filter_map(|times| times.ratio(peer)).collect();
    if ratios.is_empty() {
        return None;
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    Some(Row {
        what: format!("geometric mean of {} programs", ratios.len()),
        measured: String::new(),
        budget: if peer == JAQ { format!("≥ {MEAN_OF_JAQ} x jaq") } else { String::new() },
        met: (peer == JAQ).then_some(mean >= MEAN_OF_JAQ),
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
