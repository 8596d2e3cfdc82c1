//! One pass over an artifact's lines, starting at a given line.

use tuckaway_contract::Error;
use tuckaway_search::find;
use tuckaway_search::matcher::{Matcher, content};
use tuckaway_search::source::ByteSource;

use super::LineStart;
use super::excerpt::{HEAD_BYTES, Span, WHOLE_BYTES};
use super::line::Line;
use super::matcher::SearchError;
use super::overstrike;
use super::page::Page;

use crate::query::refuse_binary;
use crate::query::source::{Source, Window};
use tuckaway_text as text;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

const BACKSPACE: u8 = 0x08;

/// Maximum bytes read to find all matches in a line: this multiple of its length, plus
/// `MAX_WALKED_BYTES`.
const MAX_WALKS: u64 = 8;
const MAX_WALKED_BYTES: u64 = 64 << 20;

/// Matches of a line that are counted after the page is full.
const MAX_COUNTED: u64 = 100_000;

/// The pass and its results so far.
pub(super) struct Scan<'s> {
    pub source: &'s Source<'s>,
    pub matcher: &'s mut Matcher,
    /// Selects the lines that do not match.
    pub invert: bool,
    /// Selects each match in a long line.
    pub each_match: bool,
    pub page: Page,
    /// The next line.
    pub at: LineStart,
    /// Lines that were selected.
    pub total: u64,
    /// The same count with every match of a long line; none if there were too many.
    pub match_count: Option<u64>,
    /// Whether the beginning of the artifact has overstruck characters.
    pub is_overstruck: bool,
    /// The start of the next page, if there is one.
    pub next: Option<LineStart>,
    /// Continues an earlier page: no total is needed.
    pub is_continued: bool,
    pub done: bool,
    /// See [`super::SearchResult`].
    pub has_escapes: bool,
}

impl Scan<'_> {
    /// Runs to the artifact's end, or until the results are complete.
    pub(super) fn run(&mut self) -> Result<(), Error> {
        let mut window = Window::open(self.source, self.at.offset)?;
        self.has_escapes = find::byte(0x1b, window.bytes()).is_some();
        // All pages decide this by the same bytes.
        self.is_overstruck = match self.at.offset {
            0 => find::byte(BACKSPACE, window.bytes()).is_some(),
            _ => find::byte(BACKSPACE, Window::open(self.source, 0)?.bytes()).is_some(),
        };
        if self.at.offset == 0 {
            refuse_binary(window.bytes(), self.source, "search")?;
            if window.bytes().starts_with(BYTE_ORDER_MARK) {
                window.advance(BYTE_ORDER_MARK.len())?;
                self.at.offset = BYTE_ORDER_MARK.len() as u64;
            }
        }
        if self.at.within > 0 {
            self.line_in_source()?;
            window.skip_to(self.at.offset)?;
        }
        while !self.done && !window.bytes().is_empty() {
            let bytes = window.bytes();
            let whole = match window.is_last() {
                true => bytes.len(),
                false => find::last_byte(b'\n', bytes).map_or(0, |feed| feed + 1),
            };
            if whole > 0 {
                self.lines(&bytes[..whole])?;
                window.advance(whole)?;
            } else if bytes.len() <= self.source.reads().largest() {
                window.advance(0)?;
            } else {
                // A line that is longer than a part is not kept in memory.
                self.line_in_source()?;
                window.skip_to(self.at.offset)?;
            }
        }
        Ok(())
    }

    /// Inspects whole lines, beginning with the next line.
    fn lines(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while self.is_overstruck && !self.done {
            let Some(at) = find::byte(BACKSPACE, bytes) else { break };
            let (before, rest) =
                bytes.split_at(find::last_byte(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1));
            self.plain_lines(before)?;
            let (line, after) = split(rest);
            if !self.done {
                self.overstruck_line(line)?;
            }
            bytes = after;
        }
        self.plain_lines(bytes)
    }

    /// Inspects the next line, which has overstruck characters, as it appears on screen.
    fn overstruck_line(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (shown, offsets) = overstrike::shown(self.matcher.content(bytes));
        let line = Line::InMemory(&shown);
        if self.matcher.is_match(&line)? != self.invert {
            let before = self.page.matches.len();
            // A page cannot begin within a line that is not searched in its stored form.
            let each_match = std::mem::replace(&mut self.each_match, false);
            self.select(&line)?;
            self.each_match = each_match;
            for found in self.page.matches[before..].iter_mut().filter(|_| !self.invert) {
                let at = (found.byte_offset - self.at.offset) as usize;
                found.byte_offset = self.at.offset + offsets.get(at).map_or(bytes.len(), |at| *at) as u64;
            }
        } else {
            self.page.add_context(self.at, &shown);
        }
        if !self.done {
            self.skip(bytes);
        }
        Ok(())
    }

    fn plain_lines(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut from = 0;
        while from < bytes.len() && !self.done {
            let matching = self.matcher.next_line(bytes, from).map_err(SearchError::from)?;
            let (start, end) = matching.map_or((bytes.len(), bytes.len()), |line| (line.start, line.end));
            match self.invert {
                true => self.select_all(&bytes[from..start])?,
                false => self.pass_all(&bytes[from..start]),
            }
            if start < end && !self.done {
                let line = &bytes[start..end];
                match self.invert {
                    true => self.pass_all(line),
                    false => self.select_all(line)?,
                }
            }
            from = end;
        }
        Ok(())
    }

    /// Selects whole lines.
    fn select_all(&mut self, mut lines: &[u8]) -> Result<(), Error> {
        while !lines.is_empty() && !self.done {
            if self.next.is_some() && (self.invert || lines.len() <= WHOLE_BYTES) {
                let count = text::count_lines(lines);
                self.total += count;
                self.add_to_count(count);
                self.skip(lines);
                return Ok(());
            }
            let (line, rest) = split(lines);
            self.select(&Line::InMemory(self.matcher.content(line)))?;
            if !self.done {
                self.skip(line);
            }
            lines = rest;
        }
        Ok(())
    }

    /// Selects the next line.
    fn select(&mut self, line: &Line) -> Result<(), Error> {
        self.total += 1;
        if self.each_match && line.size() > WHOLE_BYTES as u64 {
            self.select_each(line)?;
        } else {
            self.add_to_count(1);
            if self.next.is_none() {
                let bytes = if self.invert { (0, 0) } else { self.matcher.find(line)?.unwrap_or_default() };
                self.add_match(line, Span { bytes, column: line.characters(0, bytes.0)? + 1 })?;
            }
        }
        // If no total is counted, the search ends once the start of the next page is known.
        self.done = self.next.is_some() && self.is_continued;
        Ok(())
    }

    /// Selects each match in the next line, without those on earlier pages.
    fn select_each(&mut self, line: &Line) -> Result<(), Error> {
        let mut at = self.at.within;
        let (mut column_at, mut column) = (at, line.characters(0, at)? + 1);
        let budget = self.matcher.walked() + MAX_WALKS * line.size() + MAX_WALKED_BYTES;
        let mut finds = 0;
        while let Some(bytes) = self.matcher.find_after(line, at)? {
            self.add_to_count(1);
            if self.next.is_none() {
                column += line.characters(column_at, bytes.0)?;
                column_at = bytes.0;
                self.add_match(line, Span { bytes, column })?;
            }
            if self.next.is_some() && self.is_continued || bytes.0 == bytes.1 {
                break;
            }
            at = bytes.1;
            finds += 1;
            if self.next.is_some() && finds > MAX_COUNTED || self.matcher.walked() > budget {
                self.match_count = None;
                break;
            }
        }
        self.at.within = 0;
        Ok(())
    }

    /// Adds a match in the next line to the page, or marks where the next page begins.
    fn add_match(&mut self, line: &Line, span: Span) -> Result<(), Error> {
        if !self.page.add_match(self.at, line, span)? {
            let is_first = self.page.matches.last().is_none_or(|last| last.line != self.at.line);
            self.next = Some(match is_first && self.at.within == 0 {
                true => self.page.resume(self.at),
                false => LineStart { within: span.bytes.0, ..self.at },
            });
            self.page.full = true;
        } else if let Some(added) = self.page.matches.last_mut()
            && self.matcher.keeps_carriage_return()
            && added.text.ends_with('\r')
        {
            added.text.pop();
        }
        Ok(())
    }

    fn add_to_count(&mut self, matches: u64) {
        self.match_count = self.match_count.map(|count| count + matches);
    }

    /// Passes whole lines that are not selected. Only the first and the last of these lines can be
    /// context; the page does not need the others.
    fn pass_all(&mut self, mut lines: &[u8]) {
        if !self.page.full {
            if !self.page.matches.is_empty() {
                for _ in 0..self.page.bounds.after {
                    lines = self.pass(lines);
                }
            }
            let last = last_lines(lines, self.page.bounds.before);
            self.skip(&lines[..last]);
            lines = &lines[last..];
            while !lines.is_empty() {
                lines = self.pass(lines);
            }
        }
        self.skip(lines);
    }

    /// Passes the first of whole lines, which may be context; returns the others.
    fn pass<'b>(&mut self, lines: &'b [u8]) -> &'b [u8] {
        let (line, rest) = split(lines);
        if !line.is_empty() {
            self.page.add_context(self.at, content(line));
            self.skip(line);
        }
        rest
    }

    /// Moves past whole lines.
    fn skip(&mut self, lines: &[u8]) {
        self.at.offset += lines.len() as u64;
        self.at.line += text::count_lines(lines);
    }

    /// Inspects the next line, which is too long for memory.
    fn line_in_source(&mut self) -> Result<(), Error> {
        let keeps_carriage_return = self.matcher.keeps_carriage_return();
        let (line, next) = Line::in_source(self.source, self.at.offset, keeps_carriage_return)?;
        if self.matcher.is_match(&line)? != self.invert {
            self.select(&line)?;
        } else {
            self.page.add_context(self.at, &line.read_at(0, HEAD_BYTES)?);
        }
        if !self.done {
            self.at = LineStart { offset: next, line: self.at.line + 1, within: 0 };
        }
        Ok(())
    }
}

/// Splits off the first of whole lines.
fn split(lines: &[u8]) -> (&[u8], &[u8]) {
    lines.split_at(find::byte(b'\n', lines).map_or(lines.len(), |feed| feed + 1))
}

/// Returns where the last `count` of whole lines begin.
fn last_lines(lines: &[u8], count: usize) -> usize {
    let mut from = lines.len();
    for _ in 0..count {
        let before = lines[..from].strip_suffix(b"\n").unwrap_or(&lines[..from]);
        from = find::last_byte(b'\n', before).map_or(0, |feed| feed + 1);
    }
    from
}
