//! Finds borders at which a document can be split: between records, lines or graphemes.
//!
//! The border for an offset is the first border of a record at or after it, if that is near
//! enough; otherwise the first border of a line; otherwise of a grapheme.

use std::error::Error as StdError;

use tuckaway_json::input::{PartReader, Stream};
use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_search::find;
use tuckaway_search::source::Window;
use tuckaway_text::cut::MAX_GRAPHEME_BYTES;

use crate::host::{Failed, Format, Host};
use crate::measure::bytes;

/// Maximum containers that a search for the records of a document enters.
const MAX_LEVELS: usize = 8;

/// A wanted border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The offset.
    pub at: u64,
    /// The last offset that is near enough for a record or a line.
    pub until: u64,
}

/// Returns a border for each wanted one; they are in order.
pub fn borders(host: &dyn Host, wanted: &[Wanted]) -> Result<Vec<u64>, Failed> {
    let of_records = match host.format() {
        Format::Json => json_borders(host, wanted)?,
        Format::Table => table_borders(host, wanted)?,
        Format::Lines | Format::Binary => vec![None; wanted.len()],
    };
    wanted
        .iter()
        .zip(of_records)
        .map(|(wanted, record)| match record.filter(|&border| border <= wanted.until) {
            Some(border) => Ok(border),
            None => line_or_grapheme(host, *wanted),
        })
        .collect()
}

/// Returns the first border of a line, or of a grapheme if no line ends near enough.
fn line_or_grapheme(host: &dyn Host, wanted: Wanted) -> Result<u64, Failed> {
    let Some(before) = wanted.at.checked_sub(1) else { return Ok(0) };
    if wanted.at >= host.size() {
        return Ok(host.size());
    }
    // The offset is a border if a line feed precedes it.
    let text = bytes(host, before, wanted.until.min(host.size()))?;
    if let Some(feed) = find::byte(b'\n', &text) {
        return Ok(before + feed as u64 + 1);
    }
    grapheme(host, wanted.at)
}

/// Returns the first border of a grapheme at or after an offset; in invalid UTF-8, the first
/// border of a character.
fn grapheme(host: &dyn Host, at: u64) -> Result<u64, Failed> {
    let start = at.saturating_sub(MAX_GRAPHEME_BYTES as u64);
    let around = bytes(host, start, at + MAX_GRAPHEME_BYTES as u64)?;
    let is_within = |byte: &&u8| **byte & 0xC0 == 0x80;
    let skip = |from: usize| from + around[from..].iter().take(3).take_while(is_within).count();
    let (first, cut) = (skip(0), skip((at - start) as usize));
    // The last character may be incomplete.
    let valid = match std::str::from_utf8(&around[first..]) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&around[first..first + error.valid_up_to()]).unwrap_or_default(),
    };
    Ok(match cut.checked_sub(first).filter(|&cut| cut < valid.len()) {
        Some(cut) => start + (first + tuckaway_text::cut::ceil_grapheme(valid, cut)) as u64,
        None => start + cut as u64,
    })
}

/// Returns the first border of a row for each wanted one: after a line feed outside quotes.
fn table_borders(host: &dyn Host, wanted: &[Wanted]) -> Result<Vec<Option<u64>>, Failed> {
    let mut borders = Vec::with_capacity(wanted.len());
    let mut window = Window::open(host, 0)?;
    let mut is_quoted = false;
    loop {
        let (start, part) = (window.start(), window.bytes());
        let mut from = 0;
        while let Some(at) = find::any_byte([b'\n', b'"', b'"'], &part[from..]) {
            let at = from + at;
            from = at + 1;
            if part[at] == b'"' {
                is_quoted = !is_quoted;
            } else if !is_quoted {
                let border = start + from as u64;
                while wanted.get(borders.len()).is_some_and(|wanted| wanted.at <= border) {
                    borders.push(Some(border));
                }
            }
        }
        let used = part.len();
        if borders.len() == wanted.len() || !window.advance(used)? {
            borders.resize(wanted.len(), None);
            return Ok(borders);
        }
    }
}

/// Returns the first border of a record for each wanted one, in the container that holds most
/// of the document.
fn json_borders(host: &dyn Host, wanted: &[Wanted]) -> Result<Vec<Option<u64>>, Failed> {
    let mut records = Vec::with_capacity(wanted.len());
    let (mut start, mut end) = (0, host.size());
    for _ in 0..MAX_LEVELS {
        records.clear();
        let Some(largest) = visit_children(host, start, |child| {
            while wanted.get(records.len()).is_some_and(|wanted| wanted.at <= child) {
                records.push(Some(child));
            }
        })?
        else {
            break;
        };
        if largest.end - largest.start <= (end - start) / 2 {
            break;
        }
        (start, end) = (largest.start, largest.end);
    }
    records.resize(wanted.len(), None);
    Ok(records)
}

/// A container inside another one.
struct Child {
    start: u64,
    end: u64,
}

/// Calls `visit` with the start of each child of the container that begins at `start`.
/// Returns the largest container among them; none if there is none, or if the text is not
/// valid JSON up to its end.
fn visit_children(host: &dyn Host, start: u64, mut visit: impl FnMut(u64)) -> Result<Option<Child>, Failed> {
    let mut scanner = match start {
        // A byte order mark may come first.
        0 => Scanner::new(Stream::open(Reader(host), 0)),
        _ => Scanner::at_value(Stream::open(Reader(host), start)),
    };
    scanner.drop_texts();
    let mut largest: Option<Child> = None;
    // A member of an object begins with its key.
    let mut begins_child = true;
    let is_container = matches!(scanner.next_token(), Ok(Some(token)) if token.kind.opens());
    let is_whole = is_container
        && loop {
            let Ok(Some(token)) = scanner.next_token() else { break false };
            if scanner.depth() == 0 {
                break true;
            }
            if begins_child {
                visit(token.start);
            }
            begins_child = token.kind != TokenKind::Key;
            if token.kind.opens() {
                let Ok(end) = scanner.skip_container() else { break false };
                if largest.as_ref().is_none_or(|child| end.end - token.start > child.end - child.start) {
                    largest = Some(Child { start: token.start, end: end.end });
                }
            }
        };
    if scanner.input().failure().is_some() {
        return Err(Failed);
    }
    Ok(largest.filter(|_| is_whole))
}

/// Reads a document for the scanner.
struct Reader<'h>(&'h dyn Host);

impl PartReader for Reader<'_> {
    fn read(&mut self, offset: u64, _: usize, _: usize) -> Result<Vec<u8>, Box<dyn StdError>> {
        /// Bytes of one read.
        const PART: usize = 256 << 10;
        self.0.read_at(offset, PART).map_err(|Failed| "the host failed to read".into())
    }
}
