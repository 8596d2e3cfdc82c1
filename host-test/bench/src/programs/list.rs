//! The programs of the bench, in jq. Each runs on its size.

/// A program.
pub struct Program {
    pub name: &'static str,
    /// Its input.
    pub size: u32,
    pub filter: &'static str,
}

/// The benchmarks in the README of jaq 3.1.2, by name and size, rewritten: without `empty` and `defs`,
/// which measure the start and the compiler, and `bf-fib`, an interpreter in a file.
pub const PROGRAMS: [Program; 27] = [
    Program { name: "reverse", size: 1_048_576, filter: "[range(.)] | reverse | length" },
    Program { name: "sort", size: 1_048_576, filter: "[range(.) | -.] | sort | length" },
    Program { name: "group-by", size: 1_048_576, filter: "[range(.)] | group_by(. % 2) | length" },
    Program { name: "min-max", size: 1_048_576, filter: "[range(.)] | min, max | length" },
    Program { name: "add", size: 1_048_576, filter: "[range(.) | [.]] | add | length" },
    Program { name: "kv", size: 131_072, filter: "[range(.) | {(tostring): .}] | add | length" },
    Program {
        name: "kv-update",
        size: 131_072,
        filter: "[range(.) | {(tostring): .}] | add | .[] += 1 | length",
    },
    Program {
        name: "kv-entries",
        size: 131_072,
        filter: "[range(.) | {(tostring): .}] | add | with_entries(.value += 1) | length",
    },
    Program {
        name: "ex-implode",
        size: 1_048_576,
        filter: r#"[limit(.; repeat("a"))] | add | explode | implode | length"#,
    },
    Program {
        name: "reduce",
        size: 1_048_576,
        filter: "reduce range(.) as $n ([]; . + [.[-1] + $n]) | length",
    },
    Program {
        name: "reduce-update",
        size: 16_384,
        filter: "reduce range(.) as $n ([[]]; .[0] += [$n]) | length",
    },
    Program { name: "try-catch", size: 1_048_576, filter: "[range(.) | try error catch .] | length" },
    Program { name: "repeat", size: 1_048_576, filter: "[limit(.; repeat(1))] | length" },
    Program { name: "from", size: 1_048_576, filter: "[limit(.; 0 | recurse(. + 1))] | length" },
    Program { name: "last", size: 1_048_576, filter: "last(range(.)) | length" },
    Program {
        name: "pyramid",
        size: 524_288,
        filter: ". as $top | 0 | [def climb: if . < $top then ., (. + 1 | climb), . end; climb] | length",
    },
    Program {
        name: "upto",
        size: 8192,
        filter: "def upto($top): if . < $top then ., (. + 1 | upto($top)) end; . as $top | [0 | upto($top)] | length",
    },
    Program { name: "tree-flatten", size: 17, filter: "nth(.; 0 | recurse([., .])) | flatten | length" },
    Program {
        name: "tree-update",
        size: 17,
        filter: "nth(.; 0 | recurse([., .])) | (.. | scalars) |= . + 1 | length",
    },
    Program { name: "tree-paths", size: 17, filter: "nth(.; 0 | recurse([., .])) | [paths] | length" },
    Program {
        name: "tree-contains",
        size: 23,
        filter: "nth(.; 0 | recurse([., .])) | [contains(.)] | length",
    },
    Program {
        name: "to-fromjson",
        size: 65_536,
        filter: r#""[" + ([range(.) | tojson] | join(",")) + "]" | fromjson | length"#,
    },
    Program {
        name: "ack",
        size: 7,
        filter: "def ack($m; $n): if $m == 0 then $n + 1 elif $n == 0 then ack($m - 1; 1) else ack($m - 1; ack($m; $n - 1)) end; ack(3; .) | length",
    },
    Program {
        name: "range-prop",
        size: 128,
        filter: "[{from: 1, to: range(-.; .), by: range(-.; .) | select(. != 0)} | ([range(.from; .to; .by)] | length) == ([0, ((.to - .from) / .by | ceil)] | max)] | length",
    },
    Program { name: "cumsum", size: 1_048_576, filter: "[foreach range(.) as $n (0; . + $n)] | length" },
    Program {
        name: "cumsum-xy",
        size: 1_048_576,
        filter: "[foreach range(.) as $n (0; . + $n; $n, .)] | length",
    },
    Program {
        name: "str-slice",
        size: 8192,
        filter: r#"("a" * .) | [range(length) as $n | .[$n:], .[:-$n]] | length"#,
    },
];

/// Our own benchmarks, for features not covered above. The geometric means exclude them.
pub const OWN: [Program; 3] = [
    Program {
        name: "window",
        size: 1_048_576,
        filter: "last(foreach range(.) as $x ([]; .[-3:] + [$x]; add))",
    },
    Program {
        name: "sums in objects",
        size: 131_072,
        filter: "[foreach range(.) as $x ({x: 0, y: 0}; {x: (.x + $x), y: (.y + .x)}; [.x, .y])] | length",
    },
    Program {
        name: "triples",
        size: 128,
        filter: ". as $n | [range(1; $n) as $a | range($a; $n) as $b | range($b; $n) as $c | select($a * $a + $b * $b == $c * $c)] | length",
    },
];
