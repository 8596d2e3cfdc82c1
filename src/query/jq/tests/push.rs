//! Filters that are planned give what they give on all of the document.

use super::*;
use crate::query::jq::documents::Filters;
use proptest::prelude::*;

/// A filter, compiled once for each way in which it can be run.
struct Ways<'f> {
    query: JqQuery,
    whole: Filters<'f>,
    others: [Filters<'f>; 2],
}

impl<'f> Ways<'f> {
    /// None if it is no filter.
    fn of(filter: &'f str) -> Option<Self> {
        let compile = |small| Filters::compile(filter).ok().map(|filters| filters.small_up_to(small));
        Some(Ways {
            query: query(filter),
            whole: compile(u64::MAX)?,
            others: [compile(0)?, compile(1 << 20)?],
        })
    }

    /// The filter gives the same on places, and without what it does not ask for,
    /// as on the whole document: in one page and in many, whatever the parts are
    /// that the source is read in.
    fn give_the_same(&self, json: &[u8], part: usize, in_pages: bool) {
        let shown = format!("{} of {}", self.query.filter, String::from_utf8_lossy(json));
        let store = One(json.to_vec());
        let whole = Source::open(&store, "art").unwrap();
        let parts = Source::open(&store, "art").unwrap().in_parts_of(part);
        let whole = answer(&whole, "art", &self.query, &self.whole, 1 << 20);
        for filters in &self.others {
            let one = answer(&parts, "art", &self.query, filters, 1 << 20);
            assert_eq!(one, whole, "{shown}");
            if in_pages {
                assert_eq!(all_pages(&parts, &self.query, filters), whole, "{shown}");
            }
        }
    }
}

/// All pages of a query as one.
fn all_pages(source: &Source, query: &JqQuery, filters: &Filters) -> Result<Outputs, Error> {
    let mut query = query.clone();
    let mut all = Outputs { text: String::new(), next: None, failure: None, parsed_as: None };
    loop {
        match answer(source, "art", &query, filters, 40) {
            Ok(page) => {
                all.text += &page.text;
                all.failure = page.failure;
                query.cursor = page.next;
            }
            Err(error) if query.cursor.is_none() => return Err(error),
            // Behind outputs, an error is a failure.
            Err(error) => {
                all.failure = Some(error);
                query.cursor = None;
            }
        }
        if query.cursor.is_none() {
            return Ok(all);
        }
    }
}

/// Filters that begin with paths in every way that is planned, and next to them
/// some that are not.
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
fn planned_filters_give_what_whole_documents_give() {
    let deep = format!("{{\"a\":{}1{},\"b\":1}}", "[".repeat(254), "]".repeat(254));
    let too_deep = format!("{{\"a\":{}1{},\"b\":1}}", "[".repeat(256), "]".repeat(256));
    let strange = b"{\"a\":[\"\xFF\xC3\",1],\"\xFFa\":2,\"b\":\"\xC3\"}";
    let documents = DOCUMENTS.iter().copied().chain([&*deep, &*too_deep]).map(str::as_bytes);
    let documents: Vec<&[u8]> = documents.chain([&strange[..]]).collect();
    for (number, ways) in FILTERS.iter().filter_map(|filter| Ways::of(filter)).enumerate() {
        for (index, json) in documents.iter().enumerate() {
            ways.give_the_same(json, 1 + index % 7, (number + index) % 5 == 0);
        }
    }
}

#[test]
fn real_documents_too() {
    const QUESTIONS: &[(&str, &[&str])] = &[
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
            &[
                ".features[0].geometry.coordinates[0][0]",
                ".features[].geometry.coordinates | length",
                ".type",
            ],
        ),
        ("amazon_cellphones.ndjson", &[".[0]", "length", ".[1:3]", ".[2] | ascii_downcase?", ".x?"]),
        (
            "github_events.json",
            &[
                ".[].type",
                ".[] | select(.type == \"PushEvent\") | .payload.commits[].sha",
                "map(.id) | length",
            ],
        ),
        ("numbers.json", &[".[100:110]", "add", "length", ".[-1]", "[.[] | floor] | unique | length"]),
        (
            "update-center.json",
            &[".plugins | keys | length", ".plugins[] | .name", ".core.version", ".plugins.git.dependencies"],
        ),
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/json");
    for (name, filters) in QUESTIONS {
        let Ok(json) = std::fs::read(folder.join(name)) else {
            println!("{name} is not here: nothing is asked of it");
            continue;
        };
        let store = One(json);
        for filter in *filters {
            let ways = Ways::of(filter).expect(filter);
            let source = Source::open(&store, "art").unwrap();
            let whole = answer(&source, "art", &ways.query, &ways.whole, 1 << 22);
            for filters in &ways.others {
                assert_eq!(
                    answer(&source, "art", &ways.query, filters, 1 << 22),
                    whole,
                    "{filter} of {name}"
                );
            }
        }
    }
}

/// Documents of few keys, often equal ones, in a spelling of their own; sometimes
/// several, sometimes with one character too many, too few or wrong.
fn documents() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "null|true|false|0|1|-2|3[.]5|1e3|\"\"|\"a\"|\"b \\\\u0061\"",
        Just("{}".to_owned()),
        Just("[]".to_owned())
    ];
    let value = leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[{}]", items.join(" , "))),
            proptest::collection::vec(("a|b|c|\\\\u0061", inner), 0..5).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(",\n"))
            }),
        ]
    });
    let documents = proptest::collection::vec(value, 1..4).prop_map(|documents| documents.join("\n"));
    let broken = (any::<prop::sample::Index>(), "[\\[\\]{}:,\"x1\\\\]?", any::<bool>());
    (documents, proptest::option::weighted(0.3, broken)).prop_map(|(mut text, broken)| {
        if let Some((at, with, remove)) = broken {
            let at = at.index(text.len());
            text.replace_range(at..at + usize::from(remove), &with);
        }
        text
    })
}

/// A path, or something made of paths.
fn filters() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        ".a", ".b", ".c", "[]", "[0]", "[1]", "[-1]", "[1:]", "[:2]", "[]?", ".a?", "[0]?",
    ]);
    let path = proptest::collection::vec(part, 1..5).prop_map(|parts| {
        let path = parts.concat();
        if path.starts_with('.') { path } else { format!(".{path}") }
    });
    let leaf = prop_oneof![
        5 => path,
        1 => prop::sample::select(vec!["1", "length", "type", "keys", "first", "last", "add", "any", "map(.a?)", ".", "not", "empty"])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), prop::sample::select(vec![" | ", ", ", " // ", " == ", " and ", " as $x | $x, "]))
                .prop_map(|((left, right), between)| format!("({left}){between}({right})")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "[F]",
                    "{a: F}",
                    "first(F)",
                    "[limit(2; F)]",
                    "try (F) catch .",
                    "(F)?",
                    "isempty(F)",
                    "reduce (F) as $x (0; . + 1)",
                    "[.[]? | F]",
                    "map(F)?",
                    "any(F; .)",
                    "if F then 1 else 2 end",
                    "\"\\(F)\"",
                    "select(F)",
                    "label $l | (F) | ., break $l",
                    "[foreach (F) as [$x] (0; . + 1; $x)]",
                    "path(F)?",
                    "[F] | length",
                    "-(F)?",
                    "def f: F; f",
                    "skip(1; F)",
                ])
            )
                .prop_map(|(inner, around)| around.replace('F', &inner)),
        ]
    })
}

proptest! {
    #[test]
    fn random_filters_of_random_documents(
        filter in filters(),
        documents in proptest::collection::vec((documents(), 1usize..65), 1..8),
    ) {
        if let Some(ways) = Ways::of(&filter) {
            for (json, part) in documents {
                ways.give_the_same(json.as_bytes(), part, true);
            }
        }
    }

    #[test]
    fn cursors_of_nowhere_are_refused_or_answered(
        filter in prop::sample::select(vec![".a[]", ".[] | .a", ".", ".a[].b"]),
        json in documents(),
        near in proptest::collection::vec(0u64..40, 5..6),
        far: [u64; 5],
        which: bool,
    ) {
        let fields = if which { far } else { near.try_into().unwrap() };
        let ways = Ways::of(filter).unwrap();
        let cursor = cursor::write(Kind::Jq, &["art", filter, "c"], &fields);
        let query = JqQuery { cursor: Some(cursor), ..ways.query };
        let store = One(json.into_bytes());
        let source = Source::open(&store, "art").unwrap();
        for filters in &ways.others {
            if let Ok(page) = answer(&source, "art", &query, filters, 256) {
                prop_assert!(page.text.len() <= 256);
            }
        }
    }
}
