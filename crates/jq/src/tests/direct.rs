//! Terms that are evaluated without jaq: their results are those of jaq.

use super::push::Strategies;
use super::random::{documents, filters};
use super::*;
use crate::direct;
use proptest::prelude::*;

/// More steps than most filters take.
const STEPS: u64 = 50_000;

/// The outputs of a filter and its failure, or `None` if it was stopped: steps differ.
fn outcome(filter: &str, json: &str) -> Option<(String, Option<String>)> {
    let query = Query { max_steps: Some(STEPS), ..query(filter) };
    let (text, failure) = match jq(json.as_bytes(), &query, 4_096) {
        Ok(outputs) => (outputs.text, outputs.failure),
        Err(error) => (String::new(), Some(error)),
    };
    let is_stopped = failure.as_ref().is_some_and(|failure| failure.kind == ErrorKind::Limit);
    (!is_stopped).then(|| (text, failure.map(|failure| failure.message)))
}

fn assert_same(filter: &str, json: &str) {
    if let (Some(ours), Some(of_jaq)) = (outcome(filter, json), direct::without_it(|| outcome(filter, json)))
    {
        // An assignment has no path; jaq evaluates its right side before it says so.
        let is_path_of_assignment = filter.contains("path")
            && filter.contains('=')
            && ours.0 == of_jaq.0
            && ours.1.is_some()
            && of_jaq.1.is_some();
        assert!(ours == of_jaq || is_path_of_assignment, "{filter} on {json}: {ours:?}, {of_jaq:?} of jaq");
    }
}

/// Terms with one output, and others among them.
fn expressions() -> impl Strategy<Value = String> {
    let leaves = prop::sample::select(vec![
        ".",
        "$x",
        "$y",
        ".a",
        ".b",
        ".[0]",
        ".[-1]",
        ".[1:]",
        ".[:$x]",
        ".[$x]",
        "0",
        "1",
        "-1",
        "2.5",
        "1e3",
        "\"a\"",
        "\"é\\(.)\"",
        "null",
        "true",
        "false",
        "[]",
        "{}",
        "length",
        "type",
        "not",
        "tostring",
        "floor",
        "tojson",
        "ascii_downcase",
        "tonumber",
        "halt_error",
        "empty",
        "error",
        "(1, 2)",
        ".[]",
        ".a?",
        "..",
        "reverse",
    ]);
    leaves.prop_map(str::to_owned).prop_recursive(5, 30, 3, |inner| {
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//", "|", ",",
        ]);
        let updates = prop::sample::select(vec!["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="]);
        let paths = prop::sample::select(vec![".", ".a", ".b", ".[0]", ".[-1]", ".[$x]", ".a.b", ".a[0]", ".[1:]", ".[]"]);
        prop_oneof![
            3 => (inner.clone(), binary, inner.clone()).prop_map(|(l, op, r)| format!("({l} {op} {r})")),
            1 => (paths, updates, inner.clone()).prop_map(|(path, op, r)| format!("({path} {op} {r})")),
            1 => inner.clone().prop_map(|of| format!("[{of}, .]")),
            1 => inner.clone().prop_map(|of| format!("-({of})")),
            1 => inner.clone().prop_map(|of| format!("\"<\\({of})>\\(.)\"")),
            1 => (inner.clone(), inner.clone()).prop_map(|(key, value)| format!("{{({key}): {value}, $x, a: 1}}")),
            1 => (inner.clone(), inner.clone()).prop_map(|(of, index)| format!("({of})[{index}]")),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(condition, then, or)| format!("(if {condition} then {then} else {or} end)")),
            1 => (inner.clone(), inner.clone()).prop_map(|(init, update)| format!("(reduce .[]? as $x ({init}; {update}))")),
        ]
    })
}

proptest! {
    #[test]
    fn expressions_have_the_results_of_jaq(
        [a, b, c] in [expressions(), expressions(), expressions()],
        json in documents(),
        form in prop::sample::select(vec![
            "[try (A) catch .]", "path(A)", "[limit(3; A)]", "[.[]? | A]", "try error(A) catch .", "[paths(A)]",
            "[foreach (.[]?, 1, A) as $x (B; C)]", "[foreach (.[]?, 1) as $x ([]; . + [$x]; A, B)]",
            "reduce (.[]?, 1, \"a\") as $x (A; B)", "reduce (.[]?, 2) as $x ({}; .[$x | tostring] += (A))",
            "[limit(3; repeat(A))]", "[limit(4; recurse(A))]", "[limit(4; path(recurse(A)))]", "first(repeat(A) | B)",
            "def length: A; B", "def f($y; length): A; [f(B; C)]", "path(reduce (1, 2) as $x (0; A))",
            "label $out | foreach (.[]?, 1) as $x (0; A; B, break $out)", "[.[]? as $y | A]",
        ]),
    ) {
        let filter = form.replace('A', &a).replace('B', &b).replace('C', &c);
        assert_same(&format!("1 as $x | \"a\" as $y | {filter}"), &json);
        assert_same(&format!("{{a: [1, 2]}} as $x | . as $y | {filter}"), &json);
    }

    #[test]
    fn loops_are_those_of_their_definitions(
        f in expressions(),
        json in documents(),
        form in prop::sample::select(vec![
            "[limit(6; LOOP(F))]", "[limit(6; path(LOOP(F)))]", "[limit(6; try LOOP(F) catch [.])]",
            "first(LOOP(F) | select(. == 1))", "[limit(6; LOOP(F, F))]", "[limit(6; LOOP(F?) | LOOP(.a?))]",
        ]),
    ) {
        let definitions = "def recursed(f): def rec: ., (f | rec); rec; def repeated(f): def rec: f, rec; rec;";
        for (native, defined) in [("recurse", "recursed"), ("repeat", "repeated")] {
            let with = |name| format!("{definitions} 1 as $x | 2 as $y | {}", form.replace("LOOP", name).replace('F', &f));
            if let (Some(ours), Some(of_definition)) =
                (outcome(&with(native), &json), outcome(&with(defined), &json))
            {
                prop_assert_eq!(ours, of_definition, "{} on {}", with(native), json);
            }
        }
    }

    #[test]
    fn filters_have_the_results_of_jaq(filter in filters(), json in documents()) {
        if Strategies::of(&filter).is_some() {
            assert_same(&filter, &json);
        }
    }
}

/// A state without other owners is changed in place: copies would take more steps than there are.
#[test]
fn states_are_changed_in_place() {
    for filter in [
        "reduce range(20000) as $n ([]; . + [.[-1] + $n]) | length",
        "reduce range(20000) as $n ([]; .[$n] = $n) | length",
        "reduce range(20000) as $n ({}; .rows += [$n]) | .rows | length",
        "reduce range(20000) as $n ([]; if $n % 2 == 0 then . + [$n, $n] else . end) | length",
    ] {
        let query = Query { max_steps: Some(800_000), ..query(filter) };
        assert_eq!(jq(b"null", &query, 0).unwrap().text, "20000\n", "{filter}");
    }
}

/// `recurse(f)` runs `f` on a value only if another output is wanted.
#[test]
fn a_recursion_reads_no_input_ahead() {
    let query = query("first(recurse(input)), input");
    assert_eq!(jq(b"1 2 3 4", &query, 0).unwrap().text, "1\n2\n3\n4\n");
    let query = super::query("first(recurse([range(1e12)]))");
    assert_eq!(jq(b"7", &query, 0).unwrap().text, "7\n");
}

/// What a variable is used for depends on the definitions around the use.
#[test]
fn members_of_variables_are_read_whatever_definitions_mean() {
    for (filter, json, expected) in [
        (". as $x | null | def type: .a; $x | type", r#"{"a":1}"#, "1\n"),
        (". as $x | null | def f(type): $x | type; f(.a)", r#"{"a":1}"#, "1\n"),
        ("reduce .[] as $x (null; def type: .a; . + ($x | type))", r#"[{"a":1}]"#, "1\n"),
        (". as $x | [1] | map(def length: .a.b; $x | length)", r#"{"a":{"b":5}}"#, "[5]\n"),
        ("[.[] as $x | {b: $x.a, $x}]", r#"[{"a":1}]"#, "[{\"b\":1,\"x\":{\"a\":1}}]\n"),
    ] {
        assert_eq!(jq(json.as_bytes(), &query(filter), 0).unwrap().text, expected, "{filter}");
    }
}

/// The time and memory of compiling are not metered.
#[test]
fn filters_compile_in_time_that_is_linear_in_their_length() {
    let bindings = ". as $a | $a | ".repeat(100) + "1";
    assert_eq!(jq(b"null", &query(&bindings), 0).unwrap().text, "1\n");
    let key = (0..15).fold("k".to_owned(), |key, _| format!("\\({{\"{key}\"}})"));
    let keys = format!("[{}]", vec![format!("{{\"{key}\"}}"); 100].join(","));
    assert!(Filter::compile(&keys).is_ok(), "{keys}");
}

/// All levels of an expression are counted, so that it takes little of the stack.
#[test]
fn deep_expressions_are_left_to_jaq() {
    let elifs: String = (2..100).map(|n| format!(" elif . == {n} then {n}")).collect();
    for inner in [format!("[if . == 1 then 1{elifs} end]"), format!("[.{}]", "a.".repeat(199) + "a")] {
        let filter =
            format!("def f: if . >= 50 then null | {inner} else 1 + (. + 1 | f | length) end; 0 | f");
        assert_eq!(jq(b"null", &query(&filter), 0).unwrap().text, "51\n", "{filter}");
    }
}
