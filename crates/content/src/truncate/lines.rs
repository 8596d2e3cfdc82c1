//! The lines of a text that is truncated by priority: each kind sets the priorities of
//! its lines, and [`select`](super::select) keeps as many as fit.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tuckaway_json::spans::Spans;
use tuckaway_search::{LineSpan, LineSpans, find};

use crate::kind::Kind;
use crate::line::error::{self, ErrorLine, FoundMarks};

/// Inspected bytes of the head of a text that is longer than both ends together, or as many as are
/// shown.
const HEAD_BYTES: usize = 256 << 10;
/// The same for its tail. Between the ends, only lines that look like errors are
/// inspected.
const TAIL_BYTES: usize = 512 << 10;

/// The priority of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Before all other lines; the lower, the earlier.
    Rank(u8),
    /// By its position: the nearer to an end, the earlier.
    Plain,
    /// The middle of a stack, progress: a run of these is omitted unless it is short.
    Foldable,
    /// Not a line, but the gap between inspected lines.
    Unseen,
}

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub(super) start: usize,
    /// Includes the line feed.
    pub(super) end: usize,
    /// Its priority.
    pub priority: Priority,
    /// The number of frames that begin in it, if it is part of a stack.
    pub frames: Option<usize>,
    /// Whether it is kept if and only if the line before it is: at most a few in a row.
    pub is_joined: bool,
    /// The line that it explains: it is kept only if that line is kept.
    pub depends_on: Option<usize>,
}

impl Line {
    /// Returns a line at these offsets that has no priority yet.
    pub fn plain(start: usize, end: usize) -> Self {
        Line::new(start, end, Priority::Plain)
    }

    fn new(start: usize, end: usize, priority: Priority) -> Self {
        Line { start, end, priority, frames: None, is_joined: false, depends_on: None }
    }

    /// Returns the line without its end.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        if self.priority == Priority::Unseen {
            return "";
        }
        let line = &text[self.start..self.end];
        line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
    }

    pub(super) fn is_blank(&self, text: &str) -> bool {
        self.priority != Priority::Unseen && self.text(text).is_empty()
    }
}

/// Findings shared by all cuts of one text: it is cut again if its escapes take more
/// bytes than there are. An outline of the same text may have made them before.
#[derive(Default)]
pub struct Middle {
    /// The middle of a long text.
    range: Range<usize>,
    /// The errors in it.
    errors: Vec<ErrorLine>,
    /// The lines with their priorities, and the inspected bytes of both ends.
    lines: Vec<Line>,
    ends: (usize, usize),
    /// The findings for a text that is JSON.
    json: Option<Values>,
    /// The range of JSON within other text, once that was searched.
    json_range: Option<Option<Range<usize>>>,
    /// See [`Middle::set_begins_as_json`].
    begins_as_json: bool,
}

/// Findings about the values of a text that is JSON.
#[derive(Default)]
pub struct Values {
    /// Their positions.
    pub spans: Spans,
    /// The marks of possible errors in them, as far as they were searched.
    pub marks: RefCell<Option<FoundMarks>>,
    /// The documents with the reasons of failed tests, once they were read.
    pub failing: OnceCell<Vec<usize>>,
    /// The kinds of the texts in strings that were cut, by the offsets of the strings.
    kinds: RefCell<Vec<(usize, Kind)>>,
    /// The containers as they are shown, by their offsets, and whether that is the whole container.
    containers: RefCell<BTreeMap<usize, (Rc<str>, bool)>>,
}

impl Values {
    /// Returns values that are at these places.
    pub fn at(spans: Spans) -> Self {
        Values { spans, ..Values::default() }
    }

    /// Returns the kind of the text in the string that begins at `start`, which `detect`
    /// detects at the first cut. Only few strings are shown in part.
    pub fn kind_of_string(&self, start: usize, detect: impl FnOnce() -> Kind) -> Kind {
        let known = self.kinds.borrow().iter().find(|(known, _)| *known == start).map(|(_, kind)| *kind);
        known.unwrap_or_else(|| {
            let kind = detect();
            self.kinds.borrow_mut().push((start, kind));
            kind
        })
    }

    /// Returns the container that begins at `start` as it is shown, or more than `max` bytes of
    /// that, which `show` makes. Each cut tries several sizes.
    pub fn container(&self, start: usize, max: usize, show: impl FnOnce() -> String) -> Rc<str> {
        if let Some((text, is_whole)) = self.containers.borrow().get(&start)
            && (*is_whole || text.len() > max)
        {
            return Rc::clone(text);
        }
        let mut text = show();
        let is_whole = text.len() <= max;
        if !is_whole {
            // It may end with a long string.
            text.truncate(text.ceil_char_boundary(max + 1));
        }
        let text: Rc<str> = text.into();
        self.containers.borrow_mut().insert(start, (Rc::clone(&text), is_whole));
        text
    }
}

impl Middle {
    /// Returns the lines that look like errors in a range of the text.
    fn errors(&mut self, text: &str, range: Range<usize>) -> &[ErrorLine] {
        if self.range != range {
            self.errors = error::find(&text[range.clone()]).0;
            self.range = range;
        }
        &self.errors
    }

    /// Returns whether most cuts inspect, and so rank, every line of such a text.
    pub fn keeps_all_lines(text: &[u8]) -> bool {
        is_inspected_whole(text.len(), inspected_ends(0))
    }

    /// Sets all lines of a text that [`Self::keeps_all_lines`], with their priorities.
    pub fn set_lines(&mut self, lines: Vec<Line>) {
        (self.lines, self.ends) = (lines, inspected_ends(0));
    }

    /// Records that the text begins with JSON that is malformed before its first value ends.
    pub fn set_begins_as_json(&mut self) {
        self.begins_as_json = true;
    }

    /// Returns the range of JSON in the text, which `find` finds the first time. Its argument says
    /// whether no JSON can begin at the start of the text.
    pub fn json_range(&mut self, find: impl FnOnce(bool) -> Option<Range<usize>>) -> Option<Range<usize>> {
        self.json_range.get_or_insert_with(|| find(self.begins_as_json)).clone()
    }

    /// Returns the findings about the values of the text, which `find` locates at the first cut.
    pub fn json(&mut self, find: impl FnOnce() -> Spans) -> &Values {
        self.json.get_or_insert_with(|| Values::at(find()))
    }

    /// Returns the findings about the values of the text, if they are located.
    pub fn known_json(&self) -> Option<&Values> {
        self.json.as_ref()
    }
}

/// Returns the lines that a text has if it is truncated to `max` bytes, with the priorities
/// that `rank` sets: once for all its cuts, unless they are so large that they show more.
pub fn ranked_lines<'m>(
    text: &str,
    max: usize,
    middle: &'m mut Middle,
    rank: fn(&str, &mut [Line]),
) -> &'m [Line] {
    let ends = inspected_ends(max);
    if middle.ends != ends {
        let mut lines = split_lines(text, max, middle);
        rank(text, &mut lines);
        (middle.lines, middle.ends) = (lines, ends);
    }
    &middle.lines
}

/// Returns the inspected bytes of the head and of the tail of a long text.
fn inspected_ends(max: usize) -> (usize, usize) {
    (HEAD_BYTES.max(max), TAIL_BYTES.max(max))
}

/// Returns whether the ends that are inspected are all of a text.
fn is_inspected_whole(len: usize, (head, tail): (usize, usize)) -> bool {
    len / 2 <= head.max(tail)
}

/// Splits a text that is truncated to `max` bytes into lines, all of them plain. For a
/// very long text, returns the lines near the ends and those in the middle that look
/// like errors.
pub fn split_lines(text: &str, max: usize, middle: &mut Middle) -> Vec<Line> {
    let mut lines = Vec::new();
    let (head_bytes, tail_bytes) = inspected_ends(max);
    if is_inspected_whole(text.len(), (head_bytes, tail_bytes)) {
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
        lines.push(Line::new(start, end, Priority::Rank(2)));
        at = end;
    }
    push_unseen(at, tail_start, &mut lines);
    push_lines(text, tail_start, text.len(), &mut lines);
    lines
}

fn push_unseen(start: usize, end: usize, lines: &mut Vec<Line>) {
    if start < end {
        lines.push(Line::new(start, end, Priority::Unseen));
    }
}

fn push_lines(text: &str, from: usize, to: usize, lines: &mut Vec<Line>) {
    let spans = LineSpans::of(&text.as_bytes()[from..to]);
    lines.extend(spans.map(|LineSpan { start, end, .. }| Line::plain(from + start, from + end)));
}
