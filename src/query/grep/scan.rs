//! One pass over an artifact's lines, from a place on.

use tuckaway_search::find;

use super::Place;
use super::excerpt::HEAD_BYTES;
use super::line::Line;
use super::matcher::Matcher;
use super::page::Page;
use tuckaway_search::source::ByteSource;

use crate::error::Error;
use crate::query::refuse_binary;
use crate::query::source::{Source, Window};
use tuckaway_text as text;

/// The pass, and what it has come to.
pub(super) struct Scan<'s> {
    pub source: &'s Source<'s>,
    pub matcher: Matcher,
    /// The lines are wanted that do not match.
    pub invert: bool,
    pub page: Page,
    /// The line that comes next.
    pub at: Place,
    /// Lines that were wanted.
    pub total: u64,
    /// Where the next page begins, once there has to be one.
    pub next: Option<Place>,
    /// It goes on from an earlier page, so that nobody asks for the total.
    pub goes_on: bool,
    pub done: bool,
    /// See [`super::Found`].
    pub has_escapes: bool,
}

impl Scan<'_> {
    /// Goes on to the artifact's end, or until there is nothing more to know.
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
                self.far_line()?;
                window.skip_to(self.at.offset)?;
            }
        }
        Ok(())
    }

    /// Whole lines, of which the first is the one that comes next.
    fn lines(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut from = 0;
        while from < bytes.len() && !self.done {
            let found = self.matcher.next_line(bytes, from)?;
            let (start, end) = found.map_or((bytes.len(), bytes.len()), |line| (line.start, line.end));
            match self.invert {
                true => self.all_wanted(&bytes[from..start])?,
                false => self.all_passed(&bytes[from..start]),
            }
            if start < end && !self.done {
                let line = &bytes[start..end];
                match self.invert {
                    true => self.all_passed(line),
                    false => self.all_wanted(line)?,
                }
            }
            from = end;
        }
        Ok(())
    }

    /// Lines that are wanted.
    fn all_wanted(&mut self, mut lines: &[u8]) -> Result<(), Error> {
        while !lines.is_empty() && !self.done {
            if self.next.is_some() {
                self.total += text::count_lines(lines);
                self.skip(lines);
                return Ok(());
            }
            let (line, rest) = split(lines);
            self.wanted(&Line::Near(Line::content(line)))?;
            if !self.done {
                self.skip(line);
            }
            lines = rest;
        }
        Ok(())
    }

    /// A line that is wanted: the one that comes next.
    fn wanted(&mut self, line: &Line) -> Result<(), Error> {
        self.total += 1;
        if self.next.is_none() {
            let found = if self.invert { (0, 0) } else { self.matcher.find(line)?.unwrap_or_default() };
            if !self.page.matched(self.at, line, found)? {
                self.next = Some(self.page.resume(self.at));
                self.page.full = true;
            }
        }
        // Without a total to be counted, the next match is all there is to know.
        self.done = self.next.is_some() && self.goes_on;
        Ok(())
    }

    /// Lines that are not wanted. Only the first and the last of them can be
    /// context: the page is not told of the others.
    fn all_passed(&mut self, mut lines: &[u8]) {
        if !self.page.full {
            if !self.page.matches.is_empty() {
                for _ in 0..self.page.bounds.after {
                    lines = self.passed(lines);
                }
            }
            let last = last_lines(lines, self.page.bounds.before);
            self.skip(&lines[..last]);
            lines = &lines[last..];
            while !lines.is_empty() {
                lines = self.passed(lines);
            }
        }
        self.skip(lines);
    }

    /// The first of the lines, as context; gives the others.
    fn passed<'b>(&mut self, lines: &'b [u8]) -> &'b [u8] {
        let (line, rest) = split(lines);
        if !line.is_empty() {
            self.page.passed(self.at, Line::content(line));
            self.skip(line);
        }
        rest
    }

    /// Past whole lines.
    fn skip(&mut self, lines: &[u8]) {
        self.at.offset += lines.len() as u64;
        self.at.line += text::count_lines(lines);
    }

    /// The next line, which is too long for memory.
    fn far_line(&mut self) -> Result<(), Error> {
        let (line, next) = Line::far(self.source, self.at.offset)?;
        if self.matcher.is_match(&line)? != self.invert {
            self.wanted(&line)?;
        } else {
            self.page.passed(self.at, &line.part(0, HEAD_BYTES)?);
        }
        if !self.done {
            self.at = Place { offset: next, line: self.at.line + 1 };
        }
        Ok(())
    }
}

/// The first of whole lines, and the others.
fn split(lines: &[u8]) -> (&[u8], &[u8]) {
    lines.split_at(find::byte(b'\n', lines).map_or(lines.len(), |feed| feed + 1))
}

/// Where the last `count` of whole lines begin.
fn last_lines(lines: &[u8], count: usize) -> usize {
    let mut from = lines.len();
    for _ in 0..count {
        let before = lines[..from].strip_suffix(b"\n").unwrap_or(&lines[..from]);
        from = find::last_byte(b'\n', before).map_or(0, |feed| feed + 1);
    }
    from
}
