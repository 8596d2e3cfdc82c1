//! Extraction: a question about an artifact, answered by a model. The engine's steps as
//! methods, and a driver that takes them all.

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

    /// Reads the arguments of a call of the tool `tool_output`. The error is for the model:
    /// it says how to correct the call.
    pub async fn parse_extraction_call(&self, arguments: &str) -> Result<Question, Error> {
        Ok(call!(self.tuckaway_context_extraction.call_parse_call(arguments))?.into())
    }

    /// Returns what an extraction would take, without starting one.
    pub async fn estimate_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionEstimate, Error> {
        let (question, config) = (extraction::question(question), (*config).into());
        Ok(call!(self.tuckaway_context_extraction.call_estimate(question, config))?.into())
    }

    /// Begins an extraction whose requests the caller sends to a model;
    /// [`extract`](Self::extract) does all of it. One that needs no model has its answer at
    /// once, as has one whose artifact cannot be read.
    pub async fn start_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionStep, Error> {
        let (question, config) = (extraction::question(question), (*config).into());
        Ok(call!(self.tuckaway_context_extraction.call_start(question, config))?.into())
    }

    /// Goes on with an extraction. After an error the state is still valid.
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
