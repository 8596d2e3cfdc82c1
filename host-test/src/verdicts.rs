//! The accuracy of views of builds and test runs: the outputs and the lines in
//! `cases/verdicts/`, with labels by people.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tuckaway_content::{Facts, Layout, clean, inspect, looks_like_error, truncate};

use crate::{content, workspace};

/// The maximum bytes of an outline.
const OUTLINE_BYTES: usize = 4_096;
/// The minimum bytes of a cut; a longer output is cut to a third.
const CUT_BYTES: usize = 700;
/// The sections of an outline that list errors by their lines.
const ERROR_SECTIONS: [&str; 3] = ["errors", "failed_tests", "exceptions"];

/// A line, and whether it says that something failed.
#[derive(Deserialize)]
struct LabelledLine {
    error: bool,
    line: String,
}

/// The output of a run, and how it ended.
#[derive(Deserialize)]
struct LabelledOutput {
    name: String,
    verdict: String,
    /// Parts of the lines that give the reason, in a form that every view keeps.
    #[serde(default)]
    why: Vec<String>,
    /// All lines that say that something failed, counted from 1.
    #[serde(default)]
    errors: Vec<u64>,
    text: Value,
}

/// The findings and the misses, by name.
#[derive(Default)]
pub struct Score {
    /// The number of correct findings.
    pub right: usize,
    /// The wrong findings.
    pub wrong: Vec<String>,
    /// The misses.
    pub missed: Vec<String>,
}

impl Score {
    fn add(&mut self, is_found: bool, is_true: bool, name: impl FnOnce() -> String) {
        match (is_found, is_true) {
            (true, true) => self.right += 1,
            (true, false) => self.wrong.push(name()),
            (false, true) => self.missed.push(name()),
            (false, false) => {}
        }
    }

    /// Returns the share of the findings that are correct.
    pub fn precision(&self) -> f64 {
        share(self.right, self.wrong.len())
    }

    /// Returns the share of the true cases that were found.
    pub fn recall(&self) -> f64 {
        share(self.right, self.missed.len())
    }
}

fn share(right: usize, others: usize) -> f64 {
    right as f64 / (right + others).max(1) as f64
}

/// The results on the labelled set.
#[derive(Default)]
pub struct Evaluation {
    /// The number of outputs.
    pub outputs: usize,
    /// The number of lines.
    pub lines: usize,
    /// Passed or failed, as outlines say.
    pub verdicts: Score,
    /// The same if it is known that the tool reported an error.
    pub verdicts_of_errors: Score,
    /// The same of outputs with carriage returns, after a prompt, and cut to their last
    /// lines.
    pub verdicts_of_variants: Score,
    /// Single lines that look like errors.
    pub error_lines: Score,
    /// The lines of errors that outlines list, of all that are labelled as errors.
    pub listed: Score,
    /// The lines that say why, in outlines.
    pub why_in_outlines: Score,
    /// The lines that say why, in cuts.
    pub why_in_cuts: Score,
}

/// Evaluates the labelled set.
pub fn evaluate() -> Result<Evaluation> {
    let mut evaluation = Evaluation::default();
    for LabelledLine { error, line } in read("lines.ndjson")? {
        evaluation.lines += 1;
        evaluation.error_lines.add(looks_like_error(line.as_bytes()), error, || line.clone());
    }
    for output in read::<LabelledOutput>("outputs.ndjson")? {
        evaluation.outputs += 1;
        evaluation.add(&output).with_context(|| output.name.clone())?;
    }
    Ok(evaluation)
}

fn read<T: DeserializeOwned>(name: &str) -> Result<Vec<T>> {
    let path: PathBuf = workspace().join("cases/verdicts").join(name);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let parse = |(index, line)| serde_json::from_str(line).with_context(|| format!("{name}:{}", index + 1));
    text.lines().enumerate().map(parse).collect()
}

impl Evaluation {
    fn add(&mut self, output: &LabelledOutput) -> Result<()> {
        let text = content::text(&output.text)?;
        let outline = outline(&text, false)?;
        add_verdict(&mut self.verdicts, output, &outline);
        if output.verdict == "failed" {
            add_verdict(&mut self.verdicts_of_errors, output, &self::outline(&text, true)?);
        }
        for variant in variants(&text) {
            add_verdict(&mut self.verdicts_of_variants, output, &self::outline(&variant, false)?);
        }
        for section in ERROR_SECTIONS {
            for (key, message) in outline[section].as_object().into_iter().flatten() {
                // A second message of the same line has the key `1 (2)`.
                let Ok(line) = key.split(' ').next().unwrap_or_default().parse::<u64>() else { continue };
                let is_error = output.errors.contains(&line);
                self.listed.add(true, is_error, || format!("{}: {section} {line}: {message}", output.name));
            }
        }
        let shown = strings(&outline);
        let max = CUT_BYTES.max(text.len() / 3);
        let kind = inspect(text.as_bytes(), &Facts::default()).kind;
        let cut = truncate(&clean(&text, kind), kind, max);
        for why in &output.why {
            let name = || format!("{}: {why}", output.name);
            self.why_in_outlines.add(shown.contains(why), true, name);
            self.why_in_cuts.add(cut.contains(why), true, name);
        }
        Ok(())
    }
}

/// Returns an output as people get to see it too.
fn variants(text: &str) -> Vec<String> {
    let last = |count: usize| {
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(count)..].join("\n")
    };
    vec![
        text.replace('\n', "\r\n"),
        format!("dev@laptop:~/app$ ./run error-handler\n{text}\ndev@laptop:~/app$ "),
        last(3),
        last(12),
    ]
}

fn outline(text: &str, has_failed: bool) -> Result<Value> {
    let lines = text.lines().count() as u64;
    let inspected = inspect(text.as_bytes(), &Facts { claimed: None, line_count: lines, has_failed });
    Ok(serde_json::from_str(&inspected.to_json(OUTLINE_BYTES, &Layout::ONE_LINE))?)
}

/// Adds an outline's verdict on an output. No verdict is never wrong.
fn add_verdict(score: &mut Score, output: &LabelledOutput, outline: &Value) {
    let kind = outline["kind"].as_str().unwrap_or_default();
    let said = ["passed", "failed"].into_iter().find(|verdict| kind.contains(&format!(": {verdict}")));
    let name = || format!("{} ({}): {kind}", output.name, output.verdict);
    match said {
        Some(said) => score.add(true, said == output.verdict, name),
        None => score.add(false, output.verdict != "none", name),
    }
}

/// Returns all texts in a value, one in a line.
fn strings(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone() + "\n",
        Value::Array(values) => values.iter().map(strings).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| format!("{key}\n{}", strings(value))).collect()
        }
        _ => String::new(),
    }
}
