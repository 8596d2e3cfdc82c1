//! Writes the conversions between wit-bindgen's records, which the component receives and
//! returns, and the records of `crates/contract`. Everything is moved, nothing is copied.

use super::flow::Flow;
use super::names::{pascal, snake};
use super::wit::{Case, Contract, Field, Kind, Shape, Type};

/// The width of a line.
const WIDTH: usize = 100;

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let flow = Flow::of(contract);
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
            if flow.given.contains(each.name.as_str()) {
                text += &conversion(each, &bound, &plain);
            }
            if flow.returned.contains(each.name.as_str()) {
                text += &conversion(each, &plain, &bound);
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

/// Returns the conversion of a value; `None` if both sides have the same type.
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
