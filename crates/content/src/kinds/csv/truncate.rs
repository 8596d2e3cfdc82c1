//! Truncates a table: keeps its header and rows at both ends.

use super::cells::Cells;
use tuckaway_search::find;
use tuckaway_text::fair;

use super::dialect::Dialect;
use crate::truncate::select::shortened;
use crate::truncate::{self, WIDEST_SIZE};
use crate::wording;

/// Minimum bytes that a row is cut to.
const MIN_ROW: usize = 64;
/// The longest row whose start is searched for.
const MAX_ROW: usize = 1 << 20;

/// Truncates a table to `max` bytes: keeps the header and whole rows at both ends, with a
/// notice on a line between them; or else parts of the first and the last row; or else the
/// header and rows of the head. Cuts anything else as plain text.
pub fn truncate(text: &str, max: usize) -> String {
    Dialect::of(text.as_bytes())
        .and_then(|dialect| {
            rows(text, &dialect, max)
                .or_else(|| parts_of_rows(text, &dialect, max))
                .or_else(|| first_rows(text, &dialect, max))
        })
        .unwrap_or_else(|| truncate::text::cut(text, max))
}

fn rows(text: &str, dialect: &Dialect, max: usize) -> Option<String> {
    let space = max.checked_sub(wording::truncated(WIDEST_SIZE).len() + "\n".len())?;
    // Rows at the start get half of the space. The header and one row may take more.
    let head = &text[..head_end(text, dialect, space - space / 4, space - space / 2)?];
    let tail = &text[tail_start(text, space.checked_sub(head.len())?)..];
    let kept = head.len() + tail.len();
    // If whole rows use less than half of the space, parts of rows use it better.
    if tail.is_empty() || kept >= text.len() || kept < space / 2 {
        return None;
    }
    let notice = wording::truncated(text.len() - kept);
    Some([head, &notice, "\n", tail].concat())
}

/// Returns the header, the first row and the last, each a line, and long ones in part.
fn parts_of_rows(text: &str, dialect: &Dialect, max: usize) -> Option<String> {
    let mut cells = Cells::new(text.as_bytes(), dialect.start, dialect.delimiter);
    let (mut lines, mut end) = (Vec::new(), 0);
    for _ in 0..min_records(dialect) {
        cells.find(|cell| cell.is_last)?;
        lines.push(&text[end..cells.offset()]);
        end = cells.offset();
    }
    let last = last_row(text).filter(|&last| last >= end)?;
    let notice = if last > end { wording::truncated(last - end) + "\n" } else { String::new() };
    lines.push(&text[last..]);
    lines.iter_mut().for_each(|line| *line = line.trim_end_matches(['\r', '\n']));
    let space = max.checked_sub(notice.len() + lines.len())?;
    let share = fair::share_of_bytes(lines.iter().map(|line| line.len()), space);
    if share < MIN_ROW {
        return None;
    }
    let mut view = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index + 1 == lines.len() {
            view += &notice;
        }
        match line.len() <= share {
            true => view += line,
            false => view += &shortened(line, share),
        }
        view.push('\n');
    }
    Some(view)
}

/// Returns the header, as many rows as fit, and at the end a notice of the omitted ones.
fn first_rows(text: &str, dialect: &Dialect, max: usize) -> Option<String> {
    let space = max.checked_sub(wording::truncated_inside(WIDEST_SIZE).len() + "\n".len())?;
    let head = &text[..head_end(text, dialect, space, space)?];
    Some(format!("{head}{}\n", wording::truncated_inside(text.len() - head.len())))
}

/// Returns the minimum number of records in a head: the header and a row.
fn min_records(dialect: &Dialect) -> usize {
    1 + usize::from(dialect.has_header)
}

/// Returns where the rows of the head end: the header and a row within `most` bytes, the
/// rows after them within `space`.
fn head_end(text: &str, dialect: &Dialect, most: usize, space: usize) -> Option<usize> {
    let window = &text.as_bytes()[..text.len().min(most + 1)];
    let mut cells = Cells::new(window, dialect.start, dialect.delimiter);
    let min_records = min_records(dialect);
    let (mut end, mut records) = (0, 0);
    while let Some(cell) = cells.next() {
        if !cell.is_last {
            continue;
        }
        let here = cells.offset();
        let limit = if records < min_records { most } else { space };
        // The window may end within a record, and a quote may be closed behind it.
        if here > limit || here >= window.len() || !cells.knows_quotes() {
            break;
        }
        (end, records) = (here, records + 1);
    }
    (records >= min_records).then_some(end)
}

/// Returns where the last row begins: the last line that is not within quotes.
fn last_row(text: &str) -> Option<usize> {
    let bytes = text.trim_end_matches(['\r', '\n']).as_bytes();
    let (mut end, mut quotes) = (bytes.len(), 0);
    while let Some(feed) = find::last_byte(b'\n', &bytes[..end]).filter(|feed| bytes.len() - feed <= MAX_ROW)
    {
        quotes += find::count(b'"', &bytes[feed..end]);
        if quotes.is_multiple_of(2) {
            return Some(feed + 1);
        }
        end = feed;
    }
    None
}

/// Returns where the rows of the tail begin: a line that is not within quotes.
fn tail_start(text: &str, space: usize) -> usize {
    let bytes = text.as_bytes();
    let from = text.len().saturating_sub(space);
    let mut quotes = find::count(b'"', &bytes[from..]);
    let mut start = from;
    // If there is a line feed before `from`, a line begins there.
    for feed in (from > 0 && bytes[from - 1] == b'\n')
        .then(|| from - 1)
        .into_iter()
        .chain(find::texts(b"\n", &bytes[from..]).map(|feed| from + feed))
    {
        let next = feed + 1;
        quotes -= find::count(b'"', &bytes[start..next.max(start)]);
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
        let view = truncate(&format!("id,name,score\n{rows}"), 300);
        assert!(view.starts_with("id,name,score\n1,name 1,1.5\n"), "{view}");
        assert!(view.ends_with("\n1000,name 1000,6.5\n"), "{view}");
        assert!(view.contains(".5\n... [truncated 16.5 KB; head and tail preserved] ...\n"), "{view}");
    }

    #[test]
    fn a_row_of_several_lines_is_kept_as_a_whole() {
        let rows: String = (1..=100).map(|n| format!("{n},\"first, line\nsecond line\",{n}\n")).collect();
        for max in 150..600 {
            let view = truncate(&format!("id,text,n\n{rows}"), max);
            assert!(view.len() <= max);
            let (head, tail) = view.split_once("... [truncated").unwrap();
            assert_eq!(head.matches('"').count() % 2, 0, "{max}: {view}");
            assert_eq!(tail.matches('"').count() % 2, 0, "{max}: {view}");
            assert!(view.ends_with("second line\",100\n"), "{view}");
        }
    }

    #[test]
    fn rows_that_are_cut_stay_lines() {
        let long = |n: usize| format!("{n}\t{}\t{}\n", "word ".repeat(400), n + 4);
        let two = format!("id\ttext\tn\n{}{}", long(1), long(2));
        let many = format!("id\ttext\tn\n{}", (1..30).map(long).collect::<String>());
        for (text, last, notices) in [(two, "2", 0), (many, "29", 1)] {
            for max in 260..900 {
                let view = truncate(&text, max);
                let lines: Vec<&str> = view.lines().collect();
                assert!(view.len() <= max, "{view}");
                assert_eq!(lines.len(), 3 + notices, "{view}");
                assert_eq!(lines[0], "id\ttext\tn");
                assert!(lines[1].starts_with("1\tword ") && lines[1].ends_with(" \t5"), "{view}");
                let end = lines[2 + notices];
                assert!(end.starts_with(&format!("{last}\tword ")) && end.contains(" [truncated "), "{view}");
            }
        }
    }

    #[test]
    fn the_notice_names_a_tail_only_if_there_is_one() {
        let rows: String = (1..=1_000).map(|n| format!("{n},name {n},{}.5\n", n % 7)).collect();
        for max in 60..300 {
            let view = truncate(&format!("id,name,score\n{rows}"), max);
            assert!(view.len() <= max && view.starts_with("id,name,score\n1,name 1,1.5\n"), "{max}: {view}");
            assert_eq!(
                view.contains("head and tail preserved"),
                view.ends_with("\n1000,name 1000,6.5\n"),
                "{view}"
            );
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
            let view = truncate(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}", view.len());
            prop_assert!(!view.is_empty());
        }
    }
}
