//! Converts a table to JSON: an array with an object for each record.

use super::cells::Cells;
use super::dialect::{Dialect, without_count};
use super::rows::names;
use crate::columns::Objects;
use crate::error::ToJsonError;
use crate::kind::AsJson;
use tuckaway_text::counted;

/// Converts a table to JSON of at most `max` bytes: the records as objects, with the names
/// of columns as keys.
///
/// A cell is a number if JSON's grammar says so, null if it is empty or `\N`, or else a
/// string, with quotes or without. Cells that a record lacks are omitted; those beyond the
/// columns are included.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    // The content was detected as a table by its head.
    let bytes = without_count(bytes);
    let dialect = Dialect::of(bytes).unwrap_or_default();
    let mut cells = Cells::new(bytes, dialect.start, dialect.delimiter);
    let mut objects = Objects::new(names(&mut cells, &dialect), bytes.len(), max);
    for cell in cells {
        objects.push(&cell.content());
        if cell.is_last {
            objects.end_row(dialect.name())?;
        }
    }
    let (json, count) = objects.finish();
    let by = if dialect.has_header { "its header" } else { "column_1, column_2, …" };
    let note = format!("{} read as an array of {}, keyed by {by}", dialect.name(), counted(count, "object"));
    Ok(AsJson { json, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn parsed(text: &str) -> (Value, String) {
        let made = to_json(text.as_bytes(), 1 << 20).unwrap();
        (serde_json::from_slice(&made.json).unwrap(), made.note)
    }

    #[test]
    fn records_become_objects() {
        let (value, note) =
            parsed("id,name,name,,zip\n1,Ann,\"a \"\"b\"\"\nc\",\\,007\n2,,\"5\",1.50,-1\n3,x,y,z,12e4\n");
        assert_eq!(
            value,
            json!([
                {"id": 1, "name": "Ann", "name_2": "a \"b\"\nc", "column_4": "\\", "zip": "007"},
                {"id": 2, "name": null, "name_2": 5, "column_4": 1.5, "zip": -1},
                {"id": 3, "name": "x", "name_2": "y", "column_4": "z", "zip": "12e4"},
            ])
        );
        assert_eq!(note, "CSV read as an array of 3 objects, keyed by its header");
        let (value, note) = parsed("1\t2.5\n3\t4\n");
        assert_eq!(value, json!([{"column_1": 1, "column_2": 2.5}, {"column_1": 3, "column_2": 4}]));
        assert_eq!(note, "TSV read as an array of 2 objects, keyed by column_1, column_2, …");
    }

    #[test]
    fn names_that_are_taken_are_skipped() {
        let (value, _) = parsed("a,a_2,a,a\n1,2,3,4\n");
        assert_eq!(value, json!([{"a": 1, "a_2": 2, "a_3": 3, "a_4": 4}]));
    }

    #[test]
    fn long_names_do_not_make_json_without_bound() {
        let text = format!("{},b\n{}", "long name ".repeat(100), "1,2\n".repeat(100_000));
        let error = to_json(text.as_bytes(), 1 << 20).err().unwrap();
        assert_eq!(
            error.to_string(),
            "As JSON this CSV is larger than 1 MiB, which is more than jq can query. Search it with grep or read it instead."
        );
    }

    proptest! {
        #[test]
        fn any_bytes_become_json(
            lines in proptest::collection::vec("[a1,\\t\"\\\\]{0,12}|[a-z]{1,5},-?[0-9.e]{1,4}", 0..30),
            bytes in proptest::collection::vec(any::<u8>(), 0..20),
        ) {
            let mut text = lines.join("\n").into_bytes();
            text.extend_from_slice(&bytes);
            if let Ok(made) = to_json(&text, 1 << 20) {
                let text = String::from_utf8_lossy(&made.json).into_owned();
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
                prop_assert!(made.note.len() <= 120);
            }
        }
    }
}
