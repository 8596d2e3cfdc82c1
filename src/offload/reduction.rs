//! Carries out a decision: stores an output and shows its envelopes, or truncates it.

use std::borrow::Cow;

use tuckaway_contract::{Action, Artifact, ArtifactTool, Decision, Error, MIN_VIEW_BYTES};

use super::body::Parts;
use super::envelope::{EnvelopeFields, envelope, sampled_bytes, shows_sample, useful_tools};
use super::part::{Part, is_presentable};
use super::sections::{Section, join, plan_sections, truncate_parts};
use super::tokens::{Counter, ViewLimits};
use super::wording::TOOL_FAILED;
use super::{MAX_ENVELOPES, MIN_ENVELOPE_BYTES, section_bytes};
use crate::artifact;
use crate::policy::Rules;
use crate::ports::Store;
use crate::tools::dialects::{self, View};
use tuckaway_content::{self as content, Facts, Inspected};
use tuckaway_text::{cut, lossy};

/// Parts of at most this many bytes have their tokens counted for their message.
const MAX_COUNTED_BYTES: usize = 1 << 20;

/// Bytes at the head of a part that are decoded for its message: more than any message shows.
const MAX_SHOWN_BYTES: usize = 8 << 20;

/// An output that is stored, or truncated.
pub struct Reduction<'a> {
    pub store: &'a dyn Store,
    pub counter: Counter<'a>,
    pub rules: &'a Rules<'a>,
    pub tool: &'a str,
    /// The tool failed, according to the host or to the result itself.
    pub is_error: bool,
    pub keeps_all: bool,
    pub limits: ViewLimits,
    pub decision: &'a mut Decision,
}

/// A part of an output that is stored, with the content of its section.
struct Shown<'p, 'a> {
    part: &'p Part<'a>,
    section: Section,
    /// It is the only part of its output.
    is_alone: bool,
    /// None if it is shown unchanged.
    inspected: Option<Inspected>,
    /// None if it is not stored.
    artifact: Option<Artifact>,
    /// Its tokens, if its message states them.
    tokens: u64,
}

/// A part that is in the store, for its envelope.
struct Stored<'p, 'a> {
    part: &'p Part<'a>,
    is_alone: bool,
    artifact: &'p Artifact,
    inspected: &'p Inspected,
}

impl Reduction<'_> {
    /// Stores the large parts, and shows an envelope for each, in at most `max_bytes`. A part that
    /// the store does not accept is truncated; if it accepts none, the whole view is truncated.
    pub fn offload(mut self, parts: &Parts<'_>, max_bytes: usize) -> (String, Vec<Artifact>) {
        let section_limit = usize::try_from(section_bytes(self.rules)).unwrap_or(usize::MAX);
        // A low token limit makes the sections small, but never merges them.
        let least = MIN_ENVELOPE_BYTES * parts.all.len().min(MAX_ENVELOPES);
        let few_bytes = self.limits.expected_bytes.max(least).min(max_bytes);
        let (shown_parts, sections) = match plan_sections(&parts.all, section_limit, few_bytes) {
            Some(sections) if sections.len() > 1 => (&parts.all[..], sections),
            _ => {
                (parts.merged(), plan_sections(parts.merged(), section_limit, max_bytes).unwrap_or_default())
            }
        };
        let is_alone = shown_parts.len() == 1;
        let mut shown = Vec::new();
        for (part, section) in shown_parts.iter().zip(sections) {
            let inspected = self.inspect(part, &section);
            let artifact = match section.is_stored || self.keeps_all {
                true => self.store(part, inspected.as_ref()),
                false => None,
            };
            let tokens = match &dialects::table(self.rules.policy().dialect).view {
                View::Message(message) if message.counts_tokens && artifact.is_some() => {
                    self.tokens_of(part, is_alone)
                }
                _ => 0,
            };
            shown.push(Shown { part, section, is_alone, inspected, artifact, tokens });
        }
        let any_envelope = shown.iter().any(|shown| shown.inspected.is_some() && shown.artifact.is_some());
        let text = match any_envelope {
            true => self.envelopes(&shown),
            false => {
                self.decision.action = Action::Truncate;
                self.truncated_text(parts)
            }
        };
        (text, shown.into_iter().filter_map(|shown| shown.artifact).collect())
    }

    /// Returns the sections of a view within its limit of tokens.
    fn envelopes(&mut self, shown: &[Shown<'_, '_>]) -> String {
        let planned: usize = shown.iter().map(|shown| shown.section.max_bytes).sum();
        let limits = ViewLimits { max_bytes: planned, expected_bytes: planned, ..self.limits };
        self.fitted(limits, MIN_ENVELOPE_BYTES, |reduction, bytes| {
            let mut explained = Vec::new();
            let sections = shown.iter().map(|shown| {
                let share =
                    (shown.section.max_bytes as u128 * bytes as u128 / planned.max(1) as u128) as usize;
                (shown.part, reduction.section(shown, share, &mut explained))
            });
            join(sections)
        })
    }

    /// Returns the text of one section, in at most `max_bytes` unless that is below its minimum
    /// size. `explained` collects the tools that the view has explained.
    fn section(&self, shown: &Shown<'_, '_>, max_bytes: usize, explained: &mut Vec<ArtifactTool>) -> String {
        let part = shown.part;
        match (&shown.artifact, &shown.inspected) {
            (Some(artifact), Some(inspected)) => {
                let stored = Stored { part, is_alone: shown.is_alone, artifact, inspected };
                match &dialects::table(self.rules.policy().dialect).view {
                    View::Envelope => self.envelope(&stored, max_bytes, explained),
                    View::Message(message) => {
                        let max_bytes = max_bytes.max(MIN_ENVELOPE_BYTES);
                        self.message(&stored, shown.tokens, |stored| (message.write)(stored, max_bytes))
                    }
                }
            }
            (None, Some(_)) => part.truncated(part.is_message(self.is_error, shown.is_alone), max_bytes),
            (_, None) => part.as_text().into_owned(),
        }
    }

    /// Truncates the parts to the limits together.
    pub fn truncate(mut self, parts: &Parts<'_>) -> (String, Vec<Artifact>) {
        let artifacts = if self.keeps_all { self.store_each(&parts.all) } else { Vec::new() };
        (self.truncated_text(parts), artifacts)
    }

    fn truncated_text(&mut self, parts: &Parts<'_>) -> String {
        let lead = if parts.reports_failure { format!("{TOOL_FAILED}\n") } else { String::new() };
        self.fitted(self.limits, MIN_VIEW_BYTES, |reduction, bytes| {
            let bytes = bytes - lead.len();
            let text = truncate_parts(&parts.all, reduction.is_error, bytes)
                .or_else(|| truncate_parts(parts.merged(), reduction.is_error, bytes));
            format!("{lead}{}", text.unwrap_or_default())
        })
    }

    /// Builds a view within its limits, but in at least `least` bytes.
    fn fitted(&mut self, limits: ViewLimits, least: usize, cut: impl Fn(&Self, usize) -> String) -> String {
        let mut failure = None;
        let mut is_estimated = self.decision.tokens_estimated;
        let count = |view: &str| {
            let counted = if is_estimated { None } else { Some(self.counter.count(view)) };
            match counted {
                Some(Ok(tokens)) => tokens,
                failed => {
                    is_estimated = true;
                    failure = failure.take().or(failed.and_then(Result::err));
                    self.counter.estimate(view.len() as u64)
                }
            }
        };
        let view = limits.fit(least, count, |bytes| cut(self, bytes));
        self.fail(failure);
        view
    }

    /// Records a failure that did not prevent the view.
    fn fail(&mut self, failure: Option<Error>) {
        self.decision.failures.extend(failure.filter(|error| !self.decision.failures.contains(error)));
    }

    /// Inspects a part if its section stores it.
    fn inspect(&self, part: &Part<'_>, section: &Section) -> Option<Inspected> {
        let inspect = || {
            let facts = Facts {
                claimed: part.media_type.as_deref(),
                line_count: part.line_count(),
                has_failed: self.is_error,
            };
            let mut inspected = content::inspect(part.readable(), &facts);
            if let Some(encoding) = part.encoding() {
                inspected.set_encoding(encoding.name());
            }
            inspected
        };
        section.is_stored.then(inspect)
    }

    pub fn store_each(&mut self, parts: &[Part<'_>]) -> Vec<Artifact> {
        parts.iter().filter_map(|part| self.store(part, None)).collect()
    }

    /// Stores a part unless it is already an artifact. If the store fails, returns none and records
    /// the failure in the decision.
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
                self.fail(Some(error));
                None
            }
        }
    }

    /// Returns the tokens of a part: the decision's count if it is for this part alone, otherwise
    /// counted, or estimated for a large part.
    fn tokens_of(&mut self, part: &Part<'_>, is_alone: bool) -> u64 {
        let is_whole = is_alone && self.decision.size_bytes == part.len() as u64;
        if let Some(tokens) = self.decision.token_count.filter(|_| is_whole) {
            return tokens;
        }
        let estimate = self.counter.estimate(part.len() as u64);
        if part.len() > MAX_COUNTED_BYTES || self.decision.tokens_estimated {
            return estimate;
        }
        self.counter.count(&part.as_text()).unwrap_or_else(|failure| {
            self.fail(Some(failure));
            estimate
        })
    }

    /// Returns the message of a stored part, in a dialect that has one.
    fn message(
        &self,
        stored: &Stored<'_, '_>,
        tokens: u64,
        write: impl Fn(&dialects::Stored<'_>) -> String,
    ) -> String {
        let &Stored { part, artifact, inspected, .. } = stored;
        let note = part.note();
        let text = part.as_text();
        let shown = match &note {
            Some(note) => Cow::Borrowed(&**note),
            None => content::clean(cut::head(&text, MAX_SHOWN_BYTES), inspected.kind),
        };
        write(&dialects::Stored {
            store: self.store,
            artifact,
            tokens,
            text: &shown,
            is_text: note.is_none(),
            tools: &useful_tools(&self.rules.turn().tools, inspected),
            policy: self.rules.policy(),
        })
    }

    /// Returns the envelope of a stored part. `explained` collects the tools that the
    /// view has explained.
    fn envelope(&self, stored: &Stored<'_, '_>, max: usize, explained: &mut Vec<ArtifactTool>) -> String {
        let &Stored { part, is_alone, artifact, inspected } = stored;
        let preview_bytes = self.rules.policy().preview_bytes as usize;
        let bytes = part.readable();
        let own_media_type = part.media_type_of(inspected.kind);
        let is_error = part.is_message(self.is_error, is_alone);
        let is_sample = shows_sample(inspected, is_error, bytes);
        let text = match is_sample {
            true => lossy(&bytes[..bytes.len().min(sampled_bytes(preview_bytes))]),
            false => part.as_text(),
        };
        let shown = content::clean(&text, inspected.kind);
        let is_inspected = matches!((&text, &shown), (Cow::Borrowed(_), Cow::Borrowed(_)));
        // Tokens were counted for the whole original output.
        let is_whole = is_alone && self.decision.size_bytes == part.len() as u64;
        let tools = useful_tools(&self.rules.turn().tools, inspected);
        let fields = EnvelopeFields {
            artifact,
            media_type: match is_presentable(&artifact.media_type) {
                true => &artifact.media_type,
                false => &own_media_type,
            },
            inspected,
            text: &shown,
            middle: Some(&inspected.middle).filter(|_| is_inspected),
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
