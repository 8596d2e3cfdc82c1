use super::page::{GROUP_BYTES, rendered};
use super::*;
use crate::query::testing::One;
use proptest::prelude::*;
use tuckaway_text::encoding::Encoding;

fn query(pattern: &str) -> GrepQuery {
    GrepQuery { pattern: pattern.to_owned(), ..GrepQuery::default() }
}

fn run(artifact: &str, query: &GrepQuery) -> Matches {
    grep(&One(artifact.as_bytes().to_vec()), "art", query, None).unwrap()
}

fn lines(matches: &Matches) -> Vec<u64> {
    matches.matches.iter().map(|m| m.line).collect()
}

fn pages(store: &One, query: &GrepQuery, max: u32) -> Vec<Matches> {
    pages_in_parts(store, query, max, None)
}

/// Every page of a query, each within its bound, on an artifact that is read in parts of this many
/// bytes.
fn pages_in_parts(store: &One, query: &GrepQuery, max: u32, parts: Option<usize>) -> Vec<Matches> {
    let (mut query, mut pages) = (query.clone(), Vec::new());
    let open = || {
        let source = Source::open(store, "art", &crate::query::ARTIFACT)?;
        Ok(match parts {
            Some(bytes) => source.in_parts_of(bytes),
            None => source,
        })
    };
    loop {
        let page = search_in(open, &crate::query::ARTIFACT, &query, max as usize).unwrap().matches;
        assert!(rendering(&page) <= max as usize, "{}", rendering(&page));
        query.cursor = page.next.clone();
        pages.push(page);
        if query.cursor.is_none() {
            return pages;
        }
    }
}

fn rendering(page: &Matches) -> usize {
    let mut bytes = 0;
    for m in &page.matches {
        let first = m.line - m.before.len() as u64;
        bytes += m.before.iter().zip(first..).map(|(text, line)| rendered(line, text)).sum::<usize>();
        bytes += rendered(m.line, &m.text);
        bytes += m.after.iter().zip(m.line + 1..).map(|(text, line)| rendered(line, text)).sum::<usize>();
    }
    bytes + page.matches.len().saturating_sub(1) * GROUP_BYTES
}

#[test]
fn lines_match_without_their_ends() {
    let artifact = "one\r\ntwo\nthree\r\n\nlast\r";
    assert_eq!(lines(&run(artifact, &query("e$"))), [1, 3]);
    assert_eq!(lines(&run(artifact, &query("^$"))), [4]);
    assert_eq!(lines(&run(artifact, &query("t\r$"))), [5]);
    assert_eq!(lines(&run(artifact, &query("o\n?t"))), [0u64; 0]);
    assert_eq!(lines(&run(artifact, &GrepQuery { invert: true, ..query("o") })), [3, 4, 5]);
    assert_eq!(lines(&run(artifact, &GrepQuery { ignore_case: true, ..query("TWO") })), [2]);
    assert_eq!(lines(&run("a.c\nabc\n", &GrepQuery { fixed_string: true, ..query("a.c") })), [1]);
    assert_eq!(
        lines(&run("A.C\nabc\n", &GrepQuery { fixed_string: true, ignore_case: true, ..query("a.c") })),
        [1]
    );
    assert_eq!(lines(&run("", &query(""))), [0u64; 0]);
    assert_eq!(lines(&run("\na", &query(""))), [1, 2]);
}

#[test]
fn matches_have_their_position() {
    let m = run("x\néa needle", &query("needle")).matches.remove(0);
    assert_eq!((m.line, m.column, m.byte_offset, &*m.text), (2, 4, 6, "éa needle"));
    let store = One(b"\xFF\xFFneedle".to_vec());
    for pattern in ["needle", "nee+dle"] {
        let m = grep(&store, "art", &query(pattern), None).unwrap().matches.remove(0);
        assert_eq!((m.column, m.byte_offset, &*m.text), (3, 2, "\u{FFFD}\u{FFFD}needle"));
    }
    assert_eq!(run("a\u{FFFD}", &query("\u{FFFD}")).matches.len(), 1);
    assert_eq!(grep(&store, "art", &query("\u{FFFD}needle"), None).unwrap().matches[0].column, 2);
}

#[test]
fn context_shows_every_line_once() {
    let artifact = "a1\nb\nc\nd\na2\ne\na3\nf\ng\n";
    let page = run(artifact, &GrepQuery { before_context: 2, after_context: 2, ..query("a") });
    let shown: Vec<_> = page.matches.iter().map(|m| (m.before.join(""), m.line, m.after.join(""))).collect();
    assert_eq!(
        shown,
        [
            ("".to_owned(), 1, "bc".to_owned()),
            ("d".to_owned(), 5, "e".to_owned()),
            ("".to_owned(), 7, "fg".to_owned())
        ]
    );
    assert_eq!(page.total, Some(3));
}

#[test]
fn long_lines_are_excerpts_centred_on_the_match() {
    let line = format!("{}needle{}", "é".repeat(50_000), "漢".repeat(50_000));
    let m = run(&line, &query("needle")).matches.remove(0);
    assert!(m.clipped && m.text.starts_with("…é") && m.text.ends_with("漢…"), "{}", m.text);
    assert!((300..=330).contains(&m.text.len()));
    let middle = m.text.find("needle").unwrap().abs_diff(m.text.len() / 2);
    assert!(middle < 10, "{middle}");
    assert_eq!((m.column, m.byte_offset), (50_001, 100_000));

    let end = run(&format!("{}needle", "x".repeat(1_000)), &query("needle")).matches.remove(0);
    assert!(end.text.ends_with("needle") && end.text.len() == WINDOW + 3);
    let start = run(&format!("needle{}", "x".repeat(1_000)), &query("needle")).matches.remove(0);
    assert!(start.text.starts_with("needle") && start.text.len() == WINDOW + 3);
    let all = run(&"x".repeat(1_000), &query("x+")).matches.remove(0);
    assert!(all.text.starts_with("xxx") && all.text.ends_with("x…"));
}

const WINDOW: usize = 320;

#[test]
fn context_lines_are_clipped_too() {
    let artifact = format!("{}\nneedle\n{}\n", "x".repeat(1_000), "y".repeat(1_000));
    let m = run(&artifact, &GrepQuery { before_context: 1, after_context: 1, ..query("needle") })
        .matches
        .remove(0);
    assert!(m.clipped && m.before[0].ends_with("x…") && m.after[0].ends_with("y…"));
    assert!(m.before[0].len() < 200);
}

#[test]
fn all_pages_search_overstruck_characters_if_the_artifact_begins_with_some() {
    let name = "N\u{8}NA\u{8}AM\u{8}ME\u{8}E\n";
    let plain = "a plain line\n".repeat(100_000);
    let query = GrepQuery { max_matches: Some(1), ..query("NAME") };
    let found = |parts: &[&str]| -> Vec<u64> {
        let store = One(parts.concat().into_bytes());
        pages(&store, &query, 4_000).iter().flat_map(lines).collect()
    };
    // The second page begins with a match that is not overstruck.
    assert_eq!(found(&[name, &plain, "NAME\n", &plain, name]), [1, 100_002, 200_003]);
    assert_eq!(found(&["NAME\n", &plain, name, "NAME\n"]), [1, 100_003]);
}

#[test]
fn pages_go_on() {
    let artifact: String = (1..=1_000).map(|n| format!("line {n}\n")).collect();
    let store = One(artifact.into_bytes());
    let pages = pages(&store, &GrepQuery { max_matches: Some(7), after_context: 1, ..query("5$") }, 16_384);
    assert_eq!(pages.len(), 15);
    assert_eq!(pages[0].total, Some(100));
    assert_eq!(pages[1].total, None);
    let all: Vec<u64> = pages.iter().flat_map(lines).collect();
    assert_eq!(all, (1..=1_000).filter(|n| n % 10 == 5).collect::<Vec<_>>());
}

#[test]
fn mistakes_say_what_is_wrong() {
    let store = One(b"text".to_vec());
    let cases = [
        (query("foo("), "column 4"),
        (query("foo("), "set fixed_string to true"),
        (query(&"x".repeat(5_000)), "at most 4096"),
        (GrepQuery { fixed_string: true, ..query(&"x".repeat(5_000)) }, "at most 4096"),
        (query("(a{1000}){1000}"), "repeats too much"),
        (GrepQuery { before_context: 101, ..query("x") }, "at most 100"),
        (GrepQuery { max_matches: Some(0), ..query("x") }, "omit it for the default of 100"),
        (GrepQuery { cursor: Some("r.1.2".to_owned()), ..query("x") }, "continues a read"),
    ];
    for (query, says) in cases {
        let error = grep(&store, "art", &query, None).unwrap_err();
        assert!(error.message.contains(says), "{error}");
        assert_eq!(error.kind, crate::ErrorKind::InvalidInput);
    }
}

fn artifact() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
        6 => "[abé ]{0,6}".prop_map(String::into_bytes),
        // Not a backspace, which overstrikes.
        1 => proptest::collection::vec(any::<u8>().prop_map(|byte| if byte == 8 { 9 } else { byte }), 0..6),
        1 => (0usize..900).prop_map(|n| [vec![b'x'; n], b"ab".to_vec()].concat()),
    ];
    proptest::collection::vec(piece, 0..40)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("in UTF-8", |bytes| Encoding::of(bytes).is_none())
}

#[test]
fn other_encodings_are_searched_as_utf_8() {
    let text = "Boote für 😀\r\nÖl und Größe\n".repeat(3_000);
    let latin = text.replace('😀', "!").chars().map(|c| c as u8).collect();
    let wide = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (bytes, text) in [(wide, text.clone()), (latin, text.replace('😀', "!"))] {
        for pattern in ["^Öl", "für .$", "[öß]+e$", "boote"] {
            let query = GrepQuery { ignore_case: true, ..query(pattern) };
            let narrow = pages(&One(text.clone().into_bytes()), &query, 4_000);
            assert!(narrow[0].total >= Some(3_000), "{pattern}");
            assert_eq!(pages(&One(Vec::clone(&bytes)), &query, 4_000), narrow, "{pattern}");
        }
    }
}

proptest! {
    #[test]
    fn finds_what_a_loop_over_lines_finds(
        bytes in artifact(),
        pattern in prop::sample::select(vec![
            "a", "b", "ab", "é", "a.", "^a", "b$", "[ab]{2}", "x+a", "\u{FFFD}", "", "xa", "ab|é", "x*b", ".+a", r"\bab", "é$", r"\W",
        ]),
        fixed_string: bool, ignore_case: bool, invert: bool, each_match: bool,
        context in 0u32..3, max_matches in proptest::option::of(1u32..4), max in 256u32..600,
        parts in prop_oneof![Just(None), (8usize..40).prop_map(Some)],
    ) {
        // Binary content is detected in the first read: as little as a part, or all of it.
        for head in [parts.unwrap_or(bytes.len()).min(bytes.len()), bytes.len()] {
            prop_assume!(crate::query::binary_name(&bytes[..head]).is_none());
        }
        let query = GrepQuery {
            fixed_string, ignore_case, invert, each_match, max_matches,
            before_context: context, after_context: context,
            ..query(pattern)
        };
        let escaped = if fixed_string { regex_lite::escape(pattern) } else { pattern.to_owned() };
        let regex = regex_lite::RegexBuilder::new(&escaped).case_insensitive(ignore_case).build().unwrap();
        let mut expected = Vec::new();
        let mut offset = 0u64;
        for (index, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
            let bare = line.strip_suffix(b"\n").map_or(line, |l| l.strip_suffix(b"\r").unwrap_or(l));
            let shown = String::from_utf8_lossy(bare);
            let is_long = each_match && bare.len() > 400;
            match regex.find(&shown) {
                Some(_) if !invert => for found in regex.find_iter(&shown).take(if is_long { 999 } else { 1 }) {
                    let before = &shown[..found.start()];
                    let source = (0..=bare.len()).find(|&n| String::from_utf8_lossy(&bare[..n]) == before
                        && String::from_utf8_lossy(&bare[n..]) == shown[found.start()..]).unwrap();
                    expected.push((index as u64 + 1, before.chars().count() as u64 + 1, offset + source as u64));
                    if found.start() == found.end() {
                        break;
                    }
                }
                None if invert => expected.push((index as u64 + 1, 1, offset)),
                _ => {}
            }
            offset += line.len() as u64;
        }
        let store = One(bytes);
        let whole = pages(&store, &query, max);
        let pages = pages_in_parts(&store, &query, max, parts);
        prop_assert_eq!(&pages, &whole);
        let mut lines: Vec<u64> = expected.iter().map(|(line, ..)| *line).collect();
        lines.dedup();
        prop_assert_eq!(pages[0].total, Some(lines.len() as u64));
        let each = (each_match && !invert).then_some(expected.len() as u64);
        prop_assert_eq!(pages[0].match_count.filter(|_| !invert), each);
        let found: Vec<_> = pages.iter().flat_map(|page| &page.matches)
            .map(|m| (m.line, m.column, m.byte_offset)).collect();
        prop_assert_eq!(found, expected);
        for page in &pages {
            let mut shown: Vec<u64> = page.matches.iter()
                .flat_map(|m| m.line - m.before.len() as u64..=m.line + m.after.len() as u64).collect();
            let count = shown.len();
            shown.dedup();
            prop_assert!(each_match || shown.len() == count);
            prop_assert!(shown.is_sorted());
        }
    }

    #[test]
    fn no_cursor_panics(fields in any::<[u64; 3]>(), small in any::<[u8; 3]>(), text in "\\PC{0,12}") {
        let store = One("é\nb\n".repeat(20).into_bytes());
        for fields in [fields, small.map(u64::from)] {
            for count in [2, 3] {
                let cursor = cursor::write(QueryKind::Grep, &["art", "b", ""], &fields[..count]);
                let _ = grep(&store, "art", &GrepQuery { cursor: Some(cursor), ..query("b") }, Some(256));
            }
        }
        let hostile = GrepQuery { cursor: Some(text), ..query("b") };
        prop_assert!(grep(&store, "art", &hostile, Some(256)).is_err());
    }
}
