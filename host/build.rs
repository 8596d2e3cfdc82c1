//! Builds the component into `OUT_DIR`, so that the library can embed it and a
//! plain `cargo build` works from a fresh clone.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    println!("cargo::rerun-if-env-changed=TUCKAWAY_COMPONENT");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let component = match env::var_os("TUCKAWAY_COMPONENT").filter(|path| !path.is_empty()) {
        Some(path) => ready_made(Path::new(&path), &out_dir),
        None => built(&out_dir),
    };
    println!("cargo::rustc-env=TUCKAWAY_EMBEDDED_COMPONENT={}", component.display());
}

/// The component that somebody else has built.
fn ready_made(path: &Path, out_dir: &Path) -> PathBuf {
    println!("cargo::rerun-if-changed={}", path.display());
    let copy = out_dir.join("ready-made.wasm");
    if let Err(error) = fs::copy(path, &copy) {
        fail(&format!("TUCKAWAY_COMPONENT={}: {error}", path.display()));
    }
    copy
}

/// The component of this checkout.
fn built(out_dir: &Path) -> PathBuf {
    let host = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let workspace = host.parent().expect("this package is in a workspace").to_path_buf();
    for input in tuckaway_build::inputs(&workspace) {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    match tuckaway_build::build(&tuckaway_build::Options::for_build_script(&workspace, out_dir)) {
        Ok(built) => built.path,
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Says why on a line that cargo shows, and stops.
fn fail(why: &str) -> ! {
    println!("cargo::error={}", why.replace('\n', " "));
    process::exit(1)
}
