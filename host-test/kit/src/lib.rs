//! # Servers and clients for tests
//!
//! Processes and values that tests and benches use alongside tuckaway, all on loopback:
//!
//! | module | contents |
//! |---|---|
//! | [`model_server`] | a model that follows a script, over the APIs of OpenAI and Anthropic |
//! | [`mcp_server`], [`mcp_client`] | a scripted MCP server, and a client that writes raw lines |
//! | [`shell_server`] | an MCP server that is a shell script |
//! | [`object_servers`] | real servers with the API of S3 or Azure, installed on demand |
//! | [`faults`] | a proxy in front of one of them that injects faults |
//! | [`place`], [`known`] | a store at a place given as text, and artifacts whose bytes can be recomputed |
#![forbid(unsafe_code)]

pub mod faults;
pub mod known;
pub mod mcp_client;
pub mod mcp_server;
pub mod model_server;
pub mod object_servers;
pub mod place;
pub mod shell_server;
