//! The elements of XML, summed up by the path that leads to them.

use tuckaway_search::find;

use super::tags::{TagKind, Tags};
use crate::kind::csv::table::bytes::are_same;

/// Places that are told apart. What comes after is counted, not described.
const MAX_NODES: usize = 2_048;
/// Levels that are told apart.
const MAX_DEPTH: usize = 24;
/// Attributes that are named of each place.
const MAX_ATTRIBUTES: usize = 24;

/// All elements of one name under one parent's place.
#[derive(Default)]
pub struct Node<'a> {
    /// Their name.
    pub name: &'a [u8],
    /// How many there are.
    pub count: u64,
    /// The line of the first.
    pub line: u64,
    /// Some hold text.
    pub text: bool,
    /// In the order in which they were first seen.
    pub attributes: Vec<Attribute<'a>>,
    /// The same, by their places among all nodes.
    pub children: Vec<usize>,
}

/// Attributes of one name of such elements.
pub struct Attribute<'a> {
    /// Their name.
    pub name: &'a [u8],
    /// How many elements have one.
    pub count: u64,
    /// The first value.
    pub value: &'a [u8],
}

/// The elements of a document, summed up by path.
pub struct Summary<'a> {
    /// Each behind its parent; the first is the document.
    pub nodes: Vec<Node<'a>>,
    /// How many elements there are.
    pub elements: u64,
    /// Where its tags do not match for the first time, of those that are told apart; not
    /// said of a document in which the end of a tag is not sure.
    pub broken: Option<Broken<'a>>,
}

/// An end that is not the one that is due.
pub struct Broken<'a> {
    /// Where it is.
    pub at: usize,
    /// The name of the element that ends there; none if that is the document.
    pub ends: Option<&'a [u8]>,
    /// The node that is open: the first if none is.
    pub due: usize,
}

impl<'a> Summary<'a> {
    /// Of a whole document.
    pub fn of(bytes: &'a [u8]) -> Self {
        let root = Node { count: 1, ..Node::default() };
        let mut summary = Summary { nodes: vec![root], elements: 0, broken: None };
        // The places of open elements; none where places have run out.
        let mut open: Vec<Option<usize>> = vec![Some(0)];
        let mut deeper = 0u64;
        let (mut counted_to, mut line) = (0, 1);
        let mut text_from = 0;
        let mut tags = Tags::of(bytes, false);
        while let Some(tag) = tags.next() {
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
                        let is_other =
                            |due: &usize| !tags.has_guessed() && !are_same(summary.nodes[*due].name, name);
                        if let Some(due) = due.filter(is_other) {
                            summary.broken.get_or_insert(Broken { at: tag.start, ends: Some(name), due });
                        }
                    }
                    _ => deeper -= 1,
                }
                continue;
            }
            summary.elements += 1;
            let node = place.filter(|_| deeper == 0).and_then(|parent| {
                let name = tag.name(bytes);
                let known = summary.nodes[parent]
                    .children
                    .iter()
                    .find(|&&child| are_same(summary.nodes[child].name, name));
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
                    match node.attributes.iter().position(|known| are_same(known.name, name)) {
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
        if let Some(&due) = open[1..].iter().flatten().last().filter(|_| !tags.has_guessed()) {
            let at = bytes.trim_ascii_end().len();
            summary.broken.get_or_insert(Broken { at, ends: None, due });
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
