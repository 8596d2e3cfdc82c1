//! Detects from its head whether a text is a table, and in which dialect.

use crate::line::{level, time};
use crate::sample::Sample;

use super::cells::{Cell, Cells};
use crate::columns::{Class, class, number};
use tuckaway_search::find;
use tuckaway_text::order;

/// Bytes of the head that are inspected.
const HEAD_BYTES: usize = 64 << 10;
/// Records of the head that are inspected.
const RECORDS: usize = 200;
/// Lines before the table, such as a title or comments, that are skipped.
const MAX_PREAMBLE: usize = 10;
/// The longest name of a column, in a table that has few other signs.
const NAME_BYTES: usize = 40;

/// The notation of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The byte that separates cells.
    pub delimiter: u8,
    /// The first record has the columns' names.
    pub has_header: bool,
    /// The number of cells that most records have.
    pub columns: usize,
    /// The offset of the table's first record.
    pub start: usize,
}

/// Returns a table without the line in which psql counts its rows.
pub fn without_count(bytes: &[u8]) -> &[u8] {
    let text = bytes.trim_ascii_end();
    let Some(feed) = find::last_byte(b'\n', text) else { return bytes };
    let count = text[feed + 1..].strip_prefix(b"(").and_then(|line| line.strip_suffix(b")"));
    let words = count.and_then(|count| count.strip_suffix(b" rows").or(count.strip_suffix(b" row")));
    let counts_rows = words.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    if counts_rows { &bytes[..feed + 1] } else { bytes }
}

/// Cells between commas.
impl Default for Dialect {
    fn default() -> Self {
        Dialect { delimiter: b',', has_header: false, columns: 0, start: 0 }
    }
}

impl Dialect {
    /// Returns the dialect in which most of a text's head is a table. None if that is not
    /// certain: prose with commas, code, logs.
    pub fn of(bytes: &[u8]) -> Option<Dialect> {
        let bom = if bytes.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        let end = bytes.len().min(bom + HEAD_BYTES);
        let head = match bytes.len() > end {
            true => &bytes[..find::last_byte(b'\n', &bytes[..end])? + 1],
            false => bytes,
        };
        let first = *head.get(bom..)?.trim_ascii_start().first()?;
        if b"{[<".contains(&first) || head.contains(&0) || is_of_another(head) {
            return None;
        }
        let whole = head.len() == bytes.len();
        b"\t,;|"
            .iter()
            .filter_map(|&delimiter| Candidate::of(head, bom, delimiter, whole))
            .fold(None, |best: Option<(u64, Dialect)>, candidate| match best {
                Some(best) if best.0 >= candidate.0 => Some(best),
                _ => Some(candidate),
            })
            .map(|(_, dialect)| dialect)
    }

    /// Returns the name of the delimiter.
    pub fn delimiter_name(&self) -> &'static str {
        match self.delimiter {
            b'\t' => "tab",
            b';' => "semicolon",
            b'|' => "bar",
            _ => "comma",
        }
    }

    /// Returns `CSV` or `TSV`.
    pub fn name(&self) -> &'static str {
        if self.delimiter == b'\t' { "TSV" } else { "CSV" }
    }
}

/// The head of a text, split at one delimiter.
struct Candidate<'a> {
    head: &'a [u8],
    delimiter: u8,
    records: Vec<(usize, Vec<Cell<'a>>)>,
    columns: usize,
}

impl<'a> Candidate<'a> {
    /// Returns the dialect with this delimiter, and how likely it is.
    fn of(head: &'a [u8], start: usize, delimiter: u8, whole: bool) -> Option<(u64, Dialect)> {
        find::byte(delimiter, head)?;
        let mut cells = Cells::new(head, start, delimiter);
        let mut records: Vec<(usize, Vec<Cell>)> = vec![(start, Vec::new())];
        while let Some(cell) = cells.next() {
            if !whole && !cells.knows_quotes() {
                // The head may end within a cell.
                break;
            }
            records.last_mut()?.1.push(cell);
            if cell.is_last {
                if records.len() == RECORDS {
                    break;
                }
                records.push((cells.offset(), Vec::new()));
            }
        }
        records.retain(|(_, cells)| cells.last().is_some_and(|cell| cell.is_last));
        let columns = most_common(records.iter().map(|(_, cells)| cells.len()))?;
        let preamble =
            records.iter().take(MAX_PREAMBLE).take_while(|(_, cells)| cells.len() != columns).count();
        records.drain(..preamble);
        records.first().filter(|(_, cells)| cells.len() == columns)?;
        let candidate = Candidate { head, delimiter, records, columns };
        let same = candidate.consistent()?;
        let has_header = candidate.has_header();
        candidate.is_certain(has_header).then(|| {
            let start = candidate.records[0].0;
            // A header without a preamble is evidence against splitting `1,5;2,5` at commas.
            let all = (candidate.records.len() + preamble) as u64;
            let weight = (1 + u64::from(has_header)) * columns.min(1_000) as u64;
            (same * 100 / all * weight, Dialect { delimiter, has_header, columns, start })
        })
    }

    /// Returns the number of records with the same number of cells. None if they are too few, or if
    /// cells are mostly empty or parts of other text.
    fn consistent(&self) -> Option<u64> {
        let (all, columns) = (self.records.len() as u64, self.columns);
        let same = self.of_width(0).count() as u64;
        let cells_in =
            |column: usize| self.of_width(0).filter(|cells| !cells[column].bytes.is_empty()).count() as u64;
        let filled = (0..columns).filter(|&column| cells_in(column) * 10 > same).count();
        if same < 2 || filled < 2 || same * 100 < all * 90 {
            return None;
        }
        // Indented text has tabs, and code ends its lines with delimiters.
        let is_indented =
            |(start, _): &&(usize, Vec<Cell>)| matches!(self.head.get(*start), Some(b' ' | b'\t'));
        let first_empty = self.of_width(0).filter(|cells| cells[0].bytes.is_empty()).count() as u64;
        let parts = self.of_width(0).filter(|cells| cells.iter().any(has_open_bracket)).count() as u64;
        let indented = self.records.iter().filter(is_indented).count() as u64;
        let aligned = self.of_width(0).filter(|cells| cells.iter().any(has_aligned_columns)).count() as u64;
        let has_rules = self.of_width(0).any(is_rule);
        let is_table = first_empty * 2 < same && indented * 2 < same && parts * 5 <= same;
        (is_table && aligned * 2 < same && !has_rules).then_some(same)
    }

    /// Returns whether there are more signs of a table than the delimiters.
    fn is_certain(&self, has_header: bool) -> bool {
        let rows = self.of_width(0).count();
        let has_types = (0..self.columns).any(|column| self.is_typed(column));
        if self.delimiter == b',' && self.splits_seconds() {
            return false;
        }
        let named = has_header && self.records[0].1.iter().all(|cell| is_name(cell.bytes));
        let is_quoted = self.of_width(0).all(|cells| cells.iter().any(|cell| cell.is_quoted));
        match (self.is_spaced(), rows) {
            // Prose has commas with spaces behind them.
            (true, _) => {
                is_quoted
                    || has_types && named
                    || has_types && rows > 3
                    || rows > 5 && named && self.columns > 2
            }
            (false, 2) => has_types || is_quoted || named && self.columns > 2,
            (false, _) => has_types || is_quoted || named || self.columns > 3,
        }
    }

    /// Returns the records with as many cells as most have, from an index on.
    fn of_width(&self, from: usize) -> impl Iterator<Item = &[Cell<'a>]> {
        let columns = self.columns;
        self.records
            .iter()
            .skip(from)
            .map(|(_, cells)| cells.as_slice())
            .filter(move |cells| cells.len() == columns)
    }

    /// Returns whether the first record names columns: it has no numbers or dates, no
    /// name twice, and no name that is a value below.
    fn has_header(&self) -> bool {
        let Some((_, names)) = self.records.first() else { return false };
        let empty = names.iter().filter(|name| name.bytes.is_empty()).count();
        let is_value = |name: &Cell| class(name.bytes) > Class::String || name.bytes.starts_with(b":");
        if empty * 2 > names.len() || names.iter().any(is_value) {
            return false;
        }
        let mut sorted: Vec<&[u8]> =
            names.iter().map(|name| name.bytes).filter(|name| !name.is_empty()).collect();
        order::sort(&mut sorted);
        // Tables that were joined repeat the header.
        let is_header = |row: &&[Cell]| row.iter().zip(names).all(|(cell, name)| cell.bytes == name.bytes);
        let rows: Vec<&[Cell]> = self.of_width(1).filter(|row| !is_header(row)).collect();
        let is_repeated = |(column, name): (usize, &Cell)| {
            !name.bytes.is_empty() && rows.iter().any(|row| row[column].bytes == name.bytes)
        };
        let has_types = (0..self.columns).any(|column| self.is_typed(column));
        has_types
            || (sorted.windows(2).all(|pair| pair[0] != pair[1])
                && !names.iter().enumerate().any(is_repeated))
    }

    /// Returns whether most cells of a column, below the first record, are numbers, dates or
    /// similar values.
    fn is_typed(&self, column: usize) -> bool {
        let (mut typed, mut all) = (0, 0);
        for row in self.of_width(1) {
            let cell = row[column].bytes;
            typed += usize::from(class(cell) > Class::String || is_loose_number(cell));
            all += usize::from(!cell.is_empty());
        }
        all > 0 && typed * 5 >= all * 4
    }

    /// Returns whether most delimiters have a space after them, as in prose.
    fn is_spaced(&self) -> bool {
        let (mut spaced, mut all) = (0, 0);
        for cell in self.of_width(0).flat_map(|cells| &cells[1..]) {
            spaced += usize::from(cell.is_spaced);
            all += 1;
        }
        matches!(self.delimiter, b',' | b';') && spaced * 2 > all
    }

    /// Returns whether the comma is that of `15:37:56,547` before a log's message.
    fn splits_seconds(&self) -> bool {
        let split = |cells: &&[Cell]| {
            let (time, rest) = (cells[0].bytes, cells[1].bytes);
            let seconds = time.len().checked_sub(3).map(|at| &time[at..]);
            seconds.is_some_and(|s| s[0] == b':' && s[1..].iter().all(u8::is_ascii_digit))
                && rest.len() > 3
                && rest[..3].iter().all(u8::is_ascii_digit)
                && rest[3] == b' '
        };
        self.of_width(0).filter(split).count() * 2 > self.records.len()
    }
}

/// Returns whether a cell is a number as people write it: with separators, a currency or a
/// percent sign.
fn is_loose_number(cell: &[u8]) -> bool {
    let cell = cell.strip_prefix(b"$").or(cell.strip_prefix("€".as_bytes())).unwrap_or(cell);
    let cell = cell.strip_suffix(b"%").unwrap_or(cell);
    let digits = cell.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits > 0 && cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.,' ".contains(byte))
        || number(cell).is_some()
}

/// Returns whether a cell can be a column's name: short, and not a sentence.
fn is_name(cell: &[u8]) -> bool {
    cell.len() <= NAME_BYTES
        && cell.split(|byte| *byte == b' ').count() <= 5
        && !matches!(cell.last(), Some(b'.' | b':' | b'!' | b'?'))
}

/// Returns whether a bracket in a cell is closed or opened elsewhere.
fn has_open_bracket(cell: &Cell) -> bool {
    let mut open = [0i32; 3];
    if cell.is_quoted {
        return false;
    }
    for byte in cell.bytes {
        match byte {
            b'(' => open[0] += 1,
            b')' => open[0] -= 1,
            b'[' => open[1] += 1,
            b']' => open[1] -= 1,
            b'{' => open[2] += 1,
            b'}' => open[2] -= 1,
            _ => {}
        }
    }
    open != [0; 3]
}

/// Returns the most common number; among equally common ones, the largest. None if
/// it is less than 2.
fn most_common(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let mut numbers: Vec<usize> = numbers.collect();
    order::sort(&mut numbers);
    let runs = numbers.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map(|run| run[0]).filter(|&number| number >= 2)
}

/// Returns whether a head is a dump of a database, which has tables between commands, or annotations
/// for GitHub Actions, which have commas.
fn is_of_another(head: &[u8]) -> bool {
    let is_dump = || find::text(b" FROM stdin;\n", head).is_some();
    head.starts_with(b"::error ")
        || head.starts_with(b"::warning ")
        || find::text(b"COPY ", head).is_some() && is_dump()
}

/// Returns whether spaces align columns within a cell, so that the delimiter is another.
fn has_aligned_columns(cell: &Cell) -> bool {
    !cell.is_quoted && find::text(b"    ", cell.bytes.trim_ascii()).is_some()
}

/// Returns whether a record is a line of dashes that separates others.
fn is_rule(cells: &[Cell]) -> bool {
    cells.iter().all(|cell| cell.bytes.len() > 2 && cell.bytes.iter().all(|byte| *byte == b'-'))
}

/// Lines that are inspected for the columns of a log.
const LOG_LINES: usize = 300;

/// Returns whether lines have the columns of Windows' logs, which follow a comma:
/// `2016-09-28 04:30:30, Info      CBS    …`.
pub fn has_log_columns(sample: &Sample) -> bool {
    let (mut in_columns, mut lines) = (0, 0);
    for text in sample.lines().take(LOG_LINES) {
        lines += 1;
        let after = time::at_start(text.as_bytes(), time::NO_FORM)
            .and_then(|(len, _)| text[len..].strip_prefix(", "));
        let level = after.and_then(|after| after.split_once("    "));
        in_columns += usize::from(level.is_some_and(|(word, _)| level::of_word(word.as_bytes()).is_some()));
    }
    in_columns * 2 > lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dialect(text: &str) -> Option<(u8, bool, usize, usize)> {
        Dialect::of(text.as_bytes()).map(|d| (d.delimiter, d.has_header, d.columns, d.start))
    }

    #[test]
    fn dialects_are_detected() {
        for (text, expected) in [
            ("id,name,score\n1,Ann,3.5\n", (b',', true, 3, 0)),
            ("1,Ann,3.5\n2,Bob,4\n", (b',', false, 3, 0)),
            ("\u{FEFF}id;price\r\n1;3,5\r\n2;4,25\r\n", (b';', true, 2, 3)),
            ("name\tcity\nAnn\tParis\nBob\tOslo\n", (b'\t', true, 2, 0)),
            ("a|b|c\n1|2|3\n", (b'|', true, 3, 0)),
            ("\"a\",\"b\"\n\"x, y\",\"line\nfeed\"\n", (b',', true, 2, 0)),
            (
                "Sales report, 2026\n\nid,region,total\n1,North,10\n2,South,20\n3,West,5\n",
                (b',', true, 3, 19),
            ),
            ("# made by hand\nid,n\n1,2\n3,4\n5,6\n", (b',', true, 2, 15)),
            (",0,1\n0,a,b\n1,c,d\n", (b',', false, 3, 0)),
            ("yes,no,yes,a\nno,no,yes,b\nyes,yes,no,a\nno,yes,no,c\n", (b',', false, 4, 0)),
            ("name, age, city\nAnn, 31, Paris\nBob, 27, Oslo\n", (b',', true, 3, 0)),
        ] {
            assert_eq!(dialect(text), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn texts_with_delimiters_are_not_tables() {
        for text in [
            "",
            "a,b",
            "one\ntwo\nthree\n",
            "Dear Ann,\nthank you, it was nice,\nand so on.\n",
            "First, we look.\nThen, we leap.\nThen, we fall.\n",
            "Smith, John\nDoe, Jane\nRoe, Rick\n",
            "[1, 2]\n[3, 4]\n",
            "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4}\n",
            "int a, b;\nint c, d;\nint e, f;\n",
            "    foo(a, b),\n    foo(c, d),\n    foo(e, f),\n",
            "INSERT INTO t VALUES (1,'a');\nINSERT INTO t VALUES (2,'b');\n",
            "2026-01-01 15:37:56,547 INFO started\n2026-01-01 15:37:57,001 INFO ended\n",
            "\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n",
            "<a,b>\n<c,d>\n",
            "::error title=a,line=1,col=1::x\n::error title=b,line=2,col=1::y\n::error title=c,line=3,col=1::z\n",
            "COPY a (b, c) FROM stdin;\n1\t2\n3\t4\n5\t6\n\\.\n",
            "RAW\t  0         0         0\nUDP\t  1         1         0\nTCP\t  3         3         0\n",
            "1,0-1,6:       NAME     'a'\n1,7-1,9:       NAME     'b'\n1,9-1,10:      OP       'c'\n",
            "-----|-----|-----\nFile | a   | b\n-----|-----|-----\nAll  | 1   | 2\n",
            ":100644 100644 0d6f556 c9cf153 M\ta.md\n:100644 100644 ddbe520 2581d16 M\tb.md\n:100644 100644 1 2 M\tc\n",
        ] {
            assert_eq!(dialect(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_count_of_psql_is_no_row() {
        assert_eq!(without_count(b"id|n\n1|2\n(1 row)\n"), b"id|n\n1|2\n");
        for other in ["", "(1 row)", "a|b\n( rows)\n", "a|b\n(two rows)\n"] {
            assert_eq!(without_count(other.as_bytes()), other.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_accepted(
            lines in proptest::collection::vec("[a1 ,;|\t\"]{0,12}|[a-z]{1,5},[0-9]{1,3}", 0..40),
            bytes in proptest::collection::vec(any::<u8>(), 0..20),
        ) {
            let mut text = lines.join("\n").into_bytes();
            text.extend_from_slice(&bytes);
            if let Some(dialect) = Dialect::of(&text) {
                prop_assert!(dialect.columns >= 2 && dialect.start < text.len());
            }
        }
    }
}
