//! Puts artifacts of known content into a store, for tests that start and kill it.
//!
//! ```text
//! store_worker PLACE put SEED COUNT BYTES     puts artifacts, each with the next seed
//! store_worker PLACE replace SEED COUNT BYTES does that too, and removes each but the last
//! store_worker PLACE churn SEED SECONDS       puts, lists, checks and removes for this time
//! ```
//!
//! PLACE is a place of `tuckaway_test_kit::place`. The worker prints `sealed ID` and `removed ID`
//! afterwards, and `removing ID` before a removal. All work on files is done by one thread, which
//! first inspects [`WARM_UP`] files: strace counts the calls of each thread, and this thread must
//! be the first to reach a count that comes later.
#![forbid(unsafe_code)]

use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use tuckaway_host::{Store, StoreError};
use tuckaway_test_kit::known::{self, Flaw, Known};
use tuckaway_test_kit::place::{Place, WARM_UP};

/// Artifacts that `churn` leaves in the store, about.
const KEPT: usize = 24;

fn main() -> ExitCode {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().max_blocking_threads(1).thread_keep_alive(Duration::from_secs(600));
    let run = runtime.build().map_err(anyhow::Error::from).and_then(|runtime| runtime.block_on(run()));
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("store_worker: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = move || arguments.next().context("an argument is missing");
    let place: Place = next()?.parse()?;
    let inspect = |_| drop((fs::symlink_metadata("/"), fs::File::open("/")));
    tokio::task::spawn_blocking(move || (0..WARM_UP).for_each(inspect)).await?;
    let store = place.open_patiently()?;
    let store: &dyn Store = &*store;
    let command = next()?;
    let seed: u64 = next()?.parse()?;
    match command.as_str() {
        "put" | "replace" => {
            let (count, bytes): (u64, usize) = (next()?.parse()?, next()?.parse()?);
            let mut last = None;
            for seed in seed..seed + count {
                let id = put(store, Known { seed, bytes }).await?;
                if let Some(last) = last.replace(id).filter(|_| command == "replace") {
                    remove(store, &last).await?;
                }
            }
            Ok(())
        }
        "churn" => churn(store, seed, Duration::from_secs(next()?.parse()?)).await,
        other => bail!("unknown command {other}"),
    }
}

async fn put(store: &dyn Store, known: Known) -> Result<String> {
    let artifact = known.put(store).await.map_err(|error| anyhow!("putting {known:?}: {error:?}"))?;
    say("sealed", &artifact.id)?;
    Ok(artifact.id)
}

/// Removes an artifact, which another process may have removed meanwhile.
async fn remove(store: &dyn Store, id: &str) -> Result<()> {
    say("removing", id)?;
    match store.delete(id).await {
        Ok(()) => say("removed", id),
        Err(StoreError::NotFound) => Ok(()),
        Err(error) => bail!("removing: {error:?}"),
    }
}

/// Works until the time is over. Artifacts that another process has removed meanwhile may be
/// missing; any other failure is an error.
async fn churn(store: &dyn Store, seed: u64, time: Duration) -> Result<()> {
    let begun = Instant::now();
    let mut seed = seed;
    while begun.elapsed() < time {
        put(store, Known { seed, bytes: (seed as usize * 7919) % 40_000 }).await?;
        seed += 1;
        let listed = store.list_artifacts().await.map_err(|error| anyhow!("listing: {error:?}"))?;
        if let Some(artifact) = listed.get(seed as usize % listed.len().max(1)) {
            match known::check(store, artifact).await {
                // One that is being removed from a directory seems to have expired.
                Ok(_) | Err(Flaw::Store(StoreError::NotFound | StoreError::Expired(None))) => {}
                Err(flaw) => bail!("checking: {flaw:?}"),
            }
        }
        for artifact in listed.iter().take(listed.len().saturating_sub(KEPT)) {
            remove(store, &artifact.id).await?;
        }
    }
    Ok(())
}

/// Prints a line at once: this process may be killed.
fn say(what: &str, id: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{what} {id}")?;
    Ok(out.flush()?)
}
