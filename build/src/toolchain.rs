//! Where the compiler for WebAssembly comes from.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::Variant;

/// Where the compiler and its standard library come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Toolchain {
    /// The first of the others that works here.
    #[default]
    Auto,
    /// The rustc that cargo uses, with the target's standard library from rustup.
    Rustup,
    /// Debian's packages `rustc-web` and `rust-web-src`.
    Debian,
}

/// A compiler that can build for a target, found or installed.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// `rustc --version`.
    pub version: String,
}

/// Finds a compiler for a variant, or installs it, or says what to type.
pub fn find(_toolchain: Toolchain, _variant: Variant) -> Result<Compiler> {
    let output = Command::new("rustc").arg("--version").output().context("running rustc")?;
    if !output.status.success() {
        bail!("rustc --version failed");
    }
    Ok(Compiler { version: String::from_utf8_lossy(&output.stdout).trim().to_owned() })
}
