use super::*;

mod alternatives;
mod direct;
mod grammar;
mod hostile;
mod inputs;
mod jaq;
mod properties;
mod push;
mod random;

/// A filter, its options, and its start.
#[derive(Clone, Debug, Default)]
struct Query {
    filter: String,
    raw: bool,
    compact: bool,
    max_steps: Option<u64>,
    cursor: Option<Cursor>,
}

/// Returns the page of a query on bytes in memory, of at most 16 KiB if `max` is 0.
fn jq(json: &[u8], query: &Query, max: usize) -> Result<Outputs, Error> {
    answer(
        &Bytes(json.to_vec()),
        query,
        &Filter::compile(&query.filter)?,
        if max == 0 { 16_384 } else { max },
    )
}

/// Returns the page of a query whose filter is compiled.
fn answer(source: &Source, query: &Query, filter: &Filter, max: usize) -> Result<Outputs, Error> {
    let Query { raw, compact, max_steps, cursor, .. } = *query;
    filter.run(source, &Options { raw, compact, max_steps, ..Options::default() }, cursor, max)
}

/// Bytes that are read in parts of this size, for tests of tokens that cross part boundaries.
struct InParts(usize, Bytes);

impl ByteSource for InParts {
    type Error = SourceError;

    fn size(&self) -> u64 {
        self.1.size()
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        self.1.read_at(offset, length)
    }

    fn reads(&self) -> Reads {
        Reads::of_size(self.0)
    }
}

fn query(filter: &str) -> Query {
    Query { filter: filter.to_owned(), compact: true, ..Query::default() }
}

fn run(json: &str, query: &Query) -> Result<Outputs, Error> {
    jq(json.as_bytes(), query, 0)
}

/// Checks the outputs of a filter, one per line.
fn give(json: &str, filter: &str, expected: &[&str]) {
    let outputs = run(json, &query(filter)).unwrap_or_else(|e| panic!("{filter}: {e}"));
    assert!(outputs.failure.is_none(), "{filter}: {:?}", outputs.failure);
    assert_eq!(outputs.text.lines().collect::<Vec<_>>(), expected, "{filter}");
}

/// Returns the error of a filter that has no outputs.
fn error(json: &str, filter: &str) -> Error {
    match run(json, &query(filter)) {
        Ok(outputs) if outputs.text.is_empty() => outputs.failure.expect(filter),
        Ok(outputs) => panic!("{filter}: {}", outputs.text),
        Err(error) => error,
    }
}

#[test]
fn definitions_parse() {
    assert!(jaq_core::load::parse(include_str!("../defs.jq"), |parser| parser.defs()).is_some());
}

#[test]
fn paths_and_updates() {
    give(r#"{"a":[{"b":1},{"b":2}]}"#, ".a[].b", &["1", "2"]);
    give("[1,2,3]", ".[1:], .[-1], .[:-1], .[9], .[1.7]", &["[2,3]", "3", "[1,2]", "null", "2"]);
    give("null", ".a, .[0], .[1:2]", &["null", "null", "null"]);
    give(r#""aéb""#, ".[1:2], .[-1:]", &[r#""é""#, r#""b""#]);
    give("null", ".a.b[2] = 1", &[r#"{"a":{"b":[null,null,1]}}"#]);
    give("[1,2,3,4]", "del(.[0,2]), del(.[1:3]), del(.[9])", &["[2,4]", "[1,4]", "[1,2,3,4]"]);
    give(
        r#"{"a":1,"b":2,"c":3}"#,
        "del(.b), del(.x.y), map_values(. + 1)",
        &[r#"{"a":1,"c":3}"#, r#"{"a":1,"b":2,"c":3}"#, r#"{"a":2,"b":3,"c":4}"#],
    );
    give("[1,2,3]", "(.[] | select(. > 1)) |= empty", &["[1]"]);
    give(
        "[[1,2],[3]]",
        "[paths], [leaf_paths], [paths(type == \"number\")]",
        &["[[0],[0,0],[0,1],[1],[1,0]]", "[[0,0],[0,1],[1,0]]", "[[0,0],[0,1],[1,0]]"],
    );
    give(
        r#"{"a":{"b":1}}"#,
        r#"getpath(["a","b"]), getpath(["x","y"]), setpath(["a","c"]; 2)"#,
        &["1", "null", r#"{"a":{"b":1,"c":2}}"#],
    );
    give(r#"{"a":1,"b":{"c":2,"d":3}}"#, "pick(.b.c)", &[r#"{"b":{"c":2}}"#]);
    give("[1,[2]]", "[tostream], fromstream(tostream)", &["[[[0],1],[[1,0],2],[[1,0]],[[1]]]", "[1,[2]]"]);
    give(
        "[3,1]",
        "[limit(2; .[], 9)], first(.[]), [skip(1; .[])], last(.[]), nth(1; .[])",
        &["[3,1]", "3", "[1]", "1", "1"],
    );
}

#[test]
fn collections() {
    give(
        "[3,1,2,1]",
        "sort, unique, min, max, add, length, reverse, group_by(.), any, index(1)",
        &["[1,1,2,3]", "[1,2,3]", "1", "3", "7", "4", "[1,2,1,3]", "[[1,1],[2],[3]]", "true", "1"],
    );
    give(
        r#"{"b":1,"a":[2]}"#,
        "keys, to_entries, with_entries(.value |= tostring), has(\"a\"), length",
        &[
            r#"["a","b"]"#,
            r#"[{"key":"b","value":1},{"key":"a","value":[2]}]"#,
            r#"{"b":"1","a":"[2]"}"#,
            "true",
            "2",
        ],
    );
    give(r#"[{"name":"a","v":1},{"k":null,"Value":2}]"#, "from_entries", &[r#"{"a":1,"null":2}"#]);
    give(r#"[null,{"key":false,"v":3}]"#, "from_entries", &[r#"{"null":null,"false":3}"#]);
    give("[[2,1],[],[1],[1,9]]", "sort_by(.[]), max_by(.[])", &["[[],[1],[1,9],[2,1]]", "[2,1]"]);
    give(
        r#"[{"a":1,"b":2},{"a":1,"b":3}]"#,
        "map(.b), unique_by(.a), max_by(.b), sort_by(-.b)[0].b",
        &["[2,3]", r#"[{"a":1,"b":2}]"#, r#"{"a":1,"b":3}"#, "3"],
    );
    give(
        "[1,[2,[3]]]",
        "flatten, flatten(1), tojson, contains([1]), walk(if type == \"number\" then . + 1 else . end)",
        &["[1,2,3]", "[1,2,[3]]", "\"[1,[2,[3]]]\"", "true", "[2,[3,[4]]]"],
    );
    give("[[1,2],[3]]", "transpose, combinations", &["[[1,3],[2,null]]", "[1,3]", "[2,3]"]);
    give(
        "[1,2,1,2]",
        "indices([1,2]), indices(2), .[[1,2]], bsearch(0), . - [2]",
        &["[0,2]", "[1,3]", "[0,2]", "-1", "[1,1]"],
    );
    give(
        r#"{"a":{"b":1}}"#,
        r#". * {"a":{"c":2}}, . + {"a":3}, contains({"a":{"b":1}}), contains({"a":"b"}), inside({"a":{"b":1}})"#,
        &[r#"{"a":{"b":1,"c":2}}"#, r#"{"a":3}"#, "true", "false", "true"],
    );
    give(
        "[1,null,2]",
        "map(values), IN(.[]; 2), INDEX(. // 0)",
        &["[1,2]", "true", r#"{"1":1,"0":null,"2":2}"#],
    );
    give(
        "null",
        "[nan, 1, nan] | sort, (nan < nan), (nan == nan), (map(isnan))",
        &["[null,null,1]", "true", "false", "[true,false,true]"],
    );
}

#[test]
fn strings() {
    give(
        r#""a,b, c""#,
        r#"split(","), split(", *";null), ascii_upcase, ltrimstr("a"), length, explode[0]"#,
        &[r#"["a","b"," c"]"#, r#"["a","b","c"]"#, r#""A,B, C""#, r#"",b, c""#, "6", "97"],
    );
    give(
        r#"["a",1,null,true]"#,
        r#"join("-"), @csv, @tsv, @sh, @json, @text"#,
        &[
            r#""a-1--true""#,
            r#""\"a\",1,,true""#,
            r#""a\t1\t\ttrue""#,
            r#""'a' 1 null true""#,
            r#""[\"a\",1,null,true]""#,
            r#""[\"a\",1,null,true]""#,
        ],
    );
    give(
        r#""<é&'>""#,
        r#"@html, @uri, (@uri|@urid), @base64, (@base64|@base64d), @base32, (@base32|@base32d), @html "x\(.)""#,
        &[
            r#""&lt;é&amp;&#39;&gt;""#,
            r#""%3C%C3%A9%26%27%3E""#,
            r#""<é&'>""#,
            r#""PMOpJic+""#,
            r#""<é&'>""#,
            r#""HTB2SJRHHY======""#,
            r#""<é&'>""#,
            r#""x&lt;é&amp;&#39;&gt;""#,
        ],
    );
}

#[test]
fn patterns() {
    give(
        r#""test 123 abc""#,
        r#"test("\\d+"), [match("[a-z]+"; "g").string], capture("(?<n>\\d+)"), [scan("\\w")] [0], sub("(?<x>\\d)"; "<\(.x)>"), gsub("[aeiou]"; "*")"#,
        &[
            "true",
            r#"["test","abc"]"#,
            r#"{"n":"123"}"#,
            r#""t""#,
            r#""test <1>23 abc""#,
            r#""t*st 123 *bc""#,
        ],
    );
    give(
        r#""éa1""#,
        r#"match("(a)(x)?"), [match(["A","gi"]).offset], test("É"; "i")"#,
        &[
            r#"{"offset":1,"length":1,"string":"a","captures":[{"offset":1,"length":1,"string":"a","name":null},{"offset":-1,"length":0,"string":null,"name":null}]}"#,
            "[1]",
            "false",
        ],
    );
}

#[test]
fn strings_and_other_types() {
    give(
        r#""x""#,
        r#". * 3, . * 0, ("abab"|indices("ab")), ("abab"|rindex("b")), ([65,233]|implode), ("a"|ascii_downcase)"#,
        &[r#""xxx""#, "\"\"", "[0,2]", "3", r#""Aé""#, r#""a""#],
    );
    give(r#"["12","1e2"," 7 ","1.50"]"#, "map(tonumber)", &["[12,1e2,7,1.50]"]);
    give(
        r#""[1,{}]""#,
        "fromjson, (try (\"{\" | fromjson) catch \"no\"), ltrimstr(1), (tojson|fromjson)",
        &["[1,{}]", "\"no\"", "\"[1,{}]\"", "\"[1,{}]\""],
    );
}

#[test]
fn numbers_have_64_bits() {
    give(
        "[1.0, 1.50, 100000000000000000000, 3000000000, -0]",
        ".[], (.[3] + 1), (.[3] * .[3]), .[2] + 1",
        &[
            "1.0",
            "1.50",
            "100000000000000000000",
            "3000000000",
            "-0",
            "3000000001",
            "9000000000000000000",
            "100000000000000000001",
        ],
    );
    give(
        "null",
        "4294967296, 9223372036854775807 + 1, 5000000000 % 3000000000, [range(3000000000; 3000000002)]",
        &["4294967296", "9223372036854775808", "2000000000", "[3000000000,3000000001]"],
    );
    give(
        "3000000000.7",
        "floor, round, ceil, -floor, trunc, sqrt, (floor | tostring)",
        &[
            "3000000000",
            "3000000001",
            "3000000001",
            "-3000000000",
            "3000000000",
            "54772.25575690671",
            "\"3000000000\"",
        ],
    );
    give(
        "[1,2]",
        ".[4294967296], .[-4294967297], .[:4294967296], .[4294967296:], [limit(4294967297; .[])]",
        &["null", "null", "[1,2]", "[]", "[1,2]"],
    );
    give(
        "null",
        "1e1000, -1e1000 * 1, nan, infinite, 1e3, 007, 6 / 2, 1 / 3, 7 % -2, pow(2; 10), (10 | log10)",
        &[
            "1e1000",
            "-1.7976931348623157e308",
            "null",
            "1.7976931348623157e308",
            "1e3",
            "7",
            "3",
            "0.3333333333333333",
            "1",
            "1024",
            "1",
        ],
    );
}

#[test]
fn dates() {
    give(
        "1425599507",
        "todate, (todate | fromdate), gmtime, (gmtime | mktime), strftime(\"%A, %d %b %Y %j\")",
        &[
            r#""2015-03-05T23:51:47Z""#,
            "1425599507",
            "[2015,2,5,23,51,47,4,63]",
            "1425599507",
            r#""Thursday, 05 Mar 2015 064""#,
        ],
    );
    give(
        r#""2024-02-29T01:02:03.5+02:00""#,
        "fromdate, (.[:10] | strptime(\"%Y-%m-%d\") | mktime)",
        &["1709161323.5", "1709164800"],
    );
}

#[test]
fn control_flow() {
    give(
        "5",
        "try error(\"x\") catch ., (try error({a: 1}) catch .a), (.a? // 1), [.[]?], (label $f | 1, break $f, 2)",
        &["\"x\"", "1", "1", "[]", "1"],
    );
    give(
        "[1,2,3]",
        "reduce .[] as $x (0; . + $x), [foreach .[] as $x (0; . + $x; [$x, .])], (. as [$a, $b] | $a + $b)",
        &["6", "[[1,1],[2,3],[3,6]]", "3"],
    );
    give(
        "10",
        "def f($n): if $n < 1 then . else . + 1 | f($n - 1) end; f(3), [limit(3; repeat(1))], until(. > 100; . * 2), [while(. < 40; . * 2)]",
        &["13", "[1,1,1]", "160", "[10,20]"],
    );
    give("1", "debug, debug(\"m\"), stderr", &["1", "1", "1"]);
    give("1", "., halt, 2", &["1"]);
    let halted = run("1", &query("., (\"bye\" | halt_error), 2")).unwrap();
    assert_eq!((&*halted.text, halted.failure.unwrap().message.contains("bye")), ("1\n", true));
}

#[test]
fn filters_run_on_every_document() {
    give("{\"a\":1}\n{\"a\":2} 3", "try .a catch -1", &["1", "2", "-1"]);
    give("\u{FEFF}[1]", ".[0]", &["1"]);
    give("", ".", &[]);
    let outputs = run("1 2 {", &query(". + 1")).unwrap();
    assert_eq!(outputs.text, "2\n3\n");
    let failure = outputs.failure.unwrap();
    assert_eq!(failure.kind, ErrorKind::Unsupported);
    assert!(failure.message.contains("line 1, column 6"), "{failure}");
}

#[test]
fn outputs_follow_the_options() {
    let pretty = |raw| Query { raw, compact: false, ..query(".[]") };
    let json = r#"[{"a":[1,[]]},"x\ny",["z"]]"#;
    assert_eq!(
        run(json, &pretty(false)).unwrap().text,
        "{\n  \"a\": [\n    1,\n    []\n  ]\n}\n\"x\\ny\"\n[\n  \"z\"\n]\n"
    );
    assert_eq!(
        run(json, &Query { compact: true, ..pretty(true) }).unwrap().text,
        "{\"a\":[1,[]]}\nx\ny\n[\"z\"]\n"
    );
    assert_eq!(run("\"a\u{FFFD}\"", &query(".")).unwrap().text, "\"a\u{FFFD}\"\n");
    let bytes = b"[\"\xFF\\ud800\",{\"a\":1,\"a\":2}]".to_vec();
    assert_eq!(jq(&bytes, &query("."), 0).unwrap().text, "[\"\u{FFFD}\u{FFFD}\",{\"a\":2}]\n");
}

#[test]
fn errors_describe_mistakes() {
    let kinds = [
        ("1", "1 +", ErrorKind::InvalidInput, "column 4: expected term, found the end of the filter"),
        (
            "1",
            ".a | foo(1)",
            ErrorKind::InvalidInput,
            "column 6: the filter `foo` with 1 argument is not defined",
        ),
        ("1", "$x", ErrorKind::InvalidInput, "the variable `$x` is not defined"),
        ("1", "now", ErrorKind::InvalidInput, "there is no clock here"),
        ("1", "env.HOME", ErrorKind::InvalidInput, "no environment"),
        ("1", "$ENV", ErrorKind::InvalidInput, "no environment"),
        ("1", "include \"a\"; .", ErrorKind::InvalidInput, "module"),
        ("1", ".\n| if . then 1", ErrorKind::InvalidInput, "line 2, column 14: expected else or end"),
        ("1", "\"a", ErrorKind::InvalidInput, "closing quote"),
        ("1", "(1", ErrorKind::InvalidInput, "closing parenthesis"),
        (
            "{\"a\":1,\"b\":2}",
            ".rows[]",
            ErrorKind::InvalidInput,
            "The input is: object with the keys \"a\", \"b\".",
        ),
        (
            "{\"a\":1,\"b\":2}",
            ".[0]",
            ErrorKind::InvalidInput,
            "cannot index object with the keys \"a\", \"b\" with number 0",
        ),
        ("1 [2]", ".[0]", ErrorKind::InvalidInput, "Document 1 is: number 1"),
        ("1", "error(null)", ErrorKind::InvalidInput, "The filter failed: null"),
        (
            "hello",
            ".",
            ErrorKind::Unsupported,
            "line 1, column 1 (byte 0): expected a value. Search it with grep",
        ),
        ("{\"a\":1,}", ".", ErrorKind::Unsupported, "column 8"),
        ("1", "\"x\" * 1e12", ErrorKind::Limit, "string of more than 64 MiB"),
    ];
    for (json, filter, kind, expected) in kinds {
        let error = error(json, filter);
        assert!(error.message.contains(expected), "{filter}: {error}");
        assert_eq!(error.kind, kind, "{filter}");
    }
    let huge = format!("{{\"a\":{:?}}}", "x".repeat(100_000));
    assert!(error(&huge, ".a | .b").message.len() < 300);
    assert!(error(&huge, ".a | error").message.len() < 600);
    let after = run("[1,2,\"x\"]", &query(".[] | . * 2 | floor")).unwrap();
    assert_eq!(after.text, "2\n4\n");
    assert!(after.failure.unwrap().message.contains("string \"xx\" is not a number"));
}

#[test]
fn hostile_filters_and_documents_exceed_a_limit() {
    let deep = |n: usize| [&*"[".repeat(n), &*"]".repeat(n)].concat();
    let cases = [
        (deep(100_000), ".".to_owned()),
        ("1".to_owned(), "[".repeat(8_000) + &"]".repeat(8_000)),
        ("1".to_owned(), "- ".repeat(8_000) + "1"),
        ("1".to_owned(), "try ".repeat(4_000) + "1"),
        ("1".to_owned(), ". as $x | ".repeat(1_600) + "1"),
        ("1".to_owned(), "1+".repeat(8_000) + "1"),
        ("1".to_owned(), ". | ".repeat(4_000) + "1"),
        ("1".to_owned(), (0..1_000).map(|n| format!("def f{}: f{n}; ", n + 1)).collect::<String>() + "."),
        ("1".to_owned(), "x".repeat(16_385)),
        ("1".to_owned(), format!(".{}", ".a".repeat(8_000))),
        ("1".to_owned(), "reduce range(100000) as $i (null; [.])".to_owned()),
        ("1".to_owned(), "reduce range(100000) as $i (null; {a: .})".to_owned()),
        ("1".to_owned(), "reduce range(100000) as $i (null; try [.] catch .)".to_owned()),
        ("null".to_owned(), "setpath([range(100000) | 0]; 1)".to_owned()),
        ("null".to_owned(), "getpath([range(100000) | 0]) |= 1".to_owned()),
        ("1".to_owned(), "reduce range(60) as $i (\"x\"; . + .)".to_owned()),
        ("1".to_owned(), "reduce range(60) as $i ([1]; . + .)".to_owned()),
        ("1".to_owned(), "reduce range(60) as $i ([1]; [., .]) | tojson | length".to_owned()),
        ("1".to_owned(), "[range(1e12)]".to_owned()),
        ("1".to_owned(), "null | .[1e12] = 1".to_owned()),
        ("1".to_owned(), "\"x\" * 1e300".to_owned()),
    ];
    for (json, filter) in cases {
        let error = error(&json, &filter);
        assert_eq!(error.kind, ErrorKind::Limit, "{filter:.60}: {error}");
    }
    // A value that doubles is written as far as the page goes.
    let page = run("1", &query("reduce range(60) as $i ([1]; [., .])")).unwrap();
    assert_eq!((page.text.len(), page.next.is_some()), (16_384, true));
}

/// Returns the text of all pages of a query, and its failure.
fn pages(store: &[u8], query: &Query, max: usize) -> (String, Option<Error>) {
    let (mut query, mut text) = (query.clone(), String::new());
    loop {
        let page = jq(store, &query, max).unwrap();
        assert!(page.text.len() <= max);
        assert!(page.next.is_none() || !page.text.is_empty());
        text += &page.text;
        query.cursor = page.next;
        if query.cursor.is_none() {
            return (text, page.failure);
        }
    }
}

#[test]
fn pages_end_after_outputs() {
    let json = format!(
        "[{}]",
        (0..100).map(|n| format!("\"{}{n}\"", "é".repeat(n % 30))).collect::<Vec<_>>().join(",")
    );
    let page = jq(&json.into_bytes(), &query(".[]"), 256).unwrap();
    assert!(page.text.ends_with("\"\n") && page.next.is_some());
    let exact = run_at("[\"x\",\"y\"]", ".[] | . * 253", 256);
    assert_eq!((exact.text.len(), exact.next.is_some()), (256, true));
    let last = run_at("[\"x\"]", ".[] | . * 253", 256);
    assert_eq!((last.text.len(), last.next.is_some()), (256, false));
}

fn run_at(json: &str, filter: &str, max: usize) -> Outputs {
    jq(json.as_bytes(), &query(filter), max).unwrap()
}
