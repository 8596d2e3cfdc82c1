//! The component's size. `cargo xtask component` holds it to its budget.

use std::io::Write;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use tuckaway_host::COMPONENT;

use crate::report::{Report, Row};

/// One row as it is, one as servers send it.
pub fn measure(report: &mut Report) -> Result<()> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(COMPONENT)?;
    for (what, bytes) in [("raw", COMPONENT.len()), ("gzip -9", encoder.finish()?.len())] {
        report.add(Row::without_budget(format!("component, {what}"), format!("{bytes} bytes")));
    }
    Ok(())
}
