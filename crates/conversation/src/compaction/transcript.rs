//! Messages as texts that every provider accepts.

use tuckaway_contract::{Message, Part, Role, TextMessage};
use tuckaway_text::cut;

use crate::draft::Draft;
use crate::shape::Place;

/// Marks truncated text.
const CUT: &str = "\n[…]\n";
/// Maximum bytes of the arguments of a call that is summarized alone with its result.
const MAX_ARGUMENT_BYTES: usize = 4 << 10;

/// Returns the text of a message and its sender; empty if it has no text. Results have at most
/// `max_result_bytes`.
pub fn text_of(draft: &Draft, index: usize, max_result_bytes: usize) -> TextMessage {
    let message = &draft.conversation.messages[index];
    let parts = message.parts.iter().enumerate();
    let texts = parts.filter_map(|(part_index, part)| {
        Some(match part {
            Part::Text(text) if text.is_empty() => return None,
            Part::Text(text) => draft.text_at((index, part_index)).unwrap_or(text).to_owned(),
            Part::ToolCall(call) => {
                let arguments = draft.text_at((index, part_index)).unwrap_or(&call.arguments);
                call_text(&call.name, arguments, max_result_bytes)
            }
            Part::ToolResult(_) => result_text(draft, (index, part_index), max_result_bytes)?,
            Part::Media(_) => match draft.text_at((index, part_index)) {
                Some(line) => line.to_owned(),
                None => "[An image or other media]".to_owned(),
            },
            Part::Opaque(_) | Part::Thinking(_) => return None,
        })
    });
    TextMessage { role: role_of(message), text: texts.collect::<Vec<_>>().join("\n") }
}

/// Returns the texts of a result and its call; none if there is no result at a place.
pub fn text_of_pair(draft: &Draft, place: Place) -> Option<String> {
    let call = draft.shape.call(draft.conversation, place)?;
    let result = result_text(draft, place, usize::MAX)?;
    Some([&call_text(&call.name, &call.arguments, MAX_ARGUMENT_BYTES), "\n", &result].concat())
}

/// Returns the text of a message without its calls (the compaction document, section 2.6.1).
pub fn content_of(message: &Message) -> TextMessage {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) if !text.is_empty() => Some(text.as_str()),
        _ => None,
    });
    TextMessage { role: role_of(message), text: texts.collect::<Vec<_>>().join("\n") }
}

fn call_text(name: &str, arguments: &str, max_bytes: usize) -> String {
    format!("[Call of {name}: {}]", shortened(arguments, max_bytes))
}

fn role_of(message: &Message) -> Role {
    match message.role {
        Role::Assistant => Role::Assistant,
        _ => Role::User,
    }
}

fn result_text(draft: &Draft, place: Place, max_bytes: usize) -> Option<String> {
    let result = draft.result(place)?;
    let failed = if result.is_error { ", an error" } else { "" };
    let reference = draft.artifact_at(place).map(|id| format!(", ref={id}")).unwrap_or_default();
    let text = shortened(draft.text_at(place).unwrap_or(&result.text), max_bytes);
    Some(format!("[Result of {}{failed}{reference}]\n{text}", draft.tool_of(place)))
}

/// Returns a text, or its head and tail if it is longer than `max_bytes`.
pub fn shortened(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let space = max_bytes.saturating_sub(CUT.len());
    let head = cut::head(text, space * 2 / 3);
    let tail = cut::tail(&text[head.len()..], space - head.len());
    [head, CUT, tail].concat()
}

/// Joins messages so that the first is the user's and roles alternate.
pub fn alternating(messages: impl IntoIterator<Item = TextMessage>) -> Vec<TextMessage> {
    let mut joined: Vec<TextMessage> = Vec::new();
    for message in messages.into_iter().filter(|message| !message.text.is_empty()) {
        match joined.last_mut() {
            Some(last) if last.role == message.role => {
                last.text.push_str("\n\n");
                last.text.push_str(&message.text);
            }
            None if message.role != Role::User => {
                joined.push(TextMessage { role: Role::User, text: "[The conversation so far]".to_owned() });
                joined.push(message);
            }
            _ => joined.push(message),
        }
    }
    joined
}
