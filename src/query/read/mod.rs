//! Reads part of an artifact: lines, bytes, or the continuation of an earlier page.
//!
//! The cost of a page depends on its size, not on its offset: only the search for the
//! first line reads the bytes before it, once (see `index`). The last lines are
//! found from the artifact's end.

use tuckaway_contract::{ByteRange, Error, LineRange, Page, Range, ReadOptions};
use tuckaway_search::find;
use tuckaway_text::counted;

use super::Target;
use super::cursor::{self, Continued, QueryKind};
use super::index::{self, Unit};
use super::lossy;
use super::source::Source;
use tuckaway_search::source::ByteSource;

use crate::artifact::CHUNK_BYTES;
use crate::ports::Store;

/// How a page shows its lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineStyle {
    /// As they are.
    Plain,
    /// As `{number:>6}\t{line}`; a continued line begins with `{number:>6}+\t`.
    Numbered,
}

/// Reads one page of a range, at most `max_bytes` of the options long, line numbers included.
///
/// A page ends at the end of a line. If a single line is longer, the page ends between graphemes,
/// and the next page continues inside the line.
///
/// Errors: `invalid-input` for a `max_bytes` that is too small, and for a malformed
/// range or cursor, or one that begins past the end; those of the store.
pub fn read(store: &dyn Store, id: &str, range: &Range, options: &ReadOptions) -> Result<Page, Error> {
    let style = if options.line_numbers { LineStyle::Numbered } else { LineStyle::Plain };
    let max = super::page_bytes(options.max_bytes)?;
    let page = page(&Target::artifact(store, id).open()?, range, style, max)?;
    Ok(Page { text: page.text, next: page.next })
}

/// A page, with the data for a tool's reply.
pub(crate) struct ReadPage {
    /// The text.
    pub text: String,
    /// The cursor of the next page.
    pub next: Option<String>,
    /// The first and the last line of the page, complete or not; none if it is empty.
    pub lines: Option<(u64, u64)>,
    /// Whether the page ends within its last line.
    pub ends_within_line: bool,
    /// The bytes of the artifact in the page, `end` excluded.
    pub bytes: (u64, u64),
    /// The last requested line, if the range has one.
    pub last_line: Option<u64>,
    /// The size of the artifact.
    pub size_bytes: u64,
    /// The lines of the artifact, as the host counted them.
    pub line_count: u64,
    /// The name of the artifact's format if its first page is binary.
    pub binary: Option<&'static str>,
}

/// Reads like [`read`], with a validated `max`.
pub(crate) fn page(
    source: &Source<'_>,
    range: &Range,
    style: LineStyle,
    max: usize,
) -> Result<ReadPage, Error> {
    let id = &source.artifact().id;
    let start = match range {
        Range::Lines(LineRange { start, end }) => Position::of_lines(source, *start, *end),
        Range::LastLines(count) => Position::of_last_lines(source, *count),
        Range::Bytes(ByteRange { start, end }) => Position::of_bytes(source, *start, *end),
        Range::Cursor(cursor) => Position::of_cursor(source, id, cursor),
    };
    let mut start = start.map_err(|error| error.or_about("range"))?;
    if style == LineStyle::Numbered && start.line == UNKNOWN_LINE {
        start.line = 1 + index::count_before(source, Unit::Feed, start.offset)?;
    }
    let window = source.read_at(start.offset, max.saturating_add(tuckaway_text::cut::MAX_GRAPHEME_BYTES))?;
    let (text, at) = fill(&window, start, source.size(), style, max);
    let more = at.offset < source.size() && !at.end.is_reached(&at);
    Ok(ReadPage {
        binary: Some(&window).filter(|_| start.offset == 0).and_then(|head| super::binary_name(head)),
        lines: (at.offset > start.offset)
            .then(|| (start.line, if at.inside { at.line } else { at.line.saturating_sub(1) })),
        next: more.then(|| at.cursor(id)),
        ends_within_line: more && at.inside,
        bytes: (start.offset, at.offset),
        last_line: match at.end {
            End::Line(last) if last < u64::MAX => Some(last),
            _ => None,
        },
        size_bytes: source.size(),
        line_count: source.line_count(),
        text,
    })
}

/// Fills a page with the bytes from a position. Returns its text and its end.
fn fill(window: &[u8], start: Position, size: u64, style: LineStyle, max: usize) -> (String, Position) {
    let (mut at, mut text) = (start, String::new());
    let limit = match at.end {
        End::Byte(end) => end.min(size),
        End::Line(_) => size,
    };
    while at.offset < limit && !at.end.is_reached(&at) {
        let from = (at.offset - start.offset) as usize;
        let to = usize::try_from(limit - start.offset).map_or(window.len(), |end| end.min(window.len()));
        let rest = &window[from.min(to)..to];
        let prefix = match (style, at.inside) {
            (LineStyle::Plain, _) => String::new(),
            (LineStyle::Numbered, false) => format!("{:>6}\t", at.line),
            (LineStyle::Numbered, true) => format!("{:>6}+\t", at.line),
        };
        let left = max.saturating_sub(text.len() + prefix.len());
        let feed = find::byte(b'\n', &rest[..rest.len().min(left)]);
        // The whole line if the window contains it and the page has space for it.
        let whole = match feed {
            Some(feed) => Some(&rest[..=feed]),
            None if from + rest.len() == window.len() && at.offset + (rest.len() as u64) < limit => None,
            None if rest.len() > left => None,
            None => Some(rest),
        };
        let whole = whole.map(String::from_utf8_lossy).filter(|line| line.len() <= left);
        let (line, taken) = match whole {
            Some(line) => {
                let taken = feed.map_or(rest.len(), |feed| feed + 1);
                (line.into_owned(), taken)
            }
            None if text.is_empty() => lossy::head(rest, left),
            None => break,
        };
        if taken == 0 {
            break;
        }
        text += &prefix;
        text += &line;
        at.offset += taken as u64;
        at.inside = rest[taken - 1] != b'\n';
        at.line += u64::from(!at.inside && at.line != UNKNOWN_LINE);
        if at.inside {
            break;
        }
    }
    (text, at)
}

/// The bytes of the first read that searches for the last lines; each further read is
/// twice as long.
const TAIL_BYTES: usize = 64 << 10;

/// The end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// After the line of this number.
    Line(u64),
    /// Before this byte.
    Byte(u64),
}

impl End {
    fn is_reached(self, at: &Position) -> bool {
        match self {
            End::Line(last) => at.line > last,
            End::Byte(end) => at.offset >= end,
        }
    }
}

/// The number of a line that was found from the artifact's end. Only pages with line
/// numbers determine it, because that requires reading everything before it.
const UNKNOWN_LINE: u64 = 0;

/// The start or the end of a page.
#[derive(Clone, Copy, Debug)]
struct Position {
    offset: u64,
    /// The number of the line that contains the offset, from 1, or [`UNKNOWN_LINE`].
    line: u64,
    /// Whether the offset is inside that line rather than at its start.
    inside: bool,
    end: End,
}

impl Position {
    fn of_lines(source: &Source, first: u64, last: u64) -> Result<Self, Error> {
        if first == 0 {
            return Err(Error::invalid("Lines are counted from 1: there is no line 0."));
        }
        if first > last {
            return Err(Error::invalid(format!(
                "The range of lines ends at {last}, before it starts at {first}."
            )));
        }
        let at = |offset| Position { offset, line: first, inside: false, end: End::Line(last) };
        if first == 1 {
            return Ok(at(0));
        }
        let lines = match index::line_start(source, first)? {
            index::LineStart::Offset(offset) => return Ok(at(offset)),
            index::LineStart::PastEnd { lines } => lines,
        };
        let noun = source.words().noun;
        Err(Error::invalid(match lines {
            0 => format!("There is no line {first}: the {noun} is empty."),
            _ => format!("There is no line {first}: the {noun} has {}.", counted(lines, "line")),
        }))
    }

    /// Finds the last lines, reading backwards from the artifact's end.
    fn of_last_lines(source: &Source, count: u64) -> Result<Self, Error> {
        if count == 0 {
            return Err(Error::invalid("The last 0 lines were requested: ask for at least one."));
        }
        let size = source.size();
        let at = |offset| Position { offset, line: UNKNOWN_LINE, inside: false, end: End::Byte(size) };
        // Counts line feeds backwards. A line feed at the very end only terminates the last line.
        let (mut start, mut left, mut length) = (size, count, TAIL_BYTES);
        while start > 0 {
            let from = start.saturating_sub(length as u64);
            let chunk = source.read_at(from, (start - from) as usize)?;
            let mut feeds = &chunk[..];
            while let Some(feed) = find::last_byte(b'\n', feeds) {
                feeds = &feeds[..feed];
                let behind = from + feed as u64 + 1;
                if behind == size {
                    continue;
                }
                left -= 1;
                if left == 0 {
                    return Ok(at(behind));
                }
            }
            start = from;
            length = (length * 2).min(CHUNK_BYTES);
        }
        Ok(Position { line: 1, ..at(0) })
    }

    fn of_bytes(source: &Source, from: u64, to: u64) -> Result<Self, Error> {
        let size = source.size();
        if from > to {
            return Err(Error::invalid(format!(
                "The range of bytes ends at {to}, before it starts at {from}."
            )));
        }
        if from > size {
            return Err(Error::invalid(format!("There is no byte {from}: the artifact has {size} bytes.")));
        }
        let (start, end) = match from == to {
            true => (from, to),
            false => (widened(source, from)?.0, widened(source, to.min(size))?.1),
        };
        let before = source.read_at(start.saturating_sub(1), usize::from(start > 0))?;
        Ok(Position {
            offset: start,
            line: 1 + index::count_before(source, Unit::Feed, start)?,
            inside: before.last().is_some_and(|&byte| byte != b'\n'),
            end: End::Byte(end),
        })
    }

    fn of_cursor(source: &Source, id: &str, cursor: &str) -> Result<Self, Error> {
        let noun = source.words().noun;
        let of = Continued { kind: QueryKind::Read, words: &[id], noun };
        let [offset, line, inside, unit, end] = cursor::parse(cursor, &of)?;
        let end = match unit {
            0 => End::Line(end),
            _ => End::Byte(end),
        };
        let at = Position { offset, line, inside: inside == 1, end };
        let in_range = offset < source.size()
            && (line != UNKNOWN_LINE || unit == 1)
            && line <= offset.saturating_add(1)
            && inside <= 1
            && unit <= 1
            && !end.is_reached(&at);
        match in_range {
            true => Ok(at),
            false => Err(cursor::invalid(format!(
                "This cursor is outside the {noun}: omit it to start over with a range."
            ))),
        }
    }

    fn cursor(&self, id: &str) -> String {
        let (unit, end) = match self.end {
            End::Line(last) => (0, last),
            End::Byte(end) => (1, end),
        };
        cursor::write(QueryKind::Read, &[id], &[self.offset, self.line, u64::from(self.inside), unit, end])
    }
}

/// Returns the boundaries of the character that contains a byte offset.
fn widened(source: &Source, offset: u64) -> Result<(u64, u64), Error> {
    let from = offset.saturating_sub(lossy::MAX_UNIT_BYTES as u64);
    let around = source.read_at(from, 2 * lossy::MAX_UNIT_BYTES)?;
    let (start, end) = lossy::unit_around(&around, (offset - from) as usize);
    Ok((from + start as u64, from + end as u64))
}

#[cfg(test)]
mod tests;
