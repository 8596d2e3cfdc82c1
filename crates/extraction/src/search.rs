//! A model reads and searches the document with `Read` and `Grep` (the extraction document,
//! §3).
//!
//! The state keeps the model's texts and calls. The replies are recreated for each request, so
//! that no state contains text of the document; the oldest are omitted if they do not fit.

use serde::{Deserialize, Serialize};
use tuckaway_contract::{
    ByteSpan, CallResult, Coverage, ExtractionConfig, ModelCall, ModelRequest, ModelTurn, RequestMessage,
    RequestPurpose,
};
use tuckaway_text::cut::head;

use crate::coverage;
use crate::host::{Error, Failed, Host};
use crate::job::{Job, Open, Received};
use crate::measure::count;
use crate::prompt::{self, Prompt};
use crate::report::{self, Report};

/// Attempts at a request before it counts as failed.
const ATTEMPTS: u32 = 2;
/// The maximum bytes kept of the text of a turn.
const MAX_TEXT_BYTES: usize = 8 << 10;
/// The maximum bytes of a call's arguments. Longer arguments are truncated and no longer valid
/// JSON, and the reply says so.
const MAX_ARGUMENTS_BYTES: usize = 4 << 10;
/// The maximum bytes of a call's id, and of a tool's name.
const MAX_NAME_BYTES: usize = 128;
/// The maximum number of calls in one turn.
const MAX_CALLS: usize = 32;
/// The tokens of a tool's definition or call besides its texts.
const TOOL_TOKENS: u64 = 16;

/// An element of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Said {
    /// A turn of the model.
    Model(ModelTurn),
    /// A message to the model: its answer had no report.
    MissingReport,
}

/// A conversation with a model that reads and searches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    said: Vec<Said>,
    /// The request, if it is open.
    open: Option<Open>,
    /// The number of failures of this request.
    failures: u32,
    /// The bytes that the model has read.
    read: Vec<ByteSpan>,
    /// Whether the model must answer without further calls.
    is_last: bool,
}

/// The consequence of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The model is asked again.
    Continue,
    /// The model has answered; the flag says whether its answer was truncated.
    Report(Report, bool),
    /// The search failed for this reason.
    Failure(String),
}

impl Search {
    /// Returns whether the conversation keeps its limits.
    pub fn is_consistent(&self, config: &ExtractionConfig, size: u64) -> bool {
        self.said.len() <= 2 * config.max_turns as usize
            && self.calls() <= config.max_tool_calls as usize + MAX_CALLS
            && self.failures <= ATTEMPTS
            && self.read.iter().all(|span| span.start <= span.end && span.end <= size)
    }

    /// Returns the part of a document that the model has read.
    pub fn coverage(&self, size_bytes: u64) -> Coverage {
        Coverage { size_bytes, read: coverage::bounded(self.read.clone()), ..Coverage::default() }
    }

    /// Returns the next request, or the reason why none can be made.
    pub fn fill(&mut self, host: &dyn Host, job: &mut Job) -> Result<Result<ModelRequest, String>, Error> {
        self.is_last |= self.turns() + 1 >= job.config.max_turns as usize
            || self.calls() >= job.config.max_tool_calls as usize;
        let mut conversation = self.conversation(host, job)?;
        // Another request must remain possible unless this is the last one.
        let has_space = conversation.left >= job.max_input_tokens() / 8;
        if !(self.is_last || has_space && job.can_afford(conversation.prompt.tokens, 0, 1)) {
            self.is_last = true;
            conversation = self.conversation(host, job)?;
        }
        let prompt = conversation.prompt;
        if !job.can_afford(prompt.tokens, 0, 0) {
            return Ok(Err("a limit of requests or tokens was reached".to_owned()));
        }
        if prompt.tokens > job.max_input_tokens() {
            return Ok(Err("the conversation does not fit into the model's context window".to_owned()));
        }
        let (open, request) = job.request(RequestPurpose::Search, prompt);
        self.open = Some(open);
        Ok(Ok(self.with_tools(host, request)))
    }

    /// Returns the open request.
    pub fn resume(&self, host: &dyn Host, job: &Job) -> Result<Vec<ModelRequest>, Error> {
        let Some(open) = &self.open else { return Ok(Vec::new()) };
        let mut replayed = self.clone();
        let prompt = replayed.conversation(host, job)?.prompt;
        Ok(vec![self.with_tools(host, job.open_request(open, RequestPurpose::Search, prompt))])
    }

    /// Receives the outcome of a request; none if the request is not open.
    pub fn receive(
        &mut self,
        host: &dyn Host,
        job: &mut Job,
        request: &str,
        received: Received<'_>,
    ) -> Option<Turn> {
        let open = self.open.take_if(|open| open.request == request)?;
        let reply = match job.counted(host, &open, received) {
            Ok(reply) => reply,
            Err(why) => {
                self.failures += 1;
                return Some(if self.failures < ATTEMPTS { Turn::Continue } else { Turn::Failure(why) });
            }
        };
        self.failures = 0;
        if let Some(report) = report::read(&reply.turn.text, &job.subject.nonce) {
            let is_cut = report.is_cut(reply.stop);
            return Some(Turn::Report(report, is_cut));
        }
        if self.is_last {
            return Some(Turn::Failure(report::missing(reply.stop).to_owned()));
        }
        let turn = bounded(&reply.turn);
        let has_calls = !turn.calls.is_empty();
        self.said.push(Said::Model(turn));
        if !has_calls {
            self.said.push(Said::MissingReport);
        }
        Some(Turn::Continue)
    }

    fn turns(&self) -> usize {
        self.said.iter().filter(|said| matches!(said, Said::Model(_))).count()
    }

    fn calls(&self) -> usize {
        let calls = self.said.iter().map(|said| match said {
            Said::Model(turn) => turn.calls.len(),
            Said::MissingReport => 0,
        });
        calls.sum()
    }

    fn with_tools(&self, host: &dyn Host, request: ModelRequest) -> ModelRequest {
        ModelRequest { tools: host.tools(), may_call: !self.is_last, ..request }
    }

    /// Returns the conversation so far, with the results of all calls, and its tokens. From
    /// the newest to the oldest, results are omitted as soon as they do not fit.
    fn conversation(&mut self, host: &dyn Host, job: &Job) -> Result<Conversation, Failed> {
        let system = prompt::search(&job.subject);
        let begin = prompt::begin_search(&job.subject);
        let mut tokens = prompt::count(host, &system, &begin);
        for tool in host.tools() {
            tokens += count(host, &tool.description) + count(host, &tool.input_schema) + TOOL_TOKENS;
        }
        let omitted = count(host, prompt::OMITTED_RESULT) + prompt::MESSAGE_TOKENS;
        let mut messages = Vec::new();
        if self.is_last {
            push(host, &mut messages, &mut tokens, prompt::last_turn(&job.subject));
        }
        for said in &self.said {
            if let Said::Model(turn) = said {
                tokens += count(host, &turn.text) + prompt::MESSAGE_TOKENS;
                tokens +=
                    turn.calls.iter().map(|call| count(host, &call.arguments) + TOOL_TOKENS).sum::<u64>();
            }
        }
        let left = job.max_input_tokens().saturating_sub(tokens);
        let mut results = Results { host, job, omitted, left, is_full: false };
        let mut calls = self.calls();
        for said in self.said.iter().rev() {
            match said {
                Said::MissingReport => {
                    push(host, &mut messages, &mut tokens, prompt::missing_report(&job.subject));
                }
                Said::Model(turn) => {
                    calls -= turn.calls.len();
                    let (of_turn, used) = results.of(turn, calls, &mut self.read)?;
                    tokens += used;
                    if !of_turn.is_empty() {
                        messages.push(RequestMessage::Results(of_turn));
                    }
                    messages.push(RequestMessage::Model(turn.clone()));
                }
            }
        }
        messages.push(RequestMessage::User(begin));
        messages.reverse();
        self.read = coverage::merged(std::mem::take(&mut self.read));
        Ok(Conversation { prompt: Prompt { system, messages, tokens }, left })
    }
}

/// Adds a user message.
fn push(host: &dyn Host, messages: &mut Vec<RequestMessage>, tokens: &mut u64, text: String) {
    *tokens += count(host, &text) + prompt::MESSAGE_TOKENS;
    messages.push(RequestMessage::User(text));
}

/// The conversation of a request.
struct Conversation {
    prompt: Prompt,
    /// The tokens that were available for results.
    left: u64,
}

/// Creates the results of calls, from the newest to the oldest.
struct Results<'a> {
    host: &'a dyn Host,
    job: &'a Job,
    /// The tokens of an omitted result, which are reserved for each call.
    omitted: u64,
    /// The tokens left beyond the reserved ones.
    left: u64,
    /// Whether a result did not fit; all older results are omitted.
    is_full: bool,
}

impl Results<'_> {
    /// Returns the results of a turn that follows `before` earlier calls, and their tokens
    /// beyond the reserved ones.
    fn of(
        &mut self,
        turn: &ModelTurn,
        before: usize,
        read: &mut Vec<ByteSpan>,
    ) -> Result<(Vec<CallResult>, u64), Failed> {
        let (mut results, mut used) = (Vec::new(), 0);
        for (index, call) in turn.calls.iter().enumerate().rev() {
            let (text, is_error) = match before + index < self.job.config.max_tool_calls as usize {
                true => self.reply(call, read)?,
                false => (prompt::TOO_MANY_CALLS.to_owned(), true),
            };
            let tokens = count(self.host, &text) + prompt::MESSAGE_TOKENS;
            let more = tokens.saturating_sub(self.omitted);
            self.left = self.left.saturating_sub(more);
            used += more;
            results.push(CallResult { call_id: call.id.clone(), text, is_error });
        }
        results.reverse();
        Ok((results, used))
    }

    /// Returns the maximum bytes of a reply: about a quarter of a small window.
    fn max_reply_bytes(&self) -> u32 {
        let of_window = u32::try_from(self.job.max_input_tokens()).unwrap_or(u32::MAX);
        self.job.config.max_reply_bytes.min(of_window)
    }

    fn reply(&mut self, call: &ModelCall, read: &mut Vec<ByteSpan>) -> Result<(String, bool), Failed> {
        let omitted = || (prompt::OMITTED_RESULT.to_owned(), false);
        if self.is_full {
            return Ok(omitted());
        }
        let reply = self.host.call(&call.name, &call.arguments, self.max_reply_bytes())?;
        let text = self.job.subject.masked(&reply.text);
        if count(self.host, &text) + prompt::MESSAGE_TOKENS > self.left + self.omitted {
            self.is_full = true;
            return Ok(omitted());
        }
        read.extend(reply.read.map(|(start, end)| ByteSpan { start, end }));
        Ok((text, reply.is_error))
    }
}

/// Truncates a turn to the limits of the state.
fn bounded(turn: &ModelTurn) -> ModelTurn {
    let call = |call: &ModelCall| ModelCall {
        id: head(&call.id, MAX_NAME_BYTES).to_owned(),
        name: head(&call.name, MAX_NAME_BYTES).to_owned(),
        arguments: head(&call.arguments, MAX_ARGUMENTS_BYTES).to_owned(),
    };
    ModelTurn {
        text: head(&turn.text, MAX_TEXT_BYTES).to_owned(),
        calls: turn.calls.iter().take(MAX_CALLS).map(call).collect(),
    }
}
