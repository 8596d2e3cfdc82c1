//! The time to turn files of common sizes into views: each file alone, compared with serde_json,
//! and the preview's share of the time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tuckaway_host::{
    Action, ArtifactTool, Block, Content, CountTokens, Estimate, MemoryStore, Policy, Tiktoken, ToolOutput,
    Tuckaway, Turn,
};
use tuckaway_host_test::suites;

use crate::report::{Report, Row};

/// The number of measurements of each file; the median counts.
const RUNS: usize = 15;
/// Smaller files would pass inline.
const MIN_BYTES: u64 = 16 << 10;
/// The extensions of the files that are measured.
const EXTENSIONS: [&str; 4] = ["json", "ndjson", "log", "csv"];
/// The maximum time for a file: this and [`MS_PER_MB`].
const START_MS: f64 = 0.3;
const MS_PER_MB: f64 = 5.0;

/// Adds one row for each file below a directory; without one, of the fetched examples.
pub async fn measure(report: &mut Report, directory: Option<&Path>) -> Result<()> {
    report.name_columns(["file", "process(), in wasmtime", "budget", "against"]);
    let directory = directory.map_or_else(|| suites::directory("json-examples"), Path::to_path_buf);
    let mut files = Vec::new();
    collect(&directory, &mut files).with_context(|| format!("reading {}", directory.display()))?;
    files.sort();
    if files.is_empty() {
        bail!(
            "{} has no files of more than {MIN_BYTES} bytes that end in {EXTENSIONS:?}",
            directory.display()
        );
    }
    let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate).build()?;
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
        let whole = median(&tuckaway, &text, Policy::default().preview_bytes).await?;
        let bare = median(&tuckaway, &text, 0).await?;
        let budget = START_MS + MS_PER_MB * text.len() as f64 / 1e6;
        let mut against = format!("{:.2} x without its preview", whole / bare);
        if file.extension().is_some_and(|extension| extension == "json") {
            against += &format!(", {:.1} x serde_json, native", whole / checked(&text));
        }
        let (estimate, tokens) = (Estimate.count(&text).await, Tiktoken::default().count(&text).await);
        if let (Ok(estimate), Ok(tokens)) = (estimate, tokens) {
            against += &format!("; tokens estimated / o200k_base {:.2}", estimate as f64 / tokens as f64);
        }
        let name = file.file_name().unwrap_or_default().display().to_string();
        report.add(Row {
            what: format!("{name}, {} KB", text.len() / 1_000),
            measured: format!("{whole:.2} ms, {:.0} MB/s", text.len() as f64 / 1e3 / whole),
            budget: format!("≤ {budget:.2} ms"),
            met: Some(whole <= budget),
            ratio: against,
        });
    }
    Ok(())
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let (entry, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
        let is_measured = || path.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end == *known));
        if entry?.is_dir() {
            collect(&path, files)?;
        } else if is_measured() && fs::metadata(&path)?.len() > MIN_BYTES {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the milliseconds that process() takes.
async fn median(tuckaway: &Tuckaway, text: &str, preview_bytes: u32) -> Result<f64> {
    let turn = Turn { context_window: 2_000, used_tokens: 0, tools: ArtifactTool::ALL.into() };
    let policy = Policy { preview_bytes, ..Policy::default() };
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let block = Block { content: Content::Text(text.to_owned()), media_type: None };
        let output =
            ToolOutput { tool: "bench".to_owned(), is_error: false, blocks: vec![block], structured: None };
        let started = Instant::now();
        let view = tuckaway.process(&output, &turn, &policy).await?;
        times.push(started.elapsed());
        if view.decision.action != Action::Artifact {
            bail!("the output was not stored: {:?}", view.decision);
        }
    }
    Ok(middle(times))
}

/// Returns the milliseconds that serde_json takes to check the grammar.
fn checked(text: &str) -> f64 {
    let measure = |_| {
        let started = Instant::now();
        // A file may have an error that only its reader finds.
        let _ = serde_json::from_str::<serde::de::IgnoredAny>(text);
        started.elapsed()
    };
    middle((0..RUNS).map(measure).collect())
}

fn middle(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
