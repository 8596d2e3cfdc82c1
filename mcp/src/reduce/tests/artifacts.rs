use rmcp::model::ErrorCode;
use serde_json::{Value, json};

use super::Fixture;

async fn contents(fixture: &Fixture, address: &str) -> Vec<Value> {
    let mut result = fixture.reducer.read_artifact(address).await.unwrap();
    match result["contents"].take() {
        Value::Array(contents) => contents,
        other => panic!("{other}"),
    }
}

async fn code(fixture: &Fixture, address: &str) -> ErrorCode {
    fixture.reducer.read_artifact(address).await.expect_err(address).code
}

#[tokio::test]
async fn pages_lead_through_an_artifact() {
    let fixture = Fixture::new();
    let all: String = (0..3_000).map(|n| format!("line {n}, é\n")).collect();
    let id = fixture.put(all.as_bytes()).await;
    let (mut address, mut read) = (format!("tuckaway://{id}"), String::new());
    loop {
        let contents = contents(&fixture, &address).await;
        assert_eq!(contents[0]["uri"], address);
        read += contents[0]["text"].as_str().unwrap();
        let Some(next) = contents.get(1) else { break };
        address = next["uri"].as_str().unwrap().to_owned();
        assert!(next["text"].as_str().unwrap().contains(&address));
    }
    assert_eq!(read, all);
}

#[tokio::test]
async fn parts_are_read() {
    let fixture = Fixture::new();
    let id = fixture.put(b"{\"a\": [1, 2],\n \"b\": \"x y\"}\n").await;
    let read = async |part: &str| {
        let contents = contents(&fixture, &format!("tuckaway://{id}{part}")).await;
        assert_eq!(contents.len(), 1, "{part}: {contents:?}");
        contents[0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(read("#lines=2:2").await, " \"b\": \"x y\"}\n");
    assert_eq!(read("?bytes=1:4").await, "\"a\"");
    assert_eq!(read("#jq=.a%5B%5D").await, "1\n2\n");
    assert_eq!(read("#jq=.a[1]").await, "2\n");
    assert_eq!(read("#grep=x%20y").await, "2: \"b\": \"x y\"}\n");
    let nothing = contents(&fixture, &format!("tuckaway://{id}#grep=zzz")).await;
    assert_eq!((&nothing[0]["text"], &nothing[1]["text"]), (&json!(""), &json!("No line matches.")));
}

#[tokio::test]
async fn outputs_and_matches_have_pages() {
    let fixture = Fixture::new();
    let rows: String = (0..5_000).map(|n| format!("{{\"n\": {n}, \"name\": \"row & {n}\"}}\n")).collect();
    let id = fixture.put(rows.as_bytes()).await;
    for (part, lines) in [("jq=.name", 5_000), ("grep=%26%20%5Cd", 5_000)] {
        let (mut address, mut count) = (format!("tuckaway://{id}#{part}"), 0);
        loop {
            let contents = contents(&fixture, &address).await;
            let text = contents[0]["text"].as_str().unwrap();
            assert!(text.len() <= 20_000);
            count += text.lines().count();
            match contents.get(1).map(|next| next["uri"].as_str().unwrap().to_owned()) {
                Some(next) if next != address => address = next,
                _ => break,
            }
        }
        assert_eq!(count, lines, "{part}");
    }
}

#[tokio::test]
async fn errors_have_codes() {
    let fixture = Fixture::new();
    for address in ["tuckaway://", "tuckaway://nothing", "tuckaway://../../etc/passwd", "file:///a"] {
        assert_eq!(code(&fixture, address).await, ErrorCode::RESOURCE_NOT_FOUND, "{address}");
    }
    let id = fixture.put(b"text\n").await;
    assert_eq!(code(&fixture, &format!("tuckaway://{id}#jq=error")).await, ErrorCode::INVALID_PARAMS);
}

#[tokio::test]
async fn errors_name_the_malformed_part_of_an_address() {
    let fixture = Fixture::new();
    let id = fixture.put(b"text\n").await;
    for (part, argument) in [
        ("lines=9:10", "lines"),
        ("lines=2:1", "lines"),
        ("lines=a:b", "lines"),
        ("bytes=9:9", "bytes"),
        ("bytes=1", "bytes"),
        ("jq=.a|", "jq"),
        ("jq=%FF", "jq"),
        ("grep=(", "grep"),
        ("rows=1", "uri"),
        ("cursor=zzz", "cursor"),
        ("cursor=%FF", "cursor"),
        ("grep=a&cursor=zzz", "cursor"),
        ("jq=.&cursor=zzz", "cursor"),
    ] {
        let address = format!("tuckaway://{id}#{part}");
        let error = fixture.reducer.read_artifact(&address).await.expect_err(part);
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS, "{part}");
        assert_eq!(error.data, Some(json!({ "uri": address, "arguments": [argument] })), "{part}");
    }
    // Nothing is malformed: a filter that fails, and an artifact that is gone.
    for address in [&*format!("tuckaway://{id}#jq=error"), "tuckaway://art_gone_1"] {
        let error = fixture.reducer.read_artifact(address).await.expect_err(address);
        assert_eq!(error.data, Some(json!({ "uri": address })));
    }
}
