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
    let mut single = Single::default();
    while records.next() {
        if fields.records == 0 {
            single = Single::of(&records);
        }
        fields.push(&records);
    }
    let mut outline = Outline::default();
    let of_program =
        if stanza.program.is_empty() { String::new() } else { format!(" of {}", stanza.program) };
    let more = if fields.has_more { "+" } else { "" };
    let names = match fields.columns.len() {
        1 => "1 field".to_owned(),
        count => format!("{count}{more} fields"),
    };
    let kind = match fields.records {
        1 => format!("record{of_program}: {names}"),
        records => format!("records{of_program}: {records} of {names}"),
    };
    outline.push("kind", Entry::Text(kind));
    if records.others > 0 {
        outline.push("other", Entry::Text(format!("{} of another form", counted(records.others, "line"))));
    }
    if records.omitted > 0 {
        outline.push("omitted", Entry::Text(counted(records.omitted, "field")));
    }
    if fields.records == 1 {
        outline.push_members(".", single.members, single.more);
    } else {
        let mut names = fields.names();
        outline.push(".[]", columns::entry(&fields.finish(), &mut names));
    }
    outline
}

/// The fields of a record that may be the only one.
#[derive(Default)]
struct Single {
    members: Vec<(String, String)>,
    more: u64,
}

impl Single {
    fn of(records: &Records) -> Self {
        let mut single = Single::default();
        for field in &records.fields {
            let name = shown_text(field.name);
            let known = single.members.iter().position(|(known, _)| *known == name);
            match known {
                // jq reads the values of repeated fields as an array.
                Some(known) if single.members[known].1.ends_with(", …") => {}
                Some(known) => single.members[known].1 += ", …",
                None if single.members.len() < SHOWN_FIELDS => {
                    single.members.push((name, shown_text(records.value(field))));
                }
                None => single.more += 1,
            }
        }
        single
    }
}

fn shown_text(text: &[u8]) -> String {
    cut::excerpt(lossy(&text[..text.len().min(4 * VALUE_BYTES)]).into_owned(), VALUE_BYTES)
}

/// The fields of all records.
#[derive(Default)]
struct Fields<'a> {
    records: u64,
    columns: Vec<Column<'a>>,
    /// Each column's name, the number of records that have it, and the last of these.
    known: Vec<(&'a [u8], u64, u64)>,
    /// The index of each name.
    indices: Hashes,
    /// Whether there are more names than are kept.
    has_more: bool,
}

impl<'a> Fields<'a> {
    /// Adds the fields of a record.
    fn push(&mut self, records: &Records<'a>) {
        self.records += 1;
        let mut likely = 0;
        for field in &records.fields {
            let Some(index) = self.index(field.name, likely) else {
                self.has_more = true;
                continue;
            };
            likely = index + 1;
            columns::push_row(&mut self.columns[index..=index], &[records.value(field)]);
            let (_, count, last) = &mut self.known[index];
            *count += u64::from(*last != self.records);
            *last = self.records;
        }
    }

    /// Returns the index of a name; none if it is one of too many.
    fn index(&mut self, name: &'a [u8], likely: usize) -> Option<usize> {
        if self.known.get(likely).is_some_and(|(known, ..)| *known == name) {
            return Some(likely);
        }
        let hash = hash::of(name);
        if let Some(index) = self.indices.get(hash) {
            return Some(index).filter(|&index| self.known[index].0 == name);
        }
        let index = self.known.len();
        if index == MAX_COLUMNS || self.indices.insert(hash, index) != Some(true) {
            return None;
        }
        self.known.push((name, 0, 0));
        self.columns.push(Column::default());
        Some(index)
    }

    fn names(&self) -> Names {
        let mut names = Names::default();
        self.known.iter().for_each(|(name, ..)| names.push(&lossy(name)));
        names
    }

    /// Returns the columns, with an empty value for each record that lacks the field.
    fn finish(mut self) -> Vec<Column<'a>> {
        for (column, (_, count, _)) in self.columns.iter_mut().zip(&self.known) {
            column.counts[Class::Empty as usize] += self.records - count;
        }
        self.columns
    }
}
