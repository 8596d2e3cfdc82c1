//! The programs of the bench, in jq: what jaq's README measures, by name and size. Each runs on its
//! size.

/// A program.
pub struct Program {
    pub name: &'static str,
    /// Its input.
    pub size: u32,
    pub filter: &'static str,
}

pub const PROGRAMS: [Program; 27] = [
    Program { name: "reverse", size: 1_048_576, filter: "[range(.)] | reverse | length" },
    Program { name: "sort", size: 1_048_576, filter: "[range(.) | -.] | sort | length" },
    Program { name: "group-by", size: 1_048_576, filter: "[range(.)] | group_by(. % 2) | length" },
    Program { name: "min-max", size: 1_048_576, filter: "[range(.)] | min, max" },
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
    Program { name: "reduce", size: 1_048_576, filter: "reduce range(.) as $x ([]; . + [$x]) | length" },
    Program { name: "try-catch", size: 1_048_576, filter: "[range(.) | try error catch .] | length" },
    Program { name: "repeat", size: 1_048_576, filter: "[limit(.; repeat(1))] | length" },
    Program {
        name: "from",
        size: 1_048_576,
        filter: ". as $n | def from: ., (. + 1 | from); last(limit($n; 0 | from))",
    },
    Program { name: "last", size: 1_048_576, filter: "last(range(.))" },
    Program { name: "pyramid", size: 524_288, filter: "last(limit(.; 0 | recurse(. + 1) | range(.)))" },
    Program {
        name: "upto",
        size: 8192,
        filter: "def upto($n): if . < $n then ., (. + 1 | upto($n)) else . end; . as $n | [0 | upto($n)] | length",
    },
    Program {
        name: "window",
        size: 1_048_576,
        filter: "last(foreach range(.) as $x ([]; .[-3:] + [$x]; add))",
    },
    Program { name: "tree-flatten", size: 17, filter: "nth(.; 0 | recurse([., .])) | flatten | length" },
    Program {
        name: "tree-update",
        size: 17,
        filter: "nth(.; 0 | recurse([., .])) | (.. | numbers) |= . + 1 | length",
    },
    Program { name: "tree-paths", size: 17, filter: "nth(.; 0 | recurse([., .])) | [paths] | length" },
    Program {
        name: "tree-contains",
        size: 23,
        filter: "nth(.; 0 | recurse([., .])) | . as $x | contains($x)",
    },
    Program {
        name: "to-fromjson",
        size: 65_536,
        filter: r#"[range(.) | tojson] | "[" + join(",") + "]" | fromjson | length"#,
    },
    Program {
        name: "ack",
        size: 7,
        filter: "def ack($m; $n): if $m == 0 then $n + 1 elif $n == 0 then ack($m - 1; 1) else ack($m - 1; ack($m; $n - 1)) end; ack(3; .)",
    },
    Program {
        name: "range-prop",
        size: 128,
        filter: ". as $n | [range(1; $n) as $a | range($a; $n) as $b | range($b; $n) as $c | select($a * $a + $b * $b == $c * $c)] | length",
    },
    Program { name: "cumsum", size: 1_048_576, filter: "[foreach range(.) as $x (0; . + $x)] | length" },
    Program {
        name: "cumsum-xy",
        size: 1_048_576,
        filter: "[foreach range(.) as $x ({x: 0, y: 0}; {x: (.x + $x), y: (.y + .x)}; [.x, .y])] | length",
    },
    Program {
        name: "str-slice",
        size: 8192,
        filter: r#"("a" * .) as $s | [range(.) as $i | $s[$i:], $s[:$i]] | length"#,
    },
];
