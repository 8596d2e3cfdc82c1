//! Applies a plan to the items of a history.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;
use tuckaway_contract::{Entry, Error, HistoryFormat, HistoryItem, Part, Plan, Replacement, Role, Span};
use tuckaway_conversation::Place;

use crate::adapters::Piece;
use crate::document::{Rewritten, has_cut_text};
use crate::history::{History, Working};

/// The members of a request that refer to a history stored by the provider.
const PROVIDER_STATE: [&str; 2] = ["previous_response_id", "conversation"];
/// The members of a request that are accepted only with tools.
const NEED_TOOLS: [&str; 3] = ["tool_choice", "parallel_tool_calls", "toolChoice"];
/// The members of a request that report a usage, which the new history does not have.
const USAGE: [&str; 2] = ["usage", "usageMetadata"];

/// The items after a plan.
pub(crate) struct Applied {
    pub(crate) items: Vec<Working>,
    /// The results whose media were replaced, in order: the place of each before the plan, and its
    /// text after the plan, with the lines of its media.
    pub(crate) texts: Vec<(Place, String)>,
}

/// An item with other texts.
#[derive(Default)]
struct Edited {
    /// Its JSON; none if the texts are the same as before.
    json: Option<String>,
    /// If media were replaced, the results of the item: the part of each, and its new text.
    results: Vec<(usize, String)>,
}

impl History {
    /// Returns the items after a plan. Items that the plan makes inconsistent in the provider's own
    /// bookkeeping are removed too, such as reasoning whose item is removed.
    ///
    /// Errors: a plan for another history.
    pub(crate) fn apply(&self, items: &[Working], plan: &Plan) -> Result<Applied, Error> {
        let offset = self.offset();
        let mut texts = Vec::new();
        // The replacements of a plan are in order.
        let replaced = |index: usize| {
            let before = |to: usize| plan.replacements.partition_point(|each| (each.message as usize) < to);
            &plan.replacements[before(index)..before(index + 1)]
        };
        let is_cleared = |index: usize| {
            plan.removed_parts.binary_search_by_key(&index, |place| place.message as usize).is_ok()
        };
        let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(items.len());
        for entry in &plan.history {
            let span = match entry {
                Entry::Insert(message) => {
                    let text = self.adapter().insert(&message.text).to_string();
                    pieces.push(Piece { origin: None, text: Some(Cow::Owned(text)) });
                    continue;
                }
                Entry::Keep(span) => span.start as usize..span.end as usize,
            };
            if span.end > items.len() + offset {
                return Err(wrong("it keeps more messages"));
            }
            // The message before the items is a member of the request, which stays.
            for index in span.start.max(offset)..span.end.max(offset) {
                let at = index - offset;
                let (changes, is_cleared) = (replaced(index), is_cleared(index));
                let mut text = None;
                if !changes.is_empty() || is_cleared {
                    let edited = self.edited(at, &items[at], changes, is_cleared)?;
                    texts.extend(edited.results.into_iter().map(|(part, text)| ((index, part), text)));
                    text = edited.json.map(Cow::Owned);
                }
                pieces.push(Piece { origin: Some(at), text });
            }
        }
        let values: Vec<Cow<'_, Value>> = items.iter().map(|item| self.value(item)).collect();
        let settled = self.adapter().settle(pieces, &values, &|at| self.whole(&items[at]).into_owned());
        Ok(Applied { items: settled.into_iter().map(|piece| working(items, piece)).collect(), texts })
    }

    /// Writes an item with other texts, and without its thinking if it is cleared.
    fn edited(
        &self,
        index: usize,
        item: &Working,
        replacements: &[Replacement],
        is_cleared: bool,
    ) -> Result<Edited, Error> {
        let message = self.message(index, item)?;
        let part = |replacement: &Replacement| message.parts.get(replacement.part as usize);
        let is_text = |replacement: &&Replacement| matches!(part(replacement), Some(Part::Text(_)));
        let first_text = replacements.iter().find(is_text);
        if let Some(text) = first_text.filter(|_| message.role != Role::User) {
            return Err(wrong(&format!("part {} is not a text of the user", text.part)));
        }
        // Only the neutral form has a member for a new artifact; otherwise the memory has it.
        let is_same = |replacement: &&Replacement| match part(replacement) {
            Some(Part::ToolResult(result)) => {
                result.text == replacement.text && self.format != HistoryFormat::Neutral
            }
            _ => false,
        };
        let changed: Vec<&Replacement> =
            replacements.iter().filter(|replacement| !is_same(replacement)).collect();
        if changed.is_empty() && !is_cleared {
            return Ok(Edited::default());
        }
        // The text of a result replaces all of its texts, and media in it are found by their number: the
        // results come first, and then the media, the last one first.
        let is_medium = |replacement: &&Replacement| matches!(part(replacement), Some(Part::Media(_)));
        let (media, others): (Vec<_>, Vec<_>) = changed.into_iter().partition(is_medium);
        let with_texts = |item: Cow<'_, Value>| -> Result<Value, Error> {
            let mut item = item.into_owned();
            for replacement in others.iter().copied().chain(media.iter().copied().rev()) {
                let replaced = self.adapter().replace(&mut item, part(replacement), replacement);
                replaced.map_err(|why| wrong(&why))?;
            }
            Ok(item)
        };
        // A text of the user is found by its full text. Otherwise, the texts that are cut are
        // usually those that are replaced.
        let mut new = with_texts(if first_text.is_some() { self.whole(item) } else { self.value(item) })?;
        if first_text.is_none() && has_cut_text(&new) {
            new = with_texts(self.whole(item))?;
        }
        let read = match media.is_empty() {
            true => Vec::new(),
            false => self.adapter().read(&new).map_err(|why| wrong(&why))?.parts,
        };
        let results = read.into_iter().enumerate().filter_map(|(at, part)| match part {
            Part::ToolResult(result) => Some((at, result.text)),
            _ => None,
        });
        if is_cleared {
            self.adapter().clear_thinking(&mut new);
        }
        Ok(Edited { json: Some(new.to_string()), results: results.collect() })
    }

    /// Returns the indexes of the tools that stay; none if no tool is removed.
    pub(crate) fn kept_tools(&self, removed: &BTreeSet<String>) -> Option<Vec<u32>> {
        if removed.is_empty() {
            return None;
        }
        let definitions = self.definitions();
        let kept = definitions.iter().enumerate().filter(|(_, (name, _))| !removed.contains(name));
        Some(kept.map(|(index, _)| index as u32).collect())
    }

    /// Writes the whole history with other items, and without the members that contradict them.
    /// Everything else is preserved byte for byte.
    pub(crate) fn write(&self, items: &[Working], kept_tools: Option<&[u32]>, usage: Option<&str>) -> String {
        let texts: Vec<&str> = items.iter().map(|item| self.json(item)).collect();
        let mut members: Vec<(&'static str, Option<String>)> = Vec::new();
        let own_usage = usage.filter(|_| self.format == HistoryFormat::Neutral);
        members.extend(USAGE.map(|name| (name, own_usage.map(str::to_owned))));
        if self.format == HistoryFormat::OpenaiResponses {
            members.extend(PROVIDER_STATE.map(|name| (name, None)));
        }
        let paths = [self.adapter().tools_path(), &["tools"]];
        let found = paths.into_iter().find_map(|path| Some((path, self.document.at(path)?)));
        if let (Some(kept), Some((path, range))) = (kept_tools, found) {
            let name = path[0];
            let fewer = self.document.with_elements(range.clone(), kept);
            match path {
                // Providers refuse an empty list.
                _ if kept.is_empty() => {
                    members.push((name, None));
                    members.extend(NEED_TOOLS.map(|name| (name, None)));
                }
                [_] => members.push((name, fewer)),
                _ => {
                    let outer = self.document.at(&[name]).unwrap_or(range.clone());
                    let text = self.document.text_at(&outer);
                    let (start, end) = (range.start - outer.start, range.end - outer.start);
                    members.push((
                        name,
                        fewer.map(|fewer| format!("{}{fewer}{}", &text[..start], &text[end..])),
                    ));
                }
            }
        }
        self.document.rewrite(&Rewritten { items: Some(self.document.list(&texts)), members })
    }
}

/// Returns an item of the new history.
fn working(items: &[Working], piece: Piece<'_>) -> Working {
    let before = piece.origin.map(|at| &items[at]);
    Working {
        origin: before.and_then(|item| item.origin),
        json: match (piece.text, before) {
            (Some(text), _) => Some(text.into_owned()),
            (None, before) => before.and_then(|item| item.json.clone()),
        },
    }
}

/// Returns items as ranges of the given history and new items.
pub(crate) fn pieces(items: &[Working]) -> Vec<HistoryItem> {
    let mut pieces: Vec<HistoryItem> = Vec::new();
    for item in items {
        match (&item.json, item.origin, pieces.last_mut()) {
            (Some(json), ..) => pieces.push(HistoryItem::Insert(json.clone())),
            (None, Some(index), Some(HistoryItem::Keep(span))) if span.end == index => span.end += 1,
            (None, Some(index), _) => pieces.push(HistoryItem::Keep(Span { start: index, end: index + 1 })),
            (None, None, _) => {}
        }
    }
    pieces
}

fn wrong(why: &str) -> Error {
    Error::invalid(format!("The plan is for another history: {why}."))
}
