//! The components for hosts with nothing but WASI, in wasmtime's own implementations of it.
//!
//! The first test that needs a component builds it from `target/tuckaway.wasm`, which must exist.

mod cases;
mod contract;
mod directory;
mod torn;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

use tokio::runtime::Runtime;
use tuckaway_host_test::composed::{AdapterStore, Home, Program, Setup};
use xtask::component::{Composed, read_imports};

/// The package of the key-value interface.
const KEYVALUE: &str = "wasi:keyvalue/store@0.2.0-draft";

/// Returns the component and the adapter of a home, which are built once.
fn built(home: Home) -> &'static Composed {
    static BUILT: [OnceLock<Composed>; 2] = [OnceLock::new(), OnceLock::new()];
    BUILT[home as usize].get_or_init(|| Program::build(home).expect("the adapter of the home"))
}

/// Returns the adapter of a home.
fn adapter(home: Home) -> Program {
    static LOADED: [OnceLock<Program>; 2] = [OnceLock::new(), OnceLock::new()];
    let loaded = LOADED[home as usize]
        .get_or_init(|| Program::load(&built(home).adapter, false).expect("a component"));
    loaded.clone()
}

async fn store(home: Home, setup: Setup) -> AdapterStore {
    AdapterStore::new(&adapter(home), setup, None).await.expect("an instance")
}

fn run<T>(test: impl Future<Output = T>) -> T {
    Runtime::new().expect("a runtime").block_on(test)
}

/// A directory that is removed at the end of a test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("tuckaway-wasi-{}-{number}", process::id()));
        fs::create_dir_all(&path).expect("a directory for temporary files");
        Temporary(path)
    }

    fn setup(&self) -> Setup {
        Setup { directory: Some(self.0.clone()), ..Setup::default() }
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_composed_component_imports_nothing_of_ours() {
    for home in Home::ALL {
        let imports = read_imports(&built(home).component).unwrap();
        let names: Vec<&str> = imports.iter().map(|import| &*import.name).collect();
        assert!(names.iter().all(|name| name.starts_with("wasi:")), "{home:?}: {names:?}");
        let without_version = |name: &&str| name.split('@').next().map(str::to_owned);
        let interfaces: Vec<String> = names.iter().filter_map(without_version).collect();
        assert!(interfaces.iter().all(|name| !name.starts_with("wasi:sockets/")), "{home:?}: {names:?}");
        assert!(interfaces.iter().all(|name| !name.starts_with("wasi:http/")), "{home:?}: {names:?}");
        assert_eq!(names.contains(&KEYVALUE), home == Home::KeyValue, "{names:?}");
        assert!(interfaces.iter().any(|name| name == "wasi:clocks/wall-clock"), "{names:?}");
    }
}
