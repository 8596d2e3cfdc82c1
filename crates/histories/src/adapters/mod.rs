//! One adapter for each format, and the table of all adapters.

mod ai_sdk;
mod ai_sdk_ui;
mod anthropic;
mod bedrock;
mod blocks;
mod gemini;
mod images;
mod langchain;
mod limits;
pub(crate) mod media;
mod models;
mod neutral;
mod openai_chat;
mod openai_responses;
mod programs;

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{HistoryFormat, Message, Part, Replacement, ToolCall};

/// Reads and writes a format's items. Errors are parts of a sentence, without a period.
pub(crate) trait Adapter: Sync {
    /// Returns the member of a request that has the items.
    fn items_member(&self) -> &'static str {
        "messages"
    }

    /// Returns the members of a request that have the system prompt, if it is not an item. The
    /// first one that is there counts.
    fn system_members(&self) -> &'static [&'static str];

    /// Returns the names of the members that lead from the request to the tools.
    fn tools_path(&self) -> &'static [&'static str] {
        &["tools"]
    }

    /// Reads an item. An unknown item is the assistant's, with one opaque part.
    fn read(&self, item: &Value) -> Result<Message, String>;

    /// Adds details to messages that only the other items show, such as the call that a result
    /// without an id answers. In large items, long texts are cut.
    fn relate(&self, items: &[Cow<'_, Value>], messages: &mut [Message]) {
        let _ = (items, messages);
    }

    /// Returns whether an item is the provider's summary of all items before it, which therefore
    /// do not count.
    fn is_compaction(&self, item: &Value) -> bool {
        let _ = item;
        false
    }

    /// Returns whether the provider can compact items on request.
    fn can_compact(&self) -> bool {
        false
    }

    /// Replaces the text of a tool result. The rest of the item stays.
    fn replace_result(&self, item: &mut Value, part: usize, text: &str) -> Result<(), String>;

    /// Returns the arguments of a call, which is a part; none if they cannot be changed.
    fn arguments<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let _ = (item, part);
        None
    }

    /// Returns the block of a medium, which is a part; none if no text can take its place.
    fn medium<'a>(&self, item: &'a mut Value, part: usize) -> Option<&'a mut Value> {
        let _ = (item, part);
        None
    }

    /// Returns the content of a message of the user: a text, or blocks that are parts of the same
    /// indexes.
    fn content<'a>(&self, item: &'a mut Value) -> Option<&'a mut Value> {
        item.get_mut("content")
    }

    /// Removes the thinking from an item.
    fn clear_thinking(&self, item: &mut Value) {
        blocks::clear_thinking(self.content(item));
    }

    /// Writes a block with a text that takes the place of a medium.
    fn text_block(&self, text: &str) -> Value {
        blocks::text_block("text", text)
    }

    /// Replaces a part, which was read as `read`: the text of a result, the arguments of a call, a text
    /// of the user, or a medium.
    fn replace(
        &self,
        item: &mut Value,
        read: Option<&Part>,
        replacement: &Replacement,
    ) -> Result<(), String> {
        let (part, text) = (replacement.part as usize, &replacement.text);
        let wrong = |what: &str| format!("part {part} is not {what}");
        match read {
            Some(Part::ToolCall(_)) => {
                let place = self.arguments(item, part).ok_or_else(|| wrong("a call"))?;
                blocks::set_arguments(place, text);
            }
            Some(Part::Media(_)) => {
                let block = self.medium(item, part).ok_or_else(|| wrong("a medium"))?;
                *block = self.text_block(text);
            }
            Some(Part::Text(old)) => {
                let content = self.content(item).ok_or_else(|| wrong("a text of the user"))?;
                blocks::replace_text(content, part, old, text).ok_or_else(|| wrong("a text of the user"))?;
            }
            _ => self.replace_result(item, part, text)?,
        }
        Ok(())
    }

    /// Writes a message of the user with one text.
    fn insert(&self, text: &str) -> Value;

    /// Adds a result with a text for a call, at the first place after the item at an index where
    /// the provider accepts it.
    fn add_result(&self, items: &mut Vec<Item<'_>>, index: usize, call: &ToolCall, text: &str);

    /// Removes a result, which is a part, from an item. Returns whether anything is left of the item.
    fn remove_result(&self, item: &mut Value, part: usize) -> bool {
        let _ = (item, part);
        false
    }

    /// Adds a text of the user after the item at an index.
    fn add_text(&self, items: &mut Vec<Item<'_>>, index: usize, text: &str) {
        items.insert(index + 1, Item { origin: None, value: Cow::Owned(self.insert(text)) });
    }

    /// Returns whether results must come directly after the message with their calls; if not, the
    /// model's items may be between them.
    fn has_adjacent_results(&self) -> bool {
        true
    }

    /// Returns the name in the definition of a tool.
    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str>;

    /// Returns whether the provider runs a tool: its calls are not visible as such, so it seems
    /// unused.
    fn is_hosted(&self, definition: &Value) -> bool;

    /// Repairs items that a plan made inconsistent in the format's own bookkeeping. `read` are
    /// the items before it, where long texts of large items are cut; `whole` returns one with all texts.
    fn settle<'a>(
        &self,
        pieces: Vec<Piece<'a>>,
        read: &[Cow<'_, Value>],
        whole: &dyn Fn(usize) -> Value,
    ) -> Vec<Piece<'a>> {
        let _ = (read, whole);
        pieces
    }
}

/// An item of a history, which a repair may change.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    /// Its index before the repair; none if the repair added it.
    pub(crate) origin: Option<usize>,
    /// Its value.
    pub(crate) value: Cow<'a, Value>,
}

/// An item of the new history.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'a> {
    /// Its old index; none if it is new.
    pub(crate) origin: Option<usize>,
    /// Its JSON text, if it is not that of its old index.
    pub(crate) text: Option<Cow<'a, str>>,
}

/// Returns the adapter of a format.
pub(crate) fn adapter(format: HistoryFormat) -> &'static dyn Adapter {
    match format {
        HistoryFormat::OpenaiChat => &openai_chat::OpenaiChat,
        HistoryFormat::OpenaiResponses => &openai_responses::OpenaiResponses,
        HistoryFormat::Anthropic => &anthropic::Anthropic,
        HistoryFormat::AiSdk => &ai_sdk::AiSdk,
        HistoryFormat::AiSdkUi => &ai_sdk_ui::AiSdkUi,
        HistoryFormat::Gemini => &gemini::Gemini,
        HistoryFormat::Bedrock => &bedrock::Bedrock,
        HistoryFormat::Langchain => &langchain::Langchain,
        HistoryFormat::Neutral => &neutral::Neutral,
    }
}

/// Returns the tools that an item makes available: definitions of them, or references to them.
pub(crate) use blocks::offered_tools;
/// Reads a system prompt that is a member of the request: a text, or blocks.
pub(crate) use blocks::system_message;
/// The rule by which a model counts the tokens of an image.
pub(crate) use images::ImageTokens;
/// The limits of a provider for a request.
pub(crate) use limits::RequestLimits;
/// A model that a request names.
pub(crate) use models::Model;
