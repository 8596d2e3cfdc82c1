//! Requests and answers of both adapters, compared.

use serde_json::{Value, json};
use tuckaway_contract::{
    CallResult, HistoryInput, ModelCall, ModelRequest, ModelTurn, RequestMessage, RequestPurpose, StopReason,
    ToolDefinition,
};

use super::reading::{copy_members, items_to_compact};
use super::{anthropic, openai};

fn turn(text: &str, calls: &[(&str, &str)]) -> RequestMessage {
    let call = |(id, arguments): &(&str, &str)| ModelCall {
        id: (*id).to_owned(),
        name: "Read".to_owned(),
        arguments: (*arguments).to_owned(),
    };
    RequestMessage::Model(ModelTurn { text: text.to_owned(), calls: calls.iter().map(call).collect() })
}

fn request(messages: Vec<RequestMessage>, may_call: bool) -> ModelRequest {
    ModelRequest {
        id: "search-3".to_owned(),
        purpose: RequestPurpose::Search,
        system: "the system".to_owned(),
        messages,
        tools: vec![ToolDefinition {
            name: "Read".to_owned(),
            description: "Reads.".to_owned(),
            input_schema: r#"{"type":"object","required":["filename"]}"#.to_owned(),
        }],
        may_call,
        input_tokens: 100,
        max_output_tokens: 50,
    }
}

fn conversation(may_call: bool) -> ModelRequest {
    let result =
        |id: &str, is_error| CallResult { call_id: id.to_owned(), text: format!("of {id}"), is_error };
    let messages = vec![
        RequestMessage::User("begin".to_owned()),
        turn("I read. ", &[("a", r#"{"filename":"x"}"#), ("b", "{\"cut")]),
        RequestMessage::Results(vec![result("a", false), result("b", true)]),
        turn("", &[]),
        RequestMessage::User("no wrapper".to_owned()),
        RequestMessage::User("the last turn".to_owned()),
    ];
    request(messages, may_call)
}

#[test]
fn a_conversation_for_openai() {
    let body = openai::body("m", &conversation(false));
    let roles: Vec<&str> =
        body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "assistant", "user", "user"]);
    let calls = &body["messages"][2]["tool_calls"];
    // The model's text is repeated unchanged.
    assert_eq!(
        calls[1],
        json!({"id": "b", "type": "function", "function": {"name": "Read", "arguments": "{\"cut"}})
    );
    assert_eq!(body["messages"][4], json!({"role": "tool", "tool_call_id": "b", "content": "of b"}));
    assert_eq!(body["tool_choice"], "none");
    assert_eq!(body["tools"][0]["function"]["parameters"]["required"], json!(["filename"]));
    assert_eq!(openai::body("m", &conversation(true))["tool_choice"], "auto");
}

#[test]
fn a_conversation_for_anthropic() {
    let body = anthropic::body("m", &conversation(false));
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant", "user"]);
    assert_eq!(
        messages[1]["content"],
        json!([
            {"type": "text", "text": "I read."},
            {"type": "tool_use", "id": "a", "name": "Read", "input": {"filename": "x"}},
            {"type": "tool_use", "id": "b", "name": "Read", "input": {}},
        ])
    );
    assert_eq!(messages[2]["content"][1]["is_error"], true);
    // An empty turn would be refused.
    assert_eq!(messages[3]["content"], json!([{"type": "text", "text": "(nothing)"}]));
    assert_eq!(messages[4]["content"].as_array().unwrap().len(), 2);
    assert_eq!((&body["system"], &body["max_tokens"]), (&json!("the system"), &json!(50)));
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
    assert_eq!(anthropic::body("m", &conversation(true))["tool_choice"], json!({"type": "auto"}));
}

#[test]
fn no_tools_and_no_choice_if_there_are_none() {
    let request = ModelRequest { tools: Vec::new(), ..conversation(false) };
    for body in [openai::body("m", &request), anthropic::body("m", &request)] {
        assert!(body.get("tools").is_none() && body.get("tool_choice").is_none(), "{body}");
    }
}

fn of_openai(message: Value, reason: &str) -> Result<tuckaway_contract::ModelReply, String> {
    let answer = json!({"choices": [{"message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}});
    openai::read("search-3", &answer).map_err(|error| error.message)
}

#[test]
fn answers_of_openai() {
    let reply = of_openai(json!({"content": "yes"}), "stop").unwrap();
    assert_eq!((reply.turn.text.as_str(), reply.stop), ("yes", StopReason::Finished));
    assert_eq!((reply.input_tokens, reply.output_tokens), (Some(90), Some(7)));
    let parts = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ye"}, {"type": "text", "text": "s"}]);
    assert_eq!(of_openai(json!({"content": parts}), "length").unwrap().turn.text, "yes");
    assert_eq!(of_openai(json!({"content": "ye"}), "length").unwrap().stop, StopReason::Length);
    assert_eq!(of_openai(json!({"content": "ye"}), "content_filter").unwrap().stop, StopReason::Length);
    assert!(of_openai(json!({"content": null}), "content_filter").is_err());
    assert!(of_openai(json!({"content": null, "refusal": "no"}), "stop").unwrap_err().contains("no"));
    // Servers leave ids empty, and write arguments as objects.
    let calls = json!([{"id": "", "function": {"name": "Read", "arguments": {"filename": "x"}}}, {"id": 5}]);
    let reply = of_openai(json!({"content": null, "tool_calls": calls}), "tool_calls").unwrap();
    let call = &reply.turn.calls[0];
    assert_eq!((call.id.as_str(), call.arguments.as_str()), ("call_search_3_0", r#"{"filename":"x"}"#));
    assert_eq!(reply.turn.calls.len(), 1);
    for wrong in [json!({}), json!([]), json!({"choices": []}), json!({"choices": [{"message": "x"}]})] {
        assert!(openai::read("r", &wrong).is_err(), "{wrong}");
    }
}

#[test]
fn answers_of_anthropic() {
    let read = |content: Value, reason: &str| {
        let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 80, "output_tokens": 7});
        anthropic::read("r", &json!({"content": content, "stop_reason": reason, "usage": usage}))
    };
    let content = json!([
        {"type": "thinking", "thinking": "<ai-agent-x-FINAL>"},
        {"type": "text", "text": "ye"},
        {"type": "server_tool_use", "name": "web"},
        {"type": "text", "text": "s"},
        {"type": "tool_use", "id": "t", "name": "Grep", "input": {"pattern": "a"}},
    ]);
    let reply = read(content, "tool_use").unwrap();
    assert_eq!((reply.turn.text.as_str(), reply.turn.calls.len()), ("yes", 1));
    assert_eq!(
        (reply.input_tokens, reply.output_tokens, reply.stop),
        (Some(90), Some(7), StopReason::Finished)
    );
    assert_eq!(read(json!([]), "max_tokens").unwrap().stop, StopReason::Length);
    assert!(read(json!([]), "refusal").is_err());
    assert!(anthropic::read("r", &json!({"content": "text"})).is_err());
}

#[test]
fn compactions_are_read() {
    let output =
        json!([{"role": "user", "content": "Hello."}, {"type": "compaction", "encrypted_content": "g"}]);
    let read = openai::read_compaction(&json!({"object": "response.compaction", "output": output})).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), output);
    for wrong in [json!({}), json!({"output": []}), json!({"output": "x"}), json!(null)] {
        assert!(openai::read_compaction(&wrong).is_err(), "{wrong}");
    }
    let block = json!({"type": "compaction", "content": "A summary.", "signature": "EuYB"});
    let answer = |content: Value, reason: &str| json!({"content": content, "stop_reason": reason});
    let read = anthropic::read_compaction(&answer(json!([block]), "compaction")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&read).unwrap(),
        json!([{"role": "assistant", "content": [block]}])
    );
    for reason in ["max_tokens", "tool_use", "refusal", "end_turn", "model_context_window_exceeded"] {
        let error = anthropic::read_compaction(&answer(json!([]), reason)).unwrap_err();
        assert!(error.message.contains(reason), "{error}");
    }
    assert!(anthropic::read_compaction(&json!({"stop_reason": "compaction"})).is_err());
}

#[test]
fn a_compaction_has_the_members_of_the_request() {
    let history = |json: &str| HistoryInput { json: json.to_owned(), ..HistoryInput::default() };
    let copied = |json: &str| {
        let mut body = json!({"model": "m"});
        copy_members(&history(json), &["system", "tools"], &mut body);
        body
    };
    let request = r#"{"messages":[],"system":"Be brief.","tools":[{"name":"look"}],"max_tokens":5}"#;
    assert_eq!(copied(request), json!({"model": "m", "system": "Be brief.", "tools": [{"name": "look"}]}));
    for without in ["[]", r#"{"messages":[],"system":null}"#, "{", ""] {
        assert_eq!(copied(without), json!({"model": "m"}), "{without}");
    }
    assert_eq!(items_to_compact("[{}]").unwrap(), json!([{}]));
    assert!(items_to_compact("{}").is_err() && items_to_compact("[").is_err());
}
