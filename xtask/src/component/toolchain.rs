//! Where the compiler for WebAssembly comes from.
//!
//! A compiler without the target's standard library is of no use, so every way
//! ends in both or in an error that says what to type.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};

use super::options::{Options, Toolchain, Variant};
use super::run::{outer_env_removed, output, run};

/// A compiler that can build for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// `rustc --version`, for people.
    pub version: String,
    /// Where the standard library comes from, if not with the compiler.
    pub from_source: Option<FromSource>,
}

/// A compiler that has to build the target's standard library first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSource {
    /// The compiler itself, which is not the one that cargo would choose.
    pub rustc: PathBuf,
    /// The linker for WebAssembly, which Debian's package lacks.
    pub linker: PathBuf,
}

impl Compiler {
    /// Where the source of the standard library is, should it be there, and what
    /// the compiler calls it where it is not.
    pub fn library(&self) -> Result<(PathBuf, String)> {
        let rustc = || match &self.from_source {
            Some(from_source) => outer_env_removed(&from_source.rustc),
            None => outer_env_removed("rustc"),
        };
        let source = sysroot(rustc())?.join("lib/rustlib/src/rust");
        let version = output(rustc().arg("-vV"))?;
        let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
        Ok((source, format!("/rustc/{commit}")))
    }
}

/// A download that takes longer than this counts as refused.
const TIME_LIMIT: Duration = Duration::from_secs(300);

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library";
const DEBIAN_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
/// Edition 2024 is stable from 1.85 on, but the sources use what came later.
const MINIMUM: (u32, u32) = (1, 95);

/// Finds the compiler for a build, installs it if that is allowed, or says what
/// to type.
pub fn find(options: &Options) -> Result<Compiler> {
    let (variant, install) = (options.variant, options.install);
    let target = variant.target();
    let found = match (options.toolchain, variant) {
        (Toolchain::Debian, Variant::Wasi) => bail!(
            "Debian's packages cannot build for {target}: it needs the C library that rustup's target brings."
        ),
        (Toolchain::Debian, Variant::Sealed) => debian(install),
        (Toolchain::Rustup, _) | (Toolchain::Auto, Variant::Wasi) => rustup(target, install),
        (Toolchain::Auto, Variant::Sealed) => rustup(target, install).or_else(|first| {
            if install {
                eprintln!("{first}\nTrying Debian's {} instead.", DEBIAN_PACKAGES.join(" and "));
            }
            debian(install).map_err(|second| anyhow!("{first}\n{second}"))
        }),
    };
    found.map_err(|why| anyhow!("{why}\n{}", advice(variant, install)))
}

/// The rustc that cargo uses, if the target's standard library is there or can
/// be had.
fn rustup(target: &str, install: bool) -> Result<Compiler> {
    let found = || Ok(Compiler { version: version("rustc")?, from_source: None });
    if has_std(target) {
        return found();
    }
    if !install {
        bail!("The target {target} is not installed.");
    }
    eprintln!("Installing the target {target}: rustup target add {target}");
    let mut add = outer_env_removed("rustup");
    // A backtrace of rustup would hide the sentence that says what is wrong.
    add.args(["target", "add", target]).env_remove("RUST_BACKTRACE");
    match run(&mut add, TIME_LIMIT) {
        Ok(()) if has_std(target) => found(),
        Ok(()) => bail!("rustup has added {target}, but for another rustc than cargo uses."),
        Err(why) => bail!("The target {target} is not installed, and rustup could not add it: {why}"),
    }
}

/// Whether the rustc that cargo uses can build a variant as it is, with nothing
/// to be installed.
pub fn has_target(variant: Variant) -> bool {
    has_std(variant.target())
}

/// Whether rustc has the target's standard library, from wherever it came.
fn has_std(target: &str) -> bool {
    let mut rustc = outer_env_removed("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    output(&mut rustc).is_ok_and(|directory| Path::new(directory.trim()).is_dir())
}

/// Debian's rustc with its sources, installed if that is allowed and this is root
/// on Debian.
fn debian(install: bool) -> Result<Compiler> {
    let usable = || debian_version().is_some_and(|version| version >= MINIMUM) && library().is_file();
    if !usable() && install {
        install_debian()?;
    }
    if !usable() {
        bail!(
            "{DEBIAN_RUSTC} {} with its sources in {DEBIAN_LIBRARY} is not enough: rustc {}.{} or newer is needed, which \
             Debian's security updates have (apt-get update, then apt-cache policy rustc-web).",
            version(DEBIAN_RUSTC).unwrap_or_else(|_| "(missing)".to_owned()),
            MINIMUM.0,
            MINIMUM.1,
        );
    }
    let linker = linker()?;
    Ok(Compiler {
        version: version(DEBIAN_RUSTC)?,
        from_source: Some(FromSource { rustc: PathBuf::from(DEBIAN_RUSTC), linker }),
    })
}

/// What cargo reads first when it builds the standard library.
fn library() -> PathBuf {
    Path::new(DEBIAN_LIBRARY).join("Cargo.lock")
}

fn install_debian() -> Result<()> {
    let install = format!("apt-get update && apt-get install {}", DEBIAN_PACKAGES.join(" "));
    if output(outer_env_removed("id").arg("-u")).map_or(true, |id| id.trim() != "0") {
        bail!("Debian's packages are not installed, and only root may do it: {install}");
    }
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("Debian's packages are not installed, and this is no Debian: there is no apt-get.");
    }
    eprintln!("Installing Debian's packages: {install}");
    let mut update = outer_env_removed("apt-get");
    update.args(["update", "-q"]);
    // Nothing is removed for it: a rustc of another package stays.
    let mut add = outer_env_removed("apt-get");
    add.args(["install", "-q", "-y", "--no-install-recommends", "--no-remove"]).args(DEBIAN_PACKAGES);
    add.env("DEBIAN_FRONTEND", "noninteractive");
    run(&mut update, TIME_LIMIT)
        .and_then(|()| run(&mut add, TIME_LIMIT))
        .map_err(|why| anyhow!("Debian's packages are not installed, and apt-get could not do it: {why}"))
}

fn debian_version() -> Option<(u32, u32)> {
    parse_version(&version(DEBIAN_RUSTC).ok()?)
}

/// Major and minor of `rustc 1.95.0 (…)`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The linker that comes with the other toolchain, or the system's.
fn linker() -> Result<PathBuf> {
    let rustlib = sysroot(outer_env_removed("rustc")).unwrap_or_default().join("lib/rustlib");
    let hosts = std::fs::read_dir(rustlib).into_iter().flatten().flatten();
    let bundled = hosts.map(|host| host.path().join("bin/rust-lld")).find(|path| path.is_file());
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|directory| directory.join("wasm-ld")).find(|path| path.is_file())
    };
    match bundled.or_else(in_path) {
        Some(linker) => Ok(linker),
        None => bail!(
            "There is no linker for WebAssembly: neither rust-lld in the toolchain that cargo uses nor wasm-ld in PATH \
             (Debian: apt-get install lld)."
        ),
    }
}

fn sysroot(mut rustc: Command) -> Result<PathBuf> {
    Ok(PathBuf::from(output(rustc.args(["--print", "sysroot"]))?.trim()))
}

fn version(rustc: &str) -> Result<String> {
    Ok(output(outer_env_removed(rustc).arg("--version"))?.trim().to_owned())
}

/// What to type, whatever has failed.
fn advice(variant: Variant, install: bool) -> String {
    let target = variant.target();
    match (variant, install) {
        (Variant::Sealed, false) => "Run `cargo xtask component`, which installs what is missing.".to_owned(),
        (Variant::Wasi, false) => {
            "Run `cargo xtask component --wasi`, which installs what is missing.".to_owned()
        }
        (Variant::Sealed, true) => format!(
            "Run `rustup target add {target}` where rustup's server can be reached, or, as root on Debian, \
             `apt-get update && apt-get install {}`, and build again.",
            DEBIAN_PACKAGES.join(" ")
        ),
        (Variant::Wasi, true) => {
            format!("Run `rustup target add {target}` where rustup's server can be reached, and build again.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(
            parse_version("rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)"),
            Some((1, 96))
        );
        assert!(parse_version("rustc 1.100.0-nightly (x)").unwrap() > MINIMUM);
        assert!(parse_version("rustc 1.85.0").unwrap() < MINIMUM);
        assert_eq!(parse_version("command not found"), None);
    }

    #[test]
    fn advice_installs_only_where_that_is_allowed() {
        for variant in [Variant::Sealed, Variant::Wasi] {
            assert!(advice(variant, false).starts_with("Run `cargo xtask component"));
            assert!(advice(variant, true).starts_with("Run `rustup target add wasm32-"));
        }
    }

    #[test]
    fn debian_is_refused_for_wasi() {
        let options = Options { toolchain: Toolchain::Debian, ..Options::new("/w", Variant::Wasi) };
        let error = find(&options).unwrap_err().to_string();
        assert!(error.contains("C library"), "{error}");
    }
}
