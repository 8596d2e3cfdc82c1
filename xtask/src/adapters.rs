//! `cargo xtask adapters`: the engine as core modules, for hosts without the component model, and
//! the tests that load them into such hosts.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload};
use xtask::component::{self, Library, Variant};
use xtask::install;

use crate::budget::{grouped, installing};
use crate::{javascript, shell, workspace};

/// A module, and its permitted imports.
struct Adapter {
    /// The file in `target/`.
    file: &'static str,
    library: Library,
    /// A module whose functions it may import. Extism has many, and a plugin uses some.
    runtime: Option<&'static str>,
    /// The other functions that it imports, as `module.name`.
    imports: &'static [&'static str],
}

const ADAPTERS: [Adapter; 3] = [
    Adapter {
        file: "tuckaway-core.wasm",
        library: Library { package: "tuckaway-core", features: "" },
        runtime: None,
        imports: &["tuckaway.store", "tuckaway.tokens"],
    },
    Adapter {
        file: "tuckaway-extism.wasm",
        library: Library { package: "tuckaway-extism", features: "" },
        runtime: Some(EXTISM),
        imports: &[],
    },
    Adapter {
        file: "tuckaway-extism-host.wasm",
        library: Library { package: "tuckaway-extism", features: "host-functions" },
        runtime: Some(EXTISM),
        imports: &["extism:host/user.store", "extism:host/user.tokens"],
    },
];

const EXTISM: &str = "extism:host/env";

/// Builds all modules into `target/`, checks their imports, and returns their packages and files.
pub fn build() -> Result<Vec<(&'static str, PathBuf)>> {
    let options = installing(Variant::Sealed);
    let mut built = Vec::new();
    for adapter in &ADAPTERS {
        let module = component::module(&options, adapter.library)?;
        adapter.check(&imports(&module)?)?;
        let path = workspace().join("target").join(adapter.file);
        component::write_if_changed(&path, &module)?;
        println!("target/{} {:>9} bytes", adapter.file, grouped(module.len() as u64));
        built.push((adapter.library.package, path));
    }
    Ok(built)
}

/// Installs the hosts that the tests use.
pub fn install() -> Result<()> {
    javascript::ensure_node()?;
    install::python(&environment()?, &tests().join("requirements.txt"))?;
    install::node(&node()?, &tests().join("node"))
}

/// Runs the tests with the modules that were built.
pub fn test() -> Result<()> {
    let mut pytest = Command::new(install::python_program(&environment()?, "pytest"));
    pytest.args(["-q", "--rootdir=.", "-rs"]).current_dir(tests());
    shell::succeed(pytest.env("TUCKAWAY_NODE_HOST", script("host.mjs")?))?;
    let mut tests = Command::new("node");
    tests.arg("--test").arg(script("extism.test.mjs")?).env("TUCKAWAY_TARGET", workspace().join("target"));
    shell::succeed(&mut tests)
}

/// Copies a script to the packages of Node, which are found only next to it, and returns its path.
fn script(name: &str) -> Result<PathBuf> {
    let path = node()?.join(name);
    fs::copy(tests().join("node").join(name), &path)
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// Installs, builds and tests.
pub fn run() -> Result<()> {
    build()?;
    install()?;
    test()
}

fn tests() -> PathBuf {
    workspace().join("adapters/test")
}

fn environment() -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("adapters/python"))
}

fn node() -> Result<PathBuf> {
    Ok(shell::target_dir()?.join("adapters/node"))
}

impl Adapter {
    /// Refuses imports that the adapter does not permit.
    fn check(&self, imports: &BTreeSet<String>) -> Result<()> {
        let is_runtime = |import: &str| {
            let rest = self.runtime.and_then(|runtime| import.strip_prefix(runtime));
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let others: Vec<&str> = imports.iter().map(String::as_str).filter(|name| !is_runtime(name)).collect();
        if others != self.imports {
            bail!("{} imports [{}], not [{}]", self.file, others.join(", "), self.imports.join(", "));
        }
        Ok(())
    }
}

/// Returns the imports of a module, as `module.name`.
fn imports(module: &[u8]) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::ImportSection(section) = payload.context("reading the module back")? {
            for import in section.into_imports() {
                let import = import?;
                names.insert(format!("{}.{}", import.module, import.name));
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn only_the_named_imports_are_accepted() {
        let [core, plugin, host] = &ADAPTERS;
        core.check(&set(&["tuckaway.store", "tuckaway.tokens"])).unwrap();
        assert!(core.check(&set(&["tuckaway.store"])).is_err());
        assert!(core.check(&set(&["tuckaway.store", "tuckaway.tokens", "env.now"])).is_err());
        plugin.check(&set(&["extism:host/env.alloc"])).unwrap();
        assert!(plugin.check(&set(&["extism:host/user.store"])).is_err());
        assert!(plugin.check(&set(&["extism:host/environment.alloc"])).is_err());
        host.check(&set(&["extism:host/env.free", "extism:host/user.store", "extism:host/user.tokens"]))
            .unwrap();
    }

    #[test]
    fn imports_are_read_back() {
        let module = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01m\x01f\0\0";
        assert_eq!(imports(module).unwrap(), set(&["m.f"]));
        assert!(imports(b"\0asm").is_err());
    }
}
