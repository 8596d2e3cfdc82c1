//! The MCP proxy between servers and clients that misbehave, each in its own way.
//!
//! The servers are processes of `mcp_server`; the client writes raw lines into a pipe in
//! memory.

mod clients;
mod http;
mod inputs;
mod offload;
mod revisions;
mod servers;
mod several;
mod support;
mod surface;
