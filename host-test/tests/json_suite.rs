//! The files of nst/JSONTestSuite, where they stand beside the checkout: each
//! has a view and a shape, `y_` is JSON, `n_` is not.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use serde_json::Value;
use tuckaway::{Block, Content, Policy, ToolOutput, Turn};
use tuckaway_host_test::{Call, Subject, World, workspace};

/// The suite, or nothing if it is not there.
fn suite() -> BTreeMap<String, Vec<u8>> {
    let directory = workspace().join("../shared/data/json-test-suite");
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path()).expect("a file of the suite"));
    }
    if files.is_empty() {
        println!("skipped: there is no JSON test suite at {}", directory.display());
    }
    files
}

fn check(subject: &dyn Subject) {
    let mut wrong = Vec::new();
    for (name, bytes) in suite() {
        let world = Arc::new(World::new(&Value::Null, &Value::Null).unwrap());
        let mut session = subject.enter(world);
        // The media type that a stored artifact gets is the shape's.
        let policy = Policy { min_threshold_bytes: 0, max_threshold_bytes: 0, ..Policy::default() };
        let tools = tuckaway::ArtifactTool::ALL.into_iter().collect();
        let call = Call::Process {
            output: ToolOutput {
                tool: "t".to_owned(),
                is_error: false,
                blocks: vec![Block { content: Content::Bytes(bytes.clone()), media_type: None }],
                structured: None,
            },
            turn: Turn { context_window: 200_000, used_tokens: 0, tools },
            policy,
        };
        let view = session.call(&call).unwrap_or_else(|error| panic!("{name}: {error}"));
        let media_type = view["artifacts"][0]["media_type"].as_str().unwrap_or("none");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let shape = session.call(&Call::InferShape { text, max_bytes: None });
        let shape = shape.unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_json = media_type == "application/json";
        let agrees =
            std::str::from_utf8(&bytes).is_err() || shape["media_type"] == media_type || bytes.is_empty();
        let expected = match name.as_bytes()[0] {
            b'y' => is_json,
            b'n' => !is_json,
            _ => true,
        };
        if !expected || !agrees {
            wrong.push(format!("{name}: {media_type}, {}", shape["media_type"]));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", subject.name(), wrong.join("\n"));
}

tuckaway_host_test::everywhere!(check);
