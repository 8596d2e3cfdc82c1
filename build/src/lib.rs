//! Builds the component, for whoever needs its bytes: `cargo xtask component`
//! and the build script of `tuckaway-host`.
//!
//! ```text
//! options ─► toolchain ─► cargo build ─► module ─► encode ─► component ─► imports checked ─► file
//! ```
//!
//! All progress goes to stderr: in a build script stdout belongs to cargo.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

mod cargo;
mod encode;
mod imports;
mod order;
mod run;
mod toolchain;

pub use imports::{Import, SEALED_IMPORTS, check_sealed, read_imports};
pub use toolchain::{Toolchain, has_target};

/// Which component to build from the one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The component for every host (`wasm32-unknown-unknown`): it imports the
    /// store and the token counter, and [`build`] fails if it imports more.
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

/// What to build, from where, and where to put it.
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
}

impl Options {
    /// What `cargo xtask component` builds: `target/tuckaway.wasm` (or
    /// `target/tuckaway-wasi.wasm`) by way of `target/component`.
    pub fn new(workspace: impl Into<PathBuf>, variant: Variant) -> Self {
        let workspace = workspace.into();
        let target = workspace.join("target");
        Options {
            target_dir: target.join("component"),
            output: target.join(variant.file_name()),
            variant,
            toolchain: Toolchain::Auto,
            workspace,
        }
    }

    /// For a build script: the sealed component as `OUT_DIR/tuckaway.wasm`.
    ///
    /// The inner cargo works beside the outer one's profiles, in
    /// `target/component`, so that `cargo xtask component`, `cargo test` and
    /// `cargo clippy` compile the engine once between them.
    pub fn for_build_script(workspace: impl Into<PathBuf>, out_dir: impl AsRef<Path>) -> Self {
        let (out_dir, variant) = (out_dir.as_ref(), Variant::Sealed);
        Options {
            target_dir: target_dir_of(out_dir).unwrap_or(out_dir).join("component"),
            output: out_dir.join(variant.file_name()),
            ..Options::new(workspace, variant)
        }
    }
}

/// A component that was built, and what it asks of its host.
#[derive(Clone, Debug)]
pub struct Built {
    /// The file, as [`Options::output`] named it.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its imports, in the order of the binary.
    pub imports: Vec<Import>,
    /// What compiled it, for people: `rustc 1.95.0 (…)`.
    pub compiler: String,
}

/// Builds a component and writes it, untouched if the bytes are the same.
///
/// Fails with what to type next where the toolchain is missing, with cargo's
/// exit status where the source does not compile (cargo itself has said why on
/// stderr), and where the sealed component imports what it must not.
pub fn build(options: &Options) -> Result<Built> {
    let compiler = toolchain::find(options.toolchain, options.variant)?;
    let module = cargo::build(options, &compiler)?;
    let module =
        fs::read(&module).with_context(|| format!("reading what cargo built, {}", module.display()))?;
    let component = match options.variant {
        Variant::Sealed => encode::component(&module)?,
        // The linker of that target has encoded the component already.
        Variant::Wasi => module,
    };
    let imports = read_imports(&component)?;
    if options.variant == Variant::Sealed {
        check_sealed(&imports)?;
    }
    write_if_changed(&options.output, &component)?;
    Ok(Built {
        path: options.output.clone(),
        bytes: component.len() as u64,
        imports,
        compiler: compiler.version,
    })
}

/// The files and directories whose change asks for a new build, for the
/// `cargo::rerun-if-changed` lines of a build script.
pub fn inputs(workspace: &Path) -> Vec<PathBuf> {
    ["Cargo.toml", "Cargo.lock", "crates", "src", "wit"]
        .into_iter()
        .map(|name| workspace.join(name))
        .collect()
}

/// The target directory in which cargo made an `OUT_DIR`, if this is one:
/// `target/debug/build/tuckaway-host-0123456789abcdef/out`.
fn target_dir_of(out_dir: &Path) -> Option<&Path> {
    let build = out_dir.parent()?.parent()?;
    (out_dir.ends_with("out") && build.ends_with("build")).then(|| build.parent()?.parent())?
}

/// Leaves an unchanged file its time, so that nothing that depends on it is
/// built again.
fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).with_context(|| format!("making {}", directory.display()))?;
    }
    fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_scripts_share_the_target_directory() {
        let options = Options::for_build_script("/w", "/w/target/debug/build/tuckaway-host-0123/out");
        assert_eq!(options.target_dir, Path::new("/w/target/component"));
        assert_eq!(options.target_dir, Options::new("/w", Variant::Sealed).target_dir);
        assert_eq!(options.output, Path::new("/w/target/debug/build/tuckaway-host-0123/out/tuckaway.wasm"));
        assert_eq!(
            Options::for_build_script("/w", "/elsewhere").target_dir,
            Path::new("/elsewhere/component")
        );
    }

    #[test]
    fn an_unchanged_file_keeps_its_time() {
        let directory = std::env::temp_dir().join(format!("tuckaway-build-{}", std::process::id()));
        let path = directory.join("deep").join("file");
        write_if_changed(&path, b"one").unwrap();
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        write_if_changed(&path, b"one").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
        write_if_changed(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::remove_dir_all(directory).unwrap();
    }
}
