//! Queries on an artifact of 1 GiB, which must be answered with only a small part of it in
//! memory at a time.

mod rows;

use tuckaway::{
    CountTokens, Engine, Error, GrepQuery, JqQuery, LineRange, Match, Matches, Outputs, Page, Range,
    ReadOptions,
};

pub use rows::{ROW_BYTES, ROWS, Rows};

/// Runs queries on [`Rows`].
#[allow(missing_docs)] // wit/ documents each
pub trait QueryRows {
    fn rows(&self) -> &Rows;
    fn read(&self, range: &Range) -> Result<Page, Error>;
    fn grep(&self, query: &GrepQuery) -> Result<Matches, Error>;
    fn jq(&self, query: &JqQuery) -> Result<Outputs, Error>;
}

/// The native engine, over its own rows.
#[derive(Default)]
pub struct NativeRows(Rows);

impl NativeRows {
    fn engine(&self) -> Engine<'_> {
        Engine::new(&self.0, &NoTokens)
    }
}

impl QueryRows for NativeRows {
    fn rows(&self) -> &Rows {
        &self.0
    }

    fn read(&self, range: &Range) -> Result<Page, Error> {
        self.engine().read("rows", range, &ReadOptions::default())
    }

    fn grep(&self, query: &GrepQuery) -> Result<Matches, Error> {
        self.engine().grep("rows", query, None)
    }

    fn jq(&self, query: &JqQuery) -> Result<Outputs, Error> {
        self.engine().jq("rows", query, None)
    }
}

struct NoTokens;

impl CountTokens for NoTokens {
    fn count(&self, _: &str) -> Result<u64, String> {
        Err("no query counts tokens".to_owned())
    }
}

/// Bytes that may be read in excess of an answer's needs.
const SLACK: u64 = 4 << 20;

/// A row far inside the document.
const FAR: u64 = 999_999;

/// Checks reading lines: the first ones, one far inside, the last ones.
pub fn lines_are_read(engine: &dyn QueryRows) {
    let rows = engine.rows();
    rows.take_read();
    let first = engine.read(&Range::Lines(LineRange { start: 1, end: u64::MAX })).expect("the first page");
    let second = engine.read(&Range::Cursor(first.next.expect("more"))).expect("the second page");
    let both = first.text + &second.text;
    assert_eq!(both.as_bytes(), rows.bytes(0, both.len() as u64));
    let last = engine.read(&Range::LastLines(2)).expect("the last lines").text;
    assert_eq!(last.as_bytes(), rows.bytes(Rows::SIZE - last.len() as u64, last.len() as u64));
    assert_eq!(last.lines().count(), 2);
    let read = rows.take_read();
    assert!(read < SLACK, "{read} bytes");
    for row in [FAR, FAR - 1] {
        let line = Rows::line_of(row);
        let far =
            engine.read(&Range::Lines(LineRange { start: line, end: line })).expect("a line far inside");
        assert!(far.text.starts_with(&format!("{{\"id\":  {row}, ")), "{}", far.text);
        assert_eq!((far.text.len() as u64, far.next), (ROW_BYTES, None));
        // Once found, the line's offset is known.
        let (read, most) = (rows.take_read(), if row == FAR { Rows::SIZE + SLACK } else { SLACK });
        assert!(read < most, "{read} bytes for line {line}");
    }
}

/// Checks searching lines: by literals, by patterns without one, and without a match.
pub fn lines_are_searched(engine: &dyn QueryRows) {
    let numbers = |pattern: &str| -> Vec<u64> {
        let found = all_matches(engine, pattern);
        found.iter().map(|found| found.line - Rows::line_of(0)).collect()
    };
    assert_eq!(numbers("row 0999999"), [FAR]);
    assert_eq!(numbers("row 0123456|row 0654321|lines"), [123_456, 654_321]);
    let (of_fours, fours) =
        (numbers("[45]{6}"), |n: &u64| n.to_string().bytes().all(|b| matches!(b, b'4' | b'5')));
    assert_eq!(of_fours, (400_000..600_000).filter(fours).collect::<Vec<_>>());
    assert_eq!(numbers("row 1999999"), [0; 0]);
}

/// Returns the matches of all pages.
fn all_matches(engine: &dyn QueryRows, pattern: &str) -> Vec<Match> {
    let mut query =
        GrepQuery { pattern: pattern.to_owned(), max_matches: Some(1_000), ..GrepQuery::default() };
    let mut all = Vec::new();
    engine.rows().take_read();
    let mut from = 0;
    loop {
        let page = engine.grep(&query).expect(pattern);
        // A page continues where the previous one ended; the first one reads to the end for
        // the total.
        let read = engine.rows().take_read();
        assert!(read < Rows::SIZE - from + SLACK, "{read} bytes from {from} for {pattern}");
        from = page.matches.last().map_or(from, |last| last.byte_offset);
        all.extend(page.matches);
        query.cursor = page.next;
        if query.cursor.is_none() {
            return all;
        }
    }
}

/// Checks filters that begin with paths.
pub fn paths_are_followed(engine: &dyn QueryRows) {
    let rows = engine.rows();
    let run = |filter: &str, cursor: Option<String>| {
        rows.take_read();
        let query = JqQuery { filter: filter.to_owned(), compact: true, cursor, ..JqQuery::default() };
        let outputs = engine.jq(&query).expect(filter);
        assert_eq!(outputs.failure, None, "{filter}");
        (outputs, rows.take_read())
    };
    // One pass; only small parts of the document are read twice.
    let (one, read) = run(".rows[] | select(.id == 999999) | .name", None);
    assert_eq!((&*one.text, one.next), ("\"row 0999999\"\n", None));
    assert!(read < Rows::SIZE + SLACK, "{read} bytes");

    // The first page checks the whole document. The next page does not check it again: it
    // begins where the first one ended.
    let even = ".rows[] | select(.even) | .id";
    let (first, read) = run(even, None);
    assert!(read < Rows::SIZE + SLACK, "{read} bytes");
    let shown = 2 * first.text.lines().count() as u64;
    let (second, read) = run(even, first.next);
    assert_eq!(second.text.lines().next(), Some(&*shown.to_string()));
    assert!(read < 2 * shown * ROW_BYTES + SLACK, "{read} bytes for {shown} rows");

    let values = "(.rows | length), .meta.by, .last[1], .rows[900000].name, (.rows[-4000:-3998] | map(.id))";
    let (values, _) = run(values, None);
    let from_end = ROWS - 4_000;
    let expected = format!("{ROWS}\n\"row\"\n2\n\"row 0900000\"\n[{from_end},{}]\n", from_end + 1);
    assert_eq!((values.text, values.next), (expected, None));
}
