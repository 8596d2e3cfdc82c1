//! Writes the bindings of the component: wit-bindgen's, with the records of `crates/contract` in place
//! of its own, so that nothing is converted between the two.

use super::names::pascal;
use super::wit::Contract;

/// Writes the module.
pub fn module(contract: &Contract) -> String {
    let mut records = String::new();
    for interface in &contract.interfaces {
        let path = interface.path();
        for each in &interface.types {
            records +=
                &format!("        \"{path}/{}\": tuckaway_contract::{},\n", each.name, pascal(&each.name));
        }
    }
    format!(
        "//! The bindings that are generated from `wit/`, with the records of the contract.\n\n\
         // The canonical ABI passes pointers and lengths, so the generated code is necessarily unsafe;\n\
         // ours is not. Its items are documented in `wit/`.\n\
         #![allow(unsafe_code, missing_docs, clippy::all)]\n\n\
         wit_bindgen::generate!({{\n    world: \"engine\",\n    path: \"wit\",\n    with: {{\n{records}    }},\n}});\n\
         export!(Component with_types_in self);\n\n\
         /// Implements the exports.\n\
         pub struct Component;\n"
    )
}
