//! The engine as a core module of WebAssembly: `tuckaway-core.wasm`, for hosts without the component
//! model. It exports `alloc`, `free` and `call`, and imports `store` and `tokens` from the module
//! `tuckaway`.
//!
//! Every buffer that crosses the border is made by `alloc` and known to [`Buffers`]. An address is
//! only looked up, never dereferenced, so a host that passes a wrong one gets an error.
//!
//! The only unsafe code is the attributes that name exports and imports.

mod buffers;

#[cfg(target_family = "wasm")]
mod exports;

pub use buffers::Buffers;
