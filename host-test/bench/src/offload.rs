//! How fast a large output is turned into a view.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tuckaway::Engine;
use tuckaway_host::{
    ArtifactTool, Block, Content, Estimate, MemoryStore, Policy, ToolOutput, Tuckaway, Turn,
};

use tuckaway_host_test::World;

use crate::input::{Input, large_json};
use crate::report::{Report, Row};

/// The number of measurements. The fastest counts: slower ones were disturbed by other
/// processes.
const TIMES: usize = 5;
/// The rate in wasmtime, in MB/s.
pub const BUDGET: f64 = 250.0;
/// The rate natively, as a multiple of that at which serde_json checks the grammar.
const NATIVE_BUDGET: f64 = 0.5;

/// Measures process() on a large JSON document: copy, shape, lines, store.
pub async fn measure(report: &mut Report) {
    let Input { name, bytes } = large_json();
    let peer = best(|| {
        serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).expect("the input is JSON");
    });
    let peer_rate = rate(bytes.len(), peer);
    report.add(Row {
        ratio: "1.0".to_owned(),
        ..Row::without_budget(format!("serde_json, native, checking {name}"), format!("{peer_rate:.0} MB/s"))
    });
    let native = rate(bytes.len(), natively(&bytes)) / peer_rate;
    report.add(Row {
        what: format!("process() of {name} as text, native"),
        measured: format!("{:.0} MB/s", native * peer_rate),
        budget: format!("≥ {NATIVE_BUDGET} x serde_json"),
        met: Some(native >= NATIVE_BUDGET),
        ratio: format!("{native:.2} x serde_json, native"),
    });
    for (what, content) in [
        ("text", Content::Text(String::from_utf8(bytes.clone()).expect("the input is UTF-8"))),
        ("bytes", Content::Bytes(bytes.clone())),
    ] {
        let rate = rate(bytes.len(), fastest(&content).await);
        report.add(Row {
            what: format!("process() of {name} as {what}, in wasmtime"),
            measured: format!("{rate:.0} MB/s"),
            budget: format!("≥ {BUDGET} MB/s"),
            met: Some(rate >= BUDGET),
            ratio: format!("{:.2} x serde_json, native", rate / peer_rate),
        });
    }
    if let Some(jq) = jq(&bytes) {
        let rate = rate(bytes.len(), jq);
        report.add(Row {
            ratio: format!("{:.2} x serde_json, native", rate / peer_rate),
            ..Row::without_budget(format!("jq empty, native, {name}"), format!("{rate:.0} MB/s"))
        });
    } else {
        eprintln!("bench: jq is not installed (apt-get install jq); its row is omitted");
    }
}

/// Returns the fastest of several runs.
pub async fn fastest(content: &Content) -> Duration {
    let mut fastest = Duration::MAX;
    for _ in 0..TIMES {
        fastest = fastest.min(process(content.clone()).await);
    }
    fastest
}

/// Returns the time of the fastest of several runs of the engine without a sandbox.
fn natively(bytes: &[u8]) -> Duration {
    let text = String::from_utf8(bytes.to_vec()).expect("the input is UTF-8");
    let output = output(Content::Text(text));
    let run = |_| {
        let world = World::new(&Value::Null, &Value::Null).expect("an empty store");
        let started = Instant::now();
        let view = Engine::new(&world, &world).process(&output, &turn(), &Policy::default());
        let took = started.elapsed();
        assert_eq!(view.expect("the output is processed").artifacts.len(), 1, "a large output is stored");
        took
    };
    (0..TIMES).map(run).min().expect("it is measured at least once")
}

fn output(content: Content) -> ToolOutput {
    ToolOutput {
        tool: "bench".to_owned(),
        is_error: false,
        blocks: vec![Block { content, media_type: None }],
        structured: None,
    }
}

fn turn() -> Turn {
    Turn { context_window: 200_000, used_tokens: 0, tools: ArtifactTool::ALL.into() }
}

async fn process(content: Content) -> Duration {
    let tuckaway =
        Tuckaway::builder().store(MemoryStore::new()).tokens(Estimate).build().expect("the component starts");
    let output = output(content);
    let started = Instant::now();
    let view = tuckaway.process(&output, &turn(), &Policy::default()).await.expect("the output is processed");
    let took = started.elapsed();
    assert_eq!(view.artifacts.len(), 1, "a large output is stored");
    took
}

/// Measures jq on the same document in a file, if it is installed.
fn jq(bytes: &[u8]) -> Option<Duration> {
    let path = std::env::temp_dir().join(format!("tuckaway-bench-{}.json", std::process::id()));
    std::fs::write(&path, bytes).ok()?;
    let started = Instant::now();
    let status = Command::new("jq").arg("empty").arg(&path).stdout(Stdio::null()).status();
    let took = started.elapsed();
    // If removal fails, the system cleans its temporary directory.
    let _ = std::fs::remove_file(&path);
    status.is_ok_and(|status| status.success()).then_some(took)
}

/// Returns the time of the fastest of several calls.
pub fn best(mut call: impl FnMut()) -> Duration {
    let measure = |_| {
        let started = Instant::now();
        call();
        started.elapsed()
    };
    (0..TIMES).map(measure).min().expect("it is measured at least once")
}

/// Returns the rate in MB/s.
pub fn rate(bytes: usize, took: Duration) -> f64 {
    bytes as f64 / 1e6 / took.as_secs_f64()
}
