//! Prints matching lines as grep does.

use std::io::Write;

use regex_lite::Regex;
use tuckaway_host::Match;

use crate::exit::Failure;
use crate::print;
use crate::source::Source;

/// Bytes that are searched at once for the end of a line.
const CHUNK_BYTES: u64 = 64 << 10;

/// Prints matches as grep does.
pub struct Lines<'s> {
    source: &'s Source,
    style: &'s Style,
    /// The number of the last line that was printed.
    last: u64,
    out: std::io::BufWriter<std::io::StdoutLock<'static>>,
}

/// How lines are printed.
pub struct Style {
    /// Prints the number of each line.
    pub numbers: bool,
    /// Prints lines in full, including what the engine omitted.
    pub whole: bool,
    /// Separates groups of lines.
    pub groups: bool,
    /// Prints only what matches this pattern, each match on its own line.
    pub only: Option<Regex>,
}

impl<'s> Lines<'s> {
    /// Begins after the line number `last`, up to which lines have been printed.
    pub fn new(source: &'s Source, style: &'s Style, last: u64) -> Self {
        Lines { source, style, last, out: print::stdout() }
    }

    /// Flushes the buffer, and returns the number of the last line that was printed.
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.out.flush()?;
        Ok(self.last)
    }

    /// Prints a heading above the lines.
    pub fn heading(&mut self, text: &str) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Prints a match and its context.
    pub async fn print(&mut self, found: &Match) -> Result<(), Failure> {
        match self.style.only.is_some() {
            true => self.print_parts(found).await,
            false => self.print_lines(found).await,
        }
    }

    /// Prints the matching parts of a line, in which U+FFFD replaces invalid UTF-8, as in
    /// the text that the engine matches.
    async fn print_parts(&mut self, found: &Match) -> Result<(), Failure> {
        let whole = match found.clipped {
            true => Some(self.line_at(found.byte_offset).await?),
            false => None,
        };
        let text = whole.as_deref().unwrap_or(&found.text);
        for part in self.style.only.iter().flat_map(|pattern| pattern.find_iter(text)) {
            // Empty matches are not printed, as in grep.
            if !part.is_empty() {
                if self.style.numbers {
                    write!(self.out, "{}:", found.line)?;
                }
                writeln!(self.out, "{}", part.as_str())?;
            }
        }
        Ok(())
    }

    /// Returns the text of the line that contains a byte, as the engine sees it.
    async fn line_at(&self, offset: u64) -> Result<String, Failure> {
        let mut at = self.start_of_line(offset).await?;
        let end = self.end_of_line(offset).await?;
        let mut line = Vec::new();
        while at < end {
            let bytes = self.source.bytes(at, CHUNK_BYTES.min(end - at) as u32).await?;
            if bytes.is_empty() {
                break;
            }
            at += bytes.len() as u64;
            line.extend(bytes);
        }
        if end < self.source.size && line.ends_with(b"\r") {
            line.pop();
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    async fn print_lines(&mut self, found: &Match) -> Result<(), Failure> {
        let first = found.line.saturating_sub(found.before.len() as u64);
        if self.style.groups && self.last > 0 && first > self.last + 1 {
            writeln!(self.out, "--")?;
        }
        let count = found.before.len() + 1 + found.after.len();
        let texts = found.before.iter().chain([&found.text]).chain(&found.after);
        // The lines are read again only if the engine omitted part of them or replaced
        // invalid UTF-8. Otherwise they equal the stored bytes.
        let altered = found.clipped || texts.clone().any(|text| text.contains(char::REPLACEMENT_CHARACTER));
        let spans = match altered && self.style.whole {
            true => self.spans(found, count).await?,
            false => Vec::new(),
        };
        for (index, text) in texts.enumerate() {
            let number = first + index as u64;
            // Context that two matches share is printed once.
            if number <= self.last {
                continue;
            }
            self.last = number;
            if self.style.numbers {
                let mark = if number == found.line { ':' } else { '-' };
                write!(self.out, "{number}{mark}")?;
            }
            match spans.get(index) {
                Some(&(start, end)) => self.copy(start, end).await?,
                None => self.out.write_all(text.as_bytes())?,
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Returns where the lines of a match and its context begin and end.
    async fn spans(&self, found: &Match, count: usize) -> Result<Vec<(u64, u64)>, Failure> {
        let mut start = self.start_of_line(found.byte_offset).await?;
        for _ in 0..found.before.len() {
            start = self.start_of_line(start.saturating_sub(1)).await?;
        }
        let mut spans = Vec::with_capacity(count);
        for _ in 0..count {
            let end = self.end_of_line(start).await?;
            spans.push((start, end));
            start = end + 1;
        }
        Ok(spans)
    }

    /// Returns where the line that contains a byte begins.
    async fn start_of_line(&self, mut offset: u64) -> Result<u64, Failure> {
        while offset > 0 {
            let from = offset.saturating_sub(CHUNK_BYTES);
            let bytes = self.source.bytes(from, (offset - from) as u32).await?;
            if let Some(feed) = memchr::memrchr(b'\n', &bytes) {
                return Ok(from + feed as u64 + 1);
            }
            offset = from;
        }
        Ok(0)
    }

    /// Returns where the line that contains a byte ends, before its line feed.
    async fn end_of_line(&self, mut offset: u64) -> Result<u64, Failure> {
        while offset < self.source.size {
            let bytes = self.source.bytes(offset, CHUNK_BYTES as u32).await?;
            if let Some(feed) = memchr::memchr(b'\n', &bytes) {
                return Ok(offset + feed as u64);
            }
            if bytes.is_empty() {
                break;
            }
            offset += bytes.len() as u64;
        }
        Ok(offset)
    }

    /// Copies the stored bytes of a line, without a carriage return at its end.
    async fn copy(&mut self, mut start: u64, end: u64) -> Result<(), Failure> {
        while start < end {
            let mut bytes = self.source.bytes(start, CHUNK_BYTES.min(end - start) as u32).await?;
            if bytes.is_empty() {
                break;
            }
            start += bytes.len() as u64;
            if start == end && end < self.source.size && bytes.ends_with(b"\r") {
                bytes.pop();
            }
            self.out.write_all(&bytes)?;
        }
        Ok(())
    }
}
