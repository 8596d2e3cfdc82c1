//! Parts that a plan may trim, and their replacements.

use std::ops::Range;

use serde_json::Value;
use tuckaway_contract::{Medium, Part, Receipt, Removal, Role, ToolCall, ToolResult, UserMessages};
use tuckaway_text::tokens::estimate;
use tuckaway_text::{count_lines, human_bytes};

use super::{Draft, Replaced, Summary, span, texts};
use crate::measure::{CALL_TOKENS, part_bucket};
use crate::note::truncation_note;
use crate::shape::Place;

/// Maximum bytes of a result's placeholder, or of a line that refers to another result: an id has up to
/// 64.
const PLACEHOLDER_BYTES: usize = 128;
/// Maximum attempts to make a view with too many tokens smaller.
const VIEW_ATTEMPTS: usize = 4;
/// Begins the placeholder of a result.
const PLACEHOLDER: &str = "[tool output trimmed; ref=";
/// Comes between the placeholder of a result and its summary.
const SUMMARY: &str = "\nSummary: ";
/// Comes before the artifact in the line that replaces a medium.
pub const MEDIUM_REF: &str = ", trimmed; ref=";
/// Maximum length of an id, assumed for the size of a summary.
const MAX_ID: &str = "art_0000000000000000000000000000000000000000000000000000000000000";
/// The tool name of stored media.
const MEDIA_TOOL: &str = "media";
/// An id whose length is that of most ids, assumed while the id is unknown.
const USUAL_ID: &str = "art_write_file_0000000000";

/// When a candidate is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Before the others.
    First,
    /// In the order of age.
    Usual,
    /// If the others do not suffice.
    Last,
}

/// A part that can be trimmed.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// Its position.
    pub place: Place,
    /// Its tokens.
    pub tokens: u64,
    /// The tokens that its replacement would save.
    pub saved: u64,
    /// Its bytes.
    pub bytes: u64,
    /// When it is chosen.
    pub rank: Rank,
    /// For a call, the minimum bytes of a text in its arguments that is replaced; for a text, the
    /// maximum bytes that stay.
    pub(super) limit: usize,
}

impl<'a> Draft<'a> {
    /// Returns the results that placeholders could replace, in order: results that stay, are not
    /// pinned, were read by the model, and are larger than their placeholder. Results that already
    /// have a placeholder are not among them: lines that name images may follow it. Those with only a
    /// summary after it are. A result counts as unread while another unread result refers to it.
    pub fn results(&self) -> Vec<Candidate> {
        let is_read = |place| self.last_reference(place).is_none_or(|last| last.0 < self.shape.unread);
        self.find(0..self.shape.unread, &|place, part| match part {
            Part::ToolResult(result)
                if result.text.len() > PLACEHOLDER_BYTES
                    && is_read(place)
                    && (self.has_summary(place)
                        || !result.artifact.as_deref().is_some_and(|id| is_trimmed(&result.text, id))) =>
            {
                let tokens = self.tokens_at(place);
                let summary = self.summary(place).map(|summary| summary.tokens);
                let saved = tokens.saturating_sub(summary.unwrap_or_else(|| placeholder_tokens(result)));
                Some(Candidate {
                    place,
                    tokens,
                    saved,
                    bytes: result.text.len() as u64,
                    rank: Rank::Usual,
                    limit: 0,
                })
            }
            _ => None,
        })
    }

    /// Returns the calls whose arguments have texts of at least `min_bytes` that could be replaced, in
    /// order. The model's last message is not among them.
    pub fn large_arguments(&self, min_bytes: usize) -> Vec<Candidate> {
        let last = self.shape.unread.saturating_sub(1);
        self.find(0..self.shape.unread, &|place, part| match part {
            Part::ToolCall(call) if place.0 < last && !call.pinned => {
                let shorter = shortened(call, USUAL_ID, min_bytes)?;
                let tokens = self.tokens_at(place);
                let saved = tokens.saturating_sub(estimate(&call.name) + estimate(&shorter) + CALL_TOKENS);
                let bytes = call.arguments.len().saturating_sub(shorter.len()) as u64;
                Some(Candidate { place, tokens, saved, bytes, rank: Rank::Usual, limit: min_bytes })
            }
            _ => None,
        })
    }

    /// Returns the media of messages that a line could replace, in order: those that an artifact or the
    /// host has.
    pub fn media(&self, messages: Range<usize>) -> Vec<Candidate> {
        self.find(messages, &|place, part| match part {
            Part::Media(medium)
                if medium.artifact.is_some() || medium.label.is_some() && self.host.has_media() =>
            {
                let tokens = self.tokens_at(place);
                let saved = tokens.saturating_sub(estimate(&line(medium, medium.bytes, USUAL_ID)));
                Some(Candidate { place, tokens, saved, bytes: medium.bytes, rank: Rank::Usual, limit: 0 })
            }
            _ => None,
        })
    }

    /// Returns the texts of the user that the model has read and that can be shortened, in order.
    pub fn read_texts(&self, settings: &UserMessages) -> Vec<Candidate> {
        self.user_texts(settings, 0..self.shape.unread)
    }

    /// Returns the texts of the user that the model has not read and that can be shortened, in order.
    pub fn unread_texts(&self, settings: &UserMessages) -> Vec<Candidate> {
        self.user_texts(settings, self.shape.unread..self.conversation.messages.len())
    }

    fn user_texts(&self, settings: &UserMessages, messages: Range<usize>) -> Vec<Candidate> {
        let keep = usize::try_from(settings.keep_bytes).unwrap_or(usize::MAX);
        self.find(messages, &|place, part| match part {
            Part::Text(text) if self.is_large_text(place, settings) => {
                let tokens = self.tokens_at(place);
                let shorter = texts::shortened(text, USUAL_ID, keep);
                let saved = tokens.saturating_sub(estimate(&shorter));
                let bytes = text.len().saturating_sub(shorter.len()) as u64;
                Some(Candidate { place, tokens, saved, bytes, rank: Rank::Usual, limit: keep })
            }
            _ => None,
        })
    }

    /// Returns whether a part is a large text written by the user.
    pub fn is_large_text(&self, place: Place, settings: &UserMessages) -> bool {
        let message = &self.conversation.messages[place.0];
        let is_large = |text: &str| text.len() as u64 >= settings.threshold;
        message.role == Role::User
            && !message.inserted
            && matches!(self.part(place), Part::Text(text) if is_large(text))
    }

    /// Returns the candidates that `of` makes from parts of messages that stay and are neither
    /// pinned nor replaced, if trimming them saves tokens.
    fn find(
        &self,
        messages: Range<usize>,
        of: &dyn Fn(Place, &'a Part) -> Option<Candidate>,
    ) -> Vec<Candidate> {
        let all = self.conversation.messages.iter().enumerate().take(messages.end).skip(messages.start);
        let stays = all.filter(|(index, message)| !message.pinned && !self.is_removed[*index]);
        let parts = stays.flat_map(|(index, message)| {
            message.parts.iter().enumerate().map(move |(part_index, part)| ((index, part_index), part))
        });
        let open = parts.filter(|(place, _)| self.replacement(*place).is_none());
        open.filter_map(|(place, part)| of(place, part)).filter(|candidate| candidate.saved > 0).collect()
    }

    /// Returns the tokens of a part before the plan.
    pub(super) fn tokens_at(&self, place: Place) -> u64 {
        self.measured.messages[place.0].parts[place.1]
    }

    /// Trims a part, after storing it unless an artifact already has it; all thinking of the message if
    /// the part is thinking. Returns the saved tokens; none if the store refused.
    pub fn trim(&mut self, candidate: &Candidate) -> u64 {
        let place = candidate.place;
        let part = self.part(place);
        if let Part::Thinking(_) = part {
            return self.clear(place.0);
        }
        let Some(artifact) = self.stored(place, part) else { return 0 };
        let (text, tokens) = match part {
            Part::ToolResult(_) => {
                let summary = self.summary(place);
                let text = summarized(&artifact, summary.map(|summary| summary.text.as_str()));
                let tokens = self.count(&[&text], CALL_TOKENS, place.0);
                (text, tokens)
            }
            Part::ToolCall(call) => {
                let shorter = shortened(call, &artifact, candidate.limit);
                let text = shorter.unwrap_or_else(|| call.arguments.clone());
                let tokens = self.count(&[&call.name, &text], CALL_TOKENS, place.0);
                (text, tokens)
            }
            Part::Media(medium) => {
                // As it was sent, it may be encoded.
                let bytes = self.host.about(&artifact).map_or(medium.bytes, |stored| stored.size_bytes);
                let text = line(medium, bytes, &artifact);
                let tokens = self.count(&[&text], 0, place.0);
                (text, tokens)
            }
            Part::Text(text) => {
                let text = texts::shortened(text, &artifact, candidate.limit);
                let tokens = self.count(&[&text], 0, place.0);
                (text, tokens)
            }
            Part::Opaque(_) | Part::Thinking(_) => return 0,
        };
        self.put(place, text, artifact, tokens)
    }

    /// Returns the summary that takes the place of a result when it is trimmed.
    pub fn summary(&self, place: Place) -> Option<&Summary> {
        let at = self.known_at(place)?;
        Some(&self.summaries[at].1).filter(|summary| !summary.text.is_empty())
    }

    /// Returns whether the summary of a result was requested.
    pub fn is_requested(&self, place: Place) -> bool {
        self.known_at(place).is_some()
    }

    fn known_at(&self, place: Place) -> Option<usize> {
        self.summaries.binary_search_by_key(&place, |(place, _)| *place).ok()
    }

    /// Returns whether an earlier plan put a summary, and nothing else, in the place of a result.
    pub fn has_summary(&self, place: Place) -> bool {
        self.result(place).is_some_and(|result| {
            let rest = result.artifact.as_deref().and_then(|id| after_placeholder(&result.text, id));
            rest.is_some_and(|rest| rest.starts_with(SUMMARY) && !rest.contains(MEDIUM_REF))
        })
    }

    /// Returns the tokens of a result with a summary in its place.
    pub fn summarized_tokens(&self, place: Place, summary: &str) -> u64 {
        self.count(&[&summarized(MAX_ID, Some(summary))], CALL_TOKENS, place.0)
    }

    /// Replaces a result that the model has not read with a view of at most about `max_tokens`, after
    /// storing it unless an artifact already has it. If the store refuses, it stays.
    pub fn view(&mut self, place: Place, max_tokens: u64) {
        let Some(result) = self.result(place) else { return };
        let Some(artifact) = self.stored(place, self.part(place)) else { return };
        let note = truncation_note(
            result.text.len() as u64,
            count_lines(result.text.as_bytes()),
            Some(artifact.as_str()),
        );
        let before = self.tokens_at(place).max(1);
        let of_tokens = |tokens: u64| {
            let bytes = u128::from(tokens) * result.text.len() as u128 / u128::from(before);
            usize::try_from(bytes).unwrap_or(usize::MAX).saturating_sub(note.len())
        };
        let mut space = max_tokens.saturating_sub(CALL_TOKENS);
        let mut view = None;
        // Both ends may have more tokens per byte than the whole text.
        for _ in 0..VIEW_ATTEMPTS {
            let text = format!("{}\n[{note}]", self.host.excerpt(&result.text, of_tokens(space)).trim_end());
            let tokens = self.count(&[&text], CALL_TOKENS, place.0);
            let fits = tokens <= max_tokens;
            view = Some((text, tokens));
            if fits {
                break;
            }
            space = space / 4 * 3;
        }
        if let Some((text, tokens)) = view.filter(|(_, tokens)| *tokens < before) {
            self.put(place, text, artifact, tokens);
        }
    }

    /// Puts a text in the place of a part that an artifact has. Returns the saved tokens.
    pub(super) fn put(&mut self, place: Place, text: String, artifact: String, tokens: u64) -> u64 {
        let message = &self.conversation.messages[place.0];
        let before = self.tokens_at(place);
        let tokens = tokens.min(before);
        self.after.subtract(part_bucket(message, self.part(place)), before - tokens);
        self.receipts.push(Receipt {
            removal: Removal::Trimmed,
            messages: span(&(place.0..place.0 + 1)),
            tool: self.tool_at(place).map(str::to_owned),
            tokens_before: before,
            tokens_after: tokens,
            artifact: Some(artifact.clone()),
        });
        self.set(place, Replaced { text, artifact, tokens });
        before - tokens
    }

    /// Returns the artifact that has a part: the known one if it can still be read, otherwise a
    /// new one.
    pub(super) fn stored(&mut self, place: Place, part: &Part) -> Option<String> {
        if let Some(id) = self.referred_artifact(place) {
            return Some(id.clone());
        }
        let known = match part {
            Part::ToolResult(result) => &result.artifact,
            Part::Media(medium) => &medium.artifact,
            _ => &None,
        };
        if let Some(id) = known.as_ref().filter(|id| self.host.about(id).is_some()) {
            return Some(id.clone());
        }
        let tool = self.tool_at(place).unwrap_or(MEDIA_TOOL);
        match part {
            Part::ToolResult(result) => self.keep(tool, None, result.text.as_bytes()),
            Part::ToolCall(call) => self.keep(tool, None, call.arguments.as_bytes()),
            Part::Text(text) => self.keep(texts::TOOL, None, text.as_bytes()),
            _ => {
                let (media_type, bytes) = self.host.medium(place)?;
                self.keep(tool, Some(&media_type), &bytes)
            }
        }
    }

    /// Returns the name of the tool that a call calls, or that returned a result.
    pub fn tool_at(&self, place: Place) -> Option<&'a str> {
        match &self.conversation.messages[place.0].parts[place.1] {
            Part::ToolCall(call) => Some(&call.name),
            Part::ToolResult(_) => Some(self.tool_of(place)),
            _ => None,
        }
    }
}

/// Returns the text that replaces a result. It contains nothing that varies, so that the provider's
/// prompt cache stays valid.
fn placeholder(artifact: &str) -> String {
    [PLACEHOLDER, artifact, "]"].concat()
}

/// Returns the text that replaces a result, with its summary if there is one.
fn summarized(artifact: &str, summary: Option<&str>) -> String {
    let mut text = placeholder(artifact);
    if let Some(summary) = summary {
        text.push_str(SUMMARY);
        text.push_str(summary);
    }
    text
}

/// Returns whether the text of a result begins with the placeholder that names an artifact.
pub fn is_trimmed(text: &str, artifact: &str) -> bool {
    after_placeholder(text, artifact).is_some()
}

/// Returns what follows the placeholder that names an artifact; none if the text does not begin with it.
fn after_placeholder<'t>(text: &'t str, artifact: &str) -> Option<&'t str> {
    text.strip_prefix(PLACEHOLDER)?.strip_prefix(artifact)?.strip_prefix(']')
}

/// Returns the approximate tokens of a result's placeholder.
fn placeholder_tokens(result: &ToolResult) -> u64 {
    const OF_UNKNOWN_ID: u64 = 40;
    result.artifact.as_ref().map_or(OF_UNKNOWN_ID, |id| estimate(&placeholder(id)) + CALL_TOKENS)
}

/// Returns the text that replaces a medium whose file has this many bytes.
fn line(medium: &Medium, bytes: u64, artifact: &str) -> String {
    let what = medium.label.as_deref().unwrap_or("image or file");
    match medium.bytes {
        0 => format!("[{what}{MEDIUM_REF}{artifact}]"),
        _ => format!("[{what}, {}{MEDIUM_REF}{artifact}]", human_bytes(bytes)),
    }
}

/// Returns the arguments of a call with a note in place of each text of at least `min_bytes`; the shape
/// stays that of the tool's schema. Arguments that are a text themselves become one note. None if there
/// is no such text.
fn shortened(call: &ToolCall, artifact: &str, min_bytes: usize) -> Option<String> {
    let text = call.arguments.as_str();
    if text.len() < min_bytes {
        return None;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(mut value @ (Value::Object(_) | Value::Array(_))) => {
            shorten(&mut value, artifact, min_bytes).then(|| value.to_string())
        }
        // Not JSON, or nested too deep: a provider could refuse arguments that are no longer an
        // object.
        _ if text.trim_start().starts_with(['{', '[', '"']) => None,
        _ => Some(note(text, artifact)),
    }
}

/// Replaces the large texts in a value. Returns whether there are any. Recursion is as deep as the
/// parser allows.
fn shorten(value: &mut Value, artifact: &str, min_bytes: usize) -> bool {
    let mut is_shorter = false;
    match value {
        Value::String(text) if text.len() >= min_bytes => {
            *text = note(text, artifact);
            is_shorter = true;
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| is_shorter |= shorten(element, artifact, min_bytes));
        }
        Value::Object(members) => {
            members.values_mut().for_each(|member| is_shorter |= shorten(member, artifact, min_bytes));
        }
        _ => {}
    }
    is_shorter
}

/// Returns the note that replaces a text in arguments. A model must not mistake it for the original
/// argument.
fn note(text: &str, artifact: &str) -> String {
    format!("[{} trimmed from this earlier call; ref={artifact}]", human_bytes(text.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: String) -> ToolCall {
        ToolCall { id: "1".into(), name: "write_file".into(), arguments, pinned: false }
    }

    #[test]
    fn large_texts_in_arguments_become_notes_and_the_rest_stays() {
        let large = "x".repeat(3_000);
        let json = format!(r#"{{"path":"a.rs","edits":[{{"old":"{large}","new":"y"}}],"n":1.5}}"#);
        let short = shortened(&call(json), "art_1", 2_048).unwrap();
        let note = "[3 KB trimmed from this earlier call; ref=art_1]";
        assert_eq!(short, format!(r#"{{"path":"a.rs","edits":[{{"old":"{note}","new":"y"}}],"n":1.5}}"#));
        assert_eq!(shortened(&call(large.clone()), "art_1", 2_048).as_deref(), Some(note));
        assert_eq!(shortened(&call(large), "art_1", 4_096), None);
    }

    #[test]
    fn arguments_without_large_texts_and_broken_ones_stay() {
        let numbers = format!("[{}1]", "1,".repeat(2_000));
        let broken = format!(r#"{{"a": "{}"#, "x".repeat(3_000));
        let deep = format!("{}{}", "[".repeat(2_000), "]".repeat(2_000));
        for arguments in [numbers, broken, deep] {
            assert_eq!(shortened(&call(arguments), "art_1", 2_048), None);
        }
    }
}
