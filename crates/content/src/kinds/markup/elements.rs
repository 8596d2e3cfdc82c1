//! Sums up the elements of XML by path.

use tuckaway_search::find;

use crate::bytes::are_same;
use crate::tags::{Markup, Tag, TagKind, Tags};

/// Maximum nodes. Elements beyond them are only counted.
const MAX_NODES: usize = 2_048;
/// Levels of nodes.
const MAX_DEPTH: usize = 24;
/// Children of a node.
const MAX_CHILDREN: usize = 128;
/// Attributes of a node that are named.
const MAX_ATTRIBUTES: usize = 24;

/// All elements of one path: of one name, below one parent.
#[derive(Default)]
pub struct Node<'a> {
    /// Their name.
    pub name: &'a [u8],
    /// The number of these elements.
    pub count: u64,
    /// The line of the first.
    pub line: u64,
    /// Some of them hold text.
    pub has_text: bool,
    /// In the order in which they were first seen.
    pub attributes: Vec<Attribute<'a>>,
    /// Indices of the nodes below, in the order in which they were first seen.
    pub children: Vec<usize>,
}

/// The attributes of one name that a node's elements have.
pub struct Attribute<'a> {
    /// Their name.
    pub name: &'a [u8],
    /// The number of elements that have it.
    pub count: u64,
    /// The first value.
    pub value: &'a [u8],
}

/// The elements of a document, summed up by path.
pub struct ElementSummary<'a> {
    /// Each after its parent. The first is the document.
    pub nodes: Vec<Node<'a>>,
    /// The number of elements.
    pub elements: u64,
    /// The first place where tags do not match, among elements that have nodes. None if
    /// the end of a tag had to be guessed.
    pub broken: Option<Broken<'a>>,
}

/// An end that does not match the open element.
pub struct Broken<'a> {
    /// Its offset.
    pub at: usize,
    /// The name in the end tag; none at the end of the document.
    pub ends: Option<&'a [u8]>,
    /// The node that is open; the first if none is.
    pub due: usize,
}

impl<'a> ElementSummary<'a> {
    /// Sums up a whole document.
    pub fn of(bytes: &'a [u8]) -> Self {
        let mut reader = ElementReader::of(bytes);
        let mut tags = Tags::of(bytes, Markup::Xml);
        while let Some(tag) = tags.next() {
            reader.read_text_before(&tag);
            match tag.kind {
                TagKind::Close => reader.close(&tag, tags.has_guessed()),
                TagKind::Open | TagKind::Empty => reader.begin(&tag),
            }
        }
        reader.end(tags.has_guessed())
    }
}

/// Reads a document tag by tag.
struct ElementReader<'a> {
    bytes: &'a [u8],
    summary: ElementSummary<'a>,
    /// The nodes of the open elements; none for an element beyond the maximum.
    open: Vec<Option<usize>>,
    /// The number of open elements below the deepest level.
    deeper: u64,
    /// The line of an offset, for offsets that grow.
    line: u64,
    line_offset: usize,
    /// The end of the last tag.
    text_from: usize,
}

impl<'a> ElementReader<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let document = Node { count: 1, ..Node::default() };
        let summary = ElementSummary { nodes: vec![document], elements: 0, broken: None };
        ElementReader {
            bytes,
            summary,
            open: vec![Some(0)],
            deeper: 0,
            line: 1,
            line_offset: 0,
            text_from: 0,
        }
    }

    /// Returns the node of the element that is open.
    #[inline]
    fn parent(&self) -> Option<usize> {
        self.open.last().copied().flatten().filter(|_| self.deeper == 0)
    }

    /// Records whether there is text between the last tag and this one.
    #[inline]
    fn read_text_before(&mut self, tag: &Tag) {
        if let Some(parent) = self.parent() {
            let node = &mut self.summary.nodes[parent];
            node.has_text = node.has_text || !self.bytes[self.text_from..tag.start].trim_ascii().is_empty();
        }
        self.text_from = tag.end;
    }

    /// Ends an element. Checks its name, unless the end of a tag had to be guessed.
    #[inline]
    fn close(&mut self, tag: &Tag, has_guessed: bool) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let due = if self.open.len() > 1 { self.open.pop().flatten() } else { Some(0) };
        let name = tag.name(self.bytes);
        // The name of an element without a node is not known.
        let is_other = |due: &usize| !has_guessed && !are_same(self.summary.nodes[*due].name, name);
        if let Some(due) = due.filter(is_other) {
            self.summary.broken.get_or_insert(Broken { at: tag.start, ends: Some(name), due });
        }
    }

    /// Begins an element.
    #[inline]
    fn begin(&mut self, tag: &Tag) {
        self.summary.elements += 1;
        let node = self.parent().and_then(|parent| self.child(parent, tag));
        if let Some(node) = node {
            let node = &mut self.summary.nodes[node];
            node.count += 1;
            node.count_attributes(tag, self.bytes);
        }
        if tag.kind == TagKind::Open {
            match self.open.len() {
                0..=MAX_DEPTH if self.deeper == 0 => self.open.push(node),
                _ => self.deeper += 1,
            }
        }
    }

    /// Returns the node of a parent's elements with the name of a tag; none if there are
    /// too many nodes to add one.
    #[inline]
    fn child(&mut self, parent: usize, tag: &Tag) -> Option<usize> {
        let (nodes, name) = (&self.summary.nodes, tag.name(self.bytes));
        let known = nodes[parent].children.iter().find(|&&child| are_same(nodes[child].name, name));
        known.copied().or_else(|| self.add_child(parent, tag))
    }

    fn add_child(&mut self, parent: usize, tag: &Tag) -> Option<usize> {
        self.line += find::count(b'\n', &self.bytes[self.line_offset..tag.start]) as u64;
        self.line_offset = tag.start;
        let nodes = &mut self.summary.nodes;
        let id = nodes.len();
        if id == MAX_NODES || nodes[parent].children.len() == MAX_CHILDREN {
            return None;
        }
        nodes.push(Node { name: tag.name(self.bytes), line: self.line, ..Node::default() });
        nodes[parent].children.push(id);
        Some(id)
    }

    /// Ends the document.
    fn end(mut self, has_guessed: bool) -> ElementSummary<'a> {
        if let Some(&due) = self.open[1..].iter().flatten().last().filter(|_| !has_guessed) {
            let at = self.bytes.trim_ascii_end().len();
            self.summary.broken.get_or_insert(Broken { at, ends: None, due });
        }
        self.summary
    }
}

impl<'a> Node<'a> {
    #[inline]
    fn count_attributes(&mut self, tag: &Tag, bytes: &'a [u8]) {
        for (name, value) in tag.attributes(bytes) {
            match self.attributes.iter().position(|known| are_same(known.name, name)) {
                Some(known) => self.attributes[known].count += 1,
                None if self.attributes.len() < MAX_ATTRIBUTES => {
                    self.attributes.push(Attribute { name, count: 1, value });
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns paths with their numbers of elements, in the order in which they were first seen.
    fn paths(text: &str) -> Vec<(String, u64)> {
        let summary = ElementSummary::of(text.as_bytes());
        let mut paths = vec![String::new(); summary.nodes.len()];
        for (id, node) in summary.nodes.iter().enumerate() {
            for &child in &node.children {
                let name = String::from_utf8_lossy(summary.nodes[child].name);
                paths[child] = format!("{}/{name}", paths[id]);
            }
        }
        paths.into_iter().zip(&summary.nodes).skip(1).map(|(path, node)| (path, node.count)).collect()
    }

    /// Returns the offset where tags do not match, the name that ends there, and the name that
    /// should end.
    fn broken(text: &str) -> Option<(usize, Option<String>, String)> {
        let summary = ElementSummary::of(text.as_bytes());
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let broken = summary.broken?;
        Some((broken.at, broken.ends.map(text), text(summary.nodes[broken.due].name)))
    }

    #[test]
    fn elements_of_one_name_below_one_parent_are_one_node() {
        let text =
            "<?xml version=\"1.0\"?>\n<a>\n  <b n=\"1\" m='2'>x</b>\n  <b n=\"3\"/>\n  <c><b/></c>\n</a>\n";
        let expected = [("/a", 1), ("/a/b", 2), ("/a/c", 1), ("/a/c/b", 1)];
        assert_eq!(paths(text), expected.map(|(path, count)| (path.to_owned(), count)));
        let summary = ElementSummary::of(text.as_bytes());
        assert_eq!(summary.elements, 5);
        assert!(summary.broken.is_none());
        let b = &summary.nodes[2];
        assert_eq!((b.name, b.line, b.has_text), (&b"b"[..], 3, true));
        let attributes =
            b.attributes.iter().map(|attribute| (attribute.name, attribute.count, attribute.value));
        assert_eq!(attributes.collect::<Vec<_>>(), [(&b"n"[..], 2, &b"1"[..]), (b"m", 1, b"2")]);
        assert!(!summary.nodes[3].has_text, "white space is not text");
    }

    #[test]
    fn line_ends_of_other_systems_change_nothing() {
        let text = "<a>\n<b>x</b>\n\n<c/>\n</a>\n";
        let lines = |text: &str| {
            let summary = ElementSummary::of(text.as_bytes());
            summary.nodes.iter().map(|node| (node.line, node.has_text)).collect::<Vec<_>>()
        };
        assert_eq!(lines(text), [(0, false), (1, false), (2, true), (4, false)]);
        assert_eq!(lines(&text.replace('\n', "\r\n")), lines(text));
    }

    #[test]
    fn a_document_is_broken_at_the_first_end_that_does_not_match() {
        let at = |at, ends: Option<&str>, due: &str| Some((at, ends.map(str::to_owned), due.to_owned()));
        for (text, expected) in [
            ("", None),
            ("no tags", None),
            ("<a/>", None),
            ("<a><b></b></a>", None),
            ("<a><b></a></b>", at(6, Some("a"), "b")),
            ("<a></b></a>", at(3, Some("b"), "a")),
            ("</a>", at(0, Some("a"), "")),
            ("<a><b></b>", at(10, None, "a")),
            ("<a><b>torn \n", at(10, None, "b")),
        ] {
            assert_eq!(broken(text), expected, "{text}");
        }
    }

    #[test]
    fn elements_beyond_the_bounds_are_counted() {
        let deep = format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
        let summary = ElementSummary::of(deep.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (50_000, MAX_DEPTH + 2));
        assert!(summary.broken.is_none());
        let wide: String = (0..5_000).map(|n| format!("<a{n}/>")).collect();
        let summary = ElementSummary::of(wide.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (5_000, 129));
        let much: String = (0..100)
            .map(|n| format!("<a{n}>{}</a{n}>", (0..100).map(|m| format!("<b{m}/>")).collect::<String>()))
            .collect();
        let summary = ElementSummary::of(much.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (10_100, MAX_NODES));
        let named: String = (0..100).map(|n| format!(" n{n}='{n}'")).collect();
        assert_eq!(
            ElementSummary::of(format!("<a{named}/>").as_bytes()).nodes[1].attributes.len(),
            MAX_ATTRIBUTES
        );
    }

    fn check(bytes: &[u8]) {
        let summary = ElementSummary::of(bytes);
        let inside = |part: &[u8]| part.is_empty() || bytes.as_ptr_range().contains(&part.as_ptr());
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let mut counted = 0;
        for (id, node) in summary.nodes.iter().enumerate() {
            counted += if id > 0 { node.count } else { 0 };
            assert!(id == 0 || (1..=lines).contains(&node.line) && node.count > 0);
            assert!(node.children.iter().all(|&child| child > id && child < summary.nodes.len()));
            assert!(node.children.is_sorted(), "children are in the order in which they were seen");
            assert!(inside(node.name));
            for attribute in &node.attributes {
                assert!(inside(attribute.name) && inside(attribute.value) && attribute.count > 0);
            }
        }
        assert!(counted <= summary.elements && summary.nodes.len() <= MAX_NODES);
        if let Some(broken) = summary.broken {
            assert!(broken.at <= bytes.len() && broken.due < summary.nodes.len());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_summed_up(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
            check(&bytes);
        }

        #[test]
        fn truncated_elements_are_summed_up(
            parts in proptest::collection::vec(prop::sample::select(vec![
                "<a>", "</a>", "<b c='1'", " d=\"", "\"", ">", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "<", "&", "x", "\r\n", "é",
            ]), 0..40),
        ) {
            check(parts.concat().as_bytes());
        }

        #[test]
        fn complete_documents_are_not_broken(names in proptest::collection::vec("[a-d]", 0..30), empty: bool) {
            let (mut text, mut open) = (String::new(), Vec::new());
            for (at, name) in names.iter().enumerate() {
                text += &format!("<{name} n=\"{at}\">");
                open.push(name);
                if at % 3 == 2 {
                    text += &format!("{}</{}>", if empty { "" } else { "text" }, open.pop().unwrap());
                }
            }
            open.iter().rev().for_each(|name| text += &format!("</{name}>"));
            let summary = ElementSummary::of(text.as_bytes());
            prop_assert!(summary.broken.is_none(), "{text}");
            prop_assert_eq!(summary.elements, names.len() as u64);
            check(text.as_bytes());
        }
    }
}
