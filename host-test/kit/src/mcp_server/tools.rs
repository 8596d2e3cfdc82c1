//! The server's actions in a call, by the name of the tool.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::sample::{rows, structured};
use super::{Server, lock};

/// The tools that are listed. Those of `--tools` and all others echo.
pub const TOOLS: [&str; 33] = [
    "echo",
    "progress",
    "structured",
    "big_structured",
    "error",
    "failure",
    "huge_failure",
    "image",
    "link",
    "news",
    "remove",
    "ask",
    "task",
    "slow",
    "big",
    "big_error",
    "received",
    "pid",
    "garbage",
    "unknown_id",
    "twice",
    "half",
    "half_exit",
    "silent",
    "exit",
    "invalid_utf8",
    "surrogate",
    "stderr",
    "deep",
    "batch",
    "not_object",
    "null_result",
    "no_result",
];

/// A pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A row in JSON.
const ROW: &[u8] = b"a row of a result that is far too large for anyone\\n";
/// Rows that are written at once.
const ROWS: usize = 2_000;

fn text(text: impl Into<String>) -> Value {
    json!({ "content": [{ "type": "text", "text": text.into() }] })
}

fn number(arguments: &Value, name: &str, default: u64) -> u64 {
    arguments[name].as_u64().unwrap_or(default)
}

impl Server {
    pub(super) fn call(self: &Arc<Self>, id: Value, params: Value) {
        let waits = ["progress", "ask", "slow", "half", "half_exit"];
        if waits.contains(&params["name"].as_str().unwrap_or_default()) {
            let server = Arc::clone(self);
            thread::spawn(move || server.wait(&id, &params));
            return;
        }
        let arguments = &params["arguments"];
        match params["name"].as_str().unwrap_or_default() {
            "structured" => self.answer(&id, structured(3)),
            "big_structured" => self.answer(&id, structured(number(arguments, "rows", 20_000))),
            "error" => {
                let mut result = text("it did not work");
                result["isError"] = true.into();
                self.answer(&id, result);
            }
            "big_error" => {
                let mut result = text(rows(1 << 20));
                result["isError"] = true.into();
                self.answer(&id, result);
            }
            "failure" => self.refuse(&id, -32042, "refused on purpose"),
            "huge_failure" => self.refuse(&id, -32042, &"a long story ".repeat(1 << 17)),
            "image" => {
                let image = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
                self.answer(&id, json!({ "content": [image, { "type": "text", "text": rows(1 << 20) }] }));
            }
            "link" => {
                let link = json!({ "type": "resource_link", "uri": "test://small", "name": "small" });
                self.answer(&id, json!({ "content": [link] }));
            }
            "news" => {
                self.notify("notifications/tools/list_changed", json!({}));
                self.answer(&id, text("told"));
            }
            "remove" => {
                let name = arguments["name"].as_str().unwrap_or_default().to_owned();
                lock(&self.removed).push(name);
                self.notify("notifications/tools/list_changed", json!({}));
                self.answer(&id, text("removed"));
            }
            "task" => self.answer(&id, self.task()),
            "big" => self.big(&id, number(arguments, "bytes", 1 << 20)),
            "received" => self.answer(&id, text(Value::Array(lock(&self.received).clone()).to_string())),
            "pid" => self.answer(&id, text(process::id().to_string())),
            name => self.misbehave(name, &id, arguments),
        }
    }

    /// Misbehaves as the tool's name says; echoes for any other name.
    fn misbehave(&self, name: &str, id: &Value, arguments: &Value) {
        let whole = |result: &Value| json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
        match name {
            "garbage" => {
                self.output.line("DEBUG: calling the database…");
                self.output.line("{\"oops\":");
                self.output.line("[]");
                self.output.line("{}");
                self.output.line("null");
                self.output.line("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}");
                self.output.bytes(&[b"\x00\x01\xff\xfe\x1b[2J\n\r\n"]);
                self.answer(id, text("after garbage"));
            }
            "unknown_id" => {
                self.answer(&json!(987_654_321), text("whose?"));
                self.answer(&json!("a text"), text("whose?"));
                self.answer(id, text("mine"));
            }
            "twice" => {
                self.answer(id, text("first"));
                self.answer(id, text("second"));
            }
            "silent" => {}
            "exit" => process::exit(7),
            "invalid_utf8" => {
                let line = whole(&text("caf@"));
                let (head, tail) = line.split_once('@').unwrap_or_default();
                self.output.bytes(&[head.as_bytes(), b"\xe9", tail.as_bytes(), b"\n"]);
            }
            "surrogate" => self.output.line(&whole(&text("cut @")).replace('@', "\\ud83d")),
            "stderr" => {
                let line = "noise ".repeat(200);
                let mut errors = io::stderr().lock();
                for _ in 0..number(arguments, "bytes", 10 << 20) / line.len() as u64 {
                    // Nobody has to read it.
                    let _ = writeln!(errors, "{line}");
                }
                self.answer(id, text("said a lot"));
            }
            "deep" => {
                let levels = usize::try_from(number(arguments, "levels", 100_000)).unwrap_or(usize::MAX);
                let (open, close) = ("[".repeat(levels), "]".repeat(levels));
                let head = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[],\"x\":");
                self.output.line(&format!("{head}{open}{close}}}}}"));
            }
            "batch" => {
                let note = json!({
                    "jsonrpc": "2.0", "method": "notifications/message",
                    "params": { "level": "info", "data": "in a batch" }
                });
                self.output.line(&format!("[{note},{}]", whole(&text("batched"))));
            }
            "not_object" => self.output.line(&whole(&json!(["not", "an", "object"]))),
            "null_result" => self.output.line(&whole(&Value::Null)),
            "no_result" => self.output.line(&json!({ "jsonrpc": "2.0", "id": id }).to_string()),
            _ => self.answer(id, text(arguments["text"].as_str().unwrap_or("echo"))),
        }
    }

    /// Runs the slow tools.
    fn wait(&self, id: &Value, params: &Value) {
        let arguments = &params["arguments"];
        match params["name"].as_str().unwrap_or_default() {
            "progress" => {
                let token = &params["_meta"]["progressToken"];
                for step in 1..=number(arguments, "steps", 3) {
                    let params = json!({ "progressToken": token, "progress": step, "message": "working" });
                    self.notify("notifications/progress", params);
                }
                self.answer(id, text("done"));
            }
            "slow" => {
                thread::sleep(Duration::from_millis(number(arguments, "ms", 300)));
                self.answer(id, text("at last"));
            }
            "ask" if self.is_modern => self.require(id, params),
            "ask" => {
                let method = arguments["method"].as_str().unwrap_or("ping");
                let answer = self.ask(method, arguments["params"].clone());
                self.answer(id, text(answer.to_string()));
            }
            name => {
                let result = json!({ "jsonrpc": "2.0", "id": id, "result": text("in two halves") });
                let line = format!("{result}\n");
                let (head, tail) = line.split_at(line.len() / 2);
                self.output.write(|out| {
                    out.write_all(head.as_bytes())?;
                    out.flush()?;
                    thread::sleep(Duration::from_millis(200));
                    if name == "half_exit" {
                        process::exit(5);
                    }
                    out.write_all(tail.as_bytes())
                });
            }
        }
    }

    /// Requires an input of the client (revision 2026-07-28), and answers with the input.
    fn require(&self, id: &Value, params: &Value) {
        if params["requestState"] == "asked" {
            return self.answer(id, text(params["inputResponses"].to_string()));
        }
        let arguments = &params["arguments"];
        let asked = json!({
            "method": arguments["method"].as_str().unwrap_or("roots/list"), "params": arguments["params"]
        });
        self.answer(
            id,
            json!({
                "resultType": "input_required", "inputRequests": { "first": asked }, "requestState": "asked"
            }),
        );
    }

    fn task(&self) -> Value {
        let (created, updated) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
        match self.is_modern {
            true => json!({
                "resultType": "task", "taskId": "task-1", "status": "working", "createdAt": created,
                "lastUpdatedAt": updated, "ttlMs": 60_000
            }),
            false => json!({ "task": {
                "taskId": "task-1", "status": "working", "createdAt": created, "lastUpdatedAt": updated,
                "ttl": 60_000
            } }),
        }
    }

    /// Answers with a text of this many bytes, which is never in memory as a whole.
    fn big(&self, id: &Value, bytes: u64) {
        let part = ROW.repeat(ROWS);
        let end = if self.is_modern { "\"}],\"resultType\":\"complete\"}}\n" } else { "\"}]}}\n" };
        self.output.write(|out| {
            write!(out, "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[")?;
            write!(out, "{{\"type\":\"text\",\"text\":\"")?;
            let mut left = bytes / ROW.len() as u64;
            while left > 0 {
                let rows = left.min(ROWS as u64);
                out.write_all(&part[..ROW.len() * usize::try_from(rows).unwrap_or(ROWS)])?;
                left -= rows;
            }
            out.write_all(end.as_bytes())
        });
    }
}
