use super::*;
use parts::{Parts, assert_skims, tokens};
use proptest::prelude::*;

mod parts;
mod walk;

fn kinds(json: &[u8]) -> Result<Vec<(TokenKind, String)>, SyntaxError> {
    let mut scanner = Scanner::new(json);
    let mut found = Vec::new();
    while let Some(token) = scanner.next_token()? {
        found.push((token.kind, String::from_utf8_lossy(token.text(json)).into_owned()));
    }
    Ok(found)
}

fn one_document(json: &[u8]) -> bool {
    let mut scanner = Scanner::new(json);
    let mut documents = 0;
    loop {
        match scanner.next_token() {
            Ok(Some(_)) => documents += usize::from(scanner.depth() == 0),
            Ok(None) => return documents == 1,
            Err(_) => return false,
        }
    }
}

#[test]
fn tokens_have_their_spans() {
    use TokenKind::*;
    let found = kinds(br#" {"a\"": [1, -2.5e3, true], "b": null}"#).unwrap();
    let expected = [
        (ObjectStart, "{"),
        (Key, r#""a\"""#),
        (ArrayStart, "["),
        (Integer, "1"),
        (Float, "-2.5e3"),
        (True, "true"),
        (ArrayEnd, "]"),
        (Key, r#""b""#),
        (Null, "null"),
        (ObjectEnd, "}"),
    ];
    assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
}

#[test]
fn documents_follow_each_other() {
    assert_eq!(kinds(b"\xEF\xBB\xBF1 2\n{}[]\"x\"\"y\"").unwrap().len(), 8);
    assert!(kinds(b"truefalse").is_err());
    assert!(kinds(b"1[").is_err());
}

#[test]
fn depth_is_not_bounded() {
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    assert!(one_document(&deep));
    assert!(!one_document(&deep[..199_999]));
}

#[test]
fn errors_have_an_offset() {
    let error = kinds(br#"{"a": 1, }"#).unwrap_err();
    assert_eq!(error.to_string(), "not JSON at byte 9: expected a key in quotes");
}

#[test]
fn containers_are_skipped() {
    let json: &[u8] = br#"[{"a": [1, {"b": 2}]}, 3]"#;
    let mut scanner = Scanner::new(json);
    scanner.next_token().unwrap();
    scanner.next_token().unwrap();
    let end = scanner.skip_container().unwrap();
    assert_eq!(&json[..end.end as usize], br#"[{"a": [1, {"b": 2}]}"#);
    assert_eq!(scanner.next_token().unwrap().unwrap().kind, TokenKind::Integer);
}

proptest! {
    #[test]
    fn accepts_what_serde_json_accepts(text in r#"[\[\]{}:,"\\a-e0-9.\-+truefalsn \n]{0,24}"#) {
        // serde_json rejects numbers outside the range of f64, which RFC 8259 allows.
        let reference = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(one_document(text.as_bytes()), reference, "{}", text);
    }

    #[test]
    fn parts_have_the_tokens_of_the_whole(
        text in prop_oneof![
            r#"[\[\]{}:,"\\a-e0-9.\-+truefalsn \n]{0,40}"#,
            json().prop_map(|json| json.to_string()),
            json().prop_map(|json| format!("{json:#}\n{json}")),
            (json(), any::<prop::sample::Index>()).prop_map(|(json, cut)| {
                let text = json.to_string();
                text[..text.floor_char_boundary(cut.index(text.len() + 1))].to_owned()
            }),
        ],
        bom: bool,
        part in 1usize..65,
    ) {
        let text = [if bom { "\u{FEFF}" } else { "" }, &text].concat();
        let bytes = text.as_bytes();
        let whole = tokens(Scanner::new(bytes), bytes, true);
        for texts in [true, false] {
            prop_assert_eq!(&tokens(Scanner::new(Parts::of(bytes, part)), bytes, texts), &whole);
        }
    }
}

/// Generates JSON and text that resembles it, complete and truncated.
fn like_json() -> impl Strategy<Value = String> {
    prop_oneof![
        r#"\[[\[\]{}:,"\\a-e0-9.\-+truefalsn \n]{0,40}"#,
        r#"\{"a":["1{}:,0.e\-\\u00 \n\[\]ntruefalse]{0,40}"#,
        json().prop_map(|json| json.to_string()),
        json().prop_map(|json| format!("{json:#}\n{json}")),
        (json(), any::<prop::sample::Index>(), any::<char>()).prop_map(|(json, at, other)| {
            let mut text = json.to_string();
            let at = text.floor_char_boundary(at.index(text.len() + 1));
            text.insert(at, other);
            text
        }),
    ]
}

proptest! {
    #[test]
    fn skimming_skips_whole_tokens(
        text in like_json(), tokens in 0usize..8, max_depth in 0usize..5, part in 1usize..65,
    ) {
        let bytes = text.as_bytes();
        assert_skims(Scanner::new(bytes), bytes, tokens, max_depth);
        assert_skims(Scanner::new(Parts::of(bytes, part)), bytes, tokens, max_depth);
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(("[a-c\\n]{1,2}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

#[test]
fn a_string_of_any_length_is_skipped() {
    /// A string of a hundred million letters, generated on demand.
    struct Long {
        at: u64,
        bytes: Vec<u8>,
        most: usize,
    }

    impl Input for &mut Long {
        const HAS_PARTS: bool = true;

        fn bytes(&self) -> &[u8] {
            &self.bytes
        }

        fn start(&self) -> u64 {
            self.at
        }

        fn advance(&mut self, used: usize) -> bool {
            self.at += used as u64;
            self.bytes.drain(..used);
            let end = self.at + self.bytes.len() as u64;
            match end {
                0 => self.bytes.push(b'"'),
                1..LETTERS => self.bytes.resize(self.bytes.len() + (1 << 20), b'x'),
                _ => self.bytes.push(b'"'),
            }
            self.most = self.most.max(self.bytes.len());
            end <= LETTERS + (1 << 20)
        }
    }

    const LETTERS: u64 = 100_000_000;
    let mut input = Long { at: 0, bytes: Vec::new(), most: 0 };
    let mut scanner = Scanner::at_value(&mut input);
    scanner.drop_texts();
    let token = scanner.next_token().unwrap().unwrap();
    assert_eq!((token.kind, token.start), (TokenKind::String, 0));
    assert!(token.end > LETTERS && scanner.text(token.start, token.end).is_none());
    assert!(input.most <= (1 << 20) + 1);
}
