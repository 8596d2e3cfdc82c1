//! The components for hosts with nothing but WASI, compared with the component whose store is the host's.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;
use tuckaway_host::{
    ArtifactTool, Block, CallOptions, Content, DirStore, Estimate, MemoryStore, Policy, Store, ToolOutput,
    Tuckaway, Turn,
};
use tuckaway_host_test::composed::{Composed, Home};
use tuckaway_host_test::subject::Session;
use tuckaway_host_test::{Call, Subject, World};

use crate::input::{Input, large_json};
use crate::report::{Report, Row};

/// The number of measurements. The fastest counts.
const TIMES: usize = 3;

/// A filter that reads all records.
const FILTER: &str = "[.statuses[].user.followers_count] | add";

/// The times of a home.
struct Times {
    process: Duration,
    jq: Duration,
}

/// Measures process() and jq in each home.
pub async fn measure(report: &mut Report) -> Result<()> {
    let Input { name, bytes } = large_json();
    let size = bytes.len();
    let output = ToolOutput {
        tool: "bench".to_owned(),
        is_error: false,
        blocks: vec![Block { content: Content::Text(String::from_utf8(bytes)?), media_type: None }],
        structured: None,
    };
    let directory = std::env::temp_dir().join(format!("tuckaway-bench-composed-{}", std::process::id()));
    let mut homes = vec![("wasmtime, store in memory", in_memory(&output).await?)];
    homes.push(("wasmtime, store in a directory", in_directory(&output, &directory).await?));
    for home in Home::ALL {
        homes.push((home.file_name(), composed(home, &output).await?));
    }
    let peer = Times { process: homes[0].1.process, jq: homes[0].1.jq };
    for (home, times) in &homes {
        add(report, size, format!("process() of {name}, {home}"), times.process, peer.process);
    }
    for (home, times) in &homes {
        // A table has other uses for the character.
        let filter = FILTER.replace('|', "\\|");
        add(report, size, format!("jq `{filter}`, {home}"), times.jq, peer.jq);
    }
    Ok(())
}

fn add(report: &mut Report, bytes: usize, what: String, took: Duration, peer: Duration) {
    let rate = |took: Duration| bytes as f64 / 1e6 / took.as_secs_f64();
    let ratio = format!("{:.2} x wasmtime, store in memory", rate(took) / rate(peer));
    report.add(Row { ratio, ..Row::without_budget(what, format!("{:.0} MB/s", rate(took))) });
}

async fn in_memory(output: &ToolOutput) -> Result<Times> {
    let mut best = Times { process: Duration::MAX, jq: Duration::MAX };
    for _ in 0..TIMES {
        best.take(embedded(MemoryStore::new(), output).await?);
    }
    Ok(best)
}

async fn in_directory(output: &ToolOutput, directory: &Path) -> Result<Times> {
    let mut best = Times { process: Duration::MAX, jq: Duration::MAX };
    for _ in 0..TIMES {
        let measured = embedded(DirStore::open(directory)?, output).await;
        // If removal fails, the system cleans its temporary directory.
        let _ = std::fs::remove_dir_all(directory);
        best.take(measured?);
    }
    Ok(best)
}

impl Times {
    /// Takes what is faster.
    fn take(&mut self, other: Times) {
        self.process = self.process.min(other.process);
        self.jq = self.jq.min(other.jq);
    }
}

async fn embedded(store: impl Store + 'static, output: &ToolOutput) -> Result<Times> {
    let tuckaway = Tuckaway::builder().store(store).tokens(Estimate).build()?;
    let started = Instant::now();
    let view = tuckaway.process(output, &turn(), &Policy::default()).await?;
    let process = started.elapsed();
    let id = &view.artifacts.first().context("a large output is stored")?.id;
    let started = Instant::now();
    let reply = tuckaway.call_tool("artifact_jq", &arguments(id), &CallOptions::default()).await?;
    let jq = started.elapsed();
    anyhow::ensure!(!reply.is_error, "{}", reply.text);
    Ok(Times { process, jq })
}

async fn composed(home: Home, output: &ToolOutput) -> Result<Times> {
    let output = output.clone();
    // It waits for its own runtime.
    tokio::task::spawn_blocking(move || {
        let program = Composed::build(home)?;
        let call = Call::Process { output, turn: turn(), policy: Policy::default() };
        let mut best = Times { process: Duration::MAX, jq: Duration::MAX };
        for _ in 0..TIMES {
            let mut session = program.enter(Arc::new(World::new(&Value::Null, &Value::Null)?));
            let (view, process) = timed(&mut *session, &call)?;
            let id = view["artifacts"][0]["id"].as_str().context("a large output is stored")?;
            let query =
                Call::Call { name: "artifact_jq".to_owned(), arguments: arguments(id), max_bytes: None };
            let (reply, jq) = timed(&mut *session, &query)?;
            anyhow::ensure!(reply["is_error"] == false, "{reply}");
            best.take(Times { process, jq });
        }
        Ok(best)
    })
    .await?
}

fn timed(session: &mut dyn Session, call: &Call) -> Result<(Value, Duration)> {
    let started = Instant::now();
    let answer = session.call(call).map_err(|error| anyhow::anyhow!("{}", error.message))?;
    Ok((answer, started.elapsed()))
}

fn arguments(id: &str) -> String {
    serde_json::json!({ "artifact_id": id, "filter": FILTER }).to_string()
}

fn turn() -> Turn {
    Turn { context_window: 200_000, used_tokens: 0, tools: ArtifactTool::ALL.into() }
}
