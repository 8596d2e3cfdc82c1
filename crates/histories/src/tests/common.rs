//! Realistic histories, and plans for them.

use std::collections::BTreeSet;

use serde_json::Value;
use tuckaway_contract::{
    Account, Conversation, Entry, Error, HistoryFormat, HistoryInput, KnownArtifact, Message, Part, Plan,
    PlanState, Replacement, Role, Span, TextMessage,
};

use crate::history::{History, Known, Purpose, Working};
use crate::memory::Memory;
use crate::rules::violations;

pub const CHAT: &str = include_str!("data/chat.json");
pub const RESPONSES: &str = include_str!("data/responses.json");
pub const ANTHROPIC: &str = include_str!("data/anthropic.json");
pub const AI_SDK: &str = include_str!("data/ai-sdk.json");
pub const NEUTRAL: &str = include_str!("data/neutral.json");

/// All histories with their formats.
pub const ALL: [(HistoryFormat, &str); 5] = [
    (HistoryFormat::OpenaiChat, CHAT),
    (HistoryFormat::OpenaiResponses, RESPONSES),
    (HistoryFormat::Anthropic, ANTHROPIC),
    (HistoryFormat::AiSdk, AI_SDK),
    (HistoryFormat::Neutral, NEUTRAL),
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
        removed_parts: Vec::new(),
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

pub fn messages(given: &Given) -> Vec<Message> {
    given.conversation().unwrap().messages
}

/// A history as a caller has it: its text, parsed, with its known artifacts and pinned items.
#[derive(Debug)]
pub struct Given {
    pub text: String,
    pub history: History,
    pub artifacts: Vec<KnownArtifact>,
    /// Whether each item is pinned.
    pub pinned: Vec<bool>,
}

impl Given {
    pub fn parse(text: impl Into<String>, format: Option<HistoryFormat>) -> Result<Given, Error> {
        let text = text.into();
        let history =
            History::parse(&mut HistoryInput { json: text.clone(), format, ..HistoryInput::default() })?;
        Ok(Given { text, history, artifacts: Vec::new(), pinned: Vec::new() })
    }

    fn working(&self) -> Vec<Working> {
        (0..self.history.items.len() as u32).map(Working::given).collect()
    }

    pub fn conversation(&self) -> Result<Conversation, Error> {
        self.remembered(&Memory::default())
    }

    pub fn remembered(&self, memory: &Memory) -> Result<Conversation, Error> {
        let known = Known {
            memory,
            artifacts: &self.artifacts,
            pinned: &self.pinned,
            removed_tools: &BTreeSet::new(),
            purpose: Purpose::Plan,
        };
        let usage = self.history.reported(None)?;
        let conversation = self.history.conversation(&self.working(), None, None, &known)?;
        let usage = usage.and_then(|usage| usage.anchored(&conversation.messages));
        Ok(Conversation { usage, ..conversation })
    }

    pub fn items(&self) -> Vec<String> {
        (0..self.history.items.len()).map(|index| self.history.document.item(index).to_owned()).collect()
    }

    /// Returns the history after a plan, as the provider gets it.
    pub fn apply(&self, plan: &Plan) -> Result<Given, Error> {
        if plan.is_empty {
            return Given::parse(self.text.clone(), Some(self.history.format));
        }
        let items = self.history.apply(&self.working(), plan)?.items;
        let removed: BTreeSet<String> = plan.removed_tools.iter().cloned().collect();
        let kept = self.history.kept_tools(&removed);
        let usage = plan.usage.map(|usage| serde_json::to_string(&usage).unwrap());
        Given::parse(self.history.write(&items, kept.as_deref(), usage.as_deref()), Some(self.history.format))
    }

    pub fn violations(&self) -> Vec<String> {
        violations(self.history.format, &self.history.items)
    }

    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}
