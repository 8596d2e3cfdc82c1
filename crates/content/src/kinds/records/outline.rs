//! The outline of records: their number, and their fields over all of them.

use tuckaway_search::hash;
use tuckaway_text::{counted, cut, lossy};

use super::reader::Records;
use super::stanzas::Stanza;
use crate::columns::{self, Class, Column, MAX_COLUMNS, Names};
use crate::hashes::Hashes;
use crate::outline::{Entry, Outline};

/// Fields of a single record that are shown, and bytes of each.
const SHOWN_FIELDS: usize = 100;
const VALUE_BYTES: usize = 60;

/// Outlines records of a form.
pub fn outline(bytes: &[u8], stanza: &'static Stanza) -> Outline {
    let mut fields = Fields::default();
    let mut records = Records::of(bytes, stanza);
    let mut single = Vec::new();
    while records.next() {
        if fields.records == 0 {
            let shown = records.fields.iter().take(SHOWN_FIELDS);
            single = shown.map(|field| (shown_text(field.name), shown_text(records.value(field)))).collect();
        }
        fields.push(&records);
    }
    let mut outline = Outline::default();
    let of_program =
        if stanza.program.is_empty() { String::new() } else { format!(" of {}", stanza.program) };
    let names = counted(fields.names.len() as u64, "field");
    let kind = match fields.records {
        1 => format!("record{of_program}: {names}"),
        records => format!("records{of_program}: {records} of {names}"),
    };
    outline.push("kind", Entry::Text(kind));
    if records.others > 0 {
        outline.push("other", Entry::Text(format!("{} of another form", counted(records.others, "line"))));
    }
    if fields.records == 1 {
        let more = fields.count - single.len() as u64;
        outline.push_members(".", single, more);
    } else {
        let mut names: Names = fields
            .names
            .iter()
            .map(|name| lossy(name))
            .collect::<Vec<_>>()
            .iter()
            .map(|name| &**name)
            .collect();
        outline.push(".[]", columns::entry(&fields.columns, &mut names));
    }
    outline
}

fn shown_text(text: &[u8]) -> String {
    cut::excerpt(lossy(&text[..text.len().min(4 * VALUE_BYTES)]).into_owned(), VALUE_BYTES)
}

/// The fields of all records.
#[derive(Default)]
struct Fields<'a> {
    records: u64,
    count: u64,
    names: Vec<&'a [u8]>,
    columns: Vec<Column<'a>>,
    /// The index of each name.
    indices: Hashes,
    /// The record in which each name was seen last.
    seen_in: Vec<u64>,
}

impl<'a> Fields<'a> {
    /// Adds the fields of a record.
    fn push(&mut self, records: &Records<'a>) {
        self.records += 1;
        let mut likely = 0;
        for field in &records.fields {
            self.count += 1;
            let Some(index) = self.index(field.name, likely) else { continue };
            likely = index + 1;
            columns::push_row(&mut self.columns[index..=index], &[records.value(field)]);
            self.seen_in[index] = self.records;
        }
        for (column, seen_in) in self.columns.iter_mut().zip(&self.seen_in) {
            column.counts[Class::Empty as usize] += u64::from(*seen_in != self.records);
        }
    }

    /// Returns the index of a name; none if it is one of too many.
    fn index(&mut self, name: &'a [u8], likely: usize) -> Option<usize> {
        if self.names.get(likely) == Some(&name) {
            return Some(likely);
        }
        let hash = hash::of(name);
        if let Some(index) = self.indices.get(hash) {
            return Some(index).filter(|&index| self.names[index] == name);
        }
        let index = self.names.len();
        if index == MAX_COLUMNS || self.indices.insert(hash, index) != Some(true) {
            return None;
        }
        self.names.push(name);
        let mut column = Column::default();
        column.counts[Class::Empty as usize] = self.records - 1;
        self.columns.push(column);
        self.seen_in.push(0);
        Some(index)
    }
}
