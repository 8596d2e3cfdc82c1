//! The store and the token counter of the host.
#![allow(unsafe_code)]

use extism_pdk::Memory;
use tuckaway::Engine;
use tuckaway_flat::{Link, LinkedStore, LinkedTokens};

/// Passes the engine over the host's functions.
pub fn with_engine<T>(ask: impl FnOnce(&Engine<'_>) -> T) -> T {
    ask(&Engine::new(&LinkedStore(Host), &LinkedTokens(Host)))
}

struct Host;

impl Link for Host {
    fn store(&self, request: &[u8]) -> Vec<u8> {
        exchange(request, imports::store)
    }

    fn tokens(&self, text: &[u8]) -> Vec<u8> {
        exchange(text, imports::tokens)
    }
}

mod imports {
    #[link(wasm_import_module = "extism:host/user")]
    unsafe extern "C" {
        /// Takes a request and returns the answer: both are blocks of Extism's memory.
        pub safe fn store(request: u64) -> u64;
        /// Like `store`, with a text as the request.
        pub safe fn tokens(text: u64) -> u64;
    }
}

/// Passes a request to the host and returns its answer, which is empty if the host gives none. Both
/// blocks are freed.
fn exchange(request: &[u8], host: extern "C" fn(u64) -> u64) -> Vec<u8> {
    let Ok(memory) = Memory::from_bytes(request) else { return Vec::new() };
    let answered = Memory::find(host(memory.offset()));
    memory.free();
    answered.map_or_else(Vec::new, |answered| {
        let bytes = answered.to_vec();
        answered.free();
        bytes
    })
}
