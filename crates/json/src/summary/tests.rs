use proptest::prelude::*;

use super::gather::MAX_DEPTH;
use super::*;
use crate::spans::Child;

fn root(json: &str) -> Summary {
    Summary::of(json.as_bytes()).unwrap()
}

#[test]
fn all_elements_are_summarized() {
    let summary = root(r#"[{"id": 1, "email": "a"}, {"id": 2.5}, {"id": null, "id": 3}]"#);
    let rows = summary.node(Summary::ROOT);
    assert_eq!((rows.arrays.count, rows.arrays.max), (1, 3));
    let row = summary.node(rows.element.unwrap());
    assert_eq!(row.objects.count, 3);
    let present: Vec<_> = row.members.iter().map(|m| (&*m.key, m.present)).collect();
    assert_eq!(present, [("id", 3), ("email", 1)]);
    let id = summary.node(row.members[0].node);
    assert!(id.integer && id.float && id.null && !id.string);
}

#[test]
fn escaped_keys_equal_plain_ones() {
    let summary = root(r#"[{"a\u0062": 1}, {"ab": 2}, {"\ud800": 3}]"#);
    let element = summary.node(Summary::ROOT).element.unwrap();
    let keys: Vec<_> = summary.node(element).members.iter().map(|m| (&*m.key, m.present)).collect();
    assert_eq!(keys, [("ab", 2), ("\u{FFFD}", 1)]);
}

#[test]
fn keys_that_are_not_utf8_equal_themselves() {
    let summary = Summary::of(b"[{\"\xE9\": 1, \"b\": 2}, {\"b\": 1, \"\xE9\": 2}]").unwrap();
    let element = summary.node(Summary::ROOT).element.unwrap();
    let keys: Vec<_> = summary.node(element).members.iter().map(|m| (&*m.key, m.present)).collect();
    assert_eq!(keys, [("\u{FFFD}", 2), ("b", 2)]);
}

#[test]
fn objects_with_many_keys_are_maps() {
    let members: Vec<String> = (0..1_000).map(|i| format!(r#""k{i}": {{"n": {i}}}"#)).collect();
    let summary = root(&format!("{{{}}}", members.join(",")));
    let map = summary.node(Summary::ROOT);
    assert!(map.members.is_empty());
    assert_eq!(map.objects.max, 1_000);
    let value = summary.node(map.values.unwrap());
    assert_eq!((value.objects.count, value.members[0].present), (1_000, 1_000));
}

#[test]
fn objects_keyed_by_ids_are_maps() {
    let is_map = |json: &str| root(json).node(Summary::ROOT).values.is_some();
    assert!(is_map(r#"{"324846098": "a", "324846099": "b"}"#));
    assert!(is_map(r#"{"2026-01-01": {"n": 1}, "2026-01-02": {"n": 2}}"#));
    assert!(!is_map(r#"{"324846098": "a", "324846099": []}"#));
    assert!(!is_map(r#"{"id": 1, "name": 2, "a1": 3}"#));
    let members = |n: usize, value: &str| {
        let members: Vec<_> = (0..n).map(|i| format!(r#""plugin-{i}a": {value}"#)).collect();
        format!("{{{}}}", members.join(","))
    };
    assert!(is_map(&members(40, r#"{"name": "x", "version": "1"}"#)));
    assert!(!is_map(&members(20, r#"{"name": "x", "version": "1"}"#)));
}

#[test]
fn depth_and_breadth_are_bounded() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(root(&deep).nodes.len() <= MAX_DEPTH + 1);
    // A tree of records whose keys are all different.
    let wide: Vec<String> =
        (0..20_000).map(|i| format!(r#"{{"a{}": {{"b{}": {{"c{i}": 1}}}}}}"#, i % 100, i % 101)).collect();
    assert!(root(&format!("[{}]", wide.join(","))).nodes.len() <= MAX_NODES);
}

#[test]
fn documents_are_counted() {
    assert_eq!(root("1 2 {} []").documents, 4);
    assert_eq!(root(" ").documents, 0);
}

#[test]
fn values_after_a_container_that_is_too_deep_are_summarized() {
    let deep = "[".repeat(40) + &"]".repeat(40);
    let summary = root(&format!(r#"{{"deep": {deep}, "n": 1}} {{"deep": {deep}, "n": "a", "m": []}}"#));
    let node = summary.node(Summary::ROOT);
    assert_eq!((summary.documents, node.objects.count, node.objects.max), (2, 2, 3));
    let keys: Vec<_> = node.members.iter().map(|m| (&*m.key, m.present)).collect();
    assert_eq!(keys, [("deep", 2), ("n", 2), ("m", 1)]);
    let n = summary.node(node.members[1].node);
    assert!(n.integer && n.string && n.bare_string);
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let long = "k".repeat(40);
    let summary = root(&format!(
        r#"{{"a": 1, "{long}": 2, "\u0061b": 3}} {{"\u0061b": 1, "{long}": 2, "a": 3, "a": 4}} {{"ab": "end"}}"#
    ));
    let keys: Vec<_> = summary.node(Summary::ROOT).members.iter().map(|m| (&*m.key, m.present)).collect();
    assert_eq!(keys, [("a", 2), (&*long, 2), ("ab", 3)]);
}

/// Returns all values of a text in their order, by the spans.
fn children(spans: &Spans, text: &str) -> Vec<Child> {
    let mut all = Vec::new();
    let mut left: Vec<Child> = spans.documents().iter().rev().copied().collect();
    while let Some(child) = left.pop() {
        all.push(child);
        if text[child.value.range()].starts_with(['{', '[']) {
            left.extend(spans.children(text, child.value).iter().rev());
        }
    }
    all
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let scalar = prop_oneof![
        Just(serde_json::Value::Null),
        any::<i32>().prop_map(serde_json::Value::from),
        prop_oneof!["[a-c\"\\\\é]{0,3}", Just("{\"x\": [1]}".to_owned())].prop_map(serde_json::Value::from),
    ];
    scalar.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            // Keys that are escaped, optional and not in order.
            prop::collection::vec(("[a-d\"é]{1,2}", inner), 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn spans_of_the_same_pass_are_those_of_their_own(value in value(), again in value(), levels in 0usize..4, bom: bool) {
        let bom = if bom { "\u{FEFF}" } else { "" };
        // The same key twice.
        let twice = format!("{bom}{{\"a\": {value:#}, \"b\": 1, \"a\" : {again}}} ");
        for text in [value.to_string(), format!("{bom}\n{value:#}"), twice] {
            let (summary, spans) = Summary::with_spans(text.as_bytes(), Some(levels)).unwrap();
            prop_assert_eq!(format!("{:?}", spans.unwrap()), format!("{:?}", Spans::of(&text, levels)));
            let keys = |summary: &Summary| -> Vec<(Box<str>, u64)> {
                summary.nodes.iter().flat_map(|node| &node.members).map(|m| (m.key.clone(), m.present)).collect()
            };
            prop_assert_eq!(keys(&summary), keys(&Summary::of(text.as_bytes()).unwrap()));
        }
        let row = format!("{value}\n{{\"a\": {again}}}");
        let (summary, spans) = Summary::with_spans(row.as_bytes(), Some(levels)).unwrap();
        prop_assert_eq!((summary.documents, spans.is_none()), (2, true));
    }
}

#[test]
fn spans_of_values_that_are_not_described_are_found() {
    // More paths than are described, and deeper ones.
    let members: Vec<String> = (0..20_000).map(|n| format!("\"k{}\": {{\"m{n}\": [[1]]}}", n % 90)).collect();
    let text = format!(
        "{{\"a\": [{}], \"deep\": {}1{}}}",
        members.join(",").replace("\"k", "{\"k").replace("]]}", "]]}}"),
        "[".repeat(40),
        "]".repeat(40)
    );
    let (_, spans) = Summary::with_spans(text.as_bytes(), Some(3)).unwrap();
    assert!(children(&spans.unwrap(), &text) == children(&Spans::of(&text, 3), &text));
}
