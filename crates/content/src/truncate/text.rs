//! Truncates text without regard to its kind: head, notice and tail.

use super::WIDEST_SIZE;
use crate::line::error::{self, ErrorLine, MAX_SHOWN_BYTES};
use crate::wording;
use tuckaway_text::cut::{head, tail};

/// Minimum bytes for lines that look like errors, with their notice: they get a quarter
/// of the view, but enough for the one that matters.
const MIN_ERROR_BYTES: usize = 256;
/// A shorter excerpt of a line says nothing.
const MIN_EXCERPT_BYTES: usize = 32;

/// Cuts a text that is longer than `max` bytes to head, notice and tail. Of the middle,
/// lines that look like errors are kept.
pub fn cut(text: &str, max: usize) -> String {
    cut_at(text, max, ends)
}

/// Cuts a text like [`cut`], with the head and the tail that `ends` returns for at most
/// this many bytes.
pub fn cut_at(text: &str, max: usize, ends: fn(&str, usize) -> (&str, &str)) -> String {
    let widest_notice = wording::truncated(WIDEST_SIZE).len() + "\n\n".len();
    if max < 2 * widest_notice {
        return head(text, max).to_owned();
    }
    // Some bytes are reserved for errors in the middle; without any, head and tail get
    // them as well.
    let reserved = (max / 4).max(MIN_ERROR_BYTES.min(max * 5 / 8));
    let (narrow_head, narrow_tail) = ends(text, max - reserved);
    let middle = &text[narrow_head.len()..text.len() - narrow_tail.len()];
    let (lines, all) = error::find(middle);
    if let Some(notice) = keep_errors(middle, &lines, all, reserved.saturating_sub("\n\n".len())) {
        return join(text, narrow_head, &notice, narrow_tail);
    }
    let (head, tail) = ends(text, max - widest_notice);
    let dropped = text.len() - head.len() - tail.len();
    join(text, head, &wording::truncated(dropped), tail)
}

/// Returns the notice and the lines that look like errors, in at most `max` bytes: the
/// first before the last, as the first error is mostly the cause. None if no line fits.
fn keep_errors(middle: &str, lines: &[ErrorLine], all: bool, max: usize) -> Option<String> {
    let notice = |kept| {
        let found = if all { lines.len().to_string() } else { format!("{}+", lines.len()) };
        wording::truncated_but_errors(middle.len(), kept, &found)
    };
    // The notice is shorter if fewer lines are kept.
    let mut left = max.checked_sub(notice(lines.len()).len() + "\n...".len())?;
    let (mut first, mut last) = (0, lines.len());
    // The first line is cut to what fits; others fit or are omitted.
    let first_max = left.saturating_sub(1).min(MAX_SHOWN_BYTES);
    let shown = |index: usize| {
        let max = if index == 0 { first_max } else { MAX_SHOWN_BYTES };
        lines[index].shown(middle, max)
    };
    if first_max < MIN_EXCERPT_BYTES {
        return None;
    }
    while first < last {
        // Two from the front for one from the back.
        let from_front = first < 2 * (lines.len() - last + 1);
        let index = if from_front { first } else { last - 1 };
        let Some(less) = left.checked_sub(shown(index).len() + 1) else { break };
        left = less;
        if from_front {
            first += 1;
        } else {
            last -= 1;
        }
    }
    let kept = first + lines.len() - last;
    if kept == 0 {
        return None;
    }
    let mut text = notice(kept);
    for index in (0..first).chain(last..lines.len()) {
        text.push('\n');
        text.push_str(shown(index));
    }
    Some(text + "\n...")
}

/// Returns head and tail of together at most `max` bytes, half each: whole lines if they
/// make up at least half of that.
pub fn ends(text: &str, max: usize) -> (&str, &str) {
    let mut head = head(text, max - max / 2);
    if let Some(feed) = head.rfind('\n').filter(|&feed| feed >= head.len() / 2) {
        head = &head[..=feed];
    }
    let rest = &text[head.len()..];
    let mut tail = tail(rest, max - head.len().max(max - max / 2));
    let starts_a_line = text[..text.len() - tail.len()].ends_with('\n');
    if !starts_a_line && let Some(feed) = tail.find('\n').filter(|&feed| feed < tail.len() / 2) {
        tail = &tail[feed + 1..];
    }
    (head, tail)
}

/// Characters that set the direction of the text after them, up to the end of the line.
const DIRECTIONS: [char; 7] =
    ['\u{202A}', '\u{202B}', '\u{202D}', '\u{202E}', '\u{2066}', '\u{2067}', '\u{2068}'];

/// Joins head, notice and tail. The notice has a line of its own, unless head and tail
/// are parts of one line in which no character can reverse the notice.
fn join(text: &str, head: &str, notice: &str, tail: &str) -> String {
    let dropped = &text[head.len()..text.len() - tail.len()];
    let within_a_line = !head.ends_with('\n') && !dropped.contains('\n') && !notice.contains('\n');
    let within_a_line = within_a_line && !head.lines().last().is_some_and(|line| line.contains(DIRECTIONS));
    if within_a_line {
        return [head, notice, tail].concat();
    }
    let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    [head, before, notice, "\n", tail].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_lines_are_kept_where_they_fit() {
        let text: String = (1..=1_000).map(|i| format!("line {i}\n")).collect();
        let view = cut(&text, 512);
        assert!(view.starts_with("line 1\nline 2\n"));
        assert!(view.ends_with("line 999\nline 1000\n"));
        assert!(view.contains("\n... [truncated 8.4 KB; head and tail preserved] ...\nline "), "{view}");
        assert!(view.len() <= 512 && view.len() > 480);
    }

    #[test]
    fn one_long_line_is_cut_in_its_middle() {
        let text = format!("start{}end\n", "x".repeat(100_000));
        let view = cut(&text, 512);
        assert!(view.starts_with("startxxx") && view.ends_with("xxxend\n"));
        assert!(view.contains("x... [truncated 99.5 KB; head and tail preserved] ...x"), "{view}");
        assert!(view.len() <= 512);
    }

    #[test]
    fn the_direction_of_a_text_ends_before_the_notice() {
        let text = format!("\u{202B}{}\u{202C} end", "שלום ".repeat(1_000));
        let view = cut(&text, 512);
        assert!(view.contains("\n... [truncated 8.5 KB; head and tail preserved] ...\n"), "{view}");
        assert!(view.len() <= 512);
    }

    #[test]
    fn errors_in_the_middle_survive() {
        let mut lines: Vec<String> = (1..=5_000).map(|i| format!("compiling unit {i}")).collect();
        lines[2_000] = "src/main.rs:7: error: cannot find value".into();
        let view = cut(&lines.join("\n"), 1_024);
        assert!(view.contains("and 1 of 1 line that looks like an error:] ...\nsrc/main.rs:7: error: cannot find value\n...\n"), "{view}");
        assert!(view.len() <= 1_024);
    }

    #[test]
    fn an_endless_error_leaves_space_for_the_rest() {
        let text = format!("a\n{}\n", "error ".repeat(10_000));
        assert!(cut(&text, 1_024).len() <= 1_024);
        let text = format!("{}error: cause\n{}", "fine\n".repeat(1_000), "error: follow-up\n".repeat(3_000));
        assert!(cut(&text, 1_024).contains("error: cause\n"));
    }

    proptest! {
        #[test]
        fn views_are_bounded(
            lines in proptest::collection::vec("[a-zé👩🏽\u{200d}]{0,30}|error [a-z]{0,400}", 1..300),
            max in 1usize..3_000,
        ) {
            let text = lines.join("\n");
            prop_assume!(text.len() > max);
            let view = cut(&text, max);
            prop_assert!(view.len() <= max, "{} > {max}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
