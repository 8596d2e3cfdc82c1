use tuckaway_contract::{DefinitionOptions, ExtractionMode};

use super::*;
use crate::query::testing::One;
use crate::tools::{call, definitions, extraction_arguments, pinned};
use proptest::prelude::*;

/// The tools that read one artifact, with the argument that names it.
const ALL: [(&str, &str); 9] = [
    ("artifact_read", "artifact_id"),
    ("artifact_grep", "artifact_id"),
    ("artifact_jq", "artifact_id"),
    ("tool_output_cache", "ref_id"),
    ("tool_output_cache_grep", "ref_id"),
    ("tool_output", "handle"),
    ("read_large_output", "filename"),
    ("search_large_output", "filename"),
    ("query_large_output", "filename"),
];

#[test]
fn each_name_is_of_one_dialect() {
    let names: Vec<&str> = Dialect::ALL.into_iter().flat_map(Dialect::tool_names).collect();
    assert_eq!(names, ALL.map(|(name, _)| name));
    for (name, first) in ALL {
        let (_, tool) = find(name).unwrap();
        let is_required = name != "artifact_grep";
        assert!(tool.parameters[0].name == first && tool.parameters[0].required == is_required);
        assert_eq!(Dialect::ALL.into_iter().filter(|dialect| dialect.has_tool(name)).count(), 1);
    }
}

/// An empty store.
struct Empty;

impl Store for Empty {
    fn create(&self, _: &str, _: &str) -> Result<String, crate::StoreError> {
        Err(crate::StoreError::QuotaExceeded)
    }

    fn append(&self, _: &str, _: &[u8]) -> Result<(), crate::StoreError> {
        Err(crate::StoreError::NotFound)
    }

    fn seal(&self, _: &str, _: u64) -> Result<Artifact, crate::StoreError> {
        Err(crate::StoreError::NotFound)
    }

    fn stat(&self, _: &str) -> Result<Artifact, crate::StoreError> {
        Err(crate::StoreError::NotFound)
    }

    fn read(&self, _: &str, _: u64, _: u32) -> Result<Vec<u8>, crate::StoreError> {
        Err(crate::StoreError::NotFound)
    }

    fn list_artifacts(&self) -> Result<Vec<Artifact>, crate::StoreError> {
        Ok(Vec::new())
    }

    fn delete(&self, _: &str) -> Result<(), crate::StoreError> {
        Err(crate::StoreError::NotFound)
    }
}

fn of(dialect: Dialect) -> DefinitionOptions {
    DefinitionOptions { dialect, ..DefinitionOptions::default() }
}

#[test]
fn the_schema_of_tool_output_is_that_of_seed_002() {
    let store = One(b"x".to_vec());
    let all = ArtifactTool::ALL;
    let [definition] = &definitions(&store, &all, &of(Dialect::Handle))[..] else { panic!("one tool") };
    let exact = r#"{"type":"object","additionalProperties":false,"required":["handle","extract"],"properties":{"handle":{"type":"string","minLength":1,"description":"UUID handle of the stored tool output (provided in the tool-result message: tool_output(handle = \"<uuid>\", ...))."},"extract":{"type":"string","minLength":1,"description":"Provide precise, detailed instructions about what you need from the tool output (be specific, include keys/fields/sections if known)."},"mode":{"type":"string","enum":["auto","full-chunked","read-grep","truncate"],"description":"Optional override. auto=module decides; full-chunked=LLM chunk+reduce; read-grep=dynamic sub-agent with Read/Grep; truncate=keeps top and bottom, truncates in the middle."}}}"#;
    assert_eq!((&*definition.name, &*definition.input_schema), ("tool_output", exact));
    assert!(definitions(&Empty, &all, &of(Dialect::Handle)).is_empty());
    assert_eq!(definitions(&Empty, &all, &of(Dialect::File)).len(), 3);
}

#[test]
fn extractions_have_their_arguments() {
    let parsed = |json: &str| extraction_arguments(json);
    let owned = |handle: &str, extract: &str, mode| Ok((handle.to_owned(), extract.to_owned(), mode));
    assert_eq!(
        parsed(r#"{"handle":" art ","extract":"the errors"}"#),
        owned("art", "the errors", ExtractionMode::Auto)
    );
    let quoted = r#""{\"handle\":\"art\",\"extract\":7,\"mode\":\"Read-Grep\"}""#;
    assert_eq!(parsed(quoted), owned("art", "7", ExtractionMode::ReadGrep));
    assert!(parsed(r#"{"handle":"art"}"#).unwrap_err().message.starts_with("tool_output needs the argument"));
}

#[test]
fn a_sub_agent_reads_one_file() {
    let store = One(b"one\ntwo\nthree\n".to_vec());
    let run = |tool: &str, arguments: &str| pinned::call(&store, "art", tool, arguments, 16_384).unwrap();
    assert_eq!(run("Read", r#"{"filename":"art","offset":1,"limit":1}"#).text, "     2\ttwo\n");
    assert_eq!(
        run("Grep", r#"{"filename":"art","pattern":"^T"}"#).text,
        "[no line matches: searched 3 lines, 14 bytes]"
    );
    assert_eq!(
        run("Grep", r#"{"filename":"art","pattern":"^T","ignore_case":true,"before":1}"#).text,
        "1-one\n2:two\n3:three\n[2 matching lines]"
    );
    for (tool, arguments, says) in [
        ("Read", r#"{"filename":"../art"}"#, "There is no file \"../art\" here: the only one is \"art\"."),
        ("Grep", r#"{"filename":"other","pattern":"x"}"#, "the only one is \"art\""),
        ("Bash", r#"{"filename":"art"}"#, "There is no tool \"Bash\" here: call Read or Grep."),
        ("Grep", r#"{"filename":"art","pattern":"("}"#, "set fixed_string to true"),
        ("Read", r#"{"filename":"art","offset":9}"#, "There is no line 10: the file has 3 lines."),
    ] {
        let reply = run(tool, arguments);
        assert!(reply.is_error && reply.text.contains(says), "{}", reply.text);
    }
    let names: Vec<String> = pinned::definitions().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["Read", "Grep"]);
}

/// Follows the notices in a tool's replies, each within its bound. Returns the texts without the
/// notices.
fn follow(store: &One, tool: &str, first: serde_json::Value, max: u32) -> Vec<String> {
    let (mut arguments, mut pages) = (first.clone(), Vec::new());
    loop {
        let reply = call(store, tool, &arguments.to_string(), Some(max)).unwrap();
        assert!(!reply.is_error && reply.text.len() <= max as usize, "{}", reply.text);
        let Some((page, notice)) = reply.text.rsplit_once('[') else {
            pages.push(reply.text);
            return pages;
        };
        pages.push(page.to_owned());
        let Some((_, next)) = notice.trim_end_matches(']').split_once("call again with ") else {
            return pages;
        };
        let numbers: Vec<u64> = next.split(|c: char| !c.is_ascii_digit()).flat_map(str::parse).collect();
        arguments = first.clone();
        match next.split_once("cursor \"") {
            Some((_, cursor)) => arguments["cursor"] = cursor.split('"').next().into(),
            None if next.starts_with("offset") => arguments["offset"] = numbers[0].into(),
            None => {
                arguments["start"] = numbers[0].into();
                arguments["end"] = numbers.get(1).copied().into();
            }
        }
        assert!(pages.len() < 2_000);
    }
}

/// Returns the lines of numbered pages: continued ones are joined.
fn numbered(pages: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in pages.iter().flat_map(|page| page.lines()) {
        let (number, text) = line.split_once('\t').unwrap();
        let line = number.trim().trim_end_matches('+').parse::<usize>().unwrap();
        match number.ends_with('+') {
            true => lines.last_mut().unwrap().push_str(text),
            false => lines.push(text.to_owned()),
        }
        assert_eq!(line, lines.len());
    }
    lines
}

proptest! {
    #[test]
    fn replies_say_how_to_read_everything(lines in proptest::collection::vec("[a-zé👍🏽 ]{0,200}", 1..40), max in 256u32..700) {
        let text = lines.join("\n") + "\n";
        let store = One(text.clone().into_bytes());
        let cache = follow(&store, "tool_output_cache", serde_json::json!({"ref_id": "art"}), max);
        prop_assert_eq!(&numbered(&cache), &lines);
        let file = follow(&store, "read_large_output", serde_json::json!({"filename": "art", "end": 5_000}), max);
        prop_assert_eq!(file.concat().replace('\n', ""), text.replace('\n', ""));
        let is_match = |page: &&str| page.split_once('@').is_some_and(|(line, _)| line.parse::<u64>().is_ok());
        let all = text.matches(['a', 'b']).count();
        let found = follow(&store, "search_large_output", serde_json::json!({"filename": "art", "pattern": "[ab]"}), max);
        let shown = found.iter().flat_map(|page| page.lines()).filter(is_match).count();
        let short = lines.iter().all(|line| line.len() <= 400);
        prop_assert!(shown <= all);
        if short {
            prop_assert_eq!(shown, lines.iter().filter(|line| line.contains(['a', 'b'])).count());
        }
    }

    #[test]
    fn messages_are_bounded(line in "[aé]{0,9}", lines in 1usize..3_000, max in 768usize..1_500, tools in 0usize..8) {
        let text = format!("{line}\n").repeat(lines);
        let store = One(text.clone().into_bytes());
        let artifact = store.stat("art").unwrap();
        let is_callable = |(index, tool): (usize, ArtifactTool)| (tools >> index & 1 == 1).then_some(tool);
        let tools: Vec<ArtifactTool> = ArtifactTool::ALL.into_iter().enumerate().filter_map(is_callable).collect();
        let policy = Policy::default();
        for dialect in Dialect::ALL {
            let View::Message(message) = &table(dialect).view else { continue };
            let stored = Stored {
                store: &store,
                artifact: &artifact,
                tokens: u64::MAX,
                text: &text,
                is_text: true,
                tools: &tools,
                policy: &policy,
            };
            let written = (message.write)(&stored, max);
            prop_assert!(written.len() <= max, "{:?}: {} of {}", dialect, written.len(), max);
        }
    }

    #[test]
    fn positions_are_those_of_characters(before in "[é\n👍x]{0,300}", line in "[aé]{0,30}") {
        let text = format!("{before}\n{line}needle {line}\n");
        let store = One(text.clone().into_bytes());
        let found = call(&store, "search_large_output", r#"{"filename":"art","pattern":"needle"}"#, None).unwrap().text;
        let position = found.split(['@', ':']).nth(1).unwrap();
        let arguments = format!("{{\"filename\":\"art\",\"start\":{position},\"end\":{}}}", position.parse::<u64>().unwrap() + 6);
        let read = call(&store, "read_large_output", &arguments, None).unwrap().text;
        prop_assert!(read.starts_with("needle\n[characters "), "{}", read);
    }

    #[test]
    fn any_arguments_get_a_bounded_reply(text in "\\PC{0,40}", id in "\\PC{0,70}|art|\\.\\./x|/x", number in any::<f64>(), max in 256u32..400) {
        let store = One(b"one\ntwo\n".to_vec());
        for (tool, first) in ALL {
            for arguments in [
                serde_json::json!({first: id, "pattern": text, "filter": text, "query": text, "extract": text, "mode": "truncate"}),
                serde_json::json!({first: "art", "offset": number, "limit": text, "start": number, "end": number, "cursor": id}),
                serde_json::json!({first: "art", "pattern": text, "regex": true, "query": text, "filter": text, "extract": id, "mode": "truncate"}),
                serde_json::json!({first: text}),
            ] {
                let kept: serde_json::Map<_, _> = arguments.as_object().unwrap().iter()
                    .filter(|(name, _)| find(tool).unwrap().1.parameters.iter().any(|parameter| parameter.name == *name))
                    .map(|(name, value)| (name.clone(), value.clone())).collect();
                for arguments in [arguments.to_string(), serde_json::Value::Object(kept).to_string(), text.clone()] {
                    let reply = call(&store, tool, &arguments, Some(max)).unwrap();
                    prop_assert!(reply.text.len() <= max as usize, "{}", reply.text);
                }
            }
        }
    }
}

#[test]
fn every_tool_is_defined_under_the_name_in_the_contract() {
    let store = One(b"x".to_vec());
    for dialect in Dialect::ALL {
        let defined = definitions(&store, &ArtifactTool::ALL, &of(dialect));
        let names: Vec<&str> = defined.iter().map(|definition| &*definition.name).collect();
        assert_eq!(names, dialect.tool_names().collect::<Vec<_>>());
    }
}
