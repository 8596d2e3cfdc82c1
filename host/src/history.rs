//! Manages a provider's history in one call.

use std::fmt::Display;
use std::future::Future;

use tuckaway::{
    ArtifactTools, Block, Content, Error, Mode, Policy, SummaryRequest, Task, TokenUsage, ToolOutput, Turn,
};
use tuckaway_histories::{History, HistoryError, Managing, Memory, Report};

use crate::tuckaway::Tuckaway;

/// The result of managing a history.
#[derive(Clone, Debug)]
pub struct Managed {
    /// The history with which the agent continues.
    pub history: History,
    /// The memory to pass to the next call.
    pub memory: Memory,
    /// A report of what was done.
    pub report: Report,
}

impl Tuckaway {
    /// Keeps the history of an agent within its window: plans a task, usually
    /// [`Task::Manage`], and applies its steps. Call it before each request to the model,
    /// with the usage that the model's last answer reported.
    ///
    /// `summarize` sends a request to a model and returns its answer. It is called only if a
    /// plan needs it. An error counts as an answer without a summary, and the history is then
    /// planned without one. `memory` is the memory of the last call, or the default.
    ///
    /// Errors: [`InvalidInput`](tuckaway::ErrorKind::InvalidInput) for a history whose calls
    /// and results are not paired, and for a configuration that contradicts itself.
    pub async fn manage_history<S, Answer, Failure>(
        &self,
        history: &History,
        memory: &Memory,
        usage: Option<TokenUsage>,
        task: &Task,
        mut summarize: S,
    ) -> Result<Managed, Error>
    where
        S: FnMut(SummaryRequest) -> Answer,
        Answer: Future<Output = Result<String, Failure>>,
        Failure: Display,
    {
        let mut managing = Managing::new(history, memory, usage).map_err(invalid)?;
        while let Some(request) = self.next_step(&mut managing, task).await? {
            managing.answer(summarize(request).await.map_err(|failure| failure.to_string()));
        }
        let (history, memory, report) = managing.finish();
        Ok(Managed { history, memory, report })
    }

    /// Plans the next step for a history and applies it, as [`manage_history`](Self::manage_history)
    /// does, for callers that ask the model themselves. Returns the request to send to the model
    /// before the next step, or `None` if this was the last step.
    ///
    /// Items with images or files that a step removes are stored whole. If the store does not
    /// accept them, the history is not changed.
    pub async fn next_step(
        &self,
        managing: &mut Managing,
        task: &Task,
    ) -> Result<Option<SummaryRequest>, Error> {
        let step = self.plan(managing.conversation(), task, managing.answers(), managing.state()).await?;
        if let Some(originals) = managing.originals(&step.plan) {
            match self.keep(originals).await? {
                Ok(artifact) => managing.add_originals(artifact),
                Err(why) => {
                    managing.decline(step.plan, &why);
                    return Ok(None);
                }
            }
        }
        managing.advance(step).map_err(invalid)
    }

    /// Stores the items of a history as an artifact and returns its id, or why it could not
    /// be stored.
    async fn keep(&self, items: String) -> Result<Result<String, String>, Error> {
        let output = ToolOutput {
            tool: "conversation".to_owned(),
            is_error: false,
            blocks: vec![Block {
                content: Content::Text(items),
                media_type: Some("application/x-ndjson".to_owned()),
            }],
            structured: None,
        };
        let turn = Turn { context_window: 1, used_tokens: 0, tools: ArtifactTools::new() };
        // With these thresholds, every size is too large.
        let policy = Policy {
            mode: Mode::Artifact,
            min_threshold_bytes: 0,
            max_threshold_bytes: 0,
            ..Policy::default()
        };
        let view = self.process(&output, &turn, &policy).await?;
        let failure = view.decision.failures.first().map(|error| error.message.clone());
        let artifact = view.artifacts.into_iter().next().map(|artifact| artifact.id);
        Ok(artifact.ok_or_else(|| failure.unwrap_or_else(|| "The store failed.".to_owned())))
    }
}

fn invalid(error: HistoryError) -> Error {
    Error::invalid(error.to_string())
}
