//! A store and a token counter over WASI, as a component that is composed with the engine: the result
//! imports nothing of ours, so any host with these interfaces of WASI runs it.
//!
//! The feature `filesystem` stores in a directory (`tuckaway-filesystem.wasm`), the feature `keyvalue`
//! in a bucket (`tuckaway-keyvalue.wasm`); a build has one of them. Tokens are estimated.
//!
//! ```text
//! settings (variables) ─┐
//! files or bucket ──────┴─► the store ─► exports
//! ```
//!
//! `docs/plugin-hosts.md` describes the variables.
#![cfg(target_os = "wasi")]

mod bindings;
mod settings;

#[cfg(feature = "keyvalue")]
mod bucket;
#[cfg(feature = "filesystem")]
mod files;

mod exports;
