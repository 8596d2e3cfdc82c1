//! The component's size. `cargo xtask component` checks it against the budget.

use std::io::Write;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use tuckaway_host::COMPONENT;

use crate::report::{Report, Row};

/// Adds a row for the raw size, and one for the compressed size that servers send.
pub fn measure(report: &mut Report) -> Result<()> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(COMPONENT)?;
    for (what, bytes) in [("raw", COMPONENT.len()), ("gzip -9", encoder.finish()?.len())] {
        report.add(Row::without_budget(format!("component, {what}"), format!("{bytes} bytes")));
    }
    Ok(())
}
