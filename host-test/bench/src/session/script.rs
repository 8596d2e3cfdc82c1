//! The sessions that every strategy plays: the user's questions, the agent's tool calls, and
//! their results. The same in each run.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::json;
use tuckaway_host_test::{suites, workspace};

use crate::generated::{APPLICATION, LOGS, Numbers, reviews};

/// The turns of a session.
pub const TURNS: usize = 300;
/// A folder with real outputs; docs/performance.md names their sources.
const DATA: &str = "../shared/data";
/// The files of examples that are used if they were fetched.
const EXAMPLES: [&str; 3] = ["twitter.json", "citm_catalog.json", "github_events.json"];

/// The work of a session's agent.
#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    /// It reads texts.
    Reads,
    /// It also writes a file in each third turn, and sees a screenshot in each second.
    WritesAndSees,
}

/// One turn: the user's message, the agent's calls, its answer.
pub struct Turn {
    pub user: String,
    pub steps: Vec<Step>,
    pub answer: String,
    /// Facts that may be asked for later.
    pub facts: Vec<Fact>,
}

/// A call of a tool.
pub struct Step {
    pub tool: &'static str,
    pub arguments: String,
    pub output: String,
    /// Whether the output comes with a screenshot.
    pub has_image: bool,
}

/// Something that was said or returned once, and is needed at the end.
#[derive(Clone)]
pub struct Fact {
    /// A text that occurs nowhere else.
    pub text: String,
    /// Whether the user said it; otherwise, a tool returned it, or the agent wrote it.
    pub is_users: bool,
}

/// Outputs that slices are taken from.
struct Source {
    tool: &'static str,
    lines: Vec<String>,
}

/// Returns the session. Names the sources of its outputs for people.
pub fn session(work: Work) -> Result<(Vec<Turn>, String)> {
    let (sources, named) = sources()?;
    let mut numbers = Numbers(7);
    let mut turns: Vec<Turn> = (0..TURNS).map(|index| turn(index, &sources, &mut numbers)).collect();
    if work == Work::WritesAndSees {
        for (index, turn) in turns.iter_mut().enumerate() {
            if index % 3 == 0 {
                write(turn, index, &sources, &mut numbers);
            }
            if index % 2 == 0 {
                turn.steps.push(screenshot(index));
            }
        }
    }
    Ok((turns, named))
}

/// Adds a call that writes a file of 4 to 16 KB, with a fact in its middle.
fn write(turn: &mut Turn, index: usize, sources: &[Source], numbers: &mut Numbers) {
    let source = &sources[numbers.below(sources.len() as u32) as usize];
    let bytes = 4_000 + numbers.below(12_000) as usize;
    let mut content = slice(source, bytes, numbers);
    let text = code("W", index, numbers);
    insert(&mut content, &format!("the setting of service {index} is {text}\n"));
    turn.facts.push(Fact { text, is_users: false });
    turn.steps.push(Step {
        tool: "write_file",
        arguments: json!({"path": format!("services/{index}.txt"), "content": content}).to_string(),
        output: format!("Wrote {} bytes.", content.len()),
        has_image: false,
    });
}

fn screenshot(index: usize) -> Step {
    Step {
        tool: "screenshot",
        arguments: json!({"page": format!("services/{index}")}).to_string(),
        output: format!("The dashboard of service {index}:"),
        has_image: true,
    }
}

/// Returns a text that occurs nowhere else.
fn code(kind: &str, index: usize, numbers: &mut Numbers) -> String {
    format!("{kind}{index:03}-{:06x}{:06x}", numbers.below(1 << 24), numbers.below(1 << 24))
}

/// Inserts a line in the middle of a text.
fn insert(text: &mut String, line: &str) {
    let middle = floor(text, text.len() / 2);
    let at = text[..middle].rfind('\n').map_or(0, |feed| feed + 1);
    text.insert_str(at, line);
}

fn turn(index: usize, sources: &[Source], numbers: &mut Numbers) -> Turn {
    const THINGS: [&str; 6] =
        ["deadline", "owner", "release tag", "port", "account number", "maintenance window"];
    let (said, found) = (code("U", index, numbers), code("T", index, numbers));
    let thing = THINGS[numbers.below(THINGS.len() as u32) as usize];
    let user = format!(
        "Please look into service {} next. For the record, its {thing} is {said}, agreed with the team on the phone. \
         Check what the tools say about it, compare it with what we saw before, and keep the answer short. {}",
        numbers.below(90),
        prose(numbers, 2)
    );
    let count = 1 + numbers.below(4) as usize;
    let mut steps: Vec<Step> = (0..count).map(|step| output(index, step, sources, numbers)).collect();
    // One of the outputs has the fact that will be needed, in its middle.
    let chosen = numbers.below(count as u32) as usize;
    insert(&mut steps[chosen].output, &format!("incident of service {index}: root cause {found}\n"));
    let answer = format!("I have checked it. {}", prose(numbers, 6));
    let facts = [(said, true), (found, false)].map(|(text, is_users)| Fact { text, is_users });
    Turn { user, steps, answer, facts: facts.to_vec() }
}

/// Returns a call with its output: half of them are small, a seventh large.
fn output(turn: usize, step: usize, sources: &[Source], numbers: &mut Numbers) -> Step {
    let source = &sources[numbers.below(sources.len() as u32) as usize];
    let bytes = match numbers.below(20) {
        0..10 => 300 + numbers.below(1_700),
        10..17 => 2_000 + numbers.below(12_000),
        _ => 14_000 + numbers.below(36_000),
    } as usize;
    let arguments = format!("{{\"service\": {}, \"page\": {}}}", turn, step);
    Step { tool: source.tool, arguments, output: slice(source, bytes, numbers), has_image: false }
}

/// Returns a slice of a source, from a random line on.
fn slice(source: &Source, bytes: usize, numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let mut line = numbers.below(source.lines.len() as u32) as usize;
    while text.len() < bytes {
        text.push_str(&source.lines[line]);
        text.push('\n');
        line = (line + 1) % source.lines.len();
    }
    text.truncate(floor(&text, bytes));
    text
}

/// Returns the last boundary of a character at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Returns sentences as people and models write them.
fn prose(numbers: &mut Numbers, sentences: u32) -> String {
    const WHO: [&str; 4] = ["The scheduler", "One of the workers", "The new release", "The storage node"];
    const DID: [&str; 4] = ["restarted", "answered slowly", "lost its connection", "kept its data"];
    const WHEN: [&str; 4] =
        ["after the deployment", "during the night", "while the disk was full", "before the retry"];
    let all: Vec<String> = (0..sentences)
        .map(|_| {
            let mut pick = |words: [&'static str; 4]| words[numbers.below(4) as usize];
            format!("{} {} {}.", pick(WHO), pick(DID), pick(WHEN))
        })
        .collect();
    all.join(" ")
}

fn sources() -> Result<(Vec<Source>, String)> {
    let mut sources: Vec<Source> = LOGS.iter().map(|log| source("read_log", &log.text())).collect();
    sources.push(source("export_reviews", &reviews()));
    sources.push(source("query_table", &APPLICATION.table()));
    let mut named = "generated logs, tables and reviews".to_owned();
    let folder = workspace().join(DATA);
    if folder.is_dir() {
        for (below, tool) in [("logs", "read_log"), ("csv", "query_table"), ("json", "call_api")] {
            sources.extend(files(&folder.join(below), tool)?);
        }
        named += &format!(", and the files of `{DATA}`");
    } else {
        let fetched = EXAMPLES.iter().filter_map(|name| suites::json_example(name));
        sources.extend(fetched.map(|bytes| source("call_api", &String::from_utf8_lossy(&bytes))));
    }
    Ok((sources, named))
}

/// Reads the files of a folder, the smaller ones: a slice of a few KB is taken of each.
fn files(folder: &Path, tool: &'static str) -> Result<Vec<Source>> {
    const MAX_BYTES: u64 = 3 << 20;
    let mut paths: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() < MAX_BYTES));
    paths.iter().map(|path| Ok(source(tool, &String::from_utf8_lossy(&fs::read(path)?)))).collect()
}

fn source(tool: &'static str, text: &str) -> Source {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push("nothing".to_owned());
    }
    Source { tool, lines }
}
