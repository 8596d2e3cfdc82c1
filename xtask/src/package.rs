//! `cargo xtask package`: packages the crates as they would be published, and builds a
//! program with them outside of the repository.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use xtask::component::{Variant, build};

use crate::{budget, shell, workspace};

/// Packages of the workspace that are not published, with their folders.
const UNPUBLISHED: [(&str, &str); 12] = [
    ("host-in-100-lines", "examples/host-in-100-lines"),
    ("tuckaway-bench", "host-test/bench"),
    ("tuckaway-core", "adapters/core"),
    ("tuckaway-extism", "adapters/extism"),
    ("tuckaway-features", "features"),
    ("tuckaway-flat", "adapters/flat"),
    ("tuckaway-host-test", "host-test"),
    ("tuckaway-keyvalue", "adapters/keyvalue"),
    ("tuckaway-python", "python"),
    ("tuckaway-test-kit", "host-test/kit"),
    ("tuckaway-wasi", "adapters/wasi"),
    ("xtask", "xtask"),
];

/// The unpublished package that is packaged nevertheless. The workspace outside has it as a member,
/// so that dependencies get the features that they have here: a dependency with others would be
/// compiled again, and all that needs it, such as wasmtime.
const FEATURES: &str = "tuckaway-features";

/// The directory with the generated files of the package of `host/`, which is never
/// committed.
const CARRIED: &str = "component";

/// Packages everything and builds the packages. Returns an error if that fails.
pub fn run() -> Result<()> {
    let built = build(&budget::installing(Variant::Sealed))?;
    let packages = pack(&built.path)?;
    let outside = Outside::new()?;
    outside.unpack(&packages)?;
    outside.check_component(&built.path)?;
    println!("Building the packages in {}.", outside.0.display());
    outside.write_workspace()?;
    outside.cargo(&["build", "--offline", "--workspace", "--features", &format!("{FEATURES}/http")])?;
    // Not by `cargo run`: for one package alone, cargo compiles dependencies again with
    // fewer features.
    shell::succeed(&mut Command::new(program("embed")?))?;
    shell::succeed(Command::new(program("tuckaway")?).arg("--version"))
}

/// Packages the crates with this component, and returns the directory with their files.
pub fn pack(component: &Path) -> Result<PathBuf> {
    carry(component)?;
    println!("Packaging the crates.");
    let packages = workspace().join("target/package");
    let _ = fs::remove_dir_all(&packages);
    let excluded = UNPUBLISHED.iter().filter(|(name, _)| *name != FEATURES);
    let excluded = excluded.flat_map(|(name, _)| ["--exclude", name]);
    // If they are built, they use the dependencies that are already compiled.
    let package = ["package", "--quiet", "--locked", "--no-verify", "--allow-dirty", "--workspace"];
    shell::cargo(package.into_iter().chain(excluded).chain(["--target-dir", "target"]))?;
    Ok(packages)
}

/// Returns the path of a program that was built.
fn program(name: &str) -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// Copies the component to where the package includes it from.
fn carry(component: &Path) -> Result<()> {
    let directory = workspace().join("host").join(CARRIED);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    copy(component, &directory.join("tuckaway.wasm"))
}

/// A directory outside of the repository, removed at the end.
struct Outside(PathBuf);

impl Outside {
    fn new() -> Result<Self> {
        let path = env::temp_dir().join(format!("tuckaway-package-{}", process::id()));
        fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Outside(path))
    }

    fn unpack(&self, packages: &Path) -> Result<()> {
        for package in files(packages, "crate")? {
            // Packaged files have the time of a commit. With -m they are new to cargo, which would
            // otherwise take the crates of an earlier run for these.
            shell::succeed(Command::new("tar").arg("-xmzf").arg(&package).current_dir(&self.0))?;
        }
        Ok(())
    }

    /// Returns the names of the packages' directories.
    fn packages(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0).context("reading the unpacked packages")? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }

    /// Returns an error unless the package of the host contains the component that was built.
    fn check_component(&self, fresh: &Path) -> Result<()> {
        let packages = self.packages()?;
        let host = packages.iter().find(|name| name.starts_with("tuckaway-host-"));
        let host = host.context("tuckaway-host was not packaged")?;
        let carried = self.0.join(host).join(CARRIED).join("tuckaway.wasm");
        match read(&carried)? == read(fresh)? {
            true => Ok(()),
            false => bail!("{} is not the component that was built", carried.display()),
        }
    }

    /// Writes a workspace of all packages and of the embedder in docs/embedding.md. Each package finds
    /// the others as in a registry. Dependencies are the same as in the repository and are
    /// compiled in the same way, so that they need not be compiled again.
    fn write_workspace(&self) -> Result<()> {
        let packages = self.packages()?;
        let repository = workspace();
        let manifest = fs::read_to_string(repository.join("Cargo.toml")).context("reading Cargo.toml")?;
        let patches: String = packages
            .iter()
            .filter_map(|package| {
                let (name, _version) = package.rsplit_once('-')?;
                Some(format!("{name} = {{ path = \"{package}\" }}\n"))
            })
            .collect();
        write(
            &self.0.join("Cargo.toml"),
            &format!(
                "[workspace]\nmembers = [\"*\"]\nresolver = \"3\"\n\n[patch.crates-io]\n{patches}\n{}",
                development_profile(&manifest)
            ),
        )?;
        copy(&repository.join("Cargo.lock"), &self.0.join("Cargo.lock"))?;
        let embed = self.0.join("embed");
        fs::create_dir_all(embed.join("src")).context("making the embedder")?;
        copy(&repository.join("host/examples/embed.rs"), &embed.join("src/main.rs"))?;
        write(&embed.join("Cargo.toml"), EMBEDDER)
    }

    fn cargo(&self, args: &[&str]) -> Result<()> {
        let mut cargo = shell::cargo_command();
        let target = shell::target_dir()?;
        shell::succeed(cargo.args(args).arg("--target-dir").arg(target).current_dir(&self.0))
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        // If removal fails, the system cleans its temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The manifest of the embedder: the same as in docs/embedding.md, but with versions from a registry.
const EMBEDDER: &str = r#"[package]
name = "embed"
edition = "2024"
publish = false

[dependencies]
anyhow = "1"
tokio = { version = "1.54", features = ["macros", "rt-multi-thread"] }
tuckaway-host = "0.1"
"#;

/// Returns the sections of a workspace's manifest that say how dependencies are compiled. Sections
/// for its own packages are omitted: outside, these are only compiled, faster without optimisation.
fn development_profile(manifest: &str) -> String {
    let mut inside = false;
    let mut profile = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.starts_with("[profile.dev") && !line.starts_with("[profile.dev.package.tuckaway");
        }
        if inside {
            profile += line;
            profile.push('\n');
        }
    }
    profile
}

/// Returns the files of a directory with this extension.
fn files(directory: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory)? {
            paths.push(entry?.path());
        }
        Ok(paths)
    };
    let mut paths = read().with_context(|| format!("reading {}", directory.display()))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_development_profile_is_copied() {
        let manifest = "[package]\nname = \"x\"\n\n[profile.component]\nlto = true\n\n[profile.dev]\ndebug = 1\n\n\
                        [profile.dev.package.tuckaway]\nopt-level = 2\n\n\
                        [profile.dev.package.\"*\"]\ndebug = false\n\n[lints]\nworkspace = true\n";
        let profile = development_profile(manifest);
        assert!(profile.contains("debug = 1") && profile.contains("debug = false"), "{profile}");
        let others = ["lto", "workspace", "opt-level"];
        assert!(others.iter().all(|other| !profile.contains(other)), "{profile}");
    }

    #[test]
    fn unpublished_packages_are_marked() {
        for (package, folder) in UNPUBLISHED {
            let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).unwrap();
            assert!(manifest.contains("publish = false"), "{package}");
            assert!(manifest.contains(&format!("name = \"{package}\"")), "{package}");
        }
    }
}
