//! Cutting a table: its header, then rows from both ends.

use memchr::memchr_iter;

use super::cells::Cells;
use super::dialect::Dialect;
use crate::{truncate, wording};

/// The size that takes the most room in a notice.
const WIDEST_SIZE: usize = 999;

/// The header, whole rows from both ends, and a notice on a line between them. A
/// table whose rows are too long for that is cut as any text.
pub fn cut(text: &str, max: usize) -> String {
    rows(text, max).unwrap_or_else(|| truncate::text::cut(text, max))
}

fn rows(text: &str, max: usize) -> Option<String> {
    let dialect = Dialect::of(text.as_bytes())?;
    let room = max.checked_sub(wording::truncated(WIDEST_SIZE).len() + "\n".len())?;
    let head = &text[..head_end(text, &dialect, room)?];
    let tail = &text[tail_start(text, room.checked_sub(head.len())?)..];
    let kept = head.len() + tail.len();
    // Half of the room is better used by parts of rows.
    if kept >= text.len() || kept < room / 2 {
        return None;
    }
    let notice = wording::truncated(text.len() - kept);
    Some([head, &notice, "\n", tail].concat())
}

/// Where the rows end that are kept of the head: in half of the room, or in more
/// where the header and a row take it.
fn head_end(text: &str, dialect: &Dialect, room: usize) -> Option<usize> {
    let most = room - room / 4;
    let window = &text.as_bytes()[..text.len().min(room + 1)];
    let mut cells = Cells::new(window, dialect.start, dialect.delimiter);
    let least = 1 + usize::from(dialect.has_header);
    let (mut end, mut records) = (None, 0);
    while let Some(cell) = cells.next() {
        if !cell.is_last {
            continue;
        }
        let here = cells.offset();
        let fits = if records < least { here <= most } else { here <= room - room / 2 };
        // What the window's end cuts is no record, nor is what follows a quote that
        // is closed behind it.
        if !fits || here >= window.len() || !cells.knows_quotes() {
            break;
        }
        (end, records) = (Some(here), records + 1);
    }
    end
}

/// Where the rows begin that are kept of the tail: a line that is not within quotes.
fn tail_start(text: &str, room: usize) -> usize {
    let bytes = text.as_bytes();
    let from = text.len().saturating_sub(room);
    let mut quotes = memchr_iter(b'"', &bytes[from..]).count();
    let mut start = from;
    // The line feed before `from` makes it a start.
    for feed in (from > 0 && bytes[from - 1] == b'\n')
        .then(|| from - 1)
        .into_iter()
        .chain(memchr_iter(b'\n', &bytes[from..]).map(|feed| from + feed))
    {
        let next = feed + 1;
        quotes -= memchr_iter(b'"', &bytes[start..next.max(start)]).count();
        start = next.max(start);
        if quotes.is_multiple_of(2) {
            return next;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_header_and_rows_from_both_ends_are_kept() {
        let rows: String = (1..=1_000).map(|n| format!("{n},name {n},{}.5\n", n % 7)).collect();
        let view = cut(&format!("id,name,score\n{rows}"), 300);
        assert!(view.starts_with("id,name,score\n1,name 1,1.5\n"), "{view}");
        assert!(view.ends_with("\n1000,name 1000,6.5\n"), "{view}");
        assert!(view.contains(".5\n... [truncated 16.5 KB; head and tail preserved] ...\n"), "{view}");
    }

    #[test]
    fn a_row_of_several_lines_is_whole_or_not_there() {
        let rows: String = (1..=100).map(|n| format!("{n},\"first, line\nsecond line\",{n}\n")).collect();
        for max in 150..600 {
            let view = cut(&format!("id,text,n\n{rows}"), max);
            assert!(view.len() <= max);
            let (head, tail) = view.split_once("... [truncated").unwrap();
            assert_eq!(head.matches('"').count() % 2, 0, "{max}: {view}");
            assert_eq!(tail.matches('"').count() % 2, 0, "{max}: {view}");
            assert!(view.ends_with("second line\",100\n"), "{view}");
        }
    }

    proptest! {
        #[test]
        fn views_are_bounded(
            rows in proptest::collection::vec("[a-zé\",👩🏽\u{200d}]{0,30}|\"[a-z\n,]{0,40}\"|[0-9]{1,3},[a-z]{1,90}", 2..200),
            max in 1usize..1_500,
        ) {
            let text = format!("id,name\n{}", rows.join("\n"));
            prop_assume!(text.len() > max);
            let view = cut(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}", view.len());
            prop_assert!(!view.is_empty());
        }
    }
}
