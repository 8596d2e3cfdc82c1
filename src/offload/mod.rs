//! From a tool's output to what the model sees of it.
//!
//! ```text
//! output ─► body (measure) ─► gate ─► turn (headroom) ─► decision ─┬─► inline
//!                                                                  ├─► artifact ─► look ─► envelope
//!                                                                  └─► truncate
//! ```

mod body;
mod envelope;
mod gate;
mod turn;

use std::slice;

use crate::artifact;
use crate::error::Error;
use crate::kind::Kind;
use crate::model::{Action, Artifact, Decision, Gate, Policy, ToolOutput, Turn, View};
use crate::policy::Rules;
use crate::ports::{CountTokens, Store};
use crate::shape;
use crate::text::lossy;
use crate::truncate;
use crate::wording;
use body::is_presentable;
use envelope::{Contents, envelope, shows_sample};
use gate::Gated;
use turn::{Planned, plan};

/// A truncated view is never cut below this many bytes.
pub const MIN_VIEW_BYTES: usize = truncate::MIN_MAX_BYTES;
/// An envelope has this much room at least: its fixed lines, with the longest id.
pub const MIN_ENVELOPE_BYTES: usize = 768;
/// Room of an envelope without its preview.
const ENVELOPE_BYTES: u64 = 3_072;

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
fn view(store: &dyn Store, rules: &Rules<'_>, mut planned: Planned<'_>) -> Result<View, Error> {
    match planned.gated.decision.action {
        Action::Artifact => put_away(store, rules, planned),
        Action::Inline => {
            let text = planned.gated.body.text(store)?.into_owned();
            let artifacts = keep_if_asked(store, rules, &mut planned.gated);
            Ok(finish(planned, text, artifacts))
        }
        Action::Truncate => {
            let text = shortened(store, &planned)?;
            let artifacts = keep_if_asked(store, rules, &mut planned.gated);
            Ok(finish(planned, text, artifacts))
        }
    }
}

fn finish(planned: Planned<'_>, text: String, artifacts: Vec<Artifact>) -> View {
    let Gated { body, decision, .. } = planned.gated;
    View { text, kept: body.kept, artifacts, decision }
}

/// Stores what is not put away, if the policy wants all outputs kept.
fn keep_if_asked(store: &dyn Store, rules: &Rules<'_>, gated: &mut Gated<'_>) -> Vec<Artifact> {
    let asked = rules.policy().keep_all
        && gated.body.size_bytes > 0
        && !matches!(gated.decision.gate, Gate::Disabled | Gate::ArtifactTool);
    if !asked {
        return Vec::new();
    }
    match keep_body(store, gated, None) {
        Ok(artifact) => vec![artifact],
        Err(error) => {
            gated.decision.failures.push(error);
            Vec::new()
        }
    }
}

fn put_away(store: &dyn Store, rules: &Rules<'_>, mut planned: Planned<'_>) -> Result<View, Error> {
    let gated = &planned.gated;
    let looked = shape::look(gated.body.bytes(store)?, gated.body.media_type);
    let artifact = match keep_body(store, gated, Some(looked.kind)) {
        Ok(artifact) => artifact,
        // Never the whole output, never nothing.
        Err(error) => {
            planned.gated.decision.failures.push(error);
            planned.gated.decision.action = Action::Truncate;
            let text = shortened(store, &planned)?;
            return Ok(finish(planned, text, Vec::new()));
        }
    };
    let policy = rules.policy();
    let bytes = gated.body.bytes(store)?;
    let text = match shows_sample(looked.kind, gated.output.is_error) {
        true => lossy(&bytes[..bytes.len().min(policy.preview_bytes as usize)]),
        false => gated.body.text(store)?,
    };
    let contents = Contents {
        artifact: &artifact,
        media_type: match is_presentable(&artifact.media_type) {
            true => &artifact.media_type,
            false => looked.kind.media_type(),
        },
        looked: &looked,
        text: &text,
        token_count: gated.decision.token_count.filter(|_| !gated.decision.tokens_estimated),
        is_error: gated.output.is_error,
        tools: &rules.turn().tools,
        preview_bytes: policy.preview_bytes as usize,
    };
    let text = envelope(&contents, envelope_limit(rules, gated));
    Ok(finish(planned, text, vec![artifact]))
}

/// The bound of an output's envelope: no larger than what it stands for, or than
/// a view may be.
fn envelope_limit(rules: &Rules<'_>, gated: &Gated<'_>) -> usize {
    let room = ENVELOPE_BYTES + u64::from(rules.policy().preview_bytes);
    let limit = room.min(gated.body.size_bytes).min(gated.rules.threshold);
    usize::try_from(limit).unwrap_or(usize::MAX).max(MIN_ENVELOPE_BYTES)
}

/// An output within its bound.
fn shortened(store: &dyn Store, planned: &Planned<'_>) -> Result<String, Error> {
    let Planned { gated, view_limit } = planned;
    Ok(match shape::kind_of(gated.body.bytes(store)?, gated.body.media_type) {
        Kind::Binary if !gated.output.is_error => wording::binary(gated.body.size_bytes),
        kind => truncate::cut(&gated.body.text(store)?, kind, *view_limit),
    })
}

/// Puts a body away, unless it is there already.
fn keep_body(store: &dyn Store, gated: &gate::Gated<'_>, kind: Option<Kind>) -> Result<Artifact, Error> {
    let body = &gated.body;
    if let Some(stored) = body.stored() {
        return Ok(stored.clone());
    }
    let bytes = body.bytes(store)?;
    let media_type = match body.media_type {
        Some(named) => named,
        None => kind.unwrap_or_else(|| shape::kind_of(bytes, None)).media_type(),
    };
    artifact::put(store, &gated.output.tool, media_type, bytes, body.line_count)
}
