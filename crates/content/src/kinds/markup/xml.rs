//! The outline of XML: its elements, with their positions and numbers.

use std::collections::VecDeque;

use super::elements::{Attribute, Broken, ElementSummary, Node};
use tuckaway_search::find;
use tuckaway_text::counted;

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::runs::Report;

/// A path that is as long has no elements below it in the outline.
const MAX_PATH_BYTES: usize = 400;

/// Returns the elements by path, breadth first: the number of each child and attribute, and
/// the line of the first.
pub fn outline(bytes: &[u8]) -> Outline {
    let summary = ElementSummary::of(bytes);
    let root = summary.nodes[0].children.first().map(|&root| lines::excerpt(summary.nodes[root].name));
    let mut outline = Outline::default();
    let elements = counted(summary.elements, "element");
    let root = root.map_or(String::new(), |root| format!(" <{root}>,"));
    match Report::of(bytes) {
        Some(report) => {
            let (more, section) = (report.omitted(), report.section());
            outline.push("kind", Entry::Text(format!("{};{root} {elements}", report.title())));
            outline.push_members(section, numbered(report.listed), more);
        }
        None => outline.push("kind", Entry::Text(format!("XML:{root} {elements}"))),
    }
    if let Some(Broken { at, ends, due }) = summary.broken {
        let line = find::count(b'\n', &bytes[..at]) + 1;
        let tag = |name: &[u8]| format!("</{}>", lines::excerpt(name));
        let ends = ends.map_or("the end".to_owned(), tag);
        let due = if due == 0 { "none".to_owned() } else { tag(summary.nodes[due].name) };
        outline.push("broken", Entry::Text(format!("line {line}: {ends} where {due} is due")));
    }
    let mut queue: VecDeque<(String, usize)> = summary.nodes[0]
        .children
        .iter()
        .map(|&id| (format!("/{}", lines::excerpt(summary.nodes[id].name)), id))
        .collect();
    while let Some((path, id)) = queue.pop_front() {
        let node = &summary.nodes[id];
        let mut members: Vec<(String, String)> =
            node.attributes.iter().map(|attribute| describe_attribute(node, attribute)).collect();
        for &child in &node.children {
            let (name, text) = describe_child(&summary.nodes[child]);
            if path.len() < MAX_PATH_BYTES {
                queue.push_back((format!("{path}/{name}"), child));
            }
            members.push((name, text));
        }
        outline.push_members(&path, members, 0);
    }
    outline
}

/// Returns texts by their lines; each line is a key only once, because a report may have one line.
fn numbered(texts: Vec<(u64, String)>) -> Vec<(String, String)> {
    let (mut last, mut repeated) = (0, 1);
    let key = |line: u64| {
        repeated = if line == last { repeated + 1 } else { 1 };
        last = line;
        if repeated == 1 { line.to_string() } else { format!("{line} ({repeated})") }
    };
    let (lines, texts): (Vec<u64>, Vec<String>) = texts.into_iter().unzip();
    lines.into_iter().map(key).zip(texts).collect()
}

/// Returns an attribute's name, and its value or the number of a node's elements that have it.
fn describe_attribute(node: &Node, attribute: &Attribute) -> (String, String) {
    let text = match (node.count, attribute.count) {
        (1, _) => format!("= {}", lines::excerpt(attribute.value)),
        (all, count) if all == count => "each".to_owned(),
        (all, count) => format!("{count} of {all}"),
    };
    (format!("@{}", lines::excerpt(attribute.name)), text)
}

/// Returns a child's name, and the number of elements that it stands for.
fn describe_child(child: &Node) -> (String, String) {
    let text = if child.has_text { ", text" } else { "" };
    let line = if child.count > 1 { ", first in line" } else { ", line" };
    (lines::excerpt(child.name), format!("{}{text}{line} {}", child.count, child.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn elements_are_summed_up_by_path() {
        let xml = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\">\n<channel>\n<title>News</title>\n<item id=\"1\"><title>A</title></item>\n<item><title>B</title><link/></item>\n</channel>\n</rss>\n";
        assert_eq!(
            outline(xml.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r#"{"kind": "XML: <rss>, 8 elements", "/rss": {"@version": "= 2.0", "channel": "1, line 3"}, "/rss/channel": {"title": "1, text, line 4", "item": "2, first in line 5"}, "/rss/channel/item": {"@id": "1 of 2", "title": "2, text, first in line 5", "link": "1, line 6"}}"#
        );
    }

    #[test]
    fn tags_that_do_not_match_are_reported() {
        for (xml, expected) in [
            ("<a><b>1</b></a>", None),
            ("<a>\n<b>1</b>\n<c x=\"", Some("line 3: the end where </a> is due")),
            ("<a>\n<b>\n<c>text\n", Some("line 3: the end where </c> is due")),
            ("<a>\n<b>\n</a>\n", Some("line 3: </a> where </b> is due")),
            ("<a/>\n</b>", Some("line 2: </b> where none is due")),
            ("<a><![CDATA[</b>", Some("line 1: the end where </a> is due")),
            // A `>` in a value does not end a tag. If that is not certain, nothing is reported.
            (&format!("<a><b c=\"1 > 0\" d=\"{}\"/></a>", "x".repeat(600)), None),
            (&format!("<a><b c=\"{} > 0\"/></a>", "x".repeat(600)), None),
        ] {
            let json: serde_json::Value =
                serde_json::from_str(&outline(xml.as_bytes()).to_json(2_000, &Layout::ONE_LINE)).unwrap();
            assert_eq!(json.get("broken").and_then(|broken| broken.as_str()), expected, "{xml}");
        }
        let deep = outline("<element>".repeat(100_000).as_bytes()).to_json(1_000, &Layout::ONE_LINE);
        assert!(deep.contains("the end where </element> is due"), "{deep}");
    }

    #[test]
    fn deep_documents_are_bounded() {
        let deep = "<a>".repeat(100_000);
        assert!(outline(deep.as_bytes()).to_json(400, &Layout::ONE_LINE).contains("100000 elements"));
        let closed = "</a>".repeat(1_000) + "<b/>";
        assert!(outline(closed.as_bytes()).to_json(400, &Layout::ONE_LINE).contains("<b>"));
    }
}
