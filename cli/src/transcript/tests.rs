//! Sessions in a few lines each: which items are part of the history, and how often they were sent.

use serde_json::{Value, json};

use super::{Transcript, read};

const CLAUDE: &[u8] = include_bytes!("../../tests/data/claude-code.jsonl");
const CODEX: &[u8] = include_bytes!("../../tests/data/codex.jsonl");

fn lines(records: &[Value]) -> Vec<u8> {
    records.iter().flat_map(|record| format!("{record}\n").into_bytes()).collect()
}

#[track_caller]
fn session(bytes: &[u8]) -> Transcript<'_> {
    read(bytes).unwrap_or_else(|failure| panic!("{failure:?}")).expect("a session")
}

/// Returns the content of each message, or its JSON if it is not a text.
fn texts(transcript: &Transcript<'_>) -> Vec<String> {
    let request: Value = serde_json::from_str(&transcript.json).unwrap();
    let items = request["messages"].as_array().or(request["input"].as_array()).unwrap();
    let text = |item: &Value| match item["content"].as_str() {
        Some(text) => text.to_owned(),
        None => item["content"][0]["text"].as_str().map_or_else(|| item.to_string(), str::to_owned),
    };
    items.iter().map(text).collect()
}

fn requests<'a>(transcript: &'a Transcript<'_>) -> Vec<(&'a str, u64)> {
    transcript.results.iter().map(|result| (result.tool.as_str(), result.requests)).collect()
}

fn user(uuid: &str, parent: &str, content: impl Into<Value>) -> Value {
    let content: Value = content.into();
    json!({"type": "user", "uuid": uuid, "parentUuid": parent, "message": {"role": "user", "content": content}})
}

fn answer(uuid: &str, parent: &str, id: &str, block: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "parentUuid": parent,
        "message": {"id": id, "role": "assistant", "content": [block]}})
}

fn says(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn calls(id: &str, tool: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": {}})
}

fn result(uuid: &str, parent: &str, id: &str) -> Value {
    user(uuid, parent, json!([{"type": "tool_result", "tool_use_id": id, "content": format!("of {id}")}]))
}

fn boundary(metadata: Value) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": null,
        "compactMetadata": metadata})
}

fn summary() -> Value {
    let mut summary = user("s", "b", "the summary");
    summary["isCompactSummary"] = json!(true);
    summary
}

#[test]
fn results_of_parallel_calls_follow_their_answer() {
    let bytes = lines(&[
        user("u", "", "go"),
        answer("a1", "u", "m1", calls("c1", "Read")),
        // While the answer still arrives, its first call has a result.
        result("r1", "a1", "c1"),
        answer("a2", "a1", "m1", calls("c2", "Bash")),
        answer("a3", "u", "m1", calls("c3", "Grep")),
        result("r3", "a3", "c3"),
        result("r2", "a2", "c2"),
        result("again", "a2", "c2"),
        answer("a4", "r2", "m2", says("done")),
    ]);
    let transcript = session(&bytes);
    let request: Value = serde_json::from_str(&transcript.json).unwrap();
    let messages = request["messages"].as_array().unwrap();
    let ids = |index: usize, name: &str| -> Vec<String> {
        let blocks = messages[index]["content"].as_array().unwrap();
        blocks.iter().map(|block| block[name].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(messages.len(), 4, "{request:#}");
    assert_eq!(ids(1, "id"), ["c1", "c2", "c3"]);
    assert_eq!(ids(2, "tool_use_id"), ["c2", "c1", "c3"]);
    assert_eq!(requests(&transcript), [("Read", 1), ("Grep", 1), ("Bash", 1)]);
    assert_eq!((transcript.facts.requests, transcript.facts.left_out.other_branches), (2, 1));
}

#[test]
fn a_branch_that_was_taken_back_is_not_in_the_history() {
    let bytes = lines(&[
        user("u", "", "go"),
        answer("a1", "u", "m1", calls("c1", "Read")),
        result("r1", "a1", "c1"),
        user("no", "r1", "no"),
        answer("a2", "no", "m2", says("well")),
        user("yes", "r1", "yes"),
        answer("a3", "yes", "m3", says("good")),
        answer("a4", "a3", "m4", says("better")),
    ]);
    let transcript = session(&bytes);
    assert_eq!(texts(&transcript)[3..], ["yes", "good", "better"]);
    assert_eq!(transcript.facts.left_out.other_branches, 2);
    // All three later requests sent the result.
    assert_eq!(requests(&transcript), [("Read", 3)]);
}

#[test]
fn a_history_begins_with_the_newest_compaction() {
    let old = [
        user("u", "", "go"),
        answer("a1", "u", "m1", calls("c1", "Read")),
        result("r1", "a1", "c1"),
        answer("a2", "r1", "m2", says("kept")),
        user("u2", "a2", "kept too"),
    ];
    let new = |parent: &str| [user("u3", parent, "next"), answer("a3", "u3", "m3", says("end"))];
    let bytes = |metadata: Value, parent: &str| {
        lines(&[&old[..], &[boundary(metadata), summary()], &new(parent)].concat())
    };

    let plain = bytes(json!({"trigger": "auto"}), "s");
    let transcript = session(&plain);
    assert_eq!(texts(&transcript), ["the summary", "next", "end"]);
    assert_eq!((transcript.facts.compactions, transcript.facts.left_out.before_compaction), (1, 5));
    assert_eq!(requests(&transcript), [("Read", 1)]);

    for kept in [
        json!({"preservedMessages": {"anchorUuid": "s", "uuids": ["a2", "u2"], "allUuids": ["r1", "a2", "u2"]}}),
        json!({"preservedSegment": {"headUuid": "a2", "anchorUuid": "s", "tailUuid": "u2"}}),
    ] {
        // The next message is linked to the last one that was kept, or to the summary.
        for parent in ["u2", "s"] {
            let bytes = bytes(kept.clone(), parent);
            let transcript = session(&bytes);
            assert_eq!(
                texts(&transcript),
                ["the summary", "kept", "kept too", "next", "end"],
                "{kept} {parent}"
            );
            assert_eq!(transcript.facts.left_out.before_compaction, 3);
            assert_eq!(requests(&transcript), [("Read", 1)]);
        }
    }
    // The anchor shows the summary, too; metadata that is malformed keeps nothing.
    let unmarked =
        [boundary(json!({"preservedMessages": {"anchorUuid": "s", "uuids": ["a2"]}})), user("s", "b", "sum")];
    let unmarked = lines(&[&old[..], &unmarked, &new("a2")].concat());
    assert_eq!(texts(&session(&unmarked)), ["sum", "kept", "next", "end"]);
    let malformed = bytes(json!({"preservedMessages": {"uuids": "all"}}), "s");
    assert_eq!(texts(&session(&malformed)), ["the summary", "next", "end"]);
    // The user went back to before the compaction.
    let rewound = bytes(json!({}), "r1");
    assert_eq!(texts(&session(&rewound))[3..], ["next", "end"]);
}

#[test]
fn links_may_be_wrong() {
    let missing =
        lines(&[user("u", "", "go"), answer("a", "u", "m1", says("yes")), user("u2", "lost", "on")]);
    let transcript = session(&missing);
    assert_eq!(texts(&transcript), ["go", "yes", "on"]);
    let warning =
        "The parents of 1 record are not in the session; the record before each of them counts instead.";
    assert_eq!(transcript.facts.warnings, [warning]);
    let mut unlinked = [user("u", "", "go"), answer("a", "", "m1", says("yes")), user("u2", "", "on")];
    unlinked.iter_mut().for_each(|line| line["parentUuid"] = Value::Null);
    assert_eq!(texts(&session(&lines(&unlinked))), ["go", "yes", "on"]);
    let circle =
        lines(&[user("u", "a", "go"), answer("a", "u", "m1", calls("c", "Read")), result("a", "a", "c")]);
    assert!(!texts(&session(&circle)).is_empty());
    let kept = boundary(json!({"preservedSegment": {"headUuid": "none", "tailUuid": "u2"}}));
    assert!(
        !texts(&session(&lines(&[user("u", "u2", "a"), user("u2", "u", "b"), kept, user("v", "b", "c")])))
            .is_empty()
    );
}

#[test]
fn the_usage_is_that_of_the_last_answer() {
    let usage = |line: Value, usage: Value| {
        let mut line = line;
        line["message"]["usage"] = usage;
        line
    };
    let first =
        |output: u64| json!({"input_tokens": 5, "cache_read_input_tokens": 1000, "output_tokens": output});
    let mut records = vec![
        user("u", "", "go"),
        // Only the last line of an answer has all tokens of its output.
        usage(answer("a1", "u", "m1", says("a")), first(1)),
        usage(answer("a2", "a1", "m1", says("b")), first(40)),
        user("u2", "a2", "on"),
        usage(answer("a3", "u2", "m2", says("c")), json!({"input_tokens": 1050, "output_tokens": 7})),
    ];
    let bytes = lines(&records);
    let transcript = session(&bytes);
    assert_eq!(transcript.usage.map(|usage| usage.total_tokens()), Some(1057));
    assert_eq!(transcript.facts.usage.total_tokens(), 1045 + 1057);
    let first = transcript.first.expect("a first request");
    assert_eq!(
        (first.json.as_str(), first.input_tokens),
        (r#"{"messages":[{"role":"user","content":"go"}]}"#, 1005)
    );
    // An answer without a usage is not covered by an earlier one.
    records.push(answer("a4", "a3", "m3", says("d")));
    for wrong in [json!({}), json!({"input_tokens": 0}), json!({"input_tokens": -5}), json!("many")] {
        records.push(usage(answer("a4", "a3", "m3", says("d")), wrong));
    }
    assert!(session(&lines(&records)).usage.is_none());
}

fn item(payload: Value) -> Value {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload})
}

fn said(role: &str, text: &str) -> Value {
    item(json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}))
}

fn event(kind: &str, mut payload: Value) -> Value {
    payload["type"] = json!(kind);
    json!({"type": "event_msg", "payload": payload})
}

fn counted(total: u64, last: u64) -> Value {
    let usage = |input: u64| json!({"input_tokens": input, "cached_input_tokens": 10, "output_tokens": 5});
    event(
        "token_count",
        json!({"info": {"total_token_usage": usage(total), "last_token_usage": usage(last)}}),
    )
}

fn called(id: &str) -> [Value; 2] {
    [
        item(json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": id})),
        item(json!({"type": "function_call_output", "call_id": id, "output": id})),
    ]
}

#[test]
fn a_rollback_takes_back_turns_of_the_user() {
    let context = said("user", "<environment_context>\n</environment_context>");
    let [call, output] = called("c1");
    let mut records = vec![
        context,
        said("user", "one"),
        call,
        output,
        counted(100, 100),
        said("user", "two"),
        said("assistant", "yes"),
        counted(250, 150),
        event("thread_rolled_back", json!({"num_turns": 1})),
    ];
    let bytes = lines(&records);
    let transcript = session(&bytes);
    assert_eq!(texts(&transcript)[1], "one");
    assert_eq!((texts(&transcript).len(), transcript.facts.left_out.other_branches), (4, 2));
    // The usage belonged to a history with the second turn.
    assert!(transcript.usage.is_none() && requests(&transcript) == [("shell", 1)]);
    for turns in [0, 7, u64::MAX] {
        records.push(event("thread_rolled_back", json!({"num_turns": turns})));
    }
    assert_eq!(texts(&session(&lines(&records))).len(), 1, "what is not a turn stays");
}

#[test]
fn requests_are_counted_once() {
    let [[call_1, output_1], [call_2, output_2]] = ["c1", "c2"].map(called);
    let with = |counts: &[Value; 2]| {
        let answer = said("assistant", "done");
        let [first, last] = counts.clone();
        let turn = [call_1.clone(), output_1.clone(), call_2.clone(), output_2.clone(), first.clone()];
        lines(&[&[said("user", "go")], &turn[..], &[first, answer, last.clone(), last]].concat())
    };
    // Codex repeats counts, and may write a result before the next call of the same answer.
    let bytes = with(&[counted(100, 100), counted(220, 120)]);
    let transcript = session(&bytes);
    assert_eq!(transcript.usage.map(|usage| usage.total_tokens()), Some(125));
    assert_eq!(transcript.facts.usage.total_tokens(), 105 + 125);
    assert_eq!(transcript.first.map(|first| first.input_tokens), Some(100));
    // Without counts, each run of the model's items is an answer.
    let none = event("token_count", json!({"info": null}));
    let bytes = with(&[none.clone(), none]);
    let transcript = session(&bytes);
    assert!(transcript.usage.is_none() && transcript.first.is_none());
    assert_eq!((transcript.facts.requests, requests(&transcript)), (3, vec![("shell", 2), ("shell", 1)]));
}

#[test]
fn a_compaction_replaces_the_history() {
    let [call, output] = called("c1");
    let compacted = |payload: Value| json!({"type": "compacted", "payload": payload});
    let with = |compaction: Value| {
        let long = said("user", &"long ".repeat(20_000));
        lines(&[
            long,
            said("user", "short"),
            call.clone(),
            output.clone(),
            counted(90, 90),
            compaction,
            counted(90, 50),
        ])
    };
    let bytes =
        with(compacted(json!({"message": "sum", "replacement_history": [said("user", "kept")["payload"]]})));
    let transcript = session(&bytes);
    assert_eq!(texts(&transcript), ["kept"]);
    assert!(transcript.usage.is_none() && transcript.first.is_none());
    // Older versions kept as many of the user's messages as fit.
    let bytes = with(compacted(json!({"message": "sum \u{1f600}"})));
    let transcript = session(&bytes);
    assert_eq!(texts(&transcript), ["short", "sum \u{1f600}"]);
    assert_eq!(transcript.facts.left_out.before_compaction, 3);
}

#[test]
fn what_stays_is_the_same_byte_for_byte() {
    let line =
        r#"{"type":"user","uuid":"u","message":{"content":[{"type":"text","text":"\ud83d half","n":1.50}]}}"#;
    let expected =
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"\ud83d half","n":1.50}]}]}"#;
    assert_eq!(session(line.as_bytes()).json, expected);
}

#[test]
fn other_files_are_not_sessions() {
    for history in
        ["", "{", "[]", "nothing", r#"{"messages": []}"#, "{\n  \"messages\": []\n}\n", "\u{0}\u{1}"]
    {
        assert!(read(history.as_bytes()).is_ok_and(|read| read.is_none()), "{history}");
    }
    for (wrong, why) in [
        (&b"{\"a\": 1}\n{\"b\": 2}\n"[..], "neither a session of Claude Code nor a rollout of Codex"),
        (
            b"{\"type\":\"system\",\"session_id\":\"s\"}\n{\"type\":\"result\"}\n",
            "pass a history as one JSON value",
        ),
        (b"\x28\xb5\x2f\xfd rest", "decompress it with `zstd -d`"),
        (b"{\"type\":\"summary\",\"leafUuid\":\"u\",\"summary\":\"s\"}\n", "has no messages"),
        (b"{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n", "has no messages"),
    ] {
        let message = read(wrong).expect_err(why).message.unwrap();
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn broken_sessions_are_read_as_far_as_possible() {
    for sample in [CLAUDE, CODEX] {
        let mut state = 1u64;
        for cut in (0..sample.len()).step_by(997) {
            let _ = read(&sample[..cut]);
            let mut broken = sample.to_vec();
            for _ in 0..20 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = (state >> 33) as usize % broken.len();
                broken[at] = (state >> 20) as u8;
            }
            if let Ok(Some(transcript)) = read(&broken) {
                assert!(
                    serde_json::from_str::<Value>(&transcript.json).is_ok()
                        || transcript.json.contains("\\u")
                );
            }
        }
    }
    let mut skipped = CLAUDE.to_vec();
    skipped.splice(0..0, *b"{\"type\":\"user\",\"uuid\":1}\n\n{\"type\":\"mode\",\"sessionId\":\"s\"}\n7\n");
    let warnings = session(&skipped).facts.warnings;
    assert_eq!(warnings[1..], ["Lines 1, 4 are not records of the agent and were skipped."], "{warnings:?}");
}
