//! Writes the checks of callers' values, which convert JavaScript's form to the component's.

use std::collections::BTreeSet;

use super::super::names::{camel, case_name};
use super::super::prose::Default;
use super::{Field, Home, Kind, OWN_FORM, Shape, Type, json_type, listed, open_end, other_field, value_name};

/// Types that stores return. They have separate checks, whose errors name the method.
const OF_STORES: [&str; 1] = ["artifact"];

/// Writes the module.
pub fn module(home: &Home<'_>) -> String {
    let is_needed =
        |name: &str| !OWN_FORM.contains(&name) && !OF_STORES.contains(&name) && home.is_given(name);
    let mut used = BTreeSet::new();
    let mut checks: Vec<String> =
        home.in_order(is_needed).into_iter().map(|each| home.check(each, &mut used)).collect();
    checks.extend(home.option_checks(&mut used));
    let used: Vec<String> = used.into_iter().map(str::to_owned).collect();
    format!(
        "/** Checks what callers pass, and converts it into the component's form. */\n\n{}\n{}",
        listed("import {", &used, "} from '../validate.js';", ""),
        checks.join("\n")
    )
}

impl Home<'_> {
    fn check(&self, each: &Type, used: &mut BTreeSet<&'static str>) -> String {
        let name = value_name(&each.name);
        let (function, members): (&str, Vec<String>) = match &each.kind {
            Kind::Enum(cases) => {
                let names = cases.iter().map(|case| format!("'{}'", case_name(&each.name, &case.name)));
                used.insert("oneOf");
                let call =
                    listed(&format!("export const {name} = oneOf("), &names.collect::<Vec<_>>(), ");", "");
                return call.replacen("( ", "(", 1).replacen(" );", ");", 1);
            }
            Kind::Record(fields) => {
                ("record", fields.iter().map(|field| self.member(&each.name, field, used)).collect())
            }
            Kind::Variant(cases) => {
                let cases = cases.iter().map(|case| {
                    let value = case.shape.as_ref().map(|shape| format!(", {}", value_check(shape, used)));
                    format!("{}: ['{}'{}]", camel(&case.name), case.name, value.unwrap_or_default())
                });
                ("variant", cases.collect())
            }
        };
        used.insert(function);
        listed(&format!("export const {name} = {function}({{"), &members, "});", "")
    }

    pub(super) fn member(&self, record: &str, field: &Field, used: &mut BTreeSet<&'static str>) -> String {
        let name = camel(&field.name);
        let inner = match &field.shape {
            Shape::Option(inner) => inner,
            plain => plain,
        };
        let check = match json_type(record, field) {
            Some(_) => {
                used.insert("json");
                "json".to_owned()
            }
            None if field.name.ends_with("-pct") => {
                used.insert("percent");
                "percent".to_owned()
            }
            None => match other_field(record, field) {
                Some((_, check, _)) => {
                    used.insert(check);
                    check.to_owned()
                }
                None => value_check(inner, used),
            },
        };
        let check = if check == name { name.clone() } else { format!("{name}: {check}") };
        let value = check.rsplit(": ").next().unwrap_or(&check).to_owned();
        // Settings are changes to defaults: only null can say that a member has no value.
        let wrapper = match (self.settings.contains(record), &field.shape) {
            (true, Shape::Option(_)) => Some("nullable"),
            (true, _) | (false, Shape::Option(_)) => Some("optional"),
            (false, _) => open_end(record, field).map(|_| "optional"),
        };
        if let Some(wrapper) = wrapper {
            used.insert(wrapper);
            return format!("{name}: {wrapper}({value})");
        }
        match default(field) {
            Some(default) => {
                used.insert("defaulted");
                format!("{name}: defaulted({value}, {default})")
            }
            None => check,
        }
    }
}

/// Returns the check of a value.
fn value_check(shape: &Shape, used: &mut BTreeSet<&'static str>) -> String {
    let name = match shape {
        Shape::Bool => "boolean",
        Shape::U32 => "smallSize",
        Shape::U64 | Shape::S64 => "size",
        Shape::F64 => "number",
        Shape::String => "string",
        Shape::Bytes => "bytes",
        // The glue takes a typed array.
        Shape::List(inner) if **inner == Shape::U32 => "smallSizes",
        Shape::List(inner) if **inner == Shape::U64 => "sizes",
        Shape::List(inner) => {
            used.insert("arrayOf");
            return format!("arrayOf({})", value_check(inner, used));
        }
        Shape::Option(inner) => return value_check(inner, used),
        Shape::Named(name) => return value_name(name),
    };
    used.insert(name);
    name.to_owned()
}

/// Returns the value that the component gets for an omitted field.
fn default(field: &Field) -> Option<String> {
    let big = matches!(field.shape, Shape::U64 | Shape::S64);
    Some(match (Default::of(&field.docs)?, &field.shape) {
        (Default::Zero, Shape::Bool) => "false".to_owned(),
        (Default::Zero, Shape::String) => "''".to_owned(),
        (Default::Zero, Shape::List(inner)) if **inner == Shape::U32 => "new Uint32Array()".to_owned(),
        (Default::Zero, Shape::List(inner)) if **inner == Shape::U64 => "new BigUint64Array()".to_owned(),
        (Default::Zero, Shape::List(_)) => "[]".to_owned(),
        (Default::Zero, _) => if big { "0n" } else { "0" }.to_owned(),
        (Default::Literal(value), _) => value + if big { "n" } else { "" },
        (Default::Case(case), _) => format!("'{case}'"),
        (Default::Depends, _) => return None,
    })
}
