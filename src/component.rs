//! The engine as a component: the only file that names wit-bindgen.
//!
//! Converts the host's records to those of [`crate::model`], calls [`Engine`], and
//! converts its answers back. Nothing is decided here, and nothing is copied: each
//! field is moved, so that the engine reads an output of 100 MB where it arrived.

use crate::error::{Error, ErrorKind};
use crate::ports::{CountTokens, Store, StoreError};
use crate::{Engine, model};

use bindings::Component;
use bindings::exports::tuckaway::context::{artifacts, offload, reduce, tools, types};
use bindings::tuckaway::context::{store, tokens};

/// The bindings that are generated from `wit/`.
mod bindings {
    // The canonical ABI passes pointers and lengths, so the generated code
    // is unsafe by nature; ours is not. Its items are documented in `wit/`.
    #![allow(unsafe_code, missing_docs, clippy::all)]
    wit_bindgen::generate!({ world: "engine", path: "wit" });
    export!(Component with_types_in self);

    /// Implements the exports.
    pub struct Component;
}

/// Returns the engine over the two imports.
fn engine() -> Engine<'static> {
    Engine::new(&HostStore, &HostTokens)
}

// ---- imports -----------------------------------------------------------------

struct HostStore;

impl Store for HostStore {
    fn create(&self, tool: &str, media_type: &str) -> Result<String, StoreError> {
        Ok(store::create(tool, media_type)?)
    }

    fn append(&self, id: &str, bytes: &[u8]) -> Result<(), StoreError> {
        Ok(store::append(id, bytes)?)
    }

    fn seal(&self, id: &str, line_count: u64) -> Result<model::Artifact, StoreError> {
        Ok(store::seal(id, line_count)?.into())
    }

    fn stat(&self, id: &str) -> Result<model::Artifact, StoreError> {
        Ok(store::stat(id)?.into())
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        Ok(store::read(id, offset, length)?)
    }

    fn list_artifacts(&self) -> Result<Vec<model::Artifact>, StoreError> {
        Ok(all(store::list_artifacts()?))
    }

    fn delete(&self, id: &str) -> Result<(), StoreError> {
        Ok(store::delete(id)?)
    }
}

struct HostTokens;

impl CountTokens for HostTokens {
    fn count(&self, text: &str) -> Result<u64, String> {
        tokens::count(text)
    }
}

// ---- exports -----------------------------------------------------------------

impl offload::Guest for Component {
    fn default_policy() -> offload::Policy {
        model::Policy::default().into()
    }

    fn decide(
        output: offload::ToolOutput,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<offload::Decision, types::Error> {
        Ok(engine().decide(&output.into(), &turn.into(), &policy.into())?.into())
    }

    fn process(
        output: offload::ToolOutput,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<offload::View, types::Error> {
        Ok(engine().process(&output.into(), &turn.into(), &policy.into())?.into())
    }

    fn process_turn(
        outputs: Vec<offload::ToolOutput>,
        turn: offload::Turn,
        policy: offload::Policy,
    ) -> Result<Vec<offload::View>, types::Error> {
        let outputs: Vec<model::ToolOutput> = all(outputs);
        Ok(all(engine().process_turn(&outputs, &turn.into(), &policy.into())?))
    }
}

impl reduce::Guest for Component {
    fn infer_shape(content: Vec<u8>, max_bytes: Option<u32>) -> Result<reduce::Shape, types::Error> {
        Ok(engine().infer_shape(content, max_bytes)?.into())
    }

    fn truncate(content: Vec<u8>, max_bytes: u64) -> Result<String, types::Error> {
        Ok(engine().truncate(content, max_bytes)?)
    }
}

impl artifacts::Guest for Component {
    fn read(
        id: String,
        range: artifacts::Range,
        line_numbers: bool,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Page, types::Error> {
        Ok(engine().read(&id, &range.into(), line_numbers, max_bytes)?.into())
    }

    fn grep(
        id: String,
        query: artifacts::GrepQuery,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Matches, types::Error> {
        Ok(engine().grep(&id, &query.into(), max_bytes)?.into())
    }

    fn jq(
        id: String,
        query: artifacts::JqQuery,
        max_bytes: Option<u32>,
    ) -> Result<artifacts::Outputs, types::Error> {
        Ok(engine().jq(&id, &query.into(), max_bytes)?.into())
    }

    fn list_artifacts() -> Result<Vec<store::Artifact>, types::Error> {
        Ok(all(engine().list_artifacts()?))
    }
}

impl tools::Guest for Component {
    fn definitions(tools: types::ArtifactTools) -> Vec<tools::ToolDefinition> {
        all(engine().definitions(&tools.into()))
    }

    fn call(
        name: String,
        arguments: String,
        max_bytes: Option<u32>,
    ) -> Result<tools::ToolReply, types::Error> {
        Ok(engine().call(&name, &arguments, max_bytes)?.into())
    }
}

// ---- conversions, in the order of wit/ -----------------------------------------

/// Converts every element, by moving it.
fn all<A, B: From<A>>(items: Vec<A>) -> Vec<B> {
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
    ErrorKind => types::ErrorKind { InvalidInput, NotFound, Expired, Unsupported, Limit, Store, Tokens }
    offload::Mode => model::Mode { Auto, Artifact, Truncate }
    model::Mode => offload::Mode { Auto, Artifact, Truncate }
    model::Action => offload::Action { Inline, Artifact, Truncate }
    model::Gate => offload::Gate {
        Disabled, Exempt, ArtifactTool, BelowFloor, Fits, Ceiling, PerOutput, TokenCap, Headroom,
    }
}

record! {
    Error => types::Error { kind: into, message }
    store::Artifact => model::Artifact { id, tool, media_type, size_bytes, line_count, created_at }
    model::Artifact => store::Artifact { id, tool, media_type, size_bytes, line_count, created_at }

    offload::Policy => model::Policy {
        enabled, mode: into, keep_all, context_percentage, min_threshold_bytes, max_threshold_bytes,
        headroom_percentage, max_output_tokens, bytes_per_token, max_view_bytes, preview_bytes, image_tokens,
        overrides: all,
    }
    model::Policy => offload::Policy {
        enabled, mode: into, keep_all, context_percentage, min_threshold_bytes, max_threshold_bytes,
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
            store::StoreError::Expired => StoreError::Expired,
            store::StoreError::QuotaExceeded => StoreError::QuotaExceeded,
            store::StoreError::Other(why) => StoreError::Other(why),
        }
    }
}
