//! The parts of an extraction that all phases share: the question, the limits, the usage.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{
    ExtractionConfig, ExtractionMode, ExtractionUsage, ModelReply, ModelRequest, RequestPurpose,
};
use tuckaway_text::cut::head;

use crate::host::Host;
use crate::measure::{Size, count};
use crate::prompt::Prompt;
use crate::report;
use crate::subject::Subject;

/// The part of an extraction that all phases share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The question.
    pub subject: Subject,
    /// The limits.
    pub config: ExtractionConfig,
    /// The size of the document.
    pub size: Size,
    /// The strategy: never `auto`.
    pub strategy: ExtractionMode,
    /// Warnings for the reader of the answer.
    pub warnings: Vec<String>,
    /// The usage so far.
    pub usage: ExtractionUsage,
}

/// A request that is not yet answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The request's id.
    pub request: String,
    /// The request's tokens plus the maximum tokens of its answer.
    pub tokens: u64,
}

/// The outcome of a request.
pub enum Received<'a> {
    /// The model has answered.
    Reply(&'a ModelReply),
    /// The request failed for this reason.
    Failure(String),
}

/// The text that a model extracted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extract {
    /// The text.
    pub text: String,
    /// Whether the text says that nothing is relevant.
    pub is_not_found: bool,
    /// Whether the text was truncated at the limit of the model's output.
    pub is_cut: bool,
}

/// Returns the tokens of open requests, including the maximum of their answers.
pub fn open_tokens<'a>(open: impl IntoIterator<Item = &'a Open>) -> u64 {
    open.into_iter().fold(0, |sum, open| sum.saturating_add(open.tokens))
}

impl Job {
    /// Returns the maximum tokens of a request.
    pub fn max_input_tokens(&self) -> u64 {
        self.config.context_tokens - self.config.max_output_tokens
    }

    /// Returns the maximum bytes kept of an answer.
    pub fn max_output_bytes(&self) -> usize {
        usize::try_from(self.config.max_output_tokens.saturating_mul(8)).unwrap_or(usize::MAX).min(1 << 20)
    }

    /// Returns whether the limits allow one more request in addition to the open ones, if
    /// `reserved` more must follow.
    pub fn can_afford(&self, input_tokens: u64, open: u64, reserved: u32) -> bool {
        let requests = u64::from(self.usage.requests) + u64::from(reserved);
        let used = self.usage.input_tokens.saturating_add(self.usage.output_tokens).saturating_add(open);
        let next = input_tokens.saturating_add(self.config.max_output_tokens);
        let follow = self.config.context_tokens.saturating_mul(reserved.into());
        requests < u64::from(self.config.max_requests)
            && self
                .config
                .max_tokens
                .is_none_or(|most| used.saturating_add(next).saturating_add(follow) <= most)
    }

    /// Creates a request and counts it.
    pub fn request(&mut self, purpose: RequestPurpose, prompt: Prompt) -> (Open, ModelRequest) {
        let name = match purpose {
            RequestPurpose::Extract => "extract",
            RequestPurpose::Synthesize => "synthesize",
            RequestPurpose::Search => "search",
        };
        self.usage.requests += 1;
        let open = Open {
            request: format!("{name}-{}", self.usage.requests),
            tokens: prompt.tokens + self.config.max_output_tokens,
        };
        let request = self.open_request(&open, purpose, prompt);
        (open, request)
    }

    /// Creates an open request again.
    pub fn open_request(&self, open: &Open, purpose: RequestPurpose, prompt: Prompt) -> ModelRequest {
        let Prompt { system, messages, .. } = prompt;
        ModelRequest {
            id: open.request.clone(),
            purpose,
            system,
            messages,
            tools: Vec::new(),
            may_call: false,
            input_tokens: open.tokens.saturating_sub(self.config.max_output_tokens),
            max_output_tokens: self.config.max_output_tokens,
        }
    }

    /// Counts the usage of a request. Returns the extract, or the reason why it is missing.
    pub fn extracted(
        &mut self,
        host: &dyn Host,
        open: &Open,
        received: Received<'_>,
    ) -> Result<Extract, String> {
        let reply = self.counted(host, open, received)?;
        let report = report::read(&reply.turn.text, &self.subject.nonce)
            .ok_or_else(|| report::missing(reply.stop).to_owned())?;
        let text = head(&report.text, self.max_output_bytes()).to_owned();
        let is_cut = text.len() < report.text.len() || report.is_cut(reply.stop);
        Ok(Extract { text, is_not_found: report.is_not_found, is_cut })
    }

    /// Counts the usage of a request. Returns the reply, or the reason why it is missing.
    pub fn counted<'a>(
        &mut self,
        host: &dyn Host,
        open: &Open,
        received: Received<'a>,
    ) -> Result<&'a ModelReply, String> {
        match received {
            Received::Reply(reply) => {
                self.count_reply(host, open, reply);
                Ok(reply)
            }
            Received::Failure(why) => {
                self.count_tokens(open, None, 0);
                Err(why)
            }
        }
    }

    fn count_reply(&mut self, host: &dyn Host, open: &Open, reply: &ModelReply) {
        let counted = || {
            let calls = reply.turn.calls.iter().map(|call| count(host, &call.arguments)).sum::<u64>();
            count(host, &reply.turn.text) + calls
        };
        let output = reply.output_tokens.unwrap_or_else(counted);
        self.count_tokens(open, reply.input_tokens, output);
    }

    /// Counts tokens; a request with unknown usage is assumed to have used the planned tokens.
    fn count_tokens(&mut self, open: &Open, input: Option<u64>, output: u64) {
        let planned = open.tokens.saturating_sub(self.config.max_output_tokens);
        let usage = &mut self.usage;
        usage.input_tokens = usage.input_tokens.saturating_add(input.unwrap_or(planned));
        usage.output_tokens = usage.output_tokens.saturating_add(output);
    }

    /// Adds a warning unless it was added before.
    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}
