//! `--explain`: the decision as a table of all gates, in the order in which they are
//! evaluated.

use std::fmt::Write;

use tuckaway_host::{Decision, Gate, Policy, ToolOutput, Turn, View};

use crate::print::{inline, number};

/// The gates in their order.
const GATES: [Gate; 9] = [
    Gate::Disabled,
    Gate::Exempt,
    Gate::ArtifactTool,
    Gate::BelowFloor,
    Gate::Ceiling,
    Gate::PerOutput,
    Gate::TokenCap,
    Gate::Headroom,
    Gate::Fits,
];

/// Renders one line for each gate: what it compared, and whether it holds. The first
/// gate that holds decides; the gates after it were not reached.
pub fn table(output: &ToolOutput, turn: &Turn, policy: &Policy, view: &View) -> String {
    let decision = &view.decision;
    let rows: Vec<(String, String, &str)> = GATES
        .into_iter()
        .scan(false, |decided, gate| {
            let holds = match (*decided, gate == decision.gate) {
                (true, _) => "",
                (false, true) => "yes",
                (false, false) => "no",
            };
            *decided |= gate == decision.gate;
            Some((gate.name().to_owned(), compared(gate, output, turn, policy, decision), holds))
        })
        .collect();
    let width = |column: fn(&(String, String, &str)) -> usize| rows.iter().map(column).max().unwrap_or(0);
    let (gates, comparisons) = (width(|row| row.0.len()), width(|row| row.1.chars().count()));
    let mut table = String::new();
    let _ = writeln!(table, "{:gates$}  {:comparisons$}  HOLDS", "GATE", "COMPARED");
    for (gate, compared, holds) in rows {
        let _ = writeln!(
            table,
            "{gate:gates$}  {compared:comparisons$}  {}",
            if holds.is_empty() { "not reached" } else { holds }
        );
    }
    let _ = write!(
        table,
        "{}: {} bytes, {} lines{} → {}",
        inline(&output.tool),
        number(decision.size_bytes),
        number(decision.line_count),
        tokens(decision).map(|tokens| format!(", {tokens}")).unwrap_or_default(),
        decision.action.name()
    );
    for artifact in &view.artifacts {
        let _ = write!(table, " {}", artifact.id);
    }
    let _ = writeln!(table, ", {} bytes for the model", number(view.text.len() as u64));
    table
}

fn compared(gate: Gate, output: &ToolOutput, turn: &Turn, policy: &Policy, decision: &Decision) -> String {
    let size = number(decision.size_bytes);
    // An invalid byte is shown as U+FFFD, which takes three bytes.
    let is_larger = |limit| gate == decision.gate && decision.size_bytes <= limit;
    let as_shown = |limit| if is_larger(limit) { " (more when shown)" } else { "" };
    match gate {
        Gate::Disabled => format!("enabled is {}", policy.enabled),
        Gate::Exempt => match &decision.matched_override {
            // An earlier gate may have decided, so the override itself is inspected.
            Some(glob)
                if policy
                    .overrides
                    .iter()
                    .find(|each| each.tools == *glob)
                    .is_some_and(|each| each.exempt) =>
            {
                format!("override {glob:?} exempts {}", inline(&output.tool))
            }
            Some(glob) => format!("override {glob:?} applies but does not exempt"),
            None => format!("no override applies to {}", inline(&output.tool)),
        },
        Gate::ArtifactTool => {
            let is = if policy.dialect.has_tool(&output.tool) { "is" } else { "is not" };
            format!("{} {is} an artifact tool", inline(&output.tool))
        }
        Gate::BelowFloor => format!("{size} bytes < {}", number(decision.min_threshold_bytes)),
        Gate::Ceiling => format!(
            "{size} bytes{} > {}",
            as_shown(decision.max_threshold_bytes),
            number(decision.max_threshold_bytes)
        ),
        Gate::PerOutput => format!(
            "{size} bytes{} > {} ({} × {} tokens × {} bytes)",
            as_shown(decision.threshold_bytes),
            number(decision.threshold_bytes),
            policy.context_percentage,
            number(turn.context_window),
            policy.bytes_per_token
        ),
        Gate::TokenCap => match decision.max_output_tokens {
            None => "no cap is set".to_owned(),
            Some(cap) => format!("{} > {}", counted(decision), number(cap)),
        },
        Gate::Headroom => match decision.headroom_tokens {
            None => "the gate is off".to_owned(),
            Some(left) => format!(
                "{} > {} ({} × {} tokens − {} used{})",
                counted(decision),
                number(left),
                policy.headroom_percentage,
                number(turn.context_window),
                number(turn.used_tokens),
                decision.kept_tokens.map(|kept| format!(" − {} passed on", number(kept))).unwrap_or_default()
            ),
        },
        Gate::Fits => "none of the above".to_owned(),
    }
}

/// Formats the token count, which exists only if it could change the decision.
fn counted(decision: &Decision) -> String {
    tokens(decision).unwrap_or_else(|| "tokens (not counted)".to_owned())
}

fn tokens(decision: &Decision) -> Option<String> {
    let tokens = number(decision.token_count?);
    Some(match decision.tokens_estimated {
        true => format!("{tokens} tokens (estimated)"),
        false => format!("{tokens} tokens"),
    })
}
