//! Detects XML and HTML.

use super::tags::{TagKind, Tags};

use crate::sample::Sample;

/// Elements that a part of a page may begin with.
const ELEMENTS: [&[u8]; 26] = [
    b"div", b"p", b"table", b"ul", b"ol", b"body", b"head", b"section", b"article", b"span", b"h1", b"h2",
    b"h3", b"main", b"a", b"form", b"img", b"br", b"script", b"style", b"nav", b"header", b"footer", b"link",
    b"meta", b"li",
];

/// Returns whether a text begins as a page does, or with an element of HTML and more tags
/// behind it.
pub fn html(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let declared = head.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
    let bytes = head.as_bytes();
    let mut tags = Tags::of(bytes, true);
    let Some(first) = tags.next().filter(|_| head.starts_with('<')) else { return false };
    let name = first.name(bytes).to_ascii_lowercase();
    let is_page = declared || name == b"html";
    is_page || first.start == 0 && ELEMENTS.contains(&&name[..]) && tags.take(3).count() == 3
}

/// Returns whether a text is declared to be XML, or is one element from end to end.
pub fn xml(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let bytes = head.as_bytes();
    let Some(first) = Tags::of(bytes, false).next().filter(|_| head.starts_with('<')) else { return false };
    if html(sample) {
        return false;
    }
    if head.starts_with("<?xml") {
        return true;
    }
    let before = head[..first.start].trim_end();
    let is_first = before.is_empty() || before.ends_with('>');
    let tail = sample.tail.trim_end().as_bytes();
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
        for (text, is_xml, is_html) in [
            ("<?xml version=\"1.0\"?><a/>", true, false),
            ("<!-- note -->\n<project><a/></project>\n", true, false),
            ("<svg width=\"1\"><g/></svg>", true, false),
            ("<!DOCTYPE html><p>x", false, true),
            ("<html><body></body></html>", false, true),
            ("<div><p>a</p></div>", false, true),
            ("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\">\n<html></html>", false, true),
            ("<a> is less than <b>", false, false),
            ("<project> the beginning", false, false),
            ("a < b\n", false, false),
            ("", false, false),
            ("# Title <b>x</b>", false, false),
        ] {
            let sample = Sample::of(text.as_bytes());
            assert_eq!((xml(&sample), html(&sample)), (is_xml, is_html), "{text}");
        }
    }
}
