//! Cutting by lines that are worth more than others: a room says what each line
//! is worth, and as much stands as there is room for, with notices in the gaps.
//!
//! First the last line, then lines of each rank, then both ends grow towards the
//! middle.

use std::ops::Range;

use tuckaway_search::{Place, Places, find};

use super::{WIDEST_SIZE, text as plain};
use crate::line::error::{self, ErrorLine};
use crate::wording;
use tuckaway_text::count_lines;
use tuckaway_text::cut::{head, tail};

/// Of a text longer than both together, lines are looked at in so much of its
/// head and its tail, or as much as is shown; from between, those that look like
/// errors.
const HEAD_BYTES: usize = 256 << 10;
const TAIL_BYTES: usize = 512 << 10;
/// With less room than this a text is cut without a look at its lines.
const MIN_ROOM: usize = 160;
/// Of a line that is one of many, this much is shown.
const MAX_LINE_BYTES: usize = 600;
/// Lines of one rank that find no room before the next rank is asked.
const MISSES: usize = 16;
/// So few lines are not worth a gap.
const SHORT_RUN: usize = 3;

/// What a line is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The lower, the better; below all others.
    Rank(u8),
    /// As much as its place: what is near an end stands.
    Plain,
    /// What may be folded: the middle of a stack, and what is of use to nobody who
    /// was not there.
    Foldable,
    /// Not a line but what lies between the lines that were looked at.
    Unseen,
}

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    start: usize,
    /// Its line feed counts.
    end: usize,
    /// What it is worth.
    pub worth: Worth,
    /// It is of a stack: how many of its frames it is.
    pub frames: Option<usize>,
    /// It stands where the line before it stands, and nowhere else: few in a row.
    pub is_joined: bool,
    /// It says more of another line, and stands only where that one stands.
    pub head: Option<usize>,
}

impl Line {
    fn new(start: usize, end: usize, worth: Worth) -> Self {
        Line { start, end, worth, frames: None, is_joined: false, head: None }
    }

    /// The line without its end.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        if self.worth == Worth::Unseen {
            return "";
        }
        let line = &text[self.start..self.end];
        line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
    }

    fn is_blank(&self, text: &str) -> bool {
        self.worth != Worth::Unseen && self.text(text).is_empty()
    }
}

/// What was found in the middle of a long text, which is cut again where its
/// escapes take more room than there is.
#[derive(Default)]
pub struct Middle {
    range: Range<usize>,
    errors: Vec<ErrorLine>,
}

impl Middle {
    /// The lines that look like errors in a range of the one text that this is of.
    fn errors(&mut self, text: &str, range: Range<usize>) -> &[ErrorLine] {
        if self.range != range {
            self.errors = error::find(&text[range.clone()]).0;
            self.range = range;
        }
        &self.errors
    }
}

/// The lines of a text that is cut to `max` bytes, all of them plain; of a very long
/// one those near the ends, and those in its middle that look like errors.
pub fn lines(text: &str, max: usize, middle: &mut Middle) -> Vec<Line> {
    let mut lines = Vec::new();
    let (head_bytes, tail_bytes) = (HEAD_BYTES.max(max), TAIL_BYTES.max(max));
    if text.len() / 2 <= head_bytes.max(tail_bytes) {
        push_lines(text, 0, text.len(), &mut lines);
        return lines;
    }
    let bytes = text.as_bytes();
    let head_end = find::last_byte(b'\n', &bytes[..head_bytes]).map_or(0, |feed| feed + 1);
    let tail_from = text.len() - tail_bytes;
    let tail_start = find::byte(b'\n', &bytes[tail_from..]).map_or(text.len(), |feed| tail_from + feed + 1);
    push_lines(text, 0, head_end, &mut lines);
    let mut at = head_end;
    for error in middle.errors(text, head_end..tail_start) {
        let (start, end) = (head_end + error.start, (head_end + error.end + 1).min(tail_start));
        push_unseen(at, start, &mut lines);
        lines.push(Line::new(start, end, Worth::Rank(2)));
        at = end;
    }
    push_unseen(at, tail_start, &mut lines);
    push_lines(text, tail_start, text.len(), &mut lines);
    lines
}

fn push_unseen(start: usize, end: usize, lines: &mut Vec<Line>) {
    if start < end {
        lines.push(Line::new(start, end, Worth::Unseen));
    }
}

fn push_lines(text: &str, from: usize, to: usize, lines: &mut Vec<Line>) {
    let places = Places::of(&text.as_bytes()[from..to]);
    lines.extend(places.map(|Place { start, end, .. }| Line::new(from + start, from + end, Worth::Plain)));
}

/// A number that lines share which say the same about different numbers.
pub fn gist(line: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut in_digits = false;
    for &byte in &line[..line.len().min(200)] {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && in_digits) {
            hash = (hash ^ u64::from(if is_digit { b'0' } else { byte })).wrapping_mul(0x0100_0000_01B3);
        }
        in_digits = is_digit;
    }
    hash
}

/// As many of the lines as there is room for in `max` bytes.
pub fn render(text: &str, lines: &[Line], max: usize) -> String {
    if max < MIN_ROOM || lines.len() < 2 {
        return plain::cut(text, max);
    }
    let mut selection = Selection::new(text, lines, max);
    selection.take_last();
    selection.take_ranks(max / 4);
    selection.grow();
    selection.close_small_gaps();
    // Lines too long to stand beside each other: their ends say more than none.
    if selection.kept.iter().filter(|kept| **kept).count() < 2 {
        return plain::cut(text, max);
    }
    selection.render()
}

/// A line that is too long, in at most `max` bytes: its ends, the first the longer
/// one, and between them what was cut out.
pub fn shortened(line: &str, max: usize) -> String {
    match max.checked_sub(wording::truncated_inside(WIDEST_SIZE).len() + 16) {
        Some(room) => {
            let head = head(line, room * 2 / 3 + 8);
            let tail = tail(&line[head.len()..], room / 3);
            [head, &wording::truncated_inside(line.len() - head.len() - tail.len()), tail].concat()
        }
        None => head(line, max).to_owned(),
    }
}

struct Selection<'t> {
    text: &'t str,
    lines: &'t [Line],
    kept: Vec<bool>,
    /// Bytes that are left, with all gaps that there are paid for.
    room: isize,
    /// What a gap takes at most.
    gap: isize,
    /// What a line takes at most.
    widest: usize,
}

impl<'t> Selection<'t> {
    fn new(text: &'t str, lines: &'t [Line], max: usize) -> Self {
        // No notice counts more lines than there are bytes.
        let gap =
            wording::lines_left_out(text.len() as u64).len().max(wording::frames_left_out(lines.len()).len());
        let gap = gap as isize + 1;
        Selection {
            text,
            lines,
            kept: vec![false; lines.len()],
            room: max as isize - gap,
            gap,
            widest: (max / 3).min(MAX_LINE_BYTES),
        }
    }

    /// What a line takes.
    fn cost(&self, index: usize) -> isize {
        let line = &self.lines[index];
        // A line feed is added to a last line that is cut or has none.
        (line.end - line.start).min(self.widest) as isize + 1
    }

    /// The lines that stand together with one.
    fn joined(&self, index: usize) -> Range<usize> {
        let is_joined = |index: &usize| self.lines.get(*index).is_some_and(|line| line.is_joined);
        let start = (0..=index).rev().find(|index| !is_joined(index)).unwrap_or(0);
        start..index + 1 + (index + 1..).take_while(is_joined).count()
    }

    /// How the number of gaps changes if lines are kept.
    fn gaps_more(&self, lines: &Range<usize>) -> isize {
        let dropped = |index: Option<usize>| index.and_then(|i| self.kept.get(i)).is_some_and(|kept| !kept);
        isize::from(dropped(lines.start.checked_sub(1))) + isize::from(dropped(Some(lines.end))) - 1
    }

    /// Keeps a line, and those that it cannot stand without, if there is room for them
    /// and `spare` bytes beside.
    fn take(&mut self, index: usize, spare: isize) -> bool {
        if self.kept[index] {
            return true;
        }
        if self.lines[index].worth == Worth::Unseen {
            return false;
        }
        let lines = self.joined(index);
        let bytes: isize = lines.clone().map(|index| self.cost(index)).sum();
        // The other one alone is no help.
        let beside = spare + bytes + self.gap;
        if self.lines[index].head.is_some_and(|head| !self.take(head, beside)) {
            return false;
        }
        let cost = bytes + self.gap * self.gaps_more(&lines);
        let fits = cost + spare <= self.room;
        if fits {
            self.room -= cost;
            self.kept[lines].fill(true);
        }
        fits
    }

    fn take_last(&mut self) {
        let last = self.lines.iter().rposition(|line| !line.text(self.text).trim().is_empty());
        if let Some(last) = last {
            self.take(last, 0);
        }
    }

    /// Lines of each rank, two from the front for one from the back, as the first
    /// error is mostly the cause; `spare` bytes are left for both ends.
    fn take_ranks(&mut self, spare: usize) {
        let mut ranked: Vec<(u8, usize)> = self
            .lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| match line.worth {
                Worth::Rank(rank) if !line.is_joined => Some((rank, index)),
                _ => None,
            })
            .collect();
        ranked.sort();
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

    /// The tail and then the head, as far as there is room, over what may be
    /// folded or is only progress.
    fn grow(&mut self) {
        let for_head = self.room / 3;
        self.grow_from(true, for_head);
        self.grow_from(false, 0);
    }

    fn grow_from(&mut self, the_end: bool, spare: isize) {
        let count = self.lines.len();
        let index = |step: usize| if the_end { count - 1 - step } else { step };
        let mut step = 0;
        while step < count {
            let mut behind = step;
            while behind < count && self.lines[index(behind)].worth == Worth::Foldable {
                behind += 1;
            }
            if behind - step > SHORT_RUN {
                // With the blank lines behind: they set nothing off from a gap.
                while behind < count && self.lines[index(behind)].is_blank(self.text) {
                    behind += 1;
                }
                step = behind;
                continue;
            }
            if !self.take(index(step), spare) {
                return;
            }
            step += 1;
        }
    }

    /// A gap that takes no less than what was there is none.
    fn close_small_gaps(&mut self) {
        let mut index = 0;
        while index < self.lines.len() {
            let run = self.kept[index..].iter().take_while(|kept| !**kept).count();
            let bytes: isize = (index..index + run.min(8)).map(|index| self.cost(index)).sum();
            let unseen = self.lines[index..index + run].iter().any(|line| line.worth == Worth::Unseen);
            if run > 0
                && run <= 8
                && !unseen
                && bytes <= self.room + self.gap
                && (run == 1 || bytes <= self.gap)
            {
                self.kept[index..index + run].fill(true);
                self.room += self.gap - bytes;
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
        match whole.len() <= self.widest {
            true => out.push_str(whole),
            false => out.push_str(&shortened(line.text(self.text), self.widest)),
        }
    }

    /// What stands for lines that are left out.
    fn notice(&self, lines: &[Line]) -> String {
        let is_said = |line: &&Line| !line.is_blank(self.text);
        let frames: Option<usize> = lines.iter().filter(is_said).map(|line| line.frames).sum();
        if let Some(frames @ 1..) = frames {
            return wording::frames_left_out(frames);
        }
        let left_out = &self.text[lines[0].start..lines[lines.len() - 1].end];
        wording::lines_left_out(count_lines(left_out.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_longer_than_what_is_looked_at_keeps_its_errors() {
        let mut text = "nothing to see in this line\n".repeat(200_000);
        text.insert_str(text.len() / 2 / 28 * 28, "error: the one that matters\n");
        let lines = lines(&text, 600, &mut Middle::default());
        assert!(lines.len() < 130_000);
        let view = render(&text, &lines, 600);
        assert!(view.contains("left out] ...\nerror: the one that matters\n... ["), "{view}");
        assert!(view.len() <= 600);
    }

    #[test]
    fn lines_that_say_the_same_have_one_gist() {
        assert_eq!(gist(b"row 17 of 203 failed"), gist(b"row 1 of 99999 failed"));
        assert_ne!(gist(b"row 17 failed"), gist(b"rows 17 failed"));
    }

    #[test]
    fn what_says_more_of_a_line_stands_only_where_that_stands() {
        let mut text: String =
            (0..40).map(|n| format!("error {n} {}\n  why {n}\n", "x".repeat(60))).collect();
        text += "that was all\n";
        let mut lines = lines(&text, 600, &mut Middle::default());
        for index in (0..80).step_by(2) {
            lines[index + 1].head = Some(index);
            lines[index + 1].worth = Worth::Rank(1);
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
            let mut lines = lines(&text, max, &mut Middle::default());
            for (index, (line, (_, worth))) in lines.iter_mut().zip(&lines_of).enumerate() {
                line.head = index.checked_sub(3).filter(|_| worth % 3 == 0);
                line.frames = worth.checked_sub(4).map(usize::from);
                line.is_joined = *worth == 8;
                line.worth = match worth {
                    0..=2 => Worth::Rank(*worth),
                    3..=5 => Worth::Foldable,
                    _ => Worth::Plain,
                };
            }
            let view = render(&text, &lines, max);
            prop_assert!(view.len() <= max, "{} > {max}: {view}", view.len());
            prop_assert!(!view.is_empty() || text.chars().next().unwrap().len_utf8() > max);
        }
    }
}
