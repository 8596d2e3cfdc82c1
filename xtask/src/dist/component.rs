//! The component with metadata, its wasip2 build, the contract as a WIT package, and what plugin hosts load.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Source, Version};
use wit_parser::Resolve;
use xtask::component::{Variant, build as build_component, has_target};

use super::files;
use super::release::Release;
use crate::{adapters, budget, composed, workspace};

/// The component as built, without metadata, which hosts and packages embed.
pub struct Paths {
    /// The component that imports a store and a token counter.
    pub sealed: PathBuf,
}

/// Builds the component.
pub fn build() -> Result<Paths> {
    Ok(Paths { sealed: build_component(&budget::installing(Variant::Sealed))?.path })
}

/// Writes `tuckaway.wasm`, `tuckaway-wit.wasm`, the modules for plugin hosts, and what needs the target of WASI:
/// `tuckaway-wasi.wasm` and the components with a store inside. These are omitted if it is not installed.
pub fn write(release: &Release, component: &Paths) -> Result<()> {
    let described = with_metadata(release, "tuckaway", &component.sealed)?;
    budget::check(&described).context("with its metadata")?;
    files::write(&release.directory.join("tuckaway.wasm"), described)?;
    match has_target(Variant::Wasi) {
        true => {
            let built = build_component(&budget::installing(Variant::Wasi))?;
            let described = with_metadata(release, "tuckaway", &built.path)?;
            files::write(&release.directory.join("tuckaway-wasi.wasm"), described)?;
            write_plugins(release, &composed::build()?)?;
        }
        false => eprintln!(
            "The components for WASI are omitted; `rustup target add {}` installs their target.",
            Variant::Wasi.target()
        ),
    }
    write_plugins(release, &adapters::build()?)?;
    files::write(&release.directory.join("tuckaway-wit.wasm"), wit_package(&workspace().join("wit"))?)
}

/// Writes files for plugin hosts, each with the metadata of its package.
fn write_plugins(release: &Release, plugins: &[(&str, PathBuf)]) -> Result<()> {
    for (package, path) in plugins {
        let name = path.file_name().unwrap_or(OsStr::new(package));
        files::write(&release.directory.join(name), with_metadata(release, package, path)?)?;
    }
    Ok(())
}

/// Returns a component or a module with the metadata of a package.
fn with_metadata(release: &Release, package: &str, wasm: &Path) -> Result<Vec<u8>> {
    let package = release.graph.member(package)?;
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(package.name.to_string());
    metadata.version = AddMetadataField::Set(Version::new(release.version.clone()));
    if let Some(description) = &package.description {
        metadata.description = AddMetadataField::Set(Description::new(description.clone()));
    }
    if let Some(license) = &package.license {
        metadata.licenses = AddMetadataField::Set(Licenses::new(license).context("the licence")?);
    }
    if let Some(repository) = &package.repository {
        metadata.source = AddMetadataField::Set(Source::new(repository).context("the repository")?);
    }
    metadata.to_wasm(&files::read(wasm)?).with_context(|| format!("adding metadata to {}", wasm.display()))
}

/// Returns the contract as a WIT package in its binary form, as registries take it.
fn wit_package(directory: &Path) -> Result<Vec<u8>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(directory).context("reading the contract")?;
    wit_component::encode(&resolve, package).context("encoding the contract")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_is_read_back_from_its_package() {
        let bytes = wit_package(&workspace().join("wit")).unwrap();
        let decoded = wit_component::decode(&bytes).unwrap();
        let package = decoded.package();
        let resolve = decoded.resolve();
        assert_eq!(resolve.packages[package].name.to_string(), "tuckaway:context@0.1.0");
        assert!(resolve.packages[package].interfaces.contains_key("offload"));
    }
}
