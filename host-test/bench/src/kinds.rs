//! How fast each kind of content is turned into a view: the samples of `cases/kinds`,
//! repeated.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;
use tuckaway_content::{Kind, to_json};
use tuckaway_host::Content;
use tuckaway_host_test::{confusion, content, workspace};

use crate::offload::{BUDGET, best, fastest, rate};
use crate::report::{Report, Row};

/// Bytes of each input.
const BYTES: usize = 32 << 20;

/// The kinds that are the largest outputs in practice, and their rate in MB/s.
const LARGEST: [&str; 2] = ["build", "log"];
const BUDGET_OF_LARGEST: f64 = 400.0;

/// Adds one row for each file of samples.
pub async fn measure(report: &mut Report) -> Result<()> {
    let directory = workspace().join("cases/kinds");
    let mut files: Vec<_> = fs::read_dir(&directory)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files {
        let cases: Value = serde_json::from_slice(&fs::read(&file)?)?;
        let sample = cases["cases"]
            .as_array()
            .and_then(|cases| cases.iter().find_map(|case| case["input"].get("text")))
            .with_context(|| format!("{} has no sample that is a text", file.display()))?;
        let mut sample = content::text(sample)?;
        if !sample.ends_with('\n') {
            sample.push('\n');
        }
        let kind = file.file_stem().unwrap_or_default().display().to_string();
        // Repeated bare strings would be text.
        if kind == "json-in-string" {
            sample = format!("{{\"body\": {}}}\n", sample.trim_end());
        }
        // Within one document of YAML, keys must not repeat.
        if kind == "yaml" {
            sample.push_str("---\n");
        }
        let text = sample.repeat(BYTES.div_ceil(sample.len()));
        let bytes = text.len();
        if kind == "yaml" {
            add_yaml_readers(report, &text);
        }
        let rate = rate(bytes, fastest(&Content::Text(text)).await);
        let budget = if LARGEST.contains(&&*kind) { BUDGET_OF_LARGEST } else { BUDGET };
        report.add(Row {
            what: format!("process() of {kind}, {} MB, in wasmtime", bytes / 1_000_000),
            measured: format!("{rate:.0} MB/s"),
            budget: format!("≥ {budget} MB/s"),
            met: Some(rate >= budget),
            ratio: String::new(),
        });
    }
    Ok(())
}

/// Returns the confusion matrices as text: one for each change of the samples, and one of
/// all.
pub fn confusion() -> Result<String> {
    let (by_change, all) = confusion::matrices(&mut |_, _, _| {})?;
    let parts = by_change.iter().map(|(change, matrix)| format!("{}\n{matrix}\n", change.name()));
    Ok(parts.collect::<String>() + &format!("all of them, and random strings\n{all}"))
}

/// Adds how fast YAML is read natively, by the peer and by the engine's reader.
fn add_yaml_readers(report: &mut Report, text: &str) {
    let megabytes = text.len() / 1_000_000;
    let peer = rate(
        text.len(),
        best(|| {
            assert!(
                saphyr_parser::Parser::new_from_str(text).all(|event| event.is_ok()),
                "the sample is YAML"
            );
        }),
    );
    let convert = to_json(Kind::Yaml).expect("YAML is converted to JSON");
    let ours = rate(
        text.len(),
        best(|| {
            convert(text.as_bytes(), 1 << 30).expect("the sample is converted");
        }),
    );
    report.add(Row {
        ratio: "1.0".to_owned(),
        ..Row::without_budget(
            format!("saphyr-parser, native, events of yaml, {megabytes} MB"),
            format!("{peer:.0} MB/s"),
        )
    });
    report.add(Row {
        ratio: format!("{:.1} x saphyr-parser, native", ours / peer),
        ..Row::without_budget(
            format!("the engine's reader, native, yaml to JSON, {megabytes} MB"),
            format!("{ours:.0} MB/s"),
        )
    });
}
