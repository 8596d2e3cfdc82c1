//! Truncates markup between tags. First removes unread content: long values of
//! attributes, and the scripts, styles and drawings of a page.

use std::borrow::Cow;
use std::ops::Range;

use tuckaway_search::find;

use crate::runs::Report;
use crate::tags::{Markup, TagKind, Tags};
use crate::wording;
use tuckaway_text::cut::{head, tail};

/// Hidden content that is shorter than this is kept.
const MIN_HIDDEN: usize = 120;
/// Values of attributes that are longer are cut.
const MAX_VALUE: usize = 256;
/// Bytes that are kept of a value that is cut.
const VALUE_HEAD: usize = 64;
/// Elements of a page whose content is hidden.
const HIDDEN: [&[u8]; 4] = [b"script", b"style", b"svg", b"noscript"];

/// Bytes that are read at each end of a page that is longer than three times this, unless
/// more of it is shown. Hidden content of the first end does not count.
const END_BYTES: usize = 256 << 10;

/// Truncates XML that is longer than `max` bytes.
pub fn xml(markup: &str, max: usize) -> String {
    let Visible { text, unread, .. } = visible(markup, Markup::Xml, max);
    if text.len() <= max {
        return text.into_owned();
    }
    let failures = Report::of(markup.as_bytes()).map_or(String::new(), |report| failures(&report, max / 2));
    between_tags(&text, unread, &failures, max)
}

/// Returns the failures of a report, a line each, in at most `max` bytes.
fn failures(report: &Report, max: usize) -> String {
    let mut lines = String::new();
    let mut left = report.listed.len() as u64 + report.omitted();
    let last = |left: u64| format!("\n... [{left} more failed]");
    for (line, text) in &report.listed {
        let text = format!("\nline {line} failed: {text}");
        let more = if left > 1 { last(left - 1).len() } else { 0 };
        if lines.len() + text.len() + more > max {
            break;
        }
        lines += &text;
        left -= 1;
    }
    match left {
        0 => lines,
        _ if last(left).len() <= max => lines + &last(left),
        _ => String::new(),
    }
}

/// Truncates a page that is longer than `max` bytes.
pub fn html(markup: &str, max: usize) -> String {
    let Visible { text: page, gap, unread } = visible(markup, Markup::Html, max);
    if page.len() <= max {
        return page.into_owned();
    }
    // A long head of the page is replaced by its title.
    let bytes = page.as_bytes();
    let mut title = None;
    let mut body = 0;
    for tag in Tags::of(bytes, Markup::Html) {
        match tag.name(bytes) {
            name if name.eq_ignore_ascii_case(b"title") && tag.kind == TagKind::Open => {
                let end = find::byte(b'<', &bytes[tag.end..]).map_or(tag.end, |at| tag.end + at);
                title = title.or(Some(page[tag.end..end].trim()));
            }
            name if name.eq_ignore_ascii_case(b"body") => {
                body = tag.start;
                break;
            }
            _ => {}
        }
    }
    if body > max / 3 && body < page.len() {
        let title = title.map_or(String::new(), |title| format!("<title>{}</title>\n", head(title, max / 8)));
        let (before, unread) = if body < gap { (body, unread) } else { (body + unread, 0) };
        let lead = format!("{title}{}\n", wording::truncated_inside(before));
        if let Some(space) = max.checked_sub(lead.len()).filter(|&space| space >= 64) {
            let body = &page[body..];
            return if body.len() <= space {
                lead + body
            } else {
                lead + &between_tags(body, unread, "", space)
            };
        }
    }
    between_tags(&page, unread, "", max)
}

/// Markup whose hidden content is replaced by notices.
struct Visible<'t> {
    text: Cow<'t, str>,
    /// The offset of the part of the middle that no view reaches.
    gap: usize,
    /// The bytes of that part.
    unread: usize,
}

/// Reads markup as far as is needed to cut it to `max` bytes.
fn visible(markup: &str, language: Markup, max: usize) -> Visible<'_> {
    let end_bytes = END_BYTES.max(max.saturating_mul(2));
    if markup.len() / 3 <= end_bytes {
        return Visible { text: without_hidden(markup, language, usize::MAX).0, gap: 0, unread: 0 };
    }
    let (first, read_to) = without_hidden(markup, language, end_bytes);
    let rest = &markup[read_to..];
    if rest.len() / 3 <= end_bytes {
        return Visible {
            text: Cow::Owned([first, without_hidden(rest, language, usize::MAX).0].concat()),
            gap: 0,
            unread: 0,
        };
    }
    let last = tail(rest, end_bytes);
    let middle = &rest[..rest.len() - last.len()];
    // If the last part begins in hidden content, a notice replaces that.
    let (middle, notice, last) = match hidden_around(rest, middle.len()).filter(|_| language == Markup::Html)
    {
        Some((from, to)) => (&rest[..from], wording::truncated_inside(to - from), &rest[to..]),
        None => (middle, String::new(), last),
    };
    // No end of the view reaches beyond these.
    let before = head(middle, max);
    let behind = tail(&middle[before.len()..], max);
    let text = [&first, before, behind, &notice, &without_hidden(last, language, usize::MAX).0].concat();
    let unread = middle.len() - before.len() - behind.len();
    Visible { text: Cow::Owned(text), gap: first.len() + before.len(), unread }
}

/// Returns the range of hidden content around an offset, if there is any.
fn hidden_around(markup: &str, offset: usize) -> Option<(usize, usize)> {
    let (before, behind) = (&markup.as_bytes()[..offset], &markup.as_bytes()[offset..]);
    let close = Tags::of(behind, Markup::Html).find(|tag| is_hidden(tag.name(behind)))?;
    if close.kind != TagKind::Close {
        return None;
    }
    let name = close.name(behind);
    let mut to = offset;
    loop {
        to = find::last_byte(b'<', &before[..to])?;
        let is_open = before[to + 1..].get(..name.len()).is_some_and(|here| here.eq_ignore_ascii_case(name));
        if is_open {
            let end = find::byte(b'>', &markup.as_bytes()[to..])? + to + 1;
            return Some((end, offset + close.start)).filter(|(from, to)| from <= &offset.min(*to));
        }
    }
}

fn is_hidden(name: &[u8]) -> bool {
    HIDDEN.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// Replaces long values, and the hidden content of a page, by notices. Reads until there
/// are `enough` visible bytes, or to the end; returns how far.
fn without_hidden(markup: &str, language: Markup, enough: usize) -> (Cow<'_, str>, usize) {
    let bytes = markup.as_bytes();
    let mut page = String::new();
    let (mut kept_to, mut hidden): (usize, Option<(usize, &[u8])>) = (0, None);
    let mut end = markup.len();
    for tag in Tags::of(bytes, language) {
        let name = tag.name(bytes);
        match hidden {
            // Within a value that was cut.
            _ if tag.start < kept_to => {}
            None if page.len() + (tag.start - kept_to) >= enough => {
                end = tag.start;
                break;
            }
            None => {
                shorten_values(markup, tag.start..tag.end, &mut page, &mut kept_to);
                if language == Markup::Html && tag.kind == TagKind::Open && is_hidden(name) {
                    hidden = Some((tag.end.max(kept_to), name));
                }
            }
            Some((from, opened)) if tag.kind == TagKind::Close && name.eq_ignore_ascii_case(opened) => {
                if tag.start - from >= MIN_HIDDEN {
                    page.push_str(&markup[kept_to..from]);
                    page.push_str(&wording::truncated_inside(tag.start - from));
                    kept_to = tag.start;
                }
                hidden = None;
            }
            _ => {}
        }
    }
    if kept_to == 0 {
        return (Cow::Borrowed(&markup[..end]), end);
    }
    page.push_str(&markup[kept_to..end]);
    (Cow::Owned(page), end)
}

/// Adds a tag to the page up to its last long value, and cuts long values. A value ends at
/// a quote: a `>` in it may have been taken for the end of the tag.
fn shorten_values(markup: &str, tag: Range<usize>, page: &mut String, kept_to: &mut usize) {
    let mut at = tag.start;
    while let Some(open) = markup.as_bytes().get(at..tag.end).and_then(|tag| find::byte(b'=', tag)) {
        at += open + 2;
        let Some(&quote @ (b'"' | b'\'')) = markup.as_bytes().get(at - 1) else { continue };
        let Some(length) = find::byte(quote, &markup.as_bytes()[at..]) else { return };
        let (value, from) = (&markup[at..at + length], at);
        at += length + 1;
        // A quote behind the tag does not close a value.
        let closes =
            matches!(markup.as_bytes().get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'>'));
        if at > tag.end && !closes {
            return;
        }
        if length > MAX_VALUE {
            let shown = head(value, VALUE_HEAD);
            page.push_str(&markup[*kept_to..from]);
            page.push_str(shown);
            page.push_str(&wording::truncated_inside(length - shown.len()));
            *kept_to = from + length;
        }
    }
}

/// Returns head and tail with a notice. The head ends, and the tail begins, with a tag, if
/// that takes at least half of their space. `unread` bytes of the middle are not in `markup`;
/// `kept` follows the notice.
fn between_tags(markup: &str, unread: usize, kept: &str, max: usize) -> String {
    let notice_bytes = wording::truncated(999).len() + "\n\n".len() + kept.len();
    let Some(space) = max.checked_sub(notice_bytes).filter(|&space| space >= 64) else {
        return head(markup, max).to_owned();
    };
    let first = head(markup, space - space / 3);
    let end = first.rfind('>').map(|at| at + 1).filter(|end| end * 2 >= first.len()).unwrap_or(first.len());
    let ends_within = |range: Range<usize>| find::byte(b'>', &markup.as_bytes()[range]).is_some();
    let end = match tag_around(markup, end) {
        Some(start) if start > 0 && ends_within(start..markup.len().min(start + max)) => start,
        // A tag that is longer than the view ends between two attributes, if it has any.
        Some(start) => match find::last_text(b"\" ", &markup.as_bytes()[start..end]) {
            Some(quote) => start + quote + 1,
            None if start > 0 => start,
            None => end,
        },
        None => end,
    };
    let first = &first[..end];
    let mut last = tail(&markup[end..], space - (space - space / 3).max(end));
    let within_tag = tag_around(markup, markup.len() - last.len()).is_some();
    if within_tag && let Some(close) = find::byte(b'>', last.as_bytes()) {
        last = &last[close + 1..];
    }
    let start = last.find('<').filter(|start| start * 2 <= last.len()).unwrap_or(0);
    let last = &last[start..];
    let notice = wording::truncated(markup.len() + unread - first.len() - last.len());
    let before = if first.ends_with('\n') { "" } else { "\n" };
    [first, before, &notice, kept, "\n", last].concat()
}

/// Returns the start of the tag that contains an offset.
fn tag_around(markup: &str, offset: usize) -> Option<usize> {
    let before = &markup.as_bytes()[..offset];
    let start = find::last_byte(b'<', before)?;
    let is_tag = markup.as_bytes().get(start + 1).is_some_and(|byte| !b" =\n".contains(byte));
    (is_tag && find::byte(b'>', &before[start..]).is_none()).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_are_between_tags() {
        let text = format!("<rows>{}</rows>", "<row id=\"1\"><name>some name</name></row>".repeat(100));
        let view = xml(&text, 500);
        let (head, rest) = view.split_once("\n... [truncated ").unwrap();
        assert!(head.ends_with('>') && rest.contains("] ...\n<"), "{view}");
        assert!(view.len() <= 500 && view.ends_with("</rows>"));
    }

    #[test]
    fn scripts_are_removed_first() {
        let text = format!(
            "<html><head><title>T</title><script>{}</script></head><body><h1>Hello</h1><p>Text</p></body></html>",
            "x();".repeat(500)
        );
        assert_eq!(
            html(&text, 600),
            "<html><head><title>T</title><script>... [truncated 2 KB] ...</script></head><body><h1>Hello</h1><p>Text</p></body></html>"
        );
    }

    #[test]
    fn long_tags_and_quotes_in_text_leave_a_view() {
        let row: String = (0..400).map(|n| format!(" attr{n}=\"value {n}\"")).collect();
        let view = xml(&format!("<root>\n<row{row}/>\n<end/>\n</root>"), 2_000);
        assert!(view.len() > 1_000 && view.contains("<row attr0=\"value 0\""), "{view}");
        let text: String = (0..200).map(|n| format!("<p>Paragraph {n} of the page</p>\n")).collect();
        let view = html(&format!("<html><body><p title='>one</p>\n{text}<p>don't</p></body></html>"), 3_000);
        assert!(view.len() > 2_000 && view.contains("don't"), "{view}");
    }

    #[test]
    fn long_values_are_cut_and_tags_are_whole() {
        let props = "{&quot;a&quot;: \"1 > 0\"},".repeat(200);
        let page = format!("<html><body><div id=root data-props='{props}'></div><p>hello</p></body></html>");
        assert_eq!(
            html(&page, 600),
            "<html><body><div id=root data-props='{&quot;a&quot;: \"1 > 0\"},{&quot;a&quot;: \"1 > 0\"},{&quot;a&quot;... [truncated 4.9 KB] ...'></div><p>hello</p></body></html>"
        );
        let path = |n: usize| format!("<path d=\"{}\" fill=\"#f{n}\"/>", "M1 2L3 4".repeat(n));
        for n in [20, 40, 1_000] {
            let drawing = format!("<svg>{}</svg>", (0..100).map(|m| path(n + m)).collect::<String>());
            for max in 300..900 {
                let view = xml(&drawing, max);
                let (first, last) = view.split_once("\n... [truncated ").unwrap();
                assert!(first.ends_with('>') && last.contains("] ...\n<"), "{view}");
                assert!(view.len() <= max && view.ends_with("</svg>"), "{view}");
            }
        }
    }

    #[test]
    fn the_body_is_shown_before_the_head() {
        let text = format!(
            "<html><head><title>Visible</title>{}</head><body><h1>Hello</h1>{}</body></html>",
            "<meta name=\"a\" content=\"b\">".repeat(50),
            "<p>Text</p>\n".repeat(100)
        );
        let view = html(&text, 600);
        assert!(
            view.starts_with(
                "<title>Visible</title>\n... [truncated 1.3 KB] ...\n<body><h1>Hello</h1><p>Text</p>"
            ),
            "{view}"
        );
        assert!(view.len() <= 600 && view.ends_with("</html>"), "{view}");
    }

    #[test]
    fn hidden_content_of_a_long_page_is_not_shown() {
        let script = format!("<script>{}</script>", "if (a < b) { x(); }\n".repeat(100_000));
        let prose = "<p>Some text.</p>\n".repeat(60_000);
        let page = format!("<html><head>{script}</head><body><h1>Hello</h1>{prose}{script}</body></html>");
        let view = html(&page, 1_000);
        assert!(
            view.starts_with(
                "<html><head><script>... [truncated 2 MB] ...</script></head><body><h1>Hello</h1><p>"
            ),
            "{view}"
        );
        assert!(
            view.ends_with("<p>Some text.</p>\n<script>... [truncated 2 MB] ...</script></body></html>"),
            "{view}"
        );
        assert!(view.contains("\n... [truncated 1 MB; head and tail preserved] ...\n"), "{view}");
        let head = "<meta name=\"a\" content=\"b\">\n".repeat(100_000);
        let view = html(&format!("<html><head>{head}</head><body>{}</body></html>", &prose[..50_000]), 1_000);
        assert!(view.starts_with("... [truncated 2.8 MB] ...\n<body><p>"), "{view}");
        assert!(view.contains("\n... [truncated 49.1 KB; head and tail preserved] ...\n"), "{view}");
    }

    proptest! {
        #[test]
        fn views_are_bounded(
            text in "(<p>|</p>|<script>|</script>|[a-zé ]{0,30}|<title>|<body>|<!--|\n|<a b=\"|<svg c='|é{300}|['\">]){1,120}", max in 1usize..900,
        ) {
            prop_assume!(text.len() > max);
            for view in [xml(&text, max), html(&text, max)] {
                prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
                prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
            }
        }
    }
}
