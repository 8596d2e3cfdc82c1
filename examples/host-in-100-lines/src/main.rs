//! Runs `tuckaway.wasm` in wasmtime, with a store in a `HashMap` and nothing of tuckaway's own host: it
//! shows a model's view of a file, and the lines that `artifact_grep` finds in it.
//!
//! ```text
//! cargo xtask component
//! cargo run --package host-in-100-lines -- target/tuckaway.wasm FILE PATTERN
//! ```
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use exports::tuckaway::context::offload::{Block, Content, ToolOutput, Turn};
use exports::tuckaway::context::types::{ArtifactTool, Dialect};
use tuckaway::context::store::{Artifact, StoreError};
use wasmtime::component::{Component, HasSelf, Linker};

wasmtime::component::bindgen!({ world: "engine", path: "../../wit" });

/// The store of one session: artifacts with their content. Those without metadata are not sealed.
#[derive(Default)]
struct Host {
    artifacts: HashMap<String, (Artifact, Vec<u8>, bool)>,
    order: Vec<String>,
}

impl Host {
    fn find(&mut self, id: &str, sealed: bool) -> Result<&mut (Artifact, Vec<u8>, bool), StoreError> {
        self.artifacts
            .get_mut(id)
            .filter(|(_, _, is_sealed)| *is_sealed == sealed)
            .ok_or(StoreError::NotFound)
    }
}

impl tuckaway::context::store::Host for Host {
    fn create(&mut self, tool: String, media_type: String) -> Result<String, StoreError> {
        let id = format!("art_{:016x}", RandomState::new().hash_one(&tool));
        let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let artifact =
            Artifact { id: id.clone(), tool, media_type, size_bytes: 0, line_count: 0, created_at };
        self.artifacts.insert(id.clone(), (artifact, Vec::new(), false));
        Ok(id)
    }

    fn append(&mut self, id: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.find(&id, false)?.1.extend(bytes);
        Ok(())
    }

    fn seal(&mut self, id: String, line_count: u64) -> Result<Artifact, StoreError> {
        let (artifact, content, is_sealed) = self.find(&id, false)?;
        *is_sealed = true;
        artifact.size_bytes = content.len() as u64;
        artifact.line_count = line_count;
        let sealed = artifact.clone();
        self.order.push(id);
        Ok(sealed)
    }

    fn stat(&mut self, id: String) -> Result<Artifact, StoreError> {
        Ok(self.find(&id, true)?.0.clone())
    }

    fn read(&mut self, id: String, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let content = &self.find(&id, true)?.1;
        let start = content.len().min(usize::try_from(offset).unwrap_or(usize::MAX));
        let end = content.len().min(start.saturating_add(length as usize));
        Ok(content[start..end].to_vec())
    }

    fn list_artifacts(&mut self) -> Result<Vec<Artifact>, StoreError> {
        Ok(self.order.iter().map(|id| self.artifacts[id].0.clone()).collect())
    }

    fn delete(&mut self, id: String) -> Result<(), StoreError> {
        self.order.retain(|kept| *kept != id);
        self.artifacts.remove(&id).map(drop).ok_or(StoreError::NotFound)
    }
}

impl tuckaway::context::tokens::Host for Host {
    fn count(&mut self, text: String) -> Result<u64, String> {
        Ok(text.len().div_ceil(4) as u64)
    }
}

fn main() -> wasmtime::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [component, file, pattern] = &arguments[..] else {
        return Err(wasmtime::Error::msg("Pass the paths of tuckaway.wasm and of a file, and a pattern."));
    };
    let wasm = wasmtime::Engine::default();
    let component = Component::from_file(&wasm, component)?;
    let mut linker = Linker::new(&wasm);
    Engine::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut Host| host)?;
    let mut store = wasmtime::Store::new(&wasm, Host::default());
    let engine = Engine::instantiate(&mut store, &component, &linker)?;

    let block = Block { content: Content::Bytes(fs::read(file)?), media_type: None };
    let output = ToolOutput { tool: "fetch".into(), is_error: false, blocks: vec![block], structured: None };
    let tools = vec![ArtifactTool::Read, ArtifactTool::Grep, ArtifactTool::Jq];
    let turn = Turn { context_window: 128_000, used_tokens: 0, tools };
    let policy = engine.tuckaway_context_offload().call_default_policy(&mut store, Dialect::Artifact)?;
    let view = engine.tuckaway_context_offload().call_process(&mut store, &output, &turn, &policy)?;
    let view = view.map_err(|error| wasmtime::Error::msg(error.message))?;
    println!("{}", view.text);
    for artifact in &view.artifacts {
        let arguments = serde_json::json!({ "artifact_id": artifact.id, "pattern": pattern }).to_string();
        let reply =
            engine.tuckaway_context_tools().call_call(&mut store, "artifact_grep", &arguments, None)?;
        println!("{}", reply.map_err(|error| wasmtime::Error::msg(error.message))?.text);
    }
    Ok(())
}
