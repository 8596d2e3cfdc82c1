//! The members that distinguish a row from the neighbouring row.

use std::collections::HashMap;

use super::children::{Container, ContainerKind};
use tuckaway_json::spans::Child;

/// Returns the members of a row whose values differ from those of the neighbouring row,
/// in order. None if the container is not a row, if all differ, or if none do.
pub fn differing(container: &Container<'_>) -> Option<Vec<usize>> {
    let text = container.document.text;
    let beside = container.beside.filter(|beside| text[beside.range()].starts_with('{'))?;
    if container.kind != ContainerKind::Object {
        return None;
    }
    let members = container.document.values.spans.children(text, beside);
    let value = |child: &Child| Some((&text[child.key?.range()], &text[child.value.range()]));
    let values: HashMap<&str, &str> = members.iter().filter_map(value).collect();
    let differs = |child: &Child| {
        value(child).is_some_and(|(key, value)| values.get(key).is_some_and(|beside| *beside != value))
    };
    let children = container.children.iter().enumerate();
    let differing: Vec<usize> =
        children.filter(|(_, child)| differs(child)).map(|(index, _)| index).collect();
    (!differing.is_empty() && differing.len() < container.children.len()).then_some(differing)
}
