//! From the core module that rustc links to a component.

use anyhow::{Context, Result};
use wit_component::ComponentEncoder;

/// Encodes and validates. The module carries its world in a custom section that
/// wit-bindgen has put there.
pub fn component(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .validate(true)
        .module(module)
        .context("the module is no core module with a component's type in it")?
        .encode()
        .context("encoding the module as a component")
}
