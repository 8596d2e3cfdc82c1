//! The engine as functions by name, for hosts that load core modules of WebAssembly: arguments
//! and results are JSON, and two functions over bytes take the place of the store and the token
//! counter.
//!
//! ```text
//! name, JSON ─► arguments ─► Engine ─► {"ok": …} or {"error": …}
//!                              │
//!                              ├─► LinkedStore ─► bytes ─► the host
//!                              └─► LinkedTokens ─► bytes ─► the host
//! ```
//!
//! `docs/plugin-hosts.md` describes the JSON and the bytes.
#![forbid(unsafe_code)]

mod content;

mod arguments;

mod answer;

mod link;

mod memory;

pub use answer::{answer, respond};
pub use arguments::call;
pub use link::{Link, LinkedStore, LinkedTokens};
pub use memory::MemoryStore;

/// Passes the names of all functions to a macro.
#[macro_export]
macro_rules! functions {
    ($with:ident) => {
        $with! {
            default_policy, decide, process, process_turn, infer_shape, truncate,
            read, grep, grep_all, jq, list_artifacts, definitions, call,
            cache_view, unreferenced, should_compact, budget_preset, check_budget, read_refusal, plan,
            detect_format, read_usage, start_history, step_history,
            extraction_config, parse_extraction_call, estimate_extraction, start_extraction, step_extraction
        }
    };
}
