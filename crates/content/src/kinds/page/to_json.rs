//! Converts a snapshot to JSON: a tree of elements.

use tuckaway_json::write::push_string;
use tuckaway_search::{LineSpans, find};
use tuckaway_text::counted;

use super::element::{Element, MOST_ATTRIBUTES, unescaped};
use crate::error::ToJsonError;
use crate::kind::AsJson;

/// Maximum depth of elements. Deeper ones are siblings.
const MAX_DEPTH: usize = 60;

/// Converts a snapshot to JSON of at most `max` bytes: an array of elements, each with its role, its name, its
/// reference as `ref`, its attributes, text and children. Other lines are omitted.
pub fn to_json(bytes: &[u8], max: usize) -> Result<AsJson, ToJsonError> {
    let mut tree = Tree { json: vec![b'['], open: Vec::new(), count: 0 };
    for span in LineSpans::of(bytes) {
        if let Some(element) = Element::of(span.line) {
            tree.push(&element);
        }
        if tree.json.len() > max {
            return Err(ToJsonError::too_large("page", max));
        }
    }
    tree.close(0);
    tree.json.extend_from_slice(b"\n]\n");
    let note = format!("page read as a tree of {}", counted(tree.count, "element"));
    Ok(AsJson { json: tree.json, note })
}

struct Tree {
    json: Vec<u8>,
    open: Vec<Open>,
    count: u64,
}

/// An element that is open.
struct Open {
    indent: usize,
    has_children: bool,
    /// The keys of its object.
    keys: Vec<Vec<u8>>,
}

impl Tree {
    /// Closes elements that are indented by at least as much.
    fn close(&mut self, indent: usize) {
        while let Some(open) = self.open.last()
            && (open.indent >= indent || self.open.len() > MAX_DEPTH)
        {
            self.json.extend_from_slice(if open.has_children { b"]}" } else { b"}" });
            self.open.pop();
        }
    }

    fn push(&mut self, element: &Element) {
        self.close(element.indent);
        let can_have = |open: &Open| !open.has_children && open.keys.len() < 2 * MOST_ATTRIBUTES;
        if element.is_property() && self.open.last().is_some_and(can_have) {
            return self.push_text(&element.role[1..], element.text);
        }
        let parent = self.open.last_mut();
        let before: &[u8] = match parent.map(|open| std::mem::replace(&mut open.has_children, true)) {
            Some(true) => b",",
            Some(false) => b",\"children\":[",
            None if self.count == 0 => b"\n",
            None => b",\n",
        };
        self.json.extend_from_slice(before);
        self.json.push(b'{');
        self.count += 1;
        self.open.push(Open {
            indent: element.indent,
            has_children: false,
            keys: vec![b"children".to_vec()],
        });
        self.push_text(b"role", element.role);
        if let Some(name) = element.name {
            self.push_text(b"name", &unescaped(name));
        }
        if let Some(reference) = element.reference {
            self.push_text(b"ref", reference);
        }
        if !element.text.is_empty() {
            self.push_text(b"text", element.text);
        }
        for attribute in &element.attributes {
            match find::byte(b'=', attribute) {
                Some(at) => self.push_text(&attribute[..at], unquoted(&attribute[at + 1..])),
                None => {
                    self.push_key(attribute);
                    self.json.extend_from_slice(b"true");
                }
            }
        }
    }

    fn push_text(&mut self, key: &[u8], text: &[u8]) {
        self.push_key(key);
        push_string(&mut self.json, text);
    }

    /// Adds a key to the last object, with underscores after it if the object has it already.
    fn push_key(&mut self, key: &[u8]) {
        let Some(open) = self.open.last_mut() else { return };
        let mut key = key.to_vec();
        while open.keys.contains(&key) {
            key.push(b'_');
        }
        if open.keys.len() > 1 {
            self.json.push(b',');
        }
        push_string(&mut self.json, &key);
        self.json.push(b':');
        open.keys.push(key);
    }
}

fn unquoted(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
}
