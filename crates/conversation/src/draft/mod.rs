//! A plan under construction: the remaining parts, their changes, and the remaining tokens.

mod repeats;
mod texts;
mod thinking;
mod trims;

use repeats::Referred;
pub use repeats::is_reference;
pub use texts::whole_of;
pub use trims::{Candidate, MEDIUM_REF, Rank, is_trimmed};

use std::ops::Range;

use tuckaway_contract::{
    Account, Alarm, AlarmKind, Bucket, Conversation, Entry, Error, Message, Part, PartPlace, Plan, PlanState,
    Receipt, Removal, Replacement, Role, Span, TextMessage, TokenUsage, ToolResult, Usage,
};
use tuckaway_text::tokens::estimate;

use crate::archive;
use crate::fingerprint;
use crate::host::Host;
use crate::measure::{MESSAGE_TOKENS, Measured, part_bucket, tokens_of};
use crate::shape::{Place, Shape};

/// A plan under construction. The steps of a plan change it one after another.
pub struct Draft<'a> {
    /// The original conversation.
    pub conversation: &'a Conversation,
    /// Its units, steps and turns.
    pub shape: Shape,
    /// Its tokens.
    pub measured: Measured,
    /// The account of the remaining conversation.
    pub after: Account,
    /// Counts tokens and stores content.
    pub host: &'a dyn Host,
    /// The requested summaries of results that are in the conversation, in the order of places.
    pub summaries: Vec<(Place, Summary)>,
    before: Account,
    is_removed: Vec<bool>,
    /// The messages inserted before each message, and at the end.
    insertions: Vec<Vec<TextMessage>>,
    /// The number and the tokens of the messages that the caller inserts after the developer's.
    added: (usize, u64),
    /// For the parts of each message, their replacements; empty if there are none.
    replaced: Vec<Vec<Option<Replaced>>>,
    /// The results in order, with what refers to them.
    referred: Vec<Referred>,
    /// For each tool, whether its definition is removed.
    removed_tools: Vec<bool>,
    receipts: Vec<Receipt>,
    alarms: Vec<Alarm>,
    state: PlanState,
    has_store_failed: bool,
    is_recounted: bool,
}

/// A summary of a result and its call.
pub struct Summary {
    /// Its text; empty if it is awaited or refused.
    pub text: String,
    /// The tokens of the result with this summary in its place.
    pub tokens: u64,
}

/// The replacement of a part; without a text and an artifact, the part is removed.
#[derive(Default)]
struct Replaced {
    text: String,
    artifact: String,
    tokens: u64,
}

impl<'a> Draft<'a> {
    /// Begins a plan that changes nothing.
    ///
    /// Errors: a conversation whose calls and results are not paired, or whose usage
    /// counts more messages than there are.
    pub fn of(conversation: &'a Conversation, host: &'a dyn Host, state: &PlanState) -> Result<Self, Error> {
        let shape = Shape::of(conversation)?;
        let measured = Measured::of(conversation, conversation.usage.as_ref(), host)?;
        let before = measured.account(conversation, shape.start);
        let messages = conversation.messages.len();
        let mut draft = Draft {
            after: before,
            summaries: Vec::new(),
            is_removed: vec![false; messages],
            insertions: vec![Vec::new(); messages + 1],
            added: (0, 0),
            replaced: std::iter::repeat_with(Vec::new).take(messages).collect(),
            referred: repeats::references(conversation),
            removed_tools: vec![false; conversation.tools.len()],
            receipts: Vec::new(),
            alarms: measured.alarms.clone(),
            state: state.clone(),
            has_store_failed: false,
            is_recounted: false,
            conversation,
            shape,
            measured,
            before,
            host,
        };
        let prefix = draft.prefix();
        if state.prefix.as_ref().is_some_and(|last| *last != prefix) {
            draft.alarm(
                AlarmKind::PrefixChanged,
                None,
                "The tools or the system prompt differ from those of the last plan, so the provider cannot reuse its cache. Keep them unchanged; move changing content after them.",
            );
        }
        Ok(draft)
    }

    /// Scales the count to the provider's total for the whole conversation if that is larger, but to
    /// at most [`MAX_CORRECTION`] times the count. Only for a draft that changes nothing yet.
    pub fn recount(&mut self, total: u64) {
        let total = total.min(self.before.total.saturating_mul(MAX_CORRECTION));
        if total <= self.before.total {
            return;
        }
        let tokens = TokenUsage { input_tokens: total, ..TokenUsage::default() };
        let usage = Usage { tokens, messages: self.conversation.messages.len() as u32 };
        if let Ok(measured) = Measured::of(self.conversation, Some(&usage), self.host) {
            self.before = measured.account(self.conversation, self.shape.start);
            self.after = self.before;
            self.measured = measured;
            self.is_recounted = true;
        }
    }

    fn prefix(&self) -> String {
        fingerprint::prefix(self.conversation, |tool| !self.removed_tools[tool])
    }

    /// Adds an alarm: at most one of each kind for each bucket.
    pub fn alarm(&mut self, kind: AlarmKind, bucket: Option<Bucket>, message: impl Into<String>) {
        if !self.alarms.iter().any(|alarm| alarm.kind == kind && alarm.bucket == bucket) {
            self.alarms.push(Alarm { kind, bucket, message: message.into() });
        }
    }

    /// Returns the number of consecutive compactions without progress.
    pub fn failures(&self) -> u32 {
        self.state.failures
    }

    /// Sets the number of consecutive compactions without progress.
    pub fn set_failures(&mut self, failures: u32) {
        self.state.failures = failures;
    }

    /// The calls and results whose summaries were requested.
    pub fn requested(&mut self) -> &mut Vec<u64> {
        &mut self.state.requested
    }

    /// Returns whether a message stays.
    pub fn stays(&self, message: usize) -> bool {
        !self.is_removed[message]
    }

    /// Returns a part as it was before the plan. The place must exist.
    pub fn part(&self, place: Place) -> &'a Part {
        &self.conversation.messages[place.0].parts[place.1]
    }

    /// Returns a result.
    pub fn result(&self, (message, part): Place) -> Option<&'a ToolResult> {
        match self.conversation.messages.get(message)?.parts.get(part)? {
            Part::ToolResult(result) => Some(result),
            _ => None,
        }
    }

    /// Returns the name of the tool that returned a result.
    pub fn tool_of(&self, place: Place) -> &'a str {
        self.shape.call(self.conversation, place).map_or("", |call| &call.name)
    }

    /// Stores bytes as an artifact. If the store refuses, returns none and adds an alarm; after the
    /// first refusal it is not asked again.
    pub fn keep(&mut self, tool: &str, media_type: Option<&str>, bytes: &[u8]) -> Option<String> {
        if self.has_store_failed {
            return None;
        }
        match self.host.keep(tool, media_type, bytes) {
            Ok(id) => Some(id),
            Err(why) => {
                self.has_store_failed = true;
                let message = format!("Content that could not be stored stays in the conversation. {why}");
                self.alarm(AlarmKind::NotStored, None, message);
                None
            }
        }
    }

    /// Stores messages as an artifact of the tool `conversation`.
    pub fn archive(&mut self, messages: &[usize]) -> Option<String> {
        let bytes = archive::ndjson(self.conversation, messages);
        self.keep(archive::TOOL, Some(archive::MEDIA_TYPE), &bytes)
    }

    /// Removes stored messages, and inserts texts with the role `user` before the first remaining
    /// message after them.
    pub fn replace(&mut self, messages: &[usize], texts: Vec<String>, removal: Removal, artifact: String) {
        let (Some(first), Some(last)) = (messages.first(), messages.last()) else { return };
        let before = self.tokens_left(messages);
        for index in messages {
            let message = &self.conversation.messages[*index];
            self.after.subtract(Bucket::History, self.measured.messages[*index].own);
            for (part_index, part) in message.parts.iter().enumerate() {
                let tokens = self.part_tokens((*index, part_index));
                self.after.subtract(part_bucket(message, part), tokens);
            }
            self.replaced[*index].clear();
            self.is_removed[*index] = true;
        }
        let tokens = texts.iter().map(|text| self.count_message(text, *first)).sum();
        self.after.add(Bucket::History, tokens);
        // The parts of a removed message are in its archive.
        let (is_removed, all) = (&self.is_removed, &self.conversation.messages);
        self.receipts.retain(|receipt| {
            let message = receipt.messages.start as usize;
            let is_of_part = match receipt.removal {
                Removal::Trimmed => true,
                Removal::Cleared => !thinking::is_only_thinking(&all[message]),
                _ => false,
            };
            !is_of_part || !is_removed[message]
        });
        self.receipts.push(Receipt {
            removal,
            messages: span(&(*first..*last + 1)),
            tool: None,
            tokens_before: before,
            tokens_after: tokens,
            artifact: Some(artifact),
        });
        let inserted = texts.into_iter().map(|text| TextMessage { role: Role::User, text });
        self.insertions[*first].extend(inserted);
    }

    /// Counts messages that the caller inserts after the developer's, in addition to the texts of the
    /// last replacement.
    pub fn add_items(&mut self, count: usize, tokens: u64) {
        self.added = (count, tokens);
        self.after.add(Bucket::History, tokens);
        if let Some(receipt) = self.receipts.last_mut() {
            receipt.tokens_after = receipt.tokens_after.saturating_add(tokens);
        }
    }

    /// Removes the definition of a tool.
    pub fn remove_tool(&mut self, index: usize) {
        if !std::mem::replace(&mut self.removed_tools[index], true) {
            let tokens = self.measured.tools[index];
            self.after.subtract(Bucket::Tools, tokens);
            self.receipts.push(Receipt {
                removal: Removal::Pruned,
                messages: Span { start: 0, end: 0 },
                tool: Some(self.conversation.tools[index].name.clone()),
                tokens_before: tokens,
                tokens_after: 0,
                artifact: None,
            });
        }
    }

    /// Returns the remaining tokens of messages that stay.
    pub fn tokens_left(&self, messages: &[usize]) -> u64 {
        messages.iter().filter(|index| self.stays(**index)).map(|index| self.message_tokens(*index)).sum()
    }

    /// Returns the remaining tokens of messages in a bucket.
    pub fn tokens_in(&self, bucket: Bucket, messages: &[usize]) -> u64 {
        let mut tokens = 0u64;
        for index in messages.iter().filter(|index| self.stays(**index)) {
            let message = &self.conversation.messages[*index];
            if bucket == Bucket::History {
                tokens += self.measured.messages[*index].own;
            }
            for (part, of) in message.parts.iter().enumerate() {
                if part_bucket(message, of) == bucket {
                    tokens = tokens.saturating_add(self.part_tokens((*index, part)));
                }
            }
        }
        tokens
    }

    /// Returns the remaining tokens of a message.
    pub fn message_tokens(&self, index: usize) -> u64 {
        let parts = 0..self.conversation.messages[index].parts.len();
        let of_parts = parts.map(|part| self.part_tokens((index, part))).fold(0, u64::saturating_add);
        of_parts.saturating_add(self.measured.messages[index].own)
    }

    /// Returns the replacement of a part.
    fn replacement(&self, (message, part): Place) -> Option<&Replaced> {
        self.replaced[message].get(part)?.as_ref()
    }

    /// Puts a text in the place of a part.
    fn set(&mut self, (message, part): Place, replaced: Replaced) {
        let of_message = &mut self.replaced[message];
        of_message.resize_with(self.conversation.messages[message].parts.len(), || None);
        of_message[part] = Some(replaced);
    }

    /// Returns the remaining tokens of a part of a message that stays.
    pub fn part_tokens(&self, place: Place) -> u64 {
        let replaced = self.replacement(place).map(|replaced| replaced.tokens);
        replaced.unwrap_or(self.measured.messages[place.0].parts[place.1])
    }

    /// Returns the text that takes the place of a part, if it was replaced.
    pub fn text_at(&self, place: Place) -> Option<&str> {
        self.replacement(place).map(|replaced| replaced.text.as_str())
    }

    /// Returns the artifact that has a part, if known.
    pub fn artifact_at(&self, place: Place) -> Option<&str> {
        let known = match &self.conversation.messages[place.0].parts[place.1] {
            Part::ToolResult(result) => result.artifact.as_deref(),
            Part::Media(medium) => medium.artifact.as_deref(),
            _ => None,
        };
        self.replacement(place).map(|replaced| replaced.artifact.as_str()).or(known)
    }

    /// Counts new texts and their overhead in the same way as the message that they replace was
    /// counted.
    fn count(&self, texts: &[&str], added: u64, index: usize) -> u64 {
        let sum = |count: &dyn Fn(&str) -> u64| texts.iter().map(|text| count(text)).sum::<u64>() + added;
        match &self.measured.anchor {
            Some(anchor) if index < anchor.messages => anchor.scaled(sum(&estimate)),
            _ => sum(&|text| self.host.count(text).unwrap_or_else(|| estimate(text))),
        }
    }

    /// Returns the tokens of a message with a single text that replaces other messages, whose first
    /// has this index.
    pub fn count_message(&self, text: &str, index: usize) -> u64 {
        self.count(&[text], MESSAGE_TOKENS, index)
    }

    /// Returns the tokens of new messages, counted in the same way as the message with this index.
    pub fn count_messages(&self, messages: &[Message], index: usize) -> u64 {
        let sum = |count: &mut dyn FnMut(&str) -> u64| {
            messages.iter().map(|message| tokens_of(message, count).total()).fold(0, u64::saturating_add)
        };
        match &self.measured.anchor {
            Some(anchor) if index < anchor.messages => anchor.scaled(sum(&mut estimate)),
            _ => sum(&mut |text| self.host.count(text).unwrap_or_else(|| estimate(text))),
        }
    }

    /// Returns the new index of a message that stays, or of the end.
    pub fn index_after(&self, index: usize) -> u32 {
        let kept = (0..index).filter(|index| self.stays(*index)).count();
        let inserted: usize = self.insertions[..=index].iter().map(Vec::len).sum();
        (kept + inserted) as u32
    }

    /// Returns whether the plan changes anything.
    pub fn is_empty(&self) -> bool {
        self.receipts.is_empty()
    }

    /// Completes the plan.
    pub fn finish(mut self) -> Plan {
        self.state.prefix = Some(self.prefix());
        self.name_results();
        let usage = self.usage();
        let history = self.history();
        let tools = self.removed_tools.iter().zip(&self.conversation.tools);
        let is_empty = self.is_empty();
        let (replacements, removed_parts) = changed_parts(self.replaced);
        Plan {
            is_empty,
            removed_tools: tools
                .filter(|(removed, _)| **removed)
                .map(|(_, tool)| tool.name.clone())
                .collect(),
            history,
            replacements,
            before: self.before,
            after: self.after,
            usage,
            receipts: self.receipts,
            alarms: self.alarms,
            state: self.state,
            removed_parts,
        }
    }

    /// Returns the usage for the new history: the tokens that the provider would report for the
    /// remainder of the messages that it counted.
    fn usage(&self) -> Option<Usage> {
        let covered = self.measured.anchor.as_ref()?.messages;
        if self.is_empty() && !self.is_recounted {
            return self.conversation.usage;
        }
        let kept: Vec<usize> = (0..covered).filter(|index| self.stays(*index)).collect();
        let inserted = self.insertions[..covered].iter().enumerate();
        let inserted =
            inserted.flat_map(|(index, messages)| messages.iter().map(move |message| (index, message)));
        let (count, tokens) = inserted.fold((0, 0), |(count, tokens): (usize, u64), (index, message)| {
            (count + 1, tokens.saturating_add(self.count_message(&message.text, index)))
        });
        let (added, added_tokens) = if self.shape.start < covered { self.added } else { (0, 0) };
        let total = self.tokens_left(&kept).saturating_add(tokens).saturating_add(self.after.tools);
        let total = total.saturating_add(added_tokens);
        let tokens = TokenUsage { input_tokens: total, ..TokenUsage::default() };
        Some(Usage { tokens, messages: (kept.len() + count + added) as u32 })
    }

    fn history(&self) -> Vec<Entry> {
        let mut history = Vec::new();
        let mut start = None;
        for index in 0..=self.is_removed.len() {
            let stays = index < self.is_removed.len() && self.stays(index);
            let inserted = &self.insertions[index];
            if let Some(first) = start.filter(|_| !stays || !inserted.is_empty()) {
                history.push(Entry::Keep(span(&(first..index))));
                start = None;
            }
            history.extend(inserted.iter().cloned().map(Entry::Insert));
            if stays && start.is_none() {
                start = Some(index);
            }
        }
        history
    }
}

/// The maximum factor between a count and its correction. It is lower than the factor at which a
/// usage is ignored, so that the next plan uses the corrected one.
const MAX_CORRECTION: u64 = 4;

/// Returns the replacements and the removed parts, in order.
fn changed_parts(replaced: Vec<Vec<Option<Replaced>>>) -> (Vec<Replacement>, Vec<PartPlace>) {
    let (mut replacements, mut removed) = (Vec::new(), Vec::new());
    for (message, parts) in replaced.into_iter().enumerate() {
        for (part, replaced) in parts.into_iter().enumerate() {
            let Some(Replaced { text, artifact, .. }) = replaced else { continue };
            let (message, part) = (message as u32, part as u32);
            match artifact.is_empty() {
                true => removed.push(PartPlace { message, part }),
                false => replacements.push(Replacement { message, part, text, artifact }),
            }
        }
    }
    (replacements, removed)
}

fn span(range: &Range<usize>) -> Span {
    Span { start: range.start as u32, end: range.end as u32 }
}
