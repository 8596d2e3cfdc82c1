//! Converts the records of extractions. Arguments are borrowed, and results are moved, because a
//! request contains a chunk of the artifact.

use tuckaway as model;

use super::convert::{all, same_cases, same_fields};
use super::exported::extraction;

same_cases! {
    model::ExtractionMode => extraction::ExtractionMode { Auto, FullChunked, ReadGrep, Truncate }
    extraction::ExtractionMode => model::ExtractionMode { Auto, FullChunked, ReadGrep, Truncate }
    extraction::RequestPurpose => model::RequestPurpose { Extract, Synthesize, Search }
    model::StopReason => extraction::StopReason { Finished, Length }
    extraction::ExtractionOutcome => model::ExtractionOutcome { Found, NotFound, Truncated, Failed }
}

same_fields! {
    extraction::QuestionResult => model::Question { artifact, extract, mode, tool_arguments, nonce }
    model::ExtractionConfig => extraction::ExtractionConfig {
        context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
        max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes, max_answer_bytes
    }
    extraction::ExtractionConfig => model::ExtractionConfig {
        context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
        max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes, max_answer_bytes
    }
    extraction::ExtractionEstimate => model::ExtractionEstimate {
        strategy, reason, size_bytes, line_count, tokens, chunks, requests, input_tokens, output_tokens
    }
    extraction::ModelCallResult => model::ModelCall { id, name, arguments }
    extraction::CallResult => model::CallResult { call_id, text, is_error }
    extraction::ByteSpan => model::ByteSpan { start, end }
    extraction::Quote => model::Quote { text, line, byte_offset }
    extraction::ExtractionUsage => model::ExtractionUsage { requests, input_tokens, output_tokens }
}

impl From<extraction::ModelTurnResult> for model::ModelTurn {
    fn from(turn: extraction::ModelTurnResult) -> Self {
        model::ModelTurn { text: turn.text, calls: all(turn.calls) }
    }
}

impl From<extraction::RequestMessage> for model::RequestMessage {
    fn from(message: extraction::RequestMessage) -> Self {
        match message {
            extraction::RequestMessage::User(text) => model::RequestMessage::User(text),
            extraction::RequestMessage::Model(turn) => model::RequestMessage::Model(turn.into()),
            extraction::RequestMessage::Results(results) => model::RequestMessage::Results(all(results)),
        }
    }
}

impl From<extraction::ModelRequest> for model::ModelRequest {
    fn from(request: extraction::ModelRequest) -> Self {
        model::ModelRequest {
            id: request.id,
            purpose: request.purpose.into(),
            system: request.system,
            messages: all(request.messages),
            tools: all(request.tools),
            may_call: request.may_call,
            input_tokens: request.input_tokens,
            max_output_tokens: request.max_output_tokens,
        }
    }
}

impl From<extraction::Coverage> for model::Coverage {
    fn from(coverage: extraction::Coverage) -> Self {
        model::Coverage {
            chunks: coverage.chunks,
            chunks_done: coverage.chunks_done,
            chunks_failed: coverage.chunks_failed,
            chunks_skipped: coverage.chunks_skipped,
            size_bytes: coverage.size_bytes,
            read: all(coverage.read),
        }
    }
}

impl From<extraction::Answer> for model::Answer {
    fn from(answer: extraction::Answer) -> Self {
        model::Answer {
            text: answer.text,
            content: answer.content,
            outcome: answer.outcome.into(),
            strategy: answer.strategy.into(),
            is_partial: answer.is_partial,
            coverage: answer.coverage.into(),
            quotes: all(answer.quotes),
            warnings: answer.warnings,
            usage: answer.usage.into(),
        }
    }
}

impl From<extraction::ExtractionStep> for model::ExtractionStep {
    fn from(step: extraction::ExtractionStep) -> Self {
        model::ExtractionStep {
            state: step.state,
            requests: all(step.requests),
            answer: step.answer.map(Into::into),
        }
    }
}

/// Converts a question to the argument of an export.
pub(crate) fn question(question: &model::Question) -> extraction::QuestionParam<'_> {
    extraction::QuestionParam {
        artifact: &question.artifact,
        extract: &question.extract,
        mode: question.mode.into(),
        tool_arguments: question.tool_arguments.as_deref(),
        nonce: question.nonce.as_deref(),
    }
}

/// Converts the calls of the reply in an event, for [`event`] to borrow.
pub(crate) fn calls(event: &model::ExtractionEvent) -> Vec<extraction::ModelCallParam<'_>> {
    let model::ExtractionEvent::Reply { reply, .. } = event else { return Vec::new() };
    let calls = reply.turn.calls.iter();
    calls
        .map(|call| extraction::ModelCallParam { id: &call.id, name: &call.name, arguments: &call.arguments })
        .collect()
}

/// Converts an event to the argument of an export.
pub(crate) fn event<'a>(
    event: &'a model::ExtractionEvent,
    calls: &'a [extraction::ModelCallParam<'a>],
) -> extraction::ExtractionEvent<'a> {
    match event {
        model::ExtractionEvent::Reply { request, reply } => {
            let turn = extraction::ModelTurnParam { text: &reply.turn.text, calls };
            let reply = extraction::ModelReply {
                turn,
                stop: reply.stop.into(),
                input_tokens: reply.input_tokens,
                output_tokens: reply.output_tokens,
            };
            extraction::ExtractionEvent::Reply(extraction::ReplyEvent { request, reply })
        }
        model::ExtractionEvent::Failed { request, why } => {
            extraction::ExtractionEvent::Failed(extraction::FailureEvent { request, why })
        }
        model::ExtractionEvent::Resume => extraction::ExtractionEvent::Resume,
        model::ExtractionEvent::Cancel => extraction::ExtractionEvent::Cancel,
    }
}
