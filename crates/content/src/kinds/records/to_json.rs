//! Converts records to JSON: an object for each.

use tuckaway_json::write::push_string;
use tuckaway_search::find;
use tuckaway_text::{counted, order};

use super::reader::{Field, Records};
use super::stanzas::Stanza;
use crate::columns::number;
use crate::error::ToJsonError;
use crate::kind::AsJson;

/// Converts records of a form to JSON of at most `max` bytes.
///
/// A value is a number if JSON's grammar says so, null if it is empty, or else a string, of several
/// lines if others continue it. Lines that belong to no record are omitted.
pub fn to_json(bytes: &[u8], max: usize, stanza: &'static Stanza) -> Result<AsJson, ToJsonError> {
    let mut json = vec![b'['];
    let mut records = Records::of(bytes, stanza);
    let mut count = 0;
    while records.next() {
        json.extend_from_slice(if count == 0 { b"\n" } else { b",\n" });
        push_record(&mut json, &records, max);
        count += 1;
        if json.len() > max {
            return Err(ToJsonError::TooLarge(format!(
                "As JSON these records are larger than {} MiB, which is more than jq can query. Search them with grep or read them instead.",
                max >> 20
            )));
        }
    }
    json.extend_from_slice(b"\n]\n");
    if count == 1 {
        let end = json.len() - b"\n]\n".len();
        json.truncate(end);
        json.drain(..2);
    }
    let read =
        if count == 1 { "an object".to_owned() } else { format!("an array of {}", counted(count, "object")) };
    Ok(AsJson { json, note: format!("records read as {read}") })
}

/// Adds a record, or its first fields if these are larger than `max`.
fn push_record(json: &mut Vec<u8>, records: &Records, max: usize) {
    let fields = &records.fields;
    // Fields of one name are next to each other, the first before the others.
    let mut sorted: Vec<usize> = (0..fields.len()).collect();
    order::sort_by_key(&mut sorted, |&at| (fields[at].name, at));
    // The fields after each first one of a name.
    let mut runs: Vec<(usize, &[usize])> = Vec::new();
    let mut rest = &sorted[..];
    while let [first, ..] = rest {
        let len = rest.iter().take_while(|&&at| fields[at].name == fields[*first].name).count();
        runs.push((*first, &rest[..len]));
        rest = &rest[len..];
    }
    order::sort_by_key(&mut runs, |run| run.0);
    let mut open = b'{';
    for (first, run) in runs {
        if json.len() > max {
            return;
        }
        json.push(std::mem::replace(&mut open, b','));
        push_string(json, fields[first].name);
        json.push(b':');
        let mut bracket = b'[';
        for &at in run {
            if run.len() > 1 {
                json.push(std::mem::replace(&mut bracket, b','));
            }
            push_value(json, records, &fields[at]);
        }
        if run.len() > 1 {
            json.push(b']');
        }
    }
    json.push(b'}');
}

fn push_value(json: &mut Vec<u8>, records: &Records, field: &Field) {
    let value = records.value(field);
    if value.is_empty() {
        json.extend_from_slice(b"null");
    } else if number(value).is_some() {
        json.extend_from_slice(value);
    } else if find::byte(b'\n', value).is_some() {
        push_string(json, &without_indent(value, records.value_indent(field), records.mark()));
    } else {
        push_string(json, value);
    }
}

/// Removes the indentation that all lines have. `first` is that of the first line, if it counts. Or
/// removes a mark, which follows the indentation, and the plus sign with which psql says that more follows.
fn without_indent(value: &[u8], first: Option<usize>, mark: &str) -> Vec<u8> {
    let indent = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ' || **byte == b'\t').count();
    let lines = || value.split(|byte| *byte == b'\n').skip(1);
    let filled = lines().filter(|line| !line.trim_ascii().is_empty());
    let common = filled.map(indent).chain(first).min().unwrap_or(0);
    let mut text = value.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end().to_vec();
    for line in lines() {
        let line = match line.trim_ascii_start().strip_prefix(mark.as_bytes()) {
            Some(line) if !mark.is_empty() => {
                let kept = text.strip_suffix(b"+").unwrap_or(&text);
                let spaces = kept.iter().rev().take_while(|byte| **byte == b' ').count();
                text.truncate(kept.len() - spaces);
                line.strip_prefix(b" ").unwrap_or(line)
            }
            _ => line.get(common..).unwrap_or_default(),
        };
        text.push(b'\n');
        text.extend_from_slice(line.trim_ascii_end());
    }
    text
}
