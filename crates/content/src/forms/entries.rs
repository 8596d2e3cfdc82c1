//! Reads the lines of a form, one after the other.

use tuckaway_search::{LineSpans, find};

use super::Form;

/// Bytes and lines of the head that are inspected.
const HEAD_BYTES: usize = 32 << 10;
const LINES: u64 = 500;
/// Lines of another form that may come first.
const MOST_OTHERS: u64 = 10;

/// The entries of a text, and the number of other lines.
pub struct Entries<'a> {
    /// The parts of the last entry, after its heading if the form has one.
    pub cells: Vec<&'a [u8]>,
    /// The number of lines of another form.
    pub others: u64,
    /// Whether a line comments on entries as the form requires.
    pub has_comments: bool,
    form: &'static Form,
    lines: LineSpans<'a>,
    heading: &'a [u8],
    /// Whether the next line is the first one, or follows an empty one.
    begins: bool,
    /// Maximum lines of another form before reading stops.
    most_others: u64,
}

impl<'a> Entries<'a> {
    /// Returns the entries of a text in which most lines have this form.
    pub fn of(bytes: &'a [u8], form: &'static Form) -> Self {
        Entries {
            cells: Vec::new(),
            others: 0,
            has_comments: false,
            form,
            lines: LineSpans::of(bytes),
            heading: b"",
            begins: true,
            most_others: u64::MAX,
        }
    }

    /// Reads on to the next entry. Returns whether there is one.
    pub fn next(&mut self) -> bool {
        while self.others <= self.most_others
            && let Some(span) = self.lines.next()
        {
            let line = span.line.trim_ascii_end();
            let begins = std::mem::replace(&mut self.begins, line.is_empty());
            self.cells.clear();
            if self.form.heading.is_some() {
                self.cells.push(self.heading);
            }
            if is_between(line) {
                continue;
            }
            let has_start = |start: &&str| find::starts_with(line, start.as_bytes());
            if let Some(comment) = self.form.comments.iter().position(has_start) {
                self.has_comments |= comment == 0;
                continue;
            }
            if self.form.split(line, &mut self.cells) {
                return true;
            }
            match self.form.heading.and_then(|(_, end)| line.strip_suffix(end.as_bytes())) {
                _ if is_context(line) => {}
                Some(heading) if begins && !heading.contains(&b' ') => self.heading = heading,
                _ => self.others += 1,
            }
        }
        false
    }
}

/// Returns whether a line stands between entries or sums them up.
fn is_between(line: &[u8]) -> bool {
    match line {
        [] | b"--" | [b't', b'o', b't', b'a', b'l', b' ', ..] => true,
        [.., last] => *last == b'l' && line.ends_with(b" total"),
    }
}

/// Returns whether a line is `path-12-text`.
fn is_context(line: &[u8]) -> bool {
    let mut parts = line.split(|byte| *byte == b'-').skip(1);
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let start = line.iter().take_while(|byte| !b" \t".contains(byte)).count();
    line[..start].iter().filter(|byte| **byte == b'-').count() > 1 && parts.any(is_number)
}

/// Returns the head of a text that shows its form: whole lines. None if it has no end of a line.
pub fn head(bytes: &[u8]) -> Option<&[u8]> {
    match bytes.get(..HEAD_BYTES) {
        Some(head) => Some(&head[..=find::last_byte(b'\n', head)?]),
        None => Some(bytes),
    }
}

/// Returns the first form that most lines of a text's head have.
pub fn fitting(bytes: &[u8], forms: &'static [Form]) -> Option<&'static Form> {
    let head = head(bytes)?;
    forms.iter().find(|form| {
        let mut entries = Entries::of(head, form);
        let mut count = 0;
        entries.most_others = MOST_OTHERS;
        while count < LINES && entries.next() {
            count += 1;
            entries.most_others = MOST_OTHERS + count / 10;
        }
        count >= form.least
            && entries.others * 10 <= count
            && entries.has_comments != form.comments.is_empty()
    })
}
