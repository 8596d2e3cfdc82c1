//! A store in memory, and conversations by a generator.

use std::cell::{Cell, RefCell};
use tuckaway_contract::{
    Conversation, Medium, Message, Part, PlanState, Role, Task, TokenUsage, ToolCall, ToolResult, ToolSpec,
    Usage,
};

use proptest::prelude::{Strategy, *};
use tuckaway_conversation::*;

/// Stores in memory, and counts one token for every four bytes.
#[derive(Default)]
pub struct Memory {
    /// The stored artifacts: id, tool, bytes.
    pub kept: RefCell<Vec<(String, String, Vec<u8>)>>,
    /// Refuses to store anything.
    pub is_full: bool,
    /// The number of the call that it refuses, from 1.
    pub fails_at: Option<usize>,
    /// The number of calls to store something.
    pub asked: Cell<usize>,
}

impl Host for Memory {
    fn count(&self, text: &str) -> Option<u64> {
        Some(text.len().div_ceil(4) as u64)
    }

    fn keep(&self, tool: &str, _: Option<&str>, bytes: &[u8]) -> Result<String, String> {
        self.asked.update(|asked| asked + 1);
        if self.is_full || self.fails_at == Some(self.asked.get()) {
            return Err("The quota is used up.".to_owned());
        }
        let mut kept = self.kept.borrow_mut();
        let id = format!("kept-{:03}", kept.len());
        kept.push((id.clone(), tool.to_owned(), bytes.to_owned()));
        Ok(id)
    }

    fn about(&self, id: &str) -> Option<Stored> {
        let kept = self.kept.borrow();
        let (_, tool, bytes) = kept.iter().find(|(known, ..)| known == id)?;
        let (media_type, size_bytes) = ("text/plain".to_owned(), bytes.len() as u64);
        Some(Stored { tool: tool.clone(), media_type, size_bytes })
    }

    fn has_media(&self) -> bool {
        true
    }

    fn medium(&self, place: Place) -> Option<(String, Vec<u8>)> {
        Some(("image/png".to_owned(), format!("{place:?}").into_bytes()))
    }
}

impl Memory {
    /// Returns the content of an artifact.
    pub fn read(&self, id: &str) -> Option<Vec<u8>> {
        let kept = self.kept.borrow();
        kept.iter().find(|(known, ..)| known == id).map(|(.., bytes)| bytes.clone())
    }
}

/// Creates a message of the user.
pub fn user(text: impl Into<String>) -> Message {
    message(Role::User, vec![Part::Text(text.into())])
}

/// Creates a message.
pub fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, tokens: None, pinned: false, inserted: false, joined: false, kept: false }
}

/// A step of a turn: the model's text, and the sizes of its calls' results.
#[derive(Clone, Debug)]
struct Act {
    says: usize,
    thinks: bool,
    results: Vec<usize>,
    /// Bytes of the text in the arguments of its calls.
    passes: usize,
    /// The tokens of images that come with the results.
    images: Vec<u64>,
    repeats: Repeat,
    is_pinned: bool,
    is_one_message: bool,
}

/// Whether other results have the same text.
#[derive(Clone, Copy, Debug)]
enum Repeat {
    No,
    Equal,
    Nearly,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let result = prop_oneof![3 => 0..400usize, 1 => 400..20_000usize];
    let passes = prop_oneof![3 => Just(0), 1 => 0..12_000usize];
    let images = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(0..2_000u64, 0..4)];
    let results = prop::collection::vec(result, 0..3);
    let repeats = prop::sample::select(vec![Repeat::No, Repeat::No, Repeat::Equal, Repeat::Nearly]);
    let act = (0..300usize, any::<bool>(), results, (passes, images, repeats), 0..12u8, any::<bool>());
    prop::collection::vec(
        act.prop_map(|(says, thinks, results, (passes, images, repeats), pinned, is_one_message)| Act {
            says,
            thinks,
            results,
            passes,
            images,
            repeats,
            is_pinned: pinned == 0,
            is_one_message,
        }),
        0..6,
    )
}

/// Returns realistic agent histories: turns with steps, parallel calls, thinking, pinned messages,
/// and a pending call.
pub fn conversations() -> impl Strategy<Value = Conversation> {
    let words = prop_oneof![3 => 0..600usize, 1 => 600..8_000usize];
    let turn = (words, acts());
    let turns = prop::collection::vec(turn, 0..14);
    let tools = prop::collection::vec(0..3_000usize, 0..5);
    (turns, tools, any::<bool>(), prop::option::of((50..200u64, 0.0..=1.0f64))).prop_map(
        |(turns, tools, waits, usage)| {
            let mut messages = vec![message(Role::System, vec![Part::Text("You are an agent.".to_owned())])];
            let mut count = 0;
            for (words, acts) in turns {
                messages.push(user(text("Please ", words, count)));
                for act in acts {
                    messages.extend(of_act(&act, &mut count));
                }
            }
            if waits {
                let call = ToolCall {
                    id: "waits".to_owned(),
                    name: "tool_0".to_owned(),
                    arguments: "{}".to_owned(),
                    pinned: false,
                };
                messages.push(message(
                    Role::Assistant,
                    vec![Part::Text("One moment.".to_owned()), Part::ToolCall(call)],
                ));
            }
            let tools = tools.iter().enumerate().map(|(index, bytes)| ToolSpec {
                name: format!("tool_{index}"),
                definition: "d".repeat(*bytes),
                tokens: None,
                pinned: index == 1,
            });
            let mut conversation = Conversation { messages, tools: tools.collect(), usage: None };
            conversation.usage = usage.map(|(percent, part)| of_part(&conversation, percent, part));
            conversation
        },
    )
}

/// Returns the usage of a part of a conversation: `percent` of the counted tokens.
fn of_part(conversation: &Conversation, percent: u64, part: f64) -> Usage {
    let count = (conversation.messages.len() as f64 * part) as usize;
    // A history cut between a call and its result cannot be planned, but can be counted.
    let is_call = |part: &Part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_));
    let mut covered = conversation.clone();
    covered.messages.truncate(count);
    let bytes: usize = covered
        .messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| is_call(part))
        .map(bytes_of)
        .sum();
    covered.messages.iter_mut().for_each(|message| message.parts.retain(|part| !is_call(part)));
    let account = plan(&covered, &Task::Account, &[], &PlanState::default(), &Memory::default()).unwrap();
    let tokens = (account.plan.before.total + bytes as u64 / 4) * percent / 100;
    let tokens = TokenUsage { input_tokens: tokens, ..TokenUsage::default() };
    Usage { tokens, messages: count as u32 }
}

fn bytes_of(part: &Part) -> usize {
    match part {
        Part::ToolCall(call) => call.arguments.len() + call.name.len() + 32,
        Part::ToolResult(result) => result.text.len() + 32,
        _ => 0,
    }
}

fn of_act(act: &Act, count: &mut usize) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut parts = vec![Part::Text(text("I ", act.says, *count))];
    if act.thinks {
        // Some providers have thinking in a message of its own.
        let bytes = act.says as u64;
        match act.says % 3 {
            0 => messages.push(message(Role::Assistant, vec![Part::Thinking(bytes)])),
            1 => messages.push(message(Role::Assistant, vec![Part::Opaque(bytes)])),
            _ => parts.insert(0, Part::Thinking(bytes)),
        }
    }
    let mut results = Vec::new();
    for bytes in &act.results {
        *count += 1;
        let id = format!("call-{count}");
        let passed = text("Write ", act.passes, 0);
        let arguments = format!("{{\"page\":{},\"text\":\"{passed}\"}}", *count % 3);
        parts.push(Part::ToolCall(ToolCall {
            id: id.clone(),
            name: format!("tool_{}", *count % 4),
            arguments,
            pinned: count.is_multiple_of(5),
        }));
        let text = match act.repeats {
            Repeat::No => text("Found ", *bytes, *count),
            Repeat::Equal => "same line\n".repeat(200),
            Repeat::Nearly => format!("{}{count}", "same line\n".repeat(200)),
        };
        results.push(Part::ToolResult(ToolResult { call_id: id, text, is_error: false, artifact: None }));
    }
    messages.push(message(Role::Assistant, parts));
    if !results.is_empty() {
        results.extend(act.images.iter().map(|tokens| {
            let label = (tokens % 7 > 0).then(|| format!("PNG image: {} x 480", 300 + tokens % 700));
            Part::Media(Medium { tokens: *tokens, bytes: tokens * 500, label, artifact: None })
        }));
    }
    match act.is_one_message {
        true if !results.is_empty() => messages.push(message(Role::User, results)),
        _ => messages.extend(results.into_iter().map(|result| message(Role::Tool, vec![result]))),
    }
    messages.iter_mut().for_each(|message| message.pinned = act.is_pinned);
    messages
}

fn text(start: &str, bytes: usize, number: usize) -> String {
    format!("{start}{number} {}", "näh ".repeat(bytes / 5))
}
