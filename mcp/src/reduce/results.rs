//! Results of tools: text, other content and structured content, reduced together.

use std::slice;
use std::sync::Arc;

use serde_json::{Value, json};
use tuckaway_host::Artifact;

use super::engine::{Engine, Replacement};
use super::handle::SCHEME;
use super::output;

/// The kinds of content that a client understands.
#[derive(Clone, Copy, Debug)]
pub struct ClientAbilities {
    /// Items of the type `resource_link`: revisions from 2025-06-18 on.
    pub resource_links: bool,
}

/// The members of a result that are reduced.
struct Body {
    content: Option<Vec<Value>>,
    structured: Option<Value>,
}

/// Returns a `CallToolResult` as the model should see it. Members that are not reduced keep
/// their position and value.
pub(super) async fn reduced(
    engine: &Arc<Engine>,
    tool: &str,
    mut result: Value,
    client: ClientAbilities,
) -> Value {
    let tool = engine.name_of(tool).into_owned();
    let limit = engine.settings.rules(&tool).bytes_that_pass();
    let Some(body) = Body::take(&mut result, limit) else { return result };
    let is_error = result["isError"].as_bool().unwrap_or(false);
    let has_structured = body.structured.is_some();
    let work = {
        let engine = Arc::clone(engine);
        async move { body.reduced(&engine, &tool, is_error, client).await }
    };
    let body = match engine.run(work).await {
        Some(body) => body,
        None => Body { content: Some(Vec::new()), structured: has_structured.then_some(Value::Null) }
            .replaced(Replacement::failure("see tuckaway's log."), client, ""),
    };
    body.put_into(&mut result);
    result
}

impl Body {
    /// Moves the members out of a result, if it is well-formed and has at least `limit` bytes.
    fn take(result: &mut Value, limit: u64) -> Option<Self> {
        let members = result.as_object_mut()?;
        let structured = members.get("structuredContent").filter(|value| !value.is_null());
        let content = match members.get("content") {
            None => None,
            Some(Value::Array(items)) if output::are_items(items) => Some(items),
            Some(_) => return None,
        };
        if output::is_below(content.map_or(&[], Vec::as_slice), structured, limit) {
            return None;
        }
        let (has_content, has_structured) = (content.is_some(), structured.is_some());
        let mut take = |name: &str| members.get_mut(name).map(Value::take);
        let content = match has_content.then(|| take("content")) {
            Some(Some(Value::Array(items))) => Some(items),
            _ => None,
        };
        Some(Body { content, structured: has_structured.then(|| take("structuredContent")).flatten() })
    }

    async fn reduced(self, engine: &Engine, tool: &str, is_error: bool, client: ClientAbilities) -> Self {
        let Body { content, structured } = self;
        let has_content = content.is_some();
        let mut items = content.unwrap_or_default();
        let output = output::take(tool, is_error, &mut items, structured.as_ref());
        let replacement = engine.replacements(tool, slice::from_ref(&output)).await.pop().flatten();
        match replacement {
            None => {
                output::put_back(&mut items, output);
                Body { content: has_content.then_some(items), structured }
            }
            Some(replacement) => {
                Body { content: Some(items), structured }.replaced(replacement, client, tool)
            }
        }
    }

    /// Replaces all items except those that the replacement keeps.
    fn replaced(self, replacement: Replacement, client: ClientAbilities, tool: &str) -> Self {
        let structured = self.structured.map(|_| envelope(&replacement));
        let links = replacement.artifacts.iter().filter(|_| client.resource_links);
        let links: Vec<Value> = links.map(|artifact| link(artifact, tool)).collect();
        let mut items = self.content.unwrap_or_default();
        let kept = kept(&mut items, &replacement.kept);
        let mut content = vec![json!({ "type": "text", "text": replacement.text })];
        content.extend(kept);
        content.extend(links);
        Body { content: Some(content), structured }
    }

    fn put_into(self, result: &mut Value) {
        if let Some(content) = self.content {
            result["content"] = Value::Array(content);
        }
        if let Some(structured) = self.structured {
            result["structuredContent"] = structured;
        }
    }
}

/// Takes the items that are passed on.
pub(super) fn kept(items: &mut [Value], indexes: &[u32]) -> Vec<Value> {
    indexes.iter().filter_map(|&index| items.get_mut(index as usize).map(Value::take)).collect()
}

/// Returns the structured content for a view. Some clients show the model only the structured
/// content of a result.
fn envelope(replacement: &Replacement) -> Value {
    let artifacts: Vec<&str> = replacement.artifacts.iter().map(|artifact| &*artifact.id).collect();
    json!({ "tuckaway": { "action": replacement.action, "view": replacement.text, "artifacts": artifacts } })
}

/// Returns a link to an artifact, for clients that read resources.
pub(super) fn link(artifact: &Artifact, tool: &str) -> Value {
    json!({
        "type": "resource_link",
        "uri": format!("{SCHEME}{}", artifact.id),
        "name": artifact.id,
        "title": format!("Full output of {tool}"),
        "description": format!(
            "The full output of {tool}, {} lines. Append #lines=1:100, #grep=PATTERN or #jq=FILTER to read a part.",
            artifact.line_count
        ),
        "mimeType": artifact.media_type,
        "size": artifact.size_bytes,
    })
}
