//! What of a trace stands when a text is cut.

use super::{Event, Reader};
use crate::sort;
use crate::truncate::select::{Line, Worth};

/// Frames that stand at each end of a stack.
const FIRST: usize = 2;
const LAST: usize = 2;

/// Reads lines in order, then says what those of traces are worth.
#[derive(Default)]
pub struct Folder {
    reader: Reader,
    marks: Vec<(usize, Mark)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Message,
    Frame { own: bool },
    Detail,
}

impl Folder {
    /// Reads a line, and says whether it is part of a trace.
    pub fn read(&mut self, index: usize, line: &[u8]) -> bool {
        let is_part = self.reader.read(index as u64, line);
        for event in self.reader.events() {
            self.marks.push(match event {
                Event::Message { at, .. } => (at as usize, Mark::Message),
                Event::Frame { at, language, counts: true } => {
                    (at as usize, Mark::Frame { own: language.is_own(line) })
                }
                Event::Frame { at, .. } | Event::Part { at } => (at as usize, Mark::Detail),
            });
        }
        is_part
    }

    /// Messages get rank `rank`, the first frame of each stack in own code the next,
    /// its ends the one after, and what is between may be folded.
    pub fn fold(mut self, lines: &mut [Line], rank: u8) {
        sort::by(&mut self.marks, |(l, _), (r, _)| l.cmp(r));
        let stacks = self.marks.split(|(_, mark)| *mark == Mark::Message);
        for stack in stacks {
            let frames: Vec<usize> = (0..stack.len()).filter(|&i| stack[i].1 != Mark::Detail).collect();
            let own = frames.iter().position(|&i| stack[i].1 == Mark::Frame { own: true });
            let mut frame = 0;
            for (place, &(index, mark)) in stack.iter().enumerate() {
                frame += usize::from(frames.get(frame + 1) == Some(&place));
                // Details before the first frame say what follows.
                let leads = frames.first().is_none_or(|&first| place < first);
                let stands = leads || frame < FIRST || frame + LAST >= frames.len() || Some(frame) == own;
                if let Some(line) = lines.get_mut(index) {
                    line.worth = match () {
                        () if leads || Some(frame) == own => Worth::Rank(rank + 1),
                        () if stands => Worth::Rank(rank + 2),
                        () => Worth::Foldable,
                    };
                    line.frames = Some(usize::from(mark != Mark::Detail)).filter(|_| !leads);
                }
            }
        }
        for (index, _) in self.marks.iter().filter(|(_, mark)| *mark == Mark::Message) {
            if let Some(line) = lines.get_mut(*index) {
                line.worth = Worth::Rank(rank);
                line.frames = None;
            }
        }
    }
}
