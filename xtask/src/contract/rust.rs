//! Writes the records of `crates/contract`: Rust types that serde reads and writes, and that
//! wasmtime passes to the component unchanged.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::flow::Flow;
use super::names::{Spelling, case_name, has_hyphens, pascal, snake};
use super::prose::{Default, filled, separated};
use super::wit::{Case, Contract, Field, Interface, Kind, Shape, Type};

/// Enums with a default case.
const DEFAULT_CASES: [(&str, &str); 3] =
    [("dialect", "artifact"), ("extraction-mode", "auto"), ("stop-reason", "finished")];

/// The width of the code.
const WIDTH: usize = 100;

/// Writes one module for each interface that declares types, and the module above them.
pub fn modules(contract: &Contract) -> Vec<(String, String)> {
    let writer =
        Writer { types: contract.types(), flow: Flow::of(contract), spelling: Spelling::of(contract, snake) };
    let declaring: Vec<&Interface> =
        contract.interfaces.iter().filter(|interface| !interface.types.is_empty()).collect();
    let mut modules: Vec<(String, String)> = declaring
        .iter()
        .map(|interface| (format!("{}.rs", snake(&interface.name)), writer.module(interface)))
        .collect();
    let mut above = String::from("//! The records of `wit/`, one module for each interface.\n\n");
    for interface in &declaring {
        writeln!(above, "mod {};", snake(&interface.name)).expect("writing to a string");
    }
    above.push('\n');
    for interface in &declaring {
        writeln!(above, "pub use {}::*;", snake(&interface.name)).expect("writing to a string");
    }
    modules.push(("mod.rs".to_owned(), above));
    modules
}

struct Writer<'a> {
    types: BTreeMap<&'a str, &'a Type>,
    flow: Flow<'a>,
    spelling: Spelling<'a>,
}

impl Writer<'_> {
    fn module(&self, interface: &Interface) -> String {
        let mut text = format!(
            "//! The records of the interface `{}`.\n\nuse serde::{{Deserialize, Serialize}};\n\
             #[cfg(feature = \"component\")]\nuse wasmtime::component::{{ComponentType, Lift, Lower}};\n\n",
            interface.name
        );
        let mut used: Vec<String> =
            interface.types.iter().flat_map(named).filter(|name| !declares(interface, name)).collect();
        used.sort();
        used.dedup();
        if !used.is_empty() {
            let names: Vec<String> = used.iter().map(|name| pascal(name)).collect();
            writeln!(text, "use super::{{{}}};\n", names.join(", ")).expect("writing to a string");
        }
        let types: Vec<String> = interface.types.iter().map(|each| self.declaration(each)).collect();
        text + &types.join("\n")
    }

    fn declaration(&self, each: &Type) -> String {
        let name = pascal(&each.name);
        let mut text = filled(&self.spelling.of_type(each), "/// ", WIDTH);
        match &each.kind {
            Kind::Record(fields) => {
                let defaults: Vec<Option<Default>> = fields.iter().map(|field| self.default(field)).collect();
                let is_default = defaults.iter().all(Option::is_some) && !depends(fields, &defaults);
                let has_literals = defaults.iter().flatten().any(|default| *default != Default::Zero);
                let mut traits = self.traits(each);
                if !has_literals && fields.iter().all(|field| self.has_zero(&field.shape)) {
                    traits.push("Default");
                }
                let serde = if is_default { "default, deny_unknown_fields" } else { "deny_unknown_fields" };
                text += &self.attributes(each, &traits, serde, "record");
                writeln!(text, "pub struct {name} {{").expect("writing to a string");
                for (field, default) in fields.iter().zip(&defaults) {
                    text += &self.field(field, !is_default && is_own_default(field, default.as_ref()));
                }
                text += "}\n";
                if is_default && has_literals {
                    text += &self.default_impl(&name, fields, &defaults);
                }
            }
            Kind::Variant(cases) => {
                text += &self.attributes(each, &self.traits(each), "rename_all = \"snake_case\"", "variant");
                writeln!(text, "pub enum {name} {{").expect("writing to a string");
                for case in cases {
                    text += &self.docs(&case.docs, case.shape.as_ref());
                    text += &component_name(&case.name, "    ");
                    let value =
                        case.shape.as_ref().map_or_else(String::new, |shape| format!("({})", rust(shape)));
                    writeln!(text, "    {}{value},", pascal(&case.name)).expect("writing to a string");
                }
                text += "}\n";
            }
            Kind::Enum(cases) => text += &self.enumeration(each, cases),
        }
        text
    }

    fn enumeration(&self, each: &Type, cases: &[Case]) -> String {
        let name = pascal(&each.name);
        let default = DEFAULT_CASES.iter().find(|(enumeration, _)| *enumeration == each.name);
        let mut traits = self.traits(each);
        if default.is_some() {
            traits.push("Default");
        }
        let case = if has_hyphens(&each.name) { "kebab-case" } else { "snake_case" };
        let mut text = self.attributes(each, &traits, &format!("rename_all = \"{case}\""), "enum");
        text += "#[repr(u8)]\n";
        writeln!(text, "pub enum {name} {{").expect("writing to a string");
        let own = Shape::Named(each.name.clone());
        for case in cases {
            text += &self.docs(&case.docs, Some(&own));
            text += &component_name(&case.name, "    ");
            if default.is_some_and(|(_, default)| *default == case.name) {
                text += "    #[default]\n";
            }
            writeln!(text, "    {},", pascal(&case.name)).expect("writing to a string");
        }
        let (paths, names): (Vec<String>, Vec<String>) = cases
            .iter()
            .map(|case| {
                let path = format!("{name}::{}", pascal(&case.name));
                let spelled = case_name(&each.name, &case.name);
                (path.clone(), format!("{path} => \"{spelled}\""))
            })
            .unzip();
        write!(
            text,
            "}}\n\nimpl {name} {{\n    /// All cases, in the order of the contract.\n    \
             pub const ALL: [{name}; {}] = [{}];\n\n    \
             /// Returns the name of the case, as JSON has it.\n    \
             pub const fn name(self) -> &'static str {{\n        match self {{ {} }}\n    }}\n\n    \
             /// Returns the case with this name.\n    \
             pub fn from_name(name: &str) -> Option<Self> {{\n        \
             Self::ALL.into_iter().find(|case| case.name() == name)\n    }}\n\n    \
             /// Returns the case with this index, as wit-bindgen asks for it; the first one if there is none.\n    \
             #[cfg(feature = \"guest\")]\n    #[doc(hidden)]\n    \
             pub fn _lift(index: u8) -> Self {{\n        \
             Self::ALL.get(usize::from(index)).copied().unwrap_or(Self::ALL[0])\n    }}\n}}\n",
            cases.len(),
            paths.join(", "),
            names.join(", "),
        )
        .expect("writing to a string");
        text
    }

    fn field(&self, field: &Field, has_default: bool) -> String {
        let mut text = self.docs(&field.docs, Some(&field.shape));
        if has_default && !matches!(field.shape, Shape::Option(_)) {
            text += "    #[serde(default)]\n";
        }
        // The derived name of a field follows Rust.
        if field.name.contains('-') {
            text += &component_name(&field.name, "    ");
        }
        writeln!(text, "    pub {}: {},", snake(&field.name), rust(&field.shape))
            .expect("writing to a string");
        text
    }

    /// Returns the default of a field if a program can know it. The default of an option is `None`.
    fn default(&self, field: &Field) -> Option<Default> {
        let stated = Default::of(&field.docs);
        match &field.shape {
            Shape::Option(_) => Some(Default::Zero),
            Shape::Named(name) if stated.is_none() => {
                matches!(&self.types.get(name.as_str())?.kind, Kind::Record(fields) if self.is_default(fields))
                    .then_some(Default::Zero)
            }
            _ => stated,
        }
    }

    fn is_default(&self, fields: &[Field]) -> bool {
        let defaults: Vec<Option<Default>> = fields.iter().map(|field| self.default(field)).collect();
        defaults.iter().all(Option::is_some) && !depends(fields, &defaults)
    }

    /// Returns whether a type has an empty value: Rust's `Default`.
    fn has_zero(&self, shape: &Shape) -> bool {
        let Shape::Named(name) = shape else { return true };
        match self.types.get(name.as_str()).map(|each| &each.kind) {
            Some(Kind::Record(fields)) => {
                self.is_default(fields) || {
                    fields
                        .iter()
                        .all(|field| Default::of(&field.docs).is_none_or(|stated| stated == Default::Zero))
                        && fields.iter().all(|field| self.has_zero(&field.shape))
                }
            }
            _ => DEFAULT_CASES.iter().any(|(enumeration, _)| enumeration == name),
        }
    }

    fn default_impl(&self, name: &str, fields: &[Field], defaults: &[Option<Default>]) -> String {
        let values = fields.iter().zip(defaults).map(|(field, default)| {
            let value = match (default, &field.shape) {
                (Some(Default::Case(case)), Shape::Named(name)) => {
                    format!("{}::{}", pascal(name), pascal(case))
                }
                (Some(Default::Literal(value)), Shape::F64) if !value.contains('.') => format!("{value}.0"),
                (Some(Default::Literal(value)), _) => separated(value),
                _ => zero(&field.shape),
            };
            format!("{}: {value}", snake(&field.name))
        });
        let values: Vec<String> = values.collect();
        format!(
            "\nimpl Default for {name} {{\n    fn default() -> Self {{\n        {name} {{ {} }}\n    }}\n}}\n",
            values.join(", ")
        )
    }

    /// Writes the attributes of a type.
    fn attributes(&self, each: &Type, traits: &[&str], serde: &str, style: &str) -> String {
        let growing = match self.grows(each) {
            true => "#[cfg_attr(not(feature = \"exhaustive\"), non_exhaustive)]\n",
            false => "",
        };
        format!(
            "#[derive({}, Serialize, Deserialize)]\n#[serde({serde})]\n{growing}\
             #[cfg_attr(feature = \"component\", derive(ComponentType, Lift, Lower), component({style}))]\n",
            traits.join(", ")
        )
    }

    /// Returns whether a field or a case that is added later must not break callers: of a record
    /// that only the component makes, or of an enum that it returns. The cases of a variant are
    /// instructions: a caller must handle all of them.
    fn grows(&self, each: &Type) -> bool {
        let name = each.name.as_str();
        self.flow.returned.contains(name)
            && match each.kind {
                Kind::Record(_) => !self.flow.given.contains(name),
                Kind::Enum(_) => true,
                Kind::Variant(_) => false,
            }
    }

    fn traits(&self, each: &Type) -> Vec<&'static str> {
        let mut traits = vec!["Clone"];
        if self.is_copy(each) {
            traits.push("Copy");
        }
        traits.extend(["Debug", "PartialEq"]);
        if !self.has_float(each) {
            traits.push("Eq");
        }
        if matches!(each.kind, Kind::Enum(_)) {
            traits.extend(["PartialOrd", "Ord", "Hash"]);
        }
        traits
    }

    fn is_copy(&self, each: &Type) -> bool {
        let copies = |shape: &Shape| self.copies(shape);
        match &each.kind {
            Kind::Record(fields) => fields.iter().all(|field| copies(&field.shape)),
            Kind::Variant(cases) | Kind::Enum(cases) => {
                cases.iter().all(|case| case.shape.as_ref().is_none_or(copies))
            }
        }
    }

    fn copies(&self, shape: &Shape) -> bool {
        match shape {
            Shape::String | Shape::Bytes | Shape::List(_) => false,
            Shape::Option(inner) => self.copies(inner),
            Shape::Named(name) => self.types.get(name.as_str()).is_some_and(|each| self.is_copy(each)),
            _ => true,
        }
    }

    fn has_float(&self, each: &Type) -> bool {
        let floats = |shape: &Shape| self.floats(shape);
        match &each.kind {
            Kind::Record(fields) => fields.iter().any(|field| floats(&field.shape)),
            Kind::Variant(cases) | Kind::Enum(cases) => {
                cases.iter().any(|case| case.shape.as_ref().is_some_and(floats))
            }
        }
    }

    fn floats(&self, shape: &Shape) -> bool {
        match shape {
            Shape::F64 => true,
            Shape::Option(inner) | Shape::List(inner) => self.floats(inner),
            Shape::Named(name) => self.types.get(name.as_str()).is_some_and(|each| self.has_float(each)),
            _ => false,
        }
    }

    /// Writes the documentation of a field or of a case.
    fn docs(&self, docs: &str, shape: Option<&Shape>) -> String {
        filled(&self.spelling.of_member(docs, shape), "    /// ", WIDTH)
    }
}

/// Returns whether a field has the default of its Rust type.
fn is_own_default(field: &Field, default: Option<&Default>) -> bool {
    match (default, &field.shape) {
        (Some(Default::Zero), _) => true,
        (Some(Default::Case(case)), Shape::Named(name)) => {
            DEFAULT_CASES.contains(&(name.as_str(), case.as_str()))
        }
        _ => false,
    }
}

/// Returns whether a default depends on something that a program does not know.
fn depends(fields: &[Field], defaults: &[Option<Default>]) -> bool {
    let is_known = |(field, default): (&Field, &Option<Default>)| {
        matches!(field.shape, Shape::Option(_)) || *default != Some(Default::Depends)
    };
    !fields.iter().zip(defaults).all(is_known)
}

/// Writes the name of the contract, where Rust spells it in another way.
fn component_name(name: &str, indent: &str) -> String {
    format!("{indent}#[cfg_attr(feature = \"component\", component(name = \"{name}\"))]\n")
}

fn declares(interface: &Interface, name: &str) -> bool {
    interface.types.iter().any(|each| each.name == name)
}

/// Returns the names of the types that a type contains.
fn named(each: &Type) -> Vec<String> {
    each.kind.shapes().into_iter().filter_map(Shape::type_name).map(str::to_owned).collect()
}

/// Returns the Rust type of a value.
pub fn rust(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "bool".to_owned(),
        Shape::U32 => "u32".to_owned(),
        Shape::U64 => "u64".to_owned(),
        Shape::S64 => "i64".to_owned(),
        Shape::F64 => "f64".to_owned(),
        Shape::String => "String".to_owned(),
        Shape::Bytes => "Vec<u8>".to_owned(),
        Shape::Option(inner) => format!("Option<{}>", rust(inner)),
        Shape::List(inner) => format!("Vec<{}>", rust(inner)),
        Shape::Named(name) => pascal(name),
    }
}

fn zero(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "false".to_owned(),
        Shape::U32 | Shape::U64 | Shape::S64 => "0".to_owned(),
        Shape::F64 => "0.0".to_owned(),
        Shape::String => "String::new()".to_owned(),
        Shape::Bytes | Shape::List(_) => "Vec::new()".to_owned(),
        Shape::Option(_) => "None".to_owned(),
        Shape::Named(name) => format!("{}::default()", pascal(name)),
    }
}
