//! jq's own test suite, which `cargo xtask suites` fetches.
//!
//! `jq_suite/differences.txt` lists the expected differences, each with its reason. A test
//! fails if an answer differs that is not listed, or if a listed one does not differ.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tuckaway::JqQuery;
use tuckaway_host_test::{Answer, Call, Native, Subject, World, suites};

/// The files of jq 1.8.2 with their hashes: differences are listed by line.
const FILES: [(&str, &str); 7] = [
    ("jq.test", "329689763b651096989bd8260b643731083fc5fd17f6bd7834d158713f738cbd"),
    ("man.test", "3c25698e94d5199c75b784cc361cda9c6775389eb61f8f4fb05fde1a757ae3f9"),
    ("manonig.test", "62738dd27ce0dbc4f21296e48270f20024274631cae4b9ffe85a0eecaa53af7f"),
    ("onig.test", "e82dab356709d4a5e4dfd8c71aced12ed1f42eb23208bac0eaf5e3f05bedef05"),
    ("base64.test", "aec7a4812b4bdf937e77ba1261c5d51ece66308258d60ca2227b209a4398a64d"),
    ("uri.test", "530958297b8eac04093e742756ab0ecd57de4364a38ac69fa7fed693c381ec39"),
    ("optional.test", "06d7249e3d9e09d572995e66276cd65f2da6f907a15e2f9cb012e672598ac5b9"),
];

/// The expected differences.
const DIFFERENCES: &str = include_str!("../../jq_suite/differences.txt");

/// The reason of the differences that are only in strings.
const IN_OTHER_WORDS: &str = "The error says it in other words.";

/// How much of a filter is part of the case's name.
const HEAD_CHARS: usize = 60;

/// Large enough for all outputs of any case.
const PAGE_BYTES: u32 = 32 << 20;

/// One test of the suite.
struct Case {
    /// `jq.test:12`, then the filter's head.
    name: String,
    filter: String,
    /// `None` if the filter must be refused.
    input: Option<Vec<u8>>,
    outputs: Vec<String>,
}

/// Parses all tests of a file. Blank lines separate them; a line that begins with `#`
/// counts as blank.
fn parse(file: &str, text: &[u8]) -> Vec<Case> {
    let blank = |line: &[u8]| matches!(line.trim_ascii_start(), [] | [b'#', ..]);
    let mut lines = text.split(|byte| *byte == b'\n').zip(1..);
    let mut cases = Vec::new();
    let mut refused = false;
    while let Some((line, number)) = lines.next() {
        if blank(line) {
            continue;
        }
        if line.starts_with(b"%%FAIL") {
            refused = true;
            continue;
        }
        let filter = String::from_utf8_lossy(line).into_owned();
        let head: String = filter.chars().take(HEAD_CHARS).collect();
        let name = format!("{file}:{number} {head}").trim_end().to_owned();
        let input = if refused { None } else { lines.next().map(|(line, _)| line.to_vec()) };
        let rest = lines.by_ref().map(|(line, _)| line).take_while(|line| !blank(line));
        // A filter that must be refused is followed by jq's message.
        let outputs = rest.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        cases.push(Case { name, filter, input, outputs });
        refused = false;
    }
    cases
}

/// Returns how an answer differs from jq's; `None` if it does not. If `words` is set,
/// differences in strings are ignored.
fn wrong(case: &Case, answer: &Answer, words: bool) -> Option<String> {
    let page = match (answer, &case.input) {
        (Err(_), None) => return None,
        (Err(error), Some(_)) => return Some(error.to_string()),
        (Ok(page), _) => page,
    };
    let text = page["text"].as_str().unwrap_or_default();
    let failure = &page["failure"];
    if case.input.is_none() {
        // An error that jq finds at compile time may occur at run time here.
        return failure.is_null().then(|| format!("not refused: {text}"));
    }
    let outputs: Vec<&str> = text.lines().collect();
    let same = outputs.len() == case.outputs.len()
        && case.outputs.iter().zip(&outputs).all(|(expected, output)| same(expected, output, words));
    (!same).then(|| {
        let mut wrong = format!("{}\n  not {}", outputs.join(" "), case.outputs.join(" "));
        if let Some(message) = failure["message"].as_str() {
            let _ = write!(wrong, "\n  {message}");
        }
        wrong
    })
}

/// Returns whether two texts are the same value, as jq compares them.
fn same(expected: &str, output: &str, words: bool) -> bool {
    let parse = |text: &str| serde_json::from_str::<Value>(text);
    match (parse(expected), parse(output)) {
        (Ok(expected), Ok(output)) => equal(&expected, &output, words),
        _ => expected == output,
    }
}

/// Compares values; numbers are equal in any spelling.
fn equal(left: &Value, right: &Value, words: bool) -> bool {
    match (left, right) {
        (Value::String(_), Value::String(_)) if words => true,
        (Value::Number(l), Value::Number(r)) => {
            l == r || ((l.is_f64() || r.is_f64()) && l.as_f64() == r.as_f64())
        }
        (Value::Array(l), Value::Array(r)) => {
            l.len() == r.len() && l.iter().zip(r).all(|(l, r)| equal(l, r, words))
        }
        (Value::Object(l), Value::Object(r)) => {
            let member = |(key, l): (&String, &Value)| r.get(key).is_some_and(|r| equal(l, r, words));
            l.len() == r.len() && l.iter().all(member)
        }
        _ => left == right,
    }
}

/// Returns the reasons by the names of the cases that differ.
fn differences() -> BTreeMap<&'static str, &'static str> {
    let mut reason = "";
    let mut differences = BTreeMap::new();
    for line in DIFFERENCES.lines() {
        match line.strip_prefix("# ") {
            Some(text) => reason = text,
            None if line.is_empty() => {}
            None => assert!(differences.insert(line, reason).is_none(), "listed twice: {line}"),
        }
    }
    differences
}

fn check(subject: &dyn Subject) {
    let directory = suites::directory("jq");
    let mut cases = Vec::new();
    for (file, hash) in FILES {
        let text = fs::read(directory.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let found = format!("{:x}", Sha256::digest(&text));
        assert_eq!(found, hash, "{file} is not that of jq 1.8.2");
        cases.extend(parse(file, &text));
    }
    let artifact = |(number, case): (usize, &Case)| {
        let content: String = case.input.iter().flatten().map(|byte| format!("{byte:02x}")).collect();
        let content = if case.input.is_none() { json!("null") } else { json!({"hex": content}) };
        json!({"id": format!("input_{number}"), "content": content})
    };
    let artifacts: Vec<Value> = cases.iter().enumerate().map(artifact).collect();
    let world = World::new(&json!({"artifacts": artifacts}), &Value::Null).expect("a store of inputs");
    let mut session = subject.enter(Arc::new(world));
    let mut expected = differences();
    let mut problems = String::new();
    for (number, case) in cases.iter().enumerate() {
        let query = JqQuery { filter: case.filter.clone(), raw: false, compact: true, ..JqQuery::default() };
        let call = Call::Jq { id: format!("input_{number}"), query, max_bytes: Some(PAGE_BYTES) };
        let answer = session.call(&call);
        let problem = match (expected.remove(&*case.name), wrong(case, &answer, false)) {
            (None, None) => continue,
            (None, Some(wrong)) => wrong,
            (Some(reason), None) => format!("is listed ({reason}), but passes"),
            (Some(IN_OTHER_WORDS), Some(_)) => match wrong(case, &answer, true) {
                Some(wrong) => format!("differs not only in words: {wrong}"),
                None => continue,
            },
            (Some(_), Some(_)) => continue,
        };
        let _ = writeln!(problems, "{}\n  {problem}", case.name);
    }
    for name in expected.keys() {
        let _ = writeln!(problems, "{name}\n  is listed, but not in the suite");
    }
    assert!(problems.is_empty(), "{}:\n{problems}", subject.name());
    let listed = differences().len();
    println!(
        "{}: {} of {} pass, {listed} differ as listed",
        subject.name(),
        cases.len() - listed,
        cases.len()
    );
}

#[test]
fn natively() {
    check(&Native);
}

#[cfg(feature = "sandbox")]
#[test]
fn in_the_sandbox() {
    check(&tuckaway_host_test::Sandboxed::default());
}
