//! Mixed calls for a long time: small ones, results that are stored, calls that are
//! cancelled, and a server that dies again and again. The memory of the proxy stays flat, and
//! each call gets an answer.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;
use tuckaway_test_kit::mcp_client::wait;

use super::child::Child;
use super::failed;
use crate::report::{Report, Row};

/// One server is steady, one has large results, one dies.
const SERVERS: usize = 3;
const SMALL_PAUSE: Duration = Duration::from_millis(5);
const LARGE_PAUSE: Duration = Duration::from_millis(500);
const CANCEL_PAUSE: Duration = Duration::from_millis(100);
const DEATH_PAUSE: Duration = Duration::from_secs(30);
const SAMPLE_PAUSE: Duration = Duration::from_secs(5);
/// The part of the time after which memory should not grow any more.
const WARM_UP: f64 = 0.2;
/// Maximum growth of memory after the warm-up, as a fraction.
const GROWTH: f64 = 0.1;

/// The outcome of the calls.
#[derive(Default)]
struct Calls {
    answered: u64,
    /// Answered, as they should be, with an error that says why.
    failed: u64,
}

/// Adds a row for the calls, and one for the memory.
pub async fn measure(report: &mut Report, time: Duration) -> Result<()> {
    report.name_columns(["what", "measured", "budget", "against"]);
    let proxied = Child::proxy(SERVERS).await?;
    let end = Instant::now() + time;
    let (small, large, cancelled, dying, samples) = tokio::try_join!(
        small(&proxied, end),
        large(&proxied, end),
        cancelled(&proxied, end),
        dying(&proxied, end),
        samples(&proxied, end),
    )?;
    let open = proxied.client.open() as u64;
    let lost = open.saturating_sub(cancelled);
    report.add(Row {
        what: format!("{} minutes of calls", time.as_secs() / 60),
        measured: format!(
            "{} small, {} of 1 MB, {cancelled} cancelled, {} of a server that died ({} of these failed)",
            small.answered, large.answered, dying.answered, dying.failed
        ),
        budget: format!("{lost} lost, of 0"),
        met: Some(lost == 0 && small.failed + large.failed == 0),
        ratio: String::new(),
    });
    let settled = &samples[(samples.len() as f64 * WARM_UP) as usize..];
    let quarter = settled.len().div_ceil(4);
    let mean = |samples: &[u64]| samples.iter().sum::<u64>() as f64 / samples.len().max(1) as f64 / 1024.0;
    let (first, last) = (mean(&settled[..quarter]), mean(&settled[settled.len() - quarter..]));
    report.add(Row {
        what: "resident memory of the proxy, first and last quarter behind a warm-up".to_owned(),
        measured: format!("{first:.1} MiB, {last:.1} MiB"),
        budget: format!("{:.0} % more", GROWTH * 100.0),
        met: Some(last <= first * (1.0 + GROWTH)),
        ratio: format!("{:+.1} %", (last / first - 1.0) * 100.0),
    });
    proxied.end().await
}

async fn small(proxied: &Child, end: Instant) -> Result<Calls> {
    let mut calls = Calls::default();
    while Instant::now() < end {
        let text = format!("call {}", calls.answered);
        let result = proxied.client.call("s0_echo", json!({ "text": text })).await?;
        ensure!(result["content"][0]["text"] == text, "another call was answered: {result}");
        calls.answered += 1;
        tokio::time::sleep(SMALL_PAUSE).await;
    }
    Ok(calls)
}

async fn large(proxied: &Child, end: Instant) -> Result<Calls> {
    let mut calls = Calls::default();
    while Instant::now() < end {
        let result = proxied.client.call("s1_big", json!({ "bytes": 1_000_000 })).await?;
        ensure!(result.to_string().contains("tuckaway://art_"), "a result was not stored: {result}");
        calls.answered += 1;
        tokio::time::sleep(LARGE_PAUSE).await;
    }
    Ok(calls)
}

/// Returns how many calls were cancelled: they have no answers.
async fn cancelled(proxied: &Child, end: Instant) -> Result<u64> {
    let mut count = 0;
    while Instant::now() < end {
        // Half of them are answered, too late.
        let tool = if count % 2 == 0 { "s0_silent" } else { "s0_slow" };
        let params = json!({ "name": tool, "arguments": { "ms": 100 } });
        let (id, _) = proxied.client.begin("tools/call", params).await?;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let params = json!({ "requestId": id });
        let notice = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        proxied.client.send(&notice).await?;
        count += 1;
        tokio::time::sleep(CANCEL_PAUSE).await;
    }
    Ok(count)
}

/// Calls a server that dies from time to time, also in the middle of calls.
async fn dying(proxied: &Child, end: Instant) -> Result<Calls> {
    let mut calls = Calls::default();
    let mut death = Instant::now() + DEATH_PAUSE;
    while Instant::now() < end {
        let mut answers = Vec::new();
        for _ in 0..5 {
            let params = json!({ "name": "s2_slow", "arguments": { "ms": 50 } });
            answers.push(proxied.client.begin("tools/call", params).await?.1);
        }
        if Instant::now() >= death {
            death = Instant::now() + DEATH_PAUSE;
            let params = json!({ "name": "s2_exit", "arguments": {} });
            answers.push(proxied.client.begin("tools/call", params).await?.1);
        }
        for answer in answers {
            let answer = wait(answer).await?;
            ensure!(answer["result"].is_object(), "a call was refused: {answer}");
            calls.answered += 1;
            calls.failed += u64::from(failed(&answer["result"]));
        }
        tokio::time::sleep(CANCEL_PAUSE).await;
    }
    Ok(calls)
}

/// Returns the proxy's resident memory over time, in KiB.
async fn samples(proxied: &Child, end: Instant) -> Result<Vec<u64>> {
    let mut samples = Vec::new();
    while Instant::now() < end {
        samples.push(proxied.memory("VmRSS")?);
        if samples.len() % 12 == 0 {
            let last = samples[samples.len() - 12..].iter().map(|kib| (kib >> 10).to_string());
            eprintln!("bench: MiB: {}", last.collect::<Vec<_>>().join(" "));
        }
        tokio::time::sleep(SAMPLE_PAUSE).await;
    }
    Ok(samples)
}
