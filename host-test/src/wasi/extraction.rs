//! The calls about extractions.

use tuckaway::{Error, ExtractionConfig, ExtractionEstimate, ExtractionStep, Question};

use super::bindings::extraction::{calls, event, question};
use super::{WasiSession, call, record};
use crate::Extraction;
use crate::subject::{Answer, answer};

impl WasiSession {
    pub(super) async fn extraction(&mut self, call: &Extraction) -> Answer {
        match call {
            Extraction::Config { context_tokens } => record!(
                ExtractionConfig,
                call!(self, tuckaway_context_extraction.call_default_config(*context_tokens))
            ),
            Extraction::ParseCall { arguments } => {
                record!(Question, call!(self, tuckaway_context_extraction.call_parse_call(arguments)))
            }
            Extraction::Estimate { question: asked, config } => {
                let (asked, config) = (question(asked), (*config).into());
                record!(
                    ExtractionEstimate,
                    call!(self, tuckaway_context_extraction.call_estimate(asked, config))
                )
            }
            Extraction::Start { question: asked, config } => {
                let (asked, config) = (question(asked), (*config).into());
                record!(ExtractionStep, call!(self, tuckaway_context_extraction.call_start(asked, config)))
            }
            Extraction::Step { state, event: happened } => {
                let calls = calls(happened);
                let happened = event(happened, &calls);
                record!(ExtractionStep, call!(self, tuckaway_context_extraction.call_step(state, happened)))
            }
        }
    }
}
