//! Reads records of fields, one after the other.

use std::ops::Range;

use tuckaway_search::{LineSpan, LineSpans, find};

use super::stanzas::{AfterBlank, Stanza, Start};

/// Maximum bytes and words of a field's name.
const NAME_BYTES: usize = 64;
const NAME_WORDS: usize = 8;
/// Maximum fields of a record. Further ones are omitted.
const MOST_FIELDS: usize = 10_000;
/// Columns by which a message of a commit is indented.
const MESSAGE_INDENT: usize = 4;

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The offsets of its value, which may have several lines.
    pub value: Range<usize>,
}

/// The records of a text.
pub struct Records<'a> {
    /// The fields of the last record.
    pub fields: Vec<Field<'a>>,
    /// The number of lines that belong to no record.
    pub others: u64,
    /// The number of fields that were omitted because their record has too many.
    pub omitted: u64,
    bytes: &'a [u8],
    form: &'static Stanza,
    lines: LineSpans<'a>,
    /// The line that begins the next record.
    begins: Option<LineSpan<'a>>,
    /// The columns by which fields of the record are indented.
    indent: Option<usize>,
    /// Whether an empty line follows the last field.
    is_after_blank: bool,
    /// Whether the start of a record was read, or records have none.
    has_begun: bool,
}

impl<'a> Records<'a> {
    /// Returns the records of a text in this form.
    pub fn of(bytes: &'a [u8], form: &'static Stanza) -> Self {
        Records {
            fields: Vec::new(),
            others: 0,
            omitted: 0,
            bytes,
            form,
            lines: LineSpans::of(bytes),
            begins: None,
            indent: None,
            is_after_blank: false,
            has_begun: matches!(form.start, Start::Blank | Start::Only),
        }
    }

    /// Returns the value of a field.
    pub fn value(&self, field: &Field) -> &'a [u8] {
        self.bytes[field.value.clone()].trim_ascii()
    }

    /// Returns the columns by which the first line of a field's value is indented, if the value begins its line.
    pub fn value_indent(&self, field: &Field) -> Option<usize> {
        let before = &self.bytes[..field.value.start];
        let line = find::last_byte(b'\n', before).map_or(0, |feed| feed + 1);
        let before = &before[line..];
        before.iter().all(u8::is_ascii_whitespace).then_some(before.len())
    }

    /// Returns the text before each line of a value but the first: `|` in psql.
    pub fn mark(&self) -> &'static str {
        if self.form.separator == "|" { "|" } else { "" }
    }

    /// Reads the next record. Returns whether there is one.
    pub fn next(&mut self) -> bool {
        self.fields.clear();
        (self.indent, self.is_after_blank) = (None, false);
        if let Some(span) = self.begins.take() {
            self.begin(span);
        }
        while let Some(span) = self.lines.next() {
            if span.line.iter().all(u8::is_ascii_whitespace) {
                self.is_after_blank = true;
                if self.form.start == Start::Blank && !self.fields.is_empty() {
                    return true;
                }
            } else if self.is_start(span.line) {
                if !self.fields.is_empty() {
                    self.begins = Some(span);
                    return true;
                }
                self.begin(span);
            } else if self.has_begun {
                self.add(span);
            } else {
                self.others += 1;
            }
        }
        !self.fields.is_empty()
    }

    fn is_start(&self, line: &[u8]) -> bool {
        match self.form.start {
            Start::Field(text) | Start::Rule(text) | Start::Named(text, _) => {
                let with = self.form.with.as_bytes();
                find::starts_with(line, text.as_bytes())
                    && (with.is_empty() || find::text(with, line).is_some())
            }
            Start::Heading => !line[0].is_ascii_whitespace() && !line.trim_ascii_end().contains(&b' '),
            Start::Blank | Start::Only => false,
        }
    }

    /// Reads the line that begins a record.
    fn begin(&mut self, span: LineSpan<'a>) {
        let (start, end) = (span.start, span.start + span.line.len());
        self.has_begun = true;
        match self.form.start {
            Start::Rule(_) => {}
            Start::Named(text, name) => {
                let name = name.as_bytes();
                self.fields.push(Field { name, value: (start + text.len()).min(end)..end });
                // Otherwise the first field shows how fields are indented.
                self.indent = (self.form.after_blank != AfterBlank::Fields).then_some(0);
            }
            Start::Heading => {
                let colon = usize::from(span.line.ends_with(b":"));
                self.fields.push(Field { name: b"name", value: start..end - colon });
            }
            _ => self.add(span),
        }
    }

    /// Reads a field, or a line that continues one.
    fn add(&mut self, span: LineSpan<'a>) {
        let line = span.line;
        let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (start, end) = (span.start + indent, span.start + line.len());
        if self.is_after_blank && self.form.after_blank == AfterBlank::Other {
            self.others += 1;
            return;
        }
        if self.is_after_blank && self.form.after_blank == AfterBlank::Message {
            let name: &[u8] = if indent >= MESSAGE_INDENT { b"message" } else { b"changes" };
            match self.fields.last_mut() {
                Some(last) if last.name == name => last.value.end = end,
                Some(_) => self.fields.push(Field { name, value: start..end }),
                None => self.others += 1,
            }
            return;
        }
        let is_deeper = indent > 0 && self.indent.is_some_and(|of_fields| indent != of_fields);
        let continues = is_deeper && !self.is_right_aligned();
        if continues && let Some(last) = self.fields.last_mut() {
            last.value.end = end;
            return;
        }
        // psql prints the other lines of a value without a name.
        let is_nameless = self.form.separator == "|" && line[indent..].starts_with(b"|");
        if is_nameless && let Some(last) = self.fields.last_mut() {
            last.value.end = end;
            return;
        }
        match split(&line[indent..], self.form.separator) {
            Some(_) if self.fields.len() == MOST_FIELDS => self.omitted += 1,
            Some((name, at)) => {
                self.indent.get_or_insert(indent);
                self.fields.push(Field { name, value: start + at..end });
            }
            None => self.others += 1,
        }
    }

    /// Returns whether names have spaces before them, so that separators are below each other.
    fn is_right_aligned(&self) -> bool {
        matches!(self.form.start, Start::Rule(_)) || self.form.separator.starts_with(' ')
    }
}

/// Returns the name of the field on a line, and the offset of its value.
fn split<'a>(line: &'a [u8], separator: &str) -> Option<(&'a [u8], usize)> {
    let mark = separator.trim_end().as_bytes();
    let last = *mark.last()?;
    let is_spaced = separator.ends_with(' ');
    let head = &line[..line.len().min(NAME_BYTES + mark.len())];
    let mut from = 0;
    // A search for a byte costs less than one for a text, and most lines are short.
    while let Some(at) = find::byte(last, &head[from..]) {
        from += at + 1;
        let rest = &line[from..];
        if !is_spaced || rest.first().is_none_or(u8::is_ascii_whitespace) {
            let name = line[..from].strip_suffix(mark)?.trim_ascii_end();
            return is_name(name, separator != "=").then_some((name, from));
        }
    }
    None
}

/// Returns whether a text can be the name of a field: a few words, or one.
fn is_name(name: &[u8], may_have_spaces: bool) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b" ()_-./#$@[]+,':".contains(byte);
    let spaces = name.iter().filter(|byte| **byte == b' ').count();
    let begins = name.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_.@".contains(byte));
    begins
        && name.iter().any(u8::is_ascii_alphabetic)
        && name.iter().all(is_part)
        && spaces < if may_have_spaces { NAME_WORDS } else { 1 }
}
