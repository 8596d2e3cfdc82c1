//! Converts a snapshot to JSON: a tree of elements.

use tuckaway_json::write::push_string;
use tuckaway_search::{LineSpans, find};
use tuckaway_text::counted;

use super::element::{Element, unescaped};
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
            return Err(ToJsonError::TooLarge(format!(
                "As JSON this page is larger than {} MiB, which is more than jq can query. Search it with grep or read it instead.",
                max >> 20
            )));
        }
    }
    tree.close(0);
    tree.json.extend_from_slice(b"\n]\n");
    let note = format!("page read as a tree of {}", counted(tree.count, "element"));
    Ok(AsJson { json: tree.json, note })
}

struct Tree {
    json: Vec<u8>,
    /// The indents of the elements that are open, and whether each has children.
    open: Vec<(usize, bool)>,
    count: u64,
}

impl Tree {
    /// Closes elements that are indented by at least as much.
    fn close(&mut self, indent: usize) {
        while let Some(&(of, has_children)) = self.open.last()
            && (of >= indent || self.open.len() > MAX_DEPTH)
        {
            self.json.extend_from_slice(if has_children { b"]}" } else { b"}" });
            self.open.pop();
        }
    }

    fn push(&mut self, element: &Element) {
        self.close(element.indent);
        if element.is_property()
            && let Some((_, false)) = self.open.last()
        {
            return self.push_text(&element.role[1..], element.text);
        }
        match self.open.last_mut() {
            Some((_, has_children @ true)) => {
                *has_children = true;
                self.json.push(b',');
            }
            Some((_, has_children)) => {
                *has_children = true;
                self.json.extend_from_slice(b",\"children\":[");
            }
            None => self.json.extend_from_slice(if self.count == 0 { b"\n" } else { b",\n" }),
        }
        self.count += 1;
        self.json.extend_from_slice(b"{\"role\":");
        push_string(&mut self.json, element.role);
        if let Some(name) = element.name {
            self.push_text(b"name", &unescaped(name));
        }
        if let Some(reference) = element.reference {
            self.push_text(b"ref", reference);
        }
        for attribute in &element.attributes {
            match find::byte(b'=', attribute) {
                Some(at) => self.push_text(&attribute[..at], unquoted(&attribute[at + 1..])),
                None => self.push_flag(attribute),
            }
        }
        if !element.text.is_empty() {
            self.push_text(b"text", element.text);
        }
        self.open.push((element.indent, false));
    }

    fn push_text(&mut self, name: &[u8], text: &[u8]) {
        self.json.push(b',');
        push_string(&mut self.json, name);
        self.json.push(b':');
        push_string(&mut self.json, text);
    }

    fn push_flag(&mut self, name: &[u8]) {
        self.json.push(b',');
        push_string(&mut self.json, name);
        self.json.extend_from_slice(b":true");
    }
}

fn unquoted(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
}
