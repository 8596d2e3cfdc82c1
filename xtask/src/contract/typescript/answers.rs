//! Writes the conversion of the component's results: to numbers, without members that have no
//! value, and with the names of JavaScript.

use std::collections::BTreeSet;

use super::super::names::{camel, pascal};
use super::{Case, Field, Home, Kind, OWN_FORM, Shape, Type, json_type, type_name, value_name};

/// The record whose message names arguments.
const NAMES_ARGUMENTS: &str = "error";

/// Writes the module.
pub fn module(home: &Home<'_>) -> String {
    let is_needed = |name: &str| !OWN_FORM.contains(&name) && home.flow.returned.contains(name);
    let converted: Vec<&Type> =
        home.in_order(is_needed).into_iter().filter(|each| !matches!(each.kind, Kind::Enum(_))).collect();
    let interfaces: BTreeSet<&str> = converted.iter().map(|each| home.interface_of(&each.name)).collect();
    let glue: Vec<String> = interfaces
        .iter()
        .map(|name| {
            format!(
                "import type * as {} from '../../generated/interfaces/tuckaway-context-{name}.js';\n",
                pascal(name)
            )
        })
        .collect();
    let mut names: Vec<String> = converted.iter().map(|each| type_name(&each.name)).collect();
    names.sort();
    let functions: Vec<String> = converted.iter().map(|each| home.conversion(each)).collect();
    let functions = functions.join("\n");
    let helpers = ["caseName", "omitUndefined", "optionalSize", "signedSize", "size"];
    let helpers: Vec<&str> = helpers
        .into_iter()
        .filter(|helper| {
            functions.contains(&format!("{helper}("))
                || functions.contains(&format!("{helper}<"))
                || functions.contains(&format!("({helper})"))
        })
        .collect();
    format!(
        "/** Converts what the component returns into the form of the contract's types. */\n\n{}\
         import {{ inJavaScript }} from '../error.js';\nimport {{ {} }} from '../output.js';\n\
         import type {{ ContextMemory, JsonSchema }} from '../json-types.js';\n\
         import type {{\n    {},\n}} from './types.js';\n\n{}",
        glue.concat(),
        helpers.join(", "),
        names.join(",\n    "),
        functions
    )
}

impl Home<'_> {
    fn conversion(&self, each: &Type) -> String {
        let (function, name) = (value_name(&each.name), type_name(&each.name));
        let glue = format!("{}.{}", pascal(self.interface_of(&each.name)), pascal(&each.name));
        let body = match &each.kind {
            Kind::Variant(cases) => self.variant(cases),
            Kind::Record(fields) => self.record(&each.name, &name, fields),
            Kind::Enum(_) => String::new(),
        };
        let returned =
            if self.is_complete_if_returned(&each.name) { format!("Required<{name}>") } else { name };
        format!("export function {function}(from: {glue}): {returned} {{\n{body}}}\n")
    }

    fn record(&self, record: &str, name: &str, fields: &[Field]) -> String {
        let has_options = fields.iter().any(|field| matches!(field.shape, Shape::Option(_)));
        let members: String = fields
            .iter()
            .map(|field| {
                let from = format!("from.{}", camel(&field.name));
                let value = match json_type(record, field) {
                    Some(spelled) => format!("JSON.parse({from}) as {spelled}"),
                    None => self.value(&field.shape, &from),
                };
                format!("        {}: {value},\n", camel(&field.name))
            })
            .collect();
        match has_options {
            true => format!("    return omitUndefined<{name}>({{\n{members}    }});\n"),
            false if record == NAMES_ARGUMENTS => format!("    return inJavaScript({{\n{members}    }});\n"),
            false => format!("    return {{\n{members}    }};\n"),
        }
    }

    fn variant(&self, cases: &[Case]) -> String {
        let cases: String = cases
            .iter()
            .map(|case| {
                let value = case
                    .shape
                    .as_ref()
                    .map_or_else(|| "true".to_owned(), |shape| self.value(shape, "from.val"));
                format!(
                    "        case '{}':\n            return {{ {}: {value} }};\n",
                    case.name,
                    camel(&case.name)
                )
            })
            .collect();
        format!("    switch (from.tag) {{\n{cases}    }}\n")
    }

    fn value(&self, shape: &Shape, from: &str) -> String {
        match shape {
            Shape::U64 => format!("size({from})"),
            Shape::S64 => format!("signedSize({from})"),
            Shape::Option(inner) => match &**inner {
                Shape::U64 => format!("optionalSize({from})"),
                inner => {
                    let value = self.value(inner, from);
                    if value == from { value } else { format!("{from} === undefined ? undefined : {value}") }
                }
            },
            // A typed array, whose own `map` has values of the same type.
            Shape::List(inner) if **inner == Shape::U64 => format!("[...{from}].map(size)"),
            Shape::List(inner) => match self.function(inner) {
                Some(function) => format!("{from}.map({function})"),
                None => format!("[...{from}]"),
            },
            Shape::Named(_) => match self.function(shape) {
                Some(function) => format!("{function}({from})"),
                None => from.to_owned(),
            },
            _ => from.to_owned(),
        }
    }

    /// Returns the function that converts a value; `None` if the value needs no conversion.
    fn function(&self, shape: &Shape) -> Option<String> {
        match shape {
            Shape::U64 => Some("size".to_owned()),
            Shape::Named(name) => match &self.types[name.as_str()].kind {
                Kind::Enum(_) => self.is_respelled(name).then(|| "caseName".to_owned()),
                _ => Some(value_name(name)),
            },
            _ => None,
        }
    }
}
