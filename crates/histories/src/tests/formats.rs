//! Each format as a conversation.

use serde_json::{Value, json};
use tuckaway_contract::{HistoryFormat, KnownArtifact, Message, Part, Plan, Role};

use super::common::{AI_SDK, ALL, ANTHROPIC, CHAT, Given, RESPONSES, messages};
use crate::memory::Memory;

/// Returns roles and parts in short form: `t` text, `c` call, `r` result, `m` media with its
/// tokens, `o` opaque.
fn short(text: &str) -> Vec<String> {
    let part = |part: &Part| match part {
        Part::Text(_) => "t".to_owned(),
        Part::ToolCall(call) => format!("c:{}", call.name),
        Part::ToolResult(result) => format!("r:{}", result.call_id),
        Part::Media(medium) => format!("m{}", medium.tokens),
        Part::Opaque(_) => "o".to_owned(),
        Part::Thinking(_) => "h".to_owned(),
    };
    let history = Given::parse(text, None).unwrap();
    let role = |role: Role| format!("{role:?}").to_lowercase();
    let of = |message: &Message| {
        format!("{} {}", role(message.role), message.parts.iter().map(part).collect::<Vec<_>>().join(" "))
    };
    messages(&history).iter().map(of).collect()
}

#[test]
fn formats_are_detected_and_accepted() {
    for (format, text) in ALL {
        let history = Given::parse(text, None).unwrap();
        assert_eq!(history.history.format, format);
        assert_eq!(history.violations(), [] as [&str; 0], "{format:?}");
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
            "tool r:call_a2 o",
            "assistant t h o",
            "user t",
            "assistant t c:apply_patch",
            "tool r:call_b1",
            "assistant t"
        ]
    );
    let conversation = Given::parse(CHAT, None).unwrap().conversation().unwrap();
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
            "assistant h",
            "assistant c:ci_log",
            "assistant c:screenshot",
            "tool r:call_1",
            "tool r:call_2 m1600",
            "assistant o",
            "assistant t",
            "user t",
            "assistant h",
            "assistant c:apply_patch",
            "tool r:call_3",
            "assistant c:shell",
            "tool r:call_4",
            "assistant o"
        ]
    );
    let listed = Given::parse(r#"{"input": "hi", "model": "m"}"#, None).unwrap();
    assert_eq!(
        listed.history.document.rewrite(&Default::default()),
        r#"{"input": [{"role":"user","content":"hi"}], "model": "m"}"#
    );
}

#[test]
fn anthropic() {
    let parts = short(ANTHROPIC);
    assert_eq!(
        parts,
        [
            "system t",
            "user t",
            "assistant h t c:fetch c:screenshot",
            "tool r:toolu_01 r:toolu_02 m1600",
            "assistant h t",
            "user t m108 t",
            "assistant o o c:fetch",
            "user r:toolu_03 t",
            "assistant t"
        ]
    );
    let history = Given::parse(ANTHROPIC, None).unwrap();
    let conversation = history.conversation().unwrap();
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
    let all = messages(&Given::parse(AI_SDK, None).unwrap());
    let Part::ToolResult(result) = &all[3].parts[0] else { panic!() };
    assert_eq!(result.text, r#"[{"id":1},{"id":2}]"#);
    assert!(
        matches!(&all[3].parts[1], Part::ToolResult(result) if result.is_error && result.text == "timeout")
    );
}

#[test]
fn unknown_items_are_opaque_and_malformed_ones_are_named() {
    let unknown = r#"[{"role": "critic", "content": "x"}, {"role": "user", "content": "y"}]"#;
    assert_eq!(short(unknown), ["assistant o", "user t"]);
    let error = |text: &str| {
        let history = Given::parse(text, None);
        history.and_then(|history| history.conversation()).unwrap_err().to_string()
    };
    assert_eq!(
        error(
            r#"[{"role": "tool", "tool_call_id": "c", "content": "x"}, {"role": "user", "content": "y"}, 17]"#
        ),
        "Item 2 has none of the known forms; convert the history to one of openai-chat, openai-responses, anthropic, ai-sdk, ai-sdk-ui, gemini, bedrock, langchain, neutral, and pass the format."
    );
    assert!(error("{\"model\": 1}").starts_with("The JSON has no list of items"));
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
    let read = messages(&Given::parse(history, None).unwrap());
    assert!(matches!(&read[5].parts[0], Part::ToolCall(call) if call.arguments.contains("click")));
    // No other item has the compacted content, and items before it do not count.
    assert!(read.iter().all(|message| message.pinned));
    assert!(read[..7].iter().all(|message| message.tokens == Some(0)) && read[7].tokens.is_none());
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
    let read = messages(&Given::parse(history.to_string(), None).unwrap());
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
    let history = Given::parse(request.to_string(), None).unwrap();
    let read = history.conversation().unwrap();
    assert_eq!(
        read.messages.iter().map(|message| message.pinned).collect::<Vec<_>>(),
        [false, true, true, false]
    );
    assert_eq!(
        read.tools.iter().map(|tool| tool.pinned).collect::<Vec<_>>(),
        [false, true, true, false, true]
    );
}

#[test]
fn thinking_after_thinking_that_stays_is_kept_where_a_gap_is_refused() {
    let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "s"});
    let said = json!({"type": "text", "text": "Yes."});
    let answers = [json!([thinking, said]), json!([thinking]), json!([thinking, said])];
    let items: Vec<Value> = answers
        .iter()
        .flat_map(|answer| {
            [json!({"role": "user", "content": "Go."}), json!({"role": "assistant", "content": answer})]
        })
        .collect();
    let history = Given::parse(Value::from(items).to_string(), Some(HistoryFormat::Anthropic)).unwrap();
    let can_go = |index: usize| matches!(messages(&history)[index].parts[0], Part::Thinking(_));
    assert_eq!([1, 3, 5].map(can_go), [true, false, false]);
}

#[test]
fn artifacts_and_pins_of_the_caller_are_known() {
    let mut history = Given::parse(CHAT, Some(HistoryFormat::OpenaiChat)).unwrap();
    let of = |call_id: &str, text: Option<&str>| KnownArtifact {
        call_id: call_id.to_owned(),
        text: text.map(str::to_owned),
        artifact: format!("art_{call_id}"),
    };
    history.artifacts = vec![of("call_a1", None), of("call_a2", Some("another text"))];
    history.pinned = vec![false, true];
    let all = messages(&history);
    assert!(
        matches!(&all[3].parts[0], Part::ToolResult(result) if result.artifact.as_deref() == Some("art_call_a1"))
    );
    assert!(matches!(&all[4].parts[0], Part::ToolResult(result) if result.artifact.is_none()));
    assert!(all[1].pinned && !all[2].pinned);
    let plan = super::common::plan();
    let entries = vec![super::common::insert("Revert it."), super::common::keep(0, all.len())];
    let mut memory = Memory::default();
    memory.record(&history.conversation().unwrap(), &Plan { history: entries, ..plan }, &[]);
    let inserted: Vec<bool> =
        history.remembered(&memory).unwrap().messages.iter().map(|message| message.inserted).collect();
    assert!(inserted[6] && inserted.iter().filter(|is| **is).count() == 1);
}

#[test]
fn an_id_of_two_results_names_no_artifact() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
    let result = |text: &str| json!({"role": "tool", "tool_call_id": "c", "content": text});
    let twice = Value::from(vec![call.clone(), result("old"), call, result("new")]).to_string();
    let mut history = Given::parse(twice, None).unwrap();
    let known = |text: Option<&str>| {
        vec![KnownArtifact {
            call_id: "c".to_owned(),
            text: text.map(str::to_owned),
            artifact: "art_new".to_owned(),
        }]
    };
    let artifacts = |history: &Given| -> Vec<Option<String>> {
        let results = messages(history).into_iter().flat_map(|message| message.parts);
        results
            .filter_map(|part| match part {
                Part::ToolResult(result) => Some(result.artifact),
                _ => None,
            })
            .collect()
    };
    history.artifacts = known(None);
    assert_eq!(artifacts(&history), [None, None]);
    history.artifacts = known(Some("new"));
    assert_eq!(artifacts(&history), [None, Some("art_new".to_owned())]);
}
