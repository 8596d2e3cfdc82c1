//! Conversions between the host's records and those of [`crate::model`], in the order of
//! `wit/`. Everything is moved, nothing is copied.

use super::bindings::exports::tuckaway::context::{
    artifacts, budget, cache, compaction, conversation, extraction, histories, offload, planning, reduce,
    tools, types,
};
use super::bindings::tuckaway::context::store;
use crate::error::{Error, ErrorKind};
use crate::model;
use crate::ports::{Expiry, StoreError};

/// Converts every element, by moving it.
pub(super) fn all<A, B: From<A>>(items: Vec<A>) -> Vec<B> {
    items.into_iter().map(B::from).collect()
}

/// Converts a record to one with the same fields; `all`, `each` and `into` after a field
/// convert a list, an option or another record.
macro_rules! record {
    ($($from:path => $to:path { $($field:ident $(: $how:ident)?),* $(,)? })*) => {
        $(impl From<$from> for $to {
            fn from(from: $from) -> Self {
                Self { $($field: record!(@ from.$field $(, $how)?)),* }
            }
        })*
    };
    (@ $value:expr) => { $value };
    (@ $value:expr, into) => { $value.into() };
    (@ $value:expr, all) => { all($value) };
    (@ $value:expr, each) => { $value.map(Into::into) };
}

/// Converts an enum to one with the same cases.
macro_rules! cases {
    ($($from:path => $to:path { $($case:ident),* $(,)? })*) => {
        $(impl From<$from> for $to {
            fn from(from: $from) -> Self {
                match from { $(<$from>::$case => Self::$case),* }
            }
        })*
    };
}

cases! {
    crate::HistoryFormat => histories::HistoryFormat {
        OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral,
    }
    histories::HistoryFormat => crate::HistoryFormat {
        OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral,
    }
    ErrorKind => types::ErrorKind { InvalidInput, NotFound, Expired, Unsupported, Limit, Store, Tokens }
    types::Dialect => model::Dialect { Artifact, Cache, Handle, File }
    model::Dialect => types::Dialect { Artifact, Cache, Handle, File }
    offload::Mode => model::Mode { Auto, Artifact, Truncate }
    model::Mode => offload::Mode { Auto, Artifact, Truncate }
    model::Action => offload::Action { Inline, Artifact, Truncate }
    model::Gate => offload::Gate {
        Disabled, Exempt, ArtifactTool, BelowFloor, Fits, Ceiling, PerOutput, TokenCap, Headroom,
    }

    conversation::Role => crate::Role { System, User, Assistant, Tool }
    crate::Role => conversation::Role { System, User, Assistant, Tool }
    conversation::Bucket => crate::Bucket { System, Tools, History, ToolOutputs, Working }
    crate::Bucket => conversation::Bucket { System, Tools, History, ToolOutputs, Working }
    crate::Removal => conversation::Removal { Trimmed, Evicted, Summarized, Pruned }
    crate::AlarmKind => conversation::AlarmKind {
        Headroom, OverCap, NotStored, PrefixChanged, UsageIgnored, TokensEstimated, NoSummary, Setting,
    }
    budget::Overflow => crate::Overflow { Reject, Summarize, Truncate, PruneUnused }
    crate::Overflow => budget::Overflow { Reject, Summarize, Truncate, PruneUnused }
    budget::Strategy => crate::Strategy { TruncateLargest, SlidingWindow, RecursiveSummarize }
    crate::Strategy => budget::Strategy { TruncateLargest, SlidingWindow, RecursiveSummarize }
    budget::Preset => crate::Preset { General, CustomerSupport, CodeEditing, Research, Voice, Automation }

    extraction::ExtractionMode => crate::ExtractionMode { Auto, FullChunked, ReadGrep, Truncate }
    crate::ExtractionMode => extraction::ExtractionMode { Auto, FullChunked, ReadGrep, Truncate }
    crate::RequestPurpose => extraction::RequestPurpose { Extract, Synthesize, Search }
    extraction::StopReason => crate::StopReason { Finished, Length }
    crate::ExtractionOutcome => extraction::ExtractionOutcome { Found, NotFound, Truncated, Failed }
}

record! {
    Error => types::Error { kind: into, message }
    store::Artifact => model::Artifact { id, tool, media_type, size_bytes, line_count, created_at }
    model::Artifact => store::Artifact { id, tool, media_type, size_bytes, line_count, created_at }

    offload::Policy => model::Policy {
        enabled, dialect: into, mode: into, keep_all, context_percentage, min_threshold_bytes, max_threshold_bytes,
        headroom_percentage, max_output_tokens, bytes_per_token, max_view_bytes, preview_bytes, image_tokens,
        overrides: all,
    }
    model::Policy => offload::Policy {
        enabled, dialect: into, mode: into, keep_all, context_percentage, min_threshold_bytes, max_threshold_bytes,
        headroom_percentage, max_output_tokens, bytes_per_token, max_view_bytes, preview_bytes, image_tokens,
        overrides: all,
    }
    offload::ToolOverride => model::ToolOverride { tools, exempt, mode: each, max_threshold_bytes }
    model::ToolOverride => offload::ToolOverride { tools, exempt, mode: each, max_threshold_bytes }
    offload::Turn => model::Turn { context_window, used_tokens, tools: into }
    offload::Block => model::Block { content: into, media_type }
    offload::ToolOutput => model::ToolOutput { tool, is_error, blocks: all, structured }
    model::Decision => offload::Decision {
        action: into, gate: into, size_bytes, line_count, token_count, tokens_estimated, min_threshold_bytes,
        threshold_bytes, max_threshold_bytes, max_output_tokens, headroom_tokens, kept_tokens, matched_override,
        failures: all,
    }
    model::View => offload::View { text, kept, artifacts: all, decision: into }

    model::Shape => reduce::Shape { media_type, json }

    model::Page => artifacts::Page { text, next }
    artifacts::GrepQuery => model::GrepQuery {
        pattern, fixed_string, ignore_case, invert, before_context, after_context, each_match,
        max_matches, cursor,
    }
    model::Match => artifacts::Match { line, column, byte_offset, text, clipped, before, after }
    model::Matches => artifacts::Matches { matches: all, total, match_count, next }
    artifacts::JqQuery => model::JqQuery {
        filter, raw, compact, slurp, null_input, max_steps, max_memory, cursor,
    }
    model::Outputs => artifacts::Outputs { text, next, failure: each, hint, parsed_as }

    model::ToolDefinition => tools::ToolDefinition { name, description, input_schema }
    model::ToolReply => tools::ToolReply { text, is_error }

    conversation::ToolCall => crate::ToolCall { id, name, arguments }
    conversation::ToolResult => crate::ToolResult { call_id, text, is_error, artifact }
    conversation::ToolSpec => crate::ToolSpec { name, definition, tokens, pinned }
    conversation::TokenUsage => crate::TokenUsage {
        input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens,
    }
    crate::TokenUsage => conversation::TokenUsage {
        input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens,
    }
    conversation::Usage => crate::Usage { tokens: into, messages }
    crate::Usage => conversation::Usage { tokens: into, messages }
    conversation::Conversation => crate::Conversation { messages: all, tools: all, usage: each }
    conversation::PlanState => crate::PlanState { prefix, failures }
    crate::PlanState => conversation::PlanState { prefix, failures }
    crate::Account => conversation::Account { system, tools, history, tool_outputs, total, cache_breakpoint }
    crate::Span => conversation::Span { start, end }
    crate::TextMessage => conversation::TextMessage { role: into, text }
    crate::Replacement => conversation::Replacement { message, part, text, artifact }
    crate::Receipt => conversation::Receipt {
        removal: into, messages: into, tool, tokens_before, tokens_after, artifact,
    }
    crate::Alarm => conversation::Alarm { kind: into, bucket: each, message }
    crate::Plan => conversation::Plan {
        is_empty, history: all, replacements: all, removed_tools, before: into, after: into, usage: each,
        receipts: all, alarms: all, state: into,
    }
    crate::SummaryRequest => conversation::SummaryRequest {
        model, messages: all, prompt, through, is_whole, remaining, max_output_tokens,
    }
    crate::Step => conversation::Step { plan: into, request: each, refusal }

    cache::PromptCache => crate::PromptCache { remaining_turns, read_price, write_price }
    crate::PromptCache => cache::PromptCache { remaining_turns, read_price, write_price }
    cache::CacheConfig => crate::CacheConfig {
        enabled, context_budget_tokens, max_message_bytes, max_line_length, target_ratio, clear_at_least_tokens,
        keep_last, protected_tools, prompt_cache: each,
    }
    crate::CacheConfig => cache::CacheConfig {
        enabled, context_budget_tokens, max_message_bytes, max_line_length, target_ratio, clear_at_least_tokens,
        keep_last, protected_tools, prompt_cache: each,
    }
    crate::CacheView => cache::CacheView { text, is_cut }

    compaction::CompactionConfig => crate::CompactionConfig {
        enabled, auto, threshold_ratio, context_limit, model, summary_context_limit, max_summary_tokens,
        summary_prompt, summary_directives, retain_prompt, retain_directives, retain_last_turns, max_user_bytes,
        max_references,
    }
    crate::CompactionConfig => compaction::CompactionConfig {
        enabled, auto, threshold_ratio, context_limit, model, summary_context_limit, max_summary_tokens,
        summary_prompt, summary_directives, retain_prompt, retain_directives, retain_last_turns, max_user_bytes,
        max_references,
    }

    budget::BucketCap => crate::BucketCap { max_tokens, on_overflow: into }
    crate::BucketCap => budget::BucketCap { max_tokens, on_overflow: into }
    budget::Layer => crate::Layer {
        target: into, strategy: into, at_pct, to_pct, keep_recent_turns, evict_pct,
    }
    crate::Layer => budget::Layer {
        target: into, strategy: into, at_pct, to_pct, keep_recent_turns, evict_pct,
    }
    budget::BudgetConfig => crate::BudgetConfig {
        total_window, system: into, tools: into, history: into, tool_outputs: into, working: into,
        headroom_tokens, layers: all, unused_turns,
    }
    crate::BudgetConfig => budget::BudgetConfig {
        total_window, system: into, tools: into, history: into, tool_outputs: into, working: into,
        headroom_tokens, layers: all, unused_turns,
    }

    extraction::Question => crate::Question { artifact, extract, mode: into, tool_arguments, nonce }
    crate::Question => extraction::Question { artifact, extract, mode: into, tool_arguments, nonce }
    extraction::ExtractionConfig => crate::ExtractionConfig {
        context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
        max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes, max_answer_bytes,
    }
    crate::ExtractionConfig => extraction::ExtractionConfig {
        context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
        max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes, max_answer_bytes,
    }
    crate::ExtractionEstimate => extraction::ExtractionEstimate {
        strategy: into, reason, size_bytes, line_count, tokens, chunks, requests, input_tokens, output_tokens,
    }
    extraction::ModelCall => crate::ModelCall { id, name, arguments }
    crate::ModelCall => extraction::ModelCall { id, name, arguments }
    extraction::ModelTurn => crate::ModelTurn { text, calls: all }
    crate::ModelTurn => extraction::ModelTurn { text, calls: all }
    extraction::ModelReply => crate::ModelReply { turn: into, stop: into, input_tokens, output_tokens }
    crate::CallResult => extraction::CallResult { call_id, text, is_error }
    crate::ModelRequest => extraction::ModelRequest {
        id, purpose: into, system, messages: all, tools: all, may_call, input_tokens, max_output_tokens,
    }
    crate::ByteSpan => extraction::ByteSpan { start, end }
    crate::Coverage => extraction::Coverage {
        chunks, chunks_done, chunks_failed, chunks_skipped, size_bytes, read: all,
    }
    crate::Quote => extraction::Quote { text, line, byte_offset }
    crate::ExtractionUsage => extraction::ExtractionUsage { requests, input_tokens, output_tokens }
    crate::Answer => extraction::Answer {
        text, content, outcome: into, strategy: into, is_partial, coverage: into, quotes: all, warnings, usage: into,
    }
    crate::ExtractionStep => extraction::ExtractionStep { state, requests: all, answer: each }

    histories::KnownArtifact => crate::KnownArtifact { call_id, text, artifact }
    histories::HistoryInput => crate::HistoryInput {
        json, format: each, usage, artifacts: all, pinned, is_strict, with_json,
    }
    crate::HistoryReport => histories::HistoryReport {
        is_changed, item_count, before: into, after: into, receipts: all, alarms: all, requests, summary_errors, refusal,
        originals, repairs,
    }
    crate::ManagedHistory => histories::ManagedHistory {
        format: into, items: all, kept_tools, json, memory, report: into,
    }
    crate::HistoryStep => histories::HistoryStep { state, request: each, history: into }
}

impl From<extraction::ExtractionEvent> for crate::ExtractionEvent {
    fn from(event: extraction::ExtractionEvent) -> Self {
        match event {
            extraction::ExtractionEvent::Reply(extraction::ReplyEvent { request, reply }) => {
                crate::ExtractionEvent::Reply { request, reply: reply.into() }
            }
            extraction::ExtractionEvent::Failed(extraction::FailureEvent { request, why }) => {
                crate::ExtractionEvent::Failed { request, why }
            }
            extraction::ExtractionEvent::Resume => crate::ExtractionEvent::Resume,
            extraction::ExtractionEvent::Cancel => crate::ExtractionEvent::Cancel,
        }
    }
}

impl From<crate::RequestMessage> for extraction::RequestMessage {
    fn from(message: crate::RequestMessage) -> Self {
        match message {
            crate::RequestMessage::User(text) => extraction::RequestMessage::User(text),
            crate::RequestMessage::Model(turn) => extraction::RequestMessage::Model(turn.into()),
            crate::RequestMessage::Results(results) => extraction::RequestMessage::Results(all(results)),
        }
    }
}

impl From<conversation::Message> for crate::Message {
    fn from(message: conversation::Message) -> Self {
        let conversation::Message { role, parts, tokens, pinned, inserted } = message;
        crate::Message { role: role.into(), parts: all(parts), tokens, pinned, inserted, joined: false }
    }
}

impl From<conversation::Part> for crate::Part {
    fn from(part: conversation::Part) -> Self {
        match part {
            conversation::Part::Text(text) => crate::Part::Text(text),
            conversation::Part::ToolCall(call) => crate::Part::ToolCall(call.into()),
            conversation::Part::ToolResult(result) => crate::Part::ToolResult(result.into()),
            conversation::Part::Media(tokens) => crate::Part::Media(tokens),
            conversation::Part::Opaque(bytes) => crate::Part::Opaque(bytes),
        }
    }
}

impl From<crate::Entry> for conversation::Entry {
    fn from(entry: crate::Entry) -> Self {
        match entry {
            crate::Entry::Keep(span) => conversation::Entry::Keep(span.into()),
            crate::Entry::Insert(message) => conversation::Entry::Insert(message.into()),
        }
    }
}

impl From<crate::HistoryItem> for histories::HistoryItem {
    fn from(item: crate::HistoryItem) -> Self {
        match item {
            crate::HistoryItem::Keep(span) => histories::HistoryItem::Keep(span.into()),
            crate::HistoryItem::Insert(json) => histories::HistoryItem::Insert(json),
        }
    }
}

impl From<histories::SummaryAnswer> for crate::SummaryAnswer {
    fn from(answer: histories::SummaryAnswer) -> Self {
        match answer {
            histories::SummaryAnswer::Text(text) => crate::SummaryAnswer::Text(text),
            histories::SummaryAnswer::Failed(why) => crate::SummaryAnswer::Failed(why),
        }
    }
}

impl From<types::ArtifactTools> for model::ArtifactTools {
    fn from(tools: types::ArtifactTools) -> Self {
        let flag = |tool: model::ArtifactTool| match tool {
            model::ArtifactTool::Read => types::ArtifactTools::READ,
            model::ArtifactTool::Grep => types::ArtifactTools::GREP,
            model::ArtifactTool::Jq => types::ArtifactTools::JQ,
        };
        model::ArtifactTool::ALL.into_iter().filter(|&tool| tools.contains(flag(tool))).collect()
    }
}

impl From<offload::Content> for model::Content {
    fn from(content: offload::Content) -> Self {
        match content {
            offload::Content::Text(text) => model::Content::Text(text),
            offload::Content::Bytes(bytes) => model::Content::Bytes(bytes),
            offload::Content::Stored(id) => model::Content::Stored(id),
        }
    }
}

impl From<artifacts::Range> for model::Range {
    fn from(range: artifacts::Range) -> Self {
        match range {
            artifacts::Range::Lines(lines) => model::Range::Lines { start: lines.start, end: lines.end },
            artifacts::Range::LastLines(count) => model::Range::LastLines(count),
            artifacts::Range::Bytes(bytes) => model::Range::Bytes { start: bytes.start, end: bytes.end },
            artifacts::Range::Cursor(cursor) => model::Range::Cursor(cursor),
        }
    }
}

impl From<store::StoreError> for StoreError {
    fn from(error: store::StoreError) -> Self {
        match error {
            store::StoreError::NotFound => StoreError::NotFound,
            store::StoreError::Expired(expiry) => StoreError::Expired(expiry.map(|expiry| {
                let store::Expiry { tool, expired_at } = expiry;
                Expiry { tool, expired_at }
            })),
            store::StoreError::QuotaExceeded => StoreError::QuotaExceeded,
            store::StoreError::Other(why) => StoreError::Other(why),
        }
    }
}

impl From<planning::Task> for crate::Task {
    fn from(task: planning::Task) -> Self {
        match task {
            planning::Task::Account => crate::Task::Account,
            planning::Task::Trim(planning::TrimTask { context_window, config }) => {
                crate::Task::Trim { context_window, config: config.into() }
            }
            planning::Task::Compact(config) => crate::Task::Compact(config.into()),
            planning::Task::Budget(planning::BudgetTask { config, compaction }) => {
                crate::Task::Budget { config: config.into(), compaction: compaction.into() }
            }
            planning::Task::Manage(task) => crate::Task::Manage {
                context_window: task.context_window,
                cache: task.cache.into(),
                budget: task.budget.map(Into::into),
                compaction: task.compaction.into(),
            },
        }
    }
}
