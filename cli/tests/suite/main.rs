//! The command line as a process: stdout, stderr, exit status. One module for each subject.

#![forbid(unsafe_code)]

mod dialects;
mod docs;
#[cfg(unix)]
mod exec;
mod extract;
mod grep;
#[cfg(unix)]
mod hook;
mod jq;
mod mcp;
mod mcp_login;
#[cfg(unix)]
mod mcp_proxy;
mod offload;
mod plan;
mod queries;
mod sessions;
mod stats;
mod stores;
#[cfg(target_os = "linux")]
mod terminal;
mod test_dir;
