//! Finds the component that the library embeds, and compiles it to machine code. Writes the
//! vocabularies of its tokenizers.
//!
//! | place of the build | component |
//! |---|---|
//! | anywhere, if `TUCKAWAY_COMPONENT` names a file | that file |
//! | in the repository | built from the sources in the workspace by `xtask`, with the installed toolchain |
//! | from a package | `component/tuckaway.wasm`, which the package contains |
//!
//! This script never installs or downloads anything.

#[path = "../src/settings.rs"]
mod settings;
#[cfg(feature = "tiktoken")]
mod vocabularies;

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

use wasmtime::Engine;

/// The inputs of the component, in the workspace.
const INPUTS: [&str; 6] = ["Cargo.toml", "Cargo.lock", "crates", "src", "wit", "xtask/src/component"];

const TARGET: &str = "wasm32-unknown-unknown";

/// The source of the standard library, where Debian's package installs it. It can be
/// compiled for the target.
const DEBIAN_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

fn main() {
    println!("cargo::rerun-if-env-changed=TUCKAWAY_COMPONENT");
    println!("cargo::rerun-if-changed=build/main.rs");
    println!("cargo::rerun-if-changed=src/settings.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let workspace = package.parent().filter(|directory| is_workspace(directory));
    let named = env::var_os("TUCKAWAY_COMPONENT").filter(|path| !path.is_empty()).map(PathBuf::from);
    let component = match (named, workspace) {
        (Some(path), _) => copied(&path, &out_dir),
        (None, Some(workspace)) => built(workspace, &out_dir),
        (None, None) => packaged(&package),
    };
    println!("cargo::rustc-env=TUCKAWAY_EMBEDDED_COMPONENT={}", component.display());
    if let Err(error) = compile(&component, &out_dir) {
        fail(&format!("compiling the component to machine code: {error:#}"));
    }
    #[cfg(feature = "tiktoken")]
    if let Err(error) = vocabularies::write(&out_dir) {
        fail(&format!("writing the vocabularies: {error}"));
    }
}

/// Instructions for WebAssembly's vectors that the baseline of x86-64 lacks: the level x86-64-v2, which
/// processors have had since 2009. The baselines of other architectures include theirs.
const X86_64_V2: [&str; 5] = ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"];

/// Compiles a component to machine code that runs on every processor of the target, except for
/// x86-64 before [`X86_64_V2`], on which the library says what is missing.
fn compile(component: &Path, out_dir: &Path) -> wasmtime::Result<()> {
    let component = fs::read(component)?;
    let digest = digest(&component);
    let mut settings = settings::settings(&digest, env::var_os("CARGO_CFG_WINDOWS").is_some());
    settings.target(&env::var("TARGET")?)?;
    let processor = env::var("CARGO_CFG_TARGET_ARCH")?;
    if processor == "x86_64" {
        for flag in X86_64_V2 {
            // SAFETY: it only makes instructions available, and wasmtime loads the machine code
            // only if the processor has them.
            #[allow(unsafe_code, reason = "other flags would be unsafe to set")]
            unsafe {
                settings.cranelift_flag_enable(flag);
            }
        }
    }
    let machine_code = out_dir.join("tuckaway.cwasm");
    let engine = Engine::new(&settings).map_err(|error| {
        // Without the feature, the compiler knows only the processor on which it runs.
        let lacks_feature = processor != env::consts::ARCH && !cfg!(feature = "cross");
        let advice = "for another processor, this needs the feature `cross` of tuckaway-host";
        if lacks_feature { error.context(advice) } else { error }
    })?;
    fs::write(&machine_code, engine.precompile_component(&component)?)?;
    println!("cargo::rustc-env=TUCKAWAY_MACHINE_CODE={}", machine_code.display());
    println!("cargo::rustc-env=TUCKAWAY_COMPONENT_DIGEST={digest}");
    Ok(())
}

/// Returns a short digest of a component. It detects mistakes, not attacks.
fn digest(component: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(component);
    format!("{:016x}", hasher.finish())
}

/// Returns whether a directory is the repository, with the component's sources.
fn is_workspace(directory: &Path) -> bool {
    directory.join("xtask/src/component").is_dir() && directory.join("src/component.rs").is_file()
}

/// Copies a component that was built elsewhere.
fn copied(path: &Path, out_dir: &Path) -> PathBuf {
    println!("cargo::rerun-if-changed={}", path.display());
    let copy = out_dir.join("named.wasm");
    match fs::copy(path, &copy) {
        Ok(_) => copy,
        Err(error) => fail(&format!("TUCKAWAY_COMPONENT={}: {error}", path.display())),
    }
}

/// Returns the component that the package contains.
fn packaged(package: &Path) -> PathBuf {
    let component = package.join("component/tuckaway.wasm");
    println!("cargo::rerun-if-changed={}", component.display());
    match component.is_file() {
        true => component,
        false => fail("this package lacks component/tuckaway.wasm; set TUCKAWAY_COMPONENT to one"),
    }
}

/// Has cargo run this script again if a file, or any file below a directory, changes.
///
/// Directories themselves are not watched: `cargo package` changes their times, and after it
/// everything that embeds the component would be compiled again. A new file has no effect until a
/// file that is watched names it.
fn watch(path: &Path) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| watch(&entry.path())),
        Err(_) => println!("cargo::rerun-if-changed={}", path.display()),
    }
}

/// Builds the component from the workspace's sources with `xtask`. Reuses the `xtask`
/// that runs this build, if any, to avoid compiling it twice.
fn built(workspace: &Path, out_dir: &Path) -> PathBuf {
    for input in INPUTS {
        watch(&workspace.join(input));
    }
    if !can_compile() {
        fail(&format!("the Rust target {TARGET} is missing; `cargo xtask component` installs it"));
    }
    // The outer cargo has locked its own target directory.
    let target_dir = target_dir_of(out_dir).unwrap_or(out_dir).join("component");
    let component = out_dir.join("tuckaway.wasm");
    let mut xtask = match env::var_os("TUCKAWAY_XTASK") {
        Some(program) => Command::new(program),
        None => {
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["run", "--quiet", "--locked", "--package", "xtask", "--target-dir"]);
            cargo.arg(&target_dir).arg("--");
            cargo
        }
    };
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_of_this_build)) {
        xtask.env_remove(name);
    }
    // Cargo sets this for the programs that it runs.
    xtask.env("CARGO_MANIFEST_DIR", workspace.join("xtask"));
    xtask.args(["component", "--no-install", "--target-dir"]).arg(&target_dir);
    xtask.arg("--output").arg(&component).current_dir(workspace);
    // Stdout is reserved for cargo's instructions.
    match xtask.stdin(Stdio::null()).stdout(Stdio::null()).status() {
        Ok(status) if status.success() => component,
        Ok(_) => fail("the component could not be built; `cargo xtask component` shows why"),
        Err(error) => fail(&format!("running cargo to build the component: {error}")),
    }
}

/// Returns whether some rustc on this machine has, or can build, the target's standard
/// library.
fn can_compile() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let directory = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let directory = directory.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    directory.is_ok_and(|directory| Path::new(&directory).is_dir()) || Path::new(DEBIAN_LIBRARY).is_file()
}

/// Returns whether an environment variable describes the current build, whose compiler
/// wrapper, flags and directories must not affect the nested one.
fn is_of_this_build(name: &str) -> bool {
    let exact = ["RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS"];
    let prefixes = ["CARGO_ENCODED_", "CARGO_TARGET_", "CARGO_BUILD_", "CARGO_MANIFEST_", "CARGO_PKG_"];
    exact.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the target directory that contains an `OUT_DIR`:
/// `target/debug/build/tuckaway-host-0123456789abcdef/out`.
fn target_dir_of(out_dir: &Path) -> Option<&Path> {
    let build = out_dir.parent()?.parent()?;
    (out_dir.ends_with("out") && build.ends_with("build")).then(|| build.parent()?.parent())?
}

/// Reports the reason on a line that cargo shows, and exits.
fn fail(why: &str) -> ! {
    println!("cargo::error={why}");
    process::exit(0)
}
