//! Writes the types.

use super::super::names::{camel, case_name};
use super::super::prose::{Default, filled};
use super::{
    Case, Field, Home, Kind, OWN_FORM, Shape, Type, WIDTH, comment, json_type, open_end, other_field,
    type_name,
};

/// Writes the module.
pub fn module(home: &Home<'_>) -> String {
    let is_needed =
        |name: &str| !OWN_FORM.contains(&name) && (home.is_given(name) || home.flow.returned.contains(name));
    let all = home.contract.interfaces.iter().flat_map(|interface| &interface.types);
    let types: Vec<String> = all
        .filter(|each| is_needed(&each.name))
        .map(|each| home.definition(each))
        .chain(home.option_types())
        .collect();
    format!(
        "/**\n * The records of the contract. Sizes and counts are whole numbers; a limit may also be `Infinity`.\n */\n\n\
         import type {{ ContextMemory, JsonSchema }} from '../json-types.js';\n\n{}",
        types.join("\n")
    )
}

impl Home<'_> {
    fn definition(&self, each: &Type) -> String {
        let name = type_name(&each.name);
        match &each.kind {
            Kind::Enum(cases) => self.enumeration(each, cases),
            Kind::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.field(&each.name, field)).collect();
                let docs = comment(&self.spelling.of_type(each), "");
                format!("{docs}export interface {name} {{\n{}}}\n", fields.concat())
            }
            Kind::Variant(cases) => {
                let cases: Vec<String> = cases.iter().map(|case| self.case(&each.name, case)).collect();
                let docs = self.spelling.of_type(each) + "\n\nAn object with exactly one of these members.";
                format!("{}export type {name} =\n{};\n", comment(&docs, ""), cases.join("\n"))
            }
        }
    }

    fn enumeration(&self, each: &Type, cases: &[Case]) -> String {
        let own = Shape::Named(each.name.clone());
        let items = cases.iter().map(|case| {
            let docs = self.spelling.of_member(&case.docs, Some(&own)).replace('\n', " ");
            let item = filled(&format!("`{}`: {docs}", case_name(&each.name, &case.name)), "  ", WIDTH - 3);
            format!("-{}", &item[1..])
        });
        let docs = format!("{}\n\n{}", self.spelling.of_type(each), items.collect::<String>());
        let names: Vec<String> =
            cases.iter().map(|case| format!("'{}'", case_name(&each.name, &case.name))).collect();
        let name = type_name(&each.name);
        let line = format!("export type {name} = {};\n", names.join(" | "));
        let definition = match line.len() <= WIDTH {
            true => line,
            false => format!("export type {name} =\n    | {};\n", names.join("\n    | ")),
        };
        comment(&docs, "") + &definition
    }

    fn case(&self, variant: &str, case: &Case) -> String {
        let docs = self.spelling.of_member(&case.docs, case.shape.as_ref());
        let value = case.shape.as_ref().map_or_else(
            || "true".to_owned(),
            |shape| {
                let is_given = self.is_given(variant);
                self.spelled(shape, is_given)
            },
        );
        format!("{}    | {{ {}: {value} }}", comment(&docs, "    "), camel(&case.name))
    }

    pub(super) fn field(&self, record: &str, field: &Field) -> String {
        // Parameters of functions belong to no record.
        let is_given = record.is_empty() || self.is_given(record);
        let is_complete = self.settings.contains(record);
        let open_end = open_end(record, field);
        let has_default = !is_complete && Default::of(&field.docs).is_some() || open_end.is_some();
        let (mark, none) = match &field.shape {
            Shape::Option(_) if is_given => ("?", " | null | undefined"),
            Shape::Option(_) => ("?", ""),
            _ if is_given && has_default => ("?", " | undefined"),
            _ => ("", ""),
        };
        let other = other_field(record, field);
        let spelled = match json_type(record, field).or(other.map(|(spelled, ..)| spelled)) {
            Some(spelled) => spelled.to_owned(),
            None => self.spelled(&field.shape, is_given),
        };
        let mut docs = match other {
            Some((.., docs)) => docs.to_owned(),
            None => self.spelling.of_member(&field.docs, Some(&field.shape)),
        };
        if let Some(default) = open_end {
            docs += &format!(" Default: {default}.");
        }
        format!("{}    {}{mark}: {spelled}{none};\n", comment(&docs, "    "), camel(&field.name))
    }

    /// Returns the type of a value; an option is a mark of its field.
    fn spelled(&self, shape: &Shape, is_given: bool) -> String {
        match shape {
            Shape::Bool => "boolean".to_owned(),
            Shape::U32 | Shape::U64 | Shape::S64 | Shape::F64 => "number".to_owned(),
            Shape::String => "string".to_owned(),
            Shape::Bytes => "Uint8Array".to_owned(),
            Shape::Option(inner) => self.spelled(inner, is_given),
            Shape::List(inner) if is_given => format!("readonly {}[]", self.spelled(inner, is_given)),
            Shape::List(inner) => format!("{}[]", self.spelled(inner, is_given)),
            Shape::Named(name) if !is_given && self.is_complete_if_returned(name) => {
                format!("Required<{}>", type_name(name))
            }
            Shape::Named(name) => type_name(name),
        }
    }

    /// Returns whether the component always returns fields of a record that callers may omit.
    pub(super) fn is_complete_if_returned(&self, name: &str) -> bool {
        let Kind::Record(fields) = &self.types[name].kind else { return false };
        let has_defaults = fields.iter().any(|field| Default::of(&field.docs).is_some());
        let has_options = fields.iter().any(|field| matches!(field.shape, Shape::Option(_)));
        self.is_given(name) && !self.settings.contains(name) && has_defaults && !has_options
    }
}
