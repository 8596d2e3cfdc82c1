//! Builds the component, for `cargo xtask component`, for the build script of
//! `tuckaway-host`, which runs the same command, and for tests.
//!
//! ```text
//! options ─► toolchain ─► cargo build ─► module ─► encode ─► component ─► imports checked ─► file
//! ```
//!
//! All progress goes to stderr: in a build script stdout belongs to cargo.

mod cargo;
mod encode;
mod imports;
mod options;
mod run;
mod toolchain;

pub use imports::{Import, SEALED_IMPORTS, check_sealed, read_imports};
pub use options::{Options, Toolchain, Variant};
pub use toolchain::has_target;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

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

/// Finds the toolchain for a build, and installs it if it is missing and may be
/// installed. Fails with what to type next.
pub fn prepare(options: &Options) -> Result<()> {
    toolchain::find(options).map(|_| ())
}

/// Builds a component and writes it, untouched if the bytes are the same.
///
/// Fails with what to type next if the toolchain is missing, with cargo's exit
/// status if the source does not compile (cargo itself has said why on stderr),
/// and if the sealed component imports what it must not.
pub fn build(options: &Options) -> Result<Built> {
    let compiler = toolchain::find(options)?;
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
