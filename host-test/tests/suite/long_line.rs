//! One line of 100 MB, passed to every export: invariant 7, complete, where it is hardest
//! to keep.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tuckaway_host_test::{Call, Subject, World, pages};

const TIMES: usize = 10_000_000;
/// Ten bytes with a character that a page must not cut.
const PIECE: &str = "abc é-789";

fn line() -> String {
    // Pieces differ, so that a lost or repeated one is noticed.
    let mut line = PIECE.repeat(TIMES);
    let middle = line.len() / 2;
    let middle = line.floor_char_boundary(middle);
    line.insert_str(middle, "needle");
    line
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn check(subject: &dyn Subject) {
    let line = line();
    let content = json!({"concat": [
        {"repeat": PIECE, "times": TIMES / 2}, "needle", {"repeat": PIECE, "times": TIMES / 2}
    ]});
    let store = json!({"artifacts": [{"id": "art", "content": content}]});
    let enter = || subject.enter(Arc::new(World::new(&store, &Value::Null).expect("a world")));
    let call = |name: &str, input: Value| enter().call(&Call::parse(name, &object(input)).expect("a call"));

    let all = pages::follow(
        &mut *enter(),
        &object(json!({"of": "read", "id": "art", "range": {"lines": {"start": 1, "end": 1}}, "max_bytes": 4_000_000})),
    )
    .expect("pages")
    .expect("no error");
    assert!(all["text"] == line, "the pages are not the line");
    assert!(all["longest"].as_u64().expect("a length") <= 4_000_000);

    let found = call("grep", json!({"id": "art", "pattern": "needle"})).expect("a match");
    let found = &found["matches"][0];
    assert_eq!(found["byte_offset"], line.find("needle").expect("the needle"));
    assert_eq!(found["clipped"], true);
    let shown = found["text"].as_str().expect("a text");
    assert!(shown.contains("needle") && shown.len() < 1_000, "{shown}");

    let error = call("jq", json!({"id": "art", "filter": "."})).expect_err("it is not JSON");
    assert_eq!(error.kind, tuckaway::ErrorKind::Unsupported);

    let view = call("process", json!({"output": {"tool": "t", "stored": "art"}})).expect("a view");
    assert_eq!(view["decision"]["gate"], "ceiling");
    assert!(view["text"].as_str().expect("a text").len() <= 4_096);
    let view = call("process", json!({"output": {"tool": "t", "stored": "art"}, "turn": {"tools": []}}));
    let text = view.expect("a view")["text"].as_str().expect("a text").to_owned();
    assert!(text.len() <= 200_000 && text.starts_with(PIECE) && text.ends_with(PIECE));
}

tuckaway_host_test::everywhere!(check);
