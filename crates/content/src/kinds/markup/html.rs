//! The shape of an HTML page: its title, its headings, tables and forms by line.

use super::tags::{Tag, TagKind, Tags};
use tuckaway_search::find;

use crate::line as lines;
use crate::outline::{Entry, Outline};
use tuckaway_text::{human_bytes, lossy};

/// Headings, tables and sections that are named of each.
const MAX_NAMED: usize = 256;
/// Bytes of an element that are looked at for its text.
const TEXT_BYTES: usize = 1_024;

/// Title, counts, and the lines of headings, tables, forms and sections with an id.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut title = None;
    let mut headings: Vec<(String, String)> = Vec::new();
    let mut tables: Vec<(String, String)> = Vec::new();
    let mut sections: Vec<(String, String)> = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let (mut heading_count, mut links, mut images, mut table_count, mut forms) =
        (0u64, 0u64, 0u64, 0u64, 0u64);
    // Headings and tables that are counted only.
    let mut more = [0u64; 2];
    let (mut text_bytes, mut text_from, mut hidden) = (0u64, 0, false);
    let (mut counted_to, mut line) = (0, 1u64);
    for tag in Tags::of(bytes, true) {
        if !hidden && text_from > 0 {
            text_bytes += bytes[text_from..tag.start].trim_ascii().len() as u64;
        }
        text_from = tag.end;
        let mut lower = [0; 10];
        let name = tag.lower_name(bytes, &mut lower);
        hidden = tag.kind == TagKind::Open && matches!(name, b"script" | b"style");
        if tag.kind == TagKind::Close {
            if name == b"table"
                && !cells.is_empty()
                && let Some((_, head)) = tables.last_mut().filter(|(_, head)| head.ends_with("table"))
            {
                head.truncate(head.len() - "table".len());
                head.push_str(&std::mem::take(&mut cells).join(" | "));
            }
            continue;
        }
        let mut line_of = |tag: &Tag| {
            line += find::count(b'\n', &bytes[counted_to..tag.start]) as u64;
            counted_to = tag.start;
            line
        };
        match name {
            b"a" => links += 1,
            b"img" => images += 1,
            b"form" => forms += 1,
            b"title" if title.is_none() => title = Some(inner_text(bytes, &tag)),
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => {
                heading_count += 1;
                if headings.len() < MAX_NAMED {
                    lines::list(
                        &mut headings,
                        line_of(&tag),
                        &format!("{} {}", lossy(name), inner_text(bytes, &tag)),
                    );
                } else {
                    more[0] += 1;
                }
            }
            b"table" => {
                table_count += 1;
                cells.clear();
                if tables.len() < MAX_NAMED {
                    lines::list(&mut tables, line_of(&tag), "table");
                } else {
                    more[1] += 1;
                }
            }
            b"th" if cells.len() < 16 && table_count <= MAX_NAMED as u64 => {
                cells.push(inner_text(bytes, &tag))
            }
            b"main" | b"article" | b"section" | b"nav" | b"div" if sections.len() < MAX_NAMED => {
                let id = tag.attributes(bytes).find(|(name, _)| name.eq_ignore_ascii_case(b"id"));
                if let Some((_, id)) = id {
                    lines::list(
                        &mut sections,
                        line_of(&tag),
                        &format!("{}#{}", lossy(name), lines::excerpt(id)),
                    );
                }
            }
            _ => {}
        }
    }
    let mut kind = "HTML:".to_owned();
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        kind += &format!(" “{title}”,");
    }
    kind += &format!(" {} of text", human_bytes(text_bytes));
    for (count, noun) in [
        (heading_count, "heading"),
        (links, "link"),
        (images, "image"),
        (table_count, "table"),
        (forms, "form"),
    ] {
        if count > 0 {
            kind += &format!(", {count} {noun}{}", if count == 1 { "" } else { "s" });
        }
    }
    let mut entries = Outline::default();
    entries.push("kind", Entry::Text(kind));
    let [more_headings, more_tables] = more;
    entries.push_members("headings", headings, more_headings);
    entries.push_members("tables", tables, more_tables);
    entries.push_members("sections", sections, 0);
    entries
}

/// The text in an element, without the tags in it.
fn inner_text(bytes: &[u8], tag: &Tag) -> String {
    let inside = &bytes[tag.end..bytes.len().min(tag.end + TEXT_BYTES)];
    let mut text = Vec::new();
    let mut from = 0;
    for inner in Tags::of(inside, true) {
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
    fn a_page_is_described_by_what_one_reads_in_it() {
        let html = "<!doctype html>\n<html><head><TITLE>A &amp; B</TITLE>\n<style>p { color: red }</style></head>\n<body><main id=\"content\">\n<h1>Hello <b>you</b></h1>\n<p>Some text. <a href=x>link</a></p>\n<table><tr><th>name</th><th>size</th></tr></table>\n</main></body></html>\n";
        assert_eq!(
            outline(html.as_bytes()).to_json(2_000, &Layout::ONE_LINE),
            r#"{"kind": "HTML: “A & B”, 39 bytes of text, 1 heading, 1 link, 1 table", "headings": {"5": "h1 Hello you"}, "tables": {"7": "name | size"}, "sections": {"4": "main#content"}}"#
        );
    }
}
