//! A process that puts an artifact into a store and queries it: this program, with other
//! arguments. It takes a step for each line of its input.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tuckaway_host::{
    ByteRange, Dialect, DirStore, GrepQuery, JqQuery, Limits, MemoryStore, Range, ReadOptions, Store,
    Tuckaway,
};
use tuckaway_host_test::large::{ROW_BYTES, Rows};
use tuckaway_test_kit::place::Place;

/// The argument that makes this program a child.
const CHILD: &str = "--stores-child";

/// Places that a child creates itself.
pub const MEMORY: &str = "memory";
pub const DIRECTORY: &str = "directory";

/// The first step.
pub const PUT: &str = "put";

/// The queries.
const JQ: &str = "jq, a path to the middle";
const GREP: &str = "grep, a line in the middle";
const READ: &str = "read, 4 KiB in the middle";

/// Bytes of the query that reads.
const READ_BYTES: u64 = 4 << 10;

/// Bytes of one append, as the component appends.
const APPEND_BYTES: u64 = 1 << 20;

/// The bytes after the last row.
const FOOT: &[u8] = b"\n], \"last\": [1, 2]}\n";

const DEADLINE: Duration = Duration::from_secs(600);

/// A step that was measured.
#[derive(Serialize, Deserialize)]
pub struct Step {
    pub what: String,
    pub seconds: f64,
    /// The peak memory of the process since it began the step.
    pub peak_kib: u64,
}

/// A process that takes steps.
pub struct Child {
    process: std::process::Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Child {
    /// Starts a process for a store.
    pub fn start(place: &str, mebibytes: u64) -> Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(CHILD).arg(place).arg(mebibytes.to_string());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().context("the child has no input")?;
        let output = process.stdout.take().context("the child has no output")?;
        Ok(Child { process, input, output: BufReader::new(output) })
    }

    /// Lets it take the next step; `None` after the last one.
    pub fn step(&mut self) -> Result<Option<Step>> {
        // It may have ended.
        let _ = self.input.write_all(b"\n");
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            let status = self.process.wait()?;
            ensure!(status.success(), "the child ended with {status}");
            return Ok(None);
        }
        Ok(Some(serde_json::from_str(&line)?))
    }
}

/// Runs this program as a child, if its arguments say so.
pub fn run(arguments: &[String]) -> Option<Result<()>> {
    match arguments {
        [first, place, mebibytes] if first == CHILD => Some(steps(place, mebibytes)),
        _ => None,
    }
}

#[tokio::main]
async fn steps(place: &str, mebibytes: &str) -> Result<()> {
    let mebibytes: u64 = mebibytes.parse()?;
    let directory = std::env::temp_dir().join(format!("tuckaway-bench-stores-{}", std::process::id()));
    let open = || -> Result<Arc<dyn Store>> {
        Ok(match place {
            MEMORY => Arc::new(MemoryStore::new().with_limits(Limits::none())),
            DIRECTORY => Arc::new(DirStore::open(&directory)?),
            place => place.parse::<Place>()?.open(Limits::none())?,
        })
    };
    let mut input = std::io::stdin().lines();
    let store = open()?;
    let mut id = None;
    // The names of the steps, which select their work.
    let middle = (mebibytes << 20) / ROW_BYTES / 2;
    for what in [PUT, JQ, GREP, READ] {
        input.next().context("the parent is gone")??;
        reset_peak();
        let seconds = match &id {
            None => {
                let (put, took) = put(&*store, mebibytes).await?;
                id = Some(put);
                took
            }
            Some(id) => {
                // A reopened store has no memory of its writes.
                let store = if place == MEMORY { Arc::clone(&store) } else { open()? };
                query(store, id, what, middle).await?
            }
        };
        let step = Step { what: what.to_owned(), seconds: seconds.as_secs_f64(), peak_kib: peak_kib() };
        println!("{}", serde_json::to_string(&step)?);
    }
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    Ok(())
}

/// Puts a document of rows. Returns its id and the time that the store has taken.
async fn put(store: &dyn Store, mebibytes: u64) -> Result<(String, Duration)> {
    let failed = |error| anyhow!("{error:?}");
    let rows = Rows::default();
    let mut took = Duration::ZERO;
    let id = store.create("bench", "application/json").await.map_err(failed)?;
    let size = mebibytes << 20;
    let mut offset = 0;
    while offset < size {
        let mut part = rows.bytes(offset, APPEND_BYTES);
        offset += APPEND_BYTES;
        if offset >= size {
            let last = part.windows(2).rposition(|end| end == b",\n").context("no row ends here")?;
            part.truncate(last);
            part.extend(FOOT);
        }
        let begun = Instant::now();
        store.append(&id, part).await.map_err(failed)?;
        took += begun.elapsed();
    }
    let begun = Instant::now();
    store.seal(&id, size / ROW_BYTES).await.map_err(failed)?;
    Ok((id, took + begun.elapsed()))
}

/// Runs a query on a new engine. Returns the time that it took.
async fn query(store: Arc<dyn Store>, id: &str, what: &str, row: u64) -> Result<Duration> {
    let tuckaway = Tuckaway::builder().shared_store(store).deadline(DEADLINE).build()?;
    // The first call compiles the component.
    tuckaway.default_policy(Dialect::Artifact).await?;
    let name = format!("row {row:07}");
    let begun = Instant::now();
    let found = match what {
        JQ => {
            let query = JqQuery { filter: format!(".rows[{row}].name"), ..JqQuery::default() };
            tuckaway.jq(id, &query, None).await?.text
        }
        GREP => {
            let query = GrepQuery { pattern: name.clone(), ..GrepQuery::default() };
            let matches = tuckaway.grep(id, &query, None).await?.matches;
            matches.into_iter().map(|found| found.text).collect()
        }
        _ => {
            let start = row * ROW_BYTES;
            tuckaway
                .read(
                    id,
                    &Range::Bytes(ByteRange { start, end: start + READ_BYTES }),
                    &ReadOptions::default(),
                )
                .await?
                .text
        }
    };
    let took = begun.elapsed();
    ensure!(found.contains(&name), "{what}: {found}");
    Ok(took)
}

/// Forgets how much memory this process had, if the system can do that.
fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the peak memory of this process; 0 if the system does not report it.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
