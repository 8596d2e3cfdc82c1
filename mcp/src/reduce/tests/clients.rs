//! Display limits of clients, structured content, JSON that is not an object.

use serde_json::{Value, json};
use tuckaway_host::Mode;

use super::{Fixture, LINKS, NO_LINKS, ReduceSettings, large, text, words};
use crate::reduce::ClientAbilities;

const GEMINI: ClientAbilities = ClientAbilities { refuses_bare_json: true, ..NO_LINKS };
const CLINE: ClientAbilities =
    ClientAbilities { result_bytes: Some(8_000), page_bytes: Some(8_000), shows_both: true, ..LINKS };

async fn reply(fixture: &Fixture, name: &str, arguments: Value, client: ClientAbilities) -> String {
    let result = fixture.reducer.call_artifact_tool(name, &arguments, client).await;
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn json_that_is_no_object_ends_with_a_line_for_clients_that_refuse_it() {
    let fixture = Fixture::new();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let id = fixture.put(format!(r#"{{"a": [1, 2], "b": "x", "c": null, "deep": {deep}}}"#).as_bytes()).await;
    let ask = |filter: &str| json!({ "artifact_id": id, "filter": filter, "compact": true });
    for (filter, output) in [(".a", "[1,2]\n"), (".a[0]", "1\n"), (".b", "\"x\"\n"), (".c", "null\n")] {
        let plain = reply(&fixture, "artifact_jq", ask(filter), NO_LINKS).await;
        assert!(plain.starts_with(output), "{plain}");
        let ended = reply(&fixture, "artifact_jq", ask(filter), GEMINI).await;
        assert!(ended.starts_with(output), "{ended}");
        assert!(serde_json::from_str::<Value>(&ended).is_err(), "{ended}");
    }
    assert_eq!(reply(&fixture, "artifact_jq", ask(".a"), GEMINI).await, "[1,2]\n[1 output]");
    assert!(reply(&fixture, "artifact_jq", ask(".deep"), GEMINI).await.ends_with("]\n[1 output]"));
    // An object is accepted, and several outputs are not JSON as a whole.
    for filter in ["{a}", ".a[]"] {
        let same = reply(&fixture, "artifact_jq", ask(filter), GEMINI).await;
        assert_eq!(same, reply(&fixture, "artifact_jq", ask(filter), NO_LINKS).await);
    }
}

#[tokio::test]
async fn a_view_that_is_json_ends_with_a_line_too() {
    let mut settings = ReduceSettings::default();
    settings.policy.mode = Mode::Truncate;
    let fixture = Fixture::with(settings);
    let rows: Vec<Value> = (0..20_000).map(|n| json!({ "id": n })).collect();
    let result = json!({ "content": [text(&json!(rows).to_string())] });
    let view = async |client| {
        let reduced = fixture.reducer.tool_result("t", result.clone(), client).await;
        reduced["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let (plain, ended) = (view(NO_LINKS).await, view(GEMINI).await);
    assert!(serde_json::from_str::<Vec<Value>>(&plain).is_ok(), "{plain}");
    assert_eq!(ended, format!("{}\n[1 output]", plain.trim_end_matches('\n')));
}

#[tokio::test]
async fn results_above_the_limit_of_the_client_are_replaced_by_shorter_ones() {
    let result = json!({ "content": [text(&words(1_800))] });
    for mode in [Mode::Auto, Mode::Truncate] {
        let mut settings = ReduceSettings::default();
        settings.policy.mode = mode;
        let fixture = Fixture::with(settings);
        assert_eq!(fixture.reducer.tool_result("t", result.clone(), LINKS).await, result);
        let reduced = fixture.reducer.tool_result("t", result.clone(), CLINE).await;
        let view = reduced["content"][0]["text"].as_str().unwrap();
        assert!(view.len() <= 8_000, "{mode:?}: {}", view.len());
        let fits = json!({ "content": [text(&words(1_500))] });
        assert_eq!(fixture.reducer.tool_result("t", fits.clone(), CLINE).await, fits);
    }
}

#[tokio::test]
async fn a_file_is_not_larger_than_the_client_shows() {
    let fixture = Fixture::new();
    let result = json!({ "content": [text(&words(15_000))] });
    assert_eq!(fixture.reducer.tool_result("read_file", result.clone(), LINKS).await, result);
    let client = ClientAbilities { result_bytes: Some(48_000), ..LINKS };
    let reduced = fixture.reducer.tool_result("read_file", result, client).await;
    assert!(reduced["content"][0]["text"].as_str().unwrap().len() < 48_000);
    assert_eq!(fixture.artifacts().await.len(), 1);
}

#[tokio::test]
async fn a_page_is_not_larger_than_the_client_shows() {
    let fixture = Fixture::new();
    let id = fixture.put(large().as_bytes()).await;
    let calls = [
        ("artifact_read", json!({ "artifact_id": id })),
        ("artifact_grep", json!({ "artifact_id": id, "pattern": "row", "max_matches": 1_000 })),
    ];
    for (name, arguments) in calls {
        let (usual, page) = (
            reply(&fixture, name, arguments.clone(), NO_LINKS).await,
            reply(&fixture, name, arguments, CLINE).await,
        );
        assert!(usual.len() > 8_000 && page.len() <= 8_000 && page.len() > 4_000, "{name}: {}", page.len());
    }
    // A limit above the usual page changes nothing.
    let wide = NO_LINKS.with_limit(50_000);
    let arguments = json!({ "artifact_id": id });
    let usual = reply(&fixture, "artifact_read", arguments.clone(), NO_LINKS).await;
    assert_eq!(reply(&fixture, "artifact_read", arguments.clone(), wide).await, usual);
    let unlimited = CLINE.with_limit(u64::MAX);
    assert_eq!(reply(&fixture, "artifact_read", arguments, unlimited).await, usual);
}

#[tokio::test]
async fn a_view_is_sent_once_to_clients_that_show_both() {
    let fixture = Fixture::new();
    let rows: Vec<Value> = (0..5_000).map(|n| json!({ "id": n })).collect();
    let structured = json!({ "rows": rows });
    let result =
        json!({ "content": [text(&structured.to_string())], "structuredContent": structured, "_meta": {} });
    let reduced = fixture.reducer.tool_result("t", result, CLINE).await;
    let members: Vec<&String> = reduced.as_object().unwrap().keys().collect();
    assert_eq!(members, ["content", "_meta"]);
    assert!(reduced["content"][0]["text"].as_str().unwrap().contains("array(5000)"));
    let small = json!({ "content": [text("{}")], "structuredContent": {} });
    assert_eq!(fixture.reducer.tool_result("t", small.clone(), CLINE).await, small);
}

#[tokio::test]
async fn a_tool_raises_the_limit_of_a_client_that_lets_it() {
    let fixture = Fixture::new();
    let declared =
        |chars: Value| json!({ "name": "read_file", "_meta": { "anthropic/maxResultSizeChars": chars } });
    let result = json!({ "content": [text(&words(15_000))] });
    let claude = ClientAbilities { result_bytes: Some(48_000), limit_is_declared: true, ..LINKS };
    let passes =
        async |client| fixture.reducer.tool_result("read_file", result.clone(), client).await == result;
    fixture.reducer.listed(json!({ "name": "read_file" }));
    assert!(!passes(claude).await);
    fixture.reducer.listed(declared(json!(90_000)));
    assert!(passes(claude).await);
    assert!(!passes(CLINE).await, "Cline does not know the member");
    assert!(!passes(claude.with_limit(48_000)).await, "the user's limit counts");
    for no_limit in [json!(1_000), json!("90000"), json!(-1), Value::Null] {
        fixture.reducer.listed(declared(no_limit));
        assert!(!passes(claude).await);
    }
}
