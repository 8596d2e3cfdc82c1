//! Writes the conversions between wit-bindgen's records, which the component receives and
//! returns, and those of `crates/contract`. Everything is moved, nothing is copied.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{pascal, snake};
use super::wit::{Case, Contract, Field, Kind, Shape, Type};

/// The width of a line.
const WIDTH: usize = 100;

/// A direction of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// From wit-bindgen's record to the contract's.
    In,
    /// From the contract's record to wit-bindgen's.
    Out,
}

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let needed = needed(contract);
    let mut text = String::from(
        "//! Conversions between the records of wit-bindgen and those of the contract.\n\n\
         use tuckaway_contract as contract;\n\n\
         use super::bindings::exports::tuckaway::context as exported;\n\
         use super::bindings::tuckaway::context as imported;\n\
         use super::convert::{all, cases, moved, record};\n\n",
    );
    for interface in &contract.interfaces {
        let side = if contract.imports(interface) { "imported" } else { "exported" };
        for each in &interface.types {
            let bound = format!("{side}::{}::{}", snake(&interface.name), pascal(&each.name));
            let plain = format!("contract::{}", pascal(&each.name));
            for direction in [Direction::In, Direction::Out] {
                if needed.contains(&(each.name.as_str(), direction)) {
                    let (from, to) = match direction {
                        Direction::In => (&bound, &plain),
                        Direction::Out => (&plain, &bound),
                    };
                    text += &conversion(each, from, to);
                }
            }
        }
    }
    text
}

/// Writes a conversion as a table: a line if it is short, and otherwise filled lines.
fn conversion(each: &Type, from: &str, to: &str) -> String {
    let (name, members): (_, Vec<String>) = match &each.kind {
        Kind::Record(fields) => ("record", fields.iter().map(field).collect()),
        Kind::Variant(cases) | Kind::Enum(cases) => ("cases", cases.iter().map(case).collect()),
    };
    let line = format!("{name}!({from} => {to} {{ {} }});\n", members.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    format!("{name}!({from} => {to} {{\n{}}});\n", filled("    ", &members))
}

/// Writes a list over as few lines as hold it.
fn filled(indent: &str, members: &[String]) -> String {
    let (mut text, mut line) = (String::new(), String::from(indent));
    for (index, member) in members.iter().enumerate() {
        let comma = if index + 1 < members.len() { "," } else { "" };
        if line.len() + member.len() + 2 > WIDTH {
            text += line.trim_end();
            text.push('\n');
            line = indent.to_owned();
        }
        line += &format!("{member}{comma} ");
    }
    text + line.trim_end() + "\n"
}

fn field(field: &Field) -> String {
    let name = snake(&field.name);
    match moved(&field.shape) {
        None => name,
        Some(how) => format!("{name}: {how}"),
    }
}

fn case(case: &Case) -> String {
    let name = pascal(&case.name);
    match &case.shape {
        None => name,
        Some(shape) => format!("{name}({})", moved(shape).unwrap_or("is")),
    }
}

/// Returns how a value is converted; none if both sides have the same type.
fn moved(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Named(_) => Some("into"),
        Shape::Option(inner) if !is_plain(inner) => Some("each"),
        Shape::List(inner) if !is_plain(inner) => Some("all"),
        _ => None,
    }
}

fn is_plain(shape: &Shape) -> bool {
    match shape {
        Shape::Named(_) => false,
        Shape::Option(inner) | Shape::List(inner) => is_plain(inner),
        _ => true,
    }
}

/// Returns which types the functions pass in which direction.
fn needed(contract: &Contract) -> BTreeSet<(&str, Direction)> {
    let types = contract.types();
    let mut needed = BTreeSet::new();
    for interface in &contract.interfaces {
        let (given, returned) = match contract.imports(interface) {
            true => (Direction::Out, Direction::In),
            false => (Direction::In, Direction::Out),
        };
        for function in &interface.functions {
            function.parameters.iter().for_each(|(_, shape)| add(&types, shape, given, &mut needed));
            let results = function.result.iter().chain(&function.error);
            results.for_each(|shape| add(&types, shape, returned, &mut needed));
        }
    }
    needed
}

fn add<'a>(
    types: &BTreeMap<&'a str, &'a Type>,
    shape: &Shape,
    direction: Direction,
    needed: &mut BTreeSet<(&'a str, Direction)>,
) {
    match shape {
        Shape::Option(inner) | Shape::List(inner) => add(types, inner, direction, needed),
        Shape::Named(name) => {
            let Some((name, each)) = types.get_key_value(name.as_str()) else { return };
            if needed.insert((name, direction)) {
                let shapes: Vec<&Shape> = match &each.kind {
                    Kind::Record(fields) => fields.iter().map(|field| &field.shape).collect(),
                    Kind::Variant(cases) | Kind::Enum(cases) => {
                        cases.iter().filter_map(|case| case.shape.as_ref()).collect()
                    }
                };
                shapes.into_iter().for_each(|shape| add(types, shape, direction, needed));
            }
        }
        _ => {}
    }
}
