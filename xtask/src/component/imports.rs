//! The imports of a component, read back from its bytes.

use std::fmt;

use anyhow::{Context, Result, bail};
use wit_component::DecodedWasm;
use wit_parser::{WorldItem, WorldKey};

/// The exact imports of the sealed component.
pub const SEALED_IMPORTS: [&str; 2] = ["tuckaway:context/store@0.1.0", "tuckaway:context/tokens@0.1.0"];

/// One import of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// `namespace:package/interface@version`, or the name of a single function.
    pub name: String,
    /// The number of functions that the host must provide. An interface with 0 only
    /// declares types.
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

/// Returns the imports of a component, in the order of its bytes.
pub fn read_imports(component: &[u8]) -> Result<Vec<Import>> {
    // The decoder would accept a core module as a component without imports. Bytes 6 and 7
    // of the preamble distinguish them: 0 is a module, 1 a component.
    if component.get(6..8) != Some(&[1, 0]) {
        bail!("this is not a WebAssembly component");
    }
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

/// Refuses imports that are not exactly [`SEALED_IMPORTS`]. Interfaces that only declare
/// types count too: a host's bindings would name them.
pub fn check_sealed(imports: &[Import]) -> Result<()> {
    let mut names: Vec<&str> = imports.iter().map(|import| import.name.as_str()).collect();
    names.sort_unstable();
    if names == SEALED_IMPORTS {
        return Ok(());
    }
    bail!(
        "the component must import {} and nothing else, but imports {}",
        SEALED_IMPORTS.join(" and "),
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    )
}

#[cfg(test)]
mod tests {
    use wit_component::{StringEncoding, dummy_module, embed_component_metadata};
    use wit_parser::{ManglingAndAbi, Resolve};

    use super::*;
    use crate::component::encode;

    /// Returns a component of the given world of the contract, encoded as rustc's module
    /// would be.
    fn component(world: &str) -> Vec<u8> {
        let contract = "
            package tuckaway:context@0.1.0;
            interface types { record artifact { id: string } }
            interface listing { use types.{artifact}; all: func() -> artifact; }
            interface store { stat: func(); read: func(); }
            interface tokens { count: func() -> u64; }
            interface clock { now: func() -> u64; }
        ";
        let mut resolve = Resolve::default();
        let package =
            resolve.push_str("test.wit", &format!("{contract} world engine {{ {world} }}")).unwrap();
        let world = resolve.select_world(&[package], None).unwrap();
        let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        encode::component(&module).unwrap()
    }

    fn import(interface: &str, functions: usize) -> Import {
        Import { name: format!("tuckaway:context/{interface}@0.1.0"), functions }
    }

    #[test]
    fn imports_are_read_back() {
        let imports = read_imports(&component("import tokens; import store;")).unwrap();
        assert_eq!(imports.len(), 2, "{imports:?}");
        for expected in [import("store", 2), import("tokens", 1)] {
            assert!(imports.contains(&expected), "{imports:?}");
        }
        check_sealed(&imports).unwrap();
    }

    #[test]
    fn another_interface_is_refused() {
        let imports = read_imports(&component("import store; import tokens; import clock;")).unwrap();
        let error = check_sealed(&imports).unwrap_err().to_string();
        assert!(error.contains("but imports tuckaway:context/clock@0.1.0, "), "{error}");
    }

    #[test]
    fn an_interface_of_types_is_refused() {
        let imports = read_imports(&component("import store; import tokens; export listing;")).unwrap();
        assert!(imports.contains(&import("types", 0)), "{imports:?}");
        assert!(check_sealed(&imports).is_err());
    }

    #[test]
    fn a_function_without_an_interface_is_refused() {
        let imports =
            read_imports(&component("import store; import tokens; import now: func() -> u64;")).unwrap();
        let error = check_sealed(&imports).unwrap_err().to_string();
        assert!(error.contains("but imports now, "), "{error}");
    }

    #[test]
    fn a_missing_import_is_refused() {
        let imports = read_imports(&component("import store;")).unwrap();
        assert!(check_sealed(&imports).is_err(), "{imports:?}");
        let error = check_sealed(&[]).unwrap_err().to_string();
        assert!(error.ends_with("but imports nothing"), "{error}");
    }

    #[test]
    fn other_bytes_are_an_error() {
        assert!(read_imports(b"").is_err());
        assert!(read_imports(b"\0asm\x01\0\0\0").is_err(), "an empty module");
    }
}
