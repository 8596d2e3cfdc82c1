//! Repairs of histories that a provider would refuse because a turn was aborted: a call without its
//! result, a result without its call.

use std::borrow::Cow;

use serde_json::Value;
use tuckaway_contract::{Message, Part, Role, ToolCall};

use crate::adapters::{Adapter, Item};

/// The text of the result that a call gets if its turn was aborted.
const INTERRUPTED: &str = "[The call was interrupted; it has no result.]";
/// The line before the text of a result whose call is not in the history.
const WITHOUT_CALL: &str = "[Result of a call that is not in the history]";

/// Repairs a history: returns the new items with one sentence for each repair, or none if nothing
/// is wrong. Calls at the end of the history still await their results.
pub(crate) fn repair<'a>(
    adapter: &dyn Adapter,
    items: &'a [Cow<'a, Value>],
    messages: &[Message],
) -> Option<(Vec<Item<'a>>, Vec<String>)> {
    let mut repair =
        Repair { adapter, items: Vec::with_capacity(items.len()), open: Open::default(), report: Vec::new() };
    for (index, (item, message)) in items.iter().zip(messages).enumerate() {
        repair.add(index, item, message);
    }
    repair.place_texts(None);
    (!repair.report.is_empty()).then_some((repair.items, repair.report))
}

/// The repaired items so far.
struct Repair<'a, 'b> {
    adapter: &'b dyn Adapter,
    items: Vec<Item<'a>>,
    open: Open,
    report: Vec<String>,
}

/// The calls that await their results.
#[derive(Default)]
struct Open {
    calls: Vec<ToolCall>,
    /// The first item with one of the calls.
    first: usize,
    /// The last item with one of the calls, or with a result for them.
    last: usize,
    /// Whether one of them has its result.
    is_answering: bool,
    /// Results that no call awaits, as texts. They come after the results of the calls.
    texts: Vec<String>,
}

impl<'a> Repair<'a, '_> {
    fn add(&mut self, index: usize, item: &'a Value, message: &Message) {
        let unanswered = match self.ends_results(message) {
            true => std::mem::take(&mut self.open.calls),
            false => Vec::new(),
        };
        let mut own = Item { origin: Some(index), value: Cow::Borrowed(item) };
        let is_left = self.take_orphans(index, &mut own, message);
        if is_left {
            self.items.push(own);
        }
        if !unanswered.is_empty() {
            self.answer(&unanswered);
        }
        for part in &message.parts {
            match part {
                Part::ToolCall(call) => {
                    self.open.last = self.items.len() - 1;
                    if self.open.calls.is_empty() {
                        self.open.first = self.open.last;
                    }
                    self.open.calls.push(call.clone());
                    self.open.is_answering = false;
                }
                Part::ToolResult(result) => {
                    if let Some(call) = self.open.calls.iter().position(|call| call.id == result.call_id) {
                        self.open.calls.remove(call);
                        self.open.last = self.items.len() - 1;
                        self.open.is_answering = true;
                    }
                }
                _ => {}
            }
        }
        if self.open.calls.is_empty() {
            self.place_texts(self.items.len().checked_sub(1));
        }
    }

    /// Returns whether calls before a message can have no more results.
    fn ends_results(&self, message: &Message) -> bool {
        let has_results = message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)));
        match message.role {
            _ if self.open.calls.is_empty() || has_results => false,
            Role::Tool => false,
            Role::Assistant => self.adapter.has_adjacent_results() || self.open.is_answering,
            Role::User | Role::System => true,
        }
    }

    /// Takes the results that no call awaits out of an item. Returns whether anything is left of it.
    fn take_orphans(&mut self, index: usize, item: &mut Item<'a>, message: &Message) -> bool {
        // A message may have calls with their results.
        let mut ids: Vec<&str> = self.open.calls.iter().map(|call| call.id.as_str()).collect();
        let mut orphans = Vec::new();
        for (at, part) in message.parts.iter().enumerate() {
            match part {
                Part::ToolCall(call) => ids.push(&call.id),
                Part::ToolResult(result) => match ids.iter().position(|id| *id == result.call_id) {
                    Some(call) => drop(ids.remove(call)),
                    None => orphans.push((at, result)),
                },
                _ => {}
            }
        }
        for (_, result) in &orphans {
            self.open.texts.push(format!("{WITHOUT_CALL}\n{}", result.text));
            self.report.push(format!(
                "Item {index} has a result for {:?}, which no call awaits; it became a text.",
                result.call_id
            ));
        }
        let taken = orphans.iter().rev().map(|(at, _)| self.adapter.remove_result(item.value.to_mut(), *at));
        // The last removal determines whether anything is left.
        taken.last().unwrap_or(true)
    }

    /// Gives calls a result that says that they were interrupted.
    fn answer(&mut self, calls: &[ToolCall]) {
        let before = self.items.len();
        let last = self.open.last;
        for call in calls.iter().rev() {
            self.adapter.add_result(&mut self.items, last, call, INTERRUPTED);
        }
        for call in calls {
            self.report.push(format!(
                "The call {:?} of {} has no result; a result that says that it was interrupted was added.",
                call.id, call.name
            ));
        }
        self.place_texts(Some(last + self.items.len() - before));
    }

    /// Adds the texts that results became after an item; at the end of the history, before the calls
    /// that still await their results.
    fn place_texts(&mut self, after: Option<usize>) {
        for text in std::mem::take(&mut self.open.texts).into_iter().rev() {
            match after {
                Some(index) => self.adapter.add_text(&mut self.items, index, &text),
                None => {
                    let value = Cow::Owned(self.adapter.insert(&text));
                    self.items.insert(self.open.first.min(self.items.len()), Item { origin: None, value });
                }
            }
        }
    }
}
