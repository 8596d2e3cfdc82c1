//! What a client gets of a result: the same value if it is small, otherwise a view in its place.
//!
//! ```text
//! result ─► results, contents ─► output (items as blocks) ─► engine (process) ─┬─► unchanged
//!            (in its place)                                                    ├─► view, links
//!                                                                              └─► what failed
//! tuckaway://ID ─► handle ─┬─► artifacts (resources/read)
//!                          └─► arguments (content in the place of a handle)
//! ```
//!
//! Results are JSON as on the wire, so that members that this crate does not know stay. All work
//! that takes time proportional to a result happens on the runtime that the [`Reducer`] is given.

mod arguments;
mod artifacts;
mod contents;
mod engine;
mod handle;
mod output;
mod put;
mod results;
mod settings;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

use rmcp::model::ErrorData;
use serde_json::Value;
use tokio::runtime::Handle;
use tuckaway_host::Tuckaway;

pub use self::handle::SCHEME;
pub use self::results::ClientAbilities;
pub use self::settings::{FILE_TOOLS, PROMPTS, RESOURCES, ReduceSettings};

use self::contents::Kind;
use self::engine::Engine;

/// Reduces results, and answers for the artifacts that they are stored as. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Reducer {
    engine: Arc<Engine>,
}

impl Reducer {
    /// Creates a reducer. `runtime` runs the engine: a runtime of its own, so that a large result
    /// does not hold up the messages of others.
    pub fn new(tuckaway: Tuckaway, runtime: Handle, settings: ReduceSettings) -> Self {
        Reducer { engine: Arc::new(Engine { tuckaway, runtime, settings }) }
    }

    /// Returns the artifact tools of the dialect as MCP tools.
    pub async fn artifact_tools(&self) -> Result<Vec<Value>, ErrorData> {
        let engine = Arc::clone(&self.engine);
        let dialect = engine.settings.policy.dialect;
        let work = async move { tools::definitions(&engine.tuckaway, dialect).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ended()))
    }

    /// Returns whether an artifact tool has this name.
    pub fn is_artifact_tool(&self, name: &str) -> bool {
        self.engine.settings.policy.dialect.has_tool(name)
    }

    /// Answers a call of an artifact tool: a `CallToolResult`. Mistakes and failures are results
    /// with `isError`.
    pub async fn call_artifact_tool(&self, name: &str, arguments: &Value) -> Value {
        let (engine, name, arguments) = (Arc::clone(&self.engine), name.to_owned(), arguments.clone());
        let work = async move { tools::call(&engine, &name, &arguments).await };
        self.engine.run(work).await.unwrap_or_else(|| tools::result(ENDED, true))
    }

    /// Returns a tool as clients see it: if its results may be replaced, without `outputSchema`,
    /// which is kept at the end of the description.
    pub fn listed(&self, tool: Value) -> Value {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        match self.engine.settings.rules(name).passes {
            true => tool,
            false => tools::without_output_schema(tool),
        }
    }

    /// Reduces a `CallToolResult`. `tool` is the name under which the client knows the tool.
    /// Returns a result that is small or malformed unchanged.
    ///
    /// A result that is replaced has the view in the place of its items, followed by those that
    /// are passed on (images, audio) and, if the client knows them, by links to the artifacts. In
    /// the place of structured content is an object with the view, the action (`artifact`,
    /// `truncate`, or `failed`) and the ids of the artifacts. If the engine fails, the result is
    /// truncated; if that fails too, a text says what failed.
    pub async fn tool_result(&self, tool: &str, result: Value, client: ClientAbilities) -> Value {
        results::reduced(&self.engine, tool, result, client).await
    }

    /// Reduces the result of `resources/read`, under the name [`RESOURCES`]. The contents share
    /// the cap; each that is too large for its share is replaced by its view, of the type
    /// `text/plain`, under its own address.
    pub async fn resource_result(&self, uri: &str, result: Value, client: ClientAbilities) -> Value {
        contents::reduced(&self.engine, Kind::Resource, uri, result, client).await
    }

    /// Reduces the result of `prompts/get`, under the name [`PROMPTS`]. The messages share the
    /// cap; the content of each that is too large for its share is replaced by its view.
    pub async fn prompt_result(&self, name: &str, result: Value, client: ClientAbilities) -> Value {
        contents::reduced(&self.engine, Kind::Prompt, name, result, client).await
    }

    /// Puts a file away: a result with its envelope. It is stored however small it is.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Value {
        let (engine, name) = (Arc::clone(&self.engine), name.to_owned());
        let work = async move { put::put(&engine, &name, bytes).await };
        self.engine.run(work).await.unwrap_or_else(|| tools::result(ENDED, true))
    }

    /// Reads a page of an artifact: the result of `resources/read` for `tuckaway://ID`, also with
    /// `#lines=a:b`, `#bytes=a:b`, `#jq=FILTER` or `#grep=PATTERN`, percent-encoded. The first
    /// content is the page; a second one says how to read on.
    pub async fn read_artifact(&self, uri: &str) -> Result<Value, ErrorData> {
        let (engine, uri) = (Arc::clone(&self.engine), uri.to_owned());
        let work = async move { artifacts::read(&engine.tuckaway, &uri).await };
        self.engine.run(work).await.unwrap_or_else(|| Err(ended()))
    }

    /// Replaces each string in the arguments of a call that is exactly an address of an artifact
    /// by the content that it names, if the settings allow that for the tool; otherwise returns
    /// the arguments unchanged. The error says what the model should do; the tool must not be
    /// called then.
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

/// Returns the result of a call that failed: the model can do something about it.
pub fn failed_result(why: &str) -> Value {
    tools::result(why, true)
}

const ENDED: &str = "tuckaway's engine has stopped; see tuckaway's log.";

fn ended() -> ErrorData {
    ErrorData::internal_error(ENDED, None)
}
