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
    /// The name before each line, if any.
    name: Option<&'s str>,
    /// The number of the last line that was printed.
    last: u64,
    out: std::io::BufWriter<std::io::StdoutLock<'static>>,
}

/// How lines are printed.
pub struct Style {
    /// Prints the number of each line.
    pub numbers: bool,
    /// Prints lines in full, including parts that the engine omitted.
    pub whole: bool,
    /// Separates groups of lines.
    pub groups: bool,
    /// Prints only the matching parts, each on its own line.
    pub only: bool,
    /// Colours names, numbers, separators and matching parts.
    pub color: bool,
    /// The pattern of the matching parts, if they are printed or coloured.
    pub parts: Option<Regex>,
}

/// The colours of grep, as the numbers of terminal sequences.
const NAME: &str = "35";
const NUMBER: &str = "32";
const SEPARATOR: &str = "36";
const MATCH: &str = "1;31";

impl Style {
    /// Returns a name as printed.
    pub fn name(&self, name: &str) -> String {
        self.colored(NAME, name)
    }

    /// Returns a separator as printed.
    pub fn separator(&self, separator: char) -> String {
        self.colored(SEPARATOR, &separator.to_string())
    }

    fn colored(&self, color: &str, text: &str) -> String {
        match self.color {
            true => format!("\x1b[{color}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// Returns a matching line with its matching parts in colour.
    fn highlighted(&self, line: &str) -> String {
        let Some(parts) = self.parts.as_ref().filter(|_| self.color) else { return line.to_owned() };
        let (mut text, mut at) = (String::with_capacity(line.len()), 0);
        for part in parts.find_iter(line).filter(|part| !part.is_empty()) {
            text += &line[at..part.start()];
            text += &self.colored(MATCH, part.as_str());
            at = part.end();
        }
        text + &line[at..]
    }
}

impl<'s> Lines<'s> {
    /// Begins after the line number `last`, up to which lines have been printed.
    pub fn new(source: &'s Source, style: &'s Style, name: Option<&'s str>, last: u64) -> Self {
        Lines { source, style, name, last, out: print::stdout() }
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
        match self.style.only {
            true => self.print_parts(found).await,
            false => self.print_lines(found, None).await,
        }
    }

    /// Prints a match that is not wanted, as context of those before it: up to the line `until`.
    pub async fn print_context(&mut self, found: &Match, until: u64) -> Result<(), Failure> {
        self.print_lines(found, Some(until)).await
    }

    /// Prints the matching parts of a line, in which U+FFFD replaces invalid UTF-8, as in
    /// the text that the engine matches.
    async fn print_parts(&mut self, found: &Match) -> Result<(), Failure> {
        let whole = match found.clipped {
            true => Some(self.line_at(found.byte_offset).await?),
            false => None,
        };
        let text = whole.as_deref().unwrap_or(&found.text);
        for part in self.style.parts.iter().flat_map(|pattern| pattern.find_iter(text)) {
            // Empty matches are not printed, as in grep.
            if !part.is_empty() {
                self.prefix(found.line, ':')?;
                writeln!(self.out, "{}", self.style.colored(MATCH, part.as_str()))?;
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

    async fn print_lines(&mut self, found: &Match, until: Option<u64>) -> Result<(), Failure> {
        let first = found.line.saturating_sub(found.before.len() as u64);
        if until.is_some_and(|until| first > until) {
            return Ok(());
        }
        if self.style.groups && self.last > 0 && first > self.last + 1 {
            writeln!(self.out, "{}", self.style.colored(SEPARATOR, "--"))?;
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
            if until.is_some_and(|until| number > until) {
                break;
            }
            self.last = number;
            let is_match = number == found.line && until.is_none();
            self.prefix(number, if is_match { ':' } else { '-' })?;
            match spans.get(index) {
                Some(&(start, end)) => self.copy(start, end).await?,
                None if is_match => self.out.write_all(self.style.highlighted(text).as_bytes())?,
                None => self.out.write_all(text.as_bytes())?,
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Prints the name and the number before a line.
    fn prefix(&mut self, number: u64, mark: char) -> Result<(), Failure> {
        let mark = self.style.separator(mark);
        if let Some(name) = self.name {
            write!(self.out, "{}{mark}", self.style.name(name))?;
        }
        if self.style.numbers {
            write!(self.out, "{}{mark}", self.style.colored(NUMBER, &number.to_string()))?;
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
