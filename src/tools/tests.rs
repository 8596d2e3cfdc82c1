use tuckaway_contract::ArtifactTool;

use super::*;
use crate::query::testing::{Holds, Many, One};
use proptest::prelude::*;

fn store() -> One {
    One(b"one\ntwo\nthree\nfour\nfive\n".to_vec())
}

fn reply(store: &dyn Store, tool: &str, arguments: &str) -> ToolReply {
    call(store, tool, arguments, None).unwrap()
}

fn text(tool: &str, arguments: &str) -> String {
    let reply = reply(&store(), tool, arguments);
    assert!(!reply.is_error, "{}", reply.text);
    reply.text
}

fn mistake(tool: &str, arguments: &str) -> String {
    let reply = reply(&store(), tool, arguments);
    assert!(reply.is_error, "{}", reply.text);
    reply.text
}

#[test]
fn definitions_are_schemas() {
    let detailed = DefinitionOptions { is_detailed: true, ..DefinitionOptions::default() };
    let all = definitions(&store(), &ArtifactTool::ALL, &detailed);
    let brief = definitions(&store(), &ArtifactTool::ALL, &DefinitionOptions::default());
    assert_eq!(
        all.iter().map(|d| &*d.name).collect::<Vec<_>>(),
        ["artifact_read", "artifact_grep", "artifact_jq"]
    );
    for (definition, brief) in all.iter().zip(&brief) {
        let parsed = |schema: &str| serde_json::from_str::<serde_json::Value>(schema).unwrap();
        let [schema, brief_schema] = [definition, brief].map(|each| parsed(&each.input_schema));
        assert_eq!(definition.name, brief.name);
        assert_eq!(schema["required"], brief_schema["required"]);
        for (name, property) in brief_schema["properties"].as_object().unwrap() {
            assert_eq!(schema["properties"][name]["type"], property["type"], "{name}");
        }
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let required = if definition.name == "artifact_grep" { "pattern" } else { "artifact_id" };
        assert_eq!(schema["required"][0], required);
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().unwrap().ends_with('.'), "{name}");
        }
    }
    assert!(definitions(&store(), &[], &DefinitionOptions::default()).is_empty());
    let last = DefinitionOptions { is_final_turn: true, ..DefinitionOptions::default() };
    assert!(definitions(&store(), &ArtifactTool::ALL, &last).is_empty());
}

#[test]
fn read_shows_numbered_lines() {
    assert_eq!(
        text("artifact_read", r#"{"artifact_id":"art","start_line":2,"end_line":3}"#),
        "     2\ttwo\n     3\tthree\n"
    );
    for start in ["-2", "-2.0", "\" -2\""] {
        let arguments = format!("{{\"artifact_id\":\"art\",\"start_line\":{start}}}");
        assert_eq!(text("artifact_read", &arguments), "     4\tfour\n     5\tfive\n");
    }
    assert_eq!(text("artifact_read", r#"{"artifact_id":"art","start_byte":5,"end_byte":7}"#), "     2+\two");
    let store = One("x".repeat(50_000).into_bytes());
    let first = reply(&store, "artifact_read", r#"{"artifact_id":"art"}"#).text;
    assert!(
        first.contains("\n[line 1 of 1, up to the page limit; for more, call again with cursor \"r."),
        "{}",
        &first[16_000..]
    );
    assert_eq!(
        reply(&One(Vec::new()), "artifact_read", r#"{"artifact_id":"art"}"#).text,
        "[the artifact is empty]"
    );
}

#[test]
fn grep_shows_lines_as_grep_does() {
    assert_eq!(
        text("artifact_grep", r#"{"artifact_id":"art","pattern":"^t|v","after_context":1}"#),
        "2:two\n3:three\n4-four\n5:five\n[3 matching lines]"
    );
    assert_eq!(
        text("artifact_grep", r#"{"artifact_id":"art","pattern":"one|five","context":1}"#),
        "1:one\n2-two\n--\n4-four\n5:five\n[2 matching lines]"
    );
    assert_eq!(
        text("artifact_grep", r#"{"artifact_id":"art","pattern":"six"}"#),
        "[no line matches: searched 5 lines, 24 bytes]"
    );
    let coloured = One(b"\x1b[1m\x1b[31merror\x1b[0m: mismatched types\n".to_vec());
    assert_eq!(
        reply(&coloured, "artifact_grep", r#"{"artifact_id":"art","pattern":"^error: mis"}"#).text,
        "[no line matches: searched 1 line, 37 bytes; terminal sequences (colours) separate words: search for one word, without ^ or $]"
    );
    let more = text("artifact_grep", r#"{"artifact_id":"art","pattern":"o","max_matches":1}"#);
    assert!(
        more.starts_with("1:one\n[1 of 3 matching lines, limited by max_matches: narrow the pattern or, for more, call again with cursor \"g."),
        "{more}"
    );
    let all = text("artifact_grep", r#"{"artifact_id":"art","pattern":"o"}"#);
    assert_eq!(text("artifact_grep", r#"{"artifact_id":"art","pattern":"o","max_matches":0}"#), all);
}

#[test]
fn grep_without_an_id_searches_all_artifacts() {
    let artifact = |id: &str, text: &str| (id.to_owned(), Ok(text.as_bytes().to_vec()));
    let store = Many(vec![
        artifact("art_a", "one\ntwo\n"),
        artifact("art_png", "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0two\n"),
        artifact("art_b", &format!("x\n{}two\nx\n", "y ".repeat(300))),
        ("art_gone".to_owned(), Err(StoreError::NotFound)),
        ("art_lost".to_owned(), Err(StoreError::Other("secret".to_owned()))),
    ]);
    let run = |arguments: &str| {
        let reply = reply(&store, "artifact_grep", arguments);
        assert!(!reply.is_error && !reply.text.contains("secret"), "{}", reply.text);
        reply.text
    };
    let all = run(r#"{"pattern":"two","before_context":1}"#);
    let (newest, oldest) = all.split_once("\n\n").unwrap();
    assert!(
        newest.starts_with("art_b (\"tool\", \"text/plain\"): 1 matching line\n1-x\n2:… y y"),
        "{newest}"
    );
    assert_eq!(
        oldest,
        "art_a (\"tool\", \"text/plain\"): 1 matching line\n1-one\n2:two\n[2 matching lines in 2 artifacts; searched: 2 artifacts, 616 bytes; not searched: art_lost (unreadable), art_gone (deleted) and 1 more; long lines are truncated: read on from byte 602 (the match in line 2) of art_b]"
    );
    assert_eq!(
        run(r#"{"artifact_id":"","pattern":"three"}"#),
        "[no line matches; searched: 2 artifacts, 616 bytes; not searched: art_lost (unreadable), art_gone (deleted) and 1 more]"
    );
    let first = run(r#"{"pattern":"o","max_matches":1}"#);
    assert!(
        first.contains("[1 matching line in 1 artifact so far; searched to the end: 1 artifact, 608 bytes; not searched: art_lost (unreadable), art_gone (deleted); left: 2 artifacts, limited by max_matches: narrow the pattern or, for more, call again with cursor \"a."),
        "{first}"
    );
    let nothing = reply(&Many(Vec::new()), "artifact_grep", r#"{"pattern":"x"}"#).text;
    assert_eq!(nothing, "[nothing is stored in this session yet, so there is nothing to search]");
    let small = call(&store, "artifact_grep", r#"{"pattern":"x"}"#, Some(1_023)).unwrap();
    assert!(small.is_error && small.text.contains("pass an artifact's id"), "{}", small.text);
}

#[test]
fn jq_shows_outputs() {
    let json = One(b"{\"a\":[1,\"x\"]}".to_vec());
    let run = |arguments: &str| reply(&json, "artifact_jq", arguments);
    assert_eq!(run(r#"{"artifact_id":"art","filter":".a[]","raw":true}"#).text, "1\nx\n");
    assert_eq!(run(r#"{"artifact_id":"art","filter":"empty"}"#).text, "[the filter produced no output]");
    let failed = run(r#"{"artifact_id":"art","filter":".a[] | . - 1"}"#);
    assert!(failed.is_error);
    assert_eq!(
        failed.text,
        "0\n[stopped after these outputs: The filter failed: cannot subtract string \"x\" and number 1. The input is: object with the key \"a\".]"
    );
}

#[test]
fn accepts_common_mistakes() {
    let expected = "     2\ttwo\n     3\tthree\n";
    for arguments in [
        r#"{"artifact_id":"art","start_line":"2","end_line":3.0,"cursor":null}"#,
        r#"{"artifact_id":" art ","start_line":2,"end_line":" 3","cursor":"","start_byte":null}"#,
        r#""{\"artifact_id\":\"art\",\"start_line\":2,\"end_line\":3}""#,
    ] {
        assert_eq!(text("artifact_read", arguments), expected);
    }
    assert_eq!(
        text("artifact_grep", r#"{"artifact_id":"art","pattern":2,"invert":"false"}"#),
        "[no line matches: searched 5 lines, 24 bytes]"
    );
}

#[test]
fn reports_mistakes_to_the_model() {
    let cases = [
        ("artifact_read", "", "needs the argument artifact_id"),
        ("artifact_read", "{", "not valid JSON"),
        ("artifact_read", "[1]", "must be a JSON object with artifact_id, start_line"),
        (
            "artifact_read",
            r#"{"artifact_id":"art","lines":3}"#,
            "has no argument \"lines\"; it takes artifact_id, start_line",
        ),
        (
            "artifact_read",
            r#"{"artifact_id":"art","start_line":0}"#,
            "start_line must be an integer of at least 1, or a negative one to count from the end, not 0",
        ),
        ("artifact_read", r#"{"artifact_id":"art","start_line":-1.5}"#, "not -1.5"),
        ("artifact_read", r#"{"artifact_id":"art","start_line":1,"start_byte":0}"#, "but not both"),
        ("artifact_read", r#"{"artifact_id":"art","start_line":-1,"end_byte":9}"#, "but not both"),
        ("artifact_read", r#"{"artifact_id":"art","start_line":-2,"end_line":4}"#, "omit end_line"),
        ("artifact_read", r#"{"artifact_id":"other"}"#, "no artifact \"other\""),
        ("artifact_read", r#"{"artifact_id":"../x"}"#, "not an artifact id"),
        ("artifact_read", r#"{"artifact_id":"art","start_line":9}"#, "the artifact has 5 lines"),
        ("artifact_grep", r#"{"artifact_id":"art"}"#, "needs the argument pattern"),
        ("artifact_grep", r#"{"artifact_id":"art","pattern":"("}"#, "fixed_string"),
        ("artifact_grep", r#"{"artifact_id":"art","pattern":"a","invert":3}"#, "true or false"),
        ("artifact_grep", r#"{"artifact_id":"art","pattern":"a","context":99999999999}"#, "at most 100"),
        ("artifact_jq", r#"{"artifact_id":"art","filter":"."}"#, "it is not JSON, CSV, YAML or TOML"),
        ("artifact_jq", r#"{"artifact_id":"art","filter":{"a":1}}"#, "filter must be a string"),
    ];
    for (tool, arguments, says) in cases {
        let text = mistake(tool, arguments);
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn rejects_hostile_arguments() {
    let deep = |end: &str| format!("{{\"artifact_id\":\"art\",\"cursor\":{}{end}", "[".repeat(200_000));
    let cases = [
        (deep(""), "not valid JSON"),
        (deep(&("]".repeat(200_000) + "}")), "cursor must be a string, not [[["),
        (r#"{"artifact_id":"art"} 1"#.to_owned(), "at byte 22, expected the end"),
        (r#"{"artifact_id":"\ud800"}"#.to_owned(), "half a surrogate pair"),
        (r#"{"artifact_id":"art","start_line":18446744073709551616}"#.to_owned(), "not 18446744073709551616"),
        (r#"{"artifact_id":"art","end_line":1e999}"#.to_owned(), "not 1e999"),
    ];
    for (arguments, says) in cases {
        let text = mistake("artifact_read", &arguments);
        assert!(text.contains(says), "{text}");
    }
    let repeated = r#"{"artifact_id":"other","artifact_id":"art","start_line":5}"#;
    assert_eq!(text("artifact_read", repeated), "     5\tfive\n");
}

#[test]
fn returns_other_errors_to_the_host() {
    let error = call(&store(), "artifact_sql", "{}", None).unwrap_err();
    assert!(error.message.contains("use one of artifact_read, artifact_grep, artifact_jq"));
    for few in [0, 255] {
        assert!(call(&store(), "artifact_read", "{}", Some(few)).is_err());
    }
    // Reports a size that differs from its content.
    struct Liar(One);
    impl Holds for Liar {
        fn size_bytes(&self) -> u64 {
            1 << 24
        }

        fn line_count(&self) -> u64 {
            self.0.line_count()
        }

        fn bytes_from(&self, offset: u64, length: u32) -> Vec<u8> {
            self.0.bytes_from(offset, length)
        }
    }
    for (tool, arguments) in [
        ("artifact_read", "{\"artifact_id\":\"art\"}"),
        ("artifact_grep", "{\"artifact_id\":\"art\",\"pattern\":\"x\"}"),
    ] {
        assert_eq!(call(&Liar(store()), tool, arguments, None).unwrap_err().kind, ErrorKind::Store);
    }
}

/// Follows the cursors of a tool, each reply within its bound.
fn pages(store: &dyn Store, tool: &str, arguments: &str, max: u32) -> String {
    let (mut cursor, mut all) = (None::<String>, String::new());
    loop {
        let mut arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
        arguments["cursor"] = cursor.clone().into();
        let reply = call(store, tool, &arguments.to_string(), Some(max)).unwrap();
        assert!(reply.text.len() <= max as usize, "{} > {max}: {}", reply.text.len(), reply.text);
        let (page, notice) = reply.text.rsplit_once('[').unwrap_or((&reply.text, ""));
        all += page;
        cursor = notice.split_once("cursor \"").map(|(_, rest)| rest.trim_end_matches("\"]").to_owned());
        if cursor.is_none() {
            return all;
        }
    }
}

proptest! {
    #[test]
    fn replies_are_bounded_and_continue(lines in proptest::collection::vec("[a-zé ]{0,80}", 1..60), max in 256u32..900) {
        let text = lines.join("\n") + "\n";
        let store = One(text.clone().into_bytes());
        let read = pages(&store, "artifact_read", r#"{"artifact_id":"art"}"#, max);
        let shown: Vec<&str> = read.lines().filter_map(|line| line.split_once('\t')).map(|(_, line)| line).collect();
        prop_assert_eq!(shown.concat(), text.replace('\n', ""));
        let grep = pages(&store, "artifact_grep", r#"{"artifact_id":"art","pattern":"[ab]","context":1}"#, max);
        let found = grep.lines().filter(|line| line.split_once(':').is_some_and(|(n, _)| n.parse::<u64>().is_ok())).count();
        prop_assert_eq!(found, lines.iter().filter(|line| line.contains(['a', 'b'])).count());
        let json = One(serde_json::to_string(&lines).unwrap().into_bytes());
        let jq = pages(&json, "artifact_jq", r#"{"artifact_id":"art","filter":".[] | length"}"#, max);
        prop_assert_eq!(jq.lines().count(), lines.len());
    }

    #[test]
    fn replies_about_all_artifacts_are_bounded_and_continue(
        texts in proptest::collection::vec("[a-zé\\n ]{0,200}", 1..9),
        kept in any::<u8>(),
        max in 1_024u32..1_300,
    ) {
        let artifact = |(n, text): (usize, &String)| {
            let content = match kept >> n & 1 {
                0 => Ok(text.clone().into_bytes()),
                _ => Err(StoreError::Expired(None)),
            };
            (format!("{n:064}"), content)
        };
        let store = Many(texts.iter().enumerate().map(artifact).collect());
        let grep = pages(&store, "artifact_grep", r#"{"pattern":"[ab]","context":1}"#, max);
        let found = grep.lines().filter(|line| line.split_once(':').is_some_and(|(n, _)| n.parse::<u64>().is_ok())).count();
        let searched = store.0.iter().filter_map(|(_, content)| content.as_deref().ok());
        let matching = searched.flat_map(|bytes| bytes.split(|&byte| byte == b'\n'))
            .filter(|line| line.iter().any(|byte| b"ab".contains(byte))).count();
        prop_assert_eq!(found, matching);
    }

    #[test]
    fn no_arguments_cause_a_panic(arguments in "\\PC{0,40}", id in "\\PC{0,70}", number in any::<f64>(), max in 256u32..400) {
        for tool in Dialect::Artifact.tool_names() {
            for arguments in [
                arguments.clone(),
                serde_json::json!({"artifact_id": id, "pattern": arguments, "filter": arguments}).to_string(),
                serde_json::json!({"artifact_id": "art", "start_line": number, "end_line": arguments}).to_string(),
                serde_json::json!({"artifact_id": "art", "pattern": arguments, "max_matches": number}).to_string(),
                serde_json::json!({"artifact_id": "art", "filter": arguments, "cursor": id}).to_string(),
            ] {
                let reply = call(&store(), tool, &arguments, Some(max)).unwrap();
                prop_assert!(reply.text.len() <= max as usize);
            }
        }
    }
}
