use serde_json::{Value, json};
use tuckaway::{CountTokens, Engine, Store};

use super::NAMES;
use crate::{MemoryStore, answer};

struct Quarter;

impl CountTokens for Quarter {
    fn count(&self, text: &str) -> Result<u64, String> {
        Ok(text.len().div_ceil(4) as u64)
    }
}

fn ask_in(store: &dyn Store, name: &str, arguments: &str) -> Value {
    serde_json::from_slice(&answer(&Engine::new(store, &Quarter), name, arguments.as_bytes())).unwrap()
}

fn ask(name: &str, arguments: &str) -> Value {
    ask_in(&MemoryStore::new(1 << 20), name, arguments)
}

fn message(answer: &Value) -> &str {
    assert_eq!(answer["error"]["kind"], "invalid_input", "{answer}");
    answer["error"]["message"].as_str().unwrap()
}

#[test]
fn every_name_is_a_function() {
    for name in NAMES {
        let answer = ask(name, "[");
        assert!(message(&answer).starts_with("The arguments are malformed: "), "{name}: {answer}");
    }
    let unknown = ask("reed", "{}");
    assert!(message(&unknown).starts_with("There is no function \"reed\"; call one of default_policy, "));
}

#[test]
fn an_output_is_stored_and_queried() {
    let store = MemoryStore::new(1 << 20);
    let rows: String = (0..2_000).map(|row| format!("row {row}\n")).collect();
    let output = json!({"tool": "sql", "blocks": [{"content": {"text": rows}}]});
    let turn = json!({"context_window": 8000, "tools": ["read", "grep"]});
    let view = ask_in(&store, "process", &json!({"output": output, "turn": turn}).to_string());
    assert_eq!(view["ok"]["decision"]["action"], "artifact", "{view}");
    let id = view["ok"]["artifacts"][0]["id"].as_str().unwrap();
    let all = ask_in(&store, "read", &json!({"id": id, "range": {"last_lines": 2}}).to_string());
    assert_eq!(all["ok"]["text"], "row 1998\nrow 1999\n");
    let first = ask_in(&store, "read", &json!({"id": id, "max_bytes": 256}).to_string());
    assert!(first["ok"]["text"].as_str().unwrap().starts_with("row 0\nrow 1\n"), "{first}");
    let found = ask_in(&store, "grep", &json!({"id": id, "query": {"pattern": "19.7$"}}).to_string());
    assert_eq!(found["ok"]["matches"][0]["text"], "row 1907", "{found}");
    assert_eq!(ask_in(&store, "list_artifacts", "")["ok"].as_array().unwrap().len(), 1);
}

#[test]
fn bytes_are_in_base64() {
    let text = ask("truncate", r#"{"content": {"text": "ä"}, "max_bytes": 512}"#);
    assert_eq!(text, json!({"ok": "ä"}));
    assert_eq!(ask("truncate", r#"{"content": {"bytes": "w6Q="}, "max_bytes": 512}"#), text);
    let output = |bytes: &str| {
        json!({
            "output": {"tool": "t", "blocks": [{"content": {"bytes": bytes}}]},
            "turn": {"context_window": 8000, "tools": []},
        })
    };
    let view = ask("process", &output("w6Q=").to_string());
    assert_eq!(view["ok"]["text"], "ä", "{view}");
    for malformed in ["w6Q", "?", "w6Q=\n"] {
        let refused = ask("process", &output(malformed).to_string());
        assert!(message(&refused).contains("not base64"), "{refused}");
    }
}

#[test]
fn malformed_arguments_are_errors() {
    for (name, arguments) in [
        ("read", "{}"),
        ("read", r#"{"id": 3}"#),
        ("read", r#"{"id": "a", "lines": 3}"#),
        ("truncate", r#"{"content": {"stored": "a"}, "max_bytes": 512}"#),
        ("truncate", r#"{"content": {"text": "a"}, "max_bytes": -1}"#),
        ("list_artifacts", r#"{"all": true}"#),
        ("plan", r#"{"conversation": {}, "task": "no"}"#),
        ("process", "null"),
        ("jq", "\u{0}"),
    ] {
        let answer = ask(name, arguments);
        assert!(message(&answer).starts_with("The arguments are malformed: "), "{name}: {answer}");
    }
}

#[test]
fn errors_of_the_engine_are_passed_on() {
    let missing = ask("read", r#"{"id": "art_0"}"#);
    assert_eq!(missing["error"]["kind"], "not_found", "{missing}");
    let small = ask("truncate", r#"{"content": {"text": "a"}, "max_bytes": 3}"#);
    assert_eq!(small["error"]["arguments"], json!(["max_bytes"]), "{small}");
}
