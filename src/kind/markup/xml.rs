//! The shape of XML: which elements there are, where, and how many.

use std::collections::VecDeque;

use tuckaway_scan::find;
use tuckaway_walk::tags::{TagKind, Tags};

use crate::kind::lines;
use crate::shape::{Entries, Entry};
use crate::text::count_lines;

/// Places that are told apart. What comes after is counted, not described.
const MAX_NODES: usize = 2_048;
/// Levels that are told apart.
const MAX_DEPTH: usize = 24;
/// Attributes that are named of each place.
const MAX_ATTRIBUTES: usize = 24;

/// All elements of one name under one parent's place.
#[derive(Default)]
struct Node<'a> {
    name: &'a [u8],
    count: u64,
    /// The line of the first.
    line: u64,
    /// Some hold text.
    text: bool,
    attributes: Vec<Attribute<'a>>,
    children: Vec<usize>,
}

struct Attribute<'a> {
    name: &'a [u8],
    count: u64,
    /// The first value.
    value: &'a [u8],
}

/// The elements of a document, summed up by path.
struct Summary<'a> {
    nodes: Vec<Node<'a>>,
    elements: u64,
    /// Where its tags do not match for the first time: the place, the element that
    /// ends there, if it is not the document, and the node that is open.
    broken: Option<(usize, Option<&'a [u8]>, usize)>,
}

impl<'a> Summary<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let root = Node { count: 1, ..Node::default() };
        let mut summary = Summary { nodes: vec![root], elements: 0, broken: None };
        // The places of open elements; none where places have run out.
        let mut open: Vec<Option<usize>> = vec![Some(0)];
        let mut deeper = 0u64;
        let (mut counted_to, mut line) = (0, 1);
        let mut text_from = 0;
        for tag in Tags::of(bytes, false) {
            let place = open.last().copied().flatten();
            if let Some(node) = place.filter(|_| deeper == 0) {
                let node = &mut summary.nodes[node];
                node.text = node.text || !bytes[text_from..tag.start].trim_ascii().is_empty();
            }
            text_from = tag.end;
            if tag.kind == TagKind::Close {
                match deeper {
                    0 => {
                        let due = if open.len() > 1 { open.pop().flatten() } else { Some(0) };
                        let name = tag.name(bytes);
                        // Of an element without a place the name is not known.
                        if let Some(due) = due.filter(|&due| summary.nodes[due].name != name) {
                            summary.broken.get_or_insert((tag.start, Some(name), due));
                        }
                    }
                    _ => deeper -= 1,
                }
                continue;
            }
            summary.elements += 1;
            let node = place.filter(|_| deeper == 0).and_then(|parent| {
                let name = tag.name(bytes);
                let known =
                    summary.nodes[parent].children.iter().find(|&&child| summary.nodes[child].name == name);
                known.copied().or_else(|| {
                    line += find::count(b'\n', &bytes[counted_to..tag.start]) as u64;
                    counted_to = tag.start;
                    summary.add(parent, name, line)
                })
            });
            if let Some(node) = node {
                let node = &mut summary.nodes[node];
                node.count += 1;
                for (name, value) in tag.attributes(bytes) {
                    match node.attributes.iter().position(|known| known.name == name) {
                        Some(known) => node.attributes[known].count += 1,
                        None if node.attributes.len() < MAX_ATTRIBUTES => {
                            node.attributes.push(Attribute { name, count: 1, value });
                        }
                        None => {}
                    }
                }
            }
            if tag.kind == TagKind::Open {
                match open.len() {
                    0..=MAX_DEPTH if deeper == 0 => open.push(node),
                    _ => deeper += 1,
                }
            }
        }
        if let Some(&due) = open[1..].iter().flatten().last() {
            summary.broken.get_or_insert((bytes.trim_ascii_end().len(), None, due));
        }
        summary
    }

    fn add(&mut self, parent: usize, name: &'a [u8], line: u64) -> Option<usize> {
        let id = self.nodes.len();
        if id == MAX_NODES || self.nodes[parent].children.len() == 128 {
            return None;
        }
        let node = Node { name, line, ..Node::default() };
        self.nodes.push(node);
        self.nodes[parent].children.push(id);
        Some(id)
    }
}

/// Elements by path, breadth first: how many of each child and attribute, and on
/// which line the first is.
pub fn shape(bytes: &[u8]) -> Entries {
    let summary = Summary::of(bytes);
    let root = summary.nodes[0].children.first().map(|&root| lines::excerpt(summary.nodes[root].name));
    let mut entries = Entries::default();
    let noun = if summary.elements == 1 { "element" } else { "elements" };
    let root = root.map_or(String::new(), |root| format!(" <{root}>,"));
    entries.push("kind", Entry::Text(format!("XML:{root} {} {noun}", summary.elements)));
    entries.push("lines", Entry::Number(count_lines(bytes)));
    if let Some((at, ends, due)) = summary.broken {
        let line = find::count(b'\n', &bytes[..at]) + 1;
        let tag = |name: &[u8]| format!("</{}>", lines::excerpt(name));
        let ends = ends.map_or("the end".to_owned(), tag);
        let due = if due == 0 { "none".to_owned() } else { tag(summary.nodes[due].name) };
        entries.push("broken", Entry::Text(format!("line {line}: {ends} where {due} is due")));
    }
    let mut queue: VecDeque<(String, usize)> = summary.nodes[0]
        .children
        .iter()
        .map(|&id| (format!("/{}", lines::excerpt(summary.nodes[id].name)), id))
        .collect();
    while let Some((path, id)) = queue.pop_front() {
        let node = &summary.nodes[id];
        let mut members = Vec::new();
        for Attribute { name, count, value } in &node.attributes {
            let of = match node.count {
                1 => format!("= {}", lines::excerpt(value)),
                all if all == *count => "each".to_owned(),
                all => format!("{count} of {all}"),
            };
            members.push((format!("@{}", lines::excerpt(name)), of));
        }
        for &child in &node.children {
            let child_node = &summary.nodes[child];
            let name = lines::excerpt(child_node.name);
            let text = if child_node.text { ", text" } else { "" };
            let first = if child_node.count > 1 { ", first in line" } else { ", line" };
            members.push((name.clone(), format!("{}{text}{first} {}", child_node.count, child_node.line)));
            if path.len() < 400 {
                queue.push_back((format!("{path}/{name}"), child));
            }
        }
        if !members.is_empty() {
            entries.push(path, Entry::Members(members));
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Layout;

    #[test]
    fn elements_are_summed_up_by_path() {
        let xml = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\">\n<channel>\n<title>News</title>\n<item id=\"1\"><title>A</title></item>\n<item><title>B</title><link/></item>\n</channel>\n</rss>\n";
        assert_eq!(
            shape(xml.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r#"{"kind": "XML: <rss>, 8 elements", "lines": 8, "/rss": {"@version": "= 2.0", "channel": "1, line 3"}, "/rss/channel": {"title": "1, text, line 4", "item": "2, first in line 5"}, "/rss/channel/item": {"@id": "1 of 2", "title": "2, text, first in line 5", "link": "1, line 6"}}"#
        );
    }

    #[test]
    fn tags_that_do_not_match_are_said() {
        for (xml, expected) in [
            ("<a><b>1</b></a>", None),
            ("<a>\n<b>1</b>\n<c x=\"", Some("line 3: the end where </a> is due")),
            ("<a>\n<b>\n<c>text\n", Some("line 3: the end where </c> is due")),
            ("<a>\n<b>\n</a>\n", Some("line 3: </a> where </b> is due")),
            ("<a/>\n</b>", Some("line 2: </b> where none is due")),
            ("<a><![CDATA[</b>", Some("line 1: the end where </a> is due")),
        ] {
            let json: serde_json::Value =
                serde_json::from_str(&shape(xml.as_bytes()).to_json(2_000, &Layout::ONE_LINE)).unwrap();
            assert_eq!(json.get("broken").and_then(|broken| broken.as_str()), expected, "{xml}");
        }
        let deep = shape("<element>".repeat(100_000).as_bytes()).to_json(1_000, &Layout::ONE_LINE);
        assert!(deep.contains("the end where </element> is due"), "{deep}");
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "<a>".repeat(100_000);
        assert!(shape(deep.as_bytes()).to_json(400, &Layout::ONE_LINE).contains("100000 elements"));
        let closed = "</a>".repeat(1_000) + "<b/>";
        assert!(shape(closed.as_bytes()).to_json(400, &Layout::ONE_LINE).contains("<b>"));
    }
}
