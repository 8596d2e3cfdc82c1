//! The start of a session of an MCP client with `mcp proxy`, which starts the command a second time as its
//! server.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::launcher::Launcher;

/// The first start of a package may unpack it.
const LIMIT: Duration = Duration::from_secs(120);

/// Sends `initialize` and `tools/list`, and checks the replies.
pub fn run(launcher: &Launcher) -> Result<()> {
    let mut command = launcher.command(&["mcp", "proxy", "--"])?;
    command.args(&launcher.words).args(["mcp", "serve"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("starting the proxy")?;
    let checked = converse(&mut child);
    if checked.is_err() {
        // It may already have ended.
        let _ = child.kill();
    }
    // The end of its input ends the proxy.
    drop(child.stdin.take());
    let status = child.wait().context("waiting for the proxy")?;
    checked?;
    ensure!(status.success(), "the proxy failed ({status})");
    Ok(())
}

fn converse(child: &mut Child) -> Result<()> {
    let replies = replies(child)?;
    let mut input = child.stdin.as_ref().context("the proxy has no input")?;
    let mut send = |message: Value| writeln!(input, "{message}").context("writing to the proxy");
    send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "verify", "version": "1"},
    }}))?;
    let initialized = reply(&replies, 1)?;
    let server = &initialized["result"]["serverInfo"]["name"];
    ensure!(server.is_string(), "initialize got {initialized}");
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))?;
    let listed = reply(&replies, 2)?;
    let tools = listed["result"]["tools"].as_array().into_iter().flatten();
    let names: Vec<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    for tool in ["artifact_read", "artifact_grep", "artifact_jq"] {
        ensure!(names.iter().any(|name| name.starts_with(tool)), "tools/list has no {tool}: {listed}");
    }
    Ok(())
}

/// Reads the lines of the proxy on a thread, so that waiting for one has a limit.
fn replies(child: &mut Child) -> Result<Receiver<String>> {
    let output = child.stdout.take().context("the proxy has no output")?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

/// Returns the reply with this id; other messages are notifications.
fn reply(replies: &Receiver<String>, id: u64) -> Result<Value> {
    loop {
        let line =
            replies.recv_timeout(LIMIT).with_context(|| format!("the proxy did not answer request {id}"))?;
        let message: Value =
            serde_json::from_str(&line).with_context(|| format!("the proxy wrote {line:?}"))?;
        if message["id"] == id {
            return Ok(message);
        }
    }
}
