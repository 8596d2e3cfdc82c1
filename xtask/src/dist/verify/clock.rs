//! The time that a user waits in an empty home.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Runs the first lines of a README, which end with an envelope, and prints how long they take.
pub fn first_envelope(way: &str, lines: impl FnOnce() -> Result<String>) -> Result<()> {
    let start = Instant::now();
    let printed = lines()?;
    let seconds = start.elapsed().as_secs_f64();
    let envelope: Value =
        serde_json::from_str(&printed).with_context(|| format!("{way} printed no envelope"))?;
    ensure!(envelope["artifact_id"].is_string(), "{way} printed {envelope}");
    println!("{way}: {seconds:.1} seconds from the first line to the first envelope");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_envelope_is_accepted() {
        let of = |printed: &str| first_envelope("test", || Ok(printed.to_owned()));
        assert!(of(r#"{"artifact_id": "art_cat_1"}"#).is_ok());
        assert!(of("{}").unwrap_err().to_string().contains("printed {}"));
        assert!(of("a line").unwrap_err().to_string().contains("no envelope"));
    }
}
