//! Converts the records of conversations and plans. Arguments are borrowed: a history of
//! 50 MB is copied once, into the guest.

use tuckaway as model;

use super::convert::{all, same_cases, same_fields};
use super::exported::{budget, cache, compaction, conversation, planning};

same_cases! {
    model::Role => conversation::Role { System, User, Assistant, Tool }
    conversation::Role => model::Role { System, User, Assistant, Tool }
    model::Bucket => conversation::Bucket { System, Tools, History, ToolOutputs, Working }
    conversation::Bucket => model::Bucket { System, Tools, History, ToolOutputs, Working }
    conversation::Removal => model::Removal { Trimmed, Evicted, Summarized, Pruned }
    conversation::AlarmKind => model::AlarmKind {
        Headroom, OverCap, NotStored, PrefixChanged, UsageIgnored, TokensEstimated, NoSummary, Setting
    }
    model::Overflow => budget::Overflow { Reject, Summarize, Truncate, PruneUnused }
    budget::Overflow => model::Overflow { Reject, Summarize, Truncate, PruneUnused }
    model::Strategy => budget::Strategy { TruncateLargest, SlidingWindow, RecursiveSummarize }
    budget::Strategy => model::Strategy { TruncateLargest, SlidingWindow, RecursiveSummarize }
    model::Preset => budget::Preset { General, CustomerSupport, CodeEditing, Research, Voice, Automation }
}

same_fields! {
    model::TokenUsage => conversation::TokenUsage {
        input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens
    }
    conversation::TokenUsage => model::TokenUsage {
        input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens
    }
    model::Usage => conversation::Usage { tokens, messages }
    conversation::Usage => model::Usage { tokens, messages }
    conversation::Account => model::Account {
        system, tools, history, tool_outputs, total, cache_breakpoint
    }
    conversation::Span => model::Span { start, end }
    conversation::TextMessage => model::TextMessage { role, text }
    conversation::Replacement => model::Replacement { message, part, text, artifact }
    conversation::Receipt => model::Receipt {
        removal, messages, tool, tokens_before, tokens_after, artifact
    }
    conversation::PlanStateResult => model::PlanState { prefix, failures }
    cache::CacheView => model::CacheView { text, is_cut }
    model::PromptCache => cache::PromptCache { remaining_turns, read_price, write_price }
    model::BucketCap => budget::BucketCap { max_tokens, on_overflow }
    budget::BucketCap => model::BucketCap { max_tokens, on_overflow }
    model::Layer => budget::Layer { target, strategy, at_pct, to_pct, keep_recent_turns, evict_pct }
    budget::Layer => model::Layer { target, strategy, at_pct, to_pct, keep_recent_turns, evict_pct }
}

impl From<conversation::Entry> for model::Entry {
    fn from(entry: conversation::Entry) -> Self {
        match entry {
            conversation::Entry::Keep(span) => model::Entry::Keep(span.into()),
            conversation::Entry::Insert(message) => model::Entry::Insert(message.into()),
        }
    }
}

impl From<conversation::Alarm> for model::Alarm {
    fn from(alarm: conversation::Alarm) -> Self {
        model::Alarm { kind: alarm.kind.into(), bucket: alarm.bucket.map(Into::into), message: alarm.message }
    }
}

impl From<conversation::Plan> for model::Plan {
    fn from(plan: conversation::Plan) -> Self {
        model::Plan {
            is_empty: plan.is_empty,
            history: all(plan.history),
            replacements: all(plan.replacements),
            removed_tools: plan.removed_tools,
            before: plan.before.into(),
            after: plan.after.into(),
            usage: plan.usage.map(Into::into),
            receipts: all(plan.receipts),
            alarms: all(plan.alarms),
            state: plan.state.into(),
        }
    }
}

impl From<conversation::SummaryRequest> for model::SummaryRequest {
    fn from(request: conversation::SummaryRequest) -> Self {
        model::SummaryRequest {
            model: request.model,
            messages: all(request.messages),
            prompt: request.prompt,
            through: request.through,
            is_whole: request.is_whole,
            remaining: request.remaining,
            max_output_tokens: request.max_output_tokens,
        }
    }
}

impl From<conversation::Step> for model::Step {
    fn from(step: conversation::Step) -> Self {
        model::Step { plan: step.plan.into(), request: step.request.map(Into::into), refusal: step.refusal }
    }
}

impl From<budget::BudgetConfigResult> for model::BudgetConfig {
    fn from(config: budget::BudgetConfigResult) -> Self {
        model::BudgetConfig {
            total_window: config.total_window,
            system: config.system.into(),
            tools: config.tools.into(),
            history: config.history.into(),
            tool_outputs: config.tool_outputs.into(),
            working: config.working.into(),
            headroom_tokens: config.headroom_tokens,
            layers: all(config.layers),
            unused_turns: config.unused_turns,
        }
    }
}

/// Converts the parts of each message, for [`messages`] to borrow.
pub(crate) fn parts(conversation: &model::Conversation) -> Vec<Vec<conversation::Part<'_>>> {
    conversation.messages.iter().map(|message| message.parts.iter().map(part).collect()).collect()
}

fn part(part: &model::Part) -> conversation::Part<'_> {
    match part {
        model::Part::Text(text) => conversation::Part::Text(text),
        model::Part::ToolCall(call) => conversation::Part::ToolCall(conversation::ToolCall {
            id: &call.id,
            name: &call.name,
            arguments: &call.arguments,
        }),
        model::Part::ToolResult(result) => conversation::Part::ToolResult(conversation::ToolResult {
            call_id: &result.call_id,
            text: &result.text,
            is_error: result.is_error,
            artifact: result.artifact.as_deref(),
        }),
        model::Part::Media(tokens) => conversation::Part::Media(*tokens),
        model::Part::Opaque(bytes) => conversation::Part::Opaque(*bytes),
    }
}

/// Converts the messages, for [`conversation`] to borrow.
pub(crate) fn messages<'a>(
    conversation: &model::Conversation,
    parts: &'a [Vec<conversation::Part<'a>>],
) -> Vec<conversation::Message<'a>> {
    let message =
        |(message, parts): (&model::Message, &'a Vec<conversation::Part<'a>>)| conversation::Message {
            role: message.role.into(),
            parts,
            tokens: message.tokens,
            pinned: message.pinned,
            inserted: message.inserted,
        };
    conversation.messages.iter().zip(parts).map(message).collect()
}

/// Converts the tools, for [`conversation`] to borrow.
pub(crate) fn specs(conversation: &model::Conversation) -> Vec<conversation::ToolSpec<'_>> {
    conversation.tools.iter().map(spec).collect()
}

fn spec(tool: &model::ToolSpec) -> conversation::ToolSpec<'_> {
    conversation::ToolSpec {
        name: &tool.name,
        definition: &tool.definition,
        tokens: tool.tokens,
        pinned: tool.pinned,
    }
}

/// Converts a conversation to the argument of an export.
pub(crate) fn conversation<'a>(
    conversation: &model::Conversation,
    messages: &'a [conversation::Message<'a>],
    tools: &'a [conversation::ToolSpec<'a>],
) -> conversation::Conversation<'a> {
    conversation::Conversation { messages, tools, usage: conversation.usage.map(Into::into) }
}

/// Converts a list of texts to the argument of an export, or to a list that an argument borrows.
pub(crate) fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Converts the state to the argument of an export.
pub(crate) fn state(state: &model::PlanState) -> conversation::PlanStateParam<'_> {
    conversation::PlanStateParam { prefix: state.prefix.as_deref(), failures: state.failures }
}

/// Converts a configuration to the argument of an export, with its tools as [`texts`].
pub(crate) fn cache<'a>(
    config: &model::CacheConfig,
    protected_tools: &'a [&'a str],
) -> cache::CacheConfigParam<'a> {
    cache::CacheConfigParam {
        enabled: config.enabled,
        context_budget_tokens: config.context_budget_tokens,
        max_message_bytes: config.max_message_bytes,
        max_line_length: config.max_line_length,
        target_ratio: config.target_ratio,
        clear_at_least_tokens: config.clear_at_least_tokens,
        keep_last: config.keep_last,
        protected_tools,
        prompt_cache: config.prompt_cache.clone().map(Into::into),
    }
}

/// The directives of a configuration, for [`compaction`] to borrow.
#[derive(Default)]
pub(crate) struct Directives<'a> {
    summary: Vec<&'a str>,
    retain: Vec<&'a str>,
}

impl<'a> Directives<'a> {
    /// Converts the directives of a configuration.
    pub(crate) fn of(config: &'a model::CompactionConfig) -> Self {
        Directives { summary: texts(&config.summary_directives), retain: texts(&config.retain_directives) }
    }
}

/// Converts a configuration to the argument of an export.
pub(crate) fn compaction<'a>(
    config: &'a model::CompactionConfig,
    directives: &'a Directives<'a>,
) -> compaction::CompactionConfigParam<'a> {
    compaction::CompactionConfigParam {
        enabled: config.enabled,
        auto: config.auto,
        threshold_ratio: config.threshold_ratio,
        context_limit: config.context_limit,
        model: config.model.as_deref(),
        summary_context_limit: config.summary_context_limit,
        max_summary_tokens: config.max_summary_tokens,
        summary_prompt: config.summary_prompt.as_deref(),
        summary_directives: &directives.summary,
        retain_prompt: config.retain_prompt.as_deref(),
        retain_directives: &directives.retain,
        retain_last_turns: config.retain_last_turns,
        max_user_bytes: config.max_user_bytes,
        max_references: config.max_references,
    }
}

/// Converts the layers of a budget, for [`budget`] to borrow.
pub(crate) fn layers(config: &model::BudgetConfig) -> Vec<budget::Layer> {
    all(config.layers.clone())
}

/// Converts a budget to the argument of an export.
pub(crate) fn budget<'a>(
    config: &model::BudgetConfig,
    layers: &'a [budget::Layer],
) -> budget::BudgetConfigParam<'a> {
    budget::BudgetConfigParam {
        total_window: config.total_window,
        system: config.system.into(),
        tools: config.tools.into(),
        history: config.history.into(),
        tool_outputs: config.tool_outputs.into(),
        working: config.working.into(),
        headroom_tokens: config.headroom_tokens,
        layers,
        unused_turns: config.unused_turns,
    }
}

/// The lists in the configurations of a task, for [`task`] to borrow.
#[derive(Default)]
pub(crate) struct Lists<'a> {
    protected_tools: Vec<&'a str>,
    layers: Vec<budget::Layer>,
    directives: Directives<'a>,
}

impl<'a> Lists<'a> {
    /// Converts the lists of a task.
    pub(crate) fn of(task: &'a model::Task) -> Self {
        let (cache, budget, compaction) = match task {
            model::Task::Account => (None, None, None),
            model::Task::Trim { config, .. } => (Some(config), None, None),
            model::Task::Compact(config) => (None, None, Some(config)),
            model::Task::Budget { config, compaction } => (None, Some(config), Some(compaction)),
            model::Task::Manage { cache, budget, compaction, .. } => {
                (Some(cache), budget.as_ref(), Some(compaction))
            }
        };
        Lists {
            protected_tools: cache.map(|config| texts(&config.protected_tools)).unwrap_or_default(),
            layers: budget.map(layers).unwrap_or_default(),
            directives: compaction.map(Directives::of).unwrap_or_default(),
        }
    }
}

/// Converts a task to the argument of an export.
pub(crate) fn task<'a>(task: &'a model::Task, lists: &'a Lists<'a>) -> planning::Task<'a> {
    match task {
        model::Task::Account => planning::Task::Account,
        model::Task::Trim { context_window, config } => planning::Task::Trim(planning::TrimTask {
            context_window: *context_window,
            config: cache(config, &lists.protected_tools),
        }),
        model::Task::Compact(config) => planning::Task::Compact(compaction(config, &lists.directives)),
        model::Task::Budget { config, compaction: summary } => planning::Task::Budget(planning::BudgetTask {
            config: budget(config, &lists.layers),
            compaction: compaction(summary, &lists.directives),
        }),
        model::Task::Manage { context_window, cache: trimmed, budget: evicted, compaction: summary } => {
            planning::Task::Manage(planning::ManageTask {
                context_window: *context_window,
                cache: cache(trimmed, &lists.protected_tools),
                budget: evicted.as_ref().map(|config| budget(config, &lists.layers)),
                compaction: compaction(summary, &lists.directives),
            })
        }
    }
}
