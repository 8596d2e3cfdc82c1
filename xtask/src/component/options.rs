//! What to build, from where, with what, and where to put it.

use std::path::PathBuf;

/// Which component to build from the one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The component for every host (`wasm32-unknown-unknown`): it imports the
    /// store and the token counter, and [`build`](super::build) fails if it imports more.
    Sealed,
    /// The same source for `wasm32-wasip2`, whose std adds `wasi:*` imports.
    Wasi,
}

impl Variant {
    /// The target triple that cargo builds for.
    pub fn target(self) -> &'static str {
        match self {
            Variant::Sealed => "wasm32-unknown-unknown",
            Variant::Wasi => "wasm32-wasip2",
        }
    }

    /// The component's file name, where the caller names none.
    pub fn file_name(self) -> &'static str {
        match self {
            Variant::Sealed => "tuckaway.wasm",
            Variant::Wasi => "tuckaway-wasi.wasm",
        }
    }
}

/// Where the compiler and its standard library come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Toolchain {
    /// The first of the others that works here.
    #[default]
    Auto,
    /// The rustc that cargo uses, with the target's standard library from rustup.
    Rustup,
    /// Debian's packages `rustc-web` and `rust-web-src`, for machines that reach
    /// a Debian mirror but not rustup's server. [`Variant::Sealed`] only.
    Debian,
}

/// One build.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory of the workspace's `Cargo.toml`.
    pub workspace: PathBuf,
    /// Where the inner cargo keeps its work. It must not be the target directory
    /// of a cargo that waits for this build, whose lock that one holds.
    pub target_dir: PathBuf,
    /// Which component.
    pub variant: Variant,
    /// The file to write; its directory is made if need be.
    pub output: PathBuf,
    /// Where the compiler and its standard library come from.
    pub toolchain: Toolchain,
    /// Whether what is missing of the toolchain may be installed.
    pub install: bool,
}

impl Options {
    /// What `cargo xtask component` builds: `target/tuckaway.wasm` (or
    /// `target/tuckaway-wasi.wasm`) by way of `target/component`, with whatever
    /// toolchain is installed.
    pub fn new(workspace: impl Into<PathBuf>, variant: Variant) -> Self {
        let workspace = workspace.into();
        let target = workspace.join("target");
        Options {
            target_dir: target.join("component"),
            output: target.join(variant.file_name()),
            variant,
            toolchain: Toolchain::Auto,
            install: false,
            workspace,
        }
    }
}
