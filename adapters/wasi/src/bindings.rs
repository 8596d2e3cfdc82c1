//! The bindings that are generated from `wit/`: the only module that names wit-bindgen.
// The canonical ABI passes pointers and lengths, so the generated code is necessarily unsafe; ours is
// not. Its items are documented in `wit/`.
#![allow(unsafe_code, missing_docs, clippy::all)]

#[cfg(feature = "filesystem")]
wit_bindgen::generate!({
    world: "tuckaway:wasi/filesystem",
    path: ["../../wit", "wit/keyvalue", "wit"],
    generate_all,
});

#[cfg(feature = "keyvalue")]
wit_bindgen::generate!({
    world: "tuckaway:wasi/keyvalue",
    path: ["../../wit", "wit/keyvalue", "wit"],
    generate_all,
});

export!(Component with_types_in self);

/// Implements the exports.
pub struct Component;
