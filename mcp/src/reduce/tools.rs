//! Tools as clients see them: the tools of servers, without the schemas of their results, and
//! the artifact tools.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rmcp::model::ErrorData;
use serde_json::{Value, json};
use tuckaway_host::{
    ArtifactTool, CallOptions, DefinitionOptions, Dialect, Error, ErrorKind, MediaKind, MemoryStore, Store,
    StoreError, StoredMedia, ToolDefinition, ToolReply, Tuckaway,
};
use tuckaway_text::cut;

use super::abilities::{ClientAbilities, MAX_PAGE_BYTES};
use super::engine::Engine;
use super::handle::SCHEME;

/// The maximum size of a schema in a description.
const MAX_SCHEMA_BYTES: usize = 4 << 10;

/// Removes the `outputSchema` of a tool, because a client would refuse a view that does not match
/// it. `is_described` appends the schema to the description. Few clients show the model a schema,
/// so it is only worth its tokens to a model that writes filters for results it has not seen.
pub(super) fn without_output_schema(mut tool: Value, is_described: bool) -> Value {
    let Some(members) = tool.as_object_mut() else { return tool };
    let Some(schema) = members.shift_remove("outputSchema").filter(|schema| !schema.is_null()) else {
        return tool;
    };
    if !is_described {
        return tool;
    }
    let schema = schema.to_string();
    let note = match cut::head(&schema, MAX_SCHEMA_BYTES) {
        all if all.len() == schema.len() => format!("Output schema (JSON): {all}"),
        head => format!("Output schema (JSON, the first {} of {} bytes): {head}", head.len(), schema.len()),
    };
    match members.get_mut("description") {
        Some(Value::String(description)) if !description.is_empty() => {
            description.push_str("\n\n");
            description.push_str(&note);
        }
        _ => {
            members.insert("description".to_owned(), Value::String(note));
        }
    }
    tool
}

/// The member of a tool's `_meta` with the characters of a result that the client should show.
pub const MAX_CHARS: &str = "anthropic/maxResultSizeChars";

/// The maximum characters that Claude Code shows of a result.
const MOST_CHARS: u64 = 500_000;

/// Returns the characters of a result that a tool's server wants the client to show.
pub(super) fn max_chars(tool: &Value) -> Option<u64> {
    Some(tool.get("_meta")?.get(MAX_CHARS)?.as_u64()?.min(MOST_CHARS))
}

/// Returns the artifact tools as MCP tools.
pub(super) async fn definitions(
    tuckaway: &Tuckaway,
    dialect: Dialect,
    is_detailed: bool,
) -> Result<Vec<Value>, ErrorData> {
    let internal = |error: &dyn std::fmt::Display| {
        ErrorData::internal_error(format!("tuckaway's own tools are not available: {error}"), None)
    };
    let options = DefinitionOptions { dialect, is_detailed, ..DefinitionOptions::default() };
    let all = ArtifactTool::ALL;
    let mut definitions =
        tuckaway.tool_definitions(&all, &options).await.map_err(|error| internal(&error))?;
    if definitions.is_empty() {
        // A dialect may define its tools only once something is stored, but clients read the
        // list of tools before that, and only once.
        let filled = filled().await.map_err(|error| internal(&error))?;
        definitions = filled.tool_definitions(&all, &options).await.map_err(|error| internal(&error))?;
    }
    definitions.iter().map(|definition| mcp_tool(definition).map_err(|error| internal(&error))).collect()
}

/// Returns an engine whose store is not empty.
async fn filled() -> anyhow::Result<Tuckaway> {
    let store = MemoryStore::new();
    let failed = |error: StoreError| anyhow::anyhow!("a store in memory failed: {error:?}");
    let id = store.create("tool", "text/plain").await.map_err(failed)?;
    store.seal(&id, 0).await.map_err(failed)?;
    Ok(Tuckaway::builder().store(store).build()?)
}

fn mcp_tool(definition: &ToolDefinition) -> serde_json::Result<Value> {
    let schema: Value = serde_json::from_str(&definition.input_schema)?;
    let mut title = definition.name.replace('_', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    // A client may call a tool that only reads without asking. A filter's outputs can be saved as a new
    // artifact, which changes nothing that exists, but each call adds one to the session's quota.
    let may_write = schema["properties"].get("save_as").is_some();
    Ok(json!({
        "name": definition.name,
        "title": title,
        "description": definition.description,
        "inputSchema": schema,
        "annotations": {
            "title": title,
            "readOnlyHint": !may_write,
            "destructiveHint": false,
            "idempotentHint": !may_write,
            "openWorldHint": false,
        },
        // A page is shown whole even if the user has lowered the client's limit.
        "_meta": { MAX_CHARS: MAX_PAGE_BYTES },
    }))
}

/// Answers a call of an artifact tool. Errors are results with `isError`.
pub(super) async fn call(engine: &Engine, name: &str, arguments: &Value, client: ClientAbilities) -> Value {
    answer(engine, name, with_plain_ids(arguments), client).await.unwrap_or_else(|error| {
        tracing::warn!(tool = name, "an artifact tool failed: {error}");
        result(&error.message, true)
    })
}

async fn answer(
    engine: &Engine,
    name: &str,
    arguments: Value,
    client: ClientAbilities,
) -> Result<Value, Error> {
    let options = CallOptions { max_bytes: client.page_size() };
    let reply = match engine.tuckaway.call_tool(name, &arguments.to_string(), &options).await {
        Err(error) if error.kind == ErrorKind::Unsupported => {
            without_a_model(engine, name, arguments, &options).await?
        }
        reply => reply?,
    };
    match &reply.media {
        Some(media) => {
            let data = BASE64.encode(engine.tuckaway.media_bytes(media).await?);
            Ok(json!({ "content": [text(&reply.text), file(media, data, client)], "isError": false }))
        }
        None => Ok(result(&client.accepted(reply.text), reply.is_error)),
    }
}

/// Returns a stored file as an item: images and audio as items of their own, anything else as an embedded
/// resource.
fn file(media: &StoredMedia, data: String, client: ClientAbilities) -> Value {
    let media_type = &media.media_type;
    match media.kind {
        MediaKind::Audio if client.audio => json!({ "type": "audio", "data": data, "mimeType": media_type }),
        MediaKind::Audio => text("It is not played, because this client's revision of MCP has no audio."),
        MediaKind::Image => json!({ "type": "image", "data": data, "mimeType": media_type }),
        _ => {
            let address = format!("{SCHEME}{}", media.artifact_id);
            json!({ "type": "resource", "resource": { "uri": address, "mimeType": media_type, "blob": data } })
        }
    }
}

/// Answers a call that asks for an extraction, for which a proxy has no model.
async fn without_a_model(
    engine: &Engine,
    name: &str,
    mut arguments: Value,
    options: &CallOptions,
) -> Result<ToolReply, Error> {
    if let Some(members) = arguments.as_object_mut() {
        members.insert("mode".to_owned(), json!("truncate"));
    }
    engine.tuckaway.call_tool(name, &arguments.to_string(), options).await
}

/// Returns the arguments of a call, with each address of an artifact replaced by the id: a model
/// that was shown a link may pass the address.
fn with_plain_ids(arguments: &Value) -> Value {
    let mut arguments = match arguments {
        Value::Null => json!({}),
        arguments => arguments.clone(),
    };
    for (name, value) in arguments.as_object_mut().into_iter().flatten() {
        let is_searched_for = ["pattern", "filter", "query", "extract"].contains(&&**name);
        if name == "variables" {
            *value = with_plain_variables(value);
        }
        if let Some(id) = value.as_str().and_then(|text| text.strip_prefix(SCHEME))
            && !is_searched_for
        {
            *value = Value::String(id.to_owned());
        }
    }
    arguments
}

/// Returns the variables of a filter with plain ids: a text with several of them, or an object.
fn with_plain_variables(variables: &Value) -> Value {
    match variables {
        Value::String(text) => Value::String(text.replace(SCHEME, "")),
        Value::Object(members) => {
            members.iter().map(|(name, id)| (name.clone(), with_plain_variables(id))).collect()
        }
        other => other.clone(),
    }
}

/// Returns a `CallToolResult` with one text.
pub(super) fn result(text: &str, is_error: bool) -> Value {
    json!({ "content": [self::text(text)], "isError": is_error })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}
