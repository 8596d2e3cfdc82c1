//! Invariant 5, sealed: the component imports a store and a token counter, and nothing
//! else.

use xtask::component::{SEALED_IMPORTS, read_imports};

#[test]
fn the_embedded_component_imports_store_and_tokens_only() {
    let imports = read_imports(tuckaway_host::COMPONENT).expect("a component");
    let mut names: Vec<_> = imports.iter().map(|import| &*import.name).collect();
    names.sort_unstable();
    assert_eq!(names, SEALED_IMPORTS);
}
