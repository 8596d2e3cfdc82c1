//! The view of an output whose end is lost because the store failed: it shows the
//! beginning, and says how much is missing.

use tuckaway_host::{Action, Content, Decision, Gate, Mode, Policy, ToolOutput, Tuckaway, Turn, View};
use tuckaway_text::{cut, human_bytes, lossy};

use crate::exit::Failure;
use crate::sink::{Beginning, guess};
use crate::too_big::whole_lines_at_start;

/// Returns the view of an output whose only block is the beginning that `left` describes.
pub async fn view(
    engine: &Tuckaway,
    output: &ToolOutput,
    left: Beginning,
    turn: &Turn,
    policy: &Policy,
) -> Result<View, Failure> {
    // The beginning must not be stored as if it were the whole output.
    let mut truncating = Policy { mode: Mode::Truncate, keep_all: false, ..policy.clone() };
    for each in &mut truncating.overrides {
        each.mode = None;
    }
    let reduced = engine.process(output, turn, &truncating).await;
    let mut view =
        reduced.map_err(|error| Failure::from(left.error.clone()).with_addition(&error.message))?;
    let bytes = match output.blocks.first().map(|block| &block.content) {
        Some(Content::Bytes(bytes)) => bytes.as_slice(),
        _ => &[],
    };
    // The engine's view has an allowed size, but its notice mentions a tail, which is
    // not the tail of the output.
    let bound = match (view.decision.action, view.decision.gate) {
        (Action::Inline, Gate::Disabled | Gate::Exempt | Gate::ArtifactTool) => usize::MAX,
        // The beginning fits, although the output may not have.
        (Action::Inline, _) => policy.max_view_bytes.map_or(usize::MAX, |max| max as usize),
        _ => view.text.len(),
    };
    let notice = |missing: u64| {
        format!(
            "\n... [truncated {}: the store failed; only the beginning was kept] ...\n",
            human_bytes(missing)
        )
    };
    let binary = !view.kept.is_empty() || guess(bytes) == "application/octet-stream";
    view.text = match binary && !output.is_error {
        // Part of an image is not an image.
        true => format!("[binary output of {}, not shown]", human_bytes(left.size)) + &notice(left.size),
        false => {
            let text = lossy(bytes);
            let shown = cut::head(&text, bound.saturating_sub(notice(left.size).len()));
            let shown = String::from_utf8_lossy(whole_lines_at_start(shown.as_bytes()));
            format!("{shown}{}", notice(left.size.saturating_sub(shown.len() as u64)))
        }
    };
    view.kept.clear();
    view.decision.action = Action::Truncate;
    view.decision.gate = gate(&view.decision, left.size);
    view.decision.size_bytes = left.size;
    view.decision.line_count = left.lines;
    // Only the tokens of the beginning were counted.
    view.decision.token_count = None;
    view.decision.failures.push(left.error);
    Ok(view)
}

/// Returns the gate of the whole output by its size, or else the gate of its beginning.
fn gate(of_beginning: &Decision, size: u64) -> Gate {
    match of_beginning.gate {
        independent @ (Gate::Disabled | Gate::Exempt | Gate::ArtifactTool) => independent,
        _ if size > of_beginning.max_threshold_bytes => Gate::Ceiling,
        _ if size > of_beginning.threshold_bytes => Gate::PerOutput,
        other => other,
    }
}
