//! Every path against plain regex-lite: the same match or none, at the same position, with
//! malformed UTF-8 in its shown form.

use super::*;
use proptest::prelude::*;
use regex_lite::Regex;

use crate::source::{Reads, slice_at};

/// Compiles a pattern as regex-lite's.
fn regex(pattern: &str, ignore_case: bool) -> Option<Regex> {
    pattern::compile(pattern, Flags { ignore_case, ..Flags::default() }).ok()
}

/// A line that is read in parts.
struct InParts<'l> {
    line: &'l [u8],
    part_bytes: usize,
}

impl<'l> InParts<'l> {
    /// Reads the line at once.
    fn one(line: &'l [u8]) -> Self {
        InParts { line, part_bytes: line.len() }
    }
}

impl ByteSource for InParts<'_> {
    type Error = TooCostly;

    fn size(&self) -> u64 {
        self.line.len() as u64
    }

    fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, TooCostly> {
        Ok(slice_at(self.line, offset, length).to_vec())
    }

    fn reads(&self) -> Reads {
        Reads::of_size(self.part_bytes)
    }
}

/// The first match in the shown line, in bytes of the shown text.
fn expected(regex: &Regex, line: &[u8]) -> Option<(usize, usize)> {
    regex.find(&String::from_utf8_lossy(line)).map(|found| (found.start(), found.end()))
}

/// The same by the matcher, after it was checked that all ways agree.
fn found(matcher: &mut Matcher, line: &[u8]) -> Option<(usize, usize)> {
    let found = matcher.find(&InParts::one(line)).unwrap();
    assert_eq!(matcher.is_match(&InParts::one(line)).unwrap(), found.is_some());
    if let Some(automata) = &mut matcher.automata {
        assert_eq!(automata.forward.is_match(line).unwrap(), found.is_some());
    }
    let shown = |at: u64| String::from_utf8_lossy(&line[..at as usize]).len();
    found.map(|(start, end)| (shown(start), shown(end)))
}

/// Checks all matches in a line up to the first that is empty, and counts them.
fn all_agree(matcher: &mut Matcher, regex: &Regex, line: &[u8]) -> usize {
    let shown = String::from_utf8_lossy(line);
    let expected = regex.find_iter(&shown).map(|found| (found.start(), found.end()));
    let expected: Vec<_> = expected.take_while(|(start, end)| start < end).collect();
    let in_shown = |at: u64| String::from_utf8_lossy(&line[..at as usize]).len();
    let (mut at, mut all) = (0, Vec::new());
    while let Some((start, end)) = matcher.find_after(&InParts::one(line), at).unwrap()
        && start < end
    {
        all.push((in_shown(start), in_shown(end)));
        at = end;
    }
    // regex-lite skips empty matches at the end of others.
    assert!(expected.starts_with(&all), "{all:?} of {:?} in {shown:?}", regex.as_str());
    all.len()
}

#[test]
fn matches_follow_each_other() {
    let long = format!("{}foo{}foo", "fo ".repeat(5_000), "o".repeat(9_000));
    for (pattern, line, count) in [
        ("foo", "foofoo foo", 3),
        ("aa", "aaaaa", 2),
        ("^a", "aaa", 1),
        (r"\ba", "a ab ba", 2),
        ("a$", "a a", 1),
        ("[0-9]+", "12 é345 6\u{FFFD}7", 4),
        ("(?i)x.", "xyXZx", 2),
        ("a.*b|a", "a b a", 2),
        ("foo+", &long, 2),
        ("foo", &long, 2),
    ] {
        let regex = regex(pattern, false).unwrap();
        let mut matcher = Matcher::new(pattern, false).unwrap();
        assert_eq!(all_agree(&mut matcher, &regex, line.as_bytes()), count, "{pattern} in {line}");
        assert!(matcher.walked() > 0 && matcher.walked() < 40_000);
    }
}

#[test]
fn carriage_returns_that_are_named_belong_to_the_line() {
    for (pattern, line, expected) in [
        (r"\r$", "a\r\n", true),
        (r"a$", "a\r\n", true),
        (r"a\x0D$", "a\r\n", true),
        (r"\r$", "a\n", false),
        (r"\\r$", "\\r\r\n", true),
        (r"\\r$", "a\r\n", false),
    ] {
        let mut matcher = Matcher::new(pattern, false).unwrap();
        assert_eq!(
            matcher.next_line(line.as_bytes(), 0).unwrap().is_some(),
            expected,
            "{pattern:?} in {line:?}"
        );
    }
}

fn agree(pattern: &str, ignore_case: bool, lines: &[Vec<u8>]) {
    let Some(regex) = regex(pattern, ignore_case) else { return };
    let mut matcher =
        Matcher::new(pattern, ignore_case).unwrap_or_else(|error| panic!("{pattern:?} {error}"));
    for line in lines {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(found(&mut matcher, line), expected(&regex, line), "{pattern:?} in {shown:?}");
        all_agree(&mut matcher, &regex, line);
    }
    let lines: Vec<&[u8]> = lines.iter().flat_map(|line| line.split(|&byte| byte == b'\n')).collect();
    let text = lines.iter().flat_map(|line| [line, &b"\n"[..]]).collect::<Vec<_>>().concat();
    let is_match = |line: &[u8]| expected(&regex, matcher.content(&[line, b"\n"].concat())).is_some();
    let matching: Vec<&[u8]> = lines.into_iter().filter(|line| is_match(line)).collect();
    assert_eq!(matching_lines(&mut matcher, &text), matching, "{pattern:?} in lines");
}

/// Returns the lines that match, each without its line feed.
fn matching_lines<'t>(matcher: &mut Matcher, text: &'t [u8]) -> Vec<&'t [u8]> {
    let (mut from, mut lines) = (0, Vec::new());
    while let Some(line) = matcher.next_line(text, from).unwrap() {
        from = line.end;
        lines.push(text[line].strip_suffix(b"\n").unwrap_or_default());
    }
    lines
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

/// Characters in no order that a pattern could follow.
fn noise(characters: &[u8], length: u32) -> Vec<u8> {
    let any = |n: u32| n.wrapping_mul(2_654_435_761).rotate_left(9).wrapping_mul(n | 1) >> 24;
    (0..length).map(|n| characters[any(n) as usize % characters.len()]).collect()
}

#[test]
fn states_that_are_too_many_are_made_anew() {
    // Each of the last nineteen characters counts.
    let pattern = "a[ab]{18}[^ab]";
    let (mut matcher, regex) = (Matcher::new(pattern, false).unwrap(), regex(pattern, false).unwrap());
    let mut line = noise(b"ab", 100_000);
    line.push(b'd');
    assert_eq!(found(&mut matcher, &line), expected(&regex, &line));
    let forward = &matcher.automata.as_ref().unwrap().forward;
    assert!(forward.clears() > 0 && forward.memory() < 8 << 20, "{}", forward.memory());
}

#[test]
fn an_expensive_pattern_ends() {
    let pattern = "a[ab]{20}[^ab]";
    let line = noise(b"ab", 400_000);
    assert_eq!(Matcher::new(pattern, false).unwrap().find(&InParts::one(&line)), Err(TooCostly));
    // The cost of all lines counts together.
    let mut costly = Matcher::new(pattern, false).unwrap();
    let ends = line.chunks(1_000).position(|line| costly.find(&InParts::one(line)).is_err());
    assert!(ends.is_some_and(|lines| lines > 100), "{ends:?}");
}

#[test]
fn patterns_are_bounded() {
    let wide: String = (0..1_000).filter_map(|n| char::from_u32(0x1_0000 + n * 1_037)).collect();
    for pattern in [".{9999}".to_owned(), "(?:[^a]?){1200}".to_owned(), format!("[^{wide}]{{9}}")] {
        assert!(Matcher::new(&pattern, false).is_ok(), "{pattern}");
    }
    let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(1_000), close.repeat(1_000));
    // Not even if they were valid.
    let of = |pattern: &str| translate::pattern(pattern, false).as_ref().and_then(Matcher::of);
    for pattern in
        ["(a{1000}){1000}", "(.{999}){999}", r"\p{L}", "[a&&b]", "[[a]]", "a{2", "(", &deep("(", ")")]
    {
        assert!(Matcher::new(pattern, false).is_err(), "{pattern}");
        assert!(of(pattern).is_none(), "{pattern}");
    }
    for repetition in ["?", "+", "*", "{2}", "{1}"] {
        agree(&deep("", repetition), false, &[b"a".to_vec(), b"b".to_vec()]);
    }
    assert!(Matcher::literal(&"a".repeat(5_000), false).is_err());
}

#[test]
fn lines_match_without_their_ends() {
    let text = b"one\r\ntwo\nthree\r\n\nlast\r";
    let lines = |pattern: &str| {
        let (mut matcher, mut from, mut lines) = (Matcher::new(pattern, false).unwrap(), 0, Vec::new());
        while let Some(line) = matcher.next_line(text, from).unwrap() {
            from = line.end;
            lines.push(String::from_utf8_lossy(content(&text[line])).into_owned());
        }
        lines
    };
    assert_eq!(lines("e$"), ["one", "three"]);
    assert_eq!(lines("^$"), [""]);
    assert_eq!(lines("t\r$"), ["last\r"]);
    assert_eq!(lines("o\n?t"), [""; 0]);
    assert_eq!(lines("o\ntw"), [""; 0]);
    assert_eq!(lines("").len(), 5);
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
        let regex = regex(&escaped, ignore_case).unwrap();
        let mut matcher = Matcher::literal(&text, ignore_case).unwrap();
        for line in &lines {
            prop_assert_eq!(found(&mut matcher, line), expected(&regex, line));
        }
    }

    #[test]
    fn a_line_in_parts_is_the_line(
        pattern in pattern(), lines in prop::collection::vec(line(), 1..6), part_bytes in 4usize..40,
    ) {
        let mut matcher = Matcher::new(&pattern, false).unwrap();
        for line in &lines {
            let parts = InParts { line, part_bytes };
            prop_assert_eq!(matcher.find(&parts), matcher.find(&InParts::one(line)));
            prop_assert_eq!(matcher.is_match(&parts), matcher.is_match(&InParts::one(line)));
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
        let hir = translate::pattern(pattern, false).unwrap();
        let regex = Regex::new(pattern).unwrap();
        let expected = regex.find(std::str::from_utf8(&bytes[from..]).unwrap()).map(|found| from + found.start());
        prop_assert_eq!(Search::new(&hir).unwrap().find(&bytes, from), expected);
    }
}
