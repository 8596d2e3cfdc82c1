//! # tuckaway between an MCP client and its servers
#![forbid(unsafe_code)]

pub mod reduce;
