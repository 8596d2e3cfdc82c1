//! Truncates by priority: keeps as many lines as fit, with notices in the gaps.

use std::ops::Range;

use tuckaway_text::count_lines;
use tuckaway_text::cut::{head, tail};
use tuckaway_text::order;

use super::lines::{Line, Priority};
use super::{WIDEST_SIZE, text as plain};
use crate::wording;

/// With fewer bytes than this a text is truncated without regard to its lines.
const MIN_BYTES: usize = 160;
/// Maximum bytes that are shown of one line.
const MAX_LINE_BYTES: usize = 600;
/// Lines of one rank that may fail to fit before the next rank is tried.
const MISSES: usize = 16;
/// A run of this few foldable lines is not folded.
const SHORT_RUN: usize = 3;
/// A gap of at most this many lines is closed if they take no more bytes than its notice.
const MAX_CLOSED_GAP: usize = 8;

/// Renders as many lines as fit into `max` bytes, with a notice in each gap.
///
/// The last line is kept first, then lines by rank; then both ends grow towards the
/// middle.
pub fn render(text: &str, lines: &[Line], max: usize) -> String {
    if max < MIN_BYTES || lines.len() < 2 {
        return plain::cut(text, max);
    }
    let mut selection = Selection::new(text, lines, max);
    selection.take_last();
    selection.take_ranks(max / 4);
    selection.grow();
    selection.close_small_gaps();
    // Lines too long to be shown together: the ends of the text say more than one line.
    if selection.kept.iter().filter(|kept| **kept).count() < 2 {
        return plain::cut(text, max);
    }
    selection.render()
}

/// Shortens a long line to `max` bytes: its head and its tail around a notice; the head
/// is longer.
pub fn shortened(line: &str, max: usize) -> String {
    match max.checked_sub(wording::truncated_inside(WIDEST_SIZE).len() + 16) {
        Some(available) => {
            let head = head(line, available * 2 / 3 + 8);
            let tail = tail(&line[head.len()..], available / 3);
            [head, &wording::truncated_inside(line.len() - head.len() - tail.len()), tail].concat()
        }
        None => head(line, max).to_owned(),
    }
}

/// An end of the text.
#[derive(Clone, Copy)]
enum End {
    Head,
    Tail,
}

/// The lines that are kept, and the bytes left for more.
struct Selection<'t> {
    text: &'t str,
    lines: &'t [Line],
    kept: Vec<bool>,
    /// Bytes that are left, less the notices of all gaps.
    available: isize,
    /// Maximum bytes that the notice of a gap takes.
    gap_bytes: isize,
    /// Maximum bytes that a line takes.
    max_line_bytes: usize,
}

impl<'t> Selection<'t> {
    fn new(text: &'t str, lines: &'t [Line], max: usize) -> Self {
        // No notice counts more lines than there are bytes.
        let lines_notice = wording::omitted_lines(text.len() as u64);
        let frames_notice = wording::omitted_frames(lines.len());
        let gap_bytes = (lines_notice.len().max(frames_notice.len()) + "\n".len()) as isize;
        Selection {
            text,
            lines,
            kept: vec![false; lines.len()],
            available: max as isize - gap_bytes,
            gap_bytes,
            max_line_bytes: (max / 3).min(MAX_LINE_BYTES),
        }
    }

    /// Returns the bytes that a line takes.
    fn cost(&self, index: usize) -> isize {
        let line = &self.lines[index];
        // A line feed is added to a line that is shortened or has none.
        (line.end - line.start).min(self.max_line_bytes) as isize + 1
    }

    /// Returns the lines that are kept or omitted together with one.
    fn joined(&self, index: usize) -> Range<usize> {
        let is_joined = |index: &usize| self.lines.get(*index).is_some_and(|line| line.is_joined);
        let start = (0..=index).rev().find(|index| !is_joined(index)).unwrap_or(0);
        start..index + 1 + (index + 1..).take_while(is_joined).count()
    }

    /// Returns the change in the number of gaps if lines are kept.
    fn added_gaps(&self, lines: &Range<usize>) -> isize {
        let is_omitted =
            |index: Option<usize>| index.and_then(|i| self.kept.get(i)).is_some_and(|kept| !kept);
        isize::from(is_omitted(lines.start.checked_sub(1))) + isize::from(is_omitted(Some(lines.end))) - 1
    }

    /// Keeps a line, and those that it is joined to or depends on, if `spare` bytes are
    /// left then. Returns whether the line is kept.
    fn take(&mut self, index: usize, spare: isize) -> bool {
        if self.kept[index] {
            return true;
        }
        if self.lines[index].priority == Priority::Unseen {
            return false;
        }
        let lines = self.joined(index);
        let bytes: isize = lines.clone().map(|index| self.cost(index)).sum();
        // Without this line, the one that it depends on is not taken.
        let spare_of_other = spare + bytes + self.gap_bytes;
        if self.lines[index].depends_on.is_some_and(|other| !self.take(other, spare_of_other)) {
            return false;
        }
        let cost = bytes + self.gap_bytes * self.added_gaps(&lines);
        let fits = cost + spare <= self.available;
        if fits {
            self.available -= cost;
            self.kept[lines].fill(true);
        }
        fits
    }

    /// Keeps the last line that is not blank.
    fn take_last(&mut self) {
        let last = self.lines.iter().rposition(|line| !line.text(self.text).trim().is_empty());
        if let Some(last) = last {
            self.take(last, 0);
        }
    }

    /// Keeps lines of each rank, two from the front for one from the back, as the first
    /// error is mostly the cause. Leaves `spare` bytes for both ends.
    fn take_ranks(&mut self, spare: usize) {
        let mut ranked: Vec<(u8, usize)> = self
            .lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| match line.priority {
                Priority::Rank(rank) if !line.is_joined => Some((rank, index)),
                _ => None,
            })
            .collect();
        order::sort(&mut ranked);
        for rank in ranked.chunk_by(|a, b| a.0 == b.0) {
            let (mut first, mut last, mut misses) = (0, rank.len(), 0);
            while first < last && misses < MISSES {
                let from_front = first < 2 * (rank.len() - last + 1);
                let index = if from_front { rank[first].1 } else { rank[last - 1].1 };
                if from_front {
                    first += 1;
                } else {
                    last -= 1;
                }
                misses += usize::from(!self.take(index, spare as isize));
            }
        }
    }

    /// Keeps the tail and then the head, as far as they fit, across runs of lines that
    /// may be folded.
    fn grow(&mut self) {
        let for_head = self.available / 3;
        self.grow_from(End::Tail, for_head);
        self.grow_from(End::Head, 0);
    }

    fn grow_from(&mut self, end: End, spare: isize) {
        let count = self.lines.len();
        let index = |step: usize| match end {
            End::Head => step,
            End::Tail => count - 1 - step,
        };
        let mut step = 0;
        while step < count {
            let mut next = step;
            while next < count && self.lines[index(next)].priority == Priority::Foldable {
                next += 1;
            }
            if next - step > SHORT_RUN {
                // With the blank lines after it: they separate nothing from a gap.
                while next < count && self.lines[index(next)].is_blank(self.text) {
                    next += 1;
                }
                step = next;
                continue;
            }
            if !self.take(index(step), spare) {
                return;
            }
            step += 1;
        }
    }

    /// Keeps the lines of each gap that takes no less than its notice.
    fn close_small_gaps(&mut self) {
        let mut index = 0;
        while index < self.lines.len() {
            let run = self.kept[index..].iter().take_while(|kept| !**kept).count();
            let bytes: isize = (index..index + run.min(MAX_CLOSED_GAP)).map(|index| self.cost(index)).sum();
            let has_unseen =
                self.lines[index..index + run].iter().any(|line| line.priority == Priority::Unseen);
            if run > 0
                && run <= MAX_CLOSED_GAP
                && !has_unseen
                && bytes <= self.available + self.gap_bytes
                && (run == 1 || bytes <= self.gap_bytes)
            {
                self.kept[index..index + run].fill(true);
                self.available += self.gap_bytes - bytes;
            }
            index += run + 1;
        }
    }

    fn render(&self) -> String {
        let mut out = String::new();
        let mut index = 0;
        while index < self.lines.len() {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            if self.kept[index] {
                self.push_line(&self.lines[index], &mut out);
                index += 1;
                continue;
            }
            let run = self.kept[index..].iter().take_while(|kept| !**kept).count();
            out.push_str(&self.notice(&self.lines[index..index + run]));
            index += run;
        }
        out
    }

    fn push_line(&self, line: &Line, out: &mut String) {
        let whole = &self.text[line.start..line.end];
        match whole.len() <= self.max_line_bytes {
            true => out.push_str(whole),
            false => out.push_str(&shortened(line.text(self.text), self.max_line_bytes)),
        }
    }

    /// Returns the notice that replaces lines.
    fn notice(&self, lines: &[Line]) -> String {
        let has_text = |line: &&Line| !line.is_blank(self.text);
        let frames: Option<usize> = lines.iter().filter(has_text).map(|line| line.frames).sum();
        if let Some(frames @ 1..) = frames {
            return wording::omitted_frames(frames);
        }
        let omitted = &self.text[lines[0].start..lines[lines.len() - 1].end];
        wording::omitted_lines(count_lines(omitted.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::truncate::lines::{Middle, split_lines};

    #[test]
    fn errors_between_the_inspected_ends_are_kept() {
        let mut text = "nothing to see in this line\n".repeat(200_000);
        text.insert_str(text.len() / 2 / 28 * 28, "error: the one that matters\n");
        let lines = split_lines(&text, 600, &mut Middle::default());
        assert!(lines.len() < 130_000);
        let view = render(&text, &lines, 600);
        assert!(view.contains("omitted] ...\nerror: the one that matters\n... ["), "{view}");
        assert!(view.len() <= 600);
    }

    #[test]
    fn a_line_that_depends_on_another_is_kept_only_with_it() {
        let mut text: String =
            (0..40).map(|n| format!("error {n} {}\n  why {n}\n", "x".repeat(60))).collect();
        text += "that was all\n";
        let mut lines = split_lines(&text, 600, &mut Middle::default());
        for index in (0..80).step_by(2) {
            lines[index + 1].depends_on = Some(index);
            lines[index + 1].priority = Priority::Rank(1);
        }
        for max in 200..2_000 {
            let view = render(&text, &lines, max);
            for (before, why) in view.lines().zip(view.lines().skip(1)) {
                let number = why.strip_prefix("  why ");
                assert!(
                    number.is_none_or(|number| before.contains(&format!("error {number} "))),
                    "{max}: {view}"
                );
            }
            assert!(max < 300 || view.contains("  why 0\n"), "{max}: {view}");
        }
    }

    proptest! {
        #[test]
        fn views_are_bounded_and_made_of_lines(
            lines_of in proptest::collection::vec(("[a-zé👩🏽\u{200d}]{0,30}|\\PC{0,900}", 0u8..9), 1..200),
            feed in any::<bool>(),
            max in 1usize..3_000,
        ) {
            let mut text: String = lines_of.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n");
            if feed {
                text.push('\n');
            }
            prop_assume!(text.len() > max);
            let mut lines = split_lines(&text, max, &mut Middle::default());
            for (index, (line, (_, form))) in lines.iter_mut().zip(&lines_of).enumerate() {
                line.depends_on = index.checked_sub(3).filter(|_| form % 3 == 0);
                line.frames = form.checked_sub(4).map(usize::from);
                line.is_joined = *form == 8;
                line.priority = match form {
                    0..=2 => Priority::Rank(*form),
                    3..=5 => Priority::Foldable,
                    _ => Priority::Plain,
                };
            }
            let view = render(&text, &lines, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
