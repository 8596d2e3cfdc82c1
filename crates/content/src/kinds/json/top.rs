//! The values at the top of a record: what answers of APIs and reports of runs say about themselves.

use std::rc::Rc;

use tuckaway_json::spans::{Child, Spans};
use tuckaway_json::summary::Summary;
use tuckaway_json::unescape::unescape;
use tuckaway_text::cut;

/// Maximum values that are shown, and bytes of each string.
const MOST_VALUES: usize = 24;
const STRING_BYTES: usize = 40;
/// Keys that say that there is more, with a value that is true or a place to continue from.
const MORE: &[&str] = &[
    "has_more",
    "hasMore",
    "has_next",
    "hasNext",
    "hasNextPage",
    "is_truncated",
    "IsTruncated",
    "truncated",
    "incomplete_results",
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "NextToken",
];
/// Keys of the number of all elements, which says something only if the record is a page of them.
const TOTALS: &[&str] = &["total", "total_count", "totalCount", "total_results", "totalResults", "count"];
/// Keys that pages have.
const PAGES: &[&str] = &[
    "page",
    "pages",
    "per_page",
    "page_size",
    "pageSize",
    "limit",
    "offset",
    "next",
    "next_cursor",
    "nextCursor",
    "total_pages",
    "totalPages",
];

/// The values at the top of a record.
#[derive(Default)]
pub struct Top {
    /// The scalars that are shown, by key.
    pub values: Vec<(String, String)>,
    /// The sign that the source has more than the record, if there is one.
    pub incomplete: Option<String>,
}

impl Top {
    /// Returns the values of a record whose values are at these places.
    pub fn of(bytes: &[u8], spans: &Spans, summary: &Rc<Summary>) -> Self {
        let root = summary.node(Summary::ROOT);
        let [Child { value, .. }] = spans.documents() else { return Top::default() };
        let Ok(text) = std::str::from_utf8(bytes) else { return Top::default() };
        if root.objects.count != 1 || root.values.is_some() || summary.documents != 1 {
            return Top::default();
        }
        let children = spans.children(text, *value);
        let all: Vec<(String, &str)> = children.iter().filter_map(|child| scalar(text, child)).collect();
        let mut arrays = root.members.iter().map(|member| summary.node(member.node).arrays);
        let only_array = arrays.clone().filter(|arrays| arrays.count > 0).count() == 1;
        let is_page = only_array && root.members.iter().any(|member| PAGES.contains(&&*member.key));
        let elements = arrays.find(|arrays| arrays.count > 0).filter(|_| is_page).map(|arrays| arrays.max);
        let incomplete = all.iter().find_map(|(key, value)| sign(key, value, elements));
        let shown = all.into_iter().filter(|(_, value)| is_short(value));
        let values: Vec<(String, String)> =
            shown.map(|(key, value)| (key, value.trim_matches('"').to_owned())).collect();
        Top { values: if values.len() <= MOST_VALUES { values } else { Vec::new() }, incomplete }
    }
}

/// Returns the key and the value of a scalar that is not null.
fn scalar<'t>(text: &'t str, child: &Child) -> Option<(String, &'t str)> {
    let key = &text[child.key?.range()];
    let value = &text[child.value.range()];
    let is_scalar = !matches!(value.as_bytes()[0], b'{' | b'[' | b'n');
    is_scalar.then(|| (unescape(&key.as_bytes()[1..key.len() - 1]).into_owned(), value))
}

fn is_short(value: &str) -> bool {
    match value.as_bytes()[0] {
        b'"' => (3..=STRING_BYTES + 2).contains(&value.len()) && !value.contains('\\'),
        _ => value.len() <= STRING_BYTES,
    }
}

/// Returns what a value says about the rest of its source, if that has more.
fn sign(key: &str, value: &str, elements: Option<u64>) -> Option<String> {
    let is_more = MORE.contains(&key) || key == "next" && value.starts_with("\"http");
    if is_more && !matches!(value, "false" | "0" | "\"\"") {
        let start = &value[..value.floor_char_boundary(4 * STRING_BYTES)];
        let shown = cut::excerpt(start.trim_matches('"').replace("\\/", "/"), STRING_BYTES);
        return Some(format!("incomplete: {key} is {shown}"));
    }
    let total: u64 = value.parse().ok().filter(|_| TOTALS.contains(&key))?;
    elements.filter(|&elements| elements < total).map(|elements| format!("incomplete: {elements} of {total}"))
}
