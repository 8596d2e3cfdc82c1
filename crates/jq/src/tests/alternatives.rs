//! `E as P1 ?// P2 | f`.

use super::*;

#[test]
fn the_first_pattern_that_does_not_fail_binds_all_variables() {
    for (json, filter, expected) in [
        (
            "[[1], {\"a\": 2}, 3]",
            ".[] as [$a] ?// {a: $b} ?// $c | [$a, $b, $c]",
            &["[1,null,null]", "[null,2,null]", "[null,null,3]"][..],
        ),
        // An error of the body, too: outputs before it stay.
        (
            "[[3]]",
            ".[] as [$a] ?// $b | $a // \"none\", if $a then error(\"x\") else $b end",
            &["3", "\"none\"", "[3]"],
        ),
        ("[[1]]", "try (.[] as [$a] ?// [$b] | error([$a, $b])) catch .", &["[null,1]"]),
        ("[1]", "try (.[] as [$a] ?// {$a} | $a) catch \"failed\"", &["\"failed\""]),
        // Names, labels and definitions around it, and alternatives in it.
        ("[1, 2]", ". as [$a] ?// $b | . as {a: $a} ?// [$b, $c] | [$a, $b, $c]", &["[null,1,2]"]),
        ("[1]", "7 as $b | (. as [$a] ?// $b | $b), $b", &["null", "7"]),
        ("[1]", "[label $out | . as [$a] ?// $b | $a, break $out]", &["[1]"]),
        ("[[[1]]]", "def f: . as [$a] ?// $b | if $a then $a | f else $b end; f", &["1"]),
        ("[1]", "def null: 5; . as [$a] ?// $b | $b", &["null"]),
        (
            "[\"a\"]",
            "\"\\(. as {a: $a} ?// [$a] | $a)\", [. as {a: $a} ?// [$a] | $a]",
            &["\"a\"", "[\"a\"]"],
        ),
        (
            "{\"k\":\"a\",\"a\":[1]}",
            "(. as [$k] ?// {k: $k} | $k) as $k | .[$k] as {($k): $v} ?// [$v] | $v",
            &["1"],
        ),
        // The operators `?` and `//`.
        ("{\"a\":null}", ".a?//3, (.a? // 4)", &["3", "4"]),
    ] {
        give(json, filter, expected);
    }
}

#[test]
fn alternatives_fold() {
    let rows = "[[1], {\"x\": 2}, [3]]";
    give(rows, "reduce .[] as [$a] ?// {$x} (0; . + $a + $x)", &["6"]);
    give(rows, "[foreach .[] as [$a] ?// {$x} (0; . + $a + $x)]", &["[1,3,6]"]);
    give(
        rows,
        "[foreach .[] as [$a] ?// {$x} (0; . + 1; [., $a, $x])]",
        &["[[1,1,null],[2,null,2],[3,3,null]]"],
    );
    // The next pattern begins with the state before the one that failed.
    give("[[1]]", "reduce .[] as [$a] ?// $b (10; if $a then error(\"x\") else [., $b] end)", &["[10,[1]]"]);
    give(
        "[1, [2]]",
        "[label $out | foreach .[] as [$a] ?// $b (0; . + 1; ., if $a then break $out else empty end)]",
        &["[1,2]"],
    );
}

#[test]
fn only_the_first_pattern_has_paths() {
    give("[1]", "[path(. as [$x] ?// $x | .[$x])]", &["[[1]]"]);
    let error = error("1", "path(. as [$x] ?// $x | .)");
    assert!(error.message.contains("invalid path expression"), "{error}");
}

#[test]
fn missing_keys_of_an_alternative_are_no_mistake() {
    let outputs = run("[{\"name\": \"x\"}]", &query(".[] as {title: [$t]} ?// {name: $t} | $t")).unwrap();
    assert_eq!((outputs.text.as_str(), outputs.hint), ("null\n", None));
}

#[test]
fn errors_have_positions() {
    for (filter, expected) in [
        (". as [$a] ?// $b | $c", "column 20: the variable `$c` is not defined"),
        (". as [$a] ?// [$b | 1", "closing bracket"),
        (". as [$a] ?// 1 | 1", "column 15: expected pattern"),
        (". as [$a] ?// ($b) | 1", "column 15: expected pattern"),
        (". as [$a] ?// . | 1", "column 15: expected pattern"),
        (". as [$a] ?//", "column 11"),
        ("[. as [$a] ?// ]", "column 16: expected pattern"),
        (". as [$a] ?// {$b: 1} | 1", "column 18"),
    ] {
        let error = error("1", filter);
        assert!(error.message.contains(expected), "{filter}: {error}");
        assert_eq!(error.kind, ErrorKind::InvalidInput, "{filter}");
    }
}

#[test]
fn alternatives_are_bounded() {
    let nested = |n: usize| ". as [$a] ?// $b | ".repeat(n) + "[$a, $b]";
    give("1", &nested(32), &["[null,1]"]);
    give("1", &format!("{}{}", nested(32), " | .".repeat(100)), &["[null,1]"]);
    assert_eq!(error("1", &format!("{}{}", nested(32), " | .".repeat(150))).kind, ErrorKind::Limit);
    // Each failure is followed by two more attempts: 2^32 of them.
    let failing = ". as $a ?// $b | ".repeat(32) + "error(1)";
    let message = error("1", &nested(33));
    assert!(message.message.contains("33 `?//`; at most 32 are allowed"), "{message}");
    assert_eq!(error("1", &failing).kind, ErrorKind::Limit);
    // Many variables: each pattern binds others.
    let pattern = |n: usize| (0..90).map(|k| format!("$v{}", n * 90 + k)).collect::<Vec<_>>().join(",");
    let patterns: Vec<_> = (0..25).map(|n| format!("{{a: [{}]}}", pattern(n))).collect();
    let many = patterns.join(" ?// ");
    give("[1]", &format!("try (. as {many} | 1) catch 2"), &["2"]);
    give("[1]", &format!("try (foreach . as {many} (0; 1; 2)) catch 3"), &["3"]);
    for filter in [
        "def f: . as [$a] ?// $b | f; f",
        "def f: . as [$a] ?// $b | [f]; f",
        "def f: . as $a ?// $b | (f | error); f",
    ] {
        assert_eq!(error("1", filter).kind, ErrorKind::Limit, "{filter}");
    }
}
