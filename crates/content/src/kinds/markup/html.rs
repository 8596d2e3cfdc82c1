//! The outline of an HTML page: its title, and its headings, tables and sections by line.

use tuckaway_search::find;

use crate::line as lines;
use crate::outline::{Entry, Outline};
use crate::tags::{Markup, Tag, TagKind, Tags};
use tuckaway_text::{counted, human_bytes, lossy};

/// Headings, tables and sections that are named, each.
const MAX_NAMED: usize = 256;
/// Head cells that a table is named by.
const MAX_HEAD_CELLS: usize = 16;
/// Bytes of an element that are searched for its text.
const TEXT_BYTES: usize = 1_024;
/// The name of a table without head cells.
const UNNAMED_TABLE: &str = "table";

/// Returns the title, counts, and the lines of headings, tables and sections with an id.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut page = Page::of(bytes);
    let (mut text_from, mut is_hidden) = (0, false);
    for tag in Tags::of(bytes, Markup::Html) {
        if !is_hidden && text_from > 0 {
            page.text_bytes += bytes[text_from..tag.start].trim_ascii().len() as u64;
        }
        text_from = tag.end;
        let mut lower = [0; 10];
        let name = tag.lower_name(bytes, &mut lower);
        is_hidden = tag.kind == TagKind::Open && matches!(name, b"script" | b"style");
        match tag.kind {
            TagKind::Close if name == b"table" => page.end_table(),
            TagKind::Close => {}
            TagKind::Open | TagKind::Empty => page.begin(&tag, name),
        }
    }
    page.into_outline()
}

/// The facts about a page so far.
struct Page<'a> {
    bytes: &'a [u8],
    title: Option<String>,
    text_bytes: u64,
    links: u64,
    images: u64,
    forms: u64,
    headings: Listed,
    tables: Listed,
    /// Sections with an id, by line.
    sections: Vec<(String, String)>,
    /// The head cells of the table that was opened last.
    head_cells: Vec<String>,
    /// The line of an offset, for offsets that grow.
    line: u64,
    line_offset: usize,
}

/// Elements that are counted, and the first of them by line.
#[derive(Default)]
struct Listed {
    count: u64,
    named: Vec<(String, String)>,
    /// The number of elements that are not named.
    more: u64,
}

impl Listed {
    /// Counts an element; returns whether it is to be named.
    fn count(&mut self) -> bool {
        self.count += 1;
        let is_named = self.named.len() < MAX_NAMED;
        self.more += u64::from(!is_named);
        is_named
    }
}

impl<'a> Page<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Page {
            bytes,
            title: None,
            text_bytes: 0,
            links: 0,
            images: 0,
            forms: 0,
            headings: Listed::default(),
            tables: Listed::default(),
            sections: Vec::new(),
            head_cells: Vec::new(),
            line: 1,
            line_offset: 0,
        }
    }

    /// Adds a tag that begins an element with this name in lower case.
    #[inline]
    fn begin(&mut self, tag: &Tag, name: &[u8]) {
        match name {
            b"a" => self.links += 1,
            b"img" => self.images += 1,
            b"form" => self.forms += 1,
            b"title" if self.title.is_none() => self.title = Some(inner_text(self.bytes, tag)),
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => self.add_heading(tag, name),
            b"table" => self.begin_table(tag),
            b"th" if self.head_cells.len() < MAX_HEAD_CELLS && self.tables.count <= MAX_NAMED as u64 => {
                self.head_cells.push(inner_text(self.bytes, tag));
            }
            b"main" | b"article" | b"section" | b"nav" | b"div" => self.add_section(tag, name),
            _ => {}
        }
    }

    fn add_heading(&mut self, tag: &Tag, name: &[u8]) {
        if self.headings.count() {
            let text = format!("{} {}", lossy(name), inner_text(self.bytes, tag));
            let line = self.line_of(tag);
            lines::list(&mut self.headings.named, line, &text);
        }
    }

    fn begin_table(&mut self, tag: &Tag) {
        self.head_cells.clear();
        if self.tables.count() {
            let line = self.line_of(tag);
            lines::list(&mut self.tables.named, line, UNNAMED_TABLE);
        }
    }

    /// Names the last table by its head cells, if it has any.
    fn end_table(&mut self) {
        let last = self.tables.named.last_mut().filter(|(_, name)| name.ends_with(UNNAMED_TABLE));
        if let Some((_, name)) = last.filter(|_| !self.head_cells.is_empty()) {
            name.truncate(name.len() - UNNAMED_TABLE.len());
            name.push_str(&std::mem::take(&mut self.head_cells).join(" | "));
        }
    }

    fn add_section(&mut self, tag: &Tag, name: &[u8]) {
        if self.sections.len() >= MAX_NAMED {
            return;
        }
        let id = tag.attributes(self.bytes).find(|(name, _)| name.eq_ignore_ascii_case(b"id"));
        if let Some((_, id)) = id {
            let text = format!("{}#{}", lossy(name), lines::excerpt(id));
            let line = self.line_of(tag);
            lines::list(&mut self.sections, line, &text);
        }
    }

    /// Returns the line of a tag that comes after all earlier arguments.
    fn line_of(&mut self, tag: &Tag) -> u64 {
        self.line += find::count(b'\n', &self.bytes[self.line_offset..tag.start]) as u64;
        self.line_offset = tag.start;
        self.line
    }

    fn into_outline(self) -> Outline {
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(self.summary()));
        outline.push_members("headings", self.headings.named, self.headings.more);
        outline.push_members("tables", self.tables.named, self.tables.more);
        outline.push_members("sections", self.sections, 0);
        outline
    }

    /// Returns title and counts in words.
    fn summary(&self) -> String {
        let mut words = "HTML:".to_owned();
        if let Some(title) = self.title.as_ref().filter(|title| !title.is_empty()) {
            words += &format!(" “{title}”,");
        }
        words += &format!(" {} of text", human_bytes(self.text_bytes));
        for (count, noun) in [
            (self.headings.count, "heading"),
            (self.links, "link"),
            (self.images, "image"),
            (self.tables.count, "table"),
            (self.forms, "form"),
        ] {
            if count > 0 {
                words += &format!(", {}", counted(count, noun));
            }
        }
        words
    }
}

/// Returns the text in an element, without the tags in it.
fn inner_text(bytes: &[u8], tag: &Tag) -> String {
    let inside = &bytes[tag.end..bytes.len().min(tag.end + TEXT_BYTES)];
    let mut text = Vec::new();
    let mut from = 0;
    for inner in Tags::of(inside, Markup::Html) {
        text.extend_from_slice(&inside[from..inner.start]);
        from = inner.end;
        if inner.kind == TagKind::Close && inner.name(inside).eq_ignore_ascii_case(tag.name(bytes)) {
            break;
        }
        text.push(b' ');
    }
    let text = lossy(&text).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut text = words.join(" ");
    for (entity, character) in
        [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
        if text.contains('&') {
            text = text.replace(entity, character);
        }
    }
    lines::excerpt(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn a_page_is_outlined_by_title_headings_tables_and_sections() {
        let html = "<!doctype html>\n<html><head><TITLE>A &amp; B</TITLE>\n<style>p { color: red }</style></head>\n<body><main id=\"content\">\n<h1>Hello <b>you</b></h1>\n<p>Some text. <a href=x>link</a></p>\n<table><tr><th>name</th><th>size</th></tr></table>\n</main></body></html>\n";
        assert_eq!(
            outline(html.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r#"{"kind": "HTML: “A & B”, 39 bytes of text, 1 heading, 1 link, 1 table", "headings": {"5": "h1 Hello you"}, "tables": {"7": "name | size"}, "sections": {"4": "main#content"}}"#
        );
    }
}
