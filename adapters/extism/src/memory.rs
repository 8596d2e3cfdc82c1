//! A store in the plugin's memory, and estimated tokens.
#![allow(unsafe_code)]

use extism_pdk::{config, input_bytes};
use serde::Deserialize;
use tuckaway::{CountTokens, Engine, Error, Store};
use tuckaway_flat::{MemoryStore, respond};

use crate::output::output;

/// The setting of Extism that bounds the store.
const MAX_BYTES: &str = "max_bytes";
/// Its default.
const DEFAULT_MAX_BYTES: u64 = 256 << 20;

thread_local! {
    static STORE: MemoryStore = MemoryStore::new(max_bytes());
}

fn max_bytes() -> u64 {
    let set = config::get(MAX_BYTES).ok().flatten();
    set.and_then(|bytes| bytes.parse().ok()).unwrap_or(DEFAULT_MAX_BYTES)
}

struct Estimate;

impl CountTokens for Estimate {
    fn count(&self, text: &str) -> Result<u64, String> {
        Ok(tuckaway_text::tokens::estimate(text))
    }
}

/// Passes the engine over this store.
pub fn with_engine<T>(ask: impl FnOnce(&Engine<'_>) -> T) -> T {
    STORE.with(|store| ask(&Engine::new(store, &Estimate)))
}

/// Removes an artifact: `{"id"}`. Hosts with their own store delete from the store instead.
#[unsafe(no_mangle)]
pub extern "C" fn delete() -> i32 {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        id: String,
    }
    let deleted = serde_json::from_slice(&input_bytes())
        .map_err(|error| Error::invalid(format!("The arguments are malformed: {error}.")))
        .and_then(|Arguments { id }| {
            STORE
                .with(|store| store.delete(&id))
                .map_err(|error| error.into_error("deleting an artifact", &id))
        });
    output(&respond(deleted.map(|()| serde_json::Value::Null)))
}
