// Written by `cargo xtask contract` from wit/; do not edit.

//! Conversions between the records of wit-bindgen and those of the contract.

use tuckaway_contract as contract;

use super::bindings::exports::tuckaway::context as exported;
use super::bindings::tuckaway::context as imported;
use super::convert::{all, cases, moved, record};

record!(imported::store::Artifact => contract::Artifact {
    id, tool, media_type, size_bytes, line_count, created_at
});
record!(contract::Artifact => imported::store::Artifact {
    id, tool, media_type, size_bytes, line_count, created_at
});
record!(imported::store::Expiry => contract::Expiry { tool, expired_at });
cases!(imported::store::StoreError => contract::StoreError {
    NotFound, Expired(each), QuotaExceeded, Other(is)
});
cases!(exported::conversation::Role => contract::Role { System, User, Assistant, Tool });
cases!(contract::Role => exported::conversation::Role { System, User, Assistant, Tool });
record!(exported::conversation::ToolCall => contract::ToolCall { id, name, arguments, pinned });
record!(exported::conversation::ToolResult => contract::ToolResult {
    call_id, text, is_error, artifact
});
record!(exported::conversation::Medium => contract::Medium { tokens, bytes, label, artifact });
cases!(exported::conversation::Part => contract::Part {
    Text(is), ToolCall(into), ToolResult(into), Media(into), Opaque(is), Thinking(is)
});
record!(exported::conversation::Message => contract::Message {
    role: into, parts: all, tokens, pinned, inserted, joined, kept
});
record!(exported::conversation::ToolSpec => contract::ToolSpec {
    name, definition, tokens, pinned
});
record!(exported::conversation::TokenUsage => contract::TokenUsage {
    input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens
});
record!(contract::TokenUsage => exported::conversation::TokenUsage {
    input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens
});
record!(exported::conversation::Usage => contract::Usage { tokens: into, messages });
record!(contract::Usage => exported::conversation::Usage { tokens: into, messages });
record!(exported::conversation::Conversation => contract::Conversation {
    messages: all, tools: all, usage: each
});
cases!(exported::conversation::Bucket => contract::Bucket {
    System, Tools, History, ToolOutputs, Working
});
cases!(contract::Bucket => exported::conversation::Bucket {
    System, Tools, History, ToolOutputs, Working
});
record!(contract::Account => exported::conversation::Account {
    system, tools, history, tool_outputs, total, cache_breakpoint
});
record!(contract::Span => exported::conversation::Span { start, end });
record!(contract::TextMessage => exported::conversation::TextMessage { role: into, text });
cases!(contract::Entry => exported::conversation::Entry { Keep(into), Insert(into) });
record!(contract::Replacement => exported::conversation::Replacement {
    message, part, text, artifact
});
record!(contract::PartPlace => exported::conversation::PartPlace { message, part });
cases!(contract::Removal => exported::conversation::Removal {
    Trimmed, Evicted, Summarized, Pruned, Cleared
});
record!(contract::Receipt => exported::conversation::Receipt {
    removal: into, messages: into, tool, tokens_before, tokens_after, artifact
});
cases!(contract::AlarmKind => exported::conversation::AlarmKind {
    Headroom, OverCap, NotStored, PrefixChanged, UsageIgnored, TokensEstimated, NoSummary, Setting,
    Refused, CannotFit, ImageTooWide
});
record!(contract::Alarm => exported::conversation::Alarm { kind: into, bucket: each, message });
record!(exported::conversation::PairSummary => contract::PairSummary { pair, text });
record!(exported::conversation::PlanState => contract::PlanState { prefix, failures, requested });
record!(contract::PlanState => exported::conversation::PlanState { prefix, failures, requested });
record!(contract::Plan => exported::conversation::Plan {
    is_empty, history: all, replacements: all, removed_tools, before: into, after: into,
    usage: each, receipts: all, alarms: all, state: into, removed_parts: all
});
record!(contract::SummaryRequest => exported::conversation::SummaryRequest {
    model, messages: all, prompt, through, is_whole, remaining, max_output_tokens, pair
});
record!(contract::Step => exported::conversation::Step {
    plan: into, request: each, refusal, background: all
});
cases!(contract::ErrorKind => exported::types::ErrorKind {
    InvalidInput, NotFound, Expired, Unsupported, Limit, Store, Tokens
});
record!(contract::Error => exported::types::Error { kind: into, message, arguments });
cases!(exported::types::ArtifactTool => contract::ArtifactTool { Read, Grep, Jq });
cases!(exported::types::Dialect => contract::Dialect { Artifact, Cache, Handle, File });
cases!(contract::Dialect => exported::types::Dialect { Artifact, Cache, Handle, File });
cases!(exported::budget::Overflow => contract::Overflow {
    Reject, Summarize, Truncate, PruneUnused
});
cases!(contract::Overflow => exported::budget::Overflow {
    Reject, Summarize, Truncate, PruneUnused
});
record!(exported::budget::BucketCap => contract::BucketCap { max_tokens, on_overflow: into });
record!(contract::BucketCap => exported::budget::BucketCap { max_tokens, on_overflow: into });
cases!(exported::budget::Strategy => contract::Strategy {
    TruncateLargest, SlidingWindow, RecursiveSummarize
});
cases!(contract::Strategy => exported::budget::Strategy {
    TruncateLargest, SlidingWindow, RecursiveSummarize
});
record!(exported::budget::Layer => contract::Layer {
    target: into, strategy: into, at_pct, to_pct, keep_recent_turns, evict_pct
});
record!(contract::Layer => exported::budget::Layer {
    target: into, strategy: into, at_pct, to_pct, keep_recent_turns, evict_pct
});
record!(exported::budget::BudgetConfig => contract::BudgetConfig {
    total_window, system: into, tools: into, history: into, tool_outputs: into, working: into,
    headroom_tokens, layers: all, unused_turns
});
record!(contract::BudgetConfig => exported::budget::BudgetConfig {
    total_window, system: into, tools: into, history: into, tool_outputs: into, working: into,
    headroom_tokens, layers: all, unused_turns
});
cases!(exported::budget::Preset => contract::Preset {
    General, CustomerSupport, CodeEditing, Research, Voice, Automation
});
record!(exported::cache::PromptCache => contract::PromptCache {
    remaining_turns, read_price, write_price
});
record!(contract::PromptCache => exported::cache::PromptCache {
    remaining_turns, read_price, write_price
});
cases!(exported::cache::Repeats => contract::Repeats { Off, Equal, Diff });
cases!(contract::Repeats => exported::cache::Repeats { Off, Equal, Diff });
record!(exported::cache::UserMessages => contract::UserMessages {
    threshold, keep_bytes, with_newest
});
record!(contract::UserMessages => exported::cache::UserMessages {
    threshold, keep_bytes, with_newest
});
record!(exported::cache::ImageLimits => contract::ImageLimits { side, many, side_of_many });
record!(contract::ImageLimits => exported::cache::ImageLimits { side, many, side_of_many });
record!(exported::cache::CacheConfig => contract::CacheConfig {
    enabled, context_budget_tokens, max_message_bytes, max_line_length, target_ratio,
    clear_at_least_tokens, keep_last, protected_tools, keep_errors, trim_arguments, argument_tools,
    min_argument_bytes, keep_media, max_media, max_request_bytes, user_messages: each,
    repeats: into, prompt_cache: each, keep_thinking, image_limits: each
});
record!(contract::CacheConfig => exported::cache::CacheConfig {
    enabled, context_budget_tokens, max_message_bytes, max_line_length, target_ratio,
    clear_at_least_tokens, keep_last, protected_tools, keep_errors, trim_arguments, argument_tools,
    min_argument_bytes, keep_media, max_media, max_request_bytes, user_messages: each,
    repeats: into, prompt_cache: each, keep_thinking, image_limits: each
});
record!(contract::CacheView => exported::cache::CacheView { text, is_cut });
record!(exported::compaction::CompactionConfig => contract::CompactionConfig {
    enabled, auto, threshold_ratio, context_limit, model, summary_context_limit,
    max_summary_tokens, summary_prompt, summary_directives, retain_prompt, retain_directives,
    retain_last_turns, max_user_bytes, max_references
});
record!(contract::CompactionConfig => exported::compaction::CompactionConfig {
    enabled, auto, threshold_ratio, context_limit, model, summary_context_limit,
    max_summary_tokens, summary_prompt, summary_directives, retain_prompt, retain_directives,
    retain_last_turns, max_user_bytes, max_references
});
cases!(exported::offload::Mode => contract::Mode { Auto, Artifact, Truncate });
cases!(contract::Mode => exported::offload::Mode { Auto, Artifact, Truncate });
record!(exported::offload::ToolOverride => contract::ToolOverride {
    tools, exempt, mode: each, max_threshold_bytes
});
record!(contract::ToolOverride => exported::offload::ToolOverride {
    tools, exempt, mode: each, max_threshold_bytes
});
record!(exported::offload::Policy => contract::Policy {
    enabled, dialect: into, mode: into, keep_all, context_percentage, min_threshold_bytes,
    max_threshold_bytes, headroom_percentage, max_output_tokens, bytes_per_token, max_view_bytes,
    preview_bytes, image_tokens, overrides: all
});
record!(contract::Policy => exported::offload::Policy {
    enabled, dialect: into, mode: into, keep_all, context_percentage, min_threshold_bytes,
    max_threshold_bytes, headroom_percentage, max_output_tokens, bytes_per_token, max_view_bytes,
    preview_bytes, image_tokens, overrides: all
});
record!(exported::offload::Turn => contract::Turn { context_window, used_tokens, tools: all });
cases!(exported::offload::Content => contract::Content { Text(is), Bytes(is), Stored(is) });
record!(exported::offload::Block => contract::Block { content: into, media_type });
record!(exported::offload::ToolOutput => contract::ToolOutput {
    tool, is_error, blocks: all, structured
});
cases!(contract::Action => exported::offload::Action { Inline, Artifact, Truncate });
cases!(contract::Gate => exported::offload::Gate {
    Disabled, Exempt, ArtifactTool, BelowFloor, Fits, Ceiling, PerOutput, TokenCap, Headroom
});
record!(contract::Decision => exported::offload::Decision {
    action: into, gate: into, size_bytes, line_count, token_count, tokens_estimated,
    min_threshold_bytes, threshold_bytes, max_threshold_bytes, max_output_tokens, headroom_tokens,
    kept_tokens, matched_override, failures: all
});
record!(contract::View => exported::offload::View { text, kept, artifacts: all, decision: into });
record!(exported::planning::TrimTask => contract::TrimTask { context_window, config: into });
record!(exported::planning::BudgetTask => contract::BudgetTask { config: into, compaction: into });
record!(exported::planning::PairConfig => contract::PairConfig { min_tokens, answers: all });
record!(exported::planning::ManageTask => contract::ManageTask {
    context_window, cache: into, budget: each, compaction: into, refusal, pairs: each
});
cases!(contract::RefusalKind => exported::planning::RefusalKind {
    Unknown, RateLimit, TooManyTokens, RequestTooLarge, TooManyImages, ImageTooLarge, ImageTooWide
});
record!(contract::ProviderRefusal => exported::planning::ProviderRefusal {
    kind: into, limit, actual, answer, excess
});
cases!(exported::planning::Task => contract::Task {
    Account, Trim(into), Compact(into), Budget(into), Manage(into)
});
cases!(exported::histories::HistoryFormat => contract::HistoryFormat {
    OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral
});
cases!(contract::HistoryFormat => exported::histories::HistoryFormat {
    OpenaiChat, OpenaiResponses, Anthropic, AiSdk, AiSdkUi, Gemini, Bedrock, Langchain, Neutral
});
record!(exported::histories::KnownArtifact => contract::KnownArtifact { call_id, text, artifact });
record!(exported::histories::HistoryInput => contract::HistoryInput {
    json, format: each, usage, artifacts: all, pinned, is_strict, with_json
});
cases!(contract::HistoryItem => exported::histories::HistoryItem { Keep(into), Insert(is) });
record!(contract::HistoryReport => exported::histories::HistoryReport {
    is_changed, item_count, before: into, after: into, receipts: all, alarms: all, requests,
    summary_errors, refusal, originals, repairs
});
record!(contract::ManagedHistory => exported::histories::ManagedHistory {
    format: into, items: all, kept_tools, json, memory, report: into, background: all
});
record!(contract::HistoryStep => exported::histories::HistoryStep {
    state, request: each, compactable: all, history: into
});
cases!(exported::histories::SummaryAnswer => contract::SummaryAnswer {
    Text(is), Failed(is), Compacted(is)
});
record!(contract::Shape => exported::reduce::Shape { media_type, json });
record!(exported::artifacts::LineRange => contract::LineRange { start, end });
record!(exported::artifacts::ByteRange => contract::ByteRange { start, end });
cases!(exported::artifacts::Range => contract::Range {
    Lines(into), LastLines(is), Bytes(into), Cursor(is)
});
record!(contract::Page => exported::artifacts::Page { text, next });
record!(exported::artifacts::GrepQuery => contract::GrepQuery {
    pattern, fixed_string, ignore_case, invert, before_context, after_context, each_match,
    max_matches, cursor
});
record!(contract::Match => exported::artifacts::Match {
    line, column, byte_offset, text, clipped, before, after
});
record!(contract::Matches => exported::artifacts::Matches {
    matches: all, total, match_count, next
});
record!(contract::ArtifactMatches => exported::artifacts::ArtifactMatches {
    artifact: into, matches: all, total, match_count
});
record!(contract::SkippedArtifact => exported::artifacts::SkippedArtifact {
    artifact: into, error: into
});
record!(contract::AllMatches => exported::artifacts::AllMatches {
    groups: all, searched, searched_bytes, skipped: all, remaining, next
});
record!(exported::artifacts::JqVariable => contract::JqVariable { name, artifact });
record!(exported::artifacts::JqQuery => contract::JqQuery {
    filter, raw, compact, slurp, null_input, max_steps, max_memory, variables: all, save_as,
    cursor
});
record!(contract::SavedOutputs => exported::artifacts::SavedOutputs {
    artifact: into, count, shape: into
});
record!(contract::Outputs => exported::artifacts::Outputs {
    text, next, failure: each, hint, parsed_as, saved: each
});
record!(contract::ToolDefinition => exported::tools::ToolDefinition {
    name, description, input_schema
});
cases!(contract::MediaKind => exported::tools::MediaKind { Image, Pdf, Audio });
record!(contract::StoredMedia => exported::tools::StoredMedia {
    artifact_id, kind: into, media_type, size_bytes
});
record!(contract::ToolReply => exported::tools::ToolReply { text, is_error, media: each });
cases!(exported::extraction::ExtractionMode => contract::ExtractionMode {
    Auto, FullChunked, ReadGrep, Truncate
});
cases!(contract::ExtractionMode => exported::extraction::ExtractionMode {
    Auto, FullChunked, ReadGrep, Truncate
});
record!(exported::extraction::Question => contract::Question {
    artifact, extract, mode: into, tool_arguments, nonce
});
record!(contract::Question => exported::extraction::Question {
    artifact, extract, mode: into, tool_arguments, nonce
});
record!(exported::extraction::ExtractionConfig => contract::ExtractionConfig {
    context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
    max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes,
    max_answer_bytes
});
record!(contract::ExtractionConfig => exported::extraction::ExtractionConfig {
    context_tokens, max_output_tokens, max_full_chunks, long_line_bytes, max_chunks, overlap_pct,
    max_parallel, max_requests, max_tokens, max_turns, max_tool_calls, max_reply_bytes,
    max_answer_bytes
});
cases!(contract::RequestPurpose => exported::extraction::RequestPurpose {
    Extract, Synthesize, Search
});
record!(exported::extraction::ModelCall => contract::ModelCall { id, name, arguments });
record!(contract::ModelCall => exported::extraction::ModelCall { id, name, arguments });
record!(exported::extraction::ModelTurn => contract::ModelTurn { text, calls: all });
record!(contract::ModelTurn => exported::extraction::ModelTurn { text, calls: all });
record!(contract::CallResult => exported::extraction::CallResult { call_id, text, is_error });
cases!(contract::RequestMessage => exported::extraction::RequestMessage {
    User(is), Model(into), Results(all)
});
record!(contract::ModelRequest => exported::extraction::ModelRequest {
    id, purpose: into, system, messages: all, tools: all, may_call, input_tokens,
    max_output_tokens
});
cases!(exported::extraction::StopReason => contract::StopReason { Finished, Length });
record!(exported::extraction::ModelReply => contract::ModelReply {
    turn: into, stop: into, input_tokens, output_tokens
});
record!(exported::extraction::ReplyEvent => contract::ReplyEvent { request, reply: into });
record!(exported::extraction::FailureEvent => contract::FailureEvent { request, why });
cases!(exported::extraction::ExtractionEvent => contract::ExtractionEvent {
    Reply(into), Failed(into), Resume, Cancel
});
record!(contract::ByteSpan => exported::extraction::ByteSpan { start, end });
record!(contract::Coverage => exported::extraction::Coverage {
    chunks, chunks_done, chunks_failed, chunks_skipped, size_bytes, read: all
});
record!(contract::Quote => exported::extraction::Quote { text, line, byte_offset });
cases!(contract::ExtractionOutcome => exported::extraction::ExtractionOutcome {
    Found, NotFound, Truncated, Failed
});
record!(contract::ExtractionUsage => exported::extraction::ExtractionUsage {
    requests, input_tokens, output_tokens
});
record!(contract::Answer => exported::extraction::Answer {
    text, content, outcome: into, strategy: into, is_partial, coverage: into, quotes: all,
    warnings, usage: into
});
record!(contract::ExtractionStep => exported::extraction::ExtractionStep {
    state, requests: all, answer: each
});
record!(contract::ExtractionEstimate => exported::extraction::ExtractionEstimate {
    strategy: into, reason, size_bytes, line_count, tokens, chunks, requests, input_tokens,
    output_tokens
});
