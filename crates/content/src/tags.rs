//! Finds the tags of XML and HTML, well-formed or not. Everything else is text.
//!
//! The tokenizer is our own: it has to find names and offsets of tags in broken pages too.
//! quick-xml ends at the first mistake, and the parsers of browsers are ten times as large
//! as this crate.

use tuckaway_search::{EitherByte, find};

/// Bytes of a tag that are searched for quotes. A bound, as hostile text may have quotes in
/// every tag that are never closed.
const QUOTED_BYTES: usize = 512;

/// Whether a tag opens or closes an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// `<name …>`
    Open,
    /// `</name>`
    Close,
    /// `<name …/>`
    Empty,
}

/// A tag, by offsets in the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// Whether it opens or closes an element.
    pub kind: TagKind,
    /// The offset of its `<`.
    pub start: usize,
    /// The offset after its `>`.
    pub end: usize,
    /// The offset after its name.
    name_end: usize,
}

impl Tag {
    /// Returns its name, in the original spelling.
    pub fn name<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let start = self.start + if self.kind == TagKind::Close { 2 } else { 1 };
        &bytes[start..self.name_end]
    }

    /// Returns its name in lower case; nothing if it is longer than `lower`.
    pub fn lower_name<'l>(&self, bytes: &[u8], lower: &'l mut [u8]) -> &'l [u8] {
        let name = self.name(bytes);
        let Some(lower) = lower.get_mut(..name.len()) else { return b"" };
        // A byte at a time: a name is short, and copying memory is a call to the host.
        lower.iter_mut().zip(name).for_each(|(to, from)| *to = from.to_ascii_lowercase());
        lower
    }

    /// Returns its attributes.
    pub fn attributes<'a>(&self, bytes: &'a [u8]) -> Attributes<'a> {
        let close = if self.kind == TagKind::Empty { 2 } else { 1 };
        Attributes { rest: &bytes[self.name_end..(self.end - close).max(self.name_end)] }
    }
}

/// The names and values of the attributes of a tag. A missing value is empty.
pub struct Attributes<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_ascii_start();
        let ends_name = |byte: &u8| matches!(byte, b'=' | b' ' | b'\t' | b'\r' | b'\n');
        let (name, behind) = rest.split_at(rest.iter().position(ends_name).unwrap_or(rest.len()));
        self.rest = behind;
        let Some(value) = behind.trim_ascii_start().strip_prefix(b"=") else {
            return (!name.is_empty()).then_some((name, &b""[..]));
        };
        let value = value.trim_ascii_start();
        let (value, behind) = match value.first() {
            Some(&quote @ (b'"' | b'\'')) => {
                let end = find::byte(quote, &value[1..]).map_or(value.len(), |at| at + 1);
                (&value[1..end], value.get(end + 1..).unwrap_or_default())
            }
            _ => value.split_at(value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len())),
        };
        self.rest = behind;
        Some((name, value))
    }
}

/// The language of a text with tags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// The content of every element may have tags.
    Xml,
    /// The content of `<script>` and the like is text.
    Html,
}

/// The tags of a text, one after the other. Skips comments, CDATA, declarations and the
/// content of HTML's scripts and styles.
pub struct Tags<'a> {
    bytes: &'a [u8],
    at: usize,
    markup: Markup,
    guessed: bool,
    /// The search for where tags begin.
    opens: EitherByte,
}

impl<'a> Tags<'a> {
    /// Returns the tags of a text.
    pub fn of(bytes: &'a [u8], markup: Markup) -> Self {
        Tags { bytes, at: 0, markup, guessed: false, opens: EitherByte::of([b'<'; 2]) }
    }

    /// Returns whether the end of any tag so far was guessed.
    pub fn has_guessed(&self) -> bool {
        self.guessed
    }

    /// Returns the end of a part that begins at `start` and ends with `end`. The last byte of
    /// `end` should be its rarest.
    fn past(&self, start: usize, end: &[u8]) -> usize {
        let mut from = start + end.len() - 1;
        while let Some(at) = self.bytes.get(from..).and_then(|rest| find::byte(end[end.len() - 1], rest)) {
            from += at + 1;
            if self.bytes[..from].ends_with(end) {
                return from;
            }
        }
        self.bytes.len()
    }

    /// Returns the end of a declaration, `<!DOCTYPE …>`, which may hold others in brackets.
    fn past_declaration(&self, start: usize) -> usize {
        match find::any_byte([b'>', b'[', b'['], &self.bytes[start..]) {
            Some(at) if self.bytes[start + at] == b'[' => self.past(self.past(start + at, b"]"), b">"),
            Some(at) => start + at + 1,
            None => self.bytes.len(),
        }
    }

    /// Returns the end of a tag: after the first `>` that is not within quotes, or after
    /// the next if there is none near.
    fn past_tag(&mut self, name_end: usize) -> Option<usize> {
        // Most tags have no attributes.
        if self.bytes.get(name_end) == Some(&b'>') {
            return Some(name_end + 1);
        }
        let near = &self.bytes[name_end..self.bytes.len().min(name_end + QUOTED_BYTES)];
        let mut at = 0;
        while let Some(offset) = near.get(at..).and_then(|rest| find::any_byte(*b">\"'", rest)) {
            at += offset + 1;
            match near[at - 1] {
                b'>' => return Some(name_end + at),
                quote => match find::byte(quote, &near[at..]) {
                    Some(end) => at += end + 1,
                    None => break,
                },
            }
        }
        let from = name_end + at;
        let end = find::byte(b'>', &self.bytes[from..])?;
        self.guessed = true;
        Some(from + end + 1)
    }

    /// Returns the start of the end tag of an element that holds only text.
    fn close_of(&self, name: &[u8], mut from: usize) -> usize {
        while let Some(at) = find::text(b"</", &self.bytes[from..]) {
            from += at + 2;
            if self.bytes.get(from..from + name.len()).is_some_and(|here| here.eq_ignore_ascii_case(name)) {
                return from - 2;
            }
        }
        self.bytes.len()
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        loop {
            let start = self.opens.next(self.bytes, self.at)?;
            let behind = &self.bytes[start + 1..];
            self.at = start + 1;
            let (kind, name_start) = match behind.first()? {
                b'!' if behind.starts_with(b"!--") => {
                    self.at = self.past(start + 4, b"-->");
                    continue;
                }
                b'!' if behind.starts_with(b"![CDATA[") => {
                    self.at = self.past(start, b"]]>");
                    continue;
                }
                b'!' => {
                    self.at = self.past_declaration(start);
                    continue;
                }
                b'?' => {
                    self.at = self.past(start, if self.markup == Markup::Html { b">" } else { b"?>" });
                    continue;
                }
                b'/' => (TagKind::Close, start + 2),
                _ => (TagKind::Open, start + 1),
            };
            let name = &self.bytes[name_start..];
            if !name
                .first()
                .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || !byte.is_ascii())
            {
                continue;
            }
            let length = name
                .iter()
                .position(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'>' | b'<'))
                .unwrap_or(name.len());
            let name_end = name_start + length;
            // None: no tag ends behind this.
            let end = self.past_tag(name_end)?;
            self.at = end;
            let is_empty = kind == TagKind::Open && end >= name_end + 2 && self.bytes[end - 2] == b'/';
            let tag = Tag { kind: if is_empty { TagKind::Empty } else { kind }, start, end, name_end };
            if self.markup == Markup::Html && tag.kind == TagKind::Open && holds_text(tag.name(self.bytes)) {
                self.at = self.close_of(tag.name(self.bytes), end);
            }
            return Some(tag);
        }
    }
}

/// Returns whether an element of HTML holds only text.
fn holds_text(name: &[u8]) -> bool {
    [&b"script"[..], b"style", b"textarea"].iter().any(|one| name.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(text: &str, markup: Markup) -> Vec<String> {
        let bytes = text.as_bytes();
        let spelled = |tag: Tag| {
            let name = String::from_utf8_lossy(tag.name(bytes)).into_owned();
            match tag.kind {
                TagKind::Open => name,
                TagKind::Close => format!("/{name}"),
                TagKind::Empty => format!("{name}/"),
            }
        };
        Tags::of(bytes, markup).map(spelled).collect()
    }

    #[test]
    fn tags_are_found_and_similar_text_is_not() {
        let xml = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"<c>\">]><a x='1 > 0'><!-- <d> --><![CDATA[<e>]]><f/>2 < 3</a>";
        assert_eq!(names(xml, Markup::Xml), ["a", "f/", "/a"]);
        let html = "<p>1 <b>2</b><script>if (a<b) c('<i>')</script><br/></p>";
        assert_eq!(names(html, Markup::Html), ["p", "b", "/b", "script", "/script", "br/", "/p"]);
        assert_eq!(names("<a", Markup::Xml), [""; 0]);
        assert_eq!(names("< a> <1> <", Markup::Xml), [""; 0]);
    }

    #[test]
    fn attributes_are_read() {
        let bytes = b"<a href=\"x?a=1\" b='2' checked c = d/>";
        let tag = Tags::of(bytes, Markup::Xml).next().unwrap();
        let attributes: Vec<_> = tag.attributes(bytes).collect();
        assert_eq!(
            attributes,
            [(&b"href"[..], &b"x?a=1"[..]), (b"b", b"2"), (b"checked", b""), (b"c", b"d")]
        );
    }

    proptest! {
        #[test]
        fn tags_do_not_overlap(text in "[<>/!a-b'\" =\\-\\[\\]?é]{0,60}", html in any::<bool>()) {
            let mut at = 0;
            for tag in Tags::of(text.as_bytes(), if html { Markup::Html } else { Markup::Xml }) {
                prop_assert!(tag.start >= at && tag.end > tag.start && tag.end <= text.len());
                prop_assert!(!tag.name(text.as_bytes()).is_empty());
                prop_assert!(tag.attributes(text.as_bytes()).count() <= text.len());
                at = tag.end;
            }
        }
    }
}
