//! Manages a provider's history.

use std::fmt::Display;
use std::future::Future;

use serde_json::Value;
use tuckaway_contract::{
    Error, HistoryFormat, HistoryInput, HistoryItem, HistoryStep, ManagedHistory, SummaryAnswer,
    SummaryRequest, Task, TokenUsage,
};

use crate::tuckaway::{Tuckaway, call};

impl Tuckaway {
    /// Keeps the history of an agent within its window: plans a task, usually [`Task::Manage`], and
    /// applies its steps. Call it before each request to the model, with the usage that the model's
    /// last answer reported.
    ///
    /// `summarize` sends a request to a model and returns its answer. It is called only if a plan
    /// needs it. An error counts as an answer without a summary, and the history is then planned
    /// without one. `memory` is the memory that the last call returned.
    ///
    /// Errors: [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for a malformed history, usage or
    /// memory, and for a configuration that contradicts itself.
    pub async fn manage_history<S, Answer, Failure>(
        &self,
        input: &HistoryInput,
        memory: Option<&str>,
        task: &Task,
        mut summarize: S,
    ) -> Result<ManagedHistory, Error>
    where
        S: FnMut(SummaryRequest) -> Answer,
        Answer: Future<Output = Result<String, Failure>>,
        Failure: Display,
    {
        let answer = |request: SummaryRequest, _: Option<String>| {
            let asked = summarize(request);
            async move {
                match asked.await {
                    Ok(text) => SummaryAnswer::Text(text),
                    Err(failure) => SummaryAnswer::Failed(failure.to_string()),
                }
            }
        };
        self.manage_history_with(input, memory, task, answer).await
    }

    /// Keeps the history of an agent within its window, as [`manage_history`](Self::manage_history) does,
    /// with answers of any kind.
    ///
    /// `answer` gets the request and, if the provider's own compaction may answer it, the items to compact
    /// as a JSON list: [`SummaryAnswer::Compacted`] has the items that the provider returns for them, as
    /// from [`Model::compact`](crate::Model::compact). If these cannot be used, `answer` is called
    /// once more, without items.
    ///
    /// Errors: as [`manage_history`](Self::manage_history).
    pub async fn manage_history_with<A, Answer>(
        &self,
        input: &HistoryInput,
        memory: Option<&str>,
        task: &Task,
        mut answer: A,
    ) -> Result<ManagedHistory, Error>
    where
        A: FnMut(SummaryRequest, Option<String>) -> Answer,
        Answer: Future<Output = SummaryAnswer>,
    {
        let mut step = self.start_history(input, memory, task).await?;
        while let Some(request) = step.request.take() {
            let answer = answer(request, json_of(&step.compactable, input)).await;
            step = self.step_history(input, task, &step.state, &answer).await?;
        }
        Ok(step.history)
    }

    /// Plans the first step for a history and applies it, as
    /// [`manage_history`](Self::manage_history) does, for callers that ask the model themselves.
    pub async fn start_history(
        &self,
        input: &HistoryInput,
        memory: Option<&str>,
        task: &Task,
    ) -> Result<HistoryStep, Error> {
        call!(self.histories_start(input, memory, task))
    }

    /// Continues after the model has answered the request of a step. `input` and `task` are the same
    /// as for [`start_history`](Self::start_history).
    ///
    /// Errors: [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for a state that was changed, comes
    /// from another version, or belongs to another history.
    pub async fn step_history(
        &self,
        input: &HistoryInput,
        task: &Task,
        state: &str,
        answer: &SummaryAnswer,
    ) -> Result<HistoryStep, Error> {
        call!(self.histories_step(input, task, state, answer))
    }

    /// Detects the format of a history: a JSON list of items, or a request with it.
    ///
    /// Errors: [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for malformed JSON, and for items
    /// that fit no format, several or different ones. The message names them.
    pub async fn detect_format(&self, history: &str) -> Result<HistoryFormat, Error> {
        call!(self.histories_detect_format(history))
    }

    /// Reads a usage as a provider reported it, as JSON.
    ///
    /// Errors: [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for a usage without token counts
    /// or with impossible ones.
    pub async fn read_usage(&self, usage: &str) -> Result<TokenUsage, Error> {
        call!(self.histories_read_usage(usage))
    }
}

/// Returns pieces of a history as a JSON list; `None` if there are no pieces.
fn json_of(pieces: &[HistoryItem], input: &HistoryInput) -> Option<String> {
    if pieces.is_empty() {
        return None;
    }
    let mut given: Value = serde_json::from_str(&input.json).ok()?;
    if given.is_object() {
        // The formats' names for their items, and the name that any format may use.
        let names = ["messages", "input", "items"];
        given = names.into_iter().find_map(|name| given.get_mut(name).map(Value::take))?;
    }
    let mut items = Vec::new();
    for piece in pieces {
        match piece {
            HistoryItem::Keep(span) => {
                items.extend_from_slice(given.as_array()?.get(span.start as usize..span.end as usize)?)
            }
            HistoryItem::Insert(json) => items.push(serde_json::from_str(json).ok()?),
        }
    }
    Some(Value::from(items).to_string())
}
