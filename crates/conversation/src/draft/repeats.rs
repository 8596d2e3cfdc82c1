//! Results that repeat an earlier one: a reference takes their place.

use std::collections::HashMap;

use tuckaway_contract::{Conversation, Part, ToolResult};
use tuckaway_text::diff;

use super::{Draft, Replaced};
use crate::measure::CALL_TOKENS;
use crate::shape::Place;

/// Begins the text of each reference.
const SAME: &str = "[same output as ";
/// Comes before the id of an artifact.
const REF: &str = "ref=";
/// Maximum lines that are removed and added by the diff of two results that are nearly the same.
const MAX_CHANGED_LINES: usize = 40;

impl<'a> Draft<'a> {
    /// Replaces a result with a reference to an earlier one that stays: if both have the same text,
    /// with a line, otherwise with a line and the lines that differ, if these are few. Both results
    /// then have an artifact. Returns whether it was replaced; if the store refuses, it is not.
    pub fn refer(&mut self, place: Place, earlier: Place) -> bool {
        let (Some(result), Some(base)) = (self.result(place), self.result(earlier)) else { return false };
        let mut hunks = None;
        if result.text != base.text {
            let max_bytes = result.text.len() / 2;
            // A diff has at least the difference of the lengths. The check keeps the work in proportion to
            // the new text.
            if base.text.len().abs_diff(result.text.len()) > max_bytes {
                return false;
            }
            hunks = diff::changed_lines(&base.text, &result.text, MAX_CHANGED_LINES)
                .filter(|hunks| hunks.len() <= max_bytes);
            if hunks.is_none() {
                return false;
            }
        }
        let Some(known) = self.stored(earlier, self.part(earlier)) else { return false };
        let call = |place| self.shape.call(self.conversation, place).map(|call| &call.arguments);
        let what = match call(place) == call(earlier) {
            true => "this call returned before",
            false => "an earlier call of this tool returned",
        };
        let (artifact, text) = match hunks {
            None => (known.clone(), format!("{SAME}{what}; {REF}{known}]")),
            Some(hunks) => {
                let Some(own) = self.stored(place, self.part(place)) else { return false };
                let text = format!(
                    "{SAME}{what}, {REF}{known}, except for these lines; all lines: {REF}{own}]\n{}",
                    hunks.trim_end_matches('\n')
                );
                (own, text)
            }
        };
        let tokens = self.count(&[&text], CALL_TOKENS, place.0);
        if tokens >= self.tokens_at(place) {
            return false;
        }
        if let Some(at) = self.referred_at(earlier) {
            self.referred[at].artifact = Some(known);
        }
        self.put(place, text, artifact, tokens);
        true
    }

    /// Returns the last result that refers to a result.
    pub fn last_reference(&self, place: Place) -> Option<Place> {
        self.referred[self.referred_at(place)?].last
    }

    /// Returns the artifact of a result that this plan refers to.
    pub(super) fn referred_artifact(&self, place: Place) -> Option<&String> {
        self.referred[self.referred_at(place)?].artifact.as_ref()
    }

    fn referred_at(&self, place: Place) -> Option<usize> {
        self.referred.binary_search_by_key(&place, |result| result.place).ok()
    }

    /// Gives the results that a plan refers to their artifacts, so that the next plan knows them.
    pub(super) fn name_results(&mut self) {
        for at in 0..self.referred.len() {
            let Some(artifact) = self.referred[at].artifact.take() else { continue };
            let place = self.referred[at].place;
            let is_open = self.stays(place.0) && self.replacement(place).is_none();
            let Some(result) = self.result(place).filter(|_| is_open) else { continue };
            // A pinned message stays unchanged.
            let is_new = result.artifact.as_ref() != Some(&artifact);
            if is_new && !self.conversation.messages[place.0].pinned {
                let tokens = self.part_tokens(place);
                self.set(place, Replaced { text: result.text.clone(), artifact, tokens });
            }
        }
    }
}

/// Returns whether a result is a reference that an earlier plan put in its place.
pub fn is_reference(result: &ToolResult) -> bool {
    referred(result).is_some()
}

/// A result, and what refers to it.
pub(super) struct Referred {
    place: Place,
    /// The last result that refers to it since an earlier plan.
    last: Option<Place>,
    /// Its artifact, if this plan refers to it.
    artifact: Option<String>,
}

/// Returns the results in order, each with the last one that refers to it.
pub(super) fn references(conversation: &Conversation) -> Vec<Referred> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut results: Vec<Referred> = Vec::new();
    for (index, message) in conversation.messages.iter().enumerate() {
        for (part_index, part) in message.parts.iter().enumerate() {
            let Part::ToolResult(result) = part else { continue };
            let place = (index, part_index);
            match (referred(result), &result.artifact) {
                (Some(id), _) => {
                    if let Some(earlier) = known.get(id) {
                        results[*earlier].last = Some(place);
                    }
                }
                (None, Some(id)) => drop(known.insert(id, results.len())),
                (None, None) => {}
            }
            results.push(Referred { place, last: None, artifact: None });
        }
    }
    results
}

/// Returns the artifact of the result that a reference refers to. If a tool returns the text of a
/// reference, the only effect is that another result stays longer.
fn referred(result: &ToolResult) -> Option<&str> {
    result.artifact.as_ref()?;
    let (_, id) = result.text.strip_prefix(SAME)?.split_once(REF)?;
    id.split([';', ',', ']']).next()
}
