use serde_json::{Value, json};

use super::{Fixture, ReduceSettings};

fn allowing(max_argument_bytes: u64) -> Fixture {
    let handle_arguments = vec!["*write*".to_owned()];
    Fixture::with(ReduceSettings { handle_arguments, max_argument_bytes, ..ReduceSettings::default() })
}

async fn error(fixture: &Fixture, handle: &str) -> String {
    let arguments = json!({ "content": handle });
    fixture.reducer.resolve_arguments("write", arguments).await.expect_err(handle)
}

#[tokio::test]
async fn handles_are_replaced_wherever_they_are() {
    let fixture = allowing(1 << 20);
    let json = fixture.put(b"{\"a\": \"one\\ntwo\", \"b\": [1, 2]}").await;
    let lines = fixture.put("ä\nb\nc\n".as_bytes()).await;
    let arguments = json!({
        "path": "/tmp/x",
        "content": format!("tuckaway://{lines}"),
        "more": [{ "deep": [format!("tuckaway://{lines}#lines=2:2")] }],
        "jq": format!("tuckaway://{json}#jq=.a"),
        "encoded": format!("tuckaway://{json}#jq=.b%5B0%5D"),
        "raw": format!("tuckaway://{json}#jq=.b | map(. % 2)"),
        "prose": format!("see tuckaway://{lines} or tuckaway://{json}"),
        "prose_too": format!("tuckaway://{lines} is meant"),
        "number": 5,
    });
    let resolved = fixture.reducer.resolve_arguments("fs_write_file", arguments.clone()).await.unwrap();
    assert_eq!(
        resolved,
        json!({
            "path": "/tmp/x",
            "content": "ä\nb\nc\n",
            "more": [{ "deep": ["b\n"] }],
            "jq": "one\ntwo",
            "encoded": "1",
            "raw": "[1,0]",
            "prose": arguments["prose"],
            "prose_too": arguments["prose_too"],
            "number": 5,
        })
    );
    let keys: Vec<&String> = resolved.as_object().unwrap().keys().collect();
    assert_eq!(keys, arguments.as_object().unwrap().keys().collect::<Vec<_>>());
}

#[tokio::test]
async fn handles_pass_unchanged_where_they_are_not_allowed() {
    let fixture = allowing(1 << 20);
    let id = fixture.put(b"secret").await;
    let arguments = json!({ "url": format!("tuckaway://{id}") });
    for fixture in [&fixture, &Fixture::new()] {
        assert_eq!(
            fixture.reducer.resolve_arguments("fetch", arguments.clone()).await,
            Ok(arguments.clone())
        );
    }
    assert_eq!(fixture.reducer.resolve_arguments("write", Value::Null).await, Ok(Value::Null));
}

#[tokio::test]
async fn handles_that_lead_nowhere_are_errors() {
    let fixture = allowing(1_000);
    let id = fixture.put(b"{\"a\": [1, 2], \"n\": null}").await;
    let binary = fixture.put(b"a \xFF\x00\x01\x9D b").await;
    for (handle, why) in [
        ("tuckaway://nothing".to_owned(), "nothing"),
        ("tuckaway://../../etc/passwd".to_owned(), "names no artifact"),
        (format!("tuckaway://{id}#rows=1"), "does not select a part"),
        (format!("tuckaway://{id}#lines=99:100"), "99"),
        (format!("tuckaway://{id}#grep=a"), "Only #lines"),
        (format!("tuckaway://{id}#jq=.a|"), "filter"),
        (format!("tuckaway://{id}#jq=.a[]"), "several outputs"),
        (format!("tuckaway://{id}#jq=empty"), "argument"),
        (format!("tuckaway://{id}#jq=.b"), "b"),
        (format!("tuckaway://{id}#jq=error"), "The tool was not called."),
        (format!("tuckaway://{binary}"), "not UTF-8"),
    ] {
        let error = error(&fixture, &handle).await;
        assert!(error.contains(why) && error.ends_with("The tool was not called."), "{handle}: {error}");
    }
    let null = json!({ "content": format!("tuckaway://{id}#jq=.n") });
    assert_eq!(fixture.reducer.resolve_arguments("write", null).await, Ok(json!({ "content": "null" })));
}

#[tokio::test]
async fn contents_are_bounded_together() {
    let fixture = allowing(1_000);
    let (all, half) = (fixture.put(&[b'x'; 1_000]).await, fixture.put(&[b'x'; 501]).await);
    let over = fixture.put(&[b'x'; 1_001]).await;
    let list = fixture.put(format!("[{:?}]", "\n".repeat(1_001)).as_bytes()).await;
    let resolve = async |handles: &[String]| fixture.reducer.resolve_arguments("write", json!(handles)).await;
    assert_eq!(resolve(&[format!("tuckaway://{all}")]).await, Ok(json!(["x".repeat(1_000)])));
    assert_eq!(
        resolve(&[format!("tuckaway://{list}#jq=.[0][:1000]")]).await,
        Ok(json!(["\n".repeat(1_000)]))
    );
    for too_long in [
        vec![format!("tuckaway://{over}")],
        vec![format!("tuckaway://{list}#jq=.[0]")],
        vec![format!("tuckaway://{half}"), format!("tuckaway://{half}")],
    ] {
        assert!(resolve(&too_long).await.unwrap_err().contains("longer than the"), "{too_long:?}");
    }
    let many = vec![format!("tuckaway://{half}#lines=1:1"); 65];
    assert!(resolve(&many).await.unwrap_err().contains("at most 64"));
}

#[tokio::test]
async fn a_replacement_character_that_is_stored_is_text() {
    let fixture = allowing(1_000);
    let id = fixture.put("a \u{FFFD} b".as_bytes()).await;
    let arguments = json!([format!("tuckaway://{id}")]);
    assert_eq!(fixture.reducer.resolve_arguments("write", arguments).await, Ok(json!(["a \u{FFFD} b"])));
}
