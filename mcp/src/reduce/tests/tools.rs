use serde_json::{Value, json};
use tuckaway_host::{Dialect, ToolOverride};

use super::{Fixture, NO_LINKS, ReduceSettings};

#[tokio::test]
async fn schemas_of_results_are_removed_or_described() {
    let brief = Fixture::new();
    let listed = brief.reducer.listed(json!({ "name": "t", "description": "d", "outputSchema": {} }));
    assert_eq!(listed, json!({ "name": "t", "description": "d" }));

    let filtered = ReduceSettings { filtered_tools: vec!["t".to_owned()], ..ReduceSettings::default() };
    let tool = json!({ "name": "t", "inputSchema": { "type": "object" }, "outputSchema": {} });
    assert_eq!(Fixture::with(filtered).reducer.listed(tool)["description"], "Output schema (JSON): {}");

    let fixture = Fixture::with(ReduceSettings { detailed_tools: true, ..ReduceSettings::default() });
    let tool = json!({
        "name": "t", "outputSchema": { "type": "object" }, "description": "Does it.", "inputSchema": {}, "_meta": 1,
    });
    assert_eq!(
        fixture.reducer.listed(tool).to_string(),
        r#"{"name":"t","description":"Does it.\n\nOutput schema (JSON): {\"type\":\"object\"}","inputSchema":{},"_meta":1}"#
    );
    let bare = fixture.reducer.listed(json!({ "name": "t", "outputSchema": {} }));
    assert_eq!(bare, json!({ "name": "t", "description": "Output schema (JSON): {}" }));
    let long = fixture.reducer.listed(json!({ "name": "t", "outputSchema": { "enum": vec!["é"; 4_000] } }));
    let description = long["description"].as_str().unwrap();
    assert!(
        description.starts_with("Output schema (JSON, the first 409") && description.len() < 4_200,
        "{description}"
    );
    for same in [json!({ "name": "t", "description": "d" }), json!("t"), Value::Null] {
        assert_eq!(fixture.reducer.listed(same.clone()), same);
    }
}

#[tokio::test]
async fn schemas_stay_where_results_pass() {
    let mut settings = ReduceSettings::default();
    settings.policy.overrides = vec![ToolOverride {
        tools: "skill*".to_owned(),
        exempt: true,
        mode: None,
        max_threshold_bytes: None,
    }];
    let tool = |name: &str| json!({ "name": name, "outputSchema": {} });
    let fixture = Fixture::with(settings.clone());
    assert_eq!(fixture.reducer.listed(tool("skill_a")), tool("skill_a"));
    assert_ne!(fixture.reducer.listed(tool("other")), tool("other"));
    settings.policy.enabled = false;
    assert_eq!(Fixture::with(settings).reducer.listed(tool("other")), tool("other"));
}

#[tokio::test]
async fn every_dialect_lists_its_tools_at_once() {
    for dialect in Dialect::ALL {
        let fixture = Fixture::with_dialect(dialect);
        let tools = fixture.reducer.artifact_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, dialect.tool_names().collect::<Vec<_>>());
        for tool in &tools {
            assert!(fixture.reducer.is_artifact_tool(tool["name"].as_str().unwrap()));
            let may_write = tool["inputSchema"]["properties"].get("save_as").is_some();
            assert_eq!(may_write, tool["name"] == "artifact_jq");
            assert_eq!(tool["annotations"]["readOnlyHint"], !may_write);
            assert_eq!(tool["annotations"]["destructiveHint"], false);
            assert_eq!(tool["annotations"]["openWorldHint"], false);
            assert_eq!(tool["_meta"]["anthropic/maxResultSizeChars"], 16_384);
            assert_eq!(tool["inputSchema"]["type"], "object");
        }
        assert!(!fixture.reducer.is_artifact_tool("other"));
    }
}

#[tokio::test]
async fn definitions_are_brief_unless_the_settings_say_otherwise() {
    let brief = Fixture::new().reducer.artifact_tools().await.unwrap();
    let settings = ReduceSettings { detailed_tools: true, ..ReduceSettings::default() };
    let detailed = Fixture::with(settings).reducer.artifact_tools().await.unwrap();
    for (brief, detailed) in brief.iter().zip(&detailed) {
        assert_eq!(brief["name"], detailed["name"]);
        assert!(detailed.to_string().len() > brief.to_string().len() * 3 / 2, "{detailed}");
    }
}

#[tokio::test]
async fn calls_are_answered() {
    let fixture = Fixture::new();
    let id = fixture.put(b"one\ntwo\n").await;
    let call = async |name: &str, arguments: Value| {
        let result = fixture.reducer.call_artifact_tool(name, &arguments, NO_LINKS).await;
        (result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"] == true)
    };
    for id in [id.clone(), format!("tuckaway://{id}")] {
        let (text, is_error) = call("artifact_grep", json!({ "artifact_id": id, "pattern": "tw" })).await;
        assert!(text.contains("2:two") && !is_error, "{text}");
    }
    let rows = fixture.put(br#"[{"a": 1}]"#).await;
    let arguments = json!({
        "artifact_id": rows,
        "filter": "$same | length",
        "variables": format!("same=tuckaway://{rows}"),
    });
    assert_eq!(call("artifact_jq", arguments).await, ("1\n".to_owned(), false));
    let arguments = json!({ "artifact_id": rows, "filter": ".[]", "save_as": "each" });
    let (text, is_error) = call("artifact_jq", arguments).await;
    assert!(text.contains("\"outputs\": 1") && !is_error, "{text}");
    for mistake in [Value::Null, json!({}), json!([1]), json!({ "artifact_id": "../x" }), json!("text")] {
        assert!(call("artifact_read", mistake.clone()).await.1, "{mistake}");
    }
    assert!(call("no_such_tool", json!({})).await.1);
}

#[tokio::test]
async fn an_extraction_without_a_model_shows_both_ends() {
    let fixture = Fixture::with_dialect(Dialect::Handle);
    let all = super::large();
    let id = fixture.put(all.as_bytes()).await;
    let arguments = json!({ "handle": id, "extract": "the last row" });
    let result = fixture.reducer.call_artifact_tool("tool_output", &arguments, NO_LINKS).await;
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("truncate") && text.contains("row 19999 ") && text.len() <= 16_384, "{text}");
    assert_eq!(result["isError"], false);
}
