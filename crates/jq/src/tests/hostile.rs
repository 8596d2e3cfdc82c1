//! Hostile filters do not hang, crash, or exceed memory.

use super::*;

/// A value whose walk visits 2^60 values.
const PAIRS: &str = "def pairs: reduce range(60) as $i (1; [., .]); ";

/// The same, of objects.
const OBJECTS: &str = "def objects: reduce range(60) as $i ({a: 1}; {a: ., b: .}); ";

/// A text that takes long to inspect.
const TEXT: &str = "(\"x\" * 6e7) as $s | ";

/// An array that takes long to inspect.
const ARRAY: &str = "[range(1e5)] as $a | ";

/// Filters that exceed a limit with any number of steps, up to a billion: groups of a prefix and
/// the filters that follow it.
const ENDLESS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "def f: f; f",
            "def f: [f]; f",
            "def f: f | f; f",
            "def f: f | .; f",
            "def f: {a: f}; f",
            "def f: 1 + f; f",
            "def f: f, 1; f",
            "[def f: 1, f; f]",
            "def f: .[f]; f",
            "def f: -f; f",
            "def f: \"\\(f)\"; f",
            "def f: try f catch f; f",
            "def f: if f then 1 else 2 end; f",
            "def f: f // f; f",
            "def f: f and f; f",
            "def f: reduce f as $x (0; .); f",
            "def f: reduce 1 as $x (0; f); f",
            "def f: foreach f as $x (0; 1; 2); f",
            "def f: label $x | f; f",
            "def f: f as [$a] | 1; f",
            "def f: . as {(f): $a} | 1; f",
            "def f: first(f); f",
            "def f: limit(1; f); f",
            "def f: limit(3; f, f); f",
            "def f: (. |= f); f",
            "def f: del(f); f",
            "def f: [.] | walk(f); f",
            "def f: .a | f; null | f",
            "def f: .a | f; null | path(f)",
            "def f: .[0:] | f; [1] | path(f)",
            "def f: .a | f; f |= 1",
            "def f: .[0] | f; null | (f |= 1)",
            "def f: def g: f; g | g; f",
            "def f: def g: f; [g]; f",
            "def f: def g: f | g; g; f",
            "def f: label $x | (f, break $x); f",
            "def f(g): g | f(g | g); f(.)",
            "def f(g): f(g); f(.)",
            "def f(g): f(g | .); f(1)",
            "def f(g): f(def h: g; h); f(1)",
            "def f(g): if . > 1e9 then g else (. + 1 | f(g | .)) end; 0 | f(.)",
            "def f($x): f($x + 1); f(0)",
            "def f($x): f([$x]); f(0)",
            "def f($x; g): g | f($x; g | g); f(1; .)",
            "try (def f: f; f) catch 1",
        ],
    ),
    // Definitions that call each other, but not themselves.
    (
        "def a(g): g | g; def b(g): a(a(g)); def c(g): b(b(g)); def d(g): c(c(g)); ",
        &["0 | d(d(d(d(. + 1))))", "null | path(d(d(d(d(.a)))))", "d(d(d(d(.a)))) |= 1"],
    ),
    (
        "def a(g): g, g; def b(g): a(a(g)); def c(g): b(b(g)); def d(g): c(c(g)); ",
        &["[d(d(d(d(1))))]", "last(d(d(d(d(1)))))"],
    ),
    (
        "def a: .a | .a; def b: a | a | a | a; def c: b | b | b | b; def d: c | c | c | c; def e: d | d | d | d; def f: e | e | e | e; ",
        &["path(f | f | f | f | f | f | f | f)"],
    ),
    // Loops.
    (
        "",
        &[
            "reduce range(1e6) as $i (.; .a) |= 1",
            "null | path(reduce range(1e6) as $i (.; .a))",
            "null | path(foreach range(1e6) as $i (.; .a)) | empty",
            "range(1e12) | empty",
            "range(infinite) | empty",
            "range(0; 1; 0) | empty",
            "range(nan; 1) | empty",
            "last(range(1e12))",
            "first(range(1e12) | select(. < 0))",
            "last(limit(1e12; repeat(1)))",
            "[skip(1e12; range(1e13))]",
            "nth(1e12; repeat(1))",
            "isempty(range(1e12) | select(. < 0))",
            "any(range(1e12); . < 0)",
            "all(range(1e12); . >= 0)",
            "until(false; .)",
            "while(true; .) | empty",
            "repeat(.) | empty",
            "[repeat(1)]",
            "first(repeat(empty))",
            "[1 | recurse(. + 1; true)]",
            "recurse([.]) | empty",
            "[recurse(.[]?, 1)]",
            "label $out | range(1e12) | if . < 0 then break $out else empty end",
            "repeat(try error(1) catch .) | empty",
            "repeat(try error catch error(\"x\")?) | empty",
            "try last(range(1e12)) catch 1",
            "(try last(range(1e12)) catch 1), (try last(range(1e12)) catch 2)",
            "reduce range(1e12) as $i (0; . + $i)",
            "foreach range(1e12) as $i (0; . + $i; empty)",
            "reduce (range(1e7), 1) as $i (0, 1; .)",
            "[range(1e7) as $x | range(1e7) | empty]",
            "until(length > 1e9; tojson)",
            "repeat(\"\\(.)\" | tojson | fromjson) | empty",
            "until(false; tojson | fromjson)",
        ],
    ),
    // Values that grow.
    (
        "",
        &[
            "[range(1e12)]",
            "[limit(1e12; range(1e12))]",
            "[.[]?] | [recurse([.])]",
            "reduce range(60) as $i (\"x\"; . + .)",
            "reduce range(60) as $i ([1]; . + .)",
            "reduce range(60) as $i (\"\\\\\"; tojson)",
            "reduce range(60) as $i (\"'\"; @sh)",
            "reduce range(99) as $i (\"x\"; @base64)",
            "reduce range(60) as $i (\"\\\"\"; [., .] | @csv)",
            "reduce range(60) as $i (\"x\"; [., .] | join(\"-\"))",
            "reduce range(1e9) as $i ({}; .[$i | tostring] = $i)",
            "reduce range(1e9) as $i ([]; .[$i] = $i)",
            "reduce range(1e9) as $i (1; [.])",
            "reduce range(1e9) as $i (1; try [.] catch .)",
            "\"x\" * 1e12",
            "\"x\" * infinite",
            "[] | .[1e9] = 1",
            "null | .[1e300] = 1",
            "[1] | .[infinite] = 1",
            "null | setpath([range(1e5) | 0]; 1)",
            "null | setpath([\"a\", 1e18]; 1)",
            "null | getpath([range(1e6) | \"a\"])",
            "getpath([\"a\", \"b\"]) |= (def f: [f]; f)",
            "[limit(1e9; repeat(\"x\" * 1000))] | length",
            "[range(1e7)] | [., map(. + 1), map(. + 2), map(. + 3), map(. + 4)] | length",
            "[range(1e5)] | [combinations(5)]",
            "[range(100)] as $a | [[$a, $a, $a, $a, $a, $a] | combinations]",
        ],
    ),
    // Values that are much larger than their memory.
    (
        PAIRS,
        &[
            "pairs | tojson",
            "pairs | \"\\(.)\"",
            "pairs | @text",
            "pairs | flatten",
            "pairs | [..]",
            "pairs | [leaf_paths]",
            "pairs | walk(.)",
            "pairs | [tostream]",
            "pairs | (.. |= .)",
            "pairs | del(..)",
            "pairs == pairs",
            "pairs < pairs",
            "[pairs, pairs] | sort",
            "[pairs, pairs] | unique",
            "[pairs, pairs] | group_by(.)",
            "[pairs, pairs] | max",
            "[pairs] - [pairs]",
            "pairs as $p | pairs | contains($p)",
            "[pairs] | bsearch(pairs)",
        ],
    ),
    (
        OBJECTS,
        &[
            "objects | tojson",
            "objects == objects",
            "objects * objects | [..]",
            "[objects, objects] | sort_by(.)",
        ],
    ),
    // Repeated calls of natives on large values.
    (
        TEXT,
        &[
            "[range(1e9) | $s + \"y\" | length]",
            "[range(1e9) | $s == ($s + \"\")]",
            "[range(1e9) | $s | length]",
            "[range(1e9) | $s | startswith(\"x\")]",
            "[range(1e9) | $s | ltrimstr(\"x\")]",
            "[range(1e9) | $s[1:2]]",
            "[range(1e9) | $s | ascii_upcase]",
            "[range(1e9) | $s | contains(\"y\")]",
            "[range(1e9) | $s | test(\"y\")]",
            "[range(1e9) | $s | explode]",
            "[range(1e9) | $s | trim]",
            "[range(1e9) | $s | tojson]",
            "[range(1e9) | $s / \"y\"]",
            "[range(1e9) | $s | @base64d]",
            "$s | tojson | tojson | tojson | tojson | @html | @uri",
        ],
    ),
    (
        ARRAY,
        &[
            "[range(1e9) | $a | last(.[])]",
            "[range(1e9) | $a | reverse]",
            "[range(1e9) | $a | sort]",
            "[range(1e9) | $a[1:]]",
            "[range(1e9) | $a | .[0] = 1]",
            "[range(1e9) | $a + [1]]",
            "[range(1e9) | $a - [1]]",
            "[range(1e9) | $a == ($a | .[0] = 1)]",
            "[range(1e9) | $a | index(-1)]",
            "[range(1e9) | $a | tojson]",
            "[range(1e9) | $a | implode?]",
        ],
    ),
    // Long keys that differ at their ends only.
    (
        "(\"k\" * 1e6) as $p | (reduce range(50) as $i ({}; .[$p + ($i + 10 | tostring)] = 1)) as $o | ($p + \"59\") as $k | ",
        &[
            "[range(1e9) | $o[$k]]",
            "[range(1e9) | $o | has($k)]",
            "[range(1e9) | $o | .[$k] = 2 | empty]",
            "[range(1e9) | $o | contains($o) | empty]",
        ],
    ),
    // Long numbers, and slow operations on numbers.
    (
        "(\"1\" * 1e6 | tonumber) as $n | ",
        &[
            "[range(1e9) | $n] | sort",
            "range(1e9) | $n < $n | empty",
            "range(1e9) | $n | tojson | empty",
            "[range(1e9) | -$n]",
        ],
    ),
    (
        "",
        &[
            "range(1e9) | 1.11111111111111111111111111111111111111111111111111111111111111111111 | empty",
            "(\"1\" * 1e6) as $s | [range(1e9) | $s | tonumber]",
            "[range(1e9) | . + 99999999999999999999]",
            "range(1e9) | . / 7 | tostring | empty",
            "range(1e9) | 1e308 % 3 | empty",
            "range(1e9) | fmod(1e308; 1e-308) | empty",
            "range(1e9) | remainder(1e308; 1e-308) | empty",
            "range(1e9) | 170141183460469231731687303715884105727 % 3 | empty",
            "(\"%c\" * 8000) as $f | range(1e9) | strftime($f) | empty",
            "range(1e9) | todate | empty",
            "\"Thu, 05 Mar 2015 23:51:47\" as $d | range(1e9) | $d | strptime(\"%A, %d %B %Y %T\") | empty",
        ],
    ),
    // Overlapping matches, and repeated removals.
    (
        "",
        &[
            "(\"a\" * 1e6) | indices(\"a\" * 5e5) | length",
            "[limit(1e4; repeat(1))] as $a | [range(5e6) | [{start: 0, end: 1e9}]] as $p | $a | delpaths($p)",
            "(\"\\u0001\" * 1e5) as $s | range(1e9) | $s | @uri | empty",
            "(\"\\u0001\" * 1e5) as $s | range(1e9) | $s | tojson | empty",
        ],
    ),
    // Outputs that pass through many terms.
    (
        "",
        &[
            "def f($n): if $n == 0 then range(1e9) else f($n - 1), 1 end; f(90) | empty",
            "def f($n): if $n == 0 then repeat(1) else f($n - 1), 1 end; f(90) | empty",
            "def f($n): if $n == 0 then range(1e9) else -f($n - 1) end; f(90) | empty",
            "def f($n): if $n == 0 then range(1e9) else label $l | f($n - 1) end; f(90) | empty",
            "def f($n): if $n == 0 then repeat(1) else try f($n - 1) catch . end; f(90) | empty",
            "def f($n): if $n == 0 then [range(1e4)] as $a | range(1e9) | $a[] else f($n - 1), 1 end; f(90) | empty",
            "def f($n): if $n == 0 then [range(1e4)] as $a | range(1e9) | $a | .. else f($n - 1), 1 end; f(90) | empty",
        ],
    ),
    // Errors that quote large values.
    (
        "(reduce range(12) as $i ({}; .[\"é\" * 40 + ($i | tostring)] = $i)) as $o | ",
        &["range(1e9) | try ($o | .[0]) catch empty", "range(1e9) | try ($o + 1) catch empty"],
    ),
    // Patterns with a long lookahead, and with many groups.
    (
        "",
        &[
            "(\"a\" * 1e6) | [match(\"a{0,1000}b|a\"; \"g\")] | length",
            "(\"a\" * 1e6) | [match(\"(a?)\" * 1000; \"g\")] | length",
            "(\"a\" * 1e6) | [match(\"()\" * 2000; \"g\")] | length",
            "range(1e9) | \"a\" | match(\"(?:\" + \"()\" * 1000 + \"){4}\") | empty",
        ],
    ),
    // Patterns.
    (
        "",
        &[
            "(\"a\" * 1e6) | [match(\"a*b|a\"; \"g\")]",
            "(\"a\" * 1e6) | gsub(\"a(.*b)?\"; \"\")",
            "(\"a\" * 6e7) | test(\"(a?){4000}b\")",
            "[range(1e9) | test(\"(x+x+)+\\(.)\")?]",
            "[range(1e9) | tostring as $n | \"\" | test(\"(x{90}){90}\" + $n)]",
            "(\"x\" * 1e6) | gsub(\"\"; \"y\" * 1000)",
        ],
    ),
];

/// Filters that look hostile but have an answer, with a part of the answer or of their error.
const ANSWERED: &[(&str, &str)] = &[
    ("def f: path(f); f", "invalid path expression"),
    ("def f: (f |= .); f", "invalid path expression"),
    ("def f: sort_by(f); [1, 2] | f", "not an array"),
    ("reduce range(60) as $i (\"<\"; @html) | length", "240"),
    ("limit(-1; repeat(1)), limit(0; repeat(1))", ""),
    ("halt, 1", ""),
    ("[1114112, -1, 55296] | implode", "\u{fffd}\u{fffd}\u{fffd}"),
    ("[infinite, nan] | implode", "code point"),
    ("\"2015 99 99\" | strptime(\"%Y %m %d\")", "not a date"),
    ("0 | strftime(\"%A\" * 2e5)", "longer than 1 MiB"),
    ("1e18 | todate", "not a time"),
    ("infinite | gmtime", "not a time"),
    ("[1e300, 1e300, 1, 1, 1, 1] | mktime", "not a time"),
    ("[range(1e12; 0; 1)]", "[]"),
    ("pow(infinite; infinite)", "1.79"),
    ("[nan < nan, nan > nan, ([nan, nan] | unique | length)]", "[true,false,1]"),
    ("[infinite | significand, logb, frexp]", "1.79"),
    ("input_line_number", "grep"),
    ("$__prog_args", "not defined"),
    ("env", "no environment"),
    ("$ENV", "no environment"),
    ("now", "no clock"),
    ("input", "No more inputs"),
    ("\"====\" * 1e5 | @base64d", "\"\""),
    ("[] | .[-1] = 1", "before the array's start"),
    ("reduce range(60) as $i (1; [., .]) | length", "2"),
    ("reduce range(60) as $i (1; [., .]) | . == .", "true"),
    ("reduce range(60) as $i (1; [., .]) | has(0)", "true"),
    ("reduce range(60) as $i (1; [., .]) | . as $x | contains($x)", "true"),
    ("reduce range(60) as $i (1; {a: ., b: .}) | . as $x | contains($x)", "true"),
    ("reduce range(60) as $i (nan; [., .]) | . as $x | contains($x)", "false"),
    ("[range(1e5)] | del(.[range(1e5)]) | length", "0"),
    ("[range(1e5)] | to_entries | map(.key) | add", "4999950000"),
    ("null | delpaths([range(1e4) | [\"a\", .]])", "null"),
    ("error(reduce range(60) as $i (1; [., .]))", "The filter failed: [[[[[["),
    ("error(\"x\" * 6e7)", "xxx…. The input is: null."),
];

fn run_with_steps(filter: &str, steps: u64) -> Result<Outputs, Error> {
    run("null", &Query { max_steps: Some(steps), ..query(filter) })
}

#[test]
fn endless_filters_exceed_a_limit() {
    let mut wrong = Vec::new();
    for (before, filters) in ENDLESS {
        for filter in *filters {
            let filter = format!("{before}{filter}");
            for steps in [1, 1_000, 300_000] {
                match run_with_steps(&filter, steps) {
                    Ok(Outputs { failure: Some(error), .. }) | Err(error)
                        if error.kind == ErrorKind::Limit => {}
                    other => wrong.push((filter.clone(), steps, other)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reading_elements_does_not_undo_a_limit() {
    // Over a megabyte, so that rows are read one at a time, without charge.
    let rows = format!("{{\"rows\": [{}1]}}", "1,".repeat(600_000));
    for filter in
        ["reduce .rows[] as $x ([]; [$x] + .) | length", "[foreach .rows[] as $x ([]; [$x] + .)] | length"]
    {
        let error = run(&rows, &query(filter)).and_then(|outputs| outputs.failure.map_or(Ok(()), Err));
        assert_eq!(error.unwrap_err().kind, ErrorKind::Limit, "{filter}");
    }
}

#[test]
fn walk_checks_memory() {
    let filter = r#"[1] | walk(if type == "number" then range(1e12) else . end)"#;
    let error = run_with_steps(filter, 1_000_000_000)
        .and_then(|outputs| outputs.failure.map_or(Ok(()), Err))
        .unwrap_err();
    assert!(error.message.contains("memory"), "{error}");
}

#[test]
fn suspicious_filters_have_an_answer() {
    let mut wrong = Vec::new();
    for (filter, expected) in ANSWERED {
        let answer = match run("null", &query(filter)) {
            Ok(Outputs { failure: Some(error), .. }) | Err(error) => error.message,
            Ok(outputs) => outputs.text,
        };
        if !answer.contains(expected) {
            wrong.push((filter, answer));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the minimum number of steps with which a filter ends.
fn steps(filter: &str) -> u64 {
    let (mut too_few, mut enough) = (0, 1 << 24);
    while enough - too_few > 1 {
        let middle = (too_few + enough) / 2;
        match run_with_steps(filter, middle) {
            Ok(Outputs { failure: None, .. }) => enough = middle,
            _ => too_few = middle,
        }
    }
    enough
}

#[test]
fn steps_are_repeatable() {
    for filter in [
        "[.[]?, (range(9) | . * 2)]",
        "[range(1000)] | map(. + 1) | add",
        "[range(50)] | sort_by(-.) | tojson | fromjson",
    ] {
        let (first, again) = (steps(filter), steps(filter));
        assert_eq!(first, again, "{filter}");
        let error = run_with_steps(filter, first - 1)
            .and_then(|outputs| outputs.failure.map_or(Ok(()), Err))
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{filter}");
    }
}

#[test]
fn the_default_steps_suffice_for_ordinary_loops() {
    give("0", "until(. >= 25e4; . + 1)", &["250000"]);
    give("0", "last(limit(5e5; repeat(1)))", &["1"]);
    give("0", "[while(. < 1e5; . + 1)] | length", &["100000"]);
    give("0", "last(recurse(if . < 15e4 then . + 1 else empty end))", &["150000"]);
    give("0", "def f: if . < 25e4 then . + 1 | f else . end; f", &["250000"]);
    give("0", "reduce range(5e5) as $i (0; . + $i)", &["124999750000"]);
    give("0", "[range(15e4)] | group_by(. % 7) | length", &["7"]);
    give("0", "[range(1e5) | tostring] | join(\",\") | split(\",\") | length", &["100000"]);
    give("0", "reduce range(1e5) as $i ({}; .[$i | tostring] = $i) | length", &["100000"]);
    give("10", "def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac", &["3628800"]);
    give("0", "def f: if . < 60 then [. + 1 | f] else . end; [f | ..] | length", &["61"]);
}

#[test]
fn filters_that_read_the_source_again_and_again_end() {
    let json = format!("{{\"a\":[{}1]}}", "12345,".repeat(400_000)).into_bytes();
    for path in [".a[-1]", ".a[0:2]", ".a[5]", ".a[]", ".a | length", ".a | keys | length", "limit(1; .a[])"]
    {
        let filter = format!("range(1e9) as $i | ({path}) | empty");
        let error = jq(&json, &Query { max_steps: Some(1_000_000), ..query(&filter) }, 256).unwrap_err();
        assert!(error.message.contains("more than 1000000 steps"), "{filter}: {error}");
    }
}

#[test]
fn a_limit_does_not_affect_the_next_filter() {
    assert!(run_with_steps("def f: f; f", 1_000).is_err());
    give("[1,2]", "map(. + 1)", &["[2,3]"]);
    let after = run("[1,2]", &Query { max_steps: Some(10_000), ..query("., (def f: f; f)") }).unwrap();
    assert_eq!(after.text, "[1,2]\n");
    assert!(after.failure.unwrap().message.contains("more than 10000 steps"));
}

#[test]
fn a_sort_that_runs_out_of_steps_does_not_panic() {
    let shuffled = "[range(64) | [. * 7919 % 1009]] as $paths | [] | ";
    for filter in ["delpaths($paths) | length", "$paths - $paths | length", "$paths | sort | length"] {
        for steps in 1..steps(&format!("{shuffled}{filter}")) {
            let _ = run_with_steps(&format!("{shuffled}{filter}"), steps);
        }
    }
}
