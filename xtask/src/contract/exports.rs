//! Writes the exports of the component as typed functions of the host library. Arguments are
//! borrowed: an output of 100 MB is copied once, into the guest.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::names::{pascal, snake};
use super::rust::rust;
use super::wit::{Contract, Function, Interface, Kind, Shape, Type};

/// The types of the contract by their names.
type Types<'t> = BTreeMap<&'t str, &'t Type>;

/// The error of a missing export.
const MISSING: &str = "fn missing(interface: &str, function: &str) -> wasmtime::Error {
    wasmtime::Error::msg(format!(\"it does not export {interface}#{function}\"))
}
";

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let (mut names, mut fields, mut found, mut checked, mut methods) =
        (String::new(), String::new(), String::new(), String::new(), String::new());
    let types = contract.types();
    for (interface, function) in exported(contract) {
        let name = format!("{}_{}", snake(&interface.name), snake(&function.name));
        let parameters = parameters(function, &types);
        let signature = format!("{parameters}, {}", results(function));
        writeln!(fields, "{name}: Func,").expect("writing to a string");
        let path = format!("\"{}\", \"{}\"", interface.path(), function.name);
        writeln!(names, "({path}),").expect("writing to a string");
        writeln!(found, "{name}: find({path})?,").expect("writing to a string");
        writeln!(checked, "exports.{name}.typed::<{signature}>(&*wasm)?;").expect("writing to a string");
        write!(
            methods,
            "\npub(crate) async fn {name}<T: Send + 'static>(&self, wasm: &mut Store<T>, arguments: {parameters}) \
             -> wasmtime::Result<{}> {{\n\
             Ok(self.{name}.typed::<{signature}>(&*wasm)?.call_async(wasm, arguments).await?.0)\n}}\n",
            result(function)
        )
        .expect("writing to a string");
    }
    format!(
        "//! The exports of the component, called with the records of the contract.\n\n\
         use tuckaway_contract::*;\n\
         use wasmtime::Store;\n\
         use wasmtime::component::{{Component, Func, Instance}};\n\n\
         /// The functions of the contract, by interface.\n\
         const NAMES: &[(&str, &str)] = &[{names}];\n\n\
         /// The exports of an instance.\n\
         pub(crate) struct Exports {{\n{fields}}}\n\n\
         impl Exports {{\n\
         /// Checks that a component exports the functions of the contract.\n\
         pub(crate) fn check(component: &Component) -> wasmtime::Result<()> {{\n\
         let lacks = |(interface, function): &&(&str, &str)| {{\n\
         let inside = component.get_export_index(None, interface);\n\
         inside.and_then(|inside| component.get_export_index(Some(&inside), function)).is_none()\n\
         }};\n\
         NAMES.iter().find(lacks).map_or(Ok(()), |(interface, function)| Err(missing(interface, function)))\n\
         }}\n\n\
         /// Finds the exports of an instance.\n\
         ///\n\
         /// Errors: an export is missing, or differs from the contract.\n\
         pub(crate) fn of<T: 'static>(instance: &Instance, wasm: &mut Store<T>) -> wasmtime::Result<Self> {{\n\
         let mut find = |interface: &str, function: &str| {{\n\
         let inside = instance.get_export_index(&mut *wasm, None, interface);\n\
         let index = instance.get_export_index(&mut *wasm, inside.as_ref(), function);\n\
         let found = index.and_then(|index| instance.get_func(&mut *wasm, index));\n\
         found.ok_or_else(|| missing(interface, function))\n\
         }};\n\
         let exports = Exports {{ {found} }};\n\
         {checked}\n\
         Ok(exports)\n}}\n{methods}}}\n\n{MISSING}"
    )
}

/// Returns the functions that a host calls.
fn exported(contract: &Contract) -> impl Iterator<Item = (&Interface, &Function)> {
    let interfaces = contract.interfaces.iter().filter(|interface| !contract.imports(interface));
    interfaces
        .flat_map(|interface| interface.functions.iter().map(move |function| (interface, function)))
        .filter(|(_, function)| !is_constant(function))
}

/// Returns whether a function only returns the defaults of a record. The record in Rust has them, so
/// that no host calls it.
fn is_constant(function: &Function) -> bool {
    function.name == "default-config" && function.parameters.is_empty()
}

/// Returns the types of the parameters, as a tuple.
fn parameters(function: &Function, types: &Types<'_>) -> String {
    let types: Vec<String> =
        function.parameters.iter().map(|(_, shape)| borrowed(shape, types) + ",").collect();
    format!("({})", types.concat())
}

fn results(function: &Function) -> String {
    format!("({},)", result(function))
}

fn result(function: &Function) -> String {
    let value = function.result.as_ref().map_or_else(|| "()".to_owned(), rust);
    match &function.error {
        None => value,
        Some(error) => format!("Result<{value}, {}>", rust(error)),
    }
}

/// Returns the type of an argument.
fn borrowed(shape: &Shape, types: &Types<'_>) -> String {
    match shape {
        Shape::String => "&str".to_owned(),
        Shape::Bytes => "&[u8]".to_owned(),
        Shape::List(inner) => format!("&[{}]", rust(inner)),
        Shape::Named(name) => match types[name.as_str()].kind {
            Kind::Enum(_) => pascal(name),
            _ => format!("&{}", pascal(name)),
        },
        Shape::Option(inner) => format!("Option<{}>", borrowed(inner, types)),
        plain => rust(plain),
    }
}
