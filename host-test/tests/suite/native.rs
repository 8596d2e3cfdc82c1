//! Runs the cases on the native engine. `TUCKAWAY_BLESS=1` rewrites the expectations
//! here, and only here.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tuckaway_host_test::{Native, run, workspace};

#[test]
fn all_cases() {
    run(&Native, &[], true);
}

/// A program finds the argument to correct by its name, not in the message.
#[test]
fn malformed_input_is_named_by_its_argument() {
    let mut errors = Vec::new();
    collect_from(&workspace().join("cases"), &mut errors);
    assert!(errors.len() > 250, "only {} errors in cases/", errors.len());
    let unnamed = |error: &&Value| error["arguments"].as_array().is_none_or(Vec::is_empty);
    assert_eq!(errors.iter().find(unnamed), None);
}

/// Collects the expected errors about malformed input from the files of a directory.
fn collect_from(directory: &Path, errors: &mut Vec<Value>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_from(&path, errors);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            collect(&serde_json::from_slice(&fs::read(&path).unwrap()).unwrap(), errors);
        }
    }
}

fn collect(value: &Value, errors: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            if members.get("kind") == Some(&"invalid_input".into()) && members.contains_key("message") {
                errors.push(value.clone());
            }
            members.values().for_each(|member| collect(member, errors));
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, errors)),
        _ => {}
    }
}
