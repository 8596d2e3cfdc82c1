//! A composed component as a subject of the cases.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use xtask::component::Home;

use super::{Counted, Program, Setup, stored};
use crate::subject::{Answer, Session, Subject};
use crate::wasi::WasiSession;
use crate::wasi::exports::Exports;
use crate::world::InitialArtifact;
use crate::{Call, World};

/// A composed component.
pub struct Composed {
    runtime: Arc<Runtime>,
    home: Home,
    program: Program,
}

struct ComposedSession {
    inner: WasiSession,
    initial: Vec<InitialArtifact>,
    /// The directory, if the store is in one. It is removed with the session.
    directory: Option<PathBuf>,
}

impl Composed {
    /// Builds and loads the component of a home.
    pub fn build(home: Home) -> anyhow::Result<Self> {
        let program = Program::load(&Program::build(home)?.component, false)?;
        Ok(Composed { runtime: Arc::new(Runtime::new()?), home, program })
    }
}

impl Subject for Composed {
    fn name(&self) -> &str {
        match self.home {
            Home::Filesystem => "wasi:filesystem",
            Home::KeyValue => "wasi:keyvalue",
        }
    }

    fn enter(&self, world: Arc<World>) -> Box<dyn Session> {
        let initial = world.initial();
        let mut setup =
            Setup { counted: Some(Counted::new(self.home == Home::KeyValue)), ..Setup::default() };
        match self.home {
            Home::Filesystem => {
                let directory = new_directory();
                stored::write_files(&directory, &initial).expect("the artifacts of the case");
                setup.directory = Some(directory);
            }
            Home::KeyValue => setup.keys = stored::keys(&initial),
        }
        let directory = setup.directory.clone();
        let made = self.runtime.block_on(self.program.instantiate(setup, None));
        let (instance, mut wasm) = made.expect("an instance");
        let exports = Exports::of(&instance, &mut wasm).expect("the exports of the contract");
        let inner = WasiSession { runtime: Arc::clone(&self.runtime), exports, wasm };
        Box::new(ComposedSession { inner, initial, directory })
    }
}

impl Session for ComposedSession {
    fn call(&mut self, call: &Call) -> Answer {
        self.inner.call(call)
    }

    fn own_store(&mut self) -> Option<Value> {
        if let Some(directory) = &self.directory {
            return Some(stored::read_files(directory, &self.initial));
        }
        // Nothing outside of an instance can read the bucket.
        let listed = self.call(&Call::ListArtifacts).expect("a list");
        let is_new =
            |artifact: &&Value| self.initial.iter().all(|initial| artifact["id"] != initial.artifact.id);
        let shown = listed.as_array().expect("a list").iter().filter(is_new).map(|artifact| {
            let members = ["tool", "media_type", "line_count", "size_bytes"];
            let shown: Map<String, Value> =
                members.into_iter().map(|name| (name.to_owned(), artifact[name].clone())).collect();
            (artifact["id"].as_str().unwrap_or_default().to_owned(), json!(shown))
        });
        Some(Value::Object(shown.collect()))
    }
}

impl Drop for ComposedSession {
    fn drop(&mut self) {
        if let Some(directory) = &self.directory {
            let _ = fs::remove_dir_all(directory);
        }
    }
}

/// Makes an empty directory.
fn new_directory() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory = env::temp_dir().join(format!("tuckaway-composed-{}-{number}", process::id()));
    fs::create_dir_all(&directory).expect("a directory for temporary files");
    directory
}
