//! Finds a printed table in the head of a text.

use tuckaway_search::{LineSpan, LineSpans, find};

use super::layout::{Layout, Line};
use super::rows::Rows;

/// Bytes of the head that are inspected.
const HEAD_BYTES: usize = 32 << 10;
/// Maximum lines before a table: `top` prints a summary.
const MAX_LEAD: usize = 10;
/// Maximum lines before the table of an unknown program, such as a title.
const MAX_TITLE: usize = 2;
/// Maximum lines after a few rows, such as their number.
const MAX_FOOTER: u64 = 3;

/// Returns the layout in which most of a text's head is a table; none if that is not certain.
pub fn layout(bytes: &[u8]) -> Option<Layout> {
    let head = match bytes.get(..HEAD_BYTES) {
        Some(head) => &head[..=find::last_byte(b'\n', head)?],
        None => bytes,
    };
    let spans: Vec<LineSpan> = LineSpans::of(head).collect();
    let lines: Vec<&[u8]> = spans.iter().map(|span| span.line.trim_ascii_end()).collect();
    let mut lead = 0;
    for at in 0..lines.len().min(MAX_LEAD) {
        let starts = |lines: usize| spans.get(at + lines).map_or(head.len(), |span| span.start);
        if let Some(layout) = Layout::at(&lines[at..], starts).filter(|layout| fits(layout, head, lead)) {
            return Some(layout);
        }
        lead += usize::from(!lines[at].is_empty());
    }
    None
}

/// Returns whether the rest of the head is rows, except for a few lines before and after them.
fn fits(layout: &Layout, head: &[u8], lead: usize) -> bool {
    let mut rows = Rows::of(head, layout);
    let mut count = 0;
    while let Some(line) = rows.next() {
        count += u64::from(line == Line::Row);
    }
    let most_lead = if layout.program.is_some() { MAX_LEAD } else { MAX_TITLE };
    count > 0 && lead <= most_lead && rows.others <= MAX_FOOTER.max(count / 10)
}
