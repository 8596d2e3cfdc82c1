//! 100,000 nested arrays, passed to every export.

use std::sync::Arc;

use serde_json::{Value, json};
use tuckaway_host_test::{Call, Subject, World};

/// Makes a call in a world with one artifact, `art`.
fn make(subject: &dyn Subject, name: &str, input: &Value) -> Result<Value, tuckaway::Error> {
    let deep = json!({"concat": [{"repeat": "[", "times": 100_000}, {"repeat": "]", "times": 100_000}]});
    let store = json!({"artifacts": [{"id": "art", "content": deep}]});
    let world = Arc::new(World::new(&store, &Value::Null).unwrap());
    let mut input = input.clone();
    for name in ["text", "output"] {
        match input[name].take() {
            Value::Bool(true) if name == "text" => input[name] = deep.clone(),
            Value::Bool(true) => input[name] = json!({"tool": "t", "text": deep.clone()}),
            _ => {
                input.as_object_mut().unwrap().remove(name);
            }
        }
    }
    subject.enter(world).call(&Call::parse(name, input.as_object().unwrap()).unwrap())
}

fn check(subject: &dyn Subject) {
    let call = |name: &str, input: &Value| make(subject, name, input);
    let policy = json!({"max_threshold_bytes": 8_192});
    let view = call("process", &json!({"output": true, "policy": policy})).unwrap();
    assert_eq!(view["decision"]["action"], "artifact");
    let view = call("process", &json!({"output": true, "policy": policy, "turn": {"tools": []}})).unwrap();
    let text = view["text"].as_str().unwrap();
    assert!(text.len() <= 8_192 && serde_json::from_str::<Value>(text).is_ok(), "{text}");
    let shape = call("infer_shape", &json!({"text": true})).unwrap();
    assert_eq!(shape["media_type"], "application/json");
    let text = call("truncate", &json!({"text": true, "max_bytes": 512})).unwrap();
    assert!(text.as_str().unwrap().len() <= 512);
    assert_eq!(
        call("jq", &json!({"id": "art", "filter": "."})).unwrap_err().kind,
        tuckaway::ErrorKind::Limit
    );
    assert_eq!(
        call("grep", &json!({"id": "art", "pattern": "\\[\\]"})).unwrap()["matches"][0]["column"],
        100_000
    );
    assert_eq!(call("read", &json!({"id": "art"})).unwrap()["text"].as_str().unwrap().len(), 16_384);
}

tuckaway_host_test::everywhere!(check);
