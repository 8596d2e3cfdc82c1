//! A parsed history: its items, and the conversation that they represent.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tuckaway_contract::{
    Conversation, Dialect, Error, HistoryFormat, HistoryInput, KnownArtifact, Message, Part, Role,
    TokenUsage, ToolSpec, Usage,
};
use tuckaway_text::order;
use tuckaway_usage::token_usage;

use crate::adapters::{
    Adapter, ImageTokens, Model, RequestLimits, adapter, media, offered_tools, system_message,
};
use crate::detect;
use crate::document::Document;
use crate::memory::Memory;
use crate::thinking;

/// A history in a provider's format.
#[derive(Debug)]
pub(crate) struct History {
    /// The format that was given or detected.
    pub(crate) format: HistoryFormat,
    /// The text.
    pub(crate) document: Document,
    /// The values of the items. In large ones, long texts are cut.
    pub(crate) items: Vec<Value>,
    /// How the model of the request counts images.
    images: ImageTokens,
    /// The limits of the provider for a request.
    pub(crate) limits: RequestLimits,
    /// Whether the provider needs the thinking of earlier turns with calls.
    needs_thinking: bool,
    /// The items as messages, each read for itself.
    messages: OnceCell<Vec<Message>>,
}

/// An item of a history that is being changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Working {
    /// The index of the given item from which it comes; none if it is new.
    pub(crate) origin: Option<u32>,
    /// Its JSON if it is new or changed; none if it is the given item.
    pub(crate) json: Option<String>,
}

impl Working {
    /// Returns the given item of an index, unchanged.
    pub(crate) fn given(index: u32) -> Self {
        Working { origin: Some(index), json: None }
    }
}

/// A usage that a caller reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reported {
    /// It was reported with the last answer.
    OfLastAnswer(TokenUsage),
    /// It names the messages that it counts.
    Anchored(Usage),
}

impl Reported {
    /// Returns the figures.
    pub(crate) fn tokens(self) -> TokenUsage {
        match self {
            Reported::OfLastAnswer(tokens) => tokens,
            Reported::Anchored(usage) => usage.tokens,
        }
    }

    /// Returns the usage for messages; none if there is no answer among them.
    pub(crate) fn anchored(self, messages: &[Message]) -> Option<Usage> {
        match self {
            Reported::Anchored(usage) => Some(usage),
            Reported::OfLastAnswer(tokens) => {
                let last = messages.iter().rposition(|message| message.role == Role::Assistant)?;
                Some(Usage { tokens, messages: u32::try_from(last + 1).ok()? })
            }
        }
    }
}

/// What a conversation is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Plan,
    /// The provider compacts the history once more: its earlier compaction need not stay.
    Compaction,
}

/// Facts about a history beyond its items.
pub(crate) struct Known<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) artifacts: &'a [KnownArtifact],
    /// Whether each item is pinned, by its place in the input. Later items are not.
    pub(crate) pinned: &'a [bool],
    /// The names of tools that plans have removed.
    pub(crate) removed_tools: &'a BTreeSet<String>,
    pub(crate) purpose: Purpose,
}

impl History {
    /// Takes the text of a history and reads it. Detects the format if it is not given.
    pub(crate) fn parse(input: &mut HistoryInput) -> Result<History, Error> {
        let items_member = input.format.map(|format| adapter(format).items_member());
        let (document, items) = Document::parse(std::mem::take(&mut input.json), items_member)?;
        let format = match input.format {
            Some(format) => format,
            None => detect::detect(&document.names(), &items)?,
        };
        let model = ["model", "modelId"].iter().find_map(|name| document.member(name));
        let model = model.as_ref().and_then(Value::as_str).unwrap_or_default();
        let needs_thinking = thinking::is_needed_with_calls(format, model);
        let model = Model::named(model);
        let (images, limits) = (Model::images_of(model, format), RequestLimits::of(format, model));
        let messages = OnceCell::new();
        let history = History { format, document, items, images, limits, needs_thinking, messages };
        history.check_completeness()?;
        Ok(history)
    }

    pub(crate) fn adapter(&self) -> &'static dyn Adapter {
        adapter(self.format)
    }

    /// Returns the number of messages of the conversation before the items: the system prompt, if
    /// it is a member of the request.
    pub(crate) fn offset(&self) -> usize {
        usize::from(self.system().is_some())
    }

    fn system(&self) -> Option<Value> {
        let members = self.adapter().system_members().iter();
        members.chain(&["system"]).find_map(|name| self.document.member(name))
    }

    /// Returns the JSON of an item that may have changed.
    pub(crate) fn json<'a>(&'a self, item: &'a Working) -> &'a str {
        match (&item.json, item.origin) {
            (Some(json), _) => json,
            (None, Some(index)) => self.document.item(index as usize),
            (None, None) => "null",
        }
    }

    /// Returns the value of an item that may have changed. In a large given item, long texts are cut.
    pub(crate) fn value(&self, item: &Working) -> Cow<'_, Value> {
        match (&item.json, item.origin.and_then(|index| self.items.get(index as usize))) {
            (Some(json), _) => Cow::Owned(serde_json::from_str(json).unwrap_or_default()),
            (None, Some(value)) => Cow::Borrowed(value),
            (None, None) => Cow::Owned(Value::Null),
        }
    }

    /// Returns the value of an item that may have changed, with all of its texts.
    pub(crate) fn whole(&self, item: &Working) -> Cow<'_, Value> {
        let given = item.origin.filter(|_| item.json.is_none());
        let whole = given.and_then(|index| self.document.whole(index as usize));
        whole.map_or_else(|| self.value(item), Cow::Owned)
    }

    /// Returns the message of an item that may have changed, read for itself. An error names the item by
    /// its index.
    pub(crate) fn message(&self, index: usize, item: &Working) -> Result<Cow<'_, Message>, Error> {
        let given = item.origin.filter(|_| item.json.is_none());
        match given.and_then(|index| self.messages.get()?.get(index as usize)) {
            Some(message) => Ok(Cow::Borrowed(message)),
            None => self.read(index, &self.whole(item)).map(Cow::Owned),
        }
    }

    fn read(&self, index: usize, item: &Value) -> Result<Message, Error> {
        let read = match item {
            Value::Object(_) => self.adapter().read(item),
            _ => Err("it is not an object".to_owned()),
        };
        let mut message = read.map_err(|why| {
            Error::invalid(format!(
                "Item {index} is malformed as an item of {}: {why}. Correct it, or pass its format.",
                self.format.name()
            ))
        })?;
        // The tokens of a conversation in the neutral form are given.
        for part in message.parts.iter_mut().filter(|_| self.format != HistoryFormat::Neutral) {
            if let Part::Media(medium) = part {
                media::count(medium, self.images);
            }
        }
        Ok(message)
    }

    /// Reads items, whose values are given too, as messages. Given items are read only once.
    pub(crate) fn messages(
        &self,
        working: &[Working],
        items: &[Cow<'_, Value>],
    ) -> Result<Vec<Message>, Error> {
        if self.messages.get().is_none() {
            let given = (0..self.items.len())
                .map(|index| self.read(index, &self.whole(&Working::given(index as u32))));
            let given = given.collect::<Result<Vec<Message>, Error>>()?;
            self.messages.get_or_init(|| given);
        }
        let read =
            working.iter().enumerate().map(|(index, item)| Ok(self.message(index, item)?.into_owned()));
        let mut messages = read.collect::<Result<Vec<Message>, Error>>()?;
        self.adapter().relate(items, &mut messages);
        Ok(messages)
    }

    /// Returns the conversation that items represent. Their messages are read unless they are given.
    pub(crate) fn conversation(
        &self,
        working: &[Working],
        messages: Option<Vec<Message>>,
        usage: Option<Usage>,
        known: &Known<'_>,
    ) -> Result<Conversation, Error> {
        let items: Vec<Cow<'_, Value>> = working.iter().map(|item| self.value(item)).collect();
        let mut messages = messages.map_or_else(|| self.messages(working, &items), Ok)?;
        if let Some(last) = items.iter().rposition(|item| self.adapter().is_compaction(item)) {
            let is_compacting = known.purpose == Purpose::Compaction;
            let counts = known.memory.counts_before(&self.whole(&working[last]));
            let before = messages[..last].iter_mut().filter(|message| message.role != Role::System);
            before.for_each(|message| {
                // The provider has summarized them. A summary in their place would not count, either.
                message.tokens = if counts { None } else { Some(0) };
                message.pinned |= !is_compacting;
            });
            for (message, item) in messages.iter_mut().zip(&items).filter(|_| is_compacting) {
                message.pinned &= !self.adapter().is_compaction(item) || offered_tools(item).is_some();
            }
        }
        for (message, item) in messages.iter_mut().zip(working) {
            message.pinned |=
                item.origin.is_some_and(|index| known.pinned.get(index as usize) == Some(&true));
        }
        let mut all: Vec<Message> = self.system().iter().map(system_message).collect();
        all.append(&mut messages);
        thinking::keep_needed(&mut all, self.format, self.needs_thinking);
        demote_old_reminders(&mut all);
        add_artifacts(&mut all, known);
        let mut offered = BTreeSet::new();
        offered.extend(items.iter().filter_map(|item| offered_tools(item)).flatten());
        let tools = self.tools(&offered).into_iter().filter(|tool| !known.removed_tools.contains(&tool.name));
        Ok(Conversation { messages: all, tools: tools.collect(), usage })
    }

    /// Returns an error if the provider stores most of the history: a plan for the rest would be
    /// wrong for the whole.
    fn check_completeness(&self) -> Result<(), Error> {
        if self.format != HistoryFormat::OpenaiResponses {
            return Ok(());
        }
        let names = ["previous_response_id", "conversation"];
        let Some(name) = names.into_iter().find(|name| self.document.member(name).is_some()) else {
            return Ok(());
        };
        let is_answer =
            |item: &Value| self.adapter().read(item).is_ok_and(|read| read.role == Role::Assistant);
        match self.items.iter().any(is_answer) {
            true => Ok(()),
            false => Err(Error::invalid(format!(
                "The request continues a history that the provider stores ({name}); pass all items as input instead."
            ))),
        }
    }

    /// Returns the usage that was given, or that is a member of the request; none without figures.
    pub(crate) fn reported(&self, usage: Option<&str>) -> Result<Option<Reported>, Error> {
        let value: Value = match usage {
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Error::invalid(format!("The usage is not JSON: {error}.")))?,
            None => ["usage", "usageMetadata"]
                .iter()
                .find_map(|name| self.document.member(name))
                .unwrap_or_default(),
        };
        if value.is_null() {
            return Ok(None);
        }
        if self.format == HistoryFormat::Neutral && value["tokens"].is_object() {
            let usage = serde_json::from_str(&value.to_string());
            return usage
                .map(|usage| Some(Reported::Anchored(usage)))
                .map_err(|error| Error::invalid(format!("The usage is malformed: {error}.")));
        }
        // Some servers report an object without figures.
        let is_text = |member: &Value| member.is_null() || member.is_string();
        if value.as_object().is_some_and(|members| members.values().all(is_text)) {
            return Ok(None);
        }
        let tokens = token_usage(&value)?;
        Ok((tokens.total_tokens() > 0).then_some(Reported::OfLastAnswer(tokens)))
    }

    /// Returns the tools: a list of definitions, or an object of them by name.
    fn tools(&self, offered: &BTreeSet<String>) -> Vec<ToolSpec> {
        let chosen =
            ["tool_choice", "toolChoice", "toolConfig"].iter().find_map(|name| self.document.member(name));
        let chosen = chosen.map(|choice| match choice.get("toolChoice") {
            Some(inner) => inner.to_string(),
            None if choice.get("tools").is_some() => String::new(),
            None => choice.to_string(),
        });
        let chosen = chosen.unwrap_or_default();
        let specs = self.definitions().into_iter().map(|(name, definition)| {
            // A tool that the model must call stays, and so does one that a message refers to.
            let is_chosen = chosen.contains(&Value::from(&*name).to_string());
            // Tuckaway's own tools stay: removed content can be read only with them.
            let is_own = Dialect::ALL.into_iter().any(|dialect| dialect.has_tool(&name));
            let is_hosted =
                serde_json::from_str(&definition).is_ok_and(|value| self.adapter().is_hosted(&value));
            let pinned = is_chosen || is_own || is_hosted || offered.contains(&name);
            match self.format {
                // Its members are those of the contract.
                HistoryFormat::Neutral => {
                    let own: Value = serde_json::from_str(&definition).unwrap_or_default();
                    let pinned = pinned || own["pinned"] == true;
                    let text = own["definition"].as_str().unwrap_or_default();
                    ToolSpec { name, definition: text.to_owned(), tokens: own["tokens"].as_u64(), pinned }
                }
                _ => ToolSpec { name, definition, tokens: None, pinned },
            }
        });
        specs.collect()
    }

    /// Returns the names and the JSON of the tools' definitions, in order.
    pub(crate) fn definitions(&self) -> Vec<(String, String)> {
        let paths = [self.adapter().tools_path(), &["tools"]];
        let Some(range) = paths.into_iter().find_map(|path| self.document.at(path)) else {
            return Vec::new();
        };
        let elements = self.document.elements(range).unwrap_or_default();
        let named = elements.into_iter().map(|(name, definition)| {
            let parsed: Value = serde_json::from_str(definition).unwrap_or_default();
            let own = || self.adapter().tool_name(&parsed).unwrap_or_default().to_owned();
            (name.unwrap_or_else(own), definition.to_owned())
        });
        named.collect()
    }
}

/// Makes older messages of the developer amid the conversation, such as a reminder in each turn,
/// ordinary ones: only the newest stays.
fn demote_old_reminders(messages: &mut [Message]) {
    let is_system = |message: &Message| message.role == Role::System;
    let start = messages.iter().position(|message| !is_system(message)).unwrap_or(messages.len());
    let Some(newest) = messages[start..].iter().rposition(is_system) else { return };
    let older = messages[start..start + newest].iter_mut().filter(|message| message.role == Role::System);
    older.for_each(|message| {
        message.role = Role::User;
        message.inserted = true;
    });
}

/// Adds the artifacts that have results, and marks messages that plans inserted.
fn add_artifacts(messages: &mut [Message], known: &Known<'_>) {
    let mut ids: Vec<String> = Vec::new();
    if known.artifacts.iter().any(|artifact| artifact.text.is_none()) {
        for part in messages.iter().flat_map(|message| &message.parts) {
            if let Part::ToolResult(result) = part {
                ids.push(result.call_id.clone());
            }
        }
    }
    order::sort(&mut ids);
    let is_unique = |id: &String| {
        let first = ids.partition_point(|other| other < id);
        ids.get(first) == Some(id) && ids.get(first + 1) != Some(id)
    };
    let mut by_call: Vec<&KnownArtifact> = known.artifacts.iter().collect();
    order::sort_by_key(&mut by_call, |known| known.call_id.as_str());
    for message in messages {
        if let (Role::User, Some(Part::Text(text))) = (message.role, message.parts.first()) {
            message.inserted |= message.parts.len() == 1 && known.memory.is_inserted(text);
        }
        for part in &mut message.parts {
            let Part::ToolResult(result) = part else { continue };
            if result.artifact.is_some() {
                continue;
            }
            let before = by_call.partition_point(|known| known.call_id < result.call_id);
            let until = by_call.partition_point(|known| known.call_id <= result.call_id);
            let is_its = |known: &&&KnownArtifact| match &known.text {
                Some(text) => *text == result.text,
                None => is_unique(&result.call_id),
            };
            let given = by_call[before..until].iter().rfind(is_its);
            let remembered = known.memory.artifact(&result.call_id, &result.text);
            result.artifact = remembered.or(given.map(|known| &known.artifact)).cloned();
        }
    }
}
