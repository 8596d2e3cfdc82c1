//! The corpus in every Rust home, properties of the engine, limits, third-party suites, stores
//! under faults, the MCP proxy. One program, so that wasmtime is linked once.

#![forbid(unsafe_code)]

mod blocks;
#[cfg(feature = "wasi")]
mod composed;
mod confusion;
mod deep;
#[cfg(feature = "sandbox")]
mod extraction;
mod histories;
#[cfg(feature = "sandbox")]
mod imports;
mod jq_suite;
mod json_suite;
mod kinds;
mod large;
#[cfg(feature = "sandbox")]
mod large_sandboxed;
#[cfg(feature = "sandbox")]
mod limits;
mod long_line;
#[cfg(feature = "sandbox")]
mod mcp;
mod native;
mod properties;
#[cfg(feature = "sandbox")]
mod sequences;
#[cfg(feature = "sandbox")]
mod stores;
mod token_limits;
mod verdicts;
#[cfg(feature = "sandbox")]
mod wasip2;
#[cfg(feature = "sandbox")]
mod wasmtime;
