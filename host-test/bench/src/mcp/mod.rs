//! The MCP proxy between a client and scripted servers, each in a separate process, compared
//! with the same client and server without it.

mod child;
mod soak;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tuckaway_test_kit::mcp_client::{text_of, wait};

use crate::report::{Report, Row};

pub use child::{Child, run as run_child};

/// Small calls that are measured, and those before that are not.
const CALLS: usize = 3_000;
const WARM_UP: usize = 200;
/// The maximum additional time of a small call, at the median.
const BUDGET: Duration = Duration::from_millis(1);
/// Calls at once, and how often.
const AT_ONCE: usize = 50;
const ROUNDS: usize = 20;
const SERVERS: usize = 10;
/// The maximum resident memory of a proxy for several servers, including the pages of its file.
const MEMORY: u64 = 60_000_000;
/// A large result.
const LARGE: u64 = 300_000_000;

/// Adds a row for each way to use the proxy; with `soak`, measures this many minutes instead.
pub async fn measure(report: &mut Report, soak: Option<u64>) -> Result<()> {
    if let Some(minutes) = soak {
        return soak::measure(report, Duration::from_secs(minutes * 60)).await;
    }
    report.name_columns(["what", "with the proxy", "budget", "direct"]);
    small(report).await?;
    at_once(report).await?;
    several(report).await?;
    large(report).await
}

/// Small calls, in turn without and with the proxy.
async fn small(report: &mut Report) -> Result<()> {
    let (direct, proxied) = (Child::server().await?, Child::proxy(1).await?);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for call in 0..WARM_UP + CALLS {
        for (child, times) in [(&direct, &mut without), (&proxied, &mut with)] {
            let begun = Instant::now();
            echo(child, "echo").await?;
            if call >= WARM_UP {
                times.push(begun.elapsed());
            }
        }
    }
    without.sort();
    with.sort();
    let longer = with[CALLS / 2].saturating_sub(without[CALLS / 2]);
    report.add(Row {
        what: format!("small call, median of {CALLS}"),
        measured: shown(with[CALLS / 2]),
        budget: format!("{} longer, of {} at most", shown(longer), shown(BUDGET)),
        met: Some(longer < BUDGET),
        ratio: shown(without[CALLS / 2]),
    });
    let p99 = CALLS * 99 / 100;
    report.add(row("small call, 99 of 100".to_owned(), shown(with[p99]), shown(without[p99])));
    direct.end().await?;
    proxied.end().await
}

/// Many calls that are sent before the first is answered.
async fn at_once(report: &mut Report) -> Result<()> {
    let (direct, proxied) = (Child::server().await?, Child::proxy(1).await?);
    for (what, tool, arguments) in [
        ("small calls", "echo", json!({ "text": "hello" })),
        ("calls of 100 ms", "slow", json!({ "ms": 100 })),
        ("results of 1 MB", "big", json!({ "bytes": 1_000_000 })),
    ] {
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            for (child, best) in [&direct, &proxied].into_iter().zip(&mut best) {
                let begun = Instant::now();
                let mut answers = Vec::new();
                for _ in 0..AT_ONCE {
                    let params = json!({ "name": tool, "arguments": arguments });
                    answers.push(child.client.begin("tools/call", params).await?.1);
                }
                for answer in answers {
                    let answer = wait(answer).await?;
                    ensure!(answer["result"]["content"].is_array(), "a call was lost: {answer}");
                }
                *best = begun.elapsed().min(*best);
            }
        }
        report.add(row(format!("{AT_ONCE} {what} at once"), shown(best[1]), shown(best[0])));
    }
    direct.end().await?;
    proxied.end().await
}

/// Several servers with one proxy.
async fn several(report: &mut Report) -> Result<()> {
    let begun = Instant::now();
    let proxied = Child::proxy(SERVERS).await?;
    let tools = proxied.client.result("tools/list", json!({})).await?;
    let first = begun.elapsed();
    let count = tools["tools"].as_array().map_or(0, Vec::len);
    let what = format!("{SERVERS} servers: from the start to the list of {count} tools");
    report.add(row(what, shown(first), String::new()));
    let mut times = Vec::new();
    for call in 0..CALLS / 3 {
        let tool = format!("s{}_echo", call % SERVERS);
        let begun = Instant::now();
        echo(&proxied, &tool).await?;
        times.push(begun.elapsed());
    }
    times.sort();
    let what = format!("{SERVERS} servers: small call, median of {}", times.len());
    report.add(row(what, shown(times[times.len() / 2]), String::new()));
    for server in 0..SERVERS {
        let result = proxied.client.call(&format!("s{server}_big"), json!({ "bytes": 1_000_000 })).await?;
        ensure!(text_of(&result).contains("art_"), "the result was not stored: {result}");
    }
    let resident = proxied.memory("VmRSS")?;
    report.add(Row {
        what: format!("{SERVERS} servers: memory of the proxy after a result of 1 MB from each"),
        measured: format!("{} MiB", resident >> 10),
        budget: format!("≤ {} MB", MEMORY / 1_000_000),
        met: Some(resident << 10 <= MEMORY),
        ratio: String::new(),
    });
    proxied.end().await
}

/// A result that is far too large.
async fn large(report: &mut Report) -> Result<()> {
    let proxied = Child::proxy(1).await?;
    echo(&proxied, "echo").await?;
    let before = proxied.memory("VmRSS")?;
    let begun = Instant::now();
    let result = proxied.client.call("big", json!({ "bytes": LARGE })).await?;
    let time = begun.elapsed();
    ensure!(text_of(&result).contains("art_"), "the result was not stored: {result}");
    let megabytes = LARGE as f64 / 1e6;
    let speed = megabytes / time.as_secs_f64();
    let what = format!("result of {megabytes:.0} MB: time until its envelope");
    report.add(row(what, format!("{} ({speed:.0} MB/s)", shown(time)), String::new()));
    let peak = proxied.memory("VmHWM")?;
    let what = format!("result of {megabytes:.0} MB: most memory of the proxy");
    let ratio = (peak - before) as f64 * 1024.0 / LARGE as f64;
    report.add(row(what, format!("{} MiB", peak >> 10), format!("{ratio:.1} times the result")));
    proxied.end().await
}

/// Calls a tool that repeats its argument.
async fn echo(child: &Child, tool: &str) -> Result<()> {
    let text = child.client.text(tool, json!({ "text": "hello" })).await?;
    ensure!(text == "hello", "a call was answered with {text:?}");
    Ok(())
}

fn row(what: String, measured: String, ratio: String) -> Row {
    Row { what, measured, budget: String::new(), met: None, ratio }
}

fn shown(time: Duration) -> String {
    match time.as_micros() {
        micros if micros < 10_000 => format!("{:.2} ms", micros as f64 / 1e3),
        micros if micros < 1_000_000 => format!("{} ms", micros / 1_000),
        micros => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// Returns whether a call failed.
fn failed(result: &Value) -> bool {
    result["isError"] == true
}

/// Returns a number in KiB of `/proc/PID/status`.
fn status(pid: u32, name: &str) -> Result<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).with_context(|| format!("no {name} of {pid}"))
}
