//! From a tool's output to what the model sees of it.
//!
//! ```text
//! output ─► body (measure) ─► gate ─► turn (headroom) ─► decision ─┬─► inline
//!                                                                  ├─► artifact ─► parts ─► look ─► envelopes
//!                                                                  └─► truncate ─► parts ─► shares
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

use std::slice;

use crate::artifact;
use crate::error::Error;
use crate::model::{Action, Artifact, ArtifactTool, Decision, Gate, Policy, ToolOutput, Turn, View};
use crate::policy::Rules;
use crate::ports::{CountTokens, Store};
use body::{Body, Parts, is_presentable};
use envelope::{Contents, envelope, of_use, shows_sample};
use gate::Gated;
use part::Part;
use sections::{cut_to, join, lay_out};
use tuckaway_content::{self as content, Inspected};
use tuckaway_text::lossy;
use turn::{Planned, plan};
use wording::TOOL_FAILED;

/// A truncated view is never cut below this many bytes.
pub const MIN_VIEW_BYTES: usize = content::MIN_VIEW_BYTES;
/// An envelope has this much room at least: its fixed lines, with the longest id.
pub const MIN_ENVELOPE_BYTES: usize = 768;
/// Room of an envelope without its preview.
const ENVELOPE_BYTES: u64 = 3_072;
/// A view of several parts has the room of so many envelopes at most.
const MAX_ROOMS: usize = 4;

/// The decision alone; nothing is stored.
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

/// One output to its view: the same as a turn of one.
pub fn process(
    store: &dyn Store,
    tokens: &dyn CountTokens,
    output: &ToolOutput,
    turn: &Turn,
    policy: &Policy,
) -> Result<View, Error> {
    Ok(process_turn(store, tokens, slice::from_ref(output), turn, policy)?.remove(0))
}

/// All outputs of one turn to their views, so that together they fit.
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

/// Carries a decision out.
fn view(store: &dyn Store, rules: &Rules<'_>, planned: Planned<'_>) -> Result<View, Error> {
    let Planned { gated: Gated { body, mut decision, output, rules: tool_rules }, view_limit } = planned;
    let keeps_all = keeps_all(rules, &body, &decision);
    let (text, artifacts) = if decision.action == Action::Inline && !keeps_all {
        (body.shown(store, output.is_error)?.into_owned(), Vec::new())
    } else {
        let parts = body.parts(store)?;
        let mut reduction = Reduction {
            store,
            rules,
            tool: &output.tool,
            is_error: output.is_error || parts.says_failed,
            keeps_all,
            decision: &mut decision,
        };
        match reduction.decision.action {
            Action::Artifact => {
                reduction.put_away(parts, envelope_limit(rules, &body, tool_rules.threshold), view_limit)
            }
            Action::Truncate => reduction.truncate(parts, view_limit),
            Action::Inline => {
                let text = body.shown(store, output.is_error)?.into_owned();
                (text, reduction.keep_each(&parts.all))
            }
        }
    };
    Ok(View { text, kept: body.kept, artifacts, decision })
}

/// Whether an output is stored that nothing else stores.
fn keeps_all(rules: &Rules<'_>, body: &Body<'_>, decision: &Decision) -> bool {
    rules.policy().keep_all
        && body.size_bytes > 0
        && !matches!(decision.gate, Gate::Disabled | Gate::ArtifactTool)
}

/// The bound of the view of an output whose parts are put away: no larger than
/// what it stands for, or than a view may be.
fn envelope_limit(rules: &Rules<'_>, body: &Body<'_>, threshold: u64) -> usize {
    let room = section_room(rules).saturating_mul(body.most_parts().min(MAX_ROOMS) as u64);
    let limit = room.min(body.size_bytes).min(threshold);
    usize::try_from(limit).unwrap_or(usize::MAX).max(MIN_ENVELOPE_BYTES)
}

/// The bound of one section: of an envelope with its preview.
fn section_room(rules: &Rules<'_>) -> u64 {
    ENVELOPE_BYTES + u64::from(rules.policy().preview_bytes)
}

/// An output on its way into the store, or into less text.
struct Reduction<'a> {
    store: &'a dyn Store,
    rules: &'a Rules<'a>,
    tool: &'a str,
    /// The tool failed, as the host says or the result itself.
    is_error: bool,
    keeps_all: bool,
    decision: &'a mut Decision,
}

impl Reduction<'_> {
    /// Puts the large parts away. What the store does not take is cut instead:
    /// never the whole output, never nothing.
    fn put_away(mut self, parts: Parts<'_>, limit: usize, view_limit: usize) -> (String, Vec<Artifact>) {
        let room = usize::try_from(section_room(self.rules)).unwrap_or(usize::MAX);
        let (parts, sections) = match lay_out(&parts.all, room, limit) {
            Some(sections) => (parts, sections),
            None => {
                let parts = parts.in_one();
                let sections = lay_out(&parts.all, room, limit).unwrap_or_default();
                (parts, sections)
            }
        };
        let mut artifacts = Vec::new();
        let mut texts = Vec::new();
        let mut told = Vec::new();
        let mut any_away = false;
        for (part, section) in parts.all.iter().zip(sections) {
            let look = || content::inspect(part.as_bytes(), part.media_type.as_deref(), part.line_count());
            let looked = section.is_away.then(look);
            let stored = match section.is_away || self.keeps_all {
                true => self.store(part, looked.as_ref()),
                false => None,
            };
            texts.push(match (&stored, looked) {
                (Some(artifact), Some(looked)) => {
                    any_away = true;
                    self.envelope(part, artifact, &looked, parts.all.len() == 1, section.max_bytes, &mut told)
                }
                (None, Some(_)) => {
                    part.shortened(part.is_message(self.is_error, parts.all.len() == 1), section.max_bytes)
                }
                (_, None) => part.as_text().into_owned(),
            });
            artifacts.extend(stored);
        }
        if any_away {
            return (join(parts.all.iter().zip(texts)), artifacts);
        }
        self.decision.action = Action::Truncate;
        (self.cut(parts, view_limit), artifacts)
    }

    /// Cuts the parts to what a view may be.
    fn truncate(mut self, parts: Parts<'_>, view_limit: usize) -> (String, Vec<Artifact>) {
        let artifacts = if self.keeps_all { self.keep_each(&parts.all) } else { Vec::new() };
        (self.cut(parts, view_limit), artifacts)
    }

    fn cut(&self, parts: Parts<'_>, view_limit: usize) -> String {
        let (lead, limit) = match parts.says_failed {
            true => (format!("{TOOL_FAILED}\n"), view_limit - TOOL_FAILED.len() - 1),
            false => (String::new(), view_limit),
        };
        let text = cut_to(&parts.all, self.is_error, limit)
            .or_else(|| cut_to(&parts.in_one().all, self.is_error, limit));
        lead + &text.unwrap_or_default()
    }

    fn keep_each(&mut self, parts: &[Part<'_>]) -> Vec<Artifact> {
        parts.iter().filter_map(|part| self.store(part, None)).collect()
    }

    /// Stores a part, unless it is there already; none where the store fails,
    /// which the decision says.
    fn store(&mut self, part: &Part<'_>, looked: Option<&Inspected>) -> Option<Artifact> {
        if let Some(stored) = part.stored {
            return Some(stored.clone());
        }
        let media_type = match &part.media_type {
            Some(named) => named,
            None => {
                let kind = looked.map_or_else(|| part.kind(), |looked| looked.kind);
                content::media_type(kind, part.as_bytes())
            }
        };
        match artifact::put(self.store, self.tool, media_type, part.as_bytes(), part.line_count()) {
            Ok(artifact) => Some(artifact),
            Err(error) => {
                if !self.decision.failures.contains(&error) {
                    self.decision.failures.push(error);
                }
                None
            }
        }
    }

    fn envelope(
        &self,
        part: &Part<'_>,
        artifact: &Artifact,
        looked: &Inspected,
        is_alone: bool,
        max: usize,
        told: &mut Vec<ArtifactTool>,
    ) -> String {
        let preview_bytes = self.rules.policy().preview_bytes as usize;
        let bytes = part.as_bytes();
        let is_error = part.is_message(self.is_error, is_alone);
        let is_sample = shows_sample(looked.kind, is_error, bytes);
        let text = match is_sample {
            true => lossy(&bytes[..bytes.len().min(preview_bytes)]),
            false => part.as_text(),
        };
        // What was counted is the whole output as it came in.
        let is_whole = is_alone && self.decision.size_bytes == bytes.len() as u64;
        let tools = of_use(&self.rules.turn().tools, looked);
        let contents = Contents {
            artifact,
            media_type: match is_presentable(&artifact.media_type) {
                true => &artifact.media_type,
                false => content::media_type(looked.kind, bytes),
            },
            looked,
            text: &content::clean(&text, looked.kind),
            is_sample,
            token_count: self.decision.token_count.filter(|_| is_whole && !self.decision.tokens_estimated),
            is_error,
            tools: &tools,
            told,
            preview_bytes,
        };
        let text = envelope(&contents, max);
        told.extend(tools);
        text
    }
}
