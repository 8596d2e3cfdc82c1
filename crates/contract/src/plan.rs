//! Applies a plan to a neutral conversation.

use crate::{Conversation, Entry, Message, Part, Plan};

impl Plan {
    /// Returns a conversation as this plan leaves it. The plan must be made for this conversation;
    /// positions that do not exist are ignored.
    pub fn apply(&self, conversation: &Conversation) -> Conversation {
        let mut messages = conversation.messages.clone();
        for replacement in &self.replacements {
            let Some(message) = messages.get_mut(replacement.message as usize) else { continue };
            message.tokens = None;
            let text = replacement.text.clone();
            match message.parts.get_mut(replacement.part as usize) {
                Some(Part::ToolResult(result)) => {
                    result.text = text;
                    result.artifact = Some(replacement.artifact.clone());
                }
                Some(Part::ToolCall(call)) => call.arguments = text,
                Some(part @ Part::Media(_)) => *part = Part::Text(text),
                Some(Part::Text(own)) => *own = text,
                Some(Part::Opaque(_) | Part::Thinking(_)) | None => {}
            }
        }
        for place in self.removed_parts.iter().rev() {
            let Some(message) = messages.get_mut(place.message as usize) else { continue };
            message.tokens = None;
            if (place.part as usize) < message.parts.len() {
                message.parts.remove(place.part as usize);
            }
        }
        let mut history = Vec::new();
        for entry in &self.history {
            match entry {
                Entry::Keep(span) => {
                    let end = (span.end as usize).min(messages.len());
                    history.extend_from_slice(messages.get(span.start as usize..end).unwrap_or_default());
                }
                Entry::Insert(message) => history.push(Message {
                    role: message.role,
                    parts: vec![Part::Text(message.text.clone())],
                    tokens: None,
                    pinned: false,
                    inserted: true,
                    joined: false,
                    kept: false,
                }),
            }
        }
        let stays = |name: &String| !self.removed_tools.contains(name);
        let tools = conversation.tools.iter().filter(|tool| stays(&tool.name)).cloned().collect();
        Conversation { messages: history, tools, usage: self.usage }
    }
}
