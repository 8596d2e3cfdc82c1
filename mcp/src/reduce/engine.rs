//! Runs the engine on its runtime, and replaces a result if the engine fails.

use std::borrow::Cow;
use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tuckaway_host::{Action, Artifact, Block, Content, Error, ToolOutput, Tuckaway, Turn, View};
use tuckaway_text::cut;

use super::abilities::ClientAbilities;
use super::output::is_passed_on;
use super::settings::{ReduceSettings, Rules};

/// The engine with its settings.
#[derive(Debug)]
pub(super) struct Engine {
    pub tuckaway: Tuckaway,
    pub runtime: Handle,
    pub settings: ReduceSettings,
}

/// The text and the items that the model sees instead of an output.
#[derive(Debug)]
pub(super) struct Replacement {
    pub action: &'static str,
    pub text: String,
    /// The indexes of the items that are passed on.
    pub kept: Vec<u32>,
    pub artifacts: Vec<Artifact>,
}

impl Replacement {
    /// Creates a replacement that only states the failure.
    pub fn failure(why: &str) -> Self {
        let text = format!(
            "The tool answered, but tuckaway could not reduce its output, so the output is lost: {why}"
        );
        Replacement { action: "failed", text, kept: Vec::new(), artifacts: Vec::new() }
    }
}

/// The size of each end of an output that is used for a truncated view if the engine cannot
/// process the whole output.
const SAMPLE_BYTES: usize = 256 << 10;

/// The minimum size to which the engine truncates.
const MIN_VIEW_BYTES: u64 = tuckaway_host::MIN_VIEW_BYTES as u64;

impl Engine {
    /// Runs work on the runtime of the engine. Returns `None` if the work panicked or the runtime
    /// has ended. The work ends when the returned future is dropped.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let mut tasks = JoinSet::new();
        tasks.spawn_on(work, &self.runtime);
        match tasks.join_next().await? {
            Ok(done) => Some(done),
            Err(error) => {
                tracing::warn!("the engine's work ended early: {error}");
                None
            }
        }
    }

    /// Returns the name under which the outputs of a server's tool are reduced: under the name of
    /// an artifact tool, they would always pass.
    pub fn name_of<'a>(&self, tool: &'a str) -> Cow<'a, str> {
        match self.settings.policy.dialect.has_tool(tool) {
            true => Cow::Owned(format!("server_{tool}")),
            false => Cow::Borrowed(tool),
        }
    }

    /// Decides on outputs that share the cap of their tool. Returns the replacement for each
    /// output, or `None` if the output passes.
    pub async fn replacements(
        &self,
        tool: &str,
        outputs: &[ToolOutput],
        client: ClientAbilities,
    ) -> Vec<Option<Replacement>> {
        let rules = self.settings.rules(tool).of_client(client);
        let turn = Turn {
            context_window: self.settings.context_window,
            used_tokens: 0,
            tools: self.settings.artifact_tools.clone(),
        };
        match self.tuckaway.process_turn(outputs, &turn, &rules.policy(outputs.len())).await {
            Ok(views) => views.into_iter().map(|view| replacement(tool, view)).collect(),
            Err(error) => {
                tracing::warn!(tool, "the engine could not process a result: {error}");
                let mut all = Vec::with_capacity(outputs.len());
                for output in outputs {
                    all.push(self.fallback(&rules, output, outputs.len(), &error).await);
                }
                all
            }
        }
    }

    /// Returns the replacement for an output that the engine could not process; `None` if the
    /// output is small enough to pass. It is one of `count` outputs that share a cap.
    pub async fn fallback(
        &self,
        rules: &Rules<'_>,
        output: &ToolOutput,
        count: usize,
        error: &Error,
    ) -> Option<Replacement> {
        let max = rules.view_bytes(count).max(MIN_VIEW_BYTES);
        let pieces = pieces(output);
        if rules.passes || pieces.iter().map(|piece| piece.len() as u64 + 1).sum::<u64>() <= max {
            return None;
        }
        let text = match self.tuckaway.truncate(sample(&pieces), max).await {
            Ok(text) => {
                format!("[tuckaway could not store this output, so it is truncated: {error}]\n{text}")
            }
            Err(second) => {
                tracing::warn!("the engine could not truncate a result either: {second}");
                format!("[tuckaway could not store this output, and could not truncate it: {error}]")
            }
        };
        Some(Replacement { action: "truncate", text, kept: media(output), artifacts: Vec::new() })
    }
}

/// Returns the indexes of the blocks that are passed on because of their declared media type.
pub(super) fn media(output: &ToolOutput) -> Vec<u32> {
    let is_media = |block: &Block| block.media_type.as_deref().is_some_and(is_passed_on);
    (0..).zip(&output.blocks).filter(|(_, block)| is_media(block)).map(|(index, _)| index).collect()
}

/// Converts a view to the replacement of its output; `None` if the output passes.
pub(super) fn replacement(tool: &str, view: View) -> Option<Replacement> {
    for failure in &view.decision.failures {
        tracing::warn!(tool, "a failure was worked around: {failure}");
    }
    let decision = &view.decision;
    if decision.action == Action::Inline {
        return None;
    }
    let action = decision.action.name();
    tracing::debug!(tool, action, bytes = decision.size_bytes, gate = ?decision.gate, "reduced a result");
    Some(Replacement { action, text: view.text, kept: view.kept, artifacts: view.artifacts })
}

/// Returns the texts of an output, or its structured content if it has no texts.
fn pieces(output: &ToolOutput) -> Vec<&[u8]> {
    let blocks = output.blocks.iter().filter_map(|block| match &block.content {
        Content::Text(text) => Some(text.as_bytes()),
        Content::Bytes(bytes) => Some(&bytes[..]),
        Content::Stored(_) => None,
    });
    let pieces: Vec<_> = blocks.filter(|piece| !piece.is_empty()).collect();
    match (&output.structured, pieces.is_empty()) {
        (Some(json), true) => vec![json.as_bytes()],
        _ => pieces,
    }
}

/// Joins the beginning and the end of texts.
fn sample(pieces: &[&[u8]]) -> String {
    let mut head = String::new();
    for piece in pieces {
        let left = SAMPLE_BYTES - head.len().min(SAMPLE_BYTES);
        if left == 0 {
            break;
        }
        head += cut::head(&String::from_utf8_lossy(&piece[..piece.len().min(left)]), left);
        head.push('\n');
    }
    if head.len() < SAMPLE_BYTES {
        return head;
    }
    let mut tail = String::new();
    for piece in pieces.iter().rev() {
        let left = SAMPLE_BYTES - tail.len().min(SAMPLE_BYTES);
        if left == 0 {
            break;
        }
        let end = &piece[piece.len().saturating_sub(left)..];
        tail = format!("{}\n{tail}", cut::tail(&String::from_utf8_lossy(end), left));
    }
    head + "\n[…]\n" + &tail
}
