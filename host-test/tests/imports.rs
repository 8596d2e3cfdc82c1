//! Invariant 5, sealed: the component asks its host for a store and for token
//! counts, and for nothing else.

use tuckaway_build::{SEALED_IMPORTS, read_imports};

#[test]
fn the_embedded_component_imports_store_and_tokens_only() {
    let imports = read_imports(tuckaway_host::COMPONENT).expect("a component");
    let mut functions: Vec<_> =
        imports.iter().filter(|import| import.functions > 0).map(|import| &*import.name).collect();
    functions.sort_unstable();
    assert_eq!(functions, SEALED_IMPORTS);
    // Records need a name to be imported under; there is nothing behind it.
    let types: Vec<_> =
        imports.iter().filter(|import| import.functions == 0).map(|import| &*import.name).collect();
    assert_eq!(types, ["tuckaway:context/types@0.1.0"]);
}
