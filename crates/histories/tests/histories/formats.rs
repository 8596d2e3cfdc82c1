//! Each format as a conversation.

use serde_json::{Value, json};
use tuckaway_conversation::{Part, Role};
use tuckaway_histories::{Format, History, Notes, rules};

use crate::common::{AI_SDK, ALL, ANTHROPIC, CHAT, RESPONSES, messages};

/// Returns roles and parts in short form: `t` text, `c` call, `r` result, `m` media with its
/// tokens, `o` opaque.
fn short(text: &str) -> Vec<String> {
    let part = |part: &Part| match part {
        Part::Text(_) => "t".to_owned(),
        Part::ToolCall(call) => format!("c:{}", call.name),
        Part::ToolResult(result) => format!("r:{}", result.call_id),
        Part::Media(tokens) => format!("m{tokens}"),
        Part::Opaque(_) => "o".to_owned(),
    };
    let history = History::parse(text, None).unwrap();
    let role = |role: Role| format!("{role:?}").to_lowercase();
    let of = |message: &tuckaway_conversation::Message| {
        format!("{} {}", role(message.role), message.parts.iter().map(part).collect::<Vec<_>>().join(" "))
    };
    messages(&history).iter().map(of).collect()
}

#[test]
fn formats_are_detected_and_accepted() {
    for (format, text) in ALL {
        let history = History::parse(text, None).unwrap();
        assert_eq!(history.format(), format);
        assert_eq!(rules::violations(&history), [] as [&str; 0], "{format}");
    }
}

#[test]
fn chat_completions() {
    let parts = short(CHAT);
    assert_eq!(
        parts,
        [
            "system t",
            "user t m85",
            "assistant c:read_file c:run",
            "tool r:call_a1",
            "tool r:call_a2",
            "assistant t o",
            "user t",
            "assistant t c:apply_patch",
            "tool r:call_b1",
            "assistant t"
        ]
    );
    let conversation = History::parse(CHAT, None).unwrap().conversation(&Notes::default()).unwrap();
    let tools: Vec<_> = conversation.tools.iter().map(|tool| (&*tool.name, tool.pinned)).collect();
    assert_eq!(tools, [("read_file", false), ("run", true), ("apply_patch", false)]);
    let usage = conversation.usage.unwrap();
    assert_eq!((usage.tokens.input_tokens, usage.tokens.total_tokens(), usage.messages), (176, 1280, 10));
    let Part::ToolResult(result) = &conversation.messages[4].parts[0] else { panic!() };
    assert_eq!(result.text, "3f2c1e9 hide login\n\n91bb0de bump deps");
}

#[test]
fn responses() {
    let parts = short(RESPONSES);
    assert_eq!(
        parts,
        [
            "system t",
            "user t",
            "assistant o",
            "assistant c:ci_log",
            "assistant c:screenshot",
            "tool r:call_1",
            "tool r:call_2 m1600",
            "assistant o",
            "assistant t",
            "user t",
            "assistant o",
            "assistant c:apply_patch",
            "tool r:call_3",
            "assistant c:shell",
            "tool r:call_4",
            "assistant o"
        ]
    );
    let listed = History::parse(r#"{"input": "hi", "model": "m"}"#, None).unwrap();
    assert_eq!(listed.as_json(), r#"{"input": [{"role":"user","content":"hi"}], "model": "m"}"#);
}

#[test]
fn anthropic() {
    let parts = short(ANTHROPIC);
    assert_eq!(
        parts,
        [
            "system t",
            "user t",
            "assistant o t c:fetch c:screenshot",
            "tool r:toolu_01 r:toolu_02 m1600",
            "assistant o t",
            "user t m100 t",
            "assistant o o c:fetch",
            "user r:toolu_03 t",
            "assistant t"
        ]
    );
    let history = History::parse(ANTHROPIC, None).unwrap();
    let conversation = history.conversation(&Notes::default()).unwrap();
    assert_eq!(conversation.usage.unwrap().messages, 9);
    let Part::ToolCall(call) = &conversation.messages[2].parts[2] else { panic!() };
    assert_eq!(call.arguments, r#"{"url":"https://example.org/notes","raw":true}"#);
}

#[test]
fn ai_sdk() {
    let parts = short(AI_SDK);
    assert_eq!(
        parts,
        [
            "system t",
            "user t m1600",
            "assistant o c:sql c:sql",
            "tool r:c1 r:c2",
            "assistant t",
            "user t",
            "assistant o o c:page",
            "tool r:c3 m1600",
            "assistant t"
        ]
    );
    let all = messages(&History::parse(AI_SDK, None).unwrap());
    let Part::ToolResult(result) = &all[3].parts[0] else { panic!() };
    assert_eq!(result.text, r#"[{"id":1},{"id":2}]"#);
    assert!(
        matches!(&all[3].parts[1], Part::ToolResult(result) if result.is_error && result.text == "timeout")
    );
}

#[test]
fn unknown_items_are_opaque_and_malformed_ones_are_named() {
    let unknown = r#"[{"role": "critic", "content": "x"}, 17, {"role": "user", "content": "y"}]"#;
    assert_eq!(short(unknown), ["assistant o", "assistant o", "user t"]);
    let error = |text: &str| {
        let history = History::parse(text, None);
        history.and_then(|history| history.conversation(&Notes::default())).unwrap_err().to_string()
    };
    assert_eq!(
        error(r#"[{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}]"#),
        "Message 1 is malformed: tool_call_id is missing or not a text."
    );
    assert!(error("{\"model\": 1}").starts_with("The JSON has no list of messages or of input"));
    assert!(error("\"text\"").starts_with("A history is a JSON list"));
    assert!(error("[1, ").starts_with("The history is malformed JSON"));
    assert!(error("").starts_with("A history is"));
    let rest = r#"{"previous_response_id": "resp_1", "input": [{"type": "function_call_output", "call_id": "c", "output": "x"}]}"#;
    assert!(
        error(rest)
            .starts_with("The request continues a history that the provider stores (previous_response_id)")
    );
    let negative = r#"{"messages": [{"role": "assistant", "content": "x"}], "usage": {"prompt_tokens": -1}}"#;
    assert!(error(negative).starts_with("prompt_tokens of the usage is -1"));
}

#[test]
fn items_of_responses_that_the_provider_runs_or_made() {
    let history = json!([
        {"role": "user", "content": "Go."},
        {"type": "local_shell_call", "id": "lsh_1", "call_id": "c1", "action": {"command": ["ls"]}},
        {"type": "local_shell_call_output", "id": "c1", "output": "a"},
        {"type": "program", "id": "p_1", "call_id": "c2"},
        {"type": "program_output", "id": "po_1", "call_id": "c2", "output": "b"},
        {"type": "computer_call", "id": "cu_1", "call_id": "c3", "actions": [{"type": "click"}]},
        {"type": "computer_call_output", "call_id": "c3", "output": {"type": "computer_screenshot"}},
        {"type": "compaction", "id": "cmp_1", "encrypted_content": "gBBB"},
    ])
    .to_string();
    assert_eq!(
        short(&history),
        [
            "user t",
            "assistant c:local_shell",
            "tool r:c1",
            "assistant o",
            "assistant o",
            "assistant c:computer",
            "tool r:c3 m1600",
            "assistant o"
        ]
    );
    let read = messages(&History::parse(history, None).unwrap());
    assert!(matches!(&read[5].parts[0], Part::ToolCall(call) if call.arguments.contains("click")));
    let pinned = read.iter().filter(|message| message.pinned).count();
    assert!(pinned == 1 && read[7].pinned, "nothing else says what was compacted");
}

#[test]
fn refusals_and_documents_of_text_are_texts() {
    let refusals = json!([
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
        {"role": "assistant", "content": null, "refusal": "Never."},
    ]);
    assert_eq!(short(&refusals.to_string()), ["assistant t", "assistant t"]);
    let document =
        json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "plain"}});
    let history = json!([
        {"role": "user", "content": [document, {"type": "document", "source": {"type": "url", "url": "u"}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [document]}]},
    ]);
    assert_eq!(short(&history.to_string()), ["user t m1600", "assistant c:f", "tool r:a"]);
    let read = messages(&History::parse(history.to_string(), None).unwrap());
    assert_eq!(read[0].parts[0], Part::Text("plain".to_owned()));
    assert!(matches!(&read[2].parts[0], Part::ToolResult(result) if result.text == "plain"));
}

#[test]
fn what_only_the_provider_can_read_and_run_stays() {
    let request = json!({"system": "Be brief.", "messages": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "compaction", "content": "…"}, {"type": "text", "text": "On."}]},
        {"role": "user", "content": "On."},
    ], "tools": [
        {"name": "read", "input_schema": {}},
        {"name": "artifact_jq", "input_schema": {}},
        {"type": "web_search_20250305", "name": "web_search"},
        {"type": "bash_20250124", "name": "bash"},
        {"type": "mcp_toolset", "mcp_server_name": "files"},
    ]});
    let history = History::parse(request.to_string(), None).unwrap();
    let read = history.conversation(&Notes::default()).unwrap();
    assert_eq!(
        read.messages.iter().map(|message| message.pinned).collect::<Vec<_>>(),
        [false, false, true, false]
    );
    assert_eq!(
        read.tools.iter().map(|tool| tool.pinned).collect::<Vec<_>>(),
        [false, true, true, false, true]
    );
}

#[test]
fn notes_add_what_the_json_does_not_say() {
    let history = History::parse(CHAT, Some(Format::OpenaiChat)).unwrap();
    let mut notes = Notes::default();
    notes.artifacts.insert("call_a1".to_owned(), "art_read_1".to_owned());
    notes.inserted.insert("Revert it.".to_owned());
    notes.pinned.insert(1);
    let all = history.conversation(&notes).unwrap().messages;
    assert!(
        matches!(&all[3].parts[0], Part::ToolResult(result) if result.artifact.as_deref() == Some("art_read_1"))
    );
    assert!(matches!(&all[4].parts[0], Part::ToolResult(result) if result.artifact.is_none()));
    assert_eq!(
        all.iter().map(|message| message.inserted).collect::<Vec<_>>().iter().filter(|is| **is).count(),
        1
    );
    assert!(all[6].inserted && all[1].pinned && !all[2].pinned);
}

#[test]
fn an_id_of_two_results_names_no_artifact() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let result = |text: &str| json!({"role": "tool", "tool_call_id": "c", "content": text});
    let twice = Value::from(vec![call.clone(), result("old"), call, result("new")]).to_string();
    let mut notes = Notes::default();
    notes.artifacts.insert("c".to_owned(), "art_new".to_owned());
    let all = History::parse(twice, None).unwrap().conversation(&notes).unwrap().messages;
    for message in [&all[1], &all[3]] {
        assert!(matches!(&message.parts[0], Part::ToolResult(result) if result.artifact.is_none()));
    }
}
