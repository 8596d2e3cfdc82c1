//! `tuckaway hook run`: answers a client that is about to run a shell command.

use std::env;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value, json};
use tuckaway_mcp::install::HookClient;

use super::rules::Rules;
use super::wrap::{self, Wrappable};
use crate::exit::{Failure, Outcome};
use crate::print;

/// The maximum size of a call.
const MAX_CALL: u64 = 16 << 20;

/// Reads a call from standard input and prints the answer; prints nothing if the command is not
/// changed. A failure does not keep the client from running the command.
pub fn run(client: &HookClient) -> Outcome {
    let mut call = Vec::new();
    let read = io::stdin().lock().take(MAX_CALL).read_to_end(&mut call);
    read.map_err(|error| Failure::new(format!("cannot read the call from standard input: {error}")))?;
    // On Windows, clients run commands in other shells.
    if cfg!(windows) || env::var_os("TUCKAWAY_HOOK").is_some_and(|value| value == "off") {
        return Ok(0);
    }
    let call: Value = serde_json::from_slice(&call).map_err(|error| {
        Failure::new(format!(
            "the call is invalid: {error}; {} passes it as JSON to this command",
            client.title
        ))
    })?;
    match changed(client, &call) {
        Some(answer) => print::json(&answer),
        None => Ok(0),
    }
}

/// Returns the answer to a call; `None` if the command is not changed.
fn changed(client: &HookClient, call: &Value) -> Option<Value> {
    let input = call["tool_input"].as_object().filter(|_| call["tool_name"] == client.tool)?;
    let is_background =
        ["run_in_background", "is_background"].into_iter().any(|key| input.get(key) == Some(&true.into()));
    let command =
        Wrappable::of(input.get("command")?.as_str()?, wrap::is_in_path).filter(|_| !is_background)?;
    let directory = call["cwd"].as_str().unwrap_or(".");
    let rules = Rules::of(client.id, Path::new(directory));
    // Claude Code would ask for a wrapped command that it runs without asking.
    let is_claude = client.id == "claude-code";
    let asks = is_claude && call["permission_mode"] != "bypassPermissions";
    if rules.restrict(&command.commands) || (asks && !rules.allow(&command.commands)) {
        return None;
    }
    let wrapped = command.wrap(&own(), &wrap::shell_of(client.id, env::var("SHELL").ok()));
    let mut input = input.clone();
    input.insert("command".to_owned(), wrapped.into());
    Some(answer(client, input, asks))
}

/// Returns the program that the client started, as a command in any directory starts it.
fn own() -> String {
    let own = env::args().next().unwrap_or_else(|| "tuckaway".to_owned());
    match Path::new(&own).components().count() > 1 {
        true => std::path::absolute(&own).map_or(own, |path| path.to_string_lossy().into_owned()),
        false => own,
    }
}

/// Returns a changed call in the form of a client. Claude Code runs it without asking if `allow`
/// is set; Codex accepts a changed call only with this word, and applies its own rules to it.
fn answer(client: &HookClient, input: Map<String, Value>, allow: bool) -> Value {
    match client.id {
        "claude-code" if !allow => {
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": input}})
        }
        "claude-code" | "codex" => json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
        }}),
        "gemini" => json!({"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": input}}),
        _ => json!({"tool_input": input}),
    }
}
