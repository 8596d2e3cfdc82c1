//! How fast histories of a provider are planned, in the sandbox, and how much memory that takes.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tuckaway_host::{
    CacheConfig, CompactionConfig, Dialect, Estimate, HistoryInput, ManageTask, ManagedHistory, MemoryStore,
    Task, Tuckaway,
};

use crate::generated::STORAGE;
use crate::report::{Report, Row};

/// The messages of the history that the first budget is for.
const MESSAGES: usize = 2_000;
/// The maximum time for it.
const BUDGET: Duration = Duration::from_millis(20);
/// The screenshots of the history that the second budget is for, and its size in millions of bytes.
const IMAGES: (usize, usize) = (42, 100);
/// The maximum time for it.
const BUDGET_FOR_IMAGES: Duration = Duration::from_millis(300);
/// The maximum memory of the component for a history with images, relative to the history: the
/// history itself, and the parts of one item at a time that a plan copies.
const MAX_MEMORY: f64 = 1.5;
/// Limits of the component's memory are tried in steps of this many MiB.
const STEP_MEBIBYTES: usize = 8;
/// The number of measurements; the median counts.
const RUNS: usize = 9;

/// Adds rows for a history of results, and for histories of images.
pub async fn measure(report: &mut Report) -> Result<()> {
    let history = of_results(MESSAGES);
    for (name, is_due) in [("nothing to do", false), ("results to trim", true)] {
        let time = median(&history, &task(is_due), is_due).await?;
        report.add(Row {
            what: format!("{MESSAGES} messages of Anthropic, {:.1} MB, {name}", megabytes(&history)),
            measured: format!("{:.1} ms", time.as_secs_f64() * 1e3),
            budget: format!("≤ {} ms", BUDGET.as_millis()),
            met: Some(time <= BUDGET),
            ratio: String::new(),
        });
    }
    let (images, size) = IMAGES;
    for size in [size / 10, size / 2, size] {
        let history = of_images(images, size * 1_000_000 / images);
        // Above the limit of the provider, images have to go.
        let is_due = size > 32;
        let task = task(true);
        let time = median(&history, &task, is_due).await?;
        let memory = memory(&history, &task).await?;
        let ratio = (memory << 20) as f64 / history.len() as f64;
        let is_largest = size == IMAGES.1;
        report.add(Row {
            what: format!("{images} screenshots, {:.0} MB", megabytes(&history)),
            measured: format!("{:.0} ms", time.as_secs_f64() * 1e3),
            budget: match is_largest {
                true => format!("≤ {} ms", BUDGET_FOR_IMAGES.as_millis()),
                false => String::new(),
            },
            met: is_largest.then_some(time <= BUDGET_FOR_IMAGES),
            ratio: String::new(),
        });
        report.add(Row {
            what: format!("{images} screenshots, {:.0} MB: memory of the component", megabytes(&history)),
            measured: format!("{memory} MiB"),
            budget: if is_largest { format!("≤ {MAX_MEMORY} x the history") } else { String::new() },
            met: is_largest.then_some(ratio <= MAX_MEMORY),
            ratio: format!("{ratio:.1} x the history"),
        });
    }
    Ok(())
}

/// Returns the task for an agent loop, in which results are due to be trimmed or not.
fn task(is_due: bool) -> Task {
    let budget = if is_due { 20_000 } else { 1_000_000 };
    Task::Manage(ManageTask {
        context_window: 1_000_000,
        cache: CacheConfig { context_budget_tokens: Some(budget), ..CacheConfig::default() },
        budget: None,
        compaction: CompactionConfig::default(),
        refusal: None,
        pairs: None,
    })
}

/// Returns the time of a plan that changes the history or not.
async fn median(history: &str, task: &Task, changes: bool) -> Result<Duration> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        // Each plan stores the items that it removes in a separate store.
        let tuckaway = Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate).build()?;
        // The first call starts the instance.
        tuckaway.default_policy(Dialect::Artifact).await?;
        let started = Instant::now();
        let managed = manage(&tuckaway, history, task).await?;
        times.push(started.elapsed());
        ensure!(managed.report.is_changed == changes, "the plan is not the one to measure");
    }
    times.sort();
    Ok(times[RUNS / 2])
}

/// Returns the minimum memory of the component for planning a history, in MiB.
async fn memory(history: &str, task: &Task) -> Result<usize> {
    let least = (history.len() >> 20) / STEP_MEBIBYTES * STEP_MEBIBYTES;
    for step in 0.. {
        let mebibytes = least + step * STEP_MEBIBYTES;
        let builder = Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate);
        let tuckaway = builder.memory_limit(mebibytes.max(STEP_MEBIBYTES) << 20).build()?;
        if manage(&tuckaway, history, task).await.is_ok() {
            return Ok(mebibytes);
        }
        ensure!(mebibytes < 2_048, "the history is not planned with any memory");
    }
    Ok(least)
}

async fn manage(tuckaway: &Tuckaway, history: &str, task: &Task) -> Result<ManagedHistory> {
    let input = HistoryInput { json: history.to_owned(), ..HistoryInput::default() };
    let step = tuckaway.start_history(&input, None, task).await.context("the history is planned")?;
    Ok(step.history)
}

fn megabytes(history: &str) -> f64 {
    history.len() as f64 / 1e6
}

/// Returns a history of turns of four messages: a question, a call, its result, an answer.
fn of_results(messages: usize) -> String {
    let log = STORAGE.text();
    let lines: Vec<&str> = log.lines().collect();
    let prose = "The workers were restarted after the deployment, and the queue is empty again. ";
    let turns = (0..messages / 4).map(|turn| {
        let output: Vec<&str> = lines.iter().cycle().skip(turn * 3 % lines.len()).take(4).copied().collect();
        let output = serde_json::Value::from(output.join("\n"));
        format!(
            r#"{{"role":"user","content":"Question {turn}: {prose}"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"call_{turn}","name":"read_log","input":{{"from":{turn}}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_{turn}","content":{output}}}]}},{{"role":"assistant","content":[{{"type":"text","text":"{prose}"}}]}}"#
        )
    });
    format!("[{}]", turns.collect::<Vec<String>>().join(","))
}

/// Returns a history of an agent that takes screenshots, each `bytes` bytes of base64.
fn of_images(images: usize, bytes: usize) -> String {
    // The header of a PNG image of 640 x 480 pixels.
    let head = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAAA";
    let data = format!("{head}{}", "AAAA".repeat(bytes.saturating_sub(head.len()) / 4));
    let steps = (0..images).map(|step| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"call_{step}","name":"screenshot","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call_{step}","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}]}}]}}"#
        )
    });
    let steps: Vec<String> = steps.collect();
    format!(
        r#"[{{"role":"user","content":"Book the flight."}},{},{{"role":"assistant","content":"It is booked."}}]"#,
        steps.join(",")
    )
}
