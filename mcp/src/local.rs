//! The proxy's own tools: the artifact tools and, for a server of artifacts, a tool that
//! stores files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::model::ErrorData;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tuckaway_host::Dialect;
use tuckaway_text::human_bytes;

use crate::reduce::{ClientAbilities, Reducer, failed_result};

/// The tool that stores a file.
const PUT: &str = "artifact_put";

/// The proxy's own tools.
#[derive(Clone, Debug)]
pub struct LocalTools {
    dialect: Dialect,
    put: Option<Arc<Put>>,
}

/// The files that may be stored.
#[derive(Debug)]
struct Put {
    /// Directories, without symbolic links.
    roots: Vec<PathBuf>,
    max_bytes: u64,
}

impl LocalTools {
    /// Creates the artifact tools of a dialect.
    pub fn new(dialect: Dialect) -> Self {
        LocalTools { dialect, put: None }
    }

    /// Adds the tool that stores files below these directories, up to a size.
    pub fn with_put(self, roots: Vec<PathBuf>, max_bytes: u64) -> Self {
        LocalTools { put: Some(Arc::new(Put { roots, max_bytes })), ..self }
    }

    /// Returns the names, which no server may have.
    pub fn names(&self) -> Vec<String> {
        let put = self.put.iter().map(|_| PUT.to_owned());
        self.dialect.tool_names().map(str::to_owned).chain(put).collect()
    }

    /// Returns the definitions as MCP tools.
    pub async fn definitions(&self, reducer: &Reducer) -> Result<Vec<Value>, ErrorData> {
        let mut definitions = reducer.artifact_tools().await?;
        if self.put.is_some() {
            definitions.push(json!({
                "name": PUT,
                "title": "Store a file",
                "description": "Store a file as an artifact, however large it is. Returns an envelope that describes the file and names its id, with which the artifact tools read, search and query it.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "path": { "type": "string", "description": "The file's path: absolute, or relative to the server's directory." }
                    },
                    "required": ["path"],
                    "additionalProperties": false
                },
                "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false }
            }));
        }
        Ok(definitions)
    }

    /// Calls the tool with this name; `None` if it is not one of the proxy's own.
    pub async fn call(
        &self,
        reducer: &Reducer,
        name: &str,
        arguments: &Value,
        client: ClientAbilities,
    ) -> Option<Value> {
        if reducer.is_artifact_tool(name) {
            return Some(reducer.call_artifact_tool(name, arguments, client).await);
        }
        let put = self.put.as_ref().filter(|_| name == PUT)?;
        let Some(path) = arguments.get("path").and_then(Value::as_str) else {
            return Some(failed_result("The argument path is missing: pass the file's path."));
        };
        match put.read(Path::new(path)).await {
            Ok(bytes) => Some(reducer.put(&file_name(path), bytes).await),
            Err(why) => Some(failed_result(&why)),
        }
    }
}

fn file_name(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    if name.is_empty() { "file".to_owned() } else { name.into_owned() }
}

impl Put {
    /// Reads a file below the directories.
    async fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let shown = path.display();
        let cannot = |error: std::io::Error| format!("{shown} cannot be read: {error}.");
        let base = self.roots.first().cloned().unwrap_or_default();
        let real = tokio::fs::canonicalize(base.join(path)).await.map_err(cannot)?;
        if !self.roots.iter().any(|root| real.starts_with(root)) {
            let roots: Vec<String> = self.roots.iter().map(|root| root.display().to_string()).collect();
            return Err(format!(
                "{shown} is outside of {}: only files in there can be stored.",
                roots.join(", ")
            ));
        }
        let file = tokio::fs::File::open(&real).await.map_err(cannot)?;
        if !file.metadata().await.map_err(cannot)?.is_file() {
            return Err(format!("{shown} is not a file."));
        }
        let mut bytes = Vec::new();
        // The file may grow while it is read.
        file.take(self.max_bytes + 1).read_to_end(&mut bytes).await.map_err(cannot)?;
        match bytes.len() as u64 > self.max_bytes {
            true => Err(format!(
                "{shown} is larger than {}, the limit for a stored file.",
                human_bytes(self.max_bytes)
            )),
            false => Ok(bytes),
        }
    }
}
