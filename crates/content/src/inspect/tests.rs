use super::*;
use proptest::prelude::*;

const ONE_LINE: Facts<'_> = Facts { claimed: None, line_count: 1, has_failed: false };

#[test]
fn kinds_are_detected() {
    for (bytes, kind) in [
        (&b"{\"a\": 1}"[..], Kind::Json),
        (b" 42 ", Kind::Json),
        (b"\xEF\xBB\xBF[]", Kind::Json),
        (b"{}\n{}\n", Kind::JsonSequence),
        (b"[1][2]", Kind::JsonSequence),
        (b"1\n2\n3\n", Kind::Text),
        (b"{} 1", Kind::Text),
        (b"1 {}", Kind::Text),
        (b"\"[1]\" \"[2]\"", Kind::Text),
        (b"\"[1]\"\n", Kind::Json),
        (b"", Kind::Text),
        (b"[2026-01-01] started", Kind::Text),
        (b"caf\xE9", Kind::Text),
        (b"a\0b", Kind::Text),
        (b"\x89PNG\0", Kind::Binary),
        (b"a log of some length\0 with a caf\xE9", Kind::Text),
    ] {
        assert_eq!(inspect(bytes, &ONE_LINE).kind, kind, "{}", String::from_utf8_lossy(bytes));
    }
}

proptest! {
    #[test]
    fn any_bytes_have_a_bounded_outline(bytes in proptest::collection::vec(any::<u8>(), 0..300), max in 2usize..500) {
        let json = inspect(&bytes, &ONE_LINE).to_json(max, &Layout::NESTED);
        prop_assert!(json.len() <= max);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }
}

proptest! {
    #[test]
    fn any_text_is_bounded_and_not_empty(
        line in "\\PC{1,60}",
        times in 1usize..200,
        max in 8usize..2_000,
        kind in prop_oneof![Just(Kind::Text), Just(Kind::Binary), Just(Kind::Trace), Just(Kind::Build), Just(Kind::Log)],
    ) {
        let text = format!("{line}\n").repeat(times);
        let view = truncate(&text, kind, max);
        prop_assert!(view.len() <= max);
        prop_assert!(!view.is_empty());
    }
}

#[test]
fn a_wrong_media_type_does_no_harm() {
    let text = Sample::of(b"a log of some length\n");
    assert_eq!(detect_by_sample(&text, Some("application/octet-stream")), Kind::Text);
    assert_eq!(detect_by_sample(&text, Some("; ;/")), Kind::Text);
}

#[test]
fn parameters_and_case_of_a_media_type_are_ignored() {
    assert_eq!(essence("Text/CSV; charset=utf-8"), "text/csv");
    assert_eq!(essence(""), "");
}

/// Parts of lines in logs, traces and builds.
const PIECES: [&str; 28] = [
    "2024-03-05 10:00:00 ",
    "Dec 10 06:55:46 host app[7]: ",
    "web-1  | ",
    "ERROR ",
    "[warn] ",
    "level=",
    "[",
    "\"",
    "GET / HTTP/1.1\" 50",
    "Traceback (most recent call last):",
    "  File \"a.py\", line 1, in f",
    "    at f (a.js:1:2)",
    "Caused by: ",
    "thread 'main' panicked at ",
    "stack backtrace:",
    "  1: ",
    "goroutine 1 [running]:",
    "#0  0x1 in ",
    "ValueError: ",
    "error[E0308]: ",
    "a.c:1:2: error: ",
    "test a ... FAILED",
    "#12 ",
    "npm error ",
    "exit code 1",
    "\u{1b}[31m",
    "\r",
    "é👩🏽\u{200d}",
];

proptest! {
    #[test]
    fn kinds_of_lines_are_bounded_whatever_they_are_given(
        lines in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![
                proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
                "\\PC{0,12}",
                "[ -~]{0,300}",
            ], 0..5),
            0..60,
        ),
        max in 1usize..1_500,
    ) {
        let text = lines.iter().map(|pieces| pieces.concat()).collect::<Vec<_>>().join("\n");
        let bytes = text.as_bytes();
        for kind in [Kind::Log, Kind::Trace, Kind::Build] {
            let middle = &mut Middle::default();
            let subject = &mut Subject { bytes, json: None, has_failed: false, nested: &Table, middle };
            let json = (row(kind).outline)(subject).to_json(max, &Layout::NESTED);
            prop_assert!(json.len() <= max.max(2));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            if text.len() > max {
                let view = truncate(&text, kind, max);
                prop_assert!(view.len() <= max);
                if matches!(clean(&text, kind), Cow::Borrowed(_)) {
                    prop_assert_eq!(&truncate_again(&text, kind, max, middle), &view);
                }
                prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
            }
        }
    }
}

proptest! {
    #[test]
    fn an_error_at_the_start_of_a_text_hides_no_json_behind_it(
        parts in proptest::collection::vec("\\[|\\{\"a\": |1|\\]|\\}|\n|, | |\\{\"b\": \"[a-z]{60}\"\\}\n", 0..12),
    ) {
        let text = parts.concat();
        let mut middle = Middle::default();
        if let Err(error) = json::read(text.as_bytes(), None) {
            detect_text(text.as_bytes(), None, &error, &mut middle);
        }
        let all = within::range(text.as_bytes(), &mut Middle::default());
        prop_assert_eq!(within::range(text.as_bytes(), &mut middle), all);
    }
}

fn record() -> impl Strategy<Value = serde_json::Value> {
    let text = prop_oneof!["[a-z ]{0,90}", "[a-zé\"\n ]{200,900}", "error: [a-z]{1,9}"];
    let scalar =
        prop_oneof![any::<i32>().prop_map(serde_json::Value::from), text.prop_map(serde_json::Value::from)];
    let inner = scalar.prop_recursive(4, 90, 12, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..40).prop_map(serde_json::Value::from),
            proptest::collection::vec(("[a-d]{1,2}|error", inner), 0..12)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    });
    proptest::collection::vec(inner, 1..8).prop_map(|rows| serde_json::json!({"rows": rows, "status": "ok"}))
}

proptest! {
    #[test]
    fn what_an_inspection_found_of_a_record_changes_no_cut(
        record in record(),
        is_pretty: bool,
        sizes in proptest::collection::vec(20usize..3_000, 1..8),
    ) {
        let text = if is_pretty { format!("{record:#}") } else { record.to_string() };
        let inspected = inspect(text.as_bytes(), &ONE_LINE);
        for max in sizes {
            let view = truncate_again(&text, inspected.kind, max, &mut inspected.middle.borrow_mut());
            prop_assert_eq!(view, truncate(&text, inspected.kind, max));
        }
    }
}
