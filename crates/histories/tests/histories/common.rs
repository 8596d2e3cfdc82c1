//! Realistic histories, and plans for them.

use tuckaway_conversation::{
    Account, Entry, Message, Part, Plan, PlanState, Replacement, Role, Span, TextMessage,
};
use tuckaway_histories::{Format, History, Notes};

pub const CHAT: &str = include_str!("data/chat.json");
pub const RESPONSES: &str = include_str!("data/responses.json");
pub const ANTHROPIC: &str = include_str!("data/anthropic.json");
pub const AI_SDK: &str = include_str!("data/ai-sdk.json");
pub const NEUTRAL: &str = include_str!("data/neutral.json");

/// All histories with their formats.
pub const ALL: [(Format, &str); 5] = [
    (Format::OpenaiChat, CHAT),
    (Format::OpenaiResponses, RESPONSES),
    (Format::Anthropic, ANTHROPIC),
    (Format::AiSdk, AI_SDK),
    (Format::Neutral, NEUTRAL),
];

/// Returns a plan that does nothing yet, marked as one that does.
pub fn plan() -> Plan {
    Plan {
        is_empty: false,
        history: Vec::new(),
        replacements: Vec::new(),
        removed_tools: Vec::new(),
        before: Account::default(),
        after: Account::default(),
        usage: None,
        receipts: Vec::new(),
        alarms: Vec::new(),
        state: PlanState::default(),
    }
}

pub fn keep(start: usize, end: usize) -> Entry {
    Entry::Keep(Span { start: start as u32, end: end as u32 })
}

pub fn insert(text: &str) -> Entry {
    Entry::Insert(TextMessage { role: Role::User, text: text.to_owned() })
}

pub fn replacement(message: usize, part: usize) -> Replacement {
    let text = format!("[tool output trimmed; ref=art_{message}_{part}]");
    Replacement {
        message: message as u32,
        part: part as u32,
        text,
        artifact: format!("art_{message}_{part}"),
    }
}

/// Returns the positions of all tool results.
pub fn results(messages: &[Message]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let is_result = |part: &Part| matches!(part, Part::ToolResult(_));
        found.extend(
            message.parts.iter().enumerate().filter(|(_, part)| is_result(part)).map(|(at, _)| (index, at)),
        );
    }
    found
}

/// Returns the message at which the last turn starts: the user's last one without results.
pub fn last_turn(messages: &[Message]) -> usize {
    let has_result = |message: &Message| message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)));
    messages.iter().rposition(|message| message.role == Role::User && !has_result(message)).unwrap_or(0)
}

pub fn messages(history: &History) -> Vec<Message> {
    history.conversation(&Notes::default()).unwrap().messages
}
