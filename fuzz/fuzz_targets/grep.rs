//! grep finds the same matches in each line as plain regex-lite in the displayed line, page by
//! page, for any pattern and bytes. A cursor that was tampered with does not crash it.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use regex_lite::RegexBuilder;
use tuckaway::{Engine, ErrorKind, GrepQuery, Matches};
use tuckaway_fuzz::{OneArtifact, Quarters};
use tuckaway_text::encoding::Encoding;

/// Pieces of patterns: most sequences of them are valid.
const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "x",
    "é",
    "漢",
    "\u{FFFD}",
    ".",
    "^",
    "$",
    "*",
    "+",
    "?",
    "|",
    "(",
    ")",
    "(?:",
    "(?i)",
    "(?m)",
    "(?s)",
    "(?R)",
    "(?U)",
    "(?x)",
    "{2}",
    "{1,3}",
    "{0,2}?",
    "[ab]",
    "[^a]",
    "[é-漢]",
    r"[\w-]",
    "[[:alpha:]]",
    r"\b",
    r"\B",
    r"\d",
    r"\w",
    r"\s",
    r"\W",
    r"\D",
    r"\S",
    r"\A",
    r"\z",
    r"\b{start}",
    r"\b{end-half}",
    r"\x61",
    " ",
    "#",
    "\r",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "-",
    "&&",
    "0",
    "needle",
    "NEEDLE",
];

#[derive(Arbitrary, Debug)]
struct Search {
    pattern: Vec<u8>,
    fixed_string: bool,
    ignore_case: bool,
    invert: bool,
    before_context: u8,
    after_context: u8,
    max_matches: u8,
    max_bytes: u16,
    /// The replacement of a cursor, if it is tampered with.
    cursor: Option<(u8, u8)>,
}

fuzz_target!(|input: (Vec<u8>, Search)| {
    let (bytes, search) = input;
    let pattern: String = search.pattern.iter().map(|&n| PIECES[usize::from(n) % PIECES.len()]).collect();
    let store = OneArtifact(bytes.clone().into());
    let engine = Engine::new(&store, &Quarters);
    let max_bytes = u32::from(search.max_bytes).max(256);
    let mut query = GrepQuery {
        pattern,
        fixed_string: search.fixed_string,
        ignore_case: search.ignore_case,
        invert: search.invert,
        before_context: (search.before_context % 4).into(),
        after_context: (search.after_context % 4).into(),
        each_match: false,
        max_matches: (search.max_matches > 0).then(|| search.max_matches.into()),
        cursor: None,
    };
    let (mut found, mut total) = (Vec::new(), None);
    loop {
        let page = match engine.grep("art", &query, Some(max_bytes)) {
            Ok(page) => page,
            Err(error) => {
                let is_expected = matches!(error.kind, ErrorKind::InvalidInput | ErrorKind::Unsupported);
                assert!(error.message.len() <= 1_024 && is_expected, "{error}");
                // An invalid pattern and a binary artifact are rejected before the first page.
                assert!(found.is_empty());
                return;
            }
        };
        assert!(rendered(&page) <= max_bytes as usize);
        total = total.or(page.total);
        found.extend(page.matches.iter().map(|m| (m.line, m.column, m.byte_offset)));
        let Some(next) = page.next else { break };
        assert!(!page.matches.is_empty(), "a page with a next one has made progress");
        if let Some((at, to)) = search.cursor {
            let mut changed: Vec<char> = next.chars().collect();
            let at = usize::from(at) % changed.len();
            changed[at] = char::from(to % 128);
            let query = GrepQuery { cursor: Some(changed.into_iter().collect()), ..query.clone() };
            let _ = engine.grep("art", &query, Some(max_bytes));
        }
        query.cursor = Some(next);
    }
    let decoded = Encoding::of(&bytes).map(|encoding| encoding.decode(&bytes).into_bytes());
    let bytes = decoded.unwrap_or(bytes);
    // Overstruck characters are not compared: they are searched as they look.
    if bytes.contains(&0x08) {
        return;
    }
    let expected = expected(&bytes, &query);
    assert_eq!(found, expected, "{query:?}");
    assert_eq!(total, Some(expected.len() as u64));
});

/// Returns the line, column and byte of each requested line, by a loop over the lines after
/// the byte order mark.
fn expected(bytes: &[u8], query: &GrepQuery) -> Vec<(u64, u64, u64)> {
    let escaped = regex_lite::escape(&query.pattern);
    let pattern = if query.fixed_string { &escaped } else { &query.pattern };
    let regex = RegexBuilder::new(pattern).case_insensitive(query.ignore_case).nest_limit(64).build();
    let regex = regex.expect("a pattern that grep accepted");
    let text = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    let (mut wanted, mut offset) = (Vec::new(), (bytes.len() - text.len()) as u64);
    // A carriage return that the pattern names is part of the line.
    let line_end: &[u8] = if query.pattern.contains('\r') { b"\n" } else { b"\r\n" };
    for (line, number) in text.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        let bare = line.strip_suffix(line_end).or(line.strip_suffix(b"\n")).unwrap_or(line);
        let shown = String::from_utf8_lossy(bare);
        match regex.find(&shown) {
            Some(found) if !query.invert => {
                let before = shown[..found.start()].chars().count();
                wanted.push((number, before as u64 + 1, offset + bytes_of(bare, before)));
            }
            None if query.invert => wanted.push((number, 1, offset)),
            _ => {}
        }
        offset += line.len() as u64;
    }
    wanted
}

/// Returns the number of bytes of the first displayed characters.
fn bytes_of(line: &[u8], characters: usize) -> u64 {
    let sizes = line.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(char::len_utf8);
        valid.chain(Some(chunk.invalid().len()).filter(|&length| length > 0))
    });
    sizes.take(characters).sum::<usize>() as u64
}

/// Returns the bytes of a page's lines, numbered as grep does.
fn rendered(page: &Matches) -> usize {
    let line = |number: u64, text: &String| number.to_string().len() + 1 + text.len() + 1;
    let lines = |m: &tuckaway::Match| {
        let first = m.line - m.before.len() as u64;
        let before: usize = m.before.iter().zip(first..).map(|(text, number)| line(number, text)).sum();
        let after: usize = m.after.iter().zip(m.line + 1..).map(|(text, number)| line(number, text)).sum();
        before + line(m.line, &m.text) + after
    };
    page.matches.iter().map(lines).sum()
}
