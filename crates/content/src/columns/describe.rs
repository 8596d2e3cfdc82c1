//! Describes a column in words: the types of its values, their range, the number of
//! distinct ones.

use std::cmp::Reverse;

use super::column::Column;
use super::value::Class;
use tuckaway_text::{cut, lossy, order};

/// Bytes that are shown of a value among others.
const SHORT_BYTES: usize = 24;
/// Bytes that are shown of an example, or of a listed value.
const EXAMPLE_BYTES: usize = 60;
/// Bytes of the values of a column that is listed.
const LISTED_BYTES: usize = 120;

/// The detail of a column's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Only the types.
    Types,
    /// Also the range, and the number of empty values.
    Ranges,
    /// Also the number of distinct values, and the values if they are few.
    Values,
    /// Also an example if they are many.
    Examples,
}

/// Describes a column in a few words.
pub fn describe(column: &Column, detail: Detail) -> String {
    let empty_count = column.counts[Class::Empty as usize];
    let all: u64 = column.counts.iter().sum();
    if empty_count == all {
        return "always empty".to_owned();
    }
    let types = types(column);
    let mut text = types.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("|");
    if detail == Detail::Types {
        return text;
    }
    let range = match (types[0].0, &column.numbers, &column.moments) {
        ("integer" | "number", Some([low, high]), _) => Some([low.1, high.1]),
        ("date" | "time", _, &Some(range)) => Some(range),
        _ => None,
    };
    let few = column.distinct.few();
    let is_listed = detail >= Detail::Values && few.is_some_and(|few| is_listable(few, range.is_some()));
    if let Some([low, high]) = range.filter(|[low, high]| !is_listed && low != high) {
        text += &format!(" {}..{}", shown(low, SHORT_BYTES), shown(high, SHORT_BYTES));
    }
    let minor = types.iter().skip(1).map(|(name, count)| match *name {
        "string" if detail >= Detail::Values => {
            format!("{count} string ({})", shown(column.text, SHORT_BYTES))
        }
        name => format!("{count} {name}"),
    });
    let empty = (empty_count > 0).then(|| format!("{empty_count} empty"));
    let has_values = detail >= Detail::Values;
    let distinct = has_values.then(|| match few {
        Some([(value, _)]) if is_listed => {
            let others = if empty_count > 0 { "else" } else { "always" };
            format!("{others} {}", shown(value, EXAMPLE_BYTES))
        }
        Some(few) if is_listed => values(few),
        _ => match column.distinct.count() {
            Ok(count) if count == all - empty_count => "all distinct".to_owned(),
            Ok(count) => format!("{count} distinct"),
            Err(count) => format!("{count}+ distinct"),
        },
    });
    let wants_example = detail == Detail::Examples && !is_listed && range.is_none();
    let example = wants_example.then(|| format!("e.g. {}", shown(column.example, EXAMPLE_BYTES)));
    for part in minor.chain(empty).chain(distinct).chain(example) {
        text += ", ";
        text += &part;
    }
    text
}

/// Returns the types of the values that are not empty, the most common first.
fn types(column: &Column) -> Vec<(&'static str, u64)> {
    let count = |class: Class| column.counts[class as usize];
    let (integers, numbers) = (count(Class::Integer), count(Class::Number));
    let mut types = vec![
        // To jq `true` is text as well.
        ("string", count(Class::String) + count(Class::Boolean)),
        ("time", count(Class::Time)),
        ("date", count(Class::Date)),
        if numbers == 0 { ("integer", integers) } else { ("number", integers + numbers) },
    ];
    types.retain(|(_, count)| *count > 0);
    order::sort_by_key(&mut types, |&(_, count)| Reverse(count));
    types
}

/// Returns whether the values themselves say more than their number.
fn is_listable(few: &[(&[u8], u64)], has_range: bool) -> bool {
    let repeats = few.iter().any(|(_, count)| *count > 1);
    few.len() <= if has_range { 3 } else { 5 }
        && match few {
            [_] => true,
            few => {
                let bytes: usize = few.iter().map(|(value, _)| value.len()).sum();
                repeats && bytes <= LISTED_BYTES && few.iter().all(|(value, _)| value.len() <= EXAMPLE_BYTES)
            }
        }
}

/// Returns values with their numbers of occurrences, the most common first.
fn values(few: &[(&[u8], u64)]) -> String {
    let mut few = few.to_vec();
    order::sort_by_key(&mut few, |&(_, count)| Reverse(count));
    // If a value has a comma, quotes show where values end.
    let quote = if few.iter().any(|(value, _)| value.contains(&b',')) { "\"" } else { "" };
    let one =
        |(value, count): &(&[u8], u64)| format!("{quote}{}{quote} ({count})", shown(value, EXAMPLE_BYTES));
    few.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Returns the start of a value as text, with its quotes undoubled.
fn shown(value: &[u8], max: usize) -> String {
    let start = &value[..value.len().min(4 * max)];
    cut::excerpt(lossy(start).replace("\"\"", "\""), max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(cells: &[&str], detail: Detail) -> String {
        let mut column = Column::default();
        cells.iter().for_each(|cell| column.push(cell.as_bytes()));
        describe(&column, detail)
    }

    #[test]
    fn columns_are_described_in_few_words() {
        for (cells, expected) in [
            (&["", ""][..], "always empty"),
            (&["a", "a"], "string, always a"),
            (&["a", "a", ""], "string, 1 empty, else a"),
            (&["a", "b", "a", ""], "string, 1 empty, a (2), b (1)"),
            (&["a, b", "c", "a, b"], "string, \"a, b\" (2), \"c\" (1)"),
            (&["1", "2", "30"], "integer 1..30, all distinct"),
            (&["1", "2.5", "-30", "n/a"], "number|string -30..2.5, 1 string (n/a), all distinct"),
            (&["true", "false", "true"], "string, true (2), false (1)"),
            (&["2026-01-31", "2025-12-01", "2026-02-01"], "date 2025-12-01..2026-02-01, all distinct"),
            (&["31.01.2026", "01.12.2025"], "date, all distinct, e.g. 31.01.2026"),
            (&["10:00", "09:30"], "time 09:30..10:00, all distinct"),
            (&["ab", "cd", "ef"], "string, all distinct, e.g. ab"),
        ] {
            assert_eq!(described(cells, Detail::Examples), expected);
        }
        let many: Vec<String> = (0..5_000).map(|n| format!("v{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(described(&many, Detail::Examples), "string, 1000+ distinct, e.g. v0");
        assert_eq!(described(&many, Detail::Types), "string");
        assert_eq!(described(&["1", "2", ""], Detail::Ranges), "integer 1..2, 1 empty");
    }
}
