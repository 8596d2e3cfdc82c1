//! Reads scalars that are text: plain, quoted, and blocks of lines.

use tuckaway_search::find;

use super::line::{comment, is_marker};
use super::reader::Reader;
use super::stats::Stop;
use tuckaway_json::write::push_string;

impl Reader<'_> {
    /// Reads a scalar without quotes, which may continue on lines that are indented further.
    pub(super) fn plain(&mut self, from: usize, end: usize, is_string: bool) -> Result<(), Stop> {
        let line = &self.input[from..end];
        let mut is_ended = comment(line);
        let first = line[..is_ended.unwrap_or(line.len())].trim_ascii_end();
        let mut folded = Vec::new();
        let mut next = self.past_line(end);
        self.at = next;
        while self.may_continue(next)
            && let Some((blank, start, line_end)) = self.next_text_line(next)
        {
            let column = self.column(start, line_end);
            let text = self.skip_blanks(start + column, line_end);
            let text = &self.input[text..line_end];
            let is_inside = self.parent_column().is_none_or(|parent| column > parent);
            if !is_inside || text[0] == b'#' || column == 0 && is_marker(text) {
                break;
            }
            if is_ended.is_some() || has_key(text) {
                return self.reject("a text of several lines with a key or a comment in it", start + column);
            }
            if folded.is_empty() {
                folded.extend_from_slice(first);
            }
            is_ended = comment(text);
            fold(&mut folded, blank);
            folded.extend_from_slice(text[..is_ended.unwrap_or(text.len())].trim_ascii_end());
            next = self.past_line(line_end);
            self.at = next;
        }
        if folded.is_empty() {
            self.push_plain(first, is_string);
        } else {
            self.stats.folded += 1;
            push_string(&mut self.json, &folded);
        }
        Ok(())
    }

    /// Returns whether a line may continue a scalar: it is indented far enough, or empty.
    fn may_continue(&self, start: usize) -> bool {
        let column = self.column(start, self.input.len());
        matches!(self.input.get(start + column), Some(b'\t' | b'\r' | b'\n'))
            || self.parent_column().is_none_or(|parent| column > parent)
    }

    /// Returns the next line that is not empty: the number of empty ones before it, its start
    /// and its end.
    pub(super) fn next_text_line(&self, mut start: usize) -> Option<(usize, usize, usize)> {
        let mut blank = 0;
        while start < self.input.len() {
            let end = self.line_end(start);
            if !self.input[start..end].trim_ascii().is_empty() {
                return Some((blank, start, end));
            }
            blank += 1;
            start = self.past_line(end);
        }
        None
    }

    /// Reads a scalar in quotes, which may span lines; returns its end.
    pub(super) fn quoted(&mut self, from: usize) -> Result<usize, Stop> {
        let quote = self.input[from];
        let is_special = |byte: &u8| *byte == quote || *byte == b'\n' || *byte == b'\\' && quote == b'"';
        let mut text = Vec::new();
        let mut at = from + 1;
        // A fold must not trim blanks before this, which were written as escapes.
        let mut keep = 0;
        loop {
            let Some(run) = self.input[at..].iter().position(is_special) else { return Err(Stop::Ended) };
            text.extend_from_slice(&self.input[at..at + run]);
            at += run;
            match self.input[at] {
                b'\n' => {
                    let blanks = text[keep..].trim_ascii_end().len();
                    text.truncate(keep + blanks);
                    at = self.folded(at, &mut text)?;
                    keep = text.len();
                }
                b'\\' => {
                    at = self.escape(at, &mut text)?;
                    keep = text.len();
                }
                _ if quote == b'\'' && self.input.get(at + 1) == Some(&quote) => {
                    text.push(quote);
                    at += 2;
                }
                _ => {
                    push_string(&mut self.json, &text);
                    return Ok(at + 1);
                }
            }
        }
    }

    /// Reads a line feed at `at` within quotes: writes a space, or the empty lines after it.
    fn folded(&self, at: usize, text: &mut Vec<u8>) -> Result<usize, Stop> {
        let Some((blank, start, end)) = self.next_text_line(at + 1) else { return Err(Stop::Ended) };
        let column = self.column(start, end);
        if column == 0 && is_marker(&self.input[start..end]) {
            return self.reject("a quote that is not closed", start);
        }
        if self.parent_column().is_some_and(|parent| column <= parent) {
            return self.reject("a text in quotes that is not set in", start);
        }
        fold(text, blank);
        Ok(self.skip_blanks(start, end))
    }

    fn escape(&self, at: usize, text: &mut Vec<u8>) -> Result<usize, Stop> {
        let Some(&kind) = self.input.get(at + 1) else { return Err(Stop::Ended) };
        let character = match kind {
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b't' | b'\t' => '\t',
            b'n' => '\n',
            b'v' => '\u{B}',
            b'f' => '\u{C}',
            b'r' => '\r',
            b'e' => '\u{1B}',
            b' ' | b'"' | b'/' | b'\\' => char::from(kind),
            b'N' => '\u{85}',
            b'_' => '\u{A0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            b'x' | b'u' | b'U' => return self.code(at, text),
            // The line continues behind the indentation of the next text; empty lines before
            // it are line feeds.
            b'\n' | b'\r' => {
                let next = self.past_line(self.line_end(at + 1));
                let Some((blank, start, end)) = self.next_text_line(next) else { return Err(Stop::Ended) };
                text.resize(text.len() + blank, b'\n');
                return Ok(self.skip_blanks(start, end));
            }
            _ => return self.reject("an escape that is not YAML's", at),
        };
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(at + 2)
    }

    /// Reads a character by its number, and the two halves of a surrogate pair as one.
    fn code(&self, at: usize, text: &mut Vec<u8>) -> Result<usize, Stop> {
        let number = |at: usize| {
            let digits = match self.input.get(at..at + 2)? {
                b"\\x" => 2,
                b"\\u" => 4,
                b"\\U" => 8,
                _ => return None,
            };
            let hex = std::str::from_utf8(self.input.get(at + 2..at + 2 + digits)?).ok()?;
            let number = u32::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'))?;
            Some((number, at + 2 + digits))
        };
        let Some((first, past)) = number(at) else { return self.reject("an escape without its digits", at) };
        let (code, past) = match (first, number(past)) {
            (0xD800..0xDC00, Some((second @ 0xDC00..0xE000, past))) => {
                (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), past)
            }
            _ => (first, past),
        };
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(past)
    }

    /// Reads `|` or `>` and the lines below it.
    pub(super) fn block_text(&mut self, from: usize, end: usize) -> Result<(), Stop> {
        let is_folded = self.input[from] == b'>';
        let header = &self.input[from + 1..end];
        let marks = header.iter().take_while(|byte| b"+-123456789".contains(byte)).count();
        let (header, rest) = header.split_at(marks);
        let digit = header.iter().find(|byte| byte.is_ascii_digit());
        let chomp = header.iter().find(|byte| !byte.is_ascii_digit());
        let is_valid = header.len() == usize::from(digit.is_some()) + usize::from(chomp.is_some());
        if !is_valid
            || !(rest.trim_ascii().is_empty()
                || comment(rest).is_some_and(|at| rest[..at].trim_ascii().is_empty()))
        {
            return self.reject("the head of a block of text", from);
        }
        let parent = self.parent_column();
        let min_indent = parent.map_or(0, |parent| parent + 1);
        let mut indent = digit.map(|digit| parent.unwrap_or(0) + usize::from(digit - b'0'));
        let mut text = Vec::new();
        // Line feeds that are not written yet: that of the last line, and those of the empty
        // lines behind it.
        let (mut feeds, mut blank) = (0, 0);
        let mut was_indented = false;
        let mut next = self.past_line(end);
        while next < self.input.len() {
            let start = next;
            let end = self.line_end(start);
            let column = self.column(start, end);
            let is_blank = start + column == end;
            if is_blank && indent.is_none_or(|indent| column <= indent) {
                blank += 1;
                next = self.past_line(end);
                continue;
            }
            let indent = *indent.get_or_insert(column.max(min_indent));
            if column < indent || column == 0 && is_marker(&self.input[start..end]) {
                break;
            }
            let line = &self.input[start + indent..end];
            let is_indented = matches!(line.first(), Some(b' ' | b'\t'));
            if is_folded && feeds > 0 && !was_indented && !is_indented {
                fold(&mut text, blank);
            } else {
                text.resize(text.len() + feeds + blank, b'\n');
            }
            text.extend_from_slice(line);
            (feeds, blank, was_indented) = (1, 0, is_indented);
            next = self.past_line(end);
        }
        let kept = match chomp {
            Some(b'-') => 0,
            Some(_) => feeds + blank,
            None => feeds,
        };
        text.resize(text.len() + kept, b'\n');
        push_string(&mut self.json, &text);
        self.at = next;
        Ok(())
    }
}

/// Writes the separator of two lines of a text: a space, or the empty lines between them.
pub(super) fn fold(text: &mut Vec<u8>, blank: usize) {
    match blank {
        0 => text.push(b' '),
        _ => text.resize(text.len() + blank, b'\n'),
    }
}

/// Returns whether a line in the middle of a text looks like a key.
fn has_key(text: &[u8]) -> bool {
    find::byte(b':', text).is_some()
        && (text.ends_with(b":") || find::text(b": ", text).is_some() || find::text(b":\t", text).is_some())
}
