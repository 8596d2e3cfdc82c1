//! Detects XML and HTML: a page by its declaration, a part of one by its elements.

use crate::sample::Sample;
use crate::tags::{Markup, TagKind, Tags};

/// Elements that a part of a page may begin with.
const ELEMENTS: [&[u8]; 33] = [
    b"div", b"p", b"table", b"ul", b"ol", b"body", b"head", b"section", b"article", b"span", b"h1", b"h2",
    b"h3", b"main", b"a", b"form", b"img", b"br", b"script", b"style", b"nav", b"header", b"footer", b"link",
    b"meta", b"li", b"tr", b"td", b"th", b"tbody", b"thead", b"center", b"picture",
];

/// Returns whether a text is declared to be an HTML page, including XHTML.
pub fn is_page(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let declared = head.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
    declared || first_name(head).is_some_and(|(name, _)| name == b"html")
}

/// Returns whether a text begins with an element of HTML and has more tags after it, or is
/// one from end to end. Markdown may begin so too.
pub fn is_part_of_a_page(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let Some((name, start)) = first_name(head) else { return is_page(sample) };
    let is_html = ELEMENTS.contains(&&name[..]);
    let has_more = || Tags::of(head.as_bytes(), Markup::Html).skip(1).take(3).count() == 3;
    is_page(sample) || is_html && (start == 0 && has_more() || is_element(sample))
}

/// Returns whether a text is declared to be XML, or is one element from end to end. A page
/// is not, nor a part of one.
pub fn is_xml(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let is_html = || first_name(head).is_some_and(|(name, _)| ELEMENTS.contains(&&name[..]));
    !is_page(sample)
        && (head.starts_with("<?xml") || is_element(sample) && !is_html() && !has_arguments(head))
}

/// Returns whether the first tag has words that are no attributes, as sections of Apache's
/// configuration have: `<VirtualHost *:80>`.
fn has_arguments(head: &str) -> bool {
    let bytes = head.as_bytes();
    let Some(first) = Tags::of(bytes, Markup::Xml).next() else { return false };
    let tag = &bytes[first.start + 1 + first.name(bytes).len()..first.end];
    let attributes = tag.strip_suffix(b">").unwrap_or(tag).trim_ascii();
    !matches!(attributes, b"" | b"/") && !attributes.contains(&b'=')
}

/// Returns whether a text is one element from end to end.
fn is_element(sample: &Sample) -> bool {
    let head = sample.head.trim_start();
    let bytes = head.as_bytes();
    let Some(first) = Tags::of(bytes, Markup::Xml).next().filter(|_| head.starts_with('<')) else {
        return false;
    };
    let before = head[..first.start].trim_end();
    let is_first = before.is_empty() || before.ends_with('>');
    let tail = sample.tail.trim_end().as_bytes();
    let last = Tags::of(tail, Markup::Xml).last();
    is_first
        && last.is_some_and(|last| {
            let one = first.kind == TagKind::Empty && last.end - last.start == first.end - first.start;
            last.end == tail.len()
                && last.name(tail) == first.name(bytes)
                && (one || last.kind == TagKind::Close)
        })
}

/// Returns the name of the first element in lower case, and the offset of the element.
fn first_name(head: &str) -> Option<(Vec<u8>, usize)> {
    let bytes = head.as_bytes();
    let first = Tags::of(bytes, Markup::Html).next().filter(|_| head.starts_with('<'))?;
    Some((first.name(bytes).to_ascii_lowercase(), first.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;

    fn detect(sample: &Sample) -> Option<Kind> {
        match (is_xml(sample), is_part_of_a_page(sample)) {
            (true, _) => Some(Kind::Xml),
            (_, true) => Some(Kind::Html),
            _ => None,
        }
    }

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
            // What sqlite3 prints with `.mode html`.
            ("<TR><TD>1</TD>\n<TD>x</TD>\n</TR>\n<TR><TD>2</TD>\n<TD>y</TD>\n</TR>\n", Some(Kind::Html)),
            ("<!-- by hand -->\n<script src=\"a.js\"></script>\n", Some(Kind::Html)),
            ("<a> is less than <b>", None),
            ("<project> the beginning", None),
            ("<VirtualHost *:80>\n  ServerName a\n</VirtualHost>\n", None),
            ("a < b\n", None),
            ("", None),
            ("# Title <b>x</b>", None),
        ] {
            assert_eq!(detect(&Sample::of(text.as_bytes())), kind, "{text}");
        }
    }
}
