//! Results of `resources/read` and `prompts/get`: lists of entries; each entry is reduced in
//! place.

use std::sync::Arc;

use serde_json::{Value, json};
use tuckaway_host::{Block, Content, ToolOutput};

use super::abilities::ClientAbilities;
use super::engine::{Engine, Replacement};
use super::output;
use super::results::{kept, link};
use super::settings::{PROMPTS, RESOURCES};

/// The maximum number of entries that have separate views. If there are more, all are stored
/// together, as one line of JSON each.
const MAX_VIEWS: usize = 32;

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Has `contents`, each a text or a blob.
    Resource,
    /// Has `messages`, each with one item of content or, in newer revisions, a list.
    Prompt,
}

/// The parts of an entry.
struct Entry {
    /// The entry without its content.
    shell: Value,
    items: Vec<Value>,
    /// Whether the content was a list.
    is_list: bool,
}

/// Returns the result of `resources/read` or `prompts/get` as the model should see it. `named`
/// is the address or the name that the client requested.
pub(super) async fn reduced(
    engine: &Arc<Engine>,
    kind: Kind,
    named: &str,
    mut result: Value,
    client: ClientAbilities,
) -> Value {
    let limit = engine.settings.rules(kind.pseudo_tool()).of_client(client).bytes_that_pass();
    let Some(Value::Array(entries)) = result.get_mut(kind.member()) else { return result };
    if !entries.iter().all(|entry| kind.is_entry(entry)) || is_below(entries, limit) {
        return result;
    }
    let entries = std::mem::take(entries);
    let work = {
        let engine = Arc::clone(engine);
        async move { entries_reduced(&engine, kind, entries, client).await }
    };
    let entries = engine.run(work).await.unwrap_or_else(|| {
        let text = Replacement::failure("see tuckaway's log.").text;
        vec![match kind {
            Kind::Resource => json!({ "uri": named, "mimeType": "text/plain", "text": text }),
            Kind::Prompt => json!({ "role": "user", "content": { "type": "text", "text": text } }),
        }]
    });
    result[kind.member()] = Value::Array(entries);
    result
}

/// Returns whether entries are certain to have fewer bytes than `limit` as an output: four
/// digits of a blob may be three invalid bytes, and each takes three bytes as text.
fn is_below(entries: &[Value], limit: u64) -> bool {
    let sizes = entries.iter().map(|entry| output::json_bytes(entry, limit).saturating_mul(9) / 4);
    output::sum_is_below(sizes, limit)
}

/// Replaces entries if all of them together are too large.
async fn entries_reduced(
    engine: &Engine,
    kind: Kind,
    mut entries: Vec<Value>,
    client: ClientAbilities,
) -> Vec<Value> {
    let reducible: Vec<usize> = (0..entries.len()).filter(|&index| !kind.is_media(&entries[index])).collect();
    if reducible.len() > MAX_VIEWS {
        return reduced_as_one(engine, kind, entries, &reducible, client).await;
    }
    let tool = kind.pseudo_tool();
    let mut taken: Vec<Entry> = reducible.iter().map(|&index| kind.take(&mut entries[index])).collect();
    let outputs: Vec<ToolOutput> =
        taken.iter_mut().map(|entry| output::take(tool, false, &mut entry.items, None)).collect();
    let replacements = match outputs.is_empty() {
        true => Vec::new(),
        false => engine.replacements(tool, &outputs, client).await,
    };
    let mut replacements = replacements.into_iter();
    for ((index, mut entry), output) in reducible.into_iter().zip(taken).zip(outputs) {
        entries[index] = match replacements.next().flatten() {
            None => {
                output::put_back(&mut entry.items, output);
                kind.give_back(entry)
            }
            Some(replacement) => kind.replaced(entry, replacement, client),
        };
    }
    entries
}

/// Replaces entries that are too many for separate views by one view, in the place of the first
/// entry.
async fn reduced_as_one(
    engine: &Engine,
    kind: Kind,
    mut entries: Vec<Value>,
    reducible: &[usize],
    client: ClientAbilities,
) -> Vec<Value> {
    let lines: String = reducible.iter().map(|&index| format!("{}\n", entries[index])).collect();
    let block = Block { content: Content::Text(lines), media_type: Some("application/x-ndjson".to_owned()) };
    let tool = kind.pseudo_tool();
    let output = ToolOutput { tool: tool.to_owned(), is_error: false, blocks: vec![block], structured: None };
    let Some(replacement) = engine.replacements(tool, &[output], client).await.pop().flatten() else {
        return entries;
    };
    let first = kind.take(&mut entries[reducible[0]]);
    entries[reducible[0]] = kind.replaced(first, replacement, ClientAbilities::NONE);
    let mut rest = reducible[1..].iter().copied().peekable();
    let all = entries.into_iter().enumerate();
    all.filter(|(index, _)| rest.next_if_eq(index).is_none()).map(|(_, entry)| entry).collect()
}

impl Kind {
    fn member(self) -> &'static str {
        match self {
            Kind::Resource => "contents",
            Kind::Prompt => "messages",
        }
    }

    /// Returns the name that globs match.
    fn pseudo_tool(self) -> &'static str {
        match self {
            Kind::Resource => RESOURCES,
            Kind::Prompt => PROMPTS,
        }
    }

    /// Returns whether an entry is well-formed.
    fn is_entry(self, entry: &Value) -> bool {
        match self {
            Kind::Resource => {
                ["text", "blob"].iter().any(|name| entry.get(name).is_some_and(Value::is_string))
            }
            Kind::Prompt => match entry.get("content") {
                Some(Value::Array(items)) => output::are_items(items),
                Some(item) => output::are_items(std::slice::from_ref(item)),
                None => false,
            },
        }
    }

    /// Returns whether the whole entry is passed on.
    fn is_media(self, entry: &Value) -> bool {
        match self {
            Kind::Resource => {
                let media_type = entry.get("mimeType").and_then(Value::as_str);
                entry.get("text").is_none() && media_type.is_some_and(output::is_passed_on)
            }
            Kind::Prompt => match &entry["content"] {
                Value::Array(items) => items.iter().all(output::is_media),
                item => output::is_media(item),
            },
        }
    }

    /// Separates an entry into its parts.
    fn take(self, entry: &mut Value) -> Entry {
        let mut shell = entry.take();
        match self {
            Kind::Resource => {
                let item = json!({ "type": "resource", "resource": shell });
                Entry { shell: Value::Null, items: vec![item], is_list: false }
            }
            Kind::Prompt => match shell["content"].take() {
                Value::Array(items) => Entry { shell, items, is_list: true },
                item => Entry { shell, items: vec![item], is_list: false },
            },
        }
    }

    /// Joins the parts of an entry.
    fn give_back(self, entry: Entry) -> Value {
        let Entry { mut shell, mut items, is_list } = entry;
        match self {
            Kind::Resource => items[0]["resource"].take(),
            Kind::Prompt => {
                shell["content"] = match is_list {
                    true => Value::Array(items),
                    false => items[0].take(),
                };
                shell
            }
        }
    }

    /// Returns an entry whose content is a replacement.
    fn replaced(self, entry: Entry, replacement: Replacement, client: ClientAbilities) -> Value {
        let Entry { mut shell, mut items, is_list } = entry;
        match self {
            Kind::Resource => {
                let mut resource = items[0]["resource"].take();
                if let Some(members) = resource.as_object_mut() {
                    members.shift_remove("blob");
                }
                resource["mimeType"] = json!("text/plain");
                resource["text"] = Value::String(replacement.text);
                resource
            }
            Kind::Prompt => {
                let view = json!({ "type": "text", "text": replacement.text });
                shell["content"] = match is_list {
                    false => view,
                    true => {
                        let links = replacement.artifacts.iter().filter(|_| client.resource_links);
                        let links = links.map(|artifact| link(artifact, "the prompt"));
                        let kept = kept(&mut items, &replacement.kept);
                        Value::Array([view].into_iter().chain(kept).chain(links).collect())
                    }
                };
                shell
            }
        }
    }
}
