//! The types of `wit/`, in the form in which all writers read them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use wit_parser::{Docs, Resolve, Type as WitType, TypeDefKind, TypeId, TypeOwner, WorldKey};

/// The contract: its interfaces in the order of their names.
pub struct Contract {
    /// The interfaces.
    pub interfaces: Vec<Interface>,
    /// The names of the interfaces that the component imports.
    pub imported: Vec<String>,
}

/// An interface, with the types that it declares.
pub struct Interface {
    /// The name, such as `offload`.
    pub name: String,
    /// Its types, in the order of the file. Aliases of other types are not among them.
    pub types: Vec<Type>,
    /// Its functions, in the order of the file.
    pub functions: Vec<Function>,
}

impl Interface {
    /// Returns the name with that of the package, as components import and export it.
    pub fn path(&self) -> String {
        format!("tuckaway:context/{}@0.1.0", self.name)
    }
}

/// A function of an interface.
pub struct Function {
    /// The name, such as `process-turn`.
    pub name: String,
    /// The names and types of its parameters.
    pub parameters: Vec<(String, Shape)>,
    /// The type of its result; `None` if it returns nothing, or only an error.
    pub result: Option<Shape>,
    /// The type of its error; `None` if it cannot fail.
    pub error: Option<Shape>,
}

/// A type that an interface declares.
pub struct Type {
    /// The name, such as `tool-output`.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// Its kind and its fields or cases.
    pub kind: Kind,
}

/// The kind of a type.
pub enum Kind {
    /// Named fields.
    Record(Vec<Field>),
    /// One of several cases, some with a value.
    Variant(Vec<Case>),
    /// One of several names.
    Enum(Vec<Case>),
}

/// A field of a record.
#[derive(Clone)]
pub struct Field {
    /// The name, such as `max-bytes`.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// The type of its value.
    pub shape: Shape,
}

/// A case of a variant or of an enum.
pub struct Case {
    /// The name, such as `last-lines`.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// The type of its value, if it has one.
    pub shape: Option<Shape>,
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `bool`.
    Bool,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `s64`.
    S64,
    /// `f64`.
    F64,
    /// `string`.
    String,
    /// `list<u8>`.
    Bytes,
    /// `option`.
    Option(Box<Shape>),
    /// `list` of anything but bytes.
    List(Box<Shape>),
    /// A type that an interface declares.
    Named(String),
}

impl Shape {
    /// Returns the name of the declared type that a value contains.
    pub fn type_name(&self) -> Option<&str> {
        match self {
            Shape::Named(name) => Some(name),
            Shape::Option(inner) | Shape::List(inner) => inner.type_name(),
            _ => None,
        }
    }
}

impl Contract {
    /// Reads the files of a directory.
    pub fn read(directory: &Path) -> Result<Self> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(directory).with_context(|| format!("reading {directory:?}"))?;
        let interfaces = resolve.packages[package].interfaces.iter().map(|(name, id)| {
            let interface = &resolve.interfaces[*id];
            let declared = interface.types.values().filter_map(|id| declared(&resolve, *id).transpose());
            let functions = interface.functions.values().map(|each| function(&resolve, each));
            Ok(Interface {
                name: name.clone(),
                types: declared.collect::<Result<_>>()?,
                functions: functions.collect::<Result<_>>()?,
            })
        });
        let interfaces = interfaces.collect::<Result<_>>()?;
        Ok(Contract { interfaces, imported: imported(&resolve)? })
    }

    /// Returns whether the component imports an interface.
    pub fn imports(&self, interface: &Interface) -> bool {
        self.imported.contains(&interface.name)
    }

    /// Returns all types by their names. No two interfaces declare the same name.
    pub fn types(&self) -> BTreeMap<&str, &Type> {
        self.interfaces
            .iter()
            .flat_map(|interface| &interface.types)
            .map(|each| (each.name.as_str(), each))
            .collect()
    }
}

/// Returns the names of the interfaces that the world imports.
fn imported(resolve: &Resolve) -> Result<Vec<String>> {
    let (_, world) = resolve.worlds.iter().next().context("wit/ has a world")?;
    let name = |key: &WorldKey| match key {
        WorldKey::Interface(id) => resolve.interfaces[*id].name.clone(),
        WorldKey::Name(name) => Some(name.clone()),
    };
    Ok(world.imports.keys().filter_map(name).collect())
}

/// Reads a function.
fn function(resolve: &Resolve, each: &wit_parser::Function) -> Result<Function> {
    let parameters = each.params.iter().map(|param| Ok((param.name.clone(), shape(resolve, &param.ty)?)));
    let (result, error) = match &each.result {
        None => (None, None),
        Some(ty) => match ty {
            WitType::Id(id) => match &resolve.types[*id].kind {
                TypeDefKind::Result(sides) => (sides.ok, sides.err),
                _ => (Some(*ty), None),
            },
            plain => (Some(*plain), None),
        },
    };
    let shaped = |ty: Option<WitType>| ty.map(|ty| shape(resolve, &ty)).transpose();
    Ok(Function {
        name: each.name.clone(),
        parameters: parameters.collect::<Result<_>>()?,
        result: shaped(result)?,
        error: shaped(error)?,
    })
}

/// Reads a type that its interface declares; `None` for an alias.
fn declared(resolve: &Resolve, id: TypeId) -> Result<Option<Type>> {
    let definition = &resolve.types[id];
    let name = definition.name.clone().context("a type of an interface has a name")?;
    let kind = match &definition.kind {
        TypeDefKind::Type(_) => return Ok(None),
        TypeDefKind::Record(record) => Kind::Record(
            record
                .fields
                .iter()
                .map(|field| {
                    Ok(Field {
                        name: field.name.clone(),
                        docs: text(&field.docs),
                        shape: shape(resolve, &field.ty)?,
                    })
                })
                .collect::<Result<_>>()?,
        ),
        TypeDefKind::Variant(variant) => Kind::Variant(
            variant
                .cases
                .iter()
                .map(|case| {
                    let shape = case.ty.as_ref().map(|ty| shape(resolve, ty)).transpose()?;
                    Ok(Case { name: case.name.clone(), docs: text(&case.docs), shape })
                })
                .collect::<Result<_>>()?,
        ),
        TypeDefKind::Enum(each) => Kind::Enum(
            each.cases
                .iter()
                .map(|case| Case { name: case.name.clone(), docs: text(&case.docs), shape: None })
                .collect(),
        ),
        other => bail!("{name} is a {}, which no home has a form for", other.as_str()),
    };
    Ok(Some(Type { name, docs: text(&definition.docs), kind }))
}

/// Reads the type of a value.
fn shape(resolve: &Resolve, ty: &WitType) -> Result<Shape> {
    let id = match ty {
        WitType::Bool => return Ok(Shape::Bool),
        WitType::U32 => return Ok(Shape::U32),
        WitType::U64 => return Ok(Shape::U64),
        WitType::S64 => return Ok(Shape::S64),
        WitType::F64 => return Ok(Shape::F64),
        WitType::String => return Ok(Shape::String),
        WitType::Id(id) => *id,
        other => bail!("no home has a form for the type {other:?}"),
    };
    let definition = &resolve.types[id];
    Ok(match &definition.kind {
        TypeDefKind::Type(alias) => shape(resolve, alias)?,
        TypeDefKind::Option(inner) => Shape::Option(Box::new(shape(resolve, inner)?)),
        TypeDefKind::List(WitType::U8) => Shape::Bytes,
        TypeDefKind::List(inner) => Shape::List(Box::new(shape(resolve, inner)?)),
        _ => {
            let TypeOwner::Interface(_) = definition.owner else { bail!("a type has no interface") };
            Shape::Named(definition.name.clone().context("a declared type has a name")?)
        }
    })
}

fn text(docs: &Docs) -> String {
    docs.contents.clone().unwrap_or_default().trim().to_owned()
}
