//! A parsed history, and the conversation that it represents.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use serde_json::Value;
use tuckaway_conversation::{Conversation, Message, Part, Role, ToolSpec, Usage};

use crate::adapters::{Adapter, adapter, system_message};
use crate::document::{Frame, Member};
use crate::{Format, HistoryError, format, usage};

/// Tuckaway's own tools, in each of its dialects. They stay, because removed content can be read
/// only with them.
pub const OWN_TOOLS: [&str; 9] = [
    "artifact_read",
    "artifact_grep",
    "artifact_jq",
    "tool_output_cache",
    "tool_output_cache_grep",
    "tool_output",
    "read_large_output",
    "search_large_output",
    "query_large_output",
];

/// Facts about a history beyond its JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The artifacts that have results, by the id of the call. Not used for an id that several
    /// results have.
    pub artifacts: BTreeMap<String, String>,
    /// The texts of messages that earlier plans inserted.
    pub inserted: BTreeSet<String>,
    /// The messages that must stay unchanged, by their index in the conversation.
    pub pinned: BTreeSet<u32>,
    /// The usage; the history's own member `usage` if `None`.
    pub usage: Option<Usage>,
}

/// The history of an agent in a provider's format: a list of messages or items, or the
/// request that contains it.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) format: Format,
    pub(crate) text: String,
    pub(crate) items: Frame,
    /// The request around the items; none if the JSON is the list itself.
    pub(crate) request: Option<Request>,
}

/// An object whose members are the items, and what is sent with them.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) frame: Frame,
    pub(crate) members: Vec<Member>,
}

impl Request {
    /// Returns the index of a member. The last member of a name counts, as everywhere.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.members.iter().rposition(|member| member.name == name)
    }

    pub(crate) fn range(&self, name: &str) -> Option<Range<usize>> {
        self.index(name).map(|index| self.members[index].value.clone())
    }
}

impl History {
    /// Reads a history: a JSON list of messages or items, or an object with `messages` or `input`,
    /// and optionally `system`, `instructions`, `tools` and `usage`. The format is detected if it
    /// is not given.
    pub fn parse(text: impl Into<String>, format: Option<Format>) -> Result<History, HistoryError> {
        let text = with_listed_input(text.into())?;
        let start = text.len() - text.trim_start().len();
        let whole = start..text.trim_end().len();
        let (items_member, items, request) = match text.as_bytes().get(start) {
            Some(b'[') => (None, Frame::of_array(&text, whole).map_err(malformed)?, None),
            Some(b'{') => {
                let (frame, members) = Frame::of_object(&text, whole).map_err(malformed)?;
                let request = Request { frame, members };
                let (name, range) = items_of(&request, format)?;
                let items = Frame::of_array(&text, range).map_err(malformed)?;
                (Some(name), items, Some(request))
            }
            _ => {
                return Err(HistoryError::new("A history is a JSON list of messages, or a request with it."));
            }
        };
        let has_system = request.as_ref().is_some_and(|request| request.index("system").is_some());
        let raw = items.elements.iter().map(|range| &text[range.clone()]);
        let format = format.unwrap_or_else(|| format::detect(items_member, has_system, raw));
        Ok(History { format, text, items, request })
    }

    /// Returns the history with more items at its end, each as JSON.
    pub fn with<S: AsRef<str>>(&self, items: &[S]) -> Result<History, HistoryError> {
        let all: Vec<&str> = self.items().chain(items.iter().map(AsRef::as_ref)).collect();
        let (before, after) = (&self.text[..self.items.whole.start], &self.text[self.items.whole.end..]);
        let text = format!("{before}{}{after}", self.items.with(&self.text, &all));
        History::parse(text, Some(self.format))
    }

    /// Returns its format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the JSON.
    pub fn as_json(&self) -> &str {
        &self.text
    }

    /// Returns the JSON of each item.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &str> {
        self.items.elements.iter().map(|range| &self.text[range.clone()])
    }

    /// Returns the context window in tokens if the JSON has a member `context_window`.
    pub fn context_window(&self) -> Option<u64> {
        self.member("context_window").and_then(|window| window.as_u64())
    }

    /// Returns how many messages of the conversation come before the items: the system
    /// prompt, if it is a member of the request.
    pub fn offset(&self) -> usize {
        usize::from(self.system().is_some())
    }

    /// Returns the conversation that the history represents.
    pub fn conversation(&self, notes: &Notes) -> Result<Conversation, HistoryError> {
        self.check_completeness()?;
        let mut messages: Vec<Message> = self.system().iter().map(system_message).collect();
        let offset = messages.len();
        for (index, item) in self.items().enumerate() {
            let value: Value = serde_json::from_str(item).map_err(malformed)?;
            let message = self.adapter().read(&value).map_err(|why| {
                HistoryError::new(format!("Message {} is malformed: {why}.", index + offset))
            })?;
            messages.push(message);
        }
        note(&mut messages, notes);
        let usage = match notes.usage {
            Some(usage) => Some(usage),
            None => self.usage(&messages)?,
        };
        Ok(Conversation { messages, tools: self.tools()?, usage })
    }

    pub(crate) fn adapter(&self) -> &'static dyn Adapter {
        adapter(self.format)
    }

    /// Returns a member of the request.
    pub(crate) fn member(&self, name: &str) -> Option<Value> {
        let range = self.request.as_ref()?.range(name)?;
        serde_json::from_str(&self.text[range]).ok().filter(|value: &Value| !value.is_null())
    }

    fn system(&self) -> Option<Value> {
        self.member(self.adapter().system_member()?)
    }

    /// Returns an error if the provider stores most of the history: a plan for the rest would be
    /// wrong for the whole.
    fn check_completeness(&self) -> Result<(), HistoryError> {
        let Some(name) = ["previous_response_id", "conversation"]
            .into_iter()
            .find(|name| self.format == Format::OpenaiResponses && self.member(name).is_some())
        else {
            return Ok(());
        };
        let is_answer = |item: &str| {
            serde_json::from_str::<Value>(item)
                .is_ok_and(|item| self.adapter().read(&item).is_ok_and(|read| read.role == Role::Assistant))
        };
        match self.items().any(is_answer) {
            true => Ok(()),
            false => Err(HistoryError::new(format!(
                "The request continues a history that the provider stores ({name}); pass all items as input instead."
            ))),
        }
    }

    /// Returns the usage of the history's last answer. A usage without an answer says nothing about
    /// these messages.
    fn usage(&self, messages: &[Message]) -> Result<Option<Usage>, HistoryError> {
        let Some(value) = self.member("usage") else { return Ok(None) };
        if self.format == Format::Neutral && value["tokens"].is_object() {
            let usage = serde_json::from_value(value);
            return usage
                .map(Some)
                .map_err(|error| HistoryError::new(format!("The usage is malformed: {error}.")));
        }
        Ok(usage_of_answer(usage::token_usage(&value)?, messages))
    }

    /// Returns the tools: a list of definitions, or an object of them by name.
    fn tools(&self) -> Result<Vec<ToolSpec>, HistoryError> {
        if self.format == Format::Neutral {
            let Some(tools) = self.member("tools") else { return Ok(Vec::new()) };
            let tools = serde_json::from_value(tools);
            return tools.map_err(|error| HistoryError::new(format!("The tools are malformed: {error}.")));
        }
        let chosen = self.member("tool_choice").map(|choice| choice.to_string()).unwrap_or_default();
        let definitions = self.definitions()?;
        Ok(definitions
            .into_iter()
            .map(|(name, definition)| {
                let parsed: Value = serde_json::from_str(&definition).unwrap_or_default();
                // A tool that the model must call stays.
                let is_chosen = chosen.contains(&Value::from(&*name).to_string());
                let is_own = OWN_TOOLS.contains(&&*name);
                let pinned = is_chosen || is_own || self.adapter().is_hosted(&parsed);
                ToolSpec { name, definition, tokens: None, pinned }
            })
            .collect())
    }

    /// Returns the names and the JSON of the tools' definitions.
    pub(crate) fn definitions(&self) -> Result<Vec<(String, String)>, HistoryError> {
        let Some(range) = self.request.as_ref().and_then(|request| request.range("tools")) else {
            return Ok(Vec::new());
        };
        let raw = |range: &Range<usize>| self.text[range.clone()].to_owned();
        match self.text.as_bytes().get(range.start) {
            Some(b'[') => {
                let frame = Frame::of_array(&self.text, range).map_err(malformed)?;
                let named = frame.elements.iter().map(|range| {
                    let definition: Value =
                        serde_json::from_str(&self.text[range.clone()]).map_err(malformed)?;
                    let name = self.adapter().tool_name(&definition).unwrap_or_default().to_owned();
                    Ok((name, raw(range)))
                });
                named.collect()
            }
            Some(b'{') => {
                let (_, members) = Frame::of_object(&self.text, range).map_err(malformed)?;
                Ok(members.into_iter().map(|member| (member.name, raw(&member.value))).collect())
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Anchors a usage at the last answer among messages; none if there is no answer.
pub(crate) fn usage_of_answer(
    tokens: tuckaway_conversation::TokenUsage,
    messages: &[Message],
) -> Option<Usage> {
    let last = messages.iter().rposition(|message| message.role == Role::Assistant)?;
    Some(Usage { tokens, messages: u32::try_from(last + 1).ok()? })
}

/// Adds the facts of the notes to messages.
fn note(messages: &mut [Message], notes: &Notes) {
    let mut uses: HashMap<String, u32> = HashMap::new();
    if !notes.artifacts.is_empty() {
        for part in messages.iter().flat_map(|message| &message.parts) {
            if let Part::ToolResult(result) = part {
                *uses.entry(result.call_id.clone()).or_default() += 1;
            }
        }
    }
    for (index, message) in messages.iter_mut().enumerate() {
        message.pinned |= u32::try_from(index).is_ok_and(|index| notes.pinned.contains(&index));
        if let (Role::User, [Part::Text(text)]) = (message.role, &*message.parts) {
            message.inserted |= notes.inserted.contains(text);
        }
        for part in &mut message.parts {
            let Part::ToolResult(result) = part else { continue };
            if result.artifact.is_none() && uses.get(&result.call_id) == Some(&1) {
                result.artifact = notes.artifacts.get(&result.call_id).cloned();
            }
        }
    }
}

/// Finds the list of items in a request.
fn items_of(request: &Request, format: Option<Format>) -> Result<(&'static str, Range<usize>), HistoryError> {
    let names = match format {
        Some(format) => vec![adapter(format).items_member()],
        None => vec!["messages", "input"],
    };
    let found = names.iter().find_map(|name| Some((*name, request.range(name)?)));
    found.ok_or_else(|| HistoryError::new(format!("The JSON has no list of {}.", names.join(" or of "))))
}

/// Returns a request whose `input` is a text, with the equivalent list instead.
fn with_listed_input(text: String) -> Result<String, HistoryError> {
    let start = text.len() - text.trim_start().len();
    if text.as_bytes().get(start) != Some(&b'{') {
        return Ok(text);
    }
    let (_, members) = Frame::of_object(&text, start..text.trim_end().len()).map_err(malformed)?;
    let input = members.iter().rfind(|member| member.name == "input").map(|member| member.value.clone());
    match input.filter(|range| text.as_bytes()[range.start] == b'"') {
        None => Ok(text),
        Some(range) => {
            let (before, input, after) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
            Ok(format!("{before}[{{\"role\":\"user\",\"content\":{input}}}]{after}"))
        }
    }
}

fn malformed(error: serde_json::Error) -> HistoryError {
    HistoryError::new(format!("The history is malformed JSON: {error}."))
}
