//! TOML.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::{Malformed, Member, Node, Value, line_of};

/// Reads a text that begins `shift` bytes into its file.
pub fn parse(text: &str, shift: usize) -> Result<Node, Malformed> {
    let table = DeTable::parse(text).map_err(|error| Malformed {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        message: error.message().lines().collect::<Vec<_>>().join("; "),
    })?;
    let span = shifted(table.span(), shift);
    Ok(Node { value: Value::Table(members(table.into_inner(), shift)), span })
}

/// Converts a table. The parser bounds its depth.
fn members(table: DeTable<'_>, shift: usize) -> Vec<Member> {
    let mut members: Vec<Member> = table
        .into_iter()
        .map(|(key, value)| Member {
            key_span: shifted(key.span(), shift),
            key: key.into_inner().into_owned(),
            node: node(value, shift),
        })
        .collect();
    members.sort_by_key(|member| member.key_span.start);
    members
}

fn node(value: Spanned<DeValue<'_>>, shift: usize) -> Node {
    let span = shifted(value.span(), shift);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => Value::Number(decimal(&integer)),
        DeValue::Float(float) => Value::Number(float.as_str().to_owned()),
        DeValue::Boolean(bool) => Value::Bool(bool),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(elements) => {
            Value::List(elements.into_iter().map(|element| node(element, shift)).collect())
        }
        DeValue::Table(table) => Value::Table(members(table, shift)),
    };
    Node { value, span }
}

fn decimal(integer: &DeInteger<'_>) -> String {
    match i64::from_str_radix(integer.as_str(), integer.radix()) {
        Ok(value) => value.to_string(),
        Err(_) => integer.as_str().to_owned(),
    }
}

fn shifted(range: Range<usize>, shift: usize) -> Range<usize> {
    range.start + shift..range.end + shift
}
