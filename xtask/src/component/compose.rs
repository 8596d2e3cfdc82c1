//! The engine composed with a store and a token counter over WASI: a component that imports nothing of
//! ours.

use anyhow::{Context, Result, anyhow, bail};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};

use super::Library;
use super::imports::{SEALED_IMPORTS, read_imports};

/// Where a composed component stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In a directory that the host opens: `wasi:filesystem`.
    Filesystem,
    /// In a bucket of keys and values: `wasi:keyvalue`.
    KeyValue,
}

/// A composed component, and the part of it that is not the engine.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Exports the store and the token counter.
    pub adapter: Vec<u8>,
    /// Exports what the engine exports, and the store.
    pub component: Vec<u8>,
}

impl Home {
    /// All homes.
    pub const ALL: [Home; 2] = [Home::Filesystem, Home::KeyValue];

    /// Returns the name of the component's file in `target/`.
    pub fn file_name(self) -> &'static str {
        match self {
            Home::Filesystem => "tuckaway-filesystem.wasm",
            Home::KeyValue => "tuckaway-keyvalue.wasm",
        }
    }

    /// Returns the library that is the adapter.
    pub(super) fn library(self) -> Library {
        let features = match self {
            Home::Filesystem => "filesystem",
            Home::KeyValue => "keyvalue",
        };
        Library { package: "tuckaway-wasi", features }
    }
}

/// Gives the exports of an adapter to the engine, and returns what is left of both: the exports of the
/// engine and the store, and the imports of the adapter. Fails if any import is not WASI's.
pub(super) fn plugged(engine: &[u8], adapter: &[u8]) -> Result<Vec<u8>> {
    let component = encoded(engine, adapter).context("composing the engine with its store")?;
    let imports = read_imports(&component)?;
    let others: Vec<&str> =
        imports.iter().map(|import| &*import.name).filter(|name| !name.starts_with("wasi:")).collect();
    if !others.is_empty() {
        bail!("the composed component imports {}, which is not WASI", others.join(", "));
    }
    Ok(component)
}

fn encoded(engine: &[u8], adapter: &[u8]) -> Result<Vec<u8>> {
    let mut graph = CompositionGraph::new();
    let mut register = |name: &str, bytes: &[u8]| {
        let package = Package::from_bytes(name, None, bytes, graph.types_mut())
            .map_err(|error| anyhow!("reading {name}: {error:#}"))?;
        graph.register_package(package).map_err(|error| anyhow!("{name}: {error}"))
    };
    let (engine, adapter) = (register("tuckaway:engine", engine)?, register("tuckaway:adapter", adapter)?);
    let exports: Vec<String> = graph.types()[graph[engine].ty()].exports.keys().cloned().collect();
    let (engine, adapter) = (graph.instantiate(engine), graph.instantiate(adapter));
    for import in SEALED_IMPORTS {
        let provided = graph.alias_instance_export(adapter, import)?;
        graph.set_instantiation_argument(engine, import, provided)?;
    }
    // The types of the store appear in other exports, and readers of WIT look for them there.
    let store = graph.alias_instance_export(adapter, SEALED_IMPORTS[0])?;
    graph.export(store, SEALED_IMPORTS[0])?;
    for name in exports {
        let export = graph.alias_instance_export(engine, &name)?;
        graph.export(export, &name)?;
    }
    graph.encode(EncodeOptions::default()).map_err(|error| anyhow!("{error:#}"))
}
