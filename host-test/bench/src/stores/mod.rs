//! The cost of stores: putting an artifact and the first query on it, in memory, in a directory,
//! and in a server with the API of S3 on loopback, compared with the same bytes by the crate
//! `object_store` alone.
//!
//! Each store and size has a separate process (`child.rs`), so that its memory is known. For
//! a server it runs twice: through the proxy that counts requests, and directly, for the times.

mod bare;
mod child;

use anyhow::{Context, Result};
use tuckaway_test_kit::faults::{FaultProxy, Seen};
use tuckaway_test_kit::object_servers::{ObjectServer, Program};
use tuckaway_test_kit::place::Place;

use crate::report::{Report, Row};
use bare::Bare;
use child::{Child, PUT, Step};

pub use child::run as run_child;

/// The sizes, in MiB.
const SIZES: [u64; 3] = [1, 64, 1024];

/// Measures all stores with all sizes.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns(["step", "time, memory of the process", "requests, bytes", "against"]);
    for mebibytes in SIZES {
        for (name, place) in [("memory", child::MEMORY), ("directory", child::DIRECTORY)] {
            let mut child = Child::start(place, mebibytes)?;
            while let Some(step) = child.step()? {
                report.add(row(name, mebibytes, &step));
            }
        }
        objects(report, mebibytes).await?;
    }
    Ok(())
}

/// Measures a store in a server.
async fn objects(report: &mut Report, mebibytes: u64) -> Result<()> {
    let server = ObjectServer::start(Program::S3sFs)?;
    let proxy = FaultProxy::start(server.address())?;
    let place = |url: String| -> Result<Place> {
        Ok(Place::Objects { url, bucket: server.bucket()?, prefix: "bench".to_owned() })
    };
    let mut counted = Vec::new();
    let mut child = Child::start(&place(proxy.url())?.to_string(), mebibytes)?;
    proxy.take_seen();
    while child.step()?.is_some() {
        counted.push(Traffic::of(&proxy.take_seen()));
    }
    let mut child = Child::start(&place(server.url())?.to_string(), mebibytes)?;
    let bare = Bare::new(&server.url(), &server.bucket()?)?;
    for traffic in counted {
        let step = child.step()?.context("the second run is as long as the first")?;
        let alone = match step.what == PUT {
            true => bare.put(mebibytes << 20).await?,
            false => bare.get(traffic.received).await?,
        };
        report.add(Row {
            budget: traffic.shown(),
            ratio: format!(
                "{:.1} x object_store alone, {:.0} ms",
                step.seconds / alone.as_secs_f64(),
                alone.as_secs_f64() * 1e3
            ),
            ..row("S3", mebibytes, &step)
        });
    }
    Ok(())
}

fn row(store: &str, mebibytes: u64, step: &Step) -> Row {
    let size = match mebibytes {
        1024 => "1 GiB".to_owned(),
        _ => format!("{mebibytes} MiB"),
    };
    let (what, time, peak) = (&step.what, step.seconds * 1e3, step.peak_kib / 1024);
    let decimals = if time < 10.0 { 2 } else { 0 };
    Row::without_budget(format!("{size}, {store}: {what}"), format!("{time:.decimals$} ms, {peak} MiB"))
}

/// The requests of a step.
struct Traffic {
    requests: usize,
    sent: u64,
    received: u64,
}

impl Traffic {
    fn of(seen: &[Seen]) -> Traffic {
        Traffic {
            requests: seen.len(),
            sent: seen.iter().map(|seen| seen.body_bytes).sum(),
            received: seen.iter().map(|seen| seen.answer_bytes).sum(),
        }
    }

    fn shown(&self) -> String {
        let bytes = |bytes: u64| match bytes {
            0..10_000 => format!("{bytes} B"),
            _ => format!("{:.1} MB", bytes as f64 / 1e6),
        };
        format!("{}, {} sent, {} received", self.requests, bytes(self.sent), bytes(self.received))
    }
}
