//! The view of an output in the store that the engine could not take in: it is
//! kept whole, so the model gets its id, its size, and its two ends.

use tuckaway_host::{Action, Decision, Error, Policy, Store, Turn, View};
use tuckaway_text::cut;

use crate::exit::Failure;
use crate::print::number;

/// Bytes of either end that are shown at most.
const END_BYTES: u64 = 2048;

/// Says what there is and how to ask for it, in place of what the engine would
/// have said; its error is among the decision's failures.
pub async fn view(
    store: &dyn Store,
    id: &str,
    turn: &Turn,
    policy: &Policy,
    mut decision: Decision,
    error: Error,
) -> Result<View, Failure> {
    let failed = |error: tuckaway_host::StoreError| error.into_error("reading an artifact", id);
    let artifact = store.stat(id).await.map_err(failed)?;
    // Half of what a truncated view may have, but for the notice.
    let bound = policy.max_view_bytes.unwrap_or(u64::MAX).max(512);
    let end = (bound / 2).saturating_sub(64).min(END_BYTES);
    let from = artifact.size_bytes.saturating_sub(end);
    let head = store.read(id, 0, end as u32).await.map_err(failed)?;
    let tail = store.read(id, from, end as u32).await.map_err(failed)?;
    let (head, tail) = (whole_lines_at_start(&head), whole_lines_at_end(&tail));
    let left_out = artifact.size_bytes.saturating_sub((head.len() + tail.len()) as u64);
    // What is no text grows as it becomes some.
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    let head = cut::head(&head, end as usize);
    let tail = cut::tail(&tail, end as usize);

    let mut text = String::new();
    if decision.action == Action::Artifact {
        let tools: Vec<&str> = turn.tools.iter().map(|tool| tool.name()).collect();
        // A model without tools cannot ask, so it is not told to.
        let ask = match tools.is_empty() {
            true => String::new(),
            false => format!("; ask for what you need of it with {}", tools.join(", ")),
        };
        text += &format!(
            "The output was put away whole as artifact {id}: {} bytes, {} lines. It is too large to be \
             summed up{ask}. It begins and ends like this:\n\n",
            number(artifact.size_bytes),
            number(artifact.line_count),
        );
    }
    text +=
        &format!("{head}\n... [{} bytes left out; head and tail preserved] ...\n{tail}", number(left_out));
    let artifacts = if decision.action == Action::Artifact { vec![artifact] } else { Vec::new() };
    decision.failures.push(error);
    Ok(View { text, kept: Vec::new(), artifacts, decision })
}

/// Without a last line that is cut, unless it is the only one.
pub fn whole_lines_at_start(bytes: &[u8]) -> &[u8] {
    memchr::memrchr(b'\n', bytes).map_or(bytes, |feed| &bytes[..feed])
}

/// Without a first line that is cut, unless it is the only one.
fn whole_lines_at_end(bytes: &[u8]) -> &[u8] {
    match memchr::memchr(b'\n', bytes) {
        Some(feed) if feed + 1 < bytes.len() => &bytes[feed + 1..],
        _ => bytes,
    }
}
