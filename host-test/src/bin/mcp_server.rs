//! Serves the scripted MCP server of `tuckaway_test_kit::mcp_server` over standard input and
//! output.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use tuckaway_test_kit::mcp_server;

fn main() -> ExitCode {
    match mcp_server::serve(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("mcp_server: {why}");
            ExitCode::FAILURE
        }
    }
}
