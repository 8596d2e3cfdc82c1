//! Runs an extraction with a model, from its first request to its answer.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use tuckaway_contract::{
    Answer, Error, ErrorKind, ExtractionConfig, ExtractionEvent, ExtractionStep, FailureEvent, ModelReply,
    ModelRequest, Question, ReplyEvent,
};

use crate::models::{Model, ModelError};
use crate::tuckaway::Tuckaway;

/// Receives reports.
type Listener<'a, T> = Box<dyn FnMut(&T) + Send + 'a>;

/// Options of an extraction: its cancellation, and the functions that receive its state and its
/// progress.
#[must_use]
#[derive(Default)]
pub struct ExtractOptions<'a> {
    cancel: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
    on_state: Option<Listener<'a, str>>,
    on_progress: Option<Listener<'a, ExtractionProgress>>,
}

/// The progress of an extraction since this process began it or resumed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtractionProgress {
    /// Requests that the model has answered.
    pub answered: u32,
    /// Requests that failed, after all attempts of the model's adapter.
    pub failed: u32,
    /// Requests that are not answered yet.
    pub open: u32,
    /// The tokens of the requests that were answered.
    pub input_tokens: u64,
    /// The tokens of the answers, if the provider counts them.
    pub output_tokens: u64,
}

impl<'a> ExtractOptions<'a> {
    /// Returns options for an extraction that runs to the end and reports nothing.
    pub fn new() -> Self {
        ExtractOptions::default()
    }

    /// Sets a future that cancels the extraction: once `cancel` is ready, all open requests are
    /// dropped, and the answer contains the findings so far.
    pub fn cancel(mut self, cancel: impl Future<Output = ()> + Send + 'a) -> Self {
        self.cancel = Some(Box::pin(cancel));
        self
    }

    /// Sets a function that receives the state after each step, to keep it for
    /// [`Tuckaway::resume_extraction`]. The last step has an answer instead of a state.
    pub fn on_state(mut self, on_state: impl FnMut(&str) + Send + 'a) -> Self {
        self.on_state = Some(Box::new(on_state));
        self
    }

    /// Sets a function that receives the progress when a request is sent or answered.
    pub fn on_progress(mut self, on_progress: impl FnMut(&ExtractionProgress) + Send + 'a) -> Self {
        self.on_progress = Some(Box::new(on_progress));
        self
    }
}

impl fmt::Debug for ExtractOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractOptions")
            .field("can_be_canceled", &self.cancel.is_some())
            .finish_non_exhaustive()
    }
}

impl Tuckaway {
    /// Answers a question about an artifact with a model: starts an extraction, sends its
    /// requests in parallel, at most [`ExtractionConfig::max_parallel`] at a time, and passes
    /// on each answer as it arrives. A question without a nonce gets a random one, so that no
    /// artifact can contain it on purpose.
    ///
    /// The extraction does not fail if the model does: the answer names the missing parts, or
    /// contains the head and the tail of the artifact. After a permanent failure
    /// ([`ModelError::is_permanent`]), no more requests are sent. If the returned future is
    /// dropped, its requests are dropped as well; the last state can be resumed.
    ///
    /// Errors: the same as for [`start_extraction`](Self::start_extraction).
    pub async fn extract(
        &self,
        question: &Question,
        config: &ExtractionConfig,
        model: &dyn Model,
        options: ExtractOptions<'_>,
    ) -> Result<Answer, Error> {
        let nonce = question.nonce.clone().or_else(nonce);
        let step = self.start_extraction(&Question { nonce, ..question.clone() }, config).await?;
        Drive::new(self, model, options).run(step).await
    }

    /// Resumes an extraction from one of its states, which may come from another process or
    /// another host. Requests without an answer are sent again.
    ///
    /// Errors: [`InvalidInput`](ErrorKind::InvalidInput) if the state was modified.
    pub async fn resume_extraction(
        &self,
        state: &str,
        model: &dyn Model,
        options: ExtractOptions<'_>,
    ) -> Result<Answer, Error> {
        let step = self.step_extraction(state, &ExtractionEvent::Resume).await?;
        Drive::new(self, model, options).run(step).await
    }
}

/// Returns a random nonce; `None` if the system provides no random bytes, in which case the
/// engine derives a nonce.
fn nonce() -> Option<String> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The outcome of a request.
struct Outcome {
    request: String,
    input_tokens: u64,
    result: Result<ModelReply, ModelError>,
}

type Sending<'m> = Pin<Box<dyn Future<Output = Outcome> + Send + 'm>>;

/// A running extraction.
struct Drive<'a> {
    tuckaway: &'a Tuckaway,
    model: &'a dyn Model,
    options: ExtractOptions<'a>,
    open: FuturesUnordered<Sending<'a>>,
    /// The outcomes that wait for their step.
    arrived: VecDeque<Outcome>,
    /// Why requests have stopped.
    refusal: Option<ModelError>,
    progress: ExtractionProgress,
}

impl<'a> Drive<'a> {
    fn new(tuckaway: &'a Tuckaway, model: &'a dyn Model, options: ExtractOptions<'a>) -> Self {
        let (open, arrived) = (FuturesUnordered::new(), VecDeque::new());
        Drive {
            tuckaway,
            model,
            options,
            open,
            arrived,
            refusal: None,
            progress: ExtractionProgress::default(),
        }
    }

    async fn run(mut self, mut step: ExtractionStep) -> Result<Answer, Error> {
        loop {
            if let Some(answer) = step.answer {
                self.report();
                return Ok(answer);
            }
            if let Some(on_state) = &mut self.options.on_state {
                on_state(&step.state);
            }
            for request in step.requests {
                self.send(request);
            }
            self.report();
            let event = self.next_event().await?;
            step = self.step(&step.state, event).await?;
        }
    }

    /// Sends a request. It fails at once if the model has refused all requests.
    fn send(&mut self, request: ModelRequest) {
        self.progress.open += 1;
        let (id, input_tokens) = (request.id.clone(), request.input_tokens);
        match &self.refusal {
            Some(refusal) => {
                self.arrived.push_back(Outcome { request: id, input_tokens, result: Err(refusal.clone()) })
            }
            None => {
                let model = self.model;
                self.open.push(Box::pin(async move {
                    let result = model.complete(&request).await;
                    Outcome { request: id, input_tokens, result }
                }));
            }
        }
    }

    /// Waits for the next outcome, or for the cancellation.
    async fn next_event(&mut self) -> Result<ExtractionEvent, Error> {
        let cancel = async {
            match &mut self.options.cancel {
                Some(cancel) => cancel.await,
                None => pending().await,
            }
        };
        let (open, arrived) = (&mut self.open, &mut self.arrived);
        let outcome = async {
            match arrived.pop_front() {
                Some(outcome) => Some(outcome),
                None => open.next().await,
            }
        };
        let next = match select(pin!(cancel), pin!(outcome)).await {
            Either::Left(((), _)) => None,
            Either::Right((outcome, _)) => Some(outcome),
        };
        match next {
            None => {
                self.open.clear();
                self.options.cancel = None;
                Ok(ExtractionEvent::Cancel)
            }
            Some(Some(outcome)) => Ok(self.event(outcome)),
            Some(None) => Err(Error::new(
                ErrorKind::InvalidInput,
                "No request of this extraction is open, and it has no answer: start it again.",
            )
            .about(&["state"])),
        }
    }

    fn event(&mut self, outcome: Outcome) -> ExtractionEvent {
        let Outcome { request, input_tokens, result } = outcome;
        self.progress.open -= 1;
        match result {
            Ok(reply) => {
                let progress = &mut self.progress;
                progress.answered += 1;
                // The counts of a provider may be any numbers.
                let input_tokens = reply.input_tokens.unwrap_or(input_tokens);
                progress.input_tokens = progress.input_tokens.saturating_add(input_tokens);
                let output_tokens = reply.output_tokens.unwrap_or(0);
                progress.output_tokens = progress.output_tokens.saturating_add(output_tokens);
                ExtractionEvent::Reply(ReplyEvent { request, reply })
            }
            Err(error) => {
                self.progress.failed += 1;
                let why = error.message.clone();
                if error.is_permanent {
                    self.refusal = Some(error);
                }
                ExtractionEvent::Failed(FailureEvent { request, why })
            }
        }
    }

    /// Takes a step while the requests continue.
    async fn step(&mut self, state: &str, event: ExtractionEvent) -> Result<ExtractionStep, Error> {
        let mut stepping = pin!(self.tuckaway.step_extraction(state, &event));
        let (open, arrived) = (&mut self.open, &mut self.arrived);
        poll_fn(|context| {
            while let Poll::Ready(Some(outcome)) = open.poll_next_unpin(context) {
                arrived.push_back(outcome);
            }
            stepping.as_mut().poll(context)
        })
        .await
    }

    fn report(&mut self) {
        if let Some(on_progress) = &mut self.options.on_progress {
            on_progress(&self.progress);
        }
    }
}
