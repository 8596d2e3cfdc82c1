//! The error of estimated tokens against o200k_base, by kind of text.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use tuckaway_host::{CountTokens, Estimate, Tiktoken};
use tuckaway_host_test::{suites, workspace};

use crate::generated::{LOGS, reviews};
use crate::report::{Report, Row};

/// A folder with real outputs; docs/performance.md names their sources.
const DATA: &str = "../shared/data";
/// The maximum error of the sum for a kind, in percent.
const MAX_ERROR: f64 = 15.0;
/// Maximum bytes read of a file: the tokenizer is slow, and files are similar from end to end.
const MAX_BYTES: usize = 1 << 20;

/// A kind of text with its samples.
struct Kind {
    name: &'static str,
    texts: Vec<String>,
}

/// Adds one row for each kind.
pub async fn measure(report: &mut Report) -> Result<()> {
    report.name_columns(["kind", "estimated / o200k_base", "error", "samples"]);
    for kind in kinds() {
        let (mut estimated, mut counted, mut ratios) = (0, 0, Vec::new());
        for text in &kind.texts {
            let estimate = Estimate.count(text).await.map_err(|why| anyhow!(why))?;
            let tokens = Tiktoken::default().count(text).await.map_err(|why| anyhow!(why))?;
            ratios.push(estimate as f64 / tokens.max(1) as f64);
            estimated += estimate;
            counted += tokens;
        }
        let error = (estimated as f64 / counted.max(1) as f64 - 1.0) * 100.0;
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        report.add(Row {
            what: kind.name.to_owned(),
            measured: format!("{:.2}, single samples {least:.2} to {most:.2}", 1.0 + error / 100.0),
            budget: format!("{error:+.1} %, at most ±{MAX_ERROR} %"),
            met: Some(error.abs() <= MAX_ERROR),
            ratio: format!("{} with {counted} tokens", kind.texts.len()),
        });
    }
    Ok(())
}

fn kinds() -> Vec<Kind> {
    let (data, own) = (workspace().join(DATA), workspace());
    let mut logs: Vec<String> = LOGS.iter().map(|log| log.text()).collect();
    logs.extend(files(&data.join("logs"), "log"));
    let mut tables: Vec<String> = LOGS.iter().map(|log| log.table()).collect();
    tables.extend(files(&data.join("csv"), "csv"));
    let mut json = files(&data.join("json"), "json");
    let examples = ["twitter.json", "citm_catalog.json", "github_events.json"];
    json.extend(examples.iter().filter_map(|name| suites::json_example(name)).map(|bytes| beginning(&bytes)));
    json.push(reviews());
    let mut code = files(&own.join("crates/text/src"), "rs");
    code.extend(files(&own.join("js/src"), "ts"));
    let prose = files(&own.join("docs"), "md");
    let all = [("JSON", json), ("logs", logs), ("tables", tables), ("code", code), ("Markdown", prose)];
    all.into_iter().map(|(name, texts)| Kind { name, texts }).collect()
}

/// Reads the files of a folder with an extension; none if there is no such folder.
fn files(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).map(|bytes| beginning(&bytes)).collect()
}

/// Returns the beginning of a file as text.
fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]).into_owned()
}
