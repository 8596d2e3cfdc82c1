//! Applies a plan to the history for which it was made.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tuckaway_conversation::{Entry, Plan, Replacement};

use crate::adapters::Piece;
use crate::document::Frame;
use crate::history::{History, Request};
use crate::{Format, HistoryError};

/// The members of a request that refer to a history stored by the provider.
const PROVIDER_STATE: [&str; 2] = ["previous_response_id", "conversation"];
/// The members of a request that are accepted only with tools.
const NEED_TOOLS: [&str; 2] = ["tool_choice", "parallel_tool_calls"];

impl History {
    /// Returns the history after a plan. Everything that stays is preserved byte for byte; an empty
    /// plan returns the same JSON.
    ///
    /// Members that the plan makes inconsistent are removed as well: a reported `usage`, the id of
    /// a history stored by the provider (the new history must be sent as a whole), and reasoning
    /// whose item is removed. Fails if the plan is for another history.
    pub fn apply(&self, plan: &Plan) -> Result<History, HistoryError> {
        if plan.is_empty {
            return Ok(self.clone());
        }
        let items: Vec<&str> = self.items().collect();
        let pieces = self.adapter().settle(self.pieces(&items, plan)?, &items);
        let pieces: Vec<&str> = pieces.iter().map(|piece| &*piece.text).collect();
        let list = self.items.with(&self.text, &pieces);
        let text = match &self.request {
            None => list,
            Some(request) => self.rewritten(request, list, plan)?,
        };
        History::parse(text, Some(self.format))
    }

    /// Returns the items of the new history.
    fn pieces<'a>(&self, items: &[&'a str], plan: &Plan) -> Result<Vec<Piece<'a>>, HistoryError> {
        let offset = self.offset();
        let mut replaced: BTreeMap<usize, Vec<&Replacement>> = BTreeMap::new();
        for replacement in &plan.replacements {
            replaced.entry(replacement.message as usize).or_default().push(replacement);
        }
        let mut pieces = Vec::with_capacity(items.len());
        for entry in &plan.history {
            let span = match entry {
                Entry::Insert(message) => {
                    let text = Cow::Owned(self.adapter().insert(message).to_string());
                    pieces.push(Piece { origin: None, text });
                    continue;
                }
                Entry::Keep(span) => span.start as usize..span.end as usize,
            };
            if span.end > items.len() + offset {
                return Err(HistoryError::new("The plan is for another history: it keeps more messages."));
            }
            // The message before the items is a member of the request, which stays.
            for index in span.start.max(offset)..span.end.max(offset) {
                let item = items[index - offset];
                let text = match replaced.get(&index) {
                    None => Cow::Borrowed(item),
                    Some(replacements) => Cow::Owned(self.replaced(item, replacements)?),
                };
                pieces.push(Piece { origin: Some(index - offset), text });
            }
        }
        Ok(pieces)
    }

    /// Writes an item with other texts.
    fn replaced(&self, item: &str, replacements: &[&Replacement]) -> Result<String, HistoryError> {
        let wrong = |why: String| HistoryError::new(format!("The plan is for another history: {why}."));
        let mut item: Value = serde_json::from_str(item).map_err(|error| wrong(error.to_string()))?;
        for replacement in replacements {
            self.adapter().replace(&mut item, replacement).map_err(wrong)?;
        }
        Ok(item.to_string())
    }

    /// Writes the request with another list of items, and without members that contradict it.
    fn rewritten(&self, request: &Request, list: String, plan: &Plan) -> Result<String, HistoryError> {
        let items = request.index(self.adapter().items_member());
        let removed: BTreeSet<&str> = plan.removed_tools.iter().map(String::as_str).collect();
        let tools =
            if removed.is_empty() { Tools::Unchanged } else { self.tools_without(request, &removed)? };
        let mut members: Vec<Cow<'_, str>> = Vec::with_capacity(request.members.len());
        for (index, member) in request.members.iter().enumerate() {
            let name = member.name.as_str();
            let range = request.frame.elements[index].clone();
            let with = |value: &str| {
                let name = &self.text[range.start..member.value.start];
                Cow::Owned(format!("{name}{value}"))
            };
            let unchanged = Cow::Borrowed(&self.text[range.clone()]);
            match (name, &tools) {
                _ if Some(index) == items => members.push(with(&list)),
                ("usage", _) if self.format == Format::Neutral => {
                    if let Some(usage) = &plan.usage {
                        members.push(with(&serde_json::to_string(usage).unwrap_or_default()));
                    }
                }
                ("usage", _) => {}
                _ if PROVIDER_STATE.contains(&name) && self.format == Format::OpenaiResponses => {}
                ("tools", Tools::Fewer(fewer)) => members.push(with(fewer)),
                ("tools", Tools::None) => {}
                _ if NEED_TOOLS.contains(&name) && matches!(tools, Tools::None) => {}
                _ => members.push(unchanged),
            }
        }
        Ok(request.frame.with(&self.text, &members))
    }

    /// Returns the tool definitions without those with the given names.
    fn tools_without(&self, request: &Request, removed: &BTreeSet<&str>) -> Result<Tools, HistoryError> {
        let Some(range) = request.range("tools") else { return Ok(Tools::Unchanged) };
        let definitions = self.definitions()?;
        let is_list = self.text[range.clone()].starts_with('[');
        let frame = match is_list {
            true => Frame::of_array(&self.text, range),
            false => Frame::of_object(&self.text, range).map(|(frame, _)| frame),
        };
        let frame = frame.map_err(|error| HistoryError::new(format!("The tools are malformed: {error}.")))?;
        let kept: Vec<&str> = frame
            .elements
            .iter()
            .zip(&definitions)
            .filter(|(_, (name, _))| !removed.contains(name.as_str()))
            .map(|(range, _)| &self.text[range.clone()])
            .collect();
        Ok(if kept.is_empty() { Tools::None } else { Tools::Fewer(frame.with(&self.text, &kept)) })
    }
}

/// The definitions of tools after a plan.
enum Tools {
    Unchanged,
    Fewer(String),
    None,
}
