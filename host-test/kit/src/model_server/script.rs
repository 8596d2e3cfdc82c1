//! The model: a script that knows nothing but the text of the request.
//!
//! It searches for the quoted passage in the question, or for the question's last word. A chunk,
//! or text extracted from chunks, is answered with the lines that contain it; with `Read` and
//! `Grep` it searches, reads the first line that was found, and answers with that line.

use serde_json::{Value, json};

use super::protocol::{Ask, Heard, Said};

/// Longer lines are excerpts around the passage.
const MAX_LINE_BYTES: usize = 300;
/// The maximum lines of an answer.
const MAX_LINES: usize = 20;

/// Returns the model's answer.
pub fn answer(ask: &Ask) -> Said {
    let wanted = wanted(&ask.system);
    let results: Vec<&str> = ask.heard.iter().filter_map(result).collect();
    if ask.may_call {
        match results.len() {
            0 => return call(ask, "Grep", |name| argument(name, &wanted, None)),
            1 => {
                if let Some(line) = results[0].lines().find_map(number) {
                    return call(ask, "Read", |name| argument(name, &wanted, Some(line)));
                }
            }
            _ => {}
        }
    }
    let given: Vec<&str> = match results.is_empty() {
        false => results,
        true => vec![given(ask)],
    };
    let mut found: Vec<String> = Vec::new();
    for line in given.iter().flat_map(|text| text.lines()).filter(|line| line.contains(&wanted)) {
        let line = excerpt(strip_number(line), &wanted);
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found.truncate(MAX_LINES);
    let content = match found.is_empty() {
        true => {
            let bytes: usize = given.iter().map(|text| text.len()).sum();
            format!("NO RELEVANT DATA FOUND\n{bytes} bytes of text without {wanted:?}.")
        }
        false => found.join("\n"),
    };
    let nonce = &ask.nonce;
    let text = format!(
        "Here it is.\n<ai-agent-{nonce}-FINAL format=\"text\">\n{content}\n</ai-agent-{nonce}-FINAL>\n"
    );
    Said { text, ..Said::default() }
}

fn result(heard: &Heard) -> Option<&str> {
    match heard {
        Heard::Result(text) => Some(text),
        Heard::User(_) => None,
    }
}

/// Returns the passage that the instructions ask for.
pub fn wanted(system: &str) -> String {
    let behind = system.split_once("WHAT TO EXTRACT\n").map_or("", |(_, behind)| behind);
    let instructions = behind.split("\n\n").next().unwrap_or_default();
    let quoted = instructions.split('"').nth(1).filter(|quoted| !quoted.is_empty());
    quoted.or(instructions.split_whitespace().last()).unwrap_or("nothing").to_owned()
}

/// Returns the text in the request: a chunk, or text extracted from chunks.
fn given(ask: &Ask) -> &str {
    let inside = |text| {
        let (_, behind) = str::split_once(text, "<document-chunk-")?;
        let (_, behind) = behind.split_once('\n')?;
        Some(behind.rsplit_once("\n</document-chunk-").map_or(behind, |(inside, _)| inside))
    };
    let users = ask.heard.iter().filter_map(|heard| match heard {
        Heard::User(text) => Some(text.as_str()),
        Heard::Result(_) => None,
    });
    let outputs = ask.system.split_once("CHUNK OUTPUTS\n").map_or("", |(_, behind)| behind);
    users.filter_map(inside).next().unwrap_or(outputs)
}

/// Calls a tool with arguments by its schema: required ones, and ones that name lines.
fn call(ask: &Ask, name: &str, argument: impl Fn(&str) -> Option<Value>) -> Said {
    let Some((_, schema)) = ask.tools.iter().find(|(known, _)| known == name) else {
        return Said { text: format!("There is no tool {name}."), ..Said::default() };
    };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut arguments = json!({});
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        match argument(name) {
            Some(value) => arguments[name] = value,
            None if required.contains(&json!(name)) => arguments[name] = json!(handle(&ask.system)),
            None => {}
        }
    }
    Said { calls: vec![(name.to_owned(), arguments)], ..Said::default() }
}

/// Returns the value of an argument: the pattern, or the line to read.
fn argument(name: &str, wanted: &str, line: Option<u64>) -> Option<Value> {
    match (name, line) {
        ("pattern", _) => Some(json!(wanted)),
        ("fixed_string", None) => Some(json!(true)),
        ("start_line" | "end_line", Some(line)) => Some(json!(line)),
        ("offset", Some(line)) => Some(json!(line - 1)),
        ("limit", Some(_)) => Some(json!(1)),
        _ => None,
    }
}

/// Returns the file name that the instructions give.
pub fn handle(system: &str) -> &str {
    let (_, behind) = system.split_once("- Handle/filename: ").unwrap_or_default();
    behind.lines().next().unwrap_or_default()
}

/// Returns the number of the line that a reply shows as found: `12:`.
fn number(line: &str) -> Option<u64> {
    let digits = line.split(|c: char| !c.is_ascii_digit()).next()?;
    let rest = &line[digits.len()..];
    digits.parse().ok().filter(|&line| line > 0 && rest.starts_with([':', '@']))
}

/// Removes the number before a line.
fn strip_number(line: &str) -> &str {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '@');
    match rest.strip_prefix([':', '\t']) {
        Some(text) if rest.len() < line.len() => text,
        _ => line,
    }
}

/// Cuts a long line to the part around the passage.
fn excerpt(line: &str, wanted: &str) -> String {
    let at = line.find(wanted).unwrap_or(0);
    if line.len() <= MAX_LINE_BYTES {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(at.saturating_sub(MAX_LINE_BYTES / 4));
    let end = line.floor_char_boundary((at + wanted.len() + MAX_LINE_BYTES / 4).min(line.len()));
    line[start..end].to_owned()
}
