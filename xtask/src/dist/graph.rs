//! The packages of the workspace and their dependencies, as cargo resolves them for one platform.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

use crate::workspace;

/// The packages whose code a release contains: the command, the native module of Python, the component, which
/// both embed as bytes, and what plugin hosts load.
const ROOTS: [&str; 6] =
    ["tuckaway", "tuckaway-cli", "tuckaway-core", "tuckaway-extism", "tuckaway-python", "tuckaway-wasi"];

/// The targets of the component and of what plugin hosts load.
const WASM: [&str; 2] = ["wasm32-unknown-unknown", "wasm32-wasip2"];

/// The packages.
pub struct Graph(Metadata);

impl Graph {
    /// Reads the packages with the dependencies on a target, and on those of WebAssembly.
    pub fn read(target: &str) -> Result<Self> {
        let targets = WASM.into_iter().chain([target]).map(|target| format!("--filter-platform={target}"));
        let options: Vec<String> = ["--locked".to_owned()].into_iter().chain(targets).collect();
        let metadata = MetadataCommand::new()
            .manifest_path(workspace().join("Cargo.toml"))
            .other_options(options)
            .exec()
            .context("reading the packages of the workspace")?;
        Ok(Graph(metadata))
    }

    /// Returns the packages of the workspace.
    pub fn members(&self) -> Vec<&Package> {
        self.0.workspace_packages()
    }

    /// Returns a package of the workspace.
    pub fn member(&self, name: &str) -> Result<&Package> {
        let mut members = self.0.workspace_packages().into_iter();
        members.find(|package| package.name == name).with_context(|| format!("the workspace has no {name}"))
    }

    /// Returns the version of a package of the workspace.
    pub fn version(&self, name: &str) -> Result<String> {
        Ok(self.member(name)?.version.to_string())
    }

    /// Returns the packages from registries whose code a release contains, by name and version.
    pub fn shipped(&self) -> Result<Vec<&Package>> {
        let edges = self.edges(|kind| kind == DependencyKind::Normal)?;
        let mut open: Vec<&PackageId> = Vec::new();
        for name in ROOTS {
            open.push(&self.member(name)?.id);
        }
        let mut seen: BTreeSet<&PackageId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            open.extend(edges[id].iter().copied().filter(|id| seen.insert(id)));
        }
        let mut packages: Vec<&Package> = seen.into_iter().map(|id| &self.0[id]).collect();
        packages.retain(|package| package.source.is_some());
        packages.sort_by_key(|package| (package.name.to_string(), package.version.clone()));
        Ok(packages)
    }

    /// Returns the published packages of the workspace, each after its dependencies.
    pub fn publishing_order(&self) -> Result<Vec<&Package>> {
        let edges = self.edges(|kind| kind != DependencyKind::Development)?;
        let mut open = self.0.workspace_packages();
        // An empty list of registries is how cargo represents `publish = false`.
        open.retain(|package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty()));
        open.sort_by_key(|package| package.name.to_string());
        let mut ordered = Vec::new();
        while !open.is_empty() {
            let waiting: BTreeSet<&PackageId> = open.iter().map(|package| &package.id).collect();
            let (ready, rest): (Vec<&Package>, Vec<&Package>) =
                open.iter().partition(|package| edges[&package.id].iter().all(|id| !waiting.contains(id)));
            if ready.is_empty() {
                let names: Vec<&str> = rest.iter().map(|package| package.name.as_str()).collect();
                bail!("these packages depend on each other in a circle: {}", names.join(", "));
            }
            ordered.extend(ready);
            open = rest;
        }
        Ok(ordered)
    }

    /// Returns the packages that each package depends on in one of the chosen ways.
    fn edges(
        &self,
        chosen: impl Fn(DependencyKind) -> bool,
    ) -> Result<BTreeMap<&PackageId, Vec<&PackageId>>> {
        let resolve = self.0.resolve.as_ref().context("cargo metadata printed no dependencies")?;
        let edges = resolve.nodes.iter().map(|node| {
            let chosen = node.deps.iter().filter(|edge| edge.dep_kinds.iter().any(|kind| chosen(kind.kind)));
            (&node.id, chosen.map(|edge| &edge.pkg).collect())
        });
        Ok(edges.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_published_after_their_dependencies() {
        let graph = Graph::read("x86_64-unknown-linux-gnu").unwrap();
        let order: Vec<&str> =
            graph.publishing_order().unwrap().iter().map(|package| package.name.as_str()).collect();
        let place = |name: &str| order.iter().position(|other| *other == name).expect(name);
        assert!(place("tuckaway-contract") < place("tuckaway"), "{order:?}");
        assert!(place("tuckaway-host") < place("tuckaway-mcp"), "{order:?}");
        assert_eq!(order.last(), Some(&"tuckaway-cli"), "{order:?}");
        assert!(!order.contains(&"xtask") && !order.contains(&"tuckaway-python"), "{order:?}");
    }

    #[test]
    fn shipped_packages_are_those_of_the_code() {
        let graph = Graph::read("x86_64-unknown-linux-gnu").unwrap();
        let names: Vec<&str> = graph.shipped().unwrap().iter().map(|package| package.name.as_str()).collect();
        for name in ["clap", "extism-pdk", "pyo3", "regex-automata", "wasmtime", "wit-bindgen"] {
            assert!(names.contains(&name), "{name}");
        }
        for name in ["proptest", "lexopt", "windows-sys", "tuckaway-host"] {
            assert!(!names.contains(&name), "{name}");
        }
    }
}
