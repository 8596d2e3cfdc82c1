use serde_json::{Value, json};
use tokio::runtime::Handle;
use tuckaway_host::store::OnDemand;
use tuckaway_host::{ToolOverride, Tuckaway};

use super::{Broken, Fixture, LINKS, NO_LINKS, ReduceSettings, Reducer, large, text};

fn settings() -> ReduceSettings {
    ReduceSettings { filtered_tools: vec!["db_*".to_owned()], ..ReduceSettings::default() }
}

fn tool(properties: Value) -> Value {
    json!({ "name": "db_rows", "inputSchema": { "type": "object", "properties": properties } })
}

fn rows(count: usize) -> Value {
    let rows: Vec<Value> = (0..count).map(|n| json!({ "id": n, "name": format!("row {n}") })).collect();
    json!({ "rows": rows })
}

/// Lists the tool, takes the filter from the arguments, and returns the result that it makes.
async fn filtered(fixture: &Fixture, filter: &str, result: Value) -> Value {
    let reducer = &fixture.reducer;
    reducer.listed(tool(json!({})));
    let mut arguments = json!({ "_jq": filter, "table": "a" });
    let filter = reducer.take_filter("db_rows", &mut arguments).await.unwrap();
    assert_eq!(arguments, json!({ "table": "a" }));
    reducer.filtered_result("db_rows", filter, result, LINKS).await
}

#[tokio::test]
async fn the_argument_is_added_to_the_tools_of_the_globs() {
    let fixture = Fixture::with(settings());
    let listed = fixture.reducer.listed(tool(json!({ "table": { "type": "string" } })));
    let properties = listed["inputSchema"]["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["table", "_jq"]);
    assert_eq!(properties["_jq"]["type"], "string");
    assert!(listed["inputSchema"].get("required").is_none());
    let bare = fixture.reducer.listed(json!({ "name": "db_a", "inputSchema": { "type": "object" } }));
    assert_eq!(bare["inputSchema"]["properties"]["_jq"]["type"], "string");
    let own = tool(json!({ "_jq": { "type": "integer" } }));
    let other = json!({ "name": "web_get", "inputSchema": { "type": "object", "properties": {} } });
    let odd = json!({ "name": "db_odd", "inputSchema": { "properties": [] } });
    for same in [own, other, odd, json!({ "name": "db_none" })] {
        assert_eq!(fixture.reducer.listed(same.clone()), same);
    }
}

#[tokio::test]
async fn a_tool_keeps_an_argument_of_its_own() {
    let fixture = Fixture::with(settings());
    for own in [tool(json!({ "_jq": { "type": "string" } })), Value::Null] {
        fixture.reducer.listed(own);
        let mut arguments = json!({ "_jq": "not | | a filter" });
        assert_eq!(fixture.reducer.take_filter("db_rows", &mut arguments).await, Ok(None));
        assert_eq!(arguments, json!({ "_jq": "not | | a filter" }));
    }
}

#[tokio::test]
async fn the_outputs_replace_text_and_structured_content() {
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    for count in [3, 5_000] {
        let fixture = Fixture::with(settings());
        let structured = rows(count);
        let result = json!({
            "content": [text(&structured.to_string()), image],
            "structuredContent": structured,
            "_meta": { "a": 1 },
        });
        let reduced = filtered(&fixture, ".rows[] | select(.id == 2) | .name", result).await;
        let view = reduced["content"][0]["text"].as_str().unwrap();
        let id = fixture.artifacts().await[0].id.clone();
        assert!(view.starts_with("\"row 2\"\n[The whole result, "), "{view}");
        assert!(view.ends_with(&format!("is stored as {id}.]")), "{view}");
        assert_eq!(reduced["content"][1], image);
        assert_eq!(reduced["content"][2]["uri"], format!("tuckaway://{id}"));
        assert_eq!(
            reduced["structuredContent"],
            json!({ "tuckaway": { "action": "filter", "view": view, "artifacts": [id] } })
        );
        assert_eq!(reduced["_meta"], json!({ "a": 1 }));
        assert_eq!(fixture.artifacts().await.len(), 1);
        assert_eq!(serde_json::from_slice::<Value>(&fixture.stored(0).await).unwrap(), structured);
    }
}

#[tokio::test]
async fn more_outputs_are_read_with_the_cursor() {
    let fixture = Fixture::with(settings());
    let reduced =
        filtered(&fixture, ".rows[].name", json!({ "content": [text(&rows(5_000).to_string())] })).await;
    let view = reduced["content"][0]["text"].as_str().unwrap();
    assert!(view.len() < 17_000 && view.starts_with("\"row 0\"\n"), "{view}");
    let (page, note) = view.split_once('[').unwrap();
    let cursor: String = note.split_once("cursor: \"").unwrap().1.split('"').next().unwrap().to_owned();
    let id = fixture.artifacts().await[0].id.clone();
    let arguments = json!({ "artifact_id": id, "filter": ".rows[].name", "compact": true, "cursor": cursor });
    let next = fixture.reducer.call_artifact_tool("artifact_jq", &arguments, NO_LINKS).await;
    let next = next["content"][0]["text"].as_str().unwrap();
    let last = page.lines().last().unwrap().trim_matches('"').trim_start_matches("row ");
    let after = format!("\"row {}\"\n", last.parse::<usize>().unwrap() + 1);
    assert!(next.starts_with(&after), "{last}: {next}");
}

#[tokio::test]
async fn a_filter_that_does_not_parse_is_refused_before_the_call() {
    let fixture = Fixture::with(settings());
    fixture.reducer.listed(tool(json!({})));
    let take = async |filter: Value| {
        let mut arguments = json!({ "_jq": filter });
        fixture.reducer.take_filter("db_rows", &mut arguments).await
    };
    for wrong in [json!(".a |"), json!("no_such_function(1)"), json!(".["), json!("x".repeat(20_000))] {
        let why = take(wrong.clone()).await.unwrap_err();
        assert!(
            why.starts_with("The filter _jq is invalid: ") && why.ends_with(" The tool was not called."),
            "{why}"
        );
    }
    for no_text in [json!(1), json!({}), json!([".a"]), json!(true)] {
        assert!(take(no_text).await.unwrap_err().contains("is not a string"));
    }
    for nothing in [Value::Null, json!(""), json!("  ")] {
        assert_eq!(take(nothing).await, Ok(None));
    }
    assert!(take(json!(".a?")).await.unwrap().is_some());
    let mut no_object = json!("text");
    assert_eq!(fixture.reducer.take_filter("db_rows", &mut no_object).await, Ok(None));
}

#[tokio::test]
async fn a_filter_that_does_not_fit_leaves_the_usual_result() {
    let small = json!({ "content": [text("no rows today")], "isError": false });
    for (filter, result, why) in [
        (".rows[]", small.clone(), "was not applied: "),
        (
            ".rows[] | .name | tonumber",
            json!({ "content": [text(&rows(3).to_string())] }),
            "was not applied: ",
        ),
        (".row[]?", json!({ "content": [text(&rows(3).to_string())] }), "rows"),
    ] {
        let fixture = Fixture::with(settings());
        let reduced = filtered(&fixture, filter, result.clone()).await;
        let content = reduced["content"].as_array().unwrap();
        assert_eq!(content.len(), 2, "{reduced}");
        assert_eq!(content[0], result["content"][0]);
        let note = content[1]["text"].as_str().unwrap();
        assert!(note.contains(why) && note.ends_with("This is the result without it.]"), "{note}");
    }
    let fixture = Fixture::with(settings());
    let reduced = filtered(&fixture, ".rows[]", json!({ "content": [text(&large())] })).await;
    let view = reduced["content"][0]["text"].as_str().unwrap();
    assert!(view.starts_with("[The filter \".rows[]\" was not applied: "), "{view}");
    assert!(
        view.contains(&fixture.artifacts().await[0].id) && fixture.artifacts().await.len() == 1,
        "{view}"
    );
}

#[tokio::test]
async fn errors_and_whole_results_are_not_filtered() {
    let fixture = Fixture::with(settings());
    let error = json!({ "content": [text("{\"rows\": 1}")], "isError": true });
    assert_eq!(filtered(&fixture, ".rows", error.clone()).await, error);
    let whole = json!({ "content": [text("{\"rows\": 1}")] });
    assert_eq!(filtered(&fixture, " . ", whole.clone()).await, whole);
    for no_content in [Value::Null, json!([1]), json!({ "later": {} })] {
        assert_eq!(filtered(&fixture, ".rows", no_content.clone()).await, no_content);
    }
    assert!(fixture.artifacts().await.is_empty());
}

#[tokio::test]
async fn default_filters_apply_to_calls_without_a_filter() {
    let mut settings = settings();
    settings.default_filters =
        vec![("db_rows".to_owned(), ".rows | length".to_owned()), ("*".to_owned(), ".no".to_owned())];
    settings.policy.overrides =
        vec![ToolOverride { tools: "*".to_owned(), exempt: true, mode: None, max_threshold_bytes: None }];
    let fixture = Fixture::with(settings);
    let mut listed = tool(json!({}));
    listed["outputSchema"] = json!({});
    assert!(fixture.reducer.listed(listed).get("outputSchema").is_none());
    let shown = async |arguments: Value| {
        let mut arguments = arguments;
        let filter = fixture.reducer.take_filter("db_rows", &mut arguments).await.unwrap();
        let result = json!({ "content": [text(&rows(3).to_string())] });
        let reduced = fixture.reducer.filtered_result("db_rows", filter, result, NO_LINKS).await;
        reduced["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let text = shown(json!({})).await;
    assert!(text.starts_with("3\n[Filtered with \".rows | length\" by default; pass _jq "), "{text}");
    assert!(shown(json!({ "_jq": ".rows[0].id" })).await.starts_with("0\n[The whole result, "));
    assert_eq!(shown(json!({ "_jq": "." })).await, rows(3).to_string());
}

#[tokio::test]
async fn a_store_that_fails_leaves_the_result() {
    let tuckaway = Tuckaway::builder().store(OnDemand(Broken::Fails)).build().unwrap();
    let reducer = Reducer::new(tuckaway, Handle::current(), settings());
    reducer.listed(tool(json!({})));
    let mut arguments = json!({ "_jq": ".rows" });
    let filter = reducer.take_filter("db_rows", &mut arguments).await.unwrap();
    let result = json!({ "content": [text("{\"rows\": 1}")] });
    let reduced = reducer.filtered_result("db_rows", filter, result.clone(), LINKS).await;
    assert_eq!(reduced["content"][0], result["content"][0]);
    assert!(reduced["content"][1]["text"].as_str().unwrap().contains("the result was not stored"));
}
