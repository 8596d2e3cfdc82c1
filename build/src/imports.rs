//! What a component asks of its host, read back from its bytes.

use std::fmt;

use anyhow::{Context, Result, bail};
use wit_component::DecodedWasm;
use wit_parser::{WorldItem, WorldKey};

/// The imports of the sealed component: these and no others.
pub const SEALED_IMPORTS: [&str; 2] = ["tuckaway:context/store@0.1.0", "tuckaway:context/tokens@0.1.0"];

/// One import of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// `namespace:package/interface@version`, or the name of a lone function.
    pub name: String,
    /// How many functions the host has to give. None is an interface of types
    /// alone: a name for records, with nothing behind it.
    pub functions: usize,
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.functions {
            0 => write!(f, "{} (types only)", self.name),
            1 => write!(f, "{} (1 function)", self.name),
            n => write!(f, "{} ({n} functions)", self.name),
        }
    }
}

/// The imports of a component, in the order of its bytes.
pub fn read_imports(component: &[u8]) -> Result<Vec<Import>> {
    let DecodedWasm::Component(resolve, world) =
        wit_component::decode(component).context("reading the component back")?
    else {
        bail!("this is a WIT package, not a component");
    };
    let import = |(key, item): (&WorldKey, &WorldItem)| Import {
        name: resolve.name_world_key(key),
        functions: match item {
            WorldItem::Interface { id, .. } => resolve.interfaces[*id].functions.len(),
            WorldItem::Function(_) => 1,
            WorldItem::Type { .. } => 0,
        },
    };
    Ok(resolve.worlds[world].imports.iter().map(import).collect())
}

/// Refuses imports that are not exactly [`SEALED_IMPORTS`].
pub fn check_sealed(imports: &[Import]) -> Result<()> {
    let names: Vec<&str> = imports.iter().map(|import| import.name.as_str()).collect();
    if names == SEALED_IMPORTS {
        return Ok(());
    }
    bail!(
        "the component must import {} and nothing else, but imports {}",
        SEALED_IMPORTS.join(" and "),
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    )
}
