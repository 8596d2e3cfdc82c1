//! Turns a tool's output into the view that the model sees.
//!
//! ```text
//! output ─► body (measure) ─► gate ─► turn (headroom) ─► decision ─┬─► inline
//!                                                                  ├─► artifact ─► parts ─► inspect ─► store ─► envelopes
//!                                                                  └─► truncate ─► parts ─► fair shares
//! ```
//!
//! A view with too many tokens is rebuilt with a smaller limit (`tokens`).

mod body;
mod envelope;
mod gate;
mod part;
mod reduction;
mod sections;
mod structured;
mod tokens;
mod turn;
mod unwrap;
mod wording;

use std::slice;

use tuckaway_contract::{Action, Decision, Error, Gate, MIN_VIEW_BYTES, Policy, ToolOutput, Turn, View};

use crate::policy::Rules;
use crate::ports::{CountTokens, Store};
use crate::tools::dialects;
use body::Body;
use gate::Gated;
use reduction::Reduction;
use tokens::Counter;
use turn::{Planned, plan};

/// Every kind can be truncated to the minimum size of a view.
const _: () = assert!(MIN_VIEW_BYTES == tuckaway_content::MIN_VIEW_BYTES);
/// An envelope needs at least this many bytes: its fixed lines, with the longest id.
pub const MIN_ENVELOPE_BYTES: usize = 768;
/// Maximum bytes of an envelope without its preview.
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
    let mut planned = plan(store, Counter::new(tokens, &rules), &rules, slice::from_ref(output))?;
    Ok(planned.remove(0).gated.decision)
}

/// Reduces one output to its view, like a turn with one output.
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
    let counter = Counter::new(tokens, &rules);
    plan(store, counter, &rules, outputs)?
        .into_iter()
        .map(|planned| view(store, counter, &rules, planned))
        .collect()
}

/// Carries out a decision.
fn view(
    store: &dyn Store,
    counter: Counter<'_>,
    rules: &Rules<'_>,
    planned: Planned<'_>,
) -> Result<View, Error> {
    let Planned { gated: Gated { body, mut decision, output, rules: tool_rules }, limits } = planned;
    let keeps_all = keeps_all(rules, &body, &decision);
    let (text, artifacts) = if decision.action == Action::Inline && !keeps_all {
        (body.inline_text(store, output.is_error)?.into_owned(), Vec::new())
    } else {
        let parts = body.parts(store)?;
        let mut reduction = Reduction {
            store,
            counter,
            rules,
            tool: &output.tool,
            is_error: output.is_error || parts.reports_failure,
            keeps_all,
            limits,
            decision: &mut decision,
        };
        match reduction.decision.action {
            Action::Artifact => reduction.offload(&parts, envelope_limit(rules, &body, tool_rules.threshold)),
            Action::Truncate => reduction.truncate(&parts),
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

/// Returns the maximum bytes of a view of envelopes: never more than the output itself or its
/// threshold.
fn envelope_limit(rules: &Rules<'_>, body: &Body<'_>, threshold: u64) -> usize {
    let sections = section_bytes(rules).saturating_mul(body.max_parts().min(MAX_ENVELOPES) as u64);
    let limit = sections.min(body.size_bytes).min(threshold);
    usize::try_from(limit).unwrap_or(usize::MAX).max(MIN_ENVELOPE_BYTES)
}

/// Returns the maximum bytes of one section: an envelope with its preview, or the dialect's
/// equivalent.
fn section_bytes(rules: &Rules<'_>) -> u64 {
    let policy = rules.policy();
    match &dialects::table(policy.dialect).view {
        dialects::View::Envelope => ENVELOPE_BYTES + u64::from(policy.preview_bytes),
        dialects::View::Message(message) => (message.max_bytes)(policy),
    }
}
