//! The server's lists, in pages.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::sample::rows;
use super::tools::TOOLS;
use super::{Fault, Server, lock};

/// Tools on a page.
const PAGE: usize = 10;

impl Server {
    /// Answers a request for a list or for a listed item.
    pub(super) fn listed(&self, method: &str, params: &Value) -> Option<Value> {
        Some(match method {
            "tools/list" => self.tools(params["cursor"].as_str()),
            "resources/list" => json!({ "resources": [
                { "uri": "test://small", "name": "small" }, { "uri": "test://big", "name": "big" }
            ] }),
            "resources/templates/list" => {
                json!({ "resourceTemplates": [{ "uriTemplate": "test://item/{id}", "name": "item" }] })
            }
            "resources/read" => {
                let uri = params["uri"].as_str().unwrap_or_default();
                let text = if uri.ends_with("big") { rows(1 << 20) } else { format!("contents of {uri}") };
                json!({ "contents": [{ "uri": uri, "mimeType": "text/plain", "text": text }] })
            }
            "prompts/list" => json!({ "prompts": [{ "name": "greeting" }] }),
            "prompts/get" => json!({ "messages": [
                { "role": "user", "content": { "type": "text", "text": format!("prompt {}", params["name"]) } }
            ] }),
            "completion/complete" => json!({ "completion": { "values": ["one", "two"] } }),
            "tasks/get" if self.is_modern => json!({
                "taskId": params["taskId"], "status": "completed", "createdAt": "2026-01-01T00:00:00Z",
                "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": 60_000,
                "result": { "content": [{ "type": "text", "text": rows(1 << 20) }] }
            }),
            "tasks/get" => json!({
                "taskId": params["taskId"], "status": "completed", "createdAt": "2026-01-01T00:00:00Z",
                "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": 60_000
            }),
            "tasks/result" if !self.is_modern => {
                json!({ "content": [{ "type": "text", "text": rows(1 << 20) }] })
            }
            _ => return None,
        })
    }

    fn tools(&self, cursor: Option<&str>) -> Value {
        let removed = lock(&self.removed).clone();
        let own = TOOLS.iter().map(|name| (*name).to_owned()).chain(self.named.iter().cloned());
        let names: Vec<String> = own.filter(|name| !removed.contains(name)).collect();
        let start: usize = match &self.fault {
            Fault::Cursor | Fault::Endless => 0,
            _ => cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or(0),
        };
        let end = (start + PAGE).min(names.len());
        let next = match &self.fault {
            Fault::Cursor => Some("again".to_owned()),
            Fault::Endless => Some(format!("again-{}", self.next.fetch_add(1, Ordering::Relaxed))),
            _ => (end < names.len()).then(|| end.to_string()),
        };
        let mut page =
            json!({ "tools": names[start..end].iter().map(|name| definition(name)).collect::<Vec<_>>() });
        if let Some(next) = next {
            page["nextCursor"] = next.into();
        }
        page
    }
}

fn definition(name: &str) -> Value {
    let mut tool = json!({
        "name": name, "description": format!("Scripted: {name}."),
        "inputSchema": { "type": "object" },
        "x-unknown": { "kept": true },
    });
    if name.contains("strict") {
        tool["description"] = "Echoes a text. It takes nothing else.".into();
        tool["inputSchema"] = json!({
            "type": "object", "properties": { "text": { "type": "string", "description": "The text." } },
            "required": ["text"], "additionalProperties": false
        });
    }
    if name.contains("structured") {
        tool["outputSchema"] = json!({ "type": "object", "properties": { "rows": { "type": "array" } } });
    }
    tool
}
