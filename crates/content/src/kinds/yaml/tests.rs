use super::reader::Reader;
use super::stats::Stop;
use super::*;
use crate::error::ToJsonError;
use crate::kind::Kind;
use crate::outline::Layout;
use crate::sample::Sample;
use proptest::prelude::*;
use serde_json::Value;
use tuckaway_text::count_lines;

fn read(yaml: &str) -> (String, Option<Stop>) {
    let (json, _, stop) = Reader::read(yaml.as_bytes(), 1 << 20);
    (String::from_utf8(json).unwrap().trim_end().to_owned(), stop)
}

fn json(yaml: &str) -> String {
    let (json, stop) = read(yaml);
    assert_eq!(stop, None, "{yaml}\n{json}");
    json
}

fn reject_reason(yaml: &str) -> &'static str {
    match read(yaml) {
        (_, Some(Stop::Rejected(what, _))) => what,
        other => panic!("{yaml}\n{other:?}"),
    }
}

#[test]
fn blocks_are_collections() {
    for (yaml, expected) in [
        ("a: 1\nb:\n  c: x\n  d: [1, {e: f}]\n", r#"{"a":1,"b":{"c":"x","d":[1,{"e":"f"}]}}"#),
        ("a:\n- 1\n- 2\nb:\n  - 3\n", r#"{"a":[1,2],"b":[3]}"#),
        ("- a: 1\n  b: 2\n-   c: 3\n    d: 4\n", r#"[{"a":1,"b":2},{"c":3,"d":4}]"#),
        ("- - 1\n  - 2\n- - 3\n", "[[1,2],[3]]"),
        ("-\n  a: 1\n-\n- b\n", r#"[{"a":1},null,"b"]"#),
        ("a:\nb:\n", r#"{"a":null,"b":null}"#),
        ("a:\n  - b:\n    - c\n  - d\ne: 1", r#"{"a":[{"b":["c"]},"d"],"e":1}"#),
        ("a: # why\n\n  # so\n  b: c # d\n", r#"{"a":{"b":"c"}}"#),
        ("\u{FEFF}a: 1\r\nb:\r\n  - x\r\n", r#"{"a":1,"b":["x"]}"#),
        ("'a b' : 1\n\"c\\td\": 2\nhttp://x: y\na#b: c\n", r#"{"a b":1,"c\td":2,"http://x":"y","a#b":"c"}"#),
        ("%YAML 1.2\n---\na: 1\n...\n---\nb: 2\n---\n# nothing\n", "{\"a\":1}\n{\"b\":2}"),
        ("--- {a: 1}\n--- |\n text\n", "{\"a\":1}\n\"text\\n\""),
        ("", ""),
        ("# nothing\n", ""),
        ("on: push\nyes: no\n1: 2\n~: null\n", r#"{"on":"push","yes":"no","1":2,"~":null}"#),
    ] {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
}

#[test]
fn scalars_of_every_style_are_read() {
    for (yaml, expected) in [
        ("a: b c\n  d\n\n  e\nf: g\n", r#"{"a":"b c d\ne","f":"g"}"#),
        ("a:\n  b\n  c\n", r#"{"a":"b c"}"#),
        ("a: 'it''s'\nb: \"x\\u00e9\\n\\\"\"\n", "{\"a\":\"it's\",\"b\":\"xé\\n\\\"\"}"),
        ("a: \"one\n  two\n\n  three\\\n  four \\x41\"\n", r#"{"a":"one two\nthreefour A"}"#),
        ("a: 'one\n  two'  # c\n", r#"{"a":"one two"}"#),
        ("a: |\n  x: y\n    z\n\n  # no comment\nb: 1\n", r##"{"a":"x: y\n  z\n\n# no comment\n","b":1}"##),
        ("a: |-\n  x\n\nb: |+\n  y\n\nc: 1\n", r#"{"a":"x","b":"y\n\n","c":1}"#),
        ("a: >\n  one\n  two\n\n  three\n    four\n  five\n", r#"{"a":"one two\nthree\n  four\nfive\n"}"#),
        ("a: |2\n    x\n   y\n", r#"{"a":"  x\n y\n"}"#),
        ("- |\n a\n- >-\n b\n c\n", r#"["a\n","b c"]"#),
        ("a: |\nb: 1\n", r#"{"a":"","b":1}"#),
        ("a: \"\\ud83d\\ude00\"\n", "{\"a\":\"😀\"}"),
        ("a: -1\nb: - 1\n", ""),
        ("a: c:\\x -y ?z\n", r#"{"a":"c:\\x -y ?z"}"#),
    ] {
        if expected.is_empty() {
            reject_reason(yaml);
        } else {
            assert_eq!(json(yaml), expected, "{yaml}");
        }
    }
}

#[test]
fn brackets_span_lines() {
    for (yaml, expected) in [
        ("a: [\n  1, # one\n  'b',\n]\nc: {}\n", r#"{"a":[1,"b"],"c":{}}"#),
        ("a: {\"b\":1, c: , d}\n", r#"{"a":{"b":1,"c":null,"d":null}}"#),
        ("[a b, http://x:1/y, !!str 1, [], [[]]]\n", r#"["a b","http://x:1/y","1",[],[[]]]"#),
        ("on: [cron: \"1 2\", 'b': {c: d}, e:]\n", r#"{"on":[{"cron":"1 2"},{"b":{"c":"d"}},{"e":null}]}"#),
        ("a: [&x {b: 1}, *x]\n", r#"{"a":[{"b":1},{"b":1}]}"#),
    ] {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
    assert_eq!(read("a: 1\nb: [1, [2").1, Some(Stop::Ended));
    assert_eq!(read("a: 1\nb: [1, [2").0, r#"{"a":1}"#);
}

#[test]
fn keys_of_every_style_are_strings() {
    for (yaml, expected) in [
        ("? a\n: b\n? c\n? |\n  d\n: - e\n  - f\ng: h\n", r#"{"a":"b","c":null,"d\n":["e","f"],"g":"h"}"#),
        ("a:\n  ? b\n  # c\n  : d\ne: f\n", r#"{"a":{"b":"d"},"e":"f"}"#),
        ("? 1.50\n: 0x1F\n? ~\n", r#"{"1.50":31,"~":null}"#),
        (": a\n", r#"{"":"a"}"#),
        ("?\n:\n", r#"{"":null}"#),
        ("- ? a: b\n  : c: d\n", r#"[{"{\"a\":\"b\"}":{"c":"d"}}]"#),
        ("?\n- a\n- b\n:\n- c\n", r#"{"[\"a\",\"b\"]":["c"]}"#),
        ("[a, 1]: b\n{c: d}: e\n", r#"{"[\"a\",1]":"b","{\"c\":\"d\"}":"e"}"#),
        ("&x a: &y 1\n*y : *x\n", r#"{"a":1,"1":"a"}"#),
        ("a: &x\n  &y b: 1\nc: *x\nd: *y\n", r#"{"a":{"b":1},"c":{"b":1},"d":"b"}"#),
        ("!!str a: b\n! \"c\": !!str\n", r#"{"a":"b","c":""}"#),
        ("!<tag:yaml.org,2002:str> 1: !<tag:yaml.org,2002:str> 2\n", r#"{"1":"2"}"#),
        ("[? a b\n : c, : d, {e}: f, \"g\":h]", r#"[{"a b":"c"},{"":"d"},{"{\"e\":null}":"f"},{"g":"h"}]"#),
        ("{? a: b, ? , 1: 2, [3]: 4, *x: 5}", ""),
        ("{? a: b, ? , 1: 2, [3]: 4}", r#"{"a":"b","":null,"1":2,"[3]":4}"#),
        ("a: [&x b: 1, *x , !!str , 2]\n", r#"{"a":[{"b":1},"b","",2]}"#),
    ] {
        if expected.is_empty() {
            reject_reason(yaml);
        } else {
            assert_eq!(json(yaml), expected, "{yaml}");
        }
    }
}

#[test]
fn tabs_separate_and_do_not_indent() {
    for (yaml, expected) in [
        ("a:\tb\t# c\n-\td\n", ""),
        ("a:\tb\t# c\nd: \t[1,\t2]\n", r#"{"a":"b","d":[1,2]}"#),
        ("-\ta\n- - b\n  -\tc\n", r#"["a",["b","c"]]"#),
        ("a:\n \tb\n \tc\nd:\n\t# e\n  f: 1\n", r#"{"a":"b c","d":{"f":1}}"#),
        ("\t[\n\ta\n\t]\n", r#"["a"]"#),
        ("? a\n: -\tb\n  -  -\tc\n", r#"{"a":["b",["c"]]}"#),
    ] {
        if expected.is_empty() {
            reject_reason(yaml);
        } else {
            assert_eq!(json(yaml), expected, "{yaml}");
        }
    }
}

#[test]
fn texts_span_lines() {
    for (yaml, expected) in [
        ("a: [b\n  c,\n\n  d\n\n  e: f]\n", ""),
        ("a: [b\n  c,\n\n  d\n\n  e]\n", r#"{"a":["b c","d\ne"]}"#),
        ("{a\n b: c\n d, e\n : f}\n", r#"{"a b":"c d","e":"f"}"#),
        ("--- a\n\n b\n--- c # d\n---\te\n", "\"a\\nb\"\n\"c\"\n\"e\""),
        ("a: b\n  c # d\ne: f\n", r#"{"a":"b c","e":"f"}"#),
    ] {
        if expected.is_empty() {
            reject_reason(yaml);
        } else {
            assert_eq!(json(yaml), expected, "{yaml}");
        }
    }
}

#[test]
fn anchors_are_expanded_and_merged() {
    for (yaml, expected) in [
        ("a: &x 1\nb: *x\n", r#"{"a":1,"b":1}"#),
        ("a: &x\n  b: [1]\nc: *x # d\n", r#"{"a":{"b":[1]},"c":{"b":[1]}}"#),
        ("a: &x\n- 1\nb:\n- *x\n", r#"{"a":[1],"b":[[1]]}"#),
        ("a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n", r#"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#),
        (
            "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]\n  f: 4\n",
            r#"{"a":{"b":1},"c":{"b":2,"d":3},"e":{"f":4,"b":1,"d":3}}"#,
        ),
        (
            "a: &x {b: 1}\nc:\n  <<: *x\nd: !!str 12\ne: !Ref f\ng: !If [a, b]\n",
            r#"{"a":{"b":1},"c":{"b":1},"d":"12","e":"f","g":["a","b"]}"#,
        ),
    ] {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
}

#[test]
fn text_that_cannot_be_read_is_rejected() {
    for yaml in [
        "a:\n\tb: 1\n",
        "-\t- a\n",
        "? a\n:\tb: c\n",
        "a: 1\n? b\nc\n",
        "[a\nb]: c\n",
        "a: [b\nc: d]\n",
        "a: [b, , c]\n",
        "a: [-]\n",
        "a: [b\n---\nc]\n",
        "a: [&x [b]: c, *x]\n",
        "? &x [b]\n: c\nd: *x\n",
        "a: &x b\nc: &y *x\n",
        "%YAML 1.2\n",
        "%YAML 1.2\na: b\n",
        "a: b: c\n",
        "a: 'b': c\n",
        "a: - b\n",
        "a: *b\n",
        "a: &x &y b\n",
        "a: &x b: c\n",
        "a: b\n  c: d\n",
        "a: b # c\n  d\n",
        "  a: 1\n b: 2\n",
        "- a\nb: c\n",
        "a: {{ b }}\n",
        "a: [b] c\n",
        "a: \"b\" c\n",
        "a: \"\\q\"\n",
        "a: |x\n b\n",
        "a: `b`\n",
        "a: @b\n",
        "data: 1\ndata: 2\n",
        "event: 1\ndata: 2\n\nevent: 3\ndata: 4\n",
        "--- a: b\n",
        "a: \"b\nc\"\n",
    ] {
        reject_reason(yaml);
    }
}

#[test]
fn an_entry_without_a_readable_value_is_omitted() {
    for (yaml, expected, lines) in [
        ("a: 1\nb: [2, `]\n", r#"{"a":1}"#, 1),
        ("a: 1\nb:\n  c:\n    - `\n", r#"{"a":1}"#, 1),
        ("a: 1\nb:\n  c: 2\n  d:\n    - `\n", r#"{"a":1,"b":{"c":2}}"#, 3),
        ("- 1\n- - 2\n  - [\n", "[1,[2]]", 2),
        ("a: 1\nb:\n\tc: 2\n", r#"{"a":1}"#, 1),
        ("a: `\n", "", 0),
        ("a: 1\n---\n- `\n", r#"{"a":1}"#, 2),
        ("a: 1\n\"b\nc\": 2\n", r#"{"a":1}"#, 1),
        ("a: 1\n? - b\n  - `\n", r#"{"a":1}"#, 1),
        ("- a: 1\n- ? b\n  : `\n", r#"[{"a":1}]"#, 1),
        ("? ? ? `\n", "", 0),
        ("a: 1\n? b\n: - c\n  - `\n", r#"{"a":1,"b":["c"]}"#, 3),
    ] {
        let (json, stats, stop) = Reader::read(yaml.as_bytes(), 1 << 20);
        assert!(stop.is_some());
        assert_eq!(String::from_utf8_lossy(&json).trim_end(), expected, "{yaml}");
        assert_eq!(count_lines(&yaml.as_bytes()[..stats.read]), lines, "{yaml}");
    }
}

#[test]
fn hostile_input_is_bounded() {
    let mut laughs = "a0: &a0 [lol, lol]\n".to_owned();
    (1..64).for_each(|n| laughs += &format!("a{n}: &a{n} [*a{0}, *a{0}, *a{0}]\n", n - 1));
    assert_eq!(read(&laughs).1, Some(Stop::TooLarge));
    let mut merges = "a0: &a0 {k0: v}\n".to_owned();
    (1..5_000).for_each(|n| merges += &format!("a{n}: &a{n}\n  k{n}: v\n  <<: *a{}\n", n - 1));
    assert_eq!(read(&merges).1, Some(Stop::TooLarge));
    assert!(matches!(read(&"[".repeat(100_000)).1, Some(Stop::Rejected(..))));
    assert!(matches!(read(&"- ".repeat(100_000)).1, Some(Stop::Rejected(..))));
    // A line is not searched to its end for each of very many elements.
    let (_, stats, stop) =
        Reader::read(("a: [".to_owned() + &"&a 1, 'b', ".repeat(300_000) + "]").as_bytes(), 1 << 30);
    assert_eq!((stats.documents, stop), (1, None));
    for mark in ["? ", "{a: ", "{? ", "[[]: ", "- - ", "&a ", "!a ", "* "] {
        assert!(read(&mark.repeat(100_000)).1.is_some(), "{mark}");
    }
    // Each key is escaped once more by the one around it.
    for (open, close) in [("? ", "a"), ("{? ", "a")] {
        let nested = open.repeat(100) + close + &"}".repeat(if open == "? " { 0 } else { 100 });
        assert_eq!(read(&nested).1, Some(Stop::TooLarge));
    }
    let nested = "[".repeat(100) + &"]: a]".repeat(99) + "]";
    assert_eq!(read(&nested).1, Some(Stop::TooLarge));
    let keys: String = (0..100_000).map(|n| format!("? &a{n} [&b{n} x]\n")).collect();
    assert_eq!(Reader::read(keys.as_bytes(), 1 << 30).2, None);
    let deep: String = (0..1_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    assert!(matches!(read(&deep).1, Some(Stop::Rejected(..))));
}

const COMPOSE: &str = "services:\n  web:\n    image: nginx:1.27\n    ports:\n      - \"80:80\"\n    environment:\n      DEBUG: \"1\"\n  db:\n    image: postgres:16\nvolumes:\n  data: {}\n";

fn is_yaml(text: &str) -> bool {
    detect(&Sample::of(text.as_bytes()))
}

#[test]
fn yaml_is_detected() {
    for text in [
        COMPOSE,
        "---\nname: x\nversion: 2\n",
        "name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: |\n          cargo test\n",
        "- hosts: all\n  tasks:\n    - name: install\n      apt: {name: nginx}\n",
        "- name: a\n  ip: 10.0.0.1\n- name: b\n  ip: 10.0.0.2\n",
        "openapi: 3.1.0\ninfo:\n  title: x\npaths:\n  /a/{id}:\n    get:\n      responses:\n        \"200\":\n          description: ok\n",
    ] {
        assert!(is_yaml(text), "{text}");
    }
    let long: String = (0..5_000)
        .map(|n| format!("item{n}:\n  text: >\n    some\n    words\n  list: [a,\n    b]\n"))
        .collect();
    assert!(is_yaml(&long));
}

#[test]
fn other_texts_are_not_yaml() {
    for text in [
        "",
        "One line.\n",
        "- one\n- two\n",
        "- fix: a bug\n- feat: a thing\n",
        "- fix: a bug\n  see: there\n- more\n- feat: a thing\n  see: here\n",
        "- Fix: a bug\n  See also: there\n- Feature: a thing\n  See also: here\n",
        "From: a@b\nTo: c@d\nSubject: hello\n",
        "data: {\"a\": 1}\n\ndata: {\"a\": 2}\n\ndata: [DONE]\n",
        "HTTP/1.1 200 OK\nContent-Type: text/html\n",
        "Note: this is\nnot: yaml, at all\n",
        "---\ntitle: x\n---\n# Heading\n\n- a\n- b\n",
        "---\ntitle: x\n---\n\nSome prose.\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "2026-01-01T00:00:00Z INFO start: ok\n2026-01-01T00:00:01Z WARN stop: no\n",
        "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    f()\nValueError: no\n",
        "class A:\n  def f(self):\n    return 1\n",
        "Name:         web\nNamespace:    default\nLabels:       app=web\n              tier=front\nEvents:\n  Type  Reason\n  ----  ------\n  Normal  Pulled\n",
        "error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     1\n",
        "{{- if .Values.x }}\nkind: {{ .Values.kind }}\n{{- end }}\n",
        "[package]\nname = \"x\"\n",
        "key=value\nother=value\n",
    ] {
        assert!(!is_yaml(text), "{text}");
    }
}

#[test]
fn a_claim_is_accepted_if_the_bytes_can_be_yaml() {
    let kind =
        |text: &str| crate::inspect::detect_by_sample(&Sample::of(text.as_bytes()), Some("application/yaml"));
    for text in ["- a\n- b\n", "name: x\n", "- name: a\n- name: b\n", "a: 1\n---\n- b\n"] {
        assert!(!is_yaml(text) && kind(text) == Kind::Yaml, "{text}");
    }
    for text in ["One line.\n", "Dear all: hello\n", "[a\n"] {
        assert!(kind(text) != Kind::Yaml, "{text}");
    }
}

#[test]
fn the_outline_has_jq_paths() {
    assert_eq!(
        outline(COMPOSE.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
        r#"{"kind": "YAML: object(2 keys)", ".": {"services": "object(2 keys)", "volumes": "object(1 key)"}, ".services": {"web": "object(3 keys)", "db": "object(1 key)"}, ".volumes": {"data": "object(0 keys)"}, ".services.web": {"image": "string", "ports": "array(1) of string", "environment": "object(1 key)"}, ".services.db": {"image": "string"}, ".services.web.environment": {"DEBUG": "string"}}"#
    );
}

#[test]
fn the_outline_says_how_far_it_was_read() {
    let text = "a:\n  b: 1\n@c\nd: e\n";
    let entries = outline(text.as_bytes());
    assert_eq!(
        entries.to_json(2_000, &Layout::ONE_LINE),
        r#"{"kind": "YAML (its first 2 lines): object(1 key)", "read": "as far as line 3: a line without a key among keys; jq refuses all of it", "(top)": {"a": "object(1 key)"}, "a": {"b": "integer"}}"#
    );
    assert!(entries.refuses_jq);
    let Err(ToJsonError::Unsupported(message)) = to_json(text.as_bytes(), 1 << 20) else {
        panic!("it is read")
    };
    assert!(message.starts_with("jq reads this YAML only as far as line 3: "), "{message}");
}

#[test]
fn unclosed_brackets_are_reported_by_line() {
    let json = outline(b"services:\n  web:\n    ports: [80,\n").to_json(2_000, &Layout::ONE_LINE);
    assert!(json.contains("as far as line 3: brackets or quotes that are not closed"), "{json}");
}

#[test]
fn omitted_keys_are_listed() {
    let text: String = (1..=60).map(|n| format!("service{n}:\n  image: x:{n}\n  replicas: {n}\n")).collect();
    let view = truncate(&text, 800);
    assert!(view.len() <= 800 && view.len() > 600, "{}", view.len());
    assert!(view.starts_with("service1:\n  image: x:1\n"), "{view}");
    assert!(view.contains(" keys in them:] ...\n"), "{view}");
    assert!(view.ends_with("service60:\n  image: x:60\n  replicas: 60\n"), "{view}");
}

#[test]
fn both_ends_of_a_list_are_complete_entries() {
    let items = |set_in: &str| -> String {
        let item =
            |n| format!("{set_in}- name: x{n}\n{set_in}  image: y{n}\n{set_in}  command: |\n{set_in}    z\n");
        (100..160).map(item).collect()
    };
    for (text, set_in) in [(items(""), ""), (format!("a:\n  items:\n{}", items("    ")), "    ")] {
        for max in 600..800 {
            let view = truncate(&text, max);
            let (head, rest) = view.split_once("... [").unwrap();
            let (_, tail) = rest.split_once("...\n").unwrap();
            let tail = tail.split_once("\n...\n").map_or(tail, |(_, tail)| tail);
            assert!(view.len() <= max && head.ends_with("    z\n"), "{view}");
            assert!(tail.starts_with(&format!("{set_in}- name: x")), "{view}");
        }
    }
}

fn yaml_like() -> impl Strategy<Value = String> {
    let piece = "(\n|\n  |\n    |- |a: |b:|'|\"|\\[|\\]|\\{|\\}|, |#| #|&x |\\*x|<<: |\\||>|é|x|12|---\n|\\\\|\t|\r|! |\\?|\\? |: |- |\n: |\n\\? |\n- |!!str )";
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_is_read_is_json(text in yaml_like(), max in 0usize..4_000) {
        let (json, stats, _) = Reader::read(text.as_bytes(), max);
        let documents = serde_json::Deserializer::from_slice(&json).into_iter::<Value>();
        let documents: Result<Vec<Value>, _> = documents.collect();
        prop_assert!(documents.is_ok(), "{:?} {}", text, String::from_utf8_lossy(&json));
        prop_assert_eq!(documents.unwrap().len() as u64, stats.documents);
        prop_assert!(stats.read <= text.len());
        prop_assert_eq!(!outline(text.as_bytes()).refuses_jq, to_json(text.as_bytes(), usize::MAX).is_ok());
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (json, ..) = Reader::read(&bytes, 10_000);
        prop_assert!(crate::inspect::inspect(&json, &crate::inspect::Facts::default()).kind == crate::kind::Kind::Json || json.is_empty() || json.iter().filter(|b| **b == b'\n').count() != 1);
        outline(&bytes);
    }

    #[test]
    fn json_is_yaml(depth in 0u32..4, text in "[a-z:#,'\\-é ]{0,12}", number in any::<i32>()) {
        let mut value = serde_json::json!({"k": text, "n": number, "l": [text, null, true]});
        (0..depth).for_each(|_| value = serde_json::json!([{"in": value}, {}, []]));
        for written in [value.to_string(), format!("{value:#}")] {
            prop_assert_eq!(&serde_json::from_str::<Value>(&json(&written)).unwrap(), &value);
        }
    }

    #[test]
    fn views_are_bounded(lines in proptest::collection::vec("( |  )?(- )?[a-zé]{1,9}:( [a-z👩🏽\u{200d}]{0,40})?", 1..200), max in 1usize..1_500) {
        let text = lines.join("\n");
        prop_assume!(text.len() > max);
        let view = truncate(&text, max);
        prop_assert!(view.len() <= max, "{} > {max}", view.len());
        prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
    }
}

#[test]
fn empty_lines_behind_an_escaped_line_break_are_line_feeds() {
    for (text, json) in [
        ("\"a\\\n  b\"\n", "\"ab\""),
        ("\"a\\\n\n  b\"\n", "\"a\\nb\""),
        ("\"a\\\n  \n\n b\"\n", "\"a\\n\\nb\""),
    ] {
        let read = super::to_json(text.as_bytes(), 1 << 20).unwrap_or_else(|_| panic!("{text:?} is YAML"));
        assert_eq!(String::from_utf8(read.json).unwrap().trim_end(), json, "{text:?}");
    }
}
