//! An MCP server over standard input and output, for tests, which behaves and misbehaves as
//! an option at its start (`Fault`) or the name of the tool in a call (`tools.rs`) says. It
//! knows nothing but lines of JSON, so that it can write what no SDK would.
//!
//! ```text
//! mcp_server [--modern] [--fault FAULT[:FILE]] [--tools NAME,…]
//!
//! stdin ─► line ─► lists.rs, tools.rs ─► Output ─► stdout
//! ```

mod lists;
mod output;
mod sample;
mod tools;

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use output::Output;

/// The revision without `initialize`.
const MODERN: &str = "2026-07-28";

/// A fault of a server as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Fault {
    /// `none`: nothing.
    #[default]
    None,
    /// `exit`: it ends before it reads anything.
    Exit,
    /// `exit-once:FILE`: it does so unless the file exists, which it creates.
    ExitOnce(String),
    /// `mute`: it never answers.
    Mute,
    /// `chatty`: it writes a banner to its output before it answers.
    Chatty,
    /// `cursor`: each page of its tools has the same cursor.
    Cursor,
    /// `endless`: each page of its tools has another cursor.
    Endless,
    /// `orphan`: it keeps running after its input ends.
    Orphan,
    /// `no-list`: it answers no list.
    NoList,
}

impl Fault {
    fn parse(text: &str) -> Result<Fault, String> {
        let (name, detail) = text.split_once(':').unwrap_or((text, ""));
        Ok(match name {
            "none" => Fault::None,
            "exit" => Fault::Exit,
            "exit-once" => Fault::ExitOnce(detail.to_owned()),
            "mute" => Fault::Mute,
            "chatty" => Fault::Chatty,
            "cursor" => Fault::Cursor,
            "endless" => Fault::Endless,
            "orphan" => Fault::Orphan,
            "no-list" => Fault::NoList,
            _ => return Err(format!("no such fault: {text:?}")),
        })
    }
}

/// A server.
struct Server {
    is_modern: bool,
    fault: Fault,
    /// Names of listed tools in addition to the ones in `tools.rs`; each echoes.
    named: Vec<String>,
    output: Output,
    /// All messages so far.
    received: Mutex<Vec<Value>>,
    next: AtomicU64,
    /// Requests of this server: who waits for their answers.
    asked: Mutex<HashMap<String, mpsc::Sender<Value>>>,
    /// Tools that were removed by a call.
    removed: Mutex<Vec<String>>,
}

/// Serves until the input ends.
pub fn serve(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut is_modern, mut fault, mut named) = (false, Fault::None, Vec::new());
    let mut arguments = arguments;
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
        match option.as_str() {
            "--modern" => is_modern = true,
            "--fault" => fault = Fault::parse(&value()?)?,
            "--tools" => named = value()?.split(',').map(str::to_owned).collect(),
            _ => return Err(format!("unknown option {option}")),
        }
    }
    match &fault {
        Fault::Exit => process::exit(3),
        Fault::ExitOnce(file) if fs::metadata(file).is_err() => {
            fs::write(file, "").map_err(|error| error.to_string())?;
            process::exit(3);
        }
        _ => {}
    }
    let server = Arc::new(Server {
        is_modern,
        fault,
        named,
        output: Output::default(),
        received: Mutex::default(),
        next: AtomicU64::new(1),
        asked: Mutex::default(),
        removed: Mutex::default(),
    });
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.map_err(|error| error.to_string())?) else {
            continue;
        };
        server.take(message);
    }
    if server.fault == Fault::Orphan {
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    fn take(self: &Arc<Self>, message: Value) {
        lock(&self.received).push(remembered(&message));
        if self.fault == Fault::Mute {
            return;
        }
        let Some(method) = message["method"].as_str() else {
            let waiting = lock(&self.asked).remove(message["id"].as_str().unwrap_or_default());
            if let Some(waiting) = waiting {
                // It may have given up.
                let _ = waiting.send(message);
            }
            return;
        };
        let Some(id) = message.get("id").cloned() else { return };
        let params = &message["params"];
        match method {
            "initialize" if !self.is_modern => self.introduce(&id, params),
            "server/discover" if self.is_modern => self.answer(&id, self.discovery()),
            "tools/call" => self.call(id, params.clone()),
            "subscriptions/listen" if self.is_modern => self.acknowledge(&id, params),
            "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => {
                self.answer(&id, json!({}));
            }
            _ if self.fault == Fault::NoList => {}
            _ => match self.listed(method, params) {
                Some(result) => self.answer(&id, result),
                None => self.refuse(&id, -32601, "Method not found"),
            },
        }
    }

    fn capabilities() -> Value {
        json!({
            "completions": {}, "logging": {}, "prompts": { "listChanged": true },
            "resources": { "listChanged": true, "subscribe": true },
            "tools": { "listChanged": true }, "tasks": { "requests": { "tools": { "call": {} } } },
        })
    }

    fn introduce(&self, id: &Value, params: &Value) {
        if self.fault == Fault::Chatty {
            self.output.line("Server listening on stdio, version 1.0");
            self.output.line("{\"level\":\"info\",\"message\":\"ready\"}");
            self.output.line("");
        }
        let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
        let wanted = params["protocolVersion"].as_str().unwrap_or_default();
        let version = if known.contains(&wanted) { wanted } else { "2025-11-25" };
        self.answer(
            id,
            json!({
                "protocolVersion": version, "capabilities": Server::capabilities(),
                "serverInfo": { "name": "scripted", "version": "1.0" },
                "instructions": "Call echo.",
            }),
        );
    }

    fn discovery(&self) -> Value {
        json!({
            "supportedVersions": [MODERN], "capabilities": Server::capabilities(),
            "ttlMs": 0, "cacheScope": "private", "instructions": "Call echo.",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "scripted", "version": "1.0" } },
        })
    }

    /// Answers a subscription, which stays open.
    fn acknowledge(&self, id: &Value, params: &Value) {
        let meta = json!({ "io.modelcontextprotocol/subscriptionId": id });
        let params = json!({ "_meta": meta, "notifications": params["notifications"] });
        self.notify("notifications/subscriptions/acknowledged", params);
    }

    /// Sends a request to the client, and waits for its answer.
    fn ask(&self, method: &str, params: Value) -> Value {
        let id = format!("ask-{}", self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, answer) = mpsc::channel();
        lock(&self.asked).insert(id.clone(), sender);
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.output.line(&request.to_string());
        answer.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| json!("no answer"))
    }

    fn notify(&self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.output.line(&message.to_string());
    }

    fn answer(&self, id: &Value, mut result: Value) {
        if self.is_modern && result.get("resultType").is_none() && result.is_object() {
            result["resultType"] = json!("complete");
        }
        self.output.line(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string());
    }

    fn refuse(&self, id: &Value, code: i32, message: &str) {
        let error = json!({ "code": code, "message": message });
        self.output.line(&json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string());
    }
}

/// The maximum number of messages that are remembered, and of bytes in one.
const MAX_REMEMBERED: usize = 10_000;

/// Returns the part of a message that is remembered: without the params if it is large.
fn remembered(message: &Value) -> Value {
    match message.to_string().len() > MAX_REMEMBERED {
        true => json!({ "id": message["id"], "method": message["method"] }),
        false => message.clone(),
    }
}
