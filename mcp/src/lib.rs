//! # tuckaway between an MCP client and its servers
#![forbid(unsafe_code)]

pub mod config;
pub mod document;
pub mod install;
pub mod reduce;
