//! The tools of servers as a client sees them. A large list of tools fills a window before the first
//! call, so a server's tools can be listed shortened, or replaced by two tools.
//!
//! ```text
//! definition ─┬─► unchanged                       off
//!             ├─► short ────────────────┐         low
//!             └─► catalogue ─► call_tool ┴─► get_tool_schema   medium, high, max
//!
//! call_tool {tool_name, arguments} ─► Request ─► check ─► a call of the tool itself
//! ```

mod catalogue;
mod check;
mod level;
mod own;
mod request;
mod sentence;
mod short;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::nearest::nearest;
use crate::reduce::Reducer;

pub use level::Compression;
pub use own::{CALL, SCHEMA};
pub use request::Request;

use catalogue::Catalogue;
use own::Behind;

/// The maximum length of an unknown name in an error.
const MAX_SHOWN_BYTES: usize = 100;

/// The tools of servers as one client sees them.
pub struct Surface {
    /// The level of each server.
    levels: Vec<Compression>,
    /// The definitions of all tools in full, by the names that the client knows.
    known: Mutex<BTreeMap<String, Value>>,
}

impl Surface {
    /// Creates the surface of servers with these levels.
    pub fn new(levels: Vec<Compression>) -> Self {
        Surface { levels, known: Mutex::default() }
    }

    /// Returns whether any server is compressed.
    pub fn is_on(&self) -> bool {
        self.levels.iter().any(|level| *level != Compression::Off)
    }

    /// Returns the names that no server may have.
    pub fn names(&self) -> Vec<String> {
        if self.is_on() { [SCHEMA, CALL].map(str::to_owned).to_vec() } else { Vec::new() }
    }

    /// Returns the tools that are listed. `tools` are all tools, each with the index of its server and
    /// with the name that the client knows. A description has at most `max_description` bytes.
    pub fn list(&self, tools: Vec<(usize, Value)>, reducer: &Reducer, max_description: usize) -> Vec<Value> {
        if !self.is_on() {
            return tools.into_iter().map(|(_, tool)| reducer.listed(tool)).collect();
        }
        let (mut shown, mut known) = (Vec::new(), BTreeMap::new());
        let (mut catalogue, mut behind, mut is_shortened) = (Catalogue::default(), Behind::default(), false);
        for (server, tool) in tools {
            let level = self.levels.get(server).copied().unwrap_or_default();
            let full = reducer.listed(tool.clone());
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            match level {
                Compression::Off => shown.push(full.clone()),
                Compression::Low => {
                    let short = reducer.with_filter(short::shortened(tool));
                    is_shortened |= short != full;
                    shown.push(short);
                }
                hidden => {
                    catalogue.add(&name, &tool, hidden);
                    behind.add(&tool, reducer.takes_filter(&name), reducer.declared_chars(&name));
                }
            }
            known.insert(name, full);
        }
        *self.known() = known;
        if is_shortened || !catalogue.is_empty() {
            shown.push(own::schema_tool(!catalogue.is_empty()));
        }
        if !catalogue.is_empty() {
            shown.push(own::call_tool(&catalogue, behind, max_description));
        }
        shown
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Value>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a tool has been listed.
    pub fn knows(&self, name: &str) -> bool {
        self.known().contains_key(name)
    }

    /// Returns all tools, one on each line.
    pub fn all(&self) -> String {
        catalogue::list(self.known().iter())
    }

    /// Returns the full definition of a tool as JSON. The error is for the model.
    pub fn definition(&self, name: &str) -> Result<String, String> {
        let known = self.known();
        let tool = known.get(name).ok_or_else(|| unknown(&known, name))?;
        Ok(definition(tool))
    }

    /// Returns the arguments for a call of a tool, checked. The error is for the model.
    pub fn arguments(&self, request: Request, takes_filter: bool) -> Result<Value, String> {
        let known = self.known();
        let tool = known.get(&request.tool).ok_or_else(|| unknown(&known, &request.tool))?;
        request.arguments(tool.get("inputSchema").unwrap_or(&Value::Null), takes_filter)
    }
}

/// Returns the members of a definition that the model needs, as JSON.
pub fn definition(tool: &Value) -> String {
    let mut shown = json!({});
    for member in ["name", "description", "inputSchema", "outputSchema"] {
        if let Some(value) = tool.get(member) {
            shown[member] = value.clone();
        }
    }
    shown.to_string()
}

/// Returns the error for a name that no tool has.
fn unknown(known: &BTreeMap<String, Value>, name: &str) -> String {
    let shown = tuckaway_text::cut::with_ellipsis(name.to_owned(), MAX_SHOWN_BYTES);
    // The model may have omitted the name of the server.
    let ending = format!("_{name}");
    let mut ends = known.keys().filter(|known| known.ends_with(&ending));
    let near = match (ends.next(), ends.next()) {
        (Some(only), None) => Some(only.as_str()),
        _ => nearest(name, known.keys().map(String::as_str)),
    };
    let hint = near.map_or_else(String::new, |near| format!(" Did you mean {near:?}?"));
    format!("There is no tool named {shown:?}.{hint} {SCHEMA} without {} lists all tools.", own::NAME)
}

#[cfg(test)]
mod tests;
