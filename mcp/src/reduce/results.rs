//! Results of tools: text, other content and structured content, reduced together.

use std::borrow::Cow;
use std::slice;
use std::sync::Arc;

use serde_json::{Value, json};
use tuckaway_host::{Action, Artifact};

use super::abilities::ClientAbilities;
use super::engine::{Engine, Replacement};
use super::filter::{self, Filter, Outcome};
use super::for_user::ForUser;
use super::handle::SCHEME;
use super::incomplete;
use super::items::as_items;
use super::output;

/// The members of a result that are reduced.
struct Body {
    content: Option<Vec<Value>>,
    structured: Option<Value>,
    /// The content as the server sent it, if it has another form than MCP specifies.
    malformed: Option<Value>,
}

/// Returns a `CallToolResult` as the model should see it. Members that are not reduced keep
/// their position and value.
pub(super) async fn reduced(
    engine: &Arc<Engine>,
    tool: &str,
    filter: Option<Filter>,
    mut result: Value,
    client: ClientAbilities,
) -> Value {
    let tool = engine.name_of(tool).into_owned();
    let is_error = result["isError"].as_bool().unwrap_or(false);
    // The model should see an error unchanged.
    let filter = filter.filter(|_| !is_error);
    let limit = match filter {
        Some(_) => 0,
        None => engine.settings.rules(&tool).of_client(client).bytes_that_pass(),
    };
    if !client.structured_content {
        add_text(&mut result);
    }
    let Some(body) = Body::take(&mut result, limit) else { return result };
    let has_structured = body.structured.is_some();
    let work = {
        let engine = Arc::clone(engine);
        async move { body.reduced(&engine, &tool, filter, is_error, client).await }
    };
    let body = match engine.run(work).await {
        Some(body) => body,
        None => {
            let structured = has_structured.then_some(Value::Null);
            Body { content: Some(Vec::new()), structured, malformed: None }.replaced(
                Replacement::failure("see tuckaway's log."),
                client,
                "",
            )
        }
    };
    body.put_into(&mut result);
    result
}

impl Body {
    /// Moves the members out of a result, if it has at least `limit` bytes.
    fn take(result: &mut Value, limit: u64) -> Option<Self> {
        let members = result.as_object_mut()?;
        let structured = members.get("structuredContent").filter(|value| !value.is_null());
        let (items, is_malformed) = match members.get("content") {
            None => (None, false),
            Some(Value::Array(items)) if output::are_items(items) => (Some(Cow::Borrowed(items)), false),
            Some(other) => (Some(Cow::Owned(as_items(other))), true),
        };
        if output::is_below(items.as_deref().map_or(&[], Vec::as_slice), structured, limit) {
            return None;
        }
        let has_structured = structured.is_some();
        let repaired = match items {
            Some(Cow::Owned(items)) => Some(items),
            _ => None,
        };
        let mut take = |name: &str| members.get_mut(name).map(Value::take);
        let given = take("content");
        let structured = has_structured.then(|| take("structuredContent")).flatten();
        Some(match given {
            Some(Value::Array(items)) if !is_malformed => {
                Body { content: Some(items), structured, malformed: None }
            }
            malformed => Body { content: repaired, structured, malformed },
        })
    }

    async fn reduced(
        self,
        engine: &Engine,
        tool: &str,
        filter: Option<Filter>,
        is_error: bool,
        client: ClientAbilities,
    ) -> Self {
        let Body { content, structured, malformed } = self;
        let has_content = content.is_some();
        let mut items = content.unwrap_or_default();
        let for_user = ForUser::take(&mut items);
        let output = output::take(tool, is_error, &mut items, structured.as_ref());
        let outcome = match filter.filter(|_| has_content || structured.is_some()) {
            Some(filter) => filter::applied(engine, tool, &output, &filter, client).await,
            None => None,
        };
        let (replacement, note) = match outcome {
            Some(Outcome::Filtered(replacement)) => (Some(replacement), None),
            Some(Outcome::Whole(replacement, note)) => (replacement, Some(note)),
            None => (engine.replacements(tool, slice::from_ref(&output), client).await.pop().flatten(), None),
        };
        let Some(mut replacement) = replacement else {
            output::put_back(&mut items, output);
            for_user.put_back(&mut items);
            items.extend(note.as_ref().map(|note| json!({ "type": "text", "text": note })));
            let malformed = malformed.filter(|_| note.is_none());
            return Body { content: (has_content || note.is_some()).then_some(items), structured, malformed };
        };
        // A truncated view keeps both ends, where the source says that there is more.
        if replacement.action != Action::Truncate.name()
            && let Some(more) = incomplete::note(&output)
        {
            replacement.text = format!("{}\n{more}", replacement.text);
        }
        if let Some(note) = note {
            replacement.text = format!("{note}\n{}", replacement.text);
        }
        let mut body =
            Body { content: Some(items), structured, malformed }.replaced(replacement, client, tool);
        body.content.get_or_insert_default().extend(for_user.into_items());
        body
    }

    /// Replaces all items that the replacement does not keep.
    fn replaced(self, replacement: Replacement, client: ClientAbilities, tool: &str) -> Self {
        let structured = self.structured.map(|_| match client.shows_both {
            true => Value::Null,
            false => envelope(&replacement),
        });
        let links = replacement.artifacts.iter().filter(|_| client.resource_links);
        let links: Vec<Value> = links.map(|artifact| link(artifact, tool)).collect();
        let mut items = self.content.unwrap_or_default();
        let kept = kept(&mut items, &replacement.kept);
        let text = match structured {
            Some(Value::Object(_)) => replacement.text,
            _ => client.accepted(replacement.text),
        };
        let mut content = vec![json!({ "type": "text", "text": text })];
        content.extend(kept);
        content.extend(links);
        Body { content: Some(content), structured, malformed: None }
    }

    fn put_into(self, result: &mut Value) {
        if let Some(content) = self.malformed.or(self.content.map(Value::Array)) {
            result["content"] = content;
        }
        match self.structured {
            // Only a replaced result has none.
            Some(Value::Null) => {
                result.as_object_mut().map(|members| members.shift_remove("structuredContent"));
            }
            Some(structured) => result["structuredContent"] = structured,
            None => {}
        }
    }
}

/// Adds the structured content as text if there is no other content: clients from before
/// structured content would show an empty result.
fn add_text(result: &mut Value) {
    let is_empty = result
        .get("content")
        .is_none_or(|content| content.is_null() || content.as_array().is_some_and(Vec::is_empty));
    let structured = result.get("structuredContent").filter(|value| !value.is_null());
    if let (true, Some(structured)) = (is_empty, structured) {
        result["content"] = json!([{ "type": "text", "text": structured.to_string() }]);
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
