//! Turns a tool's output into the view that the model sees.
//!
//! ```text
//! output ─► body (measure) ─► gate ─► turn (headroom) ─► decision ─┬─► inline
//!                                                                  ├─► artifact ─► parts ─► store ─► inspect ─► envelopes
//!                                                                  └─► truncate ─► parts ─► fair shares
//! ```

mod body;
mod envelope;
mod gate;
mod part;
mod sections;
mod structured;
mod turn;
mod unwrap;
mod wording;

use std::borrow::Cow;

use std::slice;

use crate::artifact;
use crate::error::Error;
use crate::model::{Action, Artifact, ArtifactTool, Decision, Gate, Policy, ToolOutput, Turn, View};
use crate::policy::Rules;
use crate::ports::{CountTokens, Store};
use body::{Body, Parts};
use envelope::{EnvelopeFields, envelope, shows_sample, useful_tools};
use gate::Gated;
use part::{Part, is_presentable};
use sections::{Section, join, plan_sections, truncate_parts};
use tuckaway_content::{self as content, Inspected};
use tuckaway_text::lossy;
use turn::{Planned, plan};
use wording::TOOL_FAILED;

/// The least bytes that a view is truncated to.
pub const MIN_VIEW_BYTES: usize = content::MIN_VIEW_BYTES;
/// The least bytes that an envelope may have: its fixed lines, with the longest id.
pub const MIN_ENVELOPE_BYTES: usize = 768;
/// The most bytes of an envelope without its preview.
const ENVELOPE_BYTES: u64 = 3_072;
/// A view of several parts has at most the bytes of this many envelopes.
const MAX_ENVELOPES: usize = 4;

/// Returns the decision for one output. Stores nothing.
pub fn decide(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    output: &ToolOutput,
    turn: &Turn,
    policy: &Policy,
) -> Result<Decision, Error> {
    let rules = Rules::parse(policy, turn)?;
    let mut planned = plan(store, tokens, &rules, slice::from_ref(output))?;
    Ok(planned.remove(0).gated.decision)
}

/// Reduces one output to its view: the same as a turn of one output.
pub fn process(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    output: &ToolOutput,
    turn: &Turn,
    policy: &Policy,
) -> Result<View, Error> {
    Ok(process_turn(store, tokens, slice::from_ref(output), turn, policy)?.remove(0))
}

/// Reduces all outputs of one turn to views that fit the headroom together.
pub fn process_turn(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    outputs: &[ToolOutput],
    turn: &Turn,
    policy: &Policy,
) -> Result<Vec<View>, Error> {
    let rules = Rules::parse(policy, turn)?;
    plan(store, tokens, &rules, outputs)?.into_iter().map(|planned| view(store, &rules, planned)).collect()
}

/// Carries out a decision.
fn view(store: &dyn Store, rules: &Rules<'_>, planned: Planned<'_>) -> Result<View, Error> {
    let Planned { gated: Gated { body, mut decision, output, rules: tool_rules }, view_limit } = planned;
    let keeps_all = keeps_all(rules, &body, &decision);
    let (text, artifacts) = if decision.action == Action::Inline && !keeps_all {
        (body.inline_text(store, output.is_error)?.into_owned(), Vec::new())
    } else {
        let parts = body.parts(store)?;
        let mut reduction = Reduction {
            store,
            rules,
            tool: &output.tool,
            is_error: output.is_error || parts.reports_failure,
            keeps_all,
            decision: &mut decision,
        };
        match reduction.decision.action {
            Action::Artifact => {
                reduction.offload(parts, envelope_limit(rules, &body, tool_rules.threshold), view_limit)
            }
            Action::Truncate => reduction.truncate(parts, view_limit),
            Action::Inline => {
                let text = body.inline_text(store, output.is_error)?.into_owned();
                (text, reduction.store_each(&parts.all))
            }
        }
    };
    Ok(View { text, kept: body.kept, artifacts, decision })
}

/// Returns whether an output is stored even if no gate offloads it.
fn keeps_all(rules: &Rules<'_>, body: &Body<'_>, decision: &Decision) -> bool {
    rules.policy().keep_all
        && body.size_bytes > 0
        && !matches!(decision.gate, Gate::Disabled | Gate::ArtifactTool)
}

/// Returns the most bytes of a view of envelopes: no more than the output itself, or
/// than its threshold.
fn envelope_limit(rules: &Rules<'_>, body: &Body<'_>, threshold: u64) -> usize {
    let sections = section_bytes(rules).saturating_mul(body.max_parts().min(MAX_ENVELOPES) as u64);
    let limit = sections.min(body.size_bytes).min(threshold);
    usize::try_from(limit).unwrap_or(usize::MAX).max(MIN_ENVELOPE_BYTES)
}

/// Returns the most bytes of one section: an envelope with its preview.
fn section_bytes(rules: &Rules<'_>) -> u64 {
    ENVELOPE_BYTES + u64::from(rules.policy().preview_bytes)
}

/// An output that is stored, or truncated.
struct Reduction<'a> {
    store: &'a dyn Store,
    rules: &'a Rules<'a>,
    tool: &'a str,
    /// The tool failed, according to the host or to the result itself.
    is_error: bool,
    keeps_all: bool,
    decision: &'a mut Decision,
}

/// A part that is in the store, for its envelope.
struct StoredPart<'p, 'a> {
    part: &'p Part<'a>,
    artifact: &'p Artifact,
    inspected: &'p Inspected,
    /// It is the only part of its output.
    is_alone: bool,
}

impl Reduction<'_> {
    /// Stores the large parts, and shows an envelope for each. A part that the store
    /// does not accept is truncated; if it accepts none, the whole view is.
    fn offload(mut self, parts: Parts<'_>, limit: usize, view_limit: usize) -> (String, Vec<Artifact>) {
        let section_limit = usize::try_from(section_bytes(self.rules)).unwrap_or(usize::MAX);
        let (parts, sections) = match plan_sections(&parts.all, section_limit, limit) {
            Some(sections) => (parts, sections),
            None => {
                let parts = parts.merge();
                let sections = plan_sections(&parts.all, section_limit, limit).unwrap_or_default();
                (parts, sections)
            }
        };
        let is_alone = parts.all.len() == 1;
        let mut artifacts = Vec::new();
        let mut texts = Vec::new();
        let mut explained = Vec::new();
        let mut any_envelope = false;
        for (part, section) in parts.all.iter().zip(sections) {
            let inspected = self.inspect(part, &section);
            let stored = match section.is_stored || self.keeps_all {
                true => self.store(part, inspected.as_ref()),
                false => None,
            };
            texts.push(match (&stored, &inspected) {
                (Some(artifact), Some(inspected)) => {
                    any_envelope = true;
                    let stored = StoredPart { part, artifact, inspected, is_alone };
                    self.envelope(&stored, section.max_bytes, &mut explained)
                }
                (None, Some(_)) => {
                    part.truncated(part.is_message(self.is_error, is_alone), section.max_bytes)
                }
                (_, None) => part.as_text().into_owned(),
            });
            artifacts.extend(stored);
        }
        if any_envelope {
            return (join(parts.all.iter().zip(texts)), artifacts);
        }
        self.decision.action = Action::Truncate;
        (self.truncated_text(parts, view_limit), artifacts)
    }

    /// Truncates the parts to `view_limit` bytes together.
    fn truncate(mut self, parts: Parts<'_>, view_limit: usize) -> (String, Vec<Artifact>) {
        let artifacts = if self.keeps_all { self.store_each(&parts.all) } else { Vec::new() };
        (self.truncated_text(parts, view_limit), artifacts)
    }

    fn truncated_text(&self, parts: Parts<'_>, view_limit: usize) -> String {
        let (lead, limit) = match parts.reports_failure {
            true => (format!("{TOOL_FAILED}\n"), view_limit - TOOL_FAILED.len() - 1),
            false => (String::new(), view_limit),
        };
        let text = truncate_parts(&parts.all, self.is_error, limit)
            .or_else(|| truncate_parts(&parts.merge().all, self.is_error, limit));
        lead + &text.unwrap_or_default()
    }

    /// Inspects a part that its section stores.
    fn inspect(&self, part: &Part<'_>, section: &Section) -> Option<Inspected> {
        let inspect = || {
            let declared = part.media_type.as_deref();
            let mut inspected = content::inspect(part.readable(), declared, part.line_count());
            if let Some(encoding) = part.encoding() {
                inspected.set_encoding(encoding.name());
            }
            inspected
        };
        section.is_stored.then(inspect)
    }

    fn store_each(&mut self, parts: &[Part<'_>]) -> Vec<Artifact> {
        parts.iter().filter_map(|part| self.store(part, None)).collect()
    }

    /// Stores a part, unless an artifact has it already. If the store fails, returns
    /// none and records the failure in the decision.
    fn store(&mut self, part: &Part<'_>, inspected: Option<&Inspected>) -> Option<Artifact> {
        if let Some(stored) = part.stored {
            return Some(stored.clone());
        }
        let media_type = match &part.media_type {
            Some(declared) => Cow::Borrowed(&**declared),
            None => part.media_type_of(inspected.map_or_else(|| part.kind(), |inspected| inspected.kind)),
        };
        match artifact::write(self.store, self.tool, &media_type, part.as_bytes(), part.line_count()) {
            Ok(artifact) => Some(artifact),
            Err(error) => {
                if !self.decision.failures.contains(&error) {
                    self.decision.failures.push(error);
                }
                None
            }
        }
    }

    /// Returns the envelope of a stored part. `explained` collects the tools that the
    /// view has explained.
    fn envelope(&self, stored: &StoredPart<'_, '_>, max: usize, explained: &mut Vec<ArtifactTool>) -> String {
        let &StoredPart { part, artifact, inspected, is_alone } = stored;
        let preview_bytes = self.rules.policy().preview_bytes as usize;
        let bytes = part.readable();
        let own_media_type = part.media_type_of(inspected.kind);
        let is_error = part.is_message(self.is_error, is_alone);
        let is_sample = shows_sample(inspected.kind, is_error, bytes);
        let text = match is_sample {
            true => lossy(&bytes[..bytes.len().min(preview_bytes)]),
            false => part.as_text(),
        };
        // Tokens were counted for the whole output as it came in.
        let is_whole = is_alone && self.decision.size_bytes == part.len() as u64;
        let tools = useful_tools(&self.rules.turn().tools, inspected);
        let fields = EnvelopeFields {
            artifact,
            media_type: match is_presentable(&artifact.media_type) {
                true => &artifact.media_type,
                false => &own_media_type,
            },
            inspected,
            text: &content::clean(&text, inspected.kind),
            is_sample,
            token_count: self.decision.token_count.filter(|_| is_whole && !self.decision.tokens_estimated),
            is_error,
            tools: &tools,
            explained,
            preview_bytes,
        };
        let text = envelope(&fields, max);
        explained.extend(tools);
        text
    }
}
