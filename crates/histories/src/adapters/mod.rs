//! One adapter for each format, and the table of all adapters.

mod ai_sdk;
mod anthropic;
mod blocks;
mod neutral;
mod openai_chat;
mod openai_responses;

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_conversation::{Message, Replacement, TextMessage};

use crate::Format;

/// Reads and writes a format's items. Errors are parts of a sentence, without a period.
pub(crate) trait Adapter: Sync {
    /// Returns the member of a request that has the items.
    fn items_member(&self) -> &'static str {
        "messages"
    }

    /// Returns the member of a request that has the system prompt, if it is not an item.
    fn system_member(&self) -> Option<&'static str>;

    /// Reads an item. An unknown item is the assistant's, with one opaque part.
    fn read(&self, item: &Value) -> Result<Message, String>;

    /// Replaces the text of a tool result. Everything else in the item stays.
    fn replace(&self, item: &mut Value, replacement: &Replacement) -> Result<(), String>;

    /// Writes a message that a plan inserts.
    fn insert(&self, message: &TextMessage) -> Value;

    /// Returns the name in the definition of a tool.
    fn tool_name<'a>(&self, definition: &'a Value) -> Option<&'a str>;

    /// Returns whether the provider runs a tool: its calls are not visible as such, so it seems
    /// unused.
    fn is_hosted(&self, definition: &Value) -> bool;

    /// Repairs what a plan made inconsistent in the format's own bookkeeping. `read` are
    /// the items before it.
    fn settle<'a>(&self, pieces: Vec<Piece<'a>>, read: &[&str]) -> Vec<Piece<'a>> {
        let _ = read;
        pieces
    }
}

/// An item of the new history.
pub(crate) struct Piece<'a> {
    /// Its old index; none if it is new.
    pub(crate) origin: Option<usize>,
    /// Its JSON text.
    pub(crate) text: Cow<'a, str>,
}

/// Returns the adapter of a format.
pub(crate) fn adapter(format: Format) -> &'static dyn Adapter {
    match format {
        Format::OpenaiChat => &openai_chat::OpenaiChat,
        Format::OpenaiResponses => &openai_responses::OpenaiResponses,
        Format::Anthropic => &anthropic::Anthropic,
        Format::AiSdk => &ai_sdk::AiSdk,
        Format::Neutral => &neutral::Neutral,
    }
}

/// Reads a system prompt that is a member of the request: a text, or blocks.
pub(crate) use blocks::system_message;
