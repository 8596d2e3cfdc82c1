//! Texts of any size, the same in each run, and the real files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tuckaway_host_test::workspace;

use super::plant::Kind;
use crate::generated::Numbers;

/// A folder with real outputs; docs/performance.md names their sources.
const DATA: &str = "../shared/data";
/// The subfolders of it that are read.
const FOLDERS: [&str; 3] = ["csv", "json", "logs"];

/// A text without facts.
pub struct Source {
    /// Its name in the report.
    pub name: String,
    pub kind: Kind,
    pub text: String,
}

/// The kind of a generated text.
#[derive(Clone, Copy)]
pub enum Made {
    /// An array of records, on one line.
    OneLine,
    /// A record on each line.
    Records,
    Log,
    Table,
    Prose,
}

impl Made {
    /// All of them.
    pub const ALL: [Made; 5] = [Made::OneLine, Made::Records, Made::Log, Made::Table, Made::Prose];

    /// Makes a text of at least `bytes` bytes.
    pub fn source(self, bytes: usize) -> Source {
        let (name, kind) = match self {
            Made::OneLine => ("JSON on one line", Kind::Json),
            Made::Records => ("NDJSON", Kind::Json),
            Made::Log => ("log", Kind::Text),
            Made::Table => ("CSV", Kind::Table),
            Made::Prose => ("prose", Kind::Text),
        };
        let size = match bytes {
            0..1_000_000 => format!("{} KB", bytes / 1_000),
            _ => format!("{} MB", bytes / 1_000_000),
        };
        Source { name: format!("{name}, {size}"), kind, text: self.text(bytes) }
    }

    fn text(self, bytes: usize) -> String {
        let mut numbers = Numbers(bytes as u64);
        let mut text = String::with_capacity(bytes + 1_024);
        text += match self {
            Made::OneLine => "[",
            Made::Table => "number,host,status,milliseconds,message\n",
            Made::Records | Made::Log | Made::Prose => "",
        };
        for number in 0_u32.. {
            if text.len() >= bytes {
                break;
            }
            self.add(number, &mut numbers, &mut text);
        }
        if let Made::OneLine = self {
            text.truncate(text.len() - 1);
            text.push(']');
        }
        text
    }

    /// Adds a record, a line or a paragraph.
    fn add(self, number: u32, numbers: &mut Numbers, text: &mut String) {
        let (host, time) = (numbers.below(64), numbers.below(5_000));
        let status = [200, 200, 200, 404, 500][numbers.below(5) as usize];
        let words = sentence(numbers);
        // Writing into a string does not fail.
        let _ = match self {
            Made::OneLine | Made::Records => {
                let end = if let Made::OneLine = self { "," } else { "\n" };
                write!(
                    text,
                    "{{\"id\":{number},\"host\":\"node-{host}\",\"status\":{status},\"took\":[{time},{host}],\"note\":\"{words}\"}}{end}"
                )
            }
            Made::Log => {
                let clock = format!("{:02}:{:02}:{:02}", number / 3_600 % 24, number / 60 % 60, number % 60);
                writeln!(text, "2026-10-18 {clock} INFO node-{host} [{status}] {words} after {time} ms")
            }
            Made::Table => writeln!(text, "{number},node-{host},{status},{time},\"{words}, in all\""),
            Made::Prose => {
                text.push_str(&words);
                (0..3 + numbers.below(6)).for_each(|_| *text += &format!(". {}", sentence(numbers)));
                writeln!(text, ".\n")
            }
        };
    }
}

/// Returns a sentence without its full stop.
fn sentence(numbers: &mut Numbers) -> String {
    const WHO: [&str; 4] = ["The scheduler", "A worker of the pool", "The new release", "The storage node"];
    const DID: [&str; 4] = ["restarted", "answered slowly", "lost its connection", "kept its données"];
    const WHEN: [&str; 4] =
        ["after the deployment", "during the night", "while the disk was full", "before the retry"];
    let mut pick = |words: [&'static str; 4]| words[numbers.below(4) as usize];
    format!("{} {} {}", pick(WHO), pick(DID), pick(WHEN))
}

/// Reads the real files, in order; none if the folder is missing.
pub fn real() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in FOLDERS.map(|folder| workspace().join(DATA).join(folder)) {
        if !folder.is_dir() {
            eprintln!("bench: {} is missing; its rows are omitted", folder.display());
            continue;
        }
        let mut paths: Vec<_> = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            sources.extend(source(&path).with_context(|| format!("reading {}", path.display()))?);
        }
    }
    Ok(sources)
}

fn source(path: &Path) -> Result<Option<Source>> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let Some(kind) = Kind::of_extension(extension) else { return Ok(None) };
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let name = path.file_name().unwrap_or_default().display();
    Ok(Some(Source { name: format!("{name}, {} KB", text.len() / 1_000), kind, text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_texts_have_their_size_and_are_valid() {
        for made in Made::ALL {
            let text = made.text(20_000);
            assert!((20_000..22_000).contains(&text.len()), "{} bytes", text.len());
            assert_eq!(text, made.text(20_000));
        }
        let rows: serde_json::Value = serde_json::from_str(&Made::OneLine.text(5_000)).expect("JSON");
        assert!(rows.as_array().is_some_and(|rows| rows.len() > 20));
        for line in Made::Records.text(5_000).lines() {
            serde_json::from_str::<serde_json::Value>(line).expect(line);
        }
    }
}
