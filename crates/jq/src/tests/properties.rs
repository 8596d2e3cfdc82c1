//! Properties of pages, and of filters and documents that are not from the grammar.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn pages_add_up_to_all_outputs(
        strings in proptest::collection::vec("[a-é👩‍👧\u{301}\\n\"]{0,60}", 0..20),
        raw: bool, compact: bool, fails: bool, max in 256usize..600,
    ) {
        let json = serde_json::to_string(&strings).unwrap();
        let filter = if fails { ".[], error(\"end\")" } else { ".[], {a: .}" };
        let query = Query { raw, compact, ..query(filter) };
        prop_assume!(!strings.is_empty());
        let whole = jq(&json.clone().into_bytes(), &query, 1 << 20).unwrap();
        let (text, failure) = pages(&json.into_bytes(), &query, max);
        prop_assert_eq!(text, whole.text);
        prop_assert_eq!(failure, whole.failure);
    }

    #[test]
    fn identity_matches_serde_json(json in json()) {
        let written = run(&json.to_string(), &query(".")).unwrap().text;
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), json);
    }

    #[test]
    fn no_sequence_of_tokens_panics(
        words in proptest::collection::vec(prop::sample::select(vec![
            ".", ".a", ".[0]", ".[1:]", "[", "]", "{", "}", "(", ")", "|", ",", "+", "-", "*", "/", "%", "//", "=",
            "|=", "+=", "1", "0", "-1", "1e9", "\"a\"", "\"\\(", "null", "nan", "..", "map(", "del(", "path(",
            "select(", "try", "catch", "if", "then", "else", "end", "reduce", "as", "$x", ";", "?", "sort", "keys",
            "test(", "tojson", "floor", "join(", "limit(2;", "@csv", "@base64d", "@sh", "splits(", "sub(\"a\";",
            "gmtime", "strftime(\"%c\")", "implode", "explode", "tonumber", "add", "length", "not", "and", "or", "<",
            "==", "setpath([0];", "delpaths([[0]])", "to_entries", "from_entries", "indices(", "flatten", "error",
            "def f:", "def f(g):", "f", "f(", "g", "range(", "repeat(", "recurse(", "until(", "walk(", "foreach",
            "label $l |", "break $l", "?//", "$__loc__", "to_entries", "sort_by(", "limit(1;", "getpath(", "combinations",
            "has(", "first", "last", "min_by(.a)", "group_by(.)", "unique", "transpose", "input", "halt", "ltrimstr(",
        ]), 0..12),
        json in json(),
    ) {
        let filter = words.join(" ");
        let query = Query { max_steps: Some(20_000), ..query(&filter) };
        if let Ok(page) = jq(&json.to_string().into_bytes(), &query, 256) {
            prop_assert!(page.text.len() <= 256);
        }
    }

    #[test]
    fn no_text_panics(filter in "\\PC{0,40}", json in "\\PC{0,20}", cursor in any::<Option<[u64; 5]>>()) {
        let cursor = cursor.map(Cursor::from_numbers);
        let _ = run(&json, &Query { cursor, ..query(&filter) });
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-9i64..9).prop_map(Value::from),
        (-4_000_000i32..4_000_000).prop_map(|n| Value::from(f64::from(n) / 64.0)),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(("[a-c]{1,2}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
