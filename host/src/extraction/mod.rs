//! Extraction: a model answers a question about an artifact. The engine's steps are methods,
//! and a driver takes all of them.

mod drive;

use tuckaway_contract::{
    Error, ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionStep, Question,
};

use crate::tuckaway::{Tuckaway, call};

pub use drive::{ExtractOptions, ExtractionProgress};

impl Tuckaway {
    /// Returns the default limits of an extraction for a model's context window.
    pub async fn extraction_config(&self, context_tokens: u64) -> Result<ExtractionConfig, Error> {
        call!(self.extraction_default_config(context_tokens))
    }

    /// Parses the arguments of a call of the tool `tool_output`. The error tells the model how
    /// to correct the call.
    pub async fn parse_extraction_call(&self, arguments: &str) -> Result<Question, Error> {
        call!(self.extraction_parse_call(arguments))
    }

    /// Estimates the cost of an extraction without starting it.
    pub async fn estimate_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionEstimate, Error> {
        call!(self.extraction_estimate(question, config))
    }

    /// Starts an extraction whose requests the caller sends to a model;
    /// [`extract`](Self::extract) also sends them. If no model is needed, or if the artifact
    /// cannot be read, the first step has the answer.
    pub async fn start_extraction(
        &self,
        question: &Question,
        config: &ExtractionConfig,
    ) -> Result<ExtractionStep, Error> {
        call!(self.extraction_start(question, config))
    }

    /// Continues an extraction. After an error, the state is still valid.
    pub async fn step_extraction(
        &self,
        state: &str,
        event: &ExtractionEvent,
    ) -> Result<ExtractionStep, Error> {
        call!(self.extraction_step(state, event))
    }
}
