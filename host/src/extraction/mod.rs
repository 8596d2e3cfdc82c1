//! Extraction: a model answers a question about an artifact. The engine's steps are methods,
//! and a driver takes all of them.

mod drive;

use tuckaway::{Error, ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionStep, Question};

use crate::bindings::extraction;
use crate::tuckaway::{Tuckaway, call};

pub use drive::{Driving, Progress};

impl Tuckaway {
    /// Returns the default limits of an extraction for a model's context window.
    pub async fn extraction_config(&self, context_tokens: u64) -> Result<ExtractionConfig, Error> {
        Ok(call!(self.tuckaway_context_extraction.call_default_config(context_tokens))?.into())
    }

    /// Parses the arguments of a call of the tool `tool_output`. The error tells the model how
    /// to correct the call.
    pub async fn parse_extraction_call(&self, arguments: &str) -> Result<Question, Error> {
        Ok(call!(self.tuckaway_context_extraction.call_parse_call(arguments))?.into())
    }

    /// Estimates the cost of an extraction without starting it.
    pub async fn estimate_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionEstimate, Error> {
        let (question, config) = (extraction::question(question), (*config).into());
        Ok(call!(self.tuckaway_context_extraction.call_estimate(question, config))?.into())
    }

    /// Starts an extraction whose requests the caller sends to a model;
    /// [`extract`](Self::extract) also sends them. If no model is needed, or if the artifact
    /// cannot be read, the first step has the answer.
    pub async fn start_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionStep, Error> {
        let (question, config) = (extraction::question(question), (*config).into());
        Ok(call!(self.tuckaway_context_extraction.call_start(question, config))?.into())
    }

    /// Continues an extraction. After an error, the state is still valid.
    pub async fn step_extraction(
        &self,
        state: &str,
        event: &ExtractionEvent,
    ) -> Result<ExtractionStep, Error> {
        let calls = extraction::calls(event);
        let event = extraction::event(event, &calls);
        Ok(call!(self.tuckaway_context_extraction.call_step(state, event))?.into())
    }
}
