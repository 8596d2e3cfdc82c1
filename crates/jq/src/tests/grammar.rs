//! A grammar of jq filters and of documents, which turns bytes into either: for property tests and
//! fuzz targets.
//!
//! Each byte is a choice. After the end of the bytes every choice is the first one, which ends the
//! recursion. Any bytes therefore give a filter, few bytes give a small one, and a changed byte
//! changes little. Filters have valid syntax, their names are defined, and parentheses make them
//! independent of precedence.

/// Bytes that choices consume.
pub struct Choices<'b>(pub &'b [u8]);

/// Marks a placeholder in a form. The letter after it is the kind of part that replaces both.
const PLACEHOLDER: char = '~';

/// Levels of forms in forms.
const MAX_LEVELS: usize = 5;

/// The names defined at a position in a filter.
#[derive(Clone, Copy, Default)]
struct Scope {
    /// `$x`.
    variable: bool,
    /// The label `$out`.
    label: bool,
    /// The filter `f`, which may be the enclosing definition.
    filter: bool,
    /// The argument `g`, and the definition `h(…)` that has it.
    argument: bool,
}

/// Filters without inner filters.
const LEAVES: &[&str] = &[
    ".",
    ".a",
    ".b",
    ".[]",
    ".[]?",
    ".a[]",
    ".a[]?",
    ".[0]",
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2.5",
    "1e3",
    "1e18",
    "\"\"",
    "\"a\"",
    "\"é👩‍👧\"",
    "[]",
    "{}",
    "[1, 2]",
    "{a: 1}",
    "{a, b}",
    "empty",
    "length",
    "utf8bytelength",
    "not",
    "keys",
    "keys_unsorted",
    "values",
    "nulls",
    "strings",
    "numbers",
    "arrays",
    "objects",
    "scalars",
    "iterables",
    "type",
    "add",
    "any",
    "all",
    "first",
    "last",
    "min",
    "max",
    "sort",
    "unique",
    "reverse",
    "flatten",
    "flatten(1)",
    "transpose",
    "to_entries",
    "from_entries",
    "paths",
    "leaf_paths",
    "..",
    "recurse",
    "tojson",
    "fromjson",
    "tostring",
    "tonumber",
    "toarray",
    "ascii_downcase",
    "ascii_upcase",
    "explode",
    "implode",
    "trim",
    "ltrim",
    "floor",
    "sqrt",
    "abs",
    "infinite",
    "nan",
    "isnan",
    "isvalid(.)",
    "significand",
    "logb",
    "gmtime",
    "mktime",
    "todate",
    "fromdate",
    "tostream",
    "combinations",
    "combinations(2)",
    "fromstream(tostream)",
    "error",
    "error(null)",
    "halt",
    "halt_error",
    "debug",
    "@text",
    "@json",
    "@csv",
    "@tsv",
    "@html",
    "@uri",
    "@sh",
    "@base64",
    "@base64d",
    "range(3)",
    "ltrimstr(\"a\")",
    "splits(\"a\")",
    "ascii",
    "getpath([\"a\", \"b\"])",
    "getpath([])",
];

/// Filters with placeholders for inner filters.
const FORMS: &[&str] = &[
    // Paths are frequent, because they are planned.
    "~p",
    "~p",
    "~p",
    "~p | ~f",
    "~p | ~f",
    "(~p), (~f)",
    // Operators.
    "(~f) | (~f)",
    "(~f) | (~f)",
    "(~f), (~f)",
    "(~f) // (~f)",
    "(~f) + (~f)",
    "(~f) - (~f)",
    "(~f) * (~f)",
    "(~f) / (~f)",
    "(~f) % (~f)",
    "-(~f)",
    "(~f) == (~f)",
    "(~f) != (~f)",
    "(~f) < (~f)",
    "(~f) >= (~f)",
    "(~f) and (~f)",
    "(~f) or (~f)",
    "(~f)?",
    // Constructions.
    "[~f]",
    "{a: (~f)}",
    "{(~f): (~f)}",
    "{a, b: (~f)}",
    "{\"a\\(~f)\": 1}",
    "\"a\\(~f)é\"",
    "\"\\(~f)\\(~f)\"",
    "@json \"\\(~f)\"",
    "@csv \"\\(~f)\"",
    "@html \"<\\(~f)>\"",
    "@sh \"\\(~f)\"",
    "@uri \"\\(~f)\"",
    "@base64 \"\\(~f)\"",
    // Control.
    "if ~f then ~f else ~f end",
    "if ~f then ~f end",
    "if ~f then ~f elif ~f then ~f else ~f end",
    "try (~f) catch (~f)",
    "try error(~f) catch (~f)",
    "label $out | ~l",
    "first(~f)",
    "last(~f)",
    "limit(2; ~f)",
    "limit(~f; ~f)",
    "skip(1; ~f)",
    "nth(1; ~f)",
    "isempty(~f)",
    "until(~f; ~f)",
    "while(~f; ~f)",
    "repeat(~f)",
    "recurse(~f)",
    "recurse(~f; ~f)",
    "range(~f)",
    "range(~f; ~f)",
    "range(~f; ~f; ~f)",
    "any(~f; ~f)",
    "all(~f; ~f)",
    "select(~f)",
    "select(~p == (~f))",
    "IN(~f)",
    "IN(~f; ~f)",
    "INDEX(~f)",
    "INDEX(~f; ~f)",
    // Names.
    "(~f) as $x | ~x",
    "(~f) as [$x] | ~x",
    "(~f) as [$y, {a: $x}] | ~x",
    "(~f) as {a: $x} | ~x",
    "(~f) as {(~f): $x} | ~x",
    "(~f) as [$x] ?// $x | ~x",
    "(~f) as {a: [$x]} ?// [$y] ?// {(~f): $x} | ~x",
    "reduce (~f) as $x (~f; ~x)",
    "reduce (~f) as [$x] (~f; ~x)",
    "foreach (~f) as $x (~f; ~x)",
    "foreach (~f) as $x (~f; ~x; ~x)",
    "reduce (~f) as [$x] ?// $x (~f; ~x)",
    "foreach (~f) as {a: $x} ?// $x (~f; ~x; ~x)",
    "def f: ~d; ~d",
    "def f: ~f; ~d",
    "def f: if ~f then ~f else ~d end; f",
    "def h(g): ~g; h(~f)",
    "def h($x): ~x; h(~f)",
    "def h(g): if ~f then g else ~g end; h(~f)",
    // Arrays and objects.
    "map(~f)",
    "map_values(~f)",
    "map(~f)?",
    "[.[]? | ~f]",
    "[limit(3; ~f)]",
    "with_entries(~f)",
    "walk(~f)",
    "sort_by(~f)",
    "group_by(~f)",
    "unique_by(~f)",
    "min_by(~f)",
    "max_by(~f)",
    "add(~f)",
    "has(~f)",
    "contains(~f)",
    "inside(~f)",
    "index(~f)",
    "indices(~f)",
    "join(~f)",
    "flatten(~f)",
    "bsearch(~f)",
    "combinations(~f)",
    ".[~f]",
    ".[~f]?",
    ".[~f:~f]",
    ".[:~f]",
    "truncate_stream(~f)?",
    "fromstream(~f)",
    "getpath(~f)",
    "setpath(~f; ~f)",
    "delpaths(~f)",
    // Paths and updates.
    "path(~p)",
    "path(~f)",
    "paths(~f)",
    "pick(~p)",
    "del(~p)",
    "to_entries | ~f",
    "(~p) = (~f)",
    "(~p) |= (~f)",
    "(~p) += (~f)",
    "(~p) -= (~f)",
    "(~p) *= (~f)",
    "(~p) //= (~f)",
    "(~f) |= (~f)",
    // Text and times.
    "test(~f)",
    "[match(~f)]",
    "[match(~f; \"g\")]",
    "capture(~f)",
    "[scan(~f)]",
    "split(~f)",
    "split(~f; null)",
    "sub(~f; ~f)",
    "gsub(~f; ~f)",
    "startswith(~f)",
    "endswith(~f)",
    "ltrimstr(~f)",
    "strftime(~f)",
    "strptime(~f)",
    "tojson | ~f",
    "pow(~f; ~f)",
    "atan2(~f; ~f)",
    "ldexp(~f; ~f)",
    "error(~f)",
];

/// Paths, and filters that can be parts of them.
const PATHS: &[&str] = &[
    ".~s",
    ".~s~s",
    ".~s~s~s",
    ".~s~s~s~s",
    ".~s | ~p",
    "(~p), (~p)",
    ".~s | select(~f)",
    "(~p) // (~p)",
    "if ~f then ~p else ~p end",
    "first(~p)",
    "limit(1; ~p)",
    "last(~p)",
    "recurse(~p)",
    "getpath(~f)",
    "(~p)?",
    "try (~p) catch (~p)",
    "(~f) as $x | .~s",
    "(~f) as [$x] ?// {a: $x} | .~s",
    "reduce (~f) as $x (.; ~p)",
    "def f: ~p; f",
    "..~s",
    "empty",
    "error",
    "to_entries",
    "paths",
    "select(.a) | .~s",
    ". as $x | .~s",
];

/// Steps of a path, after its dot.
const STEPS: &[&str] = &[
    "[\"a\"]", "[\"b\"]", "[\"c\"]", "[]", "[0]", "[1]", "[-1]", "[-2]", "[1:]", "[:2]", "[:-1]", "[1:2]",
    "[]?", "[\"a\"]?", "[0]?", "[9]", "[1.5]", "[null]?", "[\"\"]", "[~f]", "[~f:]", "[~f]?",
];

impl Choices<'_> {
    /// Chooses a number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first) % limit
            }
            None => 0,
        }
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// Creates a filter.
    pub fn filter(&mut self) -> String {
        self.filter_in(Scope::default(), MAX_LEVELS)
    }

    fn filter_in(&mut self, scope: Scope, levels: usize) -> String {
        match self.below(4) {
            0 => self.named(scope, levels),
            _ if levels == 0 => self.named(scope, levels),
            _ => {
                let form = self.of(FORMS);
                self.fill(form, scope, levels - 1)
            }
        }
    }

    /// Creates a call of a defined name, or a leaf.
    fn named(&mut self, scope: Scope, levels: usize) -> String {
        let names = [
            (scope.variable, "$x"),
            (scope.variable, ".[$x]"),
            (scope.label, "break $out"),
            (scope.filter, "f"),
            (scope.argument, "g"),
            (scope.argument && levels > 0, "h(g | ~f)"),
        ];
        let names: Vec<&str> = names.iter().filter(|(known, _)| *known).map(|(_, name)| *name).collect();
        match self.below(2) {
            1 if !names.is_empty() => {
                let name = self.of(&names);
                self.fill(name, scope, levels.saturating_sub(1))
            }
            _ => self.of(LEAVES).to_owned(),
        }
    }

    /// Replaces the placeholders of a form.
    fn fill(&mut self, form: &str, scope: Scope, levels: usize) -> String {
        let mut parts = form.split(PLACEHOLDER);
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (kind, rest) = part.split_at(1);
            filled += &match kind {
                "x" => self.filter_in(Scope { variable: true, ..scope }, levels),
                "l" => self.filter_in(Scope { label: true, ..scope }, levels),
                "d" => self.filter_in(Scope { filter: true, ..scope }, levels),
                "g" => self.filter_in(Scope { argument: true, ..scope }, levels),
                "p" => {
                    let path = if levels == 0 { PATHS[0] } else { self.of(PATHS) };
                    self.fill(path, scope, levels.saturating_sub(1))
                }
                "s" => {
                    let step = self.of(STEPS);
                    self.fill(step, scope, levels.saturating_sub(1))
                }
                _ => self.filter_in(scope, levels),
            };
            filled += rest;
        }
        filled
    }

    /// Creates one or several documents of few keys, many of them equal. Some are malformed by one
    /// character.
    pub fn documents(&mut self) -> String {
        const BETWEEN: [&str; 4] = ["\n", " ", "\n\n", ""];
        let mut text = self.value(4);
        for _ in 0..[0, 0, 0, 1, 2][self.below(5)] {
            text += self.of(&BETWEEN);
            text += &self.value(3);
        }
        if self.below(8) == 7 {
            let at = text.floor_char_boundary((self.below(256) << 8 | self.below(256)) % text.len());
            let end = text.ceil_char_boundary(at + self.below(2));
            let with = self.of(&["", "[", "]", "{", "}", ":", ",", "\"", "x", "1", "\\", "\u{1}"]);
            text.replace_range(at..end, with);
        }
        text
    }

    fn value(&mut self, levels: usize) -> String {
        const LEAVES: &[&str] = &[
            "{\"a\":[{\"b\":1,\"c\":\"x\"},{\"b\":null}],\"b\":{\"a\":2}}",
            "null",
            "true",
            "false",
            "0",
            "1",
            "-2",
            "3.5",
            "1e3",
            "1E400",
            "-0",
            "100000000000000000000",
            "1234567890123456789012345678901234567890",
            "\"\"",
            "\"a\"",
            "\"b \\u0061\"",
            "\"\\ud83d\\ude00\\ud800\"",
            "\"é\"",
            "\"1\"",
            "\"2015-03-05T23:51:47Z\"",
            "[]",
            "{}",
        ];
        const KEYS: &[&str] = &["a", "b", "c", "\\u0061", "key", "value", ""];
        let items = self.below(5);
        match self.below(3) {
            1 if levels > 0 => {
                let items: Vec<String> = (0..items).map(|_| self.value(levels - 1)).collect();
                format!("[{}]", items.join(" , "))
            }
            2 if levels > 0 => {
                let member = |choices: &mut Self| {
                    let key = choices.of(KEYS);
                    format!("\"{key}\":{}", choices.value(levels - 1))
                };
                let members: Vec<String> = (0..items).map(|_| member(self)).collect();
                format!("{{{}}}", members.join(",\n"))
            }
            _ => self.of(LEAVES).to_owned(),
        }
    }
}
