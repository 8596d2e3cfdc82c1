//! Writes the queries of the Python package: functions that check the keyword arguments of clients.

use super::names::{Spelling, snake};
use super::prose::{Default, filled};
use super::wit::{Contract, Field, Kind, Shape};

/// The records whose first field is an argument of its own, and what their functions return.
const QUERIES: [(&str, &str); 2] =
    [("grep-query", "the query of a search"), ("jq-query", "the query of a filter")];

/// Fields that Python has in another form: the record, the field, its annotation, its default, the
/// function that converts it, and its documentation.
const OTHER_FIELDS: [(&str, &str, &str, &str, &str, &str); 1] = [(
    "jq-query",
    "variables",
    "Mapping[str, str] | None",
    "None",
    "artifact_ids",
    "Other artifacts for the filter, at most 8: the names of variables, without the dollar sign, and artifact ids. \
     Default: none.",
)];

/// The width of a line of documentation.
const WIDTH: usize = 104;

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let spelling = Spelling::of(contract, snake);
    let types = contract.types();
    let functions = QUERIES.iter().map(|(name, what)| match &types[*name].kind {
        Kind::Record(fields) => function(name, what, fields, &spelling),
        _ => panic!("{name} is no record"),
    });
    format!(
        "\"\"\"The queries of the contract, of the keyword arguments of a client's methods.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from collections.abc import Mapping\n\
         from typing import Any\n\n\
         from ._check import U32_MAX, artifact_ids, optional_size, optional_text, size, text\n{}",
        functions.collect::<String>()
    )
}

fn function(record: &str, what: &str, fields: &[Field], spelling: &Spelling<'_>) -> String {
    let (first, options) = fields.split_first().expect("a query has an argument of its own");
    let argument = snake(&first.name);
    let (mut parameters, mut docs, mut members) = (String::new(), String::new(), String::new());
    for field in options {
        let name = snake(&field.name);
        let other = OTHER_FIELDS.iter().find(|(owner, field, ..)| *owner == record && snake(field) == name);
        let (annotation, default, value, said) = match other {
            Some((_, _, annotation, default, check, docs)) => (
                (*annotation).to_owned(),
                (*default).to_owned(),
                format!("{check}(\"{name}\", {name})"),
                (*docs).to_owned(),
            ),
            None => {
                let (annotation, default) = parameter(field);
                (annotation.to_owned(), default, checked(field), spelling.of_member(&field.docs, None))
            }
        };
        parameters += &format!("    {name}: {annotation} = {default},\n");
        members += &format!("        \"{name}\": {value},\n");
        let item = format!("``{name}``: {}", said.replace('`', "``").replace('\n', " "));
        docs += &format!("    -{}", &filled(&item, "      ", WIDTH)[5..]);
    }
    format!(
        "\n\ndef {}(\n    {argument}: str,\n    *,\n{parameters}) -> dict[str, Any]:\n    \"\"\"Returns {what}.\n\n\
         {docs}    \"\"\"\n    return {{\n        \"{argument}\": text(\"{argument}\", {argument}),\n{members}    }}\n",
        snake(record)
    )
}

/// Returns the annotation and the default of a parameter.
fn parameter(field: &Field) -> (&'static str, String) {
    match (&field.shape, Default::of(&field.docs)) {
        (Shape::Option(inner), _) if **inner == Shape::String => ("str | None", "None".to_owned()),
        (Shape::Option(_), _) => ("int | None", "None".to_owned()),
        (Shape::Bool, _) => ("bool", "False".to_owned()),
        (Shape::U32, Some(Default::Zero)) => ("int", "0".to_owned()),
        (shape, default) => panic!("a query has no form for {}: {shape:?} = {default:?}", field.name),
    }
}

/// Returns the expression that checks a parameter.
fn checked(field: &Field) -> String {
    let name = snake(&field.name);
    match &field.shape {
        Shape::Option(inner) => match **inner {
            Shape::String => format!("optional_text(\"{name}\", {name})"),
            Shape::U32 => format!("optional_size(\"{name}\", {name}, U32_MAX)"),
            _ => format!("optional_size(\"{name}\", {name})"),
        },
        Shape::Bool => format!("bool({name})"),
        _ => format!("size(\"{name}\", {name}, U32_MAX)"),
    }
}
