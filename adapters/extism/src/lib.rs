//! The engine as a plugin of Extism. Each function of [`tuckaway_flat`] is a function of the plugin:
//! its input is the arguments as JSON, its output `{"ok": …}` or `{"error": …}`.
//!
//! With the feature `host-functions`, the plugin imports `store` and `tokens`
//! (`tuckaway-extism-host.wasm`). Without it, it imports nothing but Extism: artifacts are in its
//! memory, and tokens are estimated (`tuckaway-extism.wasm`).
//!
//! The only unsafe code is the attributes that name exports and imports.
#![cfg(target_family = "wasm")]

mod output;

mod exports;

#[cfg(feature = "host-functions")]
mod host;
#[cfg(feature = "host-functions")]
use host::with_engine;

#[cfg(not(feature = "host-functions"))]
mod memory;
#[cfg(not(feature = "host-functions"))]
use memory::with_engine;
