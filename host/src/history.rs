//! A provider's history, managed in one call.

use std::fmt::Display;
use std::future::Future;

use tuckaway::{Error, SummaryRequest, Task, TokenUsage};
use tuckaway_histories::{History, HistoryError, Managing, Memory, Report};

use crate::tuckaway::Tuckaway;

/// A history that was managed.
#[derive(Clone, Debug)]
pub struct Managed {
    /// The history that the agent goes on with.
    pub history: History,
    /// What to pass to the next call.
    pub memory: Memory,
    /// What was done.
    pub report: Report,
}

impl Tuckaway {
    /// Keeps the history of an agent within its window: plans a task, usually
    /// [`Task::Manage`], and applies its steps. Call it before each request to the model,
    /// with the usage that the last answer came with.
    ///
    /// `summarize` sends a request to a model and returns its answer. It is called if, and
    /// only if, a plan needs it; an error counts as an answer with nothing usable, and the
    /// history is then planned without a summary. `memory` is that of the last call, or the
    /// default.
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
        loop {
            let step = self.plan(managing.conversation(), task, managing.answers(), managing.state()).await?;
            let Some(request) = managing.advance(step).map_err(invalid)? else { break };
            managing.answer(summarize(request).await.map_err(|failure| failure.to_string()));
        }
        let (history, memory, report) = managing.finish();
        Ok(Managed { history, memory, report })
    }
}

fn invalid(error: HistoryError) -> Error {
    Error::invalid(error.to_string())
}
