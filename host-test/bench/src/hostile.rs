//! The time of filters that are written to take forever: each one of the corpus, with
//! the default limits, on pooled instances as in a host, and some on a large artifact.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tuckaway::Engine;
use tuckaway_host::{Error, ErrorKind, JqQuery, MemoryStore, Outputs, Tuckaway};
use tuckaway_host_test::{World, content};

use crate::clock::Clock;
use crate::report::{Report, Row};
use crate::stored::sealed;

/// The time within which each filter must end.
const BUDGET: Duration = Duration::from_secs(2);

/// The number of slowest filters that get a row each.
const SHOWN: usize = 10;

/// More than any filter takes. A filter that does take it is shown with this number.
const DEADLINE: Duration = Duration::from_secs(60);

const MAX_BYTES: u32 = 256;

/// Filters for a large array of numbers, and one that only reads it.
const LARGE: [&str; 6] = [
    ". as $all | def f: f; f",
    "range(1e9) as $i | .[-1] | empty",
    "range(1e9) as $i | .[] | empty",
    ".[] | range(1000) | empty",
    "[.[] | [range(100)] | length] | length",
    "map(tojson) | repeat(.) | empty",
];
const READING: &str = ". as $all | empty";

/// Bytes of the large array.
const LARGE_BYTES: usize = 64 << 20;

/// Bytes of the artifact of rows, and of each row. Reading a row gives a filter a hundred steps back.
const ROWS_BYTES: usize = 1 << 30;
const ROW_BYTES: usize = 1_600;

/// A filter that spends on each row most of what reading the row gives back, and one that only reads. With
/// `range(20)` it would end with the limit.
const SPENDING: &str = "range(10) | empty";
const READING_ROWS: &str = "empty";

/// A filter and how it ended.
struct Run {
    filter: String,
    took: Duration,
    /// The limit's message; `None` if the filter has an answer.
    limit: Option<String>,
}

/// Runs all filters. Returns an error if one cannot be run.
pub async fn measure(report: &mut Report) -> Result<()> {
    measure_corpus(report).await?;
    measure_large(report).await?;
    measure_rows(report).await
}

/// Measures [`SPENDING`], whose time grows with the artifact, like that of any filter that does something
/// with each row.
async fn measure_rows(report: &mut Report) -> Result<()> {
    let row = format!("\"{}\"\n", "x".repeat(ROW_BYTES - 3));
    let rows = ROWS_BYTES / ROW_BYTES;
    let store = MemoryStore::new();
    let id = sealed(&store, row.repeat(rows).as_bytes()).await?;
    let tuckaway = Tuckaway::builder().store(store).deadline(DEADLINE).build()?;
    let mut took = Vec::new();
    for filter in [READING_ROWS, SPENDING] {
        let started = Clock::start();
        ask(&tuckaway, &id, filter).await.map_err(|error| anyhow::anyhow!("{filter}: {error}"))?;
        took.push(started.elapsed());
    }
    let after = took[1].saturating_sub(took[0]);
    report.add(Row {
        what: format!("{} on {rows} rows, 1 GiB", shown(SPENDING)),
        measured: format!("{} ms after {} ms of reading", after.as_millis(), took[0].as_millis()),
        budget: format!("≤ {} ms", BUDGET.as_millis()),
        met: Some(after <= BUDGET),
        ratio: how_it_ended(None),
    });
    Ok(())
}

/// Measures the filters of [`LARGE`]. Only the time after reading counts.
async fn measure_large(report: &mut Report) -> Result<()> {
    let mut array = String::from("[0");
    for n in 1u64.. {
        array += &format!(",{n}");
        if array.len() >= LARGE_BYTES {
            break;
        }
    }
    array.push(']');
    let store = MemoryStore::new();
    let id = sealed(&store, array.as_bytes()).await?;
    let tuckaway = Tuckaway::builder().store(store).deadline(DEADLINE).build()?;
    let started = Clock::start();
    ask(&tuckaway, &id, READING).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    let reading = started.elapsed();
    for filter in LARGE {
        let started = Clock::start();
        let ended = ask(&tuckaway, &id, filter).await;
        let after = started.elapsed().saturating_sub(reading);
        report.add(Row {
            what: format!("{} on an array of 64 MiB", shown(filter)),
            measured: format!("{} ms after {} ms of reading", after.as_millis(), reading.as_millis()),
            budget: format!("≤ {} ms", BUDGET.as_millis()),
            met: Some(after <= BUDGET),
            ratio: how_it_ended(limit_of(ended).as_deref()),
        });
    }
    Ok(())
}

/// Measures the filters of the corpus.
async fn measure_corpus(report: &mut Report) -> Result<()> {
    let path = tuckaway_host_test::workspace().join("cases/query/jq-hostile.json");
    let corpus: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
    let artifact = content::bytes(&corpus["store"]["artifacts"][0]["content"])?;
    let cases = corpus["cases"].as_array().context("a list of cases")?;
    let store = MemoryStore::new();
    let id = sealed(&store, &artifact).await?;
    let tuckaway = Tuckaway::builder().store(store).deadline(DEADLINE).build()?;
    // Work that is done once per process is not measured.
    ask(&tuckaway, &id, ".").await.map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut runs = Vec::new();
    for case in cases {
        let filter = content::text(&case["input"]["filter"])?;
        let started = Clock::start();
        let ended = ask(&tuckaway, &id, &filter).await;
        let took = started.elapsed();
        runs.push(Run { filter, took, limit: limit_of(ended) });
        ensure!(
            ask(&tuckaway, &id, ".").await.is_ok(),
            "the next call fails after {}",
            runs[runs.len() - 1].filter
        );
    }
    let ended = runs.iter().filter(|run| run.limit.is_some()).count();
    let all = format!("{} hostile filters; {ended} end with a limit", runs.len());
    runs.sort_by_key(|run| std::cmp::Reverse(run.took));
    let slowest = runs[0].took;
    for run in runs.iter().take(SHOWN) {
        report.add(row(run, &corpus["store"]));
    }
    report.add(Row {
        what: all,
        measured: format!("{} ms the slowest", slowest.as_millis()),
        budget: format!("≤ {} ms", BUDGET.as_millis()),
        met: Some(slowest <= BUDGET),
        ratio: String::new(),
    });
    Ok(())
}

/// Returns the message of the limit that ended a filter, if one did.
fn limit_of(ended: Result<Outputs, Error>) -> Option<String> {
    match ended {
        Ok(Outputs { failure: Some(error), .. }) | Err(error) if error.kind == ErrorKind::Limit => {
            Some(error.message)
        }
        _ => None,
    }
}

fn how_it_ended(limit: Option<&str>) -> String {
    if limit.is_some() { "ends with a limit" } else { "has an answer" }.to_owned()
}

fn row(run: &Run, store: &Value) -> Row {
    let steps = steps(run, store);
    Row {
        what: shown(&run.filter),
        measured: format!(
            "{} ms, {steps} steps, {:.0} ns each",
            run.took.as_millis(),
            run.took.as_nanos() as f64 / steps as f64
        ),
        budget: format!("≤ {} ms", BUDGET.as_millis()),
        met: Some(run.took <= BUDGET),
        ratio: how_it_ended(run.limit.as_deref()),
    }
}

/// Formats a filter for a table cell; the middle of a long one is omitted.
fn shown(filter: &str) -> String {
    const ENDS: usize = 70;
    let chars: Vec<char> = filter.replace('|', "\\|").chars().collect();
    match chars.len() > 2 * ENDS {
        false => format!("`{}`", chars.into_iter().collect::<String>()),
        true => {
            let text = |chars: &[char]| chars.iter().collect::<String>();
            format!("`{} … {}`", text(&chars[..ENDS]), text(&chars[chars.len() - ENDS..]))
        }
    }
}

/// Returns the steps that a filter takes: its limit if it used it up, otherwise the
/// smallest limit with which it ends in the same way. The native engine takes as many.
fn steps(run: &Run, store: &Value) -> u64 {
    let given = |message: &str| message.split_once("more than ")?.1.split_once(" steps")?.0.parse().ok();
    if let Some(steps) = run.limit.as_deref().and_then(given) {
        return steps;
    }
    let (mut too_few, mut enough) = (0, 1 << 25);
    while enough - too_few > 1 {
        let middle = (too_few + enough) / 2;
        let used_up = natively(&run.filter, store, middle).is_some_and(|message| given(&message).is_some());
        if used_up { too_few = middle } else { enough = middle }
    }
    enough
}

/// Returns the error that stops a filter in the native engine, with this limit of steps.
fn natively(filter: &str, store: &Value, max_steps: u64) -> Option<String> {
    let world = World::new(store, &Value::Null).ok()?;
    let query = JqQuery { max_steps: Some(max_steps), ..query(filter) };
    match Engine::new(&world, &world).jq("art", &query, Some(MAX_BYTES)) {
        Ok(Outputs { failure: Some(error), .. }) | Err(error) => Some(error.message),
        Ok(_) => None,
    }
}

fn query(filter: &str) -> JqQuery {
    JqQuery { filter: filter.to_owned(), compact: true, ..JqQuery::default() }
}

async fn ask(tuckaway: &Tuckaway, id: &str, filter: &str) -> Result<Outputs, Error> {
    tuckaway.jq(id, &query(filter), Some(MAX_BYTES)).await
}
