//! Builds the component, for `cargo xtask component`, for the build script of
//! `tuckaway-host`, which runs the same command, and for tests.
//!
//! ```text
//! options ─► toolchain ─► cargo build ─► module ─► merge ─► encode ─► component ─► imports checked ─► file
//! ```
//!
//! All progress goes to stderr: in a build script, stdout is reserved for cargo.

mod cargo;
mod compose;
mod encode;
mod imports;
mod linked;
mod merge;
mod options;
pub(crate) mod run;
mod toolchain;

pub use cargo::{Library, source_flags};
pub use compose::{Composed, Home};
pub use imports::{Import, SEALED_IMPORTS, check_sealed, read_imports};
pub use options::{Options, Toolchain, Variant};
pub use run::output;
pub use toolchain::has_target;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A component that was built, with its imports.
#[derive(Clone, Debug)]
pub struct Built {
    /// The file, as [`Options::output`] named it.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its imports, in the order of the binary.
    pub imports: Vec<Import>,
    /// The compiler, for people: `rustc 1.95.0 (…)`, or that it was built before.
    pub compiler: String,
}

/// Finds the toolchain for a build. Installs it if it is missing and that is allowed.
/// Errors say what to type next.
pub fn prepare(options: &Options) -> Result<()> {
    toolchain::find(options).map(|_| ())
}

/// Builds a component and writes it, unless the file has the same bytes already.
///
/// Fails if the toolchain is missing (the error says what to type next), if the source
/// does not compile (cargo reports why on stderr), and if the sealed component has other
/// imports than it may.
pub fn build(options: &Options) -> Result<Built> {
    let (component, compiler) = match &options.prebuilt {
        Some(path) => (read(path)?, "an earlier build".to_owned()),
        None => compiled(options)?,
    };
    let imports = read_imports(&component)?;
    if options.variant == Variant::Sealed {
        check_sealed(&imports)?;
    }
    write_if_changed(&options.output, &component)?;
    Ok(Built { path: options.output.clone(), bytes: component.len() as u64, imports, compiler })
}

/// Builds a library of the workspace as a module for `wasm32-unknown-unknown`, with the compiler and
/// the flags of the sealed component, and returns its bytes.
pub fn module(options: &Options, library: Library) -> Result<Vec<u8>> {
    let compiler = toolchain::find(options)?;
    merge::equal_functions(&read(&cargo::build(options, &compiler, library)?)?)
}

/// Builds the adapter of a home, and composes it with the engine. `options` are those of the adapter's
/// build; their variant is [`Variant::Wasi`].
pub fn composed(options: &Options, engine: &[u8], home: Home) -> Result<Composed> {
    let compiler = toolchain::find(options)?;
    // The linker of that target encodes a component.
    let adapter = read(&cargo::build(options, &compiler, home.library())?)?;
    let component = compose::plugged(engine, &adapter)?;
    Ok(Composed { adapter, component })
}

/// Returns a component built from source, and its compiler.
fn compiled(options: &Options) -> Result<(Vec<u8>, String)> {
    let compiler = toolchain::find(options)?;
    let module = read(&cargo::build(options, &compiler, cargo::ENGINE)?)?;
    let component = match options.variant {
        Variant::Sealed => encode::component(&merge::equal_functions(&module)?)?,
        // The linker of that target has already encoded the component.
        Variant::Wasi => module,
    };
    Ok((component, compiler.version))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Writes a file. Keeps the modification time of an unchanged file, so that nothing that depends
/// on it is built again.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
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
    fn an_unchanged_file_keeps_its_time() {
        let directory = std::env::temp_dir().join(format!("tuckaway-xtask-{}", std::process::id()));
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
