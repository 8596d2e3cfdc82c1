//! Finds or installs the compiler for WebAssembly.
//!
//! A compiler without the target's standard library is useless, so the result is either both
//! or an error that says what to type.

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
    /// How to build the standard library, if the compiler lacks it.
    pub from_source: Option<FromSource>,
}

/// A compiler that has to build the target's standard library first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromSource {
    /// The compiler, which differs from cargo's choice.
    pub rustc: PathBuf,
    /// The linker for WebAssembly, which Debian's package lacks.
    pub linker: PathBuf,
}

impl Compiler {
    /// Returns where the source of the standard library would be installed, and the path
    /// that the compiler uses for it if it is not.
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

/// The time after which a download counts as failed.
const TIME_LIMIT: Duration = Duration::from_secs(300);

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library";
const DEBIAN_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
/// The oldest compiler. Edition 2024 needs 1.85, but the sources use later features.
const MINIMUM: (u32, u32) = (1, 95);

/// Finds the compiler for a build, or installs it if that is allowed. Errors say what to
/// type.
pub fn find(options: &Options) -> Result<Compiler> {
    let (variant, install) = (options.variant, options.install);
    let target = variant.target();
    let found = match (options.toolchain, variant) {
        (Toolchain::Debian, Variant::Wasi) => bail!(
            "Debian's packages cannot build for {target}: it needs the C library that rustup's target includes."
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

/// Returns the rustc that cargo uses, if the target's standard library is installed or
/// can be.
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
    // A backtrace of rustup would hide its error message.
    add.args(["target", "add", target]).env_remove("RUST_BACKTRACE");
    match run(&mut add, TIME_LIMIT) {
        Ok(()) if has_std(target) => found(),
        Ok(()) => bail!("rustup has added {target}, but for another rustc than cargo uses."),
        Err(why) => bail!("The target {target} is not installed, and rustup could not add it: {why}"),
    }
}

/// Returns whether the rustc that cargo uses can build a variant without installing
/// anything.
pub fn has_target(variant: Variant) -> bool {
    has_std(variant.target())
}

/// Returns whether rustc has the target's standard library, however it was installed.
fn has_std(target: &str) -> bool {
    let mut rustc = outer_env_removed("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    output(&mut rustc).is_ok_and(|directory| Path::new(directory.trim()).is_dir())
}

/// Returns Debian's rustc with its sources. Installs it if that is allowed and the user is
/// root on Debian.
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

/// Returns the file that cargo reads first when it builds the standard library.
fn library() -> PathBuf {
    Path::new(DEBIAN_LIBRARY).join("Cargo.lock")
}

fn install_debian() -> Result<()> {
    let install = format!("apt-get update && apt-get install {}", DEBIAN_PACKAGES.join(" "));
    if output(outer_env_removed("id").arg("-u")).map_or(true, |id| id.trim() != "0") {
        bail!("Debian's packages are not installed, and only root can install them: {install}");
    }
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("Debian's packages are not installed, and this is not Debian: apt-get is missing.");
    }
    eprintln!("Installing Debian's packages: {install}");
    let mut update = outer_env_removed("apt-get");
    update.args(["update", "-q"]);
    // Nothing is removed: a rustc of another package stays.
    let mut add = outer_env_removed("apt-get");
    add.args(["install", "-q", "-y", "--no-install-recommends", "--no-remove"]).args(DEBIAN_PACKAGES);
    add.env("DEBIAN_FRONTEND", "noninteractive");
    run(&mut update, TIME_LIMIT).and_then(|()| run(&mut add, TIME_LIMIT)).map_err(|why| {
        anyhow!("Debian's packages are not installed, and apt-get could not install them: {why}")
    })
}

fn debian_version() -> Option<(u32, u32)> {
    parse_version(&version(DEBIAN_RUSTC).ok()?)
}

/// Parses major and minor of `rustc 1.95.0 (…)`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Returns the linker of cargo's toolchain, or the system's.
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

/// Returns the advice after any failure: what to type.
fn advice(variant: Variant, install: bool) -> String {
    let target = variant.target();
    match (variant, install) {
        (Variant::Sealed, false) => "Run `cargo xtask component`, which installs what is missing.".to_owned(),
        (Variant::Wasi, false) => {
            "Run `cargo xtask component --wasi`, which installs what is missing.".to_owned()
        }
        (Variant::Sealed, true) => format!(
            "Run `rustup target add {target}` with access to rustup's server, or, as root on Debian, \
             `apt-get update && apt-get install {}`, and build again.",
            DEBIAN_PACKAGES.join(" ")
        ),
        (Variant::Wasi, true) => {
            format!("Run `rustup target add {target}` with access to rustup's server, and build again.")
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
    fn advice_installs_only_if_that_is_allowed() {
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
