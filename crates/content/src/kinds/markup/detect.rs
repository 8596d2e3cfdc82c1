//! Detects XML and HTML: one detector, as a page may be both.

use super::tags::{TagKind, Tags};

use crate::kind::Kind;
use crate::sample::Sample;

/// Elements that a part of a page may begin with.
const ELEMENTS: [&[u8]; 26] = [
    b"div", b"p", b"table", b"ul", b"ol", b"body", b"head", b"section", b"article", b"span", b"h1", b"h2",
    b"h3", b"main", b"a", b"form", b"img", b"br", b"script", b"style", b"nav", b"header", b"footer", b"link",
    b"meta", b"li",
];

/// Returns whether a text is HTML or XML. What begins as a page is HTML, XHTML too.
pub fn detect(sample: &Sample) -> Option<Kind> {
    let head = sample.head.trim_start();
    match head {
        _ if begins_as_page(head) => Some(Kind::Html),
        _ if is_element(head, &sample.tail) => Some(Kind::Xml),
        _ => None,
    }
}

/// Returns whether a text begins as a page does, or with an element of HTML and more tags
/// behind it.
fn begins_as_page(head: &str) -> bool {
    let declared = head.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
    let bytes = head.as_bytes();
    let mut tags = Tags::of(bytes, true);
    let Some(first) = tags.next().filter(|_| head.starts_with('<')) else { return false };
    let name = first.name(bytes).to_ascii_lowercase();
    let is_page = declared || name == b"html";
    is_page || first.start == 0 && ELEMENTS.contains(&&name[..]) && tags.take(3).count() == 3
}

/// Returns whether a text is declared to be XML, or is one element from end to end.
fn is_element(head: &str, tail: &str) -> bool {
    let bytes = head.as_bytes();
    let Some(first) = Tags::of(bytes, false).next().filter(|_| head.starts_with('<')) else { return false };
    if head.starts_with("<?xml") {
        return true;
    }
    let before = head[..first.start].trim_end();
    let is_first = before.is_empty() || before.ends_with('>');
    let tail = tail.trim_end().as_bytes();
    let last = Tags::of(tail, false).last();
    let closes = last.is_some_and(|last| {
        let one = first.kind == TagKind::Empty && last.end - last.start == first.end - first.start;
        last.end == tail.len() && last.name(tail) == first.name(bytes) && (one || last.kind == TagKind::Close)
    });
    is_first && closes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_and_html_are_detected() {
        for (text, kind) in [
            ("<?xml version=\"1.0\"?><a/>", Some(Kind::Xml)),
            ("<!-- note -->\n<project><a/></project>\n", Some(Kind::Xml)),
            ("<svg width=\"1\"><g/></svg>", Some(Kind::Xml)),
            ("<!DOCTYPE html><p>x", Some(Kind::Html)),
            ("<html><body></body></html>", Some(Kind::Html)),
            ("<div><p>a</p></div>", Some(Kind::Html)),
            ("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">\n<html></html>", Some(Kind::Html)),
            ("<a> is less than <b>", None),
            ("<project> the beginning", None),
            ("a < b\n", None),
            ("", None),
            ("# Title <b>x</b>", None),
        ] {
            assert_eq!(detect(&Sample::of(text.as_bytes())), kind, "{text}");
        }
    }
}
