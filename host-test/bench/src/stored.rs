//! Documents in a store, for the benches of jq.

use anyhow::Result;
use tuckaway_host::{MemoryStore, Store};

/// Stores a JSON document. Returns its id.
pub async fn sealed(store: &MemoryStore, content: &[u8]) -> Result<String> {
    let failed = |error| anyhow::anyhow!("{error:?}");
    let id = store.create("bench", "application/json").await.map_err(failed)?;
    store.append(&id, content.to_vec()).await.map_err(failed)?;
    Ok(store.seal(&id, 1).await.map_err(failed)?.id)
}
