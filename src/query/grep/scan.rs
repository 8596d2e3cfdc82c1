//! One pass over an artifact's lines, from a line on.

use tuckaway_search::find;
use tuckaway_search::matcher::{Matcher, content};
use tuckaway_search::source::ByteSource;

use super::LineStart;
use super::excerpt::HEAD_BYTES;
use super::line::Line;
use super::page::Page;

use crate::error::Error;
use crate::query::refuse_binary;
use crate::query::source::{Source, Window};
use tuckaway_text as text;

/// The pass and its results so far.
pub(super) struct Scan<'s> {
    pub source: &'s Source<'s>,
    pub matcher: Matcher,
    /// Selects the lines that do not match.
    pub invert: bool,
    pub page: Page,
    /// The next line.
    pub at: LineStart,
    /// Lines that were selected.
    pub total: u64,
    /// Where the next page begins, if there is one.
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
        if self.at.offset == 0 {
            refuse_binary(window.bytes(), self.source, "search")?;
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

    /// Inspects whole lines, of which the first is the next one.
    fn lines(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut from = 0;
        while from < bytes.len() && !self.done {
            let matching = self.matcher.next_line(bytes, from)?;
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
            if self.next.is_some() {
                self.total += text::count_lines(lines);
                self.skip(lines);
                return Ok(());
            }
            let (line, rest) = split(lines);
            self.select(&Line::InMemory(content(line)))?;
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
        if self.next.is_none() {
            let span = if self.invert { (0, 0) } else { self.matcher.find(line)?.unwrap_or_default() };
            if !self.page.add_match(self.at, line, span)? {
                self.next = Some(self.page.resume(self.at));
                self.page.full = true;
            }
        }
        // If no total is counted, the start of the next page is the last result.
        self.done = self.next.is_some() && self.is_continued;
        Ok(())
    }

    /// Passes whole lines that are not selected. Only the first and the last of them can
    /// be context: the page does not need the others.
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
        let (line, next) = Line::in_source(self.source, self.at.offset)?;
        if self.matcher.is_match(&line)? != self.invert {
            self.select(&line)?;
        } else {
            self.page.add_context(self.at, &line.read_at(0, HEAD_BYTES)?);
        }
        if !self.done {
            self.at = LineStart { offset: next, line: self.at.line + 1 };
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
