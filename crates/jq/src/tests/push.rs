//! Planned filters have the same outputs as on the whole document.

use super::*;
use proptest::prelude::*;

/// A filter, compiled once for each strategy of running it.
pub(super) struct Strategies<'f> {
    pub(super) query: Query,
    whole: Filter<'f>,
    others: [Filter<'f>; 2],
}

impl<'f> Strategies<'f> {
    /// Compiles a filter. Returns `None` if it is malformed.
    pub(super) fn of(filter: &'f str) -> Option<Self> {
        let compile = |small| Filter::compile(filter).ok().map(|filter| filter.with_small_documents(small));
        Some(Strategies {
            query: query(filter),
            whole: compile(u64::MAX)?,
            others: [compile(0)?, compile(1 << 20)?],
        })
    }

    /// Asserts that the filter has the same outputs on parts of a document, and on its demanded
    /// parts, as on the whole document: in one page and in many, and if the source is read in parts
    /// of this size.
    pub(super) fn assert_agree(&self, json: &[u8], part: usize, in_pages: bool) {
        let shown = format!("{} of {}", self.query.filter, String::from_utf8_lossy(json));
        let whole = Bytes(json.to_vec());
        let parts = InParts(part, whole.clone());
        let whole = answer(&whole, &self.query, &self.whole, 1 << 20);
        for filter in &self.others {
            assert_same(&answer(&parts, &self.query, filter, 1 << 20), &whole, &shown);
            if in_pages {
                // Only the first page has a hint.
                let whole = whole.clone().map(|whole| Outputs { hint: None, ..whole });
                assert_same(&all_pages(&parts, &self.query, filter), &whole, &shown);
            }
        }
    }
}

type Answer = Result<Outputs, Error>;

/// Asserts that two answers agree up to the end of the shorter one: an answer that was stopped by a
/// limit, or that has more pages, may be shorter.
fn assert_same(one: &Answer, other: &Answer, shown: &str) {
    fn outputs(answer: &Answer) -> &str {
        answer.as_ref().map_or("", |outputs| &outputs.text)
    }
    fn is_cut(answer: &Answer) -> bool {
        let failure = match answer {
            Ok(Outputs { next: Some(_), .. }) => return true,
            Ok(outputs) => outputs.failure.as_ref(),
            Err(error) => Some(error),
        };
        failure.is_some_and(|failure| failure.message.starts_with("The filter was stopped"))
    }
    let is_start = |one, other| is_cut(one) && outputs(other).starts_with(outputs(one));
    if !is_start(one, other) && !is_start(other, one) {
        assert_eq!(one, other, "{shown}");
    }
}

/// Maximum pages to read.
const MAX_PAGES: usize = 40;

/// Joins the pages of a query, or the first of very many.
fn all_pages(source: &Source, query: &Query, filter: &Filter) -> Answer {
    let mut query = query.clone();
    let mut all = Outputs::default();
    for _ in 0..MAX_PAGES {
        match answer(source, &query, filter, 40) {
            Ok(page) => {
                all.text += &page.text;
                all.count += page.count;
                (all.failure, all.next) = (page.failure, page.next);
            }
            Err(error) if query.cursor.is_none() => return Err(error),
            // After outputs, an error is a failure.
            Err(error) => (all.failure, all.next) = (Some(error), None),
        }
        query.cursor = all.next;
        if query.cursor.is_none() {
            break;
        }
    }
    Ok(all)
}

/// Filters that start with paths in every way that is planned, and some that are not planned.
const FILTERS: &[&str] = &[
    ".a",
    ".a.b",
    ".a[1]",
    ".a[1].b",
    ".a[]",
    ".a[].b",
    ".a[]?.b",
    ".a?.b?",
    ".a[]?",
    ".[\"a\"]",
    ".[0]",
    ".[1].a",
    ".[]",
    ".[].a",
    ".[]?",
    ".[] | .a?",
    ".a | length",
    ".a | keys",
    ".a | keys_unsorted",
    ".a | type",
    ".a | has(\"b\")",
    ".a | has(0)",
    ".a[-1]",
    ".a[-2].b",
    ".a[-9]",
    ".[-1]?",
    ".a[1:]",
    ".a[:-1]",
    ".a[-2:][0]",
    ".a[1:2] | length",
    ".a[5:1]",
    ".a[0:2][]",
    ".[1:]",
    ".[2:4]?",
    "length",
    "type",
    "keys",
    "first(.a[])",
    "limit(2; .a[])",
    "[limit(1; .[])]",
    "[.a[] | .b?]",
    "[.[]?]",
    ".a | map(.b)",
    "map(.)",
    "map(type)",
    "reduce .a[] as $x (0; . + 1)",
    "reduce .[] as $x (null; . + $x)",
    "foreach .a[] as $x (0; . + 1; [., $x])",
    ".a[] as $x | $x",
    ".a[] as [$x] | $x",
    ".a[] as {b: $x} | $x",
    ".a as $x | .b as $y | [$x, $y]",
    "any(.a[]; . == 1)",
    "all(.a[]; . != null)",
    ".a | any",
    ".a | all(.b)",
    ".a | add",
    "add",
    "{a: .a, b: .b}",
    "{a, b}",
    "{a, \"b\"}",
    "{(.a): .b}",
    "\"\\(.a) and \\(.b)\"",
    ".a + .b",
    ".a == .b",
    ".a // .b",
    "(.a, .b)",
    "[.a, .b, .c]",
    "-.a",
    "if .a then .b else .c end",
    "if .a then 1 else . end",
    "try .a.b catch .",
    "(.a.b)?",
    "try error(.a) catch .",
    "label $out | .a[] | if . == 1 then break $out else . end",
    ".a | .b",
    ".a | .b[]",
    ".a | . | .b?",
    ".a.b | 1",
    ".a? | 1",
    ".a | tojson",
    ".a | select(. != null)",
    ".[] | select(.a) | .b",
    ".a[] | select(.b == 1) | .c",
    ".a[] | select(.b?) | {c}",
    ".a[] | [.b, .c]",
    ".a[] | \"\\(.b)\"",
    ".a[] | .b // .c",
    ".a[] | if .b then .c else .b end",
    ".a[] | {b, c: .c}",
    ".a[] | (.b, .c)",
    ".a[] | .b as $x | [$x, .c]",
    ".a[] | reduce .b as $x (0; . + 1)",
    ".a[] | .b.c",
    ".a[] | .b[0]",
    ".a[] | .b[]?",
    ".a[] | length",
    ".a | first",
    ".a | last",
    "first",
    "last",
    "isempty(.a[])",
    "nth(1; .a[])",
    "skip(1; .a[])",
    "last(.a[])",
    "INDEX(.a[]; .b?)",
    "IN(.a; .b)",
    "[range(.a)]?",
    "range(3)",
    "empty",
    "null",
    "1",
    "\"x\"",
    ".a | not",
    "def f: .b?; .a | f",
    "def map(f): 1; .a | map(.)",
    "def f(g): [g]; f(.a)",
    ".a as $x | .b[$x]?",
    ".a[.b]?",
    ".a.b = 1",
    ".a |= 1",
    "del(.a)",
    "..",
    ".",
    "to_entries",
    "paths",
    ".a | ..",
    ".a[][]",
    ".a[][0]",
    ".a[].b[].c",
    "[.a[]] | length",
    "(.a[] | .b?), .c",
    ".a[1.5]",
    ".a[\"b\"]",
    ".a.\"b\"",
    "[.[] | .a?] | length",
    "range(2) as $i | .a[$i]",
    "range(2) as $i | .a[]?",
    "[.a[]?, .b[]?]",
    ".b | .a",
    ".a[0][0]",
    ".a | .[0] | .b",
    // Demands for parts of all values in a value.
    ".a | map(.b)[1:] | length",
    "map(.a[]?) | length",
    ".[] | .a[]?.b?",
    "map(.a?.b?)",
    ".a | group_by(.b?) | map({b: .[0].b?, n: length})",
    ".a | sort_by(.b?) | map(.c?)",
    ".a | unique_by(.b?) | length",
    ".a | unique_by(.b?) | .[0].c?",
    ".a | min_by(.b?) | .c?",
    ".a | max_by(.c?)",
    ".a | reverse | first",
    ".a | map(.b? += 1) | length",
    ".a | map(objects | .b) | last",
    ".a | map_values(.b?)",
    ".a | .[1:][0].b?",
    ".a | .[0], .[-1]",
    ".a | first(.[] | .b?)",
    ".a | [limit(1; .[] | {b: .b?, c})]?",
    ".a | map({b, c: .b?}) | .[].c",
    ".a | map({b: .b?, c: .c?}) | map(select(.b)) | length",
    ".a | any(.b?)",
    ".a | any(.[]; .b? and .c?)",
    ".a | map(if .b? then .c? else type end)",
    ".a | map(.b? | not) | length",
    "[.[]? | .a?] | map(length)",
    "def sort_by(f): .[0]; [.a[]? | {b: .b?, c: 1}] | sort_by(.c) | .b",
    "error(.a)",
    "halt",
    ".a, halt, .b",
    ".a[] | halt_error",
    ".a[] | error",
    "input",
    "$x",
];

const DOCUMENTS: &[&str] = &[
    r#"{"a":1,"b":2,"c":3}"#,
    r#"{"a":{"b":{"c":1}},"b":[1,2]}"#,
    r#"{"a":[1,2,3],"b":1,"c":"x"}"#,
    r#"{"a":[{"b":1,"c":"x"},{"b":2,"c":"y"},{"c":3}],"b":{"c":[]}}"#,
    r#"{"a":[{"b":1},2,{"b":3}],"c":{}}"#,
    r#"{"a":"héllo wörld","b":null}"#,
    r#"{"a":null}"#,
    r#"{"b":1,"a":{"x":1,"y":[2],"z":{"b":1}}}"#,
    r#"{"a":[1],"b":1,"a":[2,{"b":4}],"a":{"b":[3]}}"#,
    r#"{"a":{"b":1,"b":2,"c":3,"b":{"c":4}},"a\u0062":1,"\u0061":{"b":5,"c":6,"c":7}}"#,
    r#"[{"a":1},{"a":[2]},{"b":3}]"#,
    r#"[1,[2,[3]],"x",null,{}]"#,
    r#"[]"#,
    r#"{}"#,
    r#""text""#,
    "3.50",
    "null",
    "",
    "  \n",
    "\u{FEFF}{\"a\": [1 , 2 ]} \n {\"a\":{\"b\":1}}\n[1]\n5 \"a\"",
    "{\"a\":[{\"b\":1}]}\n{\"a\":[{\"b\":2},{\"b\":3}]}\n{\"a\":3}\n{\"a\":[]}",
    "{\"a\":[1,2]}{\"a\":[3",
    "{\"a\":[1,2],}",
    "{\"a\":[1,2],\"b\":tru}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":\"\x01\"}",
    "[1,2]]",
    r#"{"a":[100000000000000000000,1e400,-0,1.0,{"b":1E2}]}"#,
    r#"{"a":["\ud83d\ude00\ud800\n","é"],"é":{"b":"\u00e9"}}"#,
];

#[test]
fn planned_filters_match_those_on_whole_documents() {
    let deep = format!("{{\"a\":{}1{},\"b\":1}}", "[".repeat(254), "]".repeat(254));
    let too_deep = format!("{{\"a\":{}1{},\"b\":1}}", "[".repeat(256), "]".repeat(256));
    let invalid_utf8 = b"{\"a\":[\"\xFF\xC3\",1],\"\xFFa\":2,\"b\":\"\xC3\"}";
    let documents = DOCUMENTS.iter().copied().chain([&*deep, &*too_deep]).map(str::as_bytes);
    let documents: Vec<&[u8]> = documents.chain([&invalid_utf8[..]]).collect();
    for (number, strategies) in FILTERS.iter().filter_map(|filter| Strategies::of(filter)).enumerate() {
        for (index, json) in documents.iter().enumerate() {
            strategies.assert_agree(json, 1 + index % 7, (number + index) % 5 == 0);
        }
    }
}

/// Reads a response of a web API that `cargo xtask suites` has fetched.
fn example(name: &str) -> Vec<u8> {
    let mut above = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let workspace = above.find(|directory| directory.join("Cargo.lock").is_file()).expect("a workspace");
    let path = workspace.join("target/suites/json-examples").join(name);
    std::fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo xtask suites` fetches it, as `cargo xtask test` does", path.display())
    })
}

/// The name of the document of [`rows`].
const ROWS: &str = "rows.ndjson";

/// Creates the rows of an export. The first one has the names of the columns.
fn rows() -> Vec<u8> {
    let row = |n: u32| {
        format!("[\"B{n:04}\",\"Brand {}\",\"Phone {n}, \\u00a0dual\",{}.{},null]\n", n % 9, n % 5, n % 10)
    };
    let head = "[\"id\",\"brand\",\"title\",\"rating\",\"price\"]\n".to_owned();
    (0..800).fold(head, |rows, n| rows + &row(n)).into_bytes()
}

/// Names of real documents, each with filters.
const REAL_DOCUMENTS: &[(&str, &[&str])] = &[
    (
        "twitter.json",
        &[
            ".statuses[].user.screen_name",
            ".statuses | length",
            ".statuses[3].text",
            ".search_metadata",
            "[.statuses[] | select(.retweet_count > 10) | .id]",
            ".statuses[-1].id",
            ".statuses[2:4][].lang",
            "reduce .statuses[] as $s (0; . + $s.favorite_count)",
            "{count: .search_metadata.count, first: .statuses[0].id}",
            ".statuses[] | .entities.hashtags[].text",
            "first(.statuses[] | select(.lang == \"ja\")).id",
            ".statuses.x",
            ".statuses[] | .text | error",
            "any(.statuses[]; .favorited)",
            ".statuses | map(.user.id) | add",
            ".statuses | group_by(.user.screen_name) | map({name: .[0].user.screen_name, n: length})",
            ".statuses | sort_by(.retweet_count) | .[-3:] | map({id, text})",
            ".statuses | map(.user.followers_count += 1) | map(.user.followers_count)",
            ".statuses | max_by(.favorite_count) | .user",
            "[.statuses[] | {id, urls: [.entities.urls[].url]}] | map(select(.urls | length > 1)) | length",
        ],
    ),
    (
        "citm_catalog.json",
        &[
            ".events[] | .name",
            ".areaNames | keys",
            ".performances[0]",
            ".performances[].seatCategories[].areas[0].areaId",
            "[.events[].id] | add",
            ".events | length",
            ".events | keys | length",
            ".topicNames | to_entries[0]",
        ],
    ),
    (
        "canada.json",
        &[".features[0].geometry.coordinates[0][0]", ".features[].geometry.coordinates | length", ".type"],
    ),
    (ROWS, &[".[0]", "length", ".[1:3]", ".[2] | ascii_downcase?", ".x?"]),
    (
        "github_events.json",
        &[".[].type", ".[] | select(.type == \"PushEvent\") | .payload.commits[].sha", "map(.id) | length"],
    ),
    ("numbers.json", &[".[100:110]", "add", "length", ".[-1]", "[.[] | floor] | unique | length"]),
    (
        "update-center.json",
        &[".plugins | keys | length", ".plugins[] | .name", ".core.version", ".plugins.git.dependencies"],
    ),
];

#[test]
fn planned_filters_match_on_real_documents() {
    for (name, filters) in REAL_DOCUMENTS {
        let source = Bytes(if *name == ROWS { rows() } else { example(name) });
        for filter in *filters {
            let strategies = Strategies::of(filter).expect(filter);
            let whole = answer(&source, &strategies.query, &strategies.whole, 1 << 22);
            for other in &strategies.others {
                assert_eq!(answer(&source, &strategies.query, other, 1 << 22), whole, "{filter} of {name}");
            }
        }
    }
}

#[test]
fn filters_without_a_plan_refuse_cursors_inside_a_document() {
    let store = b"[[1], [2]]".to_vec();
    let resume = |filter: &str| {
        let cursor = Cursor::from_numbers([0, 0, 0, 1, 6]);
        jq(&store, &Query { cursor: Some(cursor), ..query(filter) }, 256)
    };
    assert_eq!(resume(".[] | .[0]").unwrap().text, "2\n");
    let refused = resume("tojson").unwrap_err();
    assert!(refused.message.contains("points into a document"), "{refused}");
}

proptest! {
    #[test]
    fn invalid_cursors_do_not_panic(
        filter in prop::sample::select(vec![".a[]", ".[] | .a", ".", ".a[].b"]),
        json in random::documents(),
        near in proptest::collection::vec(0u64..40, 5..6),
        far: [u64; 5],
        which: bool,
    ) {
        let fields = if which { far } else { near.try_into().unwrap() };
        let strategies = Strategies::of(filter).unwrap();
        let cursor = Cursor::from_numbers(fields);
        let query = Query { cursor: Some(cursor), ..strategies.query };
        let source = Bytes(json.into_bytes());
        for filter in &strategies.others {
            if let Ok(page) = answer(&source, &query, filter, 256) {
                prop_assert!(page.text.len() <= 256);
            }
        }
    }
}
