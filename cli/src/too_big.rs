//! The view of a stored output that is too large for the engine: the model gets its id,
//! its size, its head and its tail.

use tuckaway_host::{Action, Decision, Error, Policy, Store, Turn, View};
use tuckaway_text::cut;

use crate::exit::Failure;
use crate::print::number;

/// The maximum size of the head, and of the tail.
const END_BYTES: u64 = 2048;

/// Returns a view that says what is stored and how to query it, in place of the engine's
/// view. The engine's error becomes one of the decision's failures.
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
    // Half of the bytes that a truncated view may have, minus the notice.
    let bound = policy.max_view_bytes.unwrap_or(u64::MAX).max(512);
    let end = (bound / 2).saturating_sub(64).min(END_BYTES);
    let from = artifact.size_bytes.saturating_sub(end);
    let head = store.read(id, 0, end as u32).await.map_err(failed)?;
    let tail = store.read(id, from, end as u32).await.map_err(failed)?;
    let (head, tail) = (whole_lines_at_start(&head), whole_lines_at_end(&tail));
    let omitted = artifact.size_bytes.saturating_sub((head.len() + tail.len()) as u64);
    // Replacing invalid UTF-8 makes it longer.
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    let head = cut::head(&head, end as usize);
    let tail = cut::tail(&tail, end as usize);

    let mut text = String::new();
    if decision.action == Action::Artifact {
        let tools: Vec<&str> = policy.dialect.tools_of(&turn.tools).collect();
        // A model without tools cannot query it.
        let query = match tools.is_empty() {
            true => String::new(),
            false => format!("; query it with {}", tools.join(", ")),
        };
        text += &format!(
            "The whole output is stored as artifact {id}: {} bytes, {} lines. It is too large to \
             describe{query}. It begins and ends like this:\n\n",
            number(artifact.size_bytes),
            number(artifact.line_count),
        );
    }
    text += &format!("{head}\n... [{} bytes omitted; head and tail preserved] ...\n{tail}", number(omitted));
    let artifacts = if decision.action == Action::Artifact { vec![artifact] } else { Vec::new() };
    decision.failures.push(error);
    Ok(View { text, kept: Vec::new(), artifacts, decision })
}

/// Drops an incomplete last line, unless it is the only one.
pub fn whole_lines_at_start(bytes: &[u8]) -> &[u8] {
    memchr::memrchr(b'\n', bytes).map_or(bytes, |feed| &bytes[..feed])
}

/// Drops an incomplete first line, unless it is the only one.
fn whole_lines_at_end(bytes: &[u8]) -> &[u8] {
    match memchr::memchr(b'\n', bytes) {
        Some(feed) if feed + 1 < bytes.len() => &bytes[feed + 1..],
        _ => bytes,
    }
}
