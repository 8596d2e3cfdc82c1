//! Selects the lines of a trace that are kept when a text is truncated.

use tuckaway_text::order;
use tuckaway_text::visible::Visible;

use super::{Event, Language, Reader};
use crate::truncate::lines::{Line, Priority};

/// Frames that are kept at the start of a stack.
const FIRST_FRAMES: usize = 2;
/// Frames that are kept at its end.
const LAST_FRAMES: usize = 2;
/// Maximum lines of a frame that are kept or omitted together.
const FRAME_LINES: usize = 6;

/// Reads lines in order, then sets the priorities of those in traces.
#[derive(Default)]
pub struct Folder<'a> {
    reader: Reader<'a>,
    marks: Vec<(usize, Mark)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Message,
    /// A frame begins; with its language if it is in the reader's own code.
    Frame {
        own: Option<Language>,
    },
    /// A further line of the frame before it.
    OfFrame,
    /// Any other line of a trace.
    Detail,
    /// A further stack of the same trace begins: `goroutine 5 [select]:`.
    Header,
}

impl<'a> Folder<'a> {
    /// Reads a line. Returns whether it is part of a trace.
    pub fn read(&mut self, index: usize, line: &Visible<'a>) -> bool {
        let marks = &mut self.marks;
        self.reader.read(index as u64, line, &mut |event| {
            let (at, mark) = match event {
                Event::Message { at, .. } => (at, Mark::Message),
                Event::Frame { at, language, begins } => {
                    let own = Some(language).filter(|language| language.is_own(line));
                    (at, if begins { Mark::Frame { own } } else { continuation(marks.last_mut(), own) })
                }
                Event::Part { at } if line.starts_with(b"goroutine ") => (at, Mark::Header),
                Event::Part { at } => (at, Mark::Detail),
            };
            marks.push((at as usize, mark));
        })
    }

    /// Sets the priorities of lines in traces. Messages get the given rank, the frame in
    /// own code that is nearest to the message of each stack the next rank, the ends of the
    /// stack the one after; the lines between them may be folded. Further stacks of a trace
    /// rank one lower than its first.
    pub fn fold(mut self, lines: &mut [Line], rank: u8) {
        order::sort_by_key(&mut self.marks, |&(index, _)| index);
        let continues =
            |_: &(usize, Mark), next: &(usize, Mark)| !matches!(next.1, Mark::Message | Mark::Header);
        let mut has_frames = false;
        for stack in self.marks.chunk_by(continues) {
            let is_further = stack[0].1 == Mark::Header && has_frames;
            has_frames = rank_stack(stack, lines, rank + u8::from(is_further)) || is_further;
        }
        for (index, _) in self.marks.iter().filter(|(_, mark)| *mark == Mark::Message) {
            if let Some(line) = lines.get_mut(*index) {
                line.priority = Priority::Rank(rank);
                line.frames = None;
            }
        }
    }
}

/// Sets the priorities of the lines in a stack. Returns whether it has frames.
fn rank_stack(stack: &[(usize, Mark)], lines: &mut [Line], rank: u8) -> bool {
    let is_frame = |at: &usize| matches!(stack[*at].1, Mark::Frame { .. });
    let frames: Vec<usize> = (0..stack.len()).filter(is_frame).collect();
    let own = own_frame(stack, &frames);
    let (mut frame, mut frame_lines) = (0, 0);
    for (at, &(index, mark)) in stack.iter().enumerate() {
        frame += usize::from(frames.get(frame + 1) == Some(&at));
        // Details before the first frame introduce it.
        let is_introduction = frames.first().is_none_or(|&first| at < first);
        let is_at_end = frame < FIRST_FRAMES || frame + LAST_FRAMES >= frames.len();
        if let Some(line) = lines.get_mut(index) {
            line.priority = if is_introduction || Some(frame) == own {
                Priority::Rank(rank + 1)
            } else if is_at_end {
                Priority::Rank(rank + 2)
            } else {
                Priority::Foldable
            };
            line.frames = (!is_introduction).then(|| usize::from(is_frame(&at)));
            frame_lines = if mark == Mark::OfFrame { frame_lines + 1 } else { 1 };
            line.is_joined = frame_lines > 1 && frame_lines <= FRAME_LINES && stack[at - 1].0 + 1 == index;
        }
    }
    !frames.is_empty()
}

/// Returns the frame in own code that is nearest to the message, which comes last in
/// Python.
fn own_frame(stack: &[(usize, Mark)], frames: &[usize]) -> Option<usize> {
    let language = |&at: &usize| match stack[at].1 {
        Mark::Frame { own } => own,
        _ => None,
    };
    match frames.iter().find_map(language) {
        Some(Language::Python) => frames.iter().rposition(|at| language(at).is_some()),
        _ => frames.iter().position(|at| language(at).is_some()),
    }
}

/// Returns the mark of a line that continues a frame, if a frame was read last. Its
/// location may show that the frame is in own code.
fn continuation(last: Option<&mut (usize, Mark)>, location: Option<Language>) -> Mark {
    match last {
        Some((_, Mark::Frame { own })) => {
            *own = own.or(location);
            Mark::OfFrame
        }
        Some((_, Mark::OfFrame)) => Mark::OfFrame,
        _ => Mark::Detail,
    }
}
