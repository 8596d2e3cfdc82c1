use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Returns the kind and the value as JSON.
fn read(text: &str) -> Option<(String, Value)> {
    detect(&Sample::of(text.as_bytes())).then(|| {
        let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
        let outline: Value = serde_json::from_str(&outline).unwrap();
        let json = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        (outline["kind"].as_str().unwrap().to_owned(), serde_json::from_slice(&json).unwrap())
    })
}

#[test]
fn values_become_json() {
    for (text, kind, value) in [
        (
            "[{'id': 1, 'ok': True, 'at': datetime.datetime(2026, 1, 2, tzinfo=utc), 'n': None}, {'id': 2, 'price': Decimal('1.50')}]",
            "Python literal: array(2) of object(5 keys)",
            json!([
                {"id": 1, "ok": true, "at": "datetime.datetime(2026, 1, 2, tzinfo=utc)", "n": null},
                {"id": 2, "price": "Decimal('1.50')"}
            ]),
        ),
        (
            "{'a': (1, 2), 'b': {3, 4}, 5: 'it\\'s', 'c': b'\\x41\\u00e4', 'd': {}, 'e': {'x'}}",
            "Python literal: object(6 keys)",
            json!({"a": [1, 2], "b": [3, 4], "5": "it's", "c": "A\u{e4}", "d": {}, "e": ["x"]}),
        ),
        (
            "// config\n{\n  name: 'x', /* y */\n  list: [1, .5, undefined,],\n  \"emoji\": \"\\ud83d\\ude00\",\n}\n",
            "JavaScript literal: object(3 keys)",
            json!({"name": "x", "list": [1, ".5", null], "emoji": "\u{1F600}"}),
        ),
        (
            "{\n  // only a comment\n  \"a\": 1,\n  \"b\": [true, null],\n}\n",
            "JSON with comments: object(2 keys)",
            json!({"a": 1, "b": [true, null]}),
        ),
    ] {
        assert_eq!(read(text), Some((kind.to_owned(), value)), "{text}");
    }
}

#[test]
fn other_texts_are_no_values() {
    for text in [
        "[1, 2, 3]",
        "{'a'}",
        "{ int x; return x; }",
        "[section]\nkey=1\n",
        "(a) first\n(b) second\n",
        "{'a': 1 'b': 2}",
        "{a: 1, b: }",
        "{'a'}: 1",
        "{'a': 1}, {'b': 2}",
        "{'a': 'open\n', 'b': 1}",
        "[1, 2, fn(3, 4]",
        "{[1]: 2, 'b': 3}",
        "/* a comment */ body { margin: 0 }",
        "[2026-01-01 10:00:00] one\n[2026-01-01 10:00:01] two\n",
        "{\"a\": [1, 2]} and text",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_value_on_one_line_may_be_longer_than_the_head() {
    let text = format!("[{{'id': 1, 'text': '{}'}}, {{'id': None, 'text': 'b'}}]", "a".repeat(40_000));
    assert_eq!(read(&text).unwrap().1[1], json!({"id": null, "text": "b"}));
    let prose = format!("(a, b) then prose: {}", "'word' ".repeat(8_000));
    assert_eq!(read(&prose), None);
    let code = format!("{{a: 1, b: function(x) {{ return {}x; }}}}", "x + ".repeat(10_000));
    assert_eq!(read(&code), None);
}

#[test]
fn a_value_that_is_malformed_behind_the_head_is_said_to_be() {
    let text = format!("[{}oops oops]", "{'a': None, 'b': 1},\n".repeat(4_000));
    assert!(detect(&Sample::of(text.as_bytes())));
    let outline = outline(text.as_bytes());
    assert!(outline.refuses_jq);
    assert!(outline.to_json(4_096, &crate::Layout::ONE_LINE).contains("as far as line 4001"));
    assert!(matches!(to_json(text.as_bytes(), 1 << 20), Err(ToJsonError::Unsupported(_))));
    let deep = format!("{}'a', 'b'{}", "[".repeat(600), "]".repeat(600));
    assert_eq!(read(&deep), None);
}

proptest! {
    #[test]
    fn what_is_read_is_json(text in r#"[\[{( ]{1,3}[a-zT'":,\\0-9 \[\]{}()/*#\n]{0,60}"#) {
        let read = Reader::read(text.as_bytes(), 1 << 16);
        if read.malformed.is_none() {
            for document in serde_json::Deserializer::from_slice(&read.json).into_iter::<Value>() {
                prop_assert!(document.is_ok(), "{text:?} became {}", String::from_utf8_lossy(&read.json));
            }
        }
    }
}
