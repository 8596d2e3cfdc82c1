//! Encodes the core module that rustc links as a component.

use anyhow::{Context, Result};
use wasmparser::{Parser, Payload};
use wit_component::ComponentEncoder;

/// Encodes and validates a component, without the names that the encoder gives to its
/// own parts. The module contains its world in a custom section by wit-bindgen.
pub fn component(module: &[u8]) -> Result<Vec<u8>> {
    let component = ComponentEncoder::default()
        .validate(true)
        .module(module)
        .context("the module is not a core module with a component type in it")?
        .encode()
        .context("encoding the module as a component")?;
    without_names(&component).context("reading the component back")
}

/// Removes the section that names the parts of a component for debuggers.
fn without_names(component: &[u8]) -> Result<Vec<u8>> {
    let (mut kept, mut end, mut depth) = (Vec::with_capacity(component.len()), 0, 0);
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        match &payload {
            Payload::Version { range, .. } => {
                depth += 1;
                if depth == 1 {
                    end = range.end as usize;
                    kept.extend_from_slice(&component[..end]);
                }
            }
            Payload::End(_) => depth -= 1,
            _ => {}
        }
        if let Some((_, range)) = payload.as_section().filter(|_| depth == 1) {
            let start = std::mem::replace(&mut end, range.end as usize);
            let is_names =
                matches!(&payload, Payload::CustomSection(section) if section.name() == "component-name");
            if !is_names {
                kept.extend_from_slice(&component[start..end]);
            }
        }
    }
    Ok(kept)
}
