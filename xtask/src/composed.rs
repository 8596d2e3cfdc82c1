//! `cargo xtask adapters --wasi`: the engine composed with stores over WASI, for hosts with nothing else,
//! and the tests that run the components in wasmtime.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use xtask::component::{self, Home, Variant, read_imports};

use crate::budget::{grouped, installing};
use crate::{shell, workspace};

/// The package of the adapters.
const PACKAGE: &str = "tuckaway-wasi";

/// Builds the components into `target/`, shows their imports, and returns the packages of their adapters and
/// their files.
pub fn build() -> Result<Vec<(&'static str, PathBuf)>> {
    let engine = component::build(&installing(Variant::Sealed))?.path;
    let engine = fs::read(&engine).with_context(|| format!("reading {}", engine.display()))?;
    let mut built = Vec::new();
    for home in Home::ALL {
        let composed = component::composed(&installing(Variant::Wasi), &engine, home)?.component;
        let path = workspace().join("target").join(home.file_name());
        component::write_if_changed(&path, &composed)?;
        println!("target/{} {:>9} bytes", home.file_name(), grouped(composed.len() as u64));
        for import in read_imports(&composed)? {
            println!("  imports  {import}");
        }
        built.push((PACKAGE, path));
    }
    Ok(built)
}

/// Builds and tests.
pub fn run() -> Result<()> {
    build()?;
    // With the features of the whole workspace, whose tests were compiled before.
    let suite = ["test", "--workspace", "--features", "tuckaway-host-test/wasi", "--test", "suite"];
    shell::cargo(suite.into_iter().chain(["--", "--nocapture", "composed::"]))
}
