//! Manages a provider's history.

use std::fmt::Display;
use std::future::Future;

use tuckaway_contract::{
    Error, HistoryFormat, HistoryInput, HistoryStep, ManagedHistory, SummaryAnswer, SummaryRequest, Task,
    TokenUsage,
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
        let mut step = self.start_history(input, memory, task).await?;
        while let Some(request) = step.request.take() {
            let answer = match summarize(request).await {
                Ok(text) => SummaryAnswer::Text(text),
                Err(failure) => SummaryAnswer::Failed(failure.to_string()),
            };
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

    /// Continues after the model has answered the request of a step. `input` and `task` are those
    /// that were passed to [`start_history`](Self::start_history).
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
    pub async fn detect_format(&self, json: &str) -> Result<HistoryFormat, Error> {
        call!(self.histories_detect_format(json))
    }

    /// Reads a usage as a provider reported it, as JSON.
    ///
    /// Errors: [`InvalidInput`](tuckaway_contract::ErrorKind::InvalidInput) for a usage without token counts
    /// or with impossible ones.
    pub async fn read_usage(&self, usage: &str) -> Result<TokenUsage, Error> {
        call!(self.histories_read_usage(usage))
    }
}
