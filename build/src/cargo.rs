//! The inner cargo: one build of the engine for WebAssembly.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::Options;
use crate::toolchain::Compiler;

/// Runs `cargo build` and returns the path of the `.wasm` file it linked.
pub fn build(options: &Options, _compiler: &Compiler) -> Result<PathBuf> {
    let target = options.variant.target();
    let mut command = command(&options.workspace);
    command
        .args(["build", "--locked", "--package", "tuckaway", "--lib", "--profile", "component"])
        .args(["--target", target])
        .arg("--target-dir")
        .arg(&options.target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    let status = command.status().context("running cargo")?;
    if !status.success() {
        bail!("cargo could not build the engine for {target} ({status}); it says why above");
    }
    Ok(options.target_dir.join(target).join("component").join("tuckaway.wasm"))
}

/// A cargo that knows nothing of the cargo, clippy or build script it runs in,
/// and whose output goes to stderr.
fn command(workspace: &std::path::Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(workspace).stdin(Stdio::null()).stdout(std::io::stderr());
    for (name, _) in env::vars_os().filter(|(name, _)| is_from_outer_build(name)) {
        command.env_remove(name);
    }
    command
}

/// Whether a variable was set for, or by, an outer build: it would name that
/// build's compiler, flags, profile or directories.
fn is_from_outer_build(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let exact = ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"];
    let prefixes = ["CARGO_BUILD_", "CARGO_TARGET_", "CARGO_PROFILE_", "CARGO_UNSTABLE_", "__CARGO_"];
    exact.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}
