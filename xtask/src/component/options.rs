//! The options of a build: source, variant, toolchain and output.

use std::path::PathBuf;

/// Which component to build from the same source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The component for every host (`wasm32-unknown-unknown`): it imports the
    /// store and the token counter, and [`build`](super::build) fails if it imports more.
    Sealed,
    /// The same source for `wasm32-wasip2`, whose std adds `wasi:*` imports.
    Wasi,
}

impl Variant {
    /// Returns the target triple that cargo builds for.
    pub fn target(self) -> &'static str {
        match self {
            Variant::Sealed => "wasm32-unknown-unknown",
            Variant::Wasi => "wasm32-wasip2",
        }
    }

    /// Returns the default file name of the component.
    pub fn file_name(self) -> &'static str {
        match self {
            Variant::Sealed => "tuckaway.wasm",
            Variant::Wasi => "tuckaway-wasi.wasm",
        }
    }
}

/// The source of the compiler and its standard library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Toolchain {
    /// The first of the others that works on this machine.
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
    /// The target directory of the inner cargo. It must differ from the directory of a cargo that
    /// waits for this build, which has locked it.
    pub target_dir: PathBuf,
    /// Which component to build.
    pub variant: Variant,
    /// The file to write; its directory is created if it is missing.
    pub output: PathBuf,
    /// The source of the compiler and its standard library.
    pub toolchain: Toolchain,
    /// Whether missing parts of the toolchain may be installed.
    pub install: bool,
    /// A component that was built before, to check and copy instead of building one.
    pub prebuilt: Option<PathBuf>,
}

impl Options {
    /// Returns the options of `cargo xtask component`: builds `target/tuckaway.wasm` (or
    /// `target/tuckaway-wasi.wasm`) in `target/component`, with any installed toolchain.
    pub fn new(workspace: impl Into<PathBuf>, variant: Variant) -> Self {
        let workspace = workspace.into();
        let target = workspace.join("target");
        Options {
            target_dir: target.join("component"),
            output: target.join(variant.file_name()),
            variant,
            toolchain: Toolchain::Auto,
            install: false,
            prebuilt: None,
            workspace,
        }
    }
}
