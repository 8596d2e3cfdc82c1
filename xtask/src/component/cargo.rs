//! The inner cargo: one build of a library for WebAssembly.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::run::{cargo, outer_env_removed};
use super::toolchain::Compiler;
use super::{Options, Variant};

/// A library of the workspace that is built as a module.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The name of the package.
    pub package: &'static str,
    /// Its cargo features, separated by commas, in addition to the default ones.
    pub features: &'static str,
}

/// The engine with the exports of the component.
pub const ENGINE: Library = Library { package: "tuckaway", features: "" };

/// Builds a library as a module and returns the path of the `.wasm` file. A build of the same
/// package with other features replaces the file.
pub fn build(options: &Options, compiler: &Compiler, library: Library) -> Result<PathBuf> {
    let target = options.variant.target();
    // A module's file name contains no hash, so that each compiler would take the
    // other's output for its own.
    let target_dir = match compiler.from_source {
        Some(_) => options.target_dir.join("from-source"),
        None => options.target_dir.clone(),
    };
    let mut command = outer_env_removed(cargo());
    command
        .current_dir(&options.workspace)
        .stdout(std::io::stderr())
        .args(["rustc", "--locked", "--package", library.package, "--features", library.features])
        .args(["--lib", "--profile", "component"])
        // Not in the manifest: cargo gives no hash to the file names of a library that is
        // also a cdylib, so that builds of two checkouts with one target directory would
        // overwrite each other's rlib.
        .args(["--crate-type", "cdylib"])
        .args(["--target", target])
        .arg("--target-dir")
        .arg(&target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags(options, compiler)?.join("\x1f"));
    if let Some(from_source) = &compiler.from_source {
        // The compiler is a stable release, but building the standard library is unstable:
        // this variable permits it.
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTC", &from_source.rustc)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &from_source.linker);
    }
    let status = command.status().context("running cargo")?;
    if !status.success() {
        let package = library.package;
        bail!("cargo could not build {package} for {target} ({status}); see its messages above");
    }
    let file = format!("{}.wasm", library.package.replace('-', "_"));
    Ok(target_dir.join(target).join("component").join(file))
}

/// Returns the flags of every crate. They replace flags in configuration files, so that
/// the same source gives the same bytes. The paths in messages of panics do not depend on
/// the machine.
fn flags(options: &Options, compiler: &Compiler) -> Result<Vec<String>> {
    let mut flags = vec![
        "-Ctarget-feature=+simd128".to_owned(),
        // Larger than the stack of any engine that runs the component, so that the engine
        // detects a stack overflow before memory is accessed out of bounds.
        "-Clink-arg=-zstack-size=4194304".to_owned(),
        // In a build with names, profilers can tell the instances of generic functions apart.
        "-Csymbol-mangling-version=v0".to_owned(),
    ];
    if options.variant == Variant::Sealed {
        // Equal functions are found by what they refer to.
        flags.push("-Clink-arg=--emit-relocs".to_owned());
    }
    let mut remapped = vec![compiler.library()?];
    remapped.extend(source_directories(&options.workspace));
    flags.extend(remap_flags(&remapped));
    Ok(flags)
}

/// Returns the flags with which rustc replaces the paths of sources in its output, so that paths
/// of the machine do not appear in it.
pub fn source_flags(workspace: &Path) -> Vec<String> {
    remap_flags(&source_directories(workspace))
}

/// Returns the directories with sources, and their replacements.
fn source_directories(workspace: &Path) -> Vec<(PathBuf, String)> {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let mut directories = Vec::new();
    if let Some(home) = cargo_home {
        // The directory of a registry's crates is named after its address.
        let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
        directories.push((home, "/cargo".to_owned()));
        directories.extend(registries.map(|registry| (registry.path(), "/cargo".to_owned())));
    }
    directories.push((workspace.to_owned(), "/tuckaway".to_owned()));
    directories
}

/// If several prefixes match, rustc uses the last.
fn remap_flags(directories: &[(PathBuf, String)]) -> Vec<String> {
    directories.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
}
