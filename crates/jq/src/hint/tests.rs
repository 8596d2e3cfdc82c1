use crate::Options;
use crate::{Bytes, Filter};

/// Returns the hint for a filter on a document, or an empty string.
fn hint(json: &str, filter: &str) -> String {
    let options = Options { compact: true, ..Options::default() };
    let source = Bytes(json.as_bytes().to_vec());
    let outputs = Filter::compile(filter).unwrap().run(&source, &options, None, 16_384).unwrap();
    outputs.hint.unwrap_or_default()
}

const DOCUMENT: &str = r#"{"rows": [{"id": 1, "name": "a", "meta": {"a b": null}}, {"id": 2, "name": null}],
    "none": [], "empty": {}, "text": "x", "next": null}"#;

#[test]
fn hints_show_where_a_path_leaves_the_document() {
    for (filter, expected) in [
        (".row", ".row: no such key; keys here: rows, none, empty, text, next; the nearest is rows"),
        (".row[]?", ".row: no such key; keys here: rows, none, empty, text, next; the nearest is rows"),
        (".nothing.deeper", ".nothing: no such key; keys here: rows, none, empty, text, next"),
        (
            ".rows[].nam",
            ".rows[].nam: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is name",
        ),
        (
            ".rows | map(select(.nam == 1))",
            ".rows[].nam: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is name",
        ),
        (
            "[.rows[] | .score]",
            ".rows[].score: none of the 2 objects there has this key; their keys: id, name, meta",
        ),
        (".rows[0].meta.b", ".rows[0].meta.b: no such key; keys of .rows[0].meta: \"a b\""),
        (
            ".rows[].meta | .[\"a c\"]",
            ".rows[].meta.[\"a c\"]: no such key; keys of .rows[].meta: \"a b\"; the nearest is \"a b\"",
        ),
        (".empty.a", ".empty.a: no such key; that object is empty"),
        (".none[]", ".none is empty"),
        (".none | first", ".none is empty"),
        (".rows[7].id", ".rows[7]: no such element; .rows has 2"),
        (".rows.id?", ".rows is an array: .rows[].id queries its elements"),
        (".text.a?", ".text is a string, which has no keys"),
        (".text[]?", ".text is a string, which has no elements"),
        (
            "select(.rowz) | {a: .b}",
            ".rowz: no such key; keys here: rows, none, empty, text, next; the nearest is rows",
        ),
    ] {
        assert_eq!(hint(DOCUMENT, filter), expected, "{filter}");
    }
    assert_eq!(hint(r#"[{"a": 1}]"#, ".a?"), "the document is an array: .[].a queries its elements");
    assert_eq!(
        hint("{\"a\": 1}\n{\"b\": 2}\n", ".c"),
        ".c: none of the 2 objects there has this key; their keys: a, b"
    );
    assert_eq!(hint("[[], []]", ".[][]"), "all of the 2 at .[] are empty");
}

#[test]
fn filters_with_meaningful_outputs_have_no_hint() {
    for filter in [
        ".next",
        ".rows[1].name",
        ".rows[].meta",
        ".",
        "null",
        "empty",
        ".rows[] | select(.id > 5)",
        ".rows | length",
        "[.rows[].id]",
        "(.rows[].id | empty)",
        ".rows as $x | null",
        "[[.rows]] | .[0][1]",
        "{a: .rows[1].name, b: .next}",
        ".extra // .rows | length",
        "[.rows[] | .label // tojson] | length",
        ".extra = 1 | .rows[0].extra |= 2 | length",
        "reduce .rows[] as $row ({}; .total += $row.id)",
        "[.. | .name?] | length",
        ".rows | map({(\"k\\(.id)\"): .name}) | add | keys",
        "[.rows[] | to_entries[] | .key] | unique",
        "def f: .name; [.rows[] | f] | length",
        "\"nama\" as $text | [.rows[] | select(.name == $text)]",
        "reduce .rows[] as $row ({}; .[$row.name // \"none\"] += 1)",
        ".rows[] as [$a] ?// {$id} | $id",
        "[.rows[] as $row | $row.meta | [$row.id]]",
        "[getpath([\"rows\", 0, \"id\"])]",
    ] {
        assert_eq!(hint(DOCUMENT, filter), "", "{filter}");
    }
    assert_eq!(hint("null", ".a"), "");
}

#[test]
fn missing_keys_are_named_whatever_the_filter_makes_of_them() {
    let rows = "their keys: id, name, meta; the nearest is name";
    let top = "keys here: rows, none, empty, text, next; the nearest is rows";
    for (filter, expected) in [
        (".row | length", format!(".row: no such key; {top}")),
        ("(.itms // []) | length", ".itms: no such key; keys here: rows, none, empty, text, next".to_owned()),
        ("[.row[]?]", format!(".row: no such key; {top}")),
        ("{a: .row}", format!(".row: no such key; {top}")),
        ("(.row // []) | length", format!(".row: no such key; {top}")),
        (
            "[.rows[] | select(.nam == \"a\")]",
            format!(".rows[].nam: none of the 2 objects there has this key; {rows}"),
        ),
        (
            "[.rows[] | select(.nam == \"a\") | .idd] | length",
            format!(".rows[].nam: none of the 2 objects there has this key; {rows}"),
        ),
        (
            "[.rows[] | {idd, nam}]",
            ".rows[].idd: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is id; also missing: .nam".to_owned(),
        ),
        (
            "reduce .rows[] as $row (0; . + $row.idd)",
            ".rows[].idd: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is id".to_owned(),
        ),
        ("[.rows[]] | map(.nam) | length", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
        (
            ".rows | group_by(.id) | map({n: length, x: .[0].nam}) | length",
            format!(".rows[].nam: none of the 2 objects there has this key; {rows}"),
        ),
        (".rows | unique_by(.id) | .[-1:][0].nam", "none of the queried objects has this key".to_owned()),
        (".rows | sort_by(.id) | map({nam, id}) | first | .id", rows.to_owned()),
        (".rows | max_by(.id) | {n: .nam}", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
        (
            ".rows[0] as {idd: $x} | [$x]",
            ".rows[0].idd: no such key; keys of .rows[0]: id, name, meta; the nearest is id".to_owned(),
        ),
        (
            ".rows | group_by(.idd) | map({id: .[0].id, n: length}) | length",
            ".rows[].idd: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is id".to_owned(),
        ),
        (
            ".rows[] | select(.id == 1) | .nam |= 3 | {x: .mta}",
            ".rows[].mta: none of the 2 objects there has this key; their keys: id, name, meta; the nearest is meta".to_owned(),
        ),
        (
            "[.rows[] | select(has(\"nam\"))] | length",
            "none of the queried objects has this key; keys of the first: id, name, meta; the nearest is name".to_owned(),
        ),
        (
            "[.rows[] | select(.meta.\"a b\" == 1 or .nam == 2)] | length",
            rows.to_owned(),
        ),
        // Keys of a path that is assigned to, of a variable, of an array; those of objects below.
        ("reduce .rows[] as $row ({}; .[$row.nam | tostring] += 1)", "the nearest is name".to_owned()),
        ("reduce .rows[] as $row ({}; .[$row.nam] += 1)", "the nearest is name".to_owned()),
        ("\"nam\" as $key | [.rows[][$key]] | length", "the nearest is name".to_owned()),
        ("[.rows[] | getpath([\"nam\"])] | length", "the nearest is name".to_owned()),
        ("[.. | .nam? // empty] | length", "the nearest is name".to_owned()),
        ("any(.rows[]; .nam)", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
        (".rows | last | .nam | tostring", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
        ("[.rows[] as $row | $row.nam]", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
        (".rows[] as {id: $n, nam: $x} | \"\\($n) \\($x)\"", format!(".rows[].nam: none of the 2 objects there has this key; {rows}")),
    ] {
        let hint = hint(DOCUMENT, filter);
        assert!(hint.contains(&expected), "{filter}: {hint:?}");
    }
    // Later pages may have the key, but not if it is misspelt.
    let rows: String = (0..2_000).map(|n| format!("[{n}, {{\"name\": 1}}]")).collect();
    let asked = hint(&rows, "def f: .nam; [.[0], (.[1] | f)]");
    assert!(asked.ends_with("keys of the first: name; the nearest is name"), "{asked}");
    assert_eq!(hint(&rows, "def f: .other; [.[0], (.[1] | f)]"), "");
    // Only the values that the filter names are read from a large document.
    let row = |n: u32| format!("{{\"id\": {n}, \"city\": \"Oslo\", \"pad\": \"{}\"}}", "x".repeat(100));
    let rows = format!("{{\"rows\": [{}]}}", (0..20_000).map(row).collect::<Vec<_>>().join(","));
    for filter in [
        "[.rows[] | select(.City == \"Oslo\")]",
        "[.rows[] | select(.City == \"Oslo\") | .id] | length",
        ".row | length",
    ] {
        assert!(hint(&rows, filter).contains("; the nearest is "), "{filter}: {}", hint(&rows, filter));
    }
    assert!(hint(&rows, "[.rows[] | has(\"City\")] | any").contains("the nearest is city"));
    for filter in [
        "[.rows[] | select(.city == \"Bergen\")]",
        "[.rows[] | has(\"email\")] | any",
        ".rows | length",
        "[.rows[].id] | add",
    ] {
        assert_eq!(hint(&rows, filter), "", "{filter}");
    }
}

#[test]
fn failed_filters_have_hints() {
    assert_eq!(
        hint(r#"{"data": {"rows": [1]}}"#, ".data.row[]"),
        ".data.row: no such key; keys of .data: rows; the nearest is rows"
    );
    // The error lists the keys.
    assert_eq!(hint(r#"{"rows": [1]}"#, ".row[]"), ".row: no such key; the nearest is rows");
    assert_eq!(hint(r#"{"rows": [1]}"#, ".other[]"), ".other: no such key");
    assert_eq!(hint(r#"{"rows": [1]}"#, ".rows.id"), ".rows is an array: .rows[].id queries its elements");
    assert_eq!(hint(r#"[1]"#, ".id"), "");
}

#[test]
fn hints_are_bounded() {
    let keys: Vec<String> =
        (0..3_000).map(|n| format!("\"{}{n}\": {n}", "\\u0007é".repeat(n % 90))).collect();
    let wide = format!("{{{}, \"wanted\": 1}}", keys.join(","));
    for path in [".want", &format!(".{}", "a".repeat(4_000)), &".a".repeat(40), &".[\"\\u0001\"]".repeat(20)]
    {
        let hint = hint(&wide, path);
        assert!(hint.len() <= 1024, "{}: {hint}", hint.len());
    }
    assert!(hint(&wide, ".want").contains(", …"));
    // Only the start is inspected.
    let large = format!("{{\"a\": [{}0], \"b\": 1}}", "[1,2,3],".repeat(600_000));
    assert_eq!(hint(&large, ".c"), ".c: no such key in the inspected part; keys here: a, …");
    assert_eq!(hint(&large, ".a[9000000]"), "");
    let rows = format!("[{}{{}}]", "{\"id\": 1, \"b\": {}},".repeat(260_000));
    let partial = hint(&rows, ".[].nam");
    assert!(
        partial.starts_with(".[].nam: none of the first ") && partial.ends_with("; their keys: id, b, …"),
        "{partial}"
    );
}
