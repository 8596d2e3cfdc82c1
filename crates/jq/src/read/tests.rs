use super::*;
use proptest::prelude::*;

fn json(bytes: &[u8]) -> String {
    parse(bytes).unwrap().to_json().unwrap()
}

/// Returns all documents up to the first error.
fn documents(bytes: &[u8]) -> Vec<Result<Val, ReadError>> {
    let (mut scanner, mut builder) = (Scanner::new(bytes), Builder::default());
    let mut documents = Vec::new();
    while let Some(document) = builder.next(&mut scanner, &Demand::All).transpose() {
        let failed = document.is_err();
        documents.push(document);
        if failed {
            break;
        }
    }
    documents
}

#[test]
fn strings_are_decoded() {
    let cases: [(&[u8], &str); 8] = [
        (br#""a\u00e9\ud83d\ude00\n\/""#, r#""aé😀\n/""#),
        (br#""\ud800""#, "\"\u{FFFD}\""),
        (br#""\ud800\u0041""#, "\"\u{FFFD}A\""),
        (br#""\udc00\ud800""#, "\"\u{FFFD}\u{FFFD}\""),
        (b"\"a\xFFb\\n\xC3\"", "\"a\u{FFFD}b\\n\u{FFFD}\""),
        (br#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
        (br#"[{"a\\n":1},{"a\n":2},{"a\\n":3}]"#, r#"[{"a\\n":1},{"a\n":2},{"a\\n":3}]"#),
        (b"\xEF\xBB\xBF[1.0]", "[1.0]"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(json(bytes), expected);
    }
}

#[test]
fn documents_are_split_and_bounded() {
    let documents = documents(b"1 \"a\"\n[2]{}x");
    assert_eq!(documents.len(), 5);
    assert!(matches!(documents[4], Err(ReadError::Syntax(SyntaxError { offset: 11, .. }))));
    let deep = |n: usize| [b"[".repeat(n), b"]".repeat(n)].concat();
    assert_eq!(parse(&deep(MAX_DOCUMENT_DEPTH)).unwrap().depth() as usize, MAX_DOCUMENT_DEPTH);
    assert_eq!(parse(&deep(100_000)).unwrap_err(), ReadError::Depth(MAX_DOCUMENT_DEPTH as u64));
    assert!(parse(b"").is_err() && parse(b"1 2").is_err());
}

proptest! {
    #[test]
    fn strings_match_serde_json(text in any::<String>()) {
        let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for spelling in [format!("\"{escaped}\""), tuckaway_json::write::quote(&text)] {
            let Val::Str(read) = parse(spelling.as_bytes()).unwrap() else { panic!() };
            prop_assert_eq!(&**read, &*text);
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), text in r#"[\[\]{}:,"\\u0-9a-f.etrunsl-]{0,40}"#) {
        documents(&bytes);
        documents(text.as_bytes());
    }
}
