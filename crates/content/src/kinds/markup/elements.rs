//! The elements of XML, summed up by the path that leads to them.

use tuckaway_search::find;

use super::tags::{TagKind, Tags};
use crate::bytes::are_same;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Paths with how often they are there, in the order in which they were first seen.
    fn paths(text: &str) -> Vec<(String, u64)> {
        let summary = Summary::of(text.as_bytes());
        let mut paths = vec![String::new(); summary.nodes.len()];
        for (id, node) in summary.nodes.iter().enumerate() {
            for &child in &node.children {
                let name = String::from_utf8_lossy(summary.nodes[child].name);
                paths[child] = format!("{}/{name}", paths[id]);
            }
        }
        paths.into_iter().zip(&summary.nodes).skip(1).map(|(path, node)| (path, node.count)).collect()
    }

    /// Where the tags do not match, with what ends there and what should.
    fn broken(text: &str) -> Option<(usize, Option<String>, String)> {
        let summary = Summary::of(text.as_bytes());
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let broken = summary.broken?;
        Some((broken.at, broken.ends.map(text), text(summary.nodes[broken.due].name)))
    }

    #[test]
    fn elements_of_one_name_under_one_parent_are_one_place() {
        let text =
            "<?xml version=\"1.0\"?>\n<a>\n  <b n=\"1\" m='2'>x</b>\n  <b n=\"3\"/>\n  <c><b/></c>\n</a>\n";
        let expected = [("/a", 1), ("/a/b", 2), ("/a/c", 1), ("/a/c/b", 1)];
        assert_eq!(paths(text), expected.map(|(path, count)| (path.to_owned(), count)));
        let summary = Summary::of(text.as_bytes());
        assert_eq!(summary.elements, 5);
        assert!(summary.broken.is_none());
        let b = &summary.nodes[2];
        assert_eq!((b.name, b.line, b.text), (&b"b"[..], 3, true));
        let attributes =
            b.attributes.iter().map(|attribute| (attribute.name, attribute.count, attribute.value));
        assert_eq!(attributes.collect::<Vec<_>>(), [(&b"n"[..], 2, &b"1"[..]), (b"m", 1, b"2")]);
        assert!(!summary.nodes[3].text, "white space is not text");
    }

    #[test]
    fn line_ends_of_other_systems_change_nothing() {
        let text = "<a>\n<b>x</b>\n\n<c/>\n</a>\n";
        let lines = |text: &str| {
            let summary = Summary::of(text.as_bytes());
            summary.nodes.iter().map(|node| (node.line, node.text)).collect::<Vec<_>>()
        };
        assert_eq!(lines(text), [(0, false), (1, false), (2, true), (4, false)]);
        assert_eq!(lines(&text.replace('\n', "\r\n")), lines(text));
    }

    #[test]
    fn the_first_end_that_is_not_due_is_where_it_is_broken() {
        let place = |at, ends: Option<&str>, due: &str| Some((at, ends.map(str::to_owned), due.to_owned()));
        for (text, expected) in [
            ("", None),
            ("no tags", None),
            ("<a/>", None),
            ("<a><b></b></a>", None),
            ("<a><b></a></b>", place(6, Some("a"), "b")),
            ("<a></b></a>", place(3, Some("b"), "a")),
            ("</a>", place(0, Some("a"), "")),
            ("<a><b></b>", place(10, None, "a")),
            ("<a><b>torn \n", place(10, None, "b")),
        ] {
            assert_eq!(broken(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_too_deep_too_wide_or_too_much_is_counted() {
        let deep = format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
        let summary = Summary::of(deep.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (50_000, MAX_DEPTH + 2));
        assert!(summary.broken.is_none());
        let wide: String = (0..5_000).map(|n| format!("<a{n}/>")).collect();
        let summary = Summary::of(wide.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (5_000, 129));
        let much: String = (0..100)
            .map(|n| format!("<a{n}>{}</a{n}>", (0..100).map(|m| format!("<b{m}/>")).collect::<String>()))
            .collect();
        let summary = Summary::of(much.as_bytes());
        assert_eq!((summary.elements, summary.nodes.len()), (10_100, MAX_NODES));
        let named: String = (0..100).map(|n| format!(" n{n}='{n}'")).collect();
        assert_eq!(Summary::of(format!("<a{named}/>").as_bytes()).nodes[1].attributes.len(), MAX_ATTRIBUTES);
    }

    fn check(bytes: &[u8]) {
        let summary = Summary::of(bytes);
        let inside = |part: &[u8]| part.is_empty() || bytes.as_ptr_range().contains(&part.as_ptr());
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let mut counted = 0;
        for (id, node) in summary.nodes.iter().enumerate() {
            counted += if id > 0 { node.count } else { 0 };
            assert!(id == 0 || (1..=lines).contains(&node.line) && node.count > 0);
            assert!(node.children.iter().all(|&child| child > id && child < summary.nodes.len()));
            assert!(node.children.is_sorted(), "children stand as they were seen");
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
        fn torn_elements_are_summed_up(
            parts in proptest::collection::vec(prop::sample::select(vec![
                "<a>", "</a>", "<b c='1'", " d=\"", "\"", ">", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "<", "&", "x", "\r\n", "é",
            ]), 0..40),
        ) {
            check(parts.concat().as_bytes());
        }

        #[test]
        fn whole_documents_are_not_broken(names in proptest::collection::vec("[a-d]", 0..30), empty: bool) {
            let (mut text, mut open) = (String::new(), Vec::new());
            for (at, name) in names.iter().enumerate() {
                text += &format!("<{name} n=\"{at}\">");
                open.push(name);
                if at % 3 == 2 {
                    text += &format!("{}</{}>", if empty { "" } else { "text" }, open.pop().unwrap());
                }
            }
            open.iter().rev().for_each(|name| text += &format!("</{name}>"));
            let summary = Summary::of(text.as_bytes());
            prop_assert!(summary.broken.is_none(), "{text}");
            prop_assert_eq!(summary.elements, names.len() as u64);
            check(text.as_bytes());
        }
    }
}
