//! Tests with a real engine over a store in memory.

mod arguments;
mod artifacts;
mod clients;
mod contents;
mod filter;
mod hostile;
mod media;
mod results;
mod tools;

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::runtime::Handle;
use tuckaway_host::store::Opens;
use tuckaway_host::{Artifact, Dialect, MemoryStore, Policy, Store, StoreError, Tuckaway, async_trait};

use super::{ClientAbilities, ReduceSettings, Reducer};

const LINKS: ClientAbilities =
    ClientAbilities { resource_links: true, structured_content: true, audio: true, ..ClientAbilities::NONE };
const NO_LINKS: ClientAbilities = ClientAbilities::NONE;

/// A reducer and its store.
struct Fixture {
    reducer: Reducer,
    store: MemoryStore,
}

impl Fixture {
    fn new() -> Self {
        Fixture::with(ReduceSettings::default())
    }

    fn with(settings: ReduceSettings) -> Self {
        let store = MemoryStore::new();
        let tuckaway = Tuckaway::builder().store(store.clone()).build().unwrap();
        Fixture { reducer: Reducer::new(tuckaway, Handle::current(), settings), store }
    }

    fn with_dialect(dialect: Dialect) -> Self {
        let defaults = ReduceSettings::default();
        let policy = Policy {
            max_output_tokens: Some(10_000),
            headroom_percentage: 1.0,
            ..Policy::for_dialect(dialect)
        };
        Fixture::with(ReduceSettings { policy, ..defaults })
    }

    async fn artifacts(&self) -> Vec<Artifact> {
        self.store.list_artifacts().await.unwrap()
    }

    /// Returns all bytes of the artifact with this index.
    async fn stored(&self, index: usize) -> Vec<u8> {
        let artifact = &self.artifacts().await[index];
        self.store.read(&artifact.id, 0, u32::MAX).await.unwrap()
    }

    /// Stores bytes and returns their id.
    async fn put(&self, bytes: &[u8]) -> String {
        self.put_as("text/plain", bytes).await
    }

    /// Stores bytes of a media type and returns their id.
    async fn put_as(&self, media_type: &str, bytes: &[u8]) -> String {
        let id = self.store.create("put", media_type).await.unwrap();
        self.store.append(&id, bytes.to_vec()).await.unwrap();
        let lines =
            bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + u64::from(!bytes.ends_with(b"\n"));
        self.store.seal(&id, lines).await.unwrap();
        id
    }
}

/// Returns a text that is too large for any tool.
fn large() -> String {
    (0..20_000).map(|n| format!("row {n} of a table that nobody wants to read whole\n")).collect()
}

/// Returns a text with this number of tokens, as the engine estimates them.
fn words(tokens: usize) -> String {
    "word ".repeat(tokens)
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// A store that refuses every operation, or never answers.
#[derive(Clone, Copy)]
enum Broken {
    Fails,
    Hangs,
}

#[async_trait]
impl Opens for Broken {
    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        match self {
            Broken::Fails => Err(StoreError::Other("the disk is full".to_owned())),
            Broken::Hangs => std::future::pending().await,
        }
    }
}
