//! Lists of the tools of a server that the model may call. A list without the artifact tools would
//! leave the model with an id that it cannot read.

use tuckaway_host::Dialect;

use super::Keys;
use super::edit::{Edits, Source};
use crate::document::Node;

/// Adds the artifact tools to the list of a server, if there is one.
pub fn allow(server: Source<'_>, keys: &Keys, edits: &mut Edits) {
    let Some(list) = list(server.table, keys) else { return };
    let has =
        |tool: &str| list.list().is_some_and(|known| known.iter().any(|known| known.text() == Some(tool)));
    let missing: Vec<String> = tools().filter(|tool| !has(tool)).map(|tool| server.quoted(tool)).collect();
    server.append(edits, list, &missing);
}

/// Removes the artifact tools from the list of a server, if there is one.
pub fn disallow(server: Source<'_>, keys: &Keys, edits: &mut Edits) {
    let elements = list(server.table, keys).and_then(Node::list).unwrap_or_default();
    for (before, element) in elements.iter().zip(elements.iter().skip(1)) {
        if element.text().is_some_and(|text| tools().any(|tool| tool == text)) {
            edits.remove(before.span.end..element.span.end);
        }
    }
}

/// Returns the artifact tools under the names that a proxy gives them by default.
pub fn tools() -> impl Iterator<Item = &'static str> {
    Dialect::default().tool_names()
}

/// Returns the list of a server; `None` if all of its tools, or none, are allowed.
fn list<'a>(server: &'a Node, keys: &Keys) -> Option<&'a Node> {
    let list = &server.member(keys.allowed?)?.node;
    let elements = list.list()?;
    let all = elements.iter().any(|element| element.text() == Some("*"));
    (!elements.is_empty() && !all).then_some(list)
}
