//! Reduces results: a small result is passed on unchanged, a large one is replaced by a view.
//!
//! ```text
//! result ─► results, contents ─► output (items as blocks) ─► engine (process) ─┬─► unchanged
//!            (in its place)                                                    ├─► view, links
//!                                                                              └─► error message
//! tuckaway://ID ─► handle ─┬─► artifacts (resources/read)
//!                          └─► arguments (replaces a handle by its content)
//! ```
//!
//! Results are JSON as on the wire, so that members that this crate does not know are preserved.
//! All work that takes time proportional to a result runs on the runtime that is passed to the
//! [`Reducer`].

mod abilities;
mod arguments;
mod artifacts;
mod contents;
mod engine;
mod filter;
mod for_user;
mod handle;
mod incomplete;
mod items;
mod output;
mod put;
mod results;
mod settings;
#[cfg(test)]
mod tests;
mod tools;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::ErrorData;
use serde_json::Value;
use tokio::runtime::Handle;
use tuckaway_host::Tuckaway;

pub use self::abilities::{ClientAbilities, MIN_CLIENT_BYTES};
pub use self::filter::{
    ARGUMENT as FILTER_ARGUMENT, Filter, argument as filter_argument, is_in as has_filter,
};
pub use self::handle::SCHEME;
pub use self::settings::{FILE_TOOLS, PROMPTS, RESOURCES, ReduceSettings};
pub use self::tools::MAX_CHARS;

use self::contents::Kind;
use self::engine::Engine;

/// Reduces results, and answers queries on the artifacts in which they are stored. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Reducer {
    engine: Arc<Engine>,
    /// Facts about the listed tools, by name.
    listed: Arc<Mutex<HashMap<String, Listed>>>,
}

/// Facts about a listed tool.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    /// Whether it got an argument for a filter.
    takes_filter: bool,
    /// The characters of a result that the server wants the model to see.
    max_chars: Option<u64>,
}

impl Reducer {
    /// Creates a reducer. `runtime` runs the engine. It should be separate, so that a large
    /// result does not delay other messages.
    pub fn new(tuckaway: Tuckaway, runtime: Handle, settings: ReduceSettings) -> Self {
        Reducer { engine: Arc::new(Engine { tuckaway, runtime, settings }), listed: Arc::default() }
    }

    /// Returns the artifact tools of the dialect as MCP tools.
    pub async fn artifact_tools(&self) -> Result<Vec<Value>, ErrorData> {
        let engine = Arc::clone(&self.engine);
        let (dialect, is_detailed) = (engine.settings.policy.dialect, engine.settings.detailed_tools);
        let work = async move { tools::definitions(&engine.tuckaway, dialect, is_detailed).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ended()))
    }

    /// Returns whether the client can read any artifact.
    pub async fn has_artifacts(&self) -> bool {
        let engine = Arc::clone(&self.engine);
        let work = async move { engine.tuckaway.list_artifacts().await };
        matches!(self.engine.run(work).await, Some(Ok(artifacts)) if !artifacts.is_empty())
    }

    /// Returns whether an artifact tool has this name.
    pub fn is_artifact_tool(&self, name: &str) -> bool {
        self.engine.settings.policy.dialect.has_tool(name)
    }

    /// Answers a call of an artifact tool with a `CallToolResult`, which the client shows whole.
    /// Mistakes and failures are results with `isError`.
    pub async fn call_artifact_tool(&self, name: &str, arguments: &Value, client: ClientAbilities) -> Value {
        let (engine, name, arguments) = (Arc::clone(&self.engine), name.to_owned(), arguments.clone());
        let work = async move { tools::call(&engine, &name, &arguments, client).await };
        self.engine.run(work).await.unwrap_or_else(|| tools::result(ENDED, true))
    }

    /// Returns a tool as clients see it: without its `outputSchema` if its results may be
    /// replaced, and with an argument for a filter if the settings say so. The schema is appended
    /// to the description of a tool that got the argument, and of all if the definitions are
    /// detailed.
    pub fn listed(&self, mut tool: Value) -> Value {
        let settings = &self.engine.settings;
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_filtered = settings.offers_filter(&name) && filter::offer(&mut tool);
        let passes = settings.rules(&name).passes && !is_filtered && settings.default_filter(&name).is_none();
        let what = Listed { takes_filter: is_filtered, max_chars: tools::max_chars(&tool) };
        self.tools().insert(name, what);
        match passes {
            true => tool,
            false => tools::without_output_schema(tool, is_filtered || settings.detailed_tools),
        }
    }

    fn tools(&self) -> std::sync::MutexGuard<'_, HashMap<String, Listed>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a tool may get an argument for a filter when it is listed.
    pub fn may_take_filter(&self, tool: &str) -> bool {
        self.engine.settings.offers_filter(tool)
    }

    /// Returns whether a tool was listed with an argument for a filter.
    pub fn takes_filter(&self, tool: &str) -> bool {
        self.tools().get(tool).is_some_and(|tool| tool.takes_filter)
    }

    /// Returns a tool with the argument for a filter, if it was listed with one.
    pub fn with_filter(&self, mut tool: Value) -> Value {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        if self.takes_filter(name) {
            filter::offer(&mut tool);
        }
        tool
    }

    /// Returns the characters of a result that a listed tool wants the client to show.
    pub fn declared_chars(&self, tool: &str) -> Option<u64> {
        self.tools().get(tool).and_then(|tool| tool.max_chars)
    }

    /// Removes the filter from the arguments of a call, and returns it, or else the tool's default
    /// filter. After an error, which tells the model what is wrong, the tool must not be called.
    pub async fn take_filter(&self, tool: &str, arguments: &mut Value) -> Result<Option<Filter>, String> {
        let given = if self.takes_filter(tool) { filter::take(arguments)? } else { None };
        let Some(filter) = given else {
            return Ok(self.engine.settings.default_filter(tool).map(Filter::of_settings));
        };
        let (engine, checked) = (Arc::clone(&self.engine), filter.clone());
        let work = async move { filter::check(&engine, &checked).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ENDED.to_owned()))?;
        Ok(Some(filter))
    }

    /// Reduces a `CallToolResult`. `tool` is the name under which the client knows the tool.
    /// Returns a result that is small or malformed unchanged.
    ///
    /// In a result that is replaced, the items are the view, then the items that are passed on
    /// (images, audio) and, if the client supports them, links to the artifacts. Structured
    /// content is replaced by an object with the view, the action (`artifact`, `truncate`, or
    /// `failed`) and the ids of the artifacts. If the engine fails, the result is truncated; if
    /// that also fails, a text says what failed.
    pub async fn tool_result(&self, tool: &str, result: Value, client: ClientAbilities) -> Value {
        self.filtered_result(tool, None, result, client).await
    }

    /// Applies a filter to a `CallToolResult`, and stores the whole result. A result that the filter
    /// does not fit is reduced like any other, with a line that says why; an error is not filtered.
    pub async fn filtered_result(
        &self,
        tool: &str,
        filter: Option<Filter>,
        result: Value,
        client: ClientAbilities,
    ) -> Value {
        let declared = self.declared_chars(tool);
        results::reduced(&self.engine, tool, filter, result, client.with_declared(declared)).await
    }

    /// Reduces the result of `resources/read`, under the name [`RESOURCES`]. The contents share
    /// the cap. A content that is too large for its share is replaced by its view, which has the
    /// same address and the type `text/plain`.
    pub async fn resource_result(&self, uri: &str, result: Value, client: ClientAbilities) -> Value {
        contents::reduced(&self.engine, Kind::Resource, uri, result, client).await
    }

    /// Reduces the result of `prompts/get`, under the name [`PROMPTS`]. The messages share the
    /// cap. The content of a message that is too large for its share is replaced by its view.
    pub async fn prompt_result(&self, name: &str, result: Value, client: ClientAbilities) -> Value {
        contents::reduced(&self.engine, Kind::Prompt, name, result, client).await
    }

    /// Stores a file, however small it is, and returns a result with its envelope.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Value {
        let (engine, name) = (Arc::clone(&self.engine), name.to_owned());
        let work = async move { put::put(&engine, &name, bytes).await };
        self.engine.run(work).await.unwrap_or_else(|| tools::result(ENDED, true))
    }

    /// Reads a page of an artifact. Returns the result of `resources/read` for `tuckaway://ID`,
    /// to which `#lines=a:b`, `#bytes=a:b`, `#jq=FILTER` or `#grep=PATTERN` may be appended,
    /// percent-encoded. The first content is the page. A second one says how to continue.
    pub async fn read_artifact(&self, uri: &str) -> Result<Value, ErrorData> {
        let (engine, uri) = (Arc::clone(&self.engine), uri.to_owned());
        let work = async move { artifacts::read(&engine.tuckaway, &uri).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ended()))
    }

    /// Replaces each string in the arguments of a call that is exactly the address of an artifact
    /// by the content that it names, if the settings allow this for the tool; otherwise returns
    /// the arguments unchanged. After an error, which tells the model what to do, the tool must
    /// not be called.
    pub async fn resolve_arguments(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let settings = &self.engine.settings;
        if !settings.allows_handles(tool) || !arguments::have_handles(&arguments) {
            return Ok(arguments);
        }
        let (engine, max) = (Arc::clone(&self.engine), settings.max_argument_bytes);
        let work = async move { arguments::resolved(&engine.tuckaway, arguments, max).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ENDED.to_owned()))
    }
}

/// Returns the result of a call that failed because of a mistake that the model can correct.
pub fn failed_result(why: &str) -> Value {
    tools::result(why, true)
}

const ENDED: &str = "tuckaway's engine has stopped; see tuckaway's log.";

fn ended() -> ErrorData {
    ErrorData::internal_error(ENDED, None)
}
