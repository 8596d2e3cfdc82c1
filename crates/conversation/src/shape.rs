//! The structure of a conversation: calls and their results, units, turns.

use std::collections::HashMap;
use std::ops::Range;

use tuckaway_contract::{Conversation, Error, Message, Part, Role, ToolCall};

/// Maximum messages of a conversation.
pub const MAX_MESSAGES: usize = 100_000;

/// The position of a part: the index of its message, and its index in it.
pub type Place = (usize, usize);

/// The structure of a conversation.
pub struct Shape {
    /// The results in order, each with the call that it answers.
    calls: Vec<(Place, Place)>,
    /// Messages that must stay together, in order; together they are all messages.
    pub units: Vec<Range<usize>>,
    /// The units that begin turns, in order.
    turns: Vec<usize>,
    /// The first messages of the turns before which the model has ended its answer with something other
    /// than a call, in order.
    answered: Vec<usize>,
    /// The index after the model's last message: results from here on have not been read yet.
    pub unread: usize,
    /// The first message of the last unit if a call in it awaits its result, otherwise the index
    /// after the last message.
    pub waiting: usize,
    /// The first message that is not the developer's.
    pub start: usize,
}

/// The calls that await their results.
#[derive(Default)]
struct Pending<'a> {
    /// Their ids, each with its index in `begun`.
    calls: HashMap<&'a str, usize>,
    /// All calls so far.
    begun: Vec<Place>,
    /// Whether a result came after the newest of them.
    is_answering: bool,
}

impl Shape {
    /// Inspects a conversation.
    ///
    /// Errors: a call and a result that are not paired, too many messages.
    pub fn of(conversation: &Conversation) -> Result<Shape, Error> {
        let messages = &conversation.messages;
        if messages.len() > MAX_MESSAGES {
            return Err(Error::invalid(format!(
                "The conversation has {} messages; at most {MAX_MESSAGES} can be planned.",
                messages.len()
            )));
        }
        let mut shape = Shape {
            calls: Vec::new(),
            units: Vec::new(),
            turns: Vec::new(),
            answered: Vec::new(),
            unread: 0,
            waiting: messages.len(),
            start: 0,
        };
        let mut pending = Pending::default();
        let mut unit = 0;
        // Whether the model has ended its answer, here and before the unit.
        let (mut is_answered, mut was_answered) = (true, true);
        for (index, message) in messages.iter().enumerate() {
            pending.check(index, message)?;
            for (part_index, part) in message.parts.iter().enumerate() {
                let place = (index, part_index);
                match part {
                    Part::ToolCall(call) => {
                        pending.begin(&call.id, place)?;
                        is_answered = false;
                    }
                    Part::ToolResult(result) => {
                        shape.calls.push((place, pending.end(&result.call_id, index)?));
                        is_answered = false;
                    }
                    Part::Text(_) | Part::Media(_) => is_answered |= message.role == Role::Assistant,
                    _ => {}
                }
            }
            if begins_turn(message) {
                shape.turns.push(shape.units.len());
                shape.answered.extend(was_answered.then_some(unit));
            }
            let is_last = index + 1 == messages.len();
            if is_last || pending.calls.is_empty() && !is_joined_to_next(message) {
                shape.units.push(unit..index + 1);
                unit = index + 1;
                was_answered = is_answered;
            }
        }
        if let Some(last) = shape.units.last().filter(|_| !pending.calls.is_empty()) {
            shape.waiting = last.start;
        }
        let of_model = |message: &Message| message.role == Role::Assistant;
        shape.unread = messages.iter().rposition(of_model).map_or(0, |last| last + 1);
        let not_of_developer = |message: &Message| message.role != Role::System;
        shape.start = messages.iter().position(not_of_developer).unwrap_or(messages.len());
        Ok(shape)
    }

    /// Returns the call that a result answers.
    pub fn call<'c>(&self, conversation: &'c Conversation, result: Place) -> Option<&'c ToolCall> {
        let at = self.calls.binary_search_by_key(&result, |(result, _)| *result).ok()?;
        let (message, part) = self.calls[at].1;
        match conversation.messages.get(message)?.parts.get(part)? {
            Part::ToolCall(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the first message of the newest `count` turns; the index after the last message if
    /// `count` is 0. If there are fewer turns, returns the start of the first.
    pub fn newest_turns(&self, count: u32, messages: usize) -> usize {
        match (count as usize, self.turns.len()) {
            (0, _) => messages,
            (count, turns) if count <= turns => self.units[self.turns[turns - count]].start,
            _ => self.start,
        }
    }

    /// Returns the first message of the newest `count` turns that follow a complete answer; 0 if there are
    /// fewer. A message of the user amid a tool loop does not begin such a turn: for providers, it belongs
    /// to the results before it.
    pub fn newest_answered(&self, count: u32) -> usize {
        let newest = self.answered.len().checked_sub(count.max(1) as usize);
        newest.map_or(0, |turn| self.answered[turn])
    }

    /// Returns the first message of each turn.
    pub fn turn_starts(&self) -> impl Iterator<Item = usize> {
        self.turns.iter().map(|unit| self.units[*unit].start)
    }

    /// Returns the number of turns.
    pub fn turn_count(&self) -> usize {
        self.turns.len()
    }

    /// Returns the messages of the turn that begins with the turn of this index.
    pub fn turn(&self, index: usize, messages: usize) -> Range<usize> {
        let start_of = |index: usize| self.turns.get(index).map(|unit| self.units[*unit].start);
        start_of(index).unwrap_or(messages)..start_of(index + 1).unwrap_or(messages)
    }

    /// Returns the last start of a unit at or before a message.
    pub fn unit_start(&self, message: usize) -> usize {
        match self.units.partition_point(|unit| unit.start <= message) {
            0 => 0,
            after if message >= self.units[after - 1].end => self.units[after - 1].end,
            after => self.units[after - 1].start,
        }
    }
}

impl<'a> Pending<'a> {
    /// Rejects a message before which calls should have been answered.
    fn check(&self, index: usize, message: &Message) -> Result<(), Error> {
        let has_results = message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)));
        let waits = match message.role {
            _ if has_results => false,
            Role::Assistant => self.is_answering,
            Role::Tool => false,
            Role::User | Role::System => true,
        };
        if !waits {
            return Ok(());
        }
        let Some(id) = self.calls.keys().min() else { return Ok(()) };
        Err(Error::invalid(format!(
            "The call {id:?} has no result before message {index}; answer each call directly after it, with an error if it was interrupted."
        )))
    }

    fn begin(&mut self, id: &'a str, place: Place) -> Result<(), Error> {
        self.is_answering = false;
        self.begun.push(place);
        match self.calls.insert(id, self.begun.len() - 1) {
            None => Ok(()),
            Some(_) => Err(Error::invalid(format!(
                "Message {} calls {id:?} while another call with this id awaits its result; give each call a unique id.",
                place.0
            ))),
        }
    }

    fn end(&mut self, id: &str, index: usize) -> Result<Place, Error> {
        let call = self.calls.remove(id).ok_or_else(|| {
            Error::invalid(format!(
                "Message {index} has a result for {id:?}, but no earlier call awaits it; remove the result, or add the message with the call."
            ))
        })?;
        self.is_answering = !self.calls.is_empty();
        Ok(self.begun[call])
    }
}

/// Returns whether a message is the user's own, apart from results.
fn begins_turn(message: &Message) -> bool {
    let has_results = message.parts.iter().any(|part| matches!(part, Part::ToolResult(_)));
    message.role == Role::User && !message.inserted && !has_results
}

/// Returns whether providers reject a message without the one after it, such as thinking.
fn is_joined_to_next(message: &Message) -> bool {
    let is_opaque = |part: &Part| matches!(part, Part::Opaque(_) | Part::Thinking(_));
    let is_thinking =
        message.role == Role::Assistant && !message.parts.is_empty() && message.parts.iter().all(is_opaque);
    message.joined || is_thinking
}

#[cfg(test)]
mod tests {
    use tuckaway_contract::ToolResult;

    use super::*;

    fn message(role: Role, part: Part) -> Message {
        let parts = vec![part];
        Message { role, parts, tokens: None, pinned: false, inserted: false, joined: false, kept: false }
    }

    fn said(role: Role) -> Message {
        message(role, Part::Text("a".to_owned()))
    }

    fn shape_of(messages: Vec<Message>) -> Shape {
        Shape::of(&Conversation { messages, tools: Vec::new(), usage: None }).unwrap()
    }

    #[test]
    fn a_message_amid_a_tool_loop_follows_no_answer() {
        let (id, name, arguments) = ("c".to_owned(), "f".to_owned(), "{}".to_owned());
        let call = Part::ToolCall(ToolCall { id: id.clone(), name, arguments, pinned: false });
        let result = ToolResult { call_id: id, text: "r".to_owned(), is_error: false, artifact: None };
        let shape = shape_of(vec![
            said(Role::User),
            message(Role::Assistant, call),
            message(Role::Tool, Part::ToolResult(result)),
            said(Role::User),
            said(Role::Assistant),
            said(Role::User),
            said(Role::User),
        ]);
        assert_eq!(shape.turn_starts().collect::<Vec<_>>(), [0, 3, 5, 6]);
        assert_eq!([0, 1, 2, 3, 4, u32::MAX].map(|count| shape.newest_answered(count)), [6, 6, 5, 0, 0, 0]);
    }

    /// With a search before each turn, this would take minutes.
    #[test]
    fn answers_are_found_in_one_pass() {
        let shape = shape_of(vec![said(Role::User); MAX_MESSAGES]);
        let starts = [1, MAX_MESSAGES as u32, u32::MAX].map(|count| shape.newest_answered(count));
        assert_eq!(starts, [MAX_MESSAGES - 1, 0, 0]);
    }
}
