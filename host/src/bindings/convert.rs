//! Converts between the records of the bindings and those of the `tuckaway` crate. Nothing
//! is decided here: only names and order differ.

use tuckaway::{self as model, ErrorKind};

use super::exported::{artifacts, offload, reduce, tools, types};
use super::imported::store;

/// Converts enums that have the same cases on both sides, from the first to the second.
macro_rules! same_cases {
    ($($from:path => $to:path { $($case:ident),* })*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value { $(<$from>::$case => <$to>::$case),* }
            }
        }
    )*};
}

same_cases! {
    types::ErrorKind => ErrorKind {
        InvalidInput, NotFound, Expired, Unsupported, Limit, Store, Tokens
    }
    model::Dialect => types::Dialect { Artifact, Cache, Handle, File }
    types::Dialect => model::Dialect { Artifact, Cache, Handle, File }
    model::Mode => offload::Mode { Auto, Artifact, Truncate }
    offload::Mode => model::Mode { Auto, Artifact, Truncate }
    offload::Action => model::Action { Inline, Artifact, Truncate }
    offload::Gate => model::Gate {
        Disabled, Exempt, ArtifactTool, BelowFloor, Fits, Ceiling, PerOutput, TokenCap, Headroom
    }
}

/// Converts records that have the same fields on both sides, from the first to the second.
macro_rules! same_fields {
    ($($from:path => $to:path { $($field:ident),* })*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                $to { $($field: value.$field.into()),* }
            }
        }
    )*};
}

same_fields! {
    store::Artifact => model::Artifact { id, tool, media_type, size_bytes, line_count, created_at }
    model::Artifact => store::Artifact { id, tool, media_type, size_bytes, line_count, created_at }
    reduce::Shape => model::Shape { media_type, json }
    artifacts::Page => model::Page { text, next }
    artifacts::Match => model::Match { line, column, byte_offset, text, clipped, before, after }
    tools::ToolDefinition => model::ToolDefinition { name, description, input_schema }
    tools::ToolReply => model::ToolReply { text, is_error }
}

pub(crate) use {same_cases, same_fields};

/// Converts all elements of a list.
pub(crate) fn all<A, B: From<A>>(list: Vec<A>) -> Vec<B> {
    list.into_iter().map(B::from).collect()
}

impl From<types::Error> for model::Error {
    fn from(error: types::Error) -> Self {
        // `new` truncates the message again: a custom component may not have done so.
        model::Error::new(error.kind.into(), error.message)
    }
}

impl From<model::StoreError> for store::StoreError {
    fn from(error: model::StoreError) -> Self {
        match error {
            model::StoreError::NotFound => Self::NotFound,
            model::StoreError::Expired(expiry) => Self::Expired(expiry.map(|expiry| {
                let model::Expiry { tool, expired_at } = expiry;
                store::Expiry { tool, expired_at }
            })),
            model::StoreError::QuotaExceeded => Self::QuotaExceeded,
            model::StoreError::Other(why) => Self::Other(why),
        }
    }
}

impl From<offload::View> for model::View {
    fn from(view: offload::View) -> Self {
        model::View {
            text: view.text,
            kept: view.kept,
            artifacts: all(view.artifacts),
            decision: view.decision.into(),
        }
    }
}

impl From<offload::Decision> for model::Decision {
    fn from(decision: offload::Decision) -> Self {
        model::Decision {
            action: decision.action.into(),
            gate: decision.gate.into(),
            size_bytes: decision.size_bytes,
            line_count: decision.line_count,
            token_count: decision.token_count,
            tokens_estimated: decision.tokens_estimated,
            min_threshold_bytes: decision.min_threshold_bytes,
            threshold_bytes: decision.threshold_bytes,
            max_threshold_bytes: decision.max_threshold_bytes,
            max_output_tokens: decision.max_output_tokens,
            headroom_tokens: decision.headroom_tokens,
            kept_tokens: decision.kept_tokens,
            matched_override: decision.matched_override,
            failures: all(decision.failures),
        }
    }
}

impl From<offload::PolicyResult> for model::Policy {
    fn from(policy: offload::PolicyResult) -> Self {
        model::Policy {
            enabled: policy.enabled,
            dialect: policy.dialect.into(),
            mode: policy.mode.into(),
            keep_all: policy.keep_all,
            context_percentage: policy.context_percentage,
            min_threshold_bytes: policy.min_threshold_bytes,
            max_threshold_bytes: policy.max_threshold_bytes,
            headroom_percentage: policy.headroom_percentage,
            max_output_tokens: policy.max_output_tokens,
            bytes_per_token: policy.bytes_per_token,
            max_view_bytes: policy.max_view_bytes,
            preview_bytes: policy.preview_bytes,
            image_tokens: policy.image_tokens,
            overrides: policy
                .overrides
                .into_iter()
                .map(|each| model::ToolOverride {
                    tools: each.tools,
                    exempt: each.exempt,
                    mode: each.mode.map(Into::into),
                    max_threshold_bytes: each.max_threshold_bytes,
                })
                .collect(),
        }
    }
}

impl From<artifacts::Matches> for model::Matches {
    fn from(matches: artifacts::Matches) -> Self {
        model::Matches {
            matches: all(matches.matches),
            total: matches.total,
            match_count: matches.match_count,
            next: matches.next,
        }
    }
}

impl From<artifacts::Outputs> for model::Outputs {
    fn from(outputs: artifacts::Outputs) -> Self {
        model::Outputs {
            text: outputs.text,
            next: outputs.next,
            failure: outputs.failure.map(Into::into),
            hint: outputs.hint,
            parsed_as: outputs.parsed_as,
        }
    }
}

/// Converts the overrides of a policy, for [`policy`] to borrow.
pub(crate) fn overrides(policy: &model::Policy) -> Vec<offload::ToolOverrideParam<'_>> {
    policy
        .overrides
        .iter()
        .map(|each| offload::ToolOverrideParam {
            tools: &each.tools,
            exempt: each.exempt,
            mode: each.mode.map(Into::into),
            max_threshold_bytes: each.max_threshold_bytes,
        })
        .collect()
}

/// Converts a policy to the argument of an export.
pub(crate) fn policy<'a>(
    policy: &model::Policy,
    overrides: &'a [offload::ToolOverrideParam<'a>],
) -> offload::PolicyParam<'a> {
    offload::PolicyParam {
        enabled: policy.enabled,
        dialect: policy.dialect.into(),
        mode: policy.mode.into(),
        keep_all: policy.keep_all,
        context_percentage: policy.context_percentage,
        min_threshold_bytes: policy.min_threshold_bytes,
        max_threshold_bytes: policy.max_threshold_bytes,
        headroom_percentage: policy.headroom_percentage,
        max_output_tokens: policy.max_output_tokens,
        bytes_per_token: policy.bytes_per_token,
        max_view_bytes: policy.max_view_bytes,
        preview_bytes: policy.preview_bytes,
        image_tokens: policy.image_tokens,
        overrides,
    }
}

/// Converts the callable tools to the argument of an export.
pub(crate) fn tools(tools: &model::ArtifactTools) -> types::ArtifactTools {
    tools.iter().fold(types::ArtifactTools::empty(), |flags, tool| {
        flags
            | match tool {
                model::ArtifactTool::Read => types::ArtifactTools::READ,
                model::ArtifactTool::Grep => types::ArtifactTools::GREP,
                model::ArtifactTool::Jq => types::ArtifactTools::JQ,
            }
    })
}

/// Converts the turn to the argument of an export.
pub(crate) fn turn(turn: &model::Turn) -> offload::Turn {
    offload::Turn {
        context_window: turn.context_window,
        used_tokens: turn.used_tokens,
        tools: tools(&turn.tools),
    }
}

/// Converts the blocks of an output, for [`output`] to borrow.
pub(crate) fn blocks(output: &model::ToolOutput) -> Vec<offload::Block<'_>> {
    output
        .blocks
        .iter()
        .map(|block| offload::Block {
            content: match &block.content {
                model::Content::Text(text) => offload::Content::Text(text),
                model::Content::Bytes(bytes) => offload::Content::Bytes(bytes),
                model::Content::Stored(id) => offload::Content::Stored(id),
            },
            media_type: block.media_type.as_deref(),
        })
        .collect()
}

/// Converts an output to the argument of an export.
pub(crate) fn output<'a>(
    output: &'a model::ToolOutput,
    blocks: &'a [offload::Block<'a>],
) -> offload::ToolOutput<'a> {
    offload::ToolOutput {
        tool: &output.tool,
        is_error: output.is_error,
        blocks,
        structured: output.structured.as_deref(),
    }
}

/// Converts a range to the argument of an export.
pub(crate) fn range(range: &model::Range) -> artifacts::Range<'_> {
    match range {
        model::Range::Lines { start, end } => {
            artifacts::Range::Lines(artifacts::LineRange { start: *start, end: *end })
        }
        model::Range::LastLines(count) => artifacts::Range::LastLines(*count),
        model::Range::Bytes { start, end } => {
            artifacts::Range::Bytes(artifacts::ByteRange { start: *start, end: *end })
        }
        model::Range::Cursor(cursor) => artifacts::Range::Cursor(cursor),
    }
}

/// Converts a search to the argument of an export.
pub(crate) fn grep(query: &model::GrepQuery) -> artifacts::GrepQuery<'_> {
    artifacts::GrepQuery {
        pattern: &query.pattern,
        fixed_string: query.fixed_string,
        ignore_case: query.ignore_case,
        invert: query.invert,
        before_context: query.before_context,
        after_context: query.after_context,
        each_match: query.each_match,
        max_matches: query.max_matches,
        cursor: query.cursor.as_deref(),
    }
}

/// The memory that the engine gives a filter by default.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// Returns the memory for a filter's values: the requested amount, but at most half of
/// an instance's memory if that is less than the default. The other half is for memory that
/// is not counted: buffers, arrays that are moved as they grow, the component's own data,
/// gaps between values.
fn memory_of_values(requested: Option<u64>, memory_limit: usize) -> u64 {
    let limit = memory_limit as u64;
    let least = if limit < DEFAULT_MEMORY { 1 } else { DEFAULT_MEMORY };
    requested.unwrap_or(DEFAULT_MEMORY).min((limit / 2).max(least))
}

/// Converts a filter to the argument of an export, for an instance with this much memory.
pub(crate) fn jq(query: &model::JqQuery, memory_limit: usize) -> artifacts::JqQuery<'_> {
    artifacts::JqQuery {
        filter: &query.filter,
        raw: query.raw,
        compact: query.compact,
        slurp: query.slurp,
        null_input: query.null_input,
        max_steps: query.max_steps,
        max_memory: Some(memory_of_values(query.max_memory, memory_limit)),
        cursor: query.cursor.as_deref(),
    }
}
