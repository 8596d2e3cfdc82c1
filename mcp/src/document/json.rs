//! JSON with the extensions that editors allow.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{Malformed, Member, Node, Value};

/// The extensions that Visual Studio Code allows in its files: comments and trailing commas.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a text that begins `shift` bytes into its file.
pub fn parse(text: &str, shift: usize) -> Result<Node, Malformed> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS)
        .map_err(|error| Malformed { line: error.line_display(), message: error.kind().to_string() })?;
    Ok(match parsed.value {
        Some(value) => node(value, shift),
        None => Node { value: Value::Table(Vec::new()), span: shift..shift },
    })
}

/// Converts a value. The parser bounds its depth.
fn node(value: ast::Value<'_>, shift: usize) -> Node {
    let span = shifted(value.range(), shift);
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(bool) => Value::Bool(bool.value),
        ast::Value::NumberLit(number) => Value::Number(number.value.to_owned()),
        ast::Value::StringLit(text) => Value::Text(text.value.into_owned()),
        ast::Value::Array(array) => {
            Value::List(array.elements.into_iter().map(|element| node(element, shift)).collect())
        }
        ast::Value::Object(object) => Value::Table(
            object
                .properties
                .into_iter()
                .map(|property| Member {
                    key_span: shifted(property.name.range(), shift),
                    key: property.name.into_string(),
                    node: node(property.value, shift),
                })
                .collect(),
        ),
    };
    Node { value, span }
}

fn shifted(range: jsonc_parser::common::Range, shift: usize) -> Range<usize> {
    range.start + shift..range.end + shift
}
