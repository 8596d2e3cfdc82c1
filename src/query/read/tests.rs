use super::*;
use crate::query::testing::{Holds, One};
use proptest::prelude::*;
use tuckaway_text::encoding::{Encoding, HEAD_BYTES};

const PLAIN: ReadOptions = ReadOptions { line_numbers: false, max_bytes: None };
const NUMBERED: ReadOptions = ReadOptions { line_numbers: true, max_bytes: None };

fn pages(store: &One, range: Range, options: ReadOptions, max: u32) -> Vec<String> {
    let (mut range, mut pages) = (range, Vec::new());
    let options = ReadOptions { max_bytes: Some(max), ..options };
    loop {
        let page = read(store, "art", &range, &options).unwrap();
        assert!(page.text.len() <= max as usize);
        pages.push(page.text);
        match page.next {
            Some(next) => range = Range::Cursor(next),
            None => return pages,
        }
    }
}

fn text(bytes: &[u8], range: Range) -> String {
    pages(&One(bytes.to_vec()), range, PLAIN, 256).concat()
}

#[test]
fn lines_and_bytes() {
    let artifact = "one\ntwo\r\n\nfour".as_bytes();
    let cases = [
        (Range::Lines(LineRange { start: 1, end: 1 }), "one\n"),
        (Range::Lines(LineRange { start: 2, end: 3 }), "two\r\n\n"),
        (Range::Lines(LineRange { start: 4, end: 4 }), "four"),
        (Range::Lines(LineRange { start: 2, end: u64::MAX }), "two\r\n\nfour"),
        (Range::LastLines(1), "four"),
        (Range::LastLines(3), "two\r\n\nfour"),
        (Range::LastLines(u64::MAX), "one\ntwo\r\n\nfour"),
        (Range::Bytes(ByteRange { start: 0, end: 3 }), "one"),
        (Range::Bytes(ByteRange { start: 2, end: 6 }), "e\ntw"),
        (Range::Bytes(ByteRange { start: 10, end: u64::MAX }), "four"),
        (Range::Bytes(ByteRange { start: 14, end: 99 }), ""),
        (Range::Bytes(ByteRange { start: 3, end: 3 }), ""),
    ];
    for (range, expected) in cases {
        assert_eq!(text(artifact, range.clone()), expected, "{range:?}");
    }
}

#[test]
fn byte_ranges_widen_to_characters() {
    assert_eq!(text("aéb".as_bytes(), Range::Bytes(ByteRange { start: 2, end: 3 })), "é");
    assert_eq!(text("aéb".as_bytes(), Range::Bytes(ByteRange { start: 1, end: 2 })), "é");
    assert_eq!(text(b"a\xE2\x82b", Range::Bytes(ByteRange { start: 2, end: 3 })), "\u{FFFD}");
}

#[test]
fn rejects_invalid_ranges() {
    let cases = [
        (Range::Lines(LineRange { start: 0, end: 3 }), "counted from 1"),
        (Range::Lines(LineRange { start: 3, end: 2 }), "ends at 2, before it starts at 3"),
        (Range::Lines(LineRange { start: 4, end: 4 }), "the artifact has 3 lines"),
        (Range::LastLines(0), "ask for at least one"),
        (Range::Bytes(ByteRange { start: 7, end: 9 }), "the artifact has 6 bytes"),
        (Range::Bytes(ByteRange { start: 2, end: 1 }), "ends at 1, before it starts at 2"),
        (Range::Cursor("nonsense".to_owned()), "is not a cursor"),
    ];
    for (range, says) in cases {
        let error = read(&One(b"a\nb\nc\n".to_vec()), "art", &range, &NUMBERED).unwrap_err();
        assert!(error.message.contains(says), "{error}");
        assert_eq!(error.kind, crate::ErrorKind::InvalidInput);
    }
    assert_eq!(text(b"", Range::Lines(LineRange { start: 1, end: 9 })), "");
    assert_eq!(text(b"", Range::LastLines(9)), "");
    assert!(read(&One(Vec::new()), "art", &Range::Lines(LineRange { start: 2, end: 9 }), &NUMBERED).is_err());
}

#[test]
fn pages_end_at_line_ends() {
    let store = One("0123456789abcde\n".repeat(40).into_bytes());
    for page in pages(&store, Range::Lines(LineRange { start: 1, end: u64::MAX }), PLAIN, 300) {
        assert!(page.ends_with('\n'));
    }
}

#[test]
fn marks_continued_lines() {
    let store = One(format!("a\n{}\nb", "x".repeat(400)).into_bytes());
    let pages = pages(&store, Range::Lines(LineRange { start: 1, end: u64::MAX }), NUMBERED, 256);
    assert_eq!(pages[0], "     1\ta\n");
    assert!(pages[1].starts_with("     2\txx") && pages[1].len() == 256);
    assert!(pages[2].starts_with("     2+\txx") && pages[2].ends_with("x\n     3\tb"), "{:?}", pages[2]);
}

#[test]
fn a_page_in_a_huge_line_costs_a_page() {
    let store = One(vec![b'x'; 20_000_000]);
    let mut range = Range::Lines(LineRange { start: 1, end: 1 });
    let mut read_bytes = 0;
    for _ in 0..1_000 {
        let page = read(&store, "art", &range, &PLAIN).unwrap();
        read_bytes += page.text.len();
        range = Range::Cursor(page.next.unwrap());
    }
    assert_eq!(read_bytes, 1_000 * 16_384);
}

/// A store that counts the bytes that it returns.
struct Counting(One, std::cell::Cell<usize>);

impl Holds for Counting {
    fn size_bytes(&self) -> u64 {
        self.0.size_bytes()
    }

    fn line_count(&self) -> u64 {
        self.0.line_count()
    }

    fn bytes_from(&self, offset: u64, length: u32) -> Vec<u8> {
        let bytes = self.0.bytes_from(offset, length);
        self.1.set(self.1.get() + bytes.len());
        bytes
    }
}

#[test]
fn far_lines_are_found_and_found_again() {
    let lines: String = (1..=400_000).map(|n| format!("line {n} of many\n")).collect();
    let size = lines.len();
    let inside = lines[..5_000_000].matches('\n').count() + 1;
    let store = Counting(One(lines.into_bytes()), std::cell::Cell::new(0));
    let bytes_of = |range: &Range, options, expected: &str| {
        store.1.set(0);
        let page = read(&store, "art", range, &ReadOptions { max_bytes: Some(256), ..options }).unwrap();
        assert!(page.text.starts_with(expected), "{range:?}: {}", page.text);
        store.1.get()
    };
    // Reads from the end without the part before, unless lines have to be counted.
    assert!(bytes_of(&Range::LastLines(2), PLAIN, "line 399999 of many\nline 400000") < 100_000);
    assert!(bytes_of(&Range::LastLines(2), NUMBERED, "399999\tline 399999 of many\n400000\t") >= size);
    assert!(
        bytes_of(&Range::LastLines(2), NUMBERED, "399999\tline 399999 of many\n400000\t") < 2 * CHUNK_BYTES
    );
    // Uses the index left by the count, forwards and backwards.
    for line in [399_000, 17, 200_000, 60_000, 60_001, 1, 400_000, 52_000] {
        let expected = format!("{line:>6}\tline {line} of many\n");
        assert!(
            bytes_of(&Range::Lines(LineRange { start: line, end: line }), NUMBERED, &expected)
                <= CHUNK_BYTES + HEAD_BYTES + 1_000,
            "{line}"
        );
        assert!(
            bytes_of(&Range::Lines(LineRange { start: line, end: line }), PLAIN, &expected[7..])
                <= CHUNK_BYTES + HEAD_BYTES + 1_000
        );
    }
    let error = read(&store, "art", &Range::Lines(LineRange { start: 400_001, end: 400_001 }), &NUMBERED)
        .unwrap_err();
    assert!(error.message.contains("the artifact has 400000 lines"), "{error}");
    assert!(
        bytes_of(
            &Range::Bytes(ByteRange { start: 5_000_000, end: 5_000_003 }),
            NUMBERED,
            &format!("{inside:>6}+\t")
        ) <= CHUNK_BYTES + HEAD_BYTES + 1_000
    );
}

#[test]
fn numbers_last_lines_on_request() {
    let store = One((1..=90).map(|n| format!("line {n}\n")).collect::<String>().into_bytes());
    let page =
        read(&store, "art", &Range::LastLines(60), &ReadOptions { max_bytes: Some(300), ..PLAIN }).unwrap();
    assert!(page.text.starts_with("line 31\n"));
    let next = Range::Cursor(page.next.unwrap());
    let shown = pages(&store, next.clone(), NUMBERED, 300).concat();
    assert!(shown.ends_with("    90\tline 90\n"), "{shown}");
    let first: u64 = shown.split_once('\t').unwrap().0.trim().parse().unwrap();
    assert_eq!(shown.lines().count() as u64, 90 - first + 1);
    assert!(shown.starts_with(&format!("{first:>6}\tline {first}\n")));
}

fn artifact() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
        3 => "[a-z ]{0,90}".prop_map(String::into_bytes),
        2 => "(é|👩‍👩‍👧|🇩🇪|\u{301}|漢){1,40}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => (0usize..900).prop_map(|n| vec![b'x'; n]),
    ];
    proptest::collection::vec(piece, 0..24)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("in UTF-8", |bytes| Encoding::of(bytes).is_none())
}

#[test]
fn a_text_in_utf_16_is_read_as_utf_8() {
    // Several parts, with pairs across their bounds.
    let text: String = (1..=9_000).map(|n| format!("{n} Boote für 😀\n")).collect();
    for offset in [0, 1] {
        let text = format!("{}{text}", "x".repeat(offset));
        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
        let wide = One(units.flat_map(u16::to_le_bytes).collect());
        let narrow = One(text.clone().into_bytes());
        for range in [
            Range::Lines(LineRange { start: 8_000, end: 8_003 }),
            Range::LastLines(3),
            Range::Bytes(ByteRange { start: 70_001, end: 70_900 }),
            Range::Bytes(ByteRange { start: 0, end: 40 }),
        ] {
            assert_eq!(pages(&wide, range.clone(), NUMBERED, 256), pages(&narrow, range, NUMBERED, 256));
        }
        assert_eq!(
            pages(&wide, Range::Lines(LineRange { start: 1, end: u64::MAX }), PLAIN, 100_000).concat(),
            text
        );
    }
}

proptest! {
    #[test]
    fn pages_join_to_the_artifact(bytes in artifact(), max in 256u32..700) {
        let whole = String::from_utf8_lossy(&bytes).into_owned();
        let store = One(bytes);
        for range in [Range::Lines(LineRange { start: 1, end: u64::MAX }), Range::Bytes(ByteRange { start: 0, end: u64::MAX })] {
            prop_assert_eq!(pages(&store, range, PLAIN, max).concat(), &*whole);
        }
    }

    #[test]
    fn every_range_returns_its_bytes(bytes in artifact(), a in 0u64..1_500, b in 0u64..1_500, max in 256u32..700) {
        let store = One(bytes.clone());
        let (from, to) = (a.min(b).min(bytes.len() as u64), a.max(b));
        let shown = pages(&store, Range::Bytes(ByteRange { start: from, end: to }), PLAIN, max).concat();
        if from < to {
            let (start, _) = lossy::unit_around(&bytes, from as usize);
            let (_, end) = lossy::unit_around(&bytes, (to as usize).min(bytes.len()));
            prop_assert_eq!(shown, String::from_utf8_lossy(&bytes[start..end]));
        }
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
        if a > 0 {
            let last = lines[lines.len().saturating_sub(a as usize)..].concat();
            prop_assert_eq!(pages(&store, Range::LastLines(a), PLAIN, max).concat(), String::from_utf8_lossy(&last));
        }
        if let Some(first) = (a as usize).checked_rem(lines.len()) {
            let last = (first + b as usize % 5).min(lines.len() - 1);
            let range = Range::Lines(LineRange { start: first as u64 + 1, end: last as u64 + 1 });
            let expected = lines[first..=last].concat();
            prop_assert_eq!(pages(&store, range, PLAIN, max).concat(), String::from_utf8_lossy(&expected));
        }
    }

    #[test]
    fn numbered_pages_contain_every_line(bytes in artifact(), max in 256u32..700) {
        let store = One(bytes.clone());
        let mut shown = String::new();
        for page in pages(&store, Range::Lines(LineRange { start: 1, end: u64::MAX }), NUMBERED, max) {
            for line in page.split_inclusive('\n') {
                let (_, rest) = line.split_once('\t').unwrap();
                shown += rest;
            }
        }
        prop_assert_eq!(shown, String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_cursor_panics(cursor in "\\PC{0,20}|r(\\.[0-9a-z]{1,6}){6}", max in 256u32..400) {
        let error = read(&One(b"text".to_vec()), "art", &Range::Cursor(cursor), &ReadOptions { max_bytes: Some(max), ..NUMBERED }).unwrap_err();
        prop_assert_eq!(error.kind, crate::ErrorKind::InvalidInput);
    }

    #[test]
    fn no_forged_cursor_panics(fields in any::<[u64; 5]>(), small in any::<[u8; 5]>()) {
        for fields in [fields, small.map(u64::from)] {
            let cursor = cursor::write(QueryKind::Read, &["art"], &fields);
            if let Ok(page) = read(&One("é\nb".repeat(50).into_bytes()), "art", &Range::Cursor(cursor), &ReadOptions { max_bytes: Some(256), ..NUMBERED }) {
                prop_assert!(page.text.len() <= 256 && !page.text.is_empty());
            }
        }
    }
}
