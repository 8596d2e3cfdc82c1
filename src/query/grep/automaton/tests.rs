//! Every path against plain regex-lite: the same match or none, at the same
//! place, what is not UTF-8 as it is shown.

use super::*;
use proptest::prelude::*;
use tuckaway_search::pattern::{self, Flags};

/// The first match in the shown line, in bytes of what is shown.
fn expected(regex: &regex_lite::Regex, line: &[u8]) -> Option<(usize, usize)> {
    regex.find(&String::from_utf8_lossy(line)).map(|found| (found.start(), found.end()))
}

/// The same by the automata, after it was checked that all ways agree.
fn found(pattern: &mut Pattern, line: &[u8]) -> Option<(usize, usize)> {
    let found = pattern.find(&Line::Near(line)).unwrap();
    assert_eq!(pattern.is_match(&Line::Near(line)).unwrap(), found.is_some());
    if let Pattern::Automata(automata) = pattern {
        assert_eq!(automata.is_match(line).unwrap(), found.is_some());
    }
    let shown = |at: u64| String::from_utf8_lossy(&line[..at as usize]).len();
    found.map(|(start, end)| (shown(start), shown(end)))
}

fn agree(pattern: &str, ignore_case: bool, lines: &[Vec<u8>]) {
    let flags = Flags { ignore_case, ..Flags::default() };
    let Ok(regex) = pattern::compile(pattern, flags) else { return };
    let mut ours = compile(pattern, ignore_case).unwrap_or_else(|| panic!("{pattern:?} is not understood"));
    for line in lines {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(found(&mut ours, line), expected(&regex, line), "{pattern:?} in {shown:?}");
    }
}

#[test]
fn patterns_of_all_kinds_agree() {
    let lines = [
        "",
        "a",
        "ab",
        "abc",
        "xabcabcx",
        "foo.bar",
        "Foo BAR foo_bar",
        "error: 42",
        "ERROR 42 errors",
        "aaaa",
        "é",
        "größe 5",
        "日本語 text",
        "a\rb",
        "\r",
        "a\u{0}b",
        "x=1, y=22; z=333",
        "  indented",
        "tail  ",
        "[x](y)",
        "2024-01-02T03:04:05",
        "\u{FEFF}bom",
        "a\nb",
        "\r\n",
        "_9",
        "-",
        "😀 smile",
        "ſtrange K",
    ];
    let mut lines: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
    lines.extend([b"caf\xE9 au lait".to_vec(), b"\xF0\x9F\x98".to_vec(), b"\xE2\x82a\x82\xFFz".to_vec()]);
    for pattern in [
        "",
        "a",
        "ab|abc",
        "abc|ab",
        "abcd|bc",
        "a*",
        "a+?",
        "a*?b",
        "(a|ab)(c|bcd)",
        "a{2}",
        "a{2,}",
        "a{1,3}?",
        "(a*)*",
        "(a|b*)+",
        "(?:a?){3}b",
        "(|a)+",
        "(a|)+?$",
        "^",
        "$",
        "^$",
        "^a",
        "a$",
        r"\bfoo\b",
        r"\B",
        r"\b",
        r"o\b{end}",
        r"\b{start}f",
        r"\b{start-half}b",
        r"r\b{end-half}",
        r"\<b",
        r"o\>",
        r"\d+",
        r"\w+\s\w+",
        r"\S+",
        r"\W",
        r"\D+$",
        r"[^a-z]+",
        "[[:upper:]]+",
        "[[:^alpha:]]",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        r"[\]\[]",
        r"[\w-]+",
        "(?i)error",
        "(?i:e)rror",
        "(?i)[^e]R",
        "(?i)[X-b]",
        "(?i)ſ|k",
        "(?s).+",
        "(?m)^b",
        "(?m)a$",
        "(?mR)^b",
        "(?mR)a$",
        "(?mR)$",
        "(?R).+",
        "(?U)a+",
        "(?U)a+?",
        "(?x) a b # c\n c",
        "(?x)[a b]",
        "(?x)a {2}",
        r"(?x)\x{6 1}",
        r"\x61",
        r"\u0061",
        r"\U00000061",
        r"\x{1F600}",
        "é+",
        ".",
        "..",
        "^.{3}$",
        r"\.",
        "[.]",
        "foo.bar",
        r"foo\.bar",
        "error|fail|42",
        "(?i)error|FOO",
        "(x|y|z)=(1|22|333)",
        r"(?P<n>\d)\d",
        r"(?<n>a)b",
        "(?-u:a)",
        "\u{FFFD}",
        "\u{FFFD}+a",
        "a\u{0}b",
        "日本|語",
        "[あ-ん]|text",
        "[^\\x00-\\x{10FFFF}]",
        "(a{0})b",
        "(a{1}){1}",
        "x{0,0}a",
        r"\n",
        r"a\r",
        r"\z",
        r"\Aa",
        "a|^b",
        "(^a|b)c?",
        "(?:^a)+",
        "^*a",
        r"\b+a",
        ".*b",
        ".*?b",
        "[ab]*b",
        "(?i)K",
        "s+",
        r"\d{4}-\d{2}-\d{2}",
        "[45]\\d",
    ] {
        for ignore_case in [false, true] {
            agree(pattern, ignore_case, &lines);
        }
    }
}

#[test]
fn a_table_that_is_full_is_begun_anew() {
    // More states than are kept: each of the last twenty characters counts.
    let mut ours = compile("[ab][^c]{18}d", false).unwrap();
    let regex = regex_lite::Regex::new("[ab][^c]{18}d").unwrap();
    let mut line: Vec<u8> =
        (0..60_000u32).map(|n| b'a' + (n.wrapping_mul(2_654_435_761) >> 29) as u8 % 3).collect();
    line.extend_from_slice(b"abababababababababababd");
    assert_eq!(found(&mut ours, &line), expected(&regex, &line));
}

#[test]
fn what_costs_too_much_is_a_limit() {
    let Some(Pattern::Automata(mut costly)) = compile("([ab]{0,90}){0,90}[cd]", false) else { panic!() };
    let line: Vec<u8> = (0..1_000u32).map(|n| b'a' + (n.wrapping_mul(2_654_435_761) >> 31) as u8).collect();
    assert!(!costly.is_match(&line).unwrap());
    // The steps of all lines count together.
    let ends = (0..1_000).find_map(|_| {
        costly.forward.forget();
        costly.is_match(&line).err()
    });
    let error = Error::from(ends.expect("an end"));
    assert_eq!(error.kind, crate::ErrorKind::Limit);
    assert!(error.message.contains("counted repetitions"), "{error}");
}

fn pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        8 => "[abcx]".prop_map(String::from),
        2 => prop::sample::select(vec![
            ".", "^", "$", r"\b", r"\B", r"\w", r"\d", r"\s", r"\W", "[ab]", "[^a]", "é", "[é-ü]", "\u{FFFD}", r"\b{start}",
            r"\b{end-half}", "ab", "abc", r"\z", r"\A", "(?i)a", "(?i:ab)", "(?m:^)", "(?m:$)", "(?mR:$)", "(?s:.)", "[[:alpha:]]",
        ]).prop_map(str::to_owned),
    ];
    atom.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join("|"))),
            (
                inner.clone(),
                prop::sample::select(vec!["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}?", "{2,}"])
            )
                .prop_map(|(sub, sign)| format!("(?:{sub}){sign}")),
            inner.prop_map(|sub| format!("(?:{sub}|)")),
        ]
    })
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => "[abcxABC_ ]{1,4}".prop_map(String::into_bytes),
        1 => prop::sample::select(vec!["é", "ü", "漢", "😀", "\r", "\u{FFFD}", "1"]).prop_map(|s| s.as_bytes().to_vec()),
        1 => prop::collection::vec(0x80u8..=0xFF, 1..4),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn patterns_agree(pattern in pattern(), ignore_case: bool, lines in prop::collection::vec(line(), 1..6)) {
        agree(&pattern, ignore_case, &lines);
    }

    #[test]
    fn whatever_is_a_pattern_is_understood(
        pattern in r"[abA\[\](){}|*+?^$.\\dwsbBzxnu0-9,:<>i#& mRUP=-]{0,14}",
        ignore_case: bool,
        lines in prop::collection::vec(line(), 1..3),
    ) {
        agree(&pattern, ignore_case, &lines);
        agree(&format!("(?x){pattern}"), ignore_case, &lines);
    }

    #[test]
    fn texts_agree(text in "[abé.*\u{FFFD}]{0,3}", ignore_case: bool, lines in prop::collection::vec(line(), 1..6)) {
        let escaped = regex_lite::escape(&text);
        let regex = pattern::compile(&escaped, Flags { ignore_case, ..Flags::default() }).unwrap();
        let mut ours = literal(&text, ignore_case).unwrap();
        for line in &lines {
            prop_assert_eq!(found(&mut ours, line), expected(&regex, line));
        }
    }

    #[test]
    fn a_line_in_parts_is_the_line(pattern in pattern(), line in line(), cut in 0usize..40) {
        let Some(Pattern::Automata(mut whole)) = compile(&pattern, false) else { return Ok(()) };
        let place = whole.forward.begin(Kind::Edge);
        let expected = whole.forward.forward(place, &line, true, false).unwrap().found;
        let (head, from) = (&line[..cut.min(line.len())], whole.forward.begin(Kind::Edge));
        let walk = whole.forward.forward(from, head, false, false).unwrap();
        let found = match walk.place {
            None => walk.found,
            Some(place) => {
                let rest = whole.forward.forward(place, &line[walk.used..], true, false).unwrap();
                rest.found.map(|end| walk.used + end).or(walk.found)
            }
        };
        prop_assert_eq!(found, expected);
        if let Some(end) = expected {
            let kind = match &line[end..] {
                [] => Kind::Edge,
                behind => whole.classes.kind(whole.classes.of(chars::decode(behind).0)),
            };
            let place = whole.backward.begin(kind);
            let expected = whole.backward.backward(place, &line[..end], true).unwrap().found;
            let (cut, from) = (cut.min(end), whole.backward.begin(kind));
            let walk = whole.backward.backward(from, &line[cut..end], false).unwrap();
            let found = match walk.place {
                None => walk.found.map(|at| cut + at),
                Some(place) => {
                    let rest = whole.backward.backward(place, &line[..end - walk.used], true).unwrap();
                    rest.found.or(walk.found.map(|at| cut + at))
                }
            };
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_search_finds_the_first_of_its_texts(
        pattern in prop::sample::select(vec!["(?i)ab", "ab|bc|ca", "(?i)abc|x", "a[Bb]c", "ab"]),
        pieces in prop::collection::vec("[abcABC]{0,3}| {0,90}", 0..12),
        from in 0usize..200,
    ) {
        let bytes = pieces.concat().into_bytes();
        let from = from.min(bytes.len());
        let tree = syntax::parse(pattern, false).unwrap();
        let regex = regex_lite::Regex::new(pattern).unwrap();
        let expected = regex.find(std::str::from_utf8(&bytes[from..]).unwrap()).map(|found| from + found.start());
        prop_assert_eq!(Search::new(&tree).unwrap().find(&bytes, from), expected);
    }
}
