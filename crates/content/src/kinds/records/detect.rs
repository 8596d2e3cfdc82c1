//! Decides which form the records of a text have.

use tuckaway_search::find;

use super::programs::FORMS;
use super::reader::{Field, Records};
use super::stanzas::{AfterBlank, STANZAS, Stanza, Start};
use crate::forms::{self, Entries, Form, Part};

/// Minimum fields that show records of no known program.
const LEAST_FIELDS: u64 = 4;
/// Fields before another in which its name is searched.
const NEAR: usize = 64;
/// Names that levels of messages have.
const LEVELS: [&[u8]; 8] = [b"error", b"warning", b"warn", b"info", b"note", b"debug", b"fatal", b"trace"];

/// The form of records.
#[derive(Clone, Copy)]
pub enum Layout {
    /// A record on each line.
    Lines(&'static Form),
    /// Fields of records below each other.
    Stanzas(&'static Stanza),
}

/// Returns the form of the records at the head of a text: that of a known program, or one that no other
/// text has.
pub fn layout(bytes: &[u8]) -> Option<Layout> {
    let head = forms::head(bytes)?;
    let lines = forms::fitting(head, FORMS).filter(|form| is_marked(head, form)).map(Layout::Lines);
    lines.or_else(|| STANZAS.iter().find(|stanza| Seen::of(head, stanza).fits(stanza)).map(Layout::Stanzas))
}

/// Returns whether the first parts of lines are those of the program. Other texts have numbers in place of
/// hashes, and capital letters in place of states.
fn is_marked(head: &[u8], form: &'static Form) -> bool {
    let is_mark = |cell: &[u8]| match form.parts {
        [(Part::Commit, ..), ..] => cell.iter().any(u8::is_ascii_alphabetic),
        // A space at the end is not part of the cell.
        [(Part::State, ..), ..] => cell.len() == 1 || !cell.iter().all(u8::is_ascii_alphabetic),
        _ => true,
    };
    let mut entries = Entries::of(head, form);
    let (mut marked, mut all) = (0, 0);
    while entries.next() {
        marked += u64::from(is_mark(entries.cells[0]));
        all += 1;
    }
    marked * 2 >= all
}

/// What the records of a head look like.
#[derive(Default)]
struct Seen<'a> {
    records: u64,
    fields: u64,
    others: u64,
    /// Records whose first field has the name of the first record's, or of the one before it.
    alike: u64,
    /// Fields whose name an earlier field of the record has.
    repeated: u64,
    /// Fields whose name differs from an earlier one of the record at most in its digits.
    numbered: u64,
    /// Fields with a value on their line.
    filled: u64,
    /// Fields that look like lines of messages or code.
    odd: u64,
    first: &'a [u8],
}

impl<'a> Seen<'a> {
    fn of(head: &'a [u8], stanza: &'static Stanza) -> Self {
        let mut seen = Seen::default();
        let mut records = Records::of(head, stanza);
        while records.next() {
            seen.records += 1;
            let first = records.fields[0].name;
            seen.alike += u64::from(seen.records == 1 || seen.first == first);
            seen.first = first;
            for (at, field) in records.fields.iter().enumerate() {
                seen.fields += 1;
                let is_level = LEVELS.iter().any(|level| level.eq_ignore_ascii_case(field.name));
                seen.odd += u64::from(is_level || is_code(records.value(field)));
                let before = &records.fields[at.saturating_sub(NEAR)..at];
                let is_like = |other: &Field| without_digits(other.name).eq(without_digits(field.name));
                seen.repeated += u64::from(before.iter().any(|other| other.name == field.name));
                seen.numbered += u64::from(before.iter().any(is_like));
                seen.filled += u64::from(!matches!(head.get(field.value.start), None | Some(b'\n' | b'\r')));
            }
        }
        seen.others = records.others;
        seen
    }

    /// Returns whether the form is shown.
    fn fits(&self, stanza: &Stanza) -> bool {
        let are_few = |count: u64| count * 10 <= self.fields;
        let are_alike = self.alike * 5 >= self.records * 4;
        let is_shown = match stanza.start {
            Start::Field(text) => self.records > 0 && text.as_bytes().starts_with(self.first),
            Start::Rule(_) | Start::Named(..) => self.records > 0,
            Start::Heading => self.records > 1 && are_few(self.odd) && are_few(self.others),
            Start::Blank => self.records > 2 && are_alike && are_few(self.odd + self.repeated),
            Start::Only => are_few(self.odd + self.numbered),
        };
        // Labels and options have their text on the lines below.
        let is_shown = is_shown && self.filled * 2 >= self.fields;
        // Known programs print lines around their records, and some records without fields.
        let is_known = !stanza.program.is_empty();
        let (least, others) = if is_known && stanza.after_blank != AfterBlank::Other {
            (self.records + 1, 2 * self.others)
        } else {
            (2 * self.records, 10 * self.others)
        };
        let least = least.max(if is_known { 2 } else { LEAST_FIELDS });
        is_shown && self.fields >= least && others <= self.fields
    }
}

fn without_digits(name: &[u8]) -> impl Iterator<Item = &u8> {
    name.iter().filter(|byte| !byte.is_ascii_digit())
}

/// Returns whether a value looks like code or YAML: it ends in a mark, is an anchor or an alias, or has
/// items of a list.
fn is_code(value: &[u8]) -> bool {
    let has_items =
        || value.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"- "));
    matches!(value, [.., b'{' | b';' | b',' | b'(' | b'\\'] | [b'&' | b'*', b'a'..=b'z' | b'A'..=b'Z', ..])
        || find::text(b"{{", value).is_some()
        || has_items()
}
