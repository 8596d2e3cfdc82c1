//! Stack traces: what was thrown, where, and what it was caused by.

use std::collections::VecDeque;

use tuckaway_text::visible::{Visible, VisibleLines, visible};

use crate::line::{is_fenced, quoted};
use crate::outline::{Entry, Outline, push_numbered};
use crate::sample::Sample;
use crate::stack::{Event, Folder, Language, Reader};
use crate::truncate::select::{self, Middle, Worth};

/// Exceptions that a shape names at most.
const NAMED: usize = 24;
/// Bytes of a message, and of a frame.
const QUOTED: usize = 160;
/// Frames that are looked at, after a message and before one.
const TRIES: usize = 32;
const LAST_FRAMES: usize = 16;
/// Lines at an end of an output among which a trace's last ones are.
const LAST_LINES: usize = 6;

/// Whether half of the lines are those of a trace.
pub fn detect(sample: &Sample) -> bool {
    let (parts, lines, _) = parts(&sample.head);
    !is_fenced(&sample.head) && parts >= 2 && parts * 2 >= lines
}

/// Whether a trace is what the text ends with.
pub fn ends_with_a_trace(sample: &Sample) -> bool {
    let is_all = sample.tail.len() == sample.head.len();
    !is_fenced(&sample.head) && parts(if is_all { &sample.head } else { &sample.tail }).2
}

/// Whether a text can be a trace, if that is claimed.
pub fn can_be(sample: &Sample) -> bool {
    detect(sample) || ends_with_a_trace(sample)
}

/// How many lines are parts of a trace, of how many, and whether one of the
/// last is.
fn parts(text: &str) -> (usize, usize, bool) {
    let mut reader = Reader::default();
    let (mut parts, mut lines, mut last, mut frames) = (0, 0, 0, 0);
    for (index, line) in text.lines().enumerate() {
        let line = visible(line.as_bytes());
        if line.trim_ascii().is_empty() {
            continue;
        }
        lines += 1;
        let is_part = reader.read(index as u64, &line, &mut |event| {
            frames += usize::from(!matches!(event, Event::Part { .. } | Event::Frame { begins: false, .. }));
        });
        if is_part {
            parts += 1;
            last = lines;
        }
    }
    match frames {
        0 => (0, lines, false),
        _ => (parts, lines, last + LAST_LINES > lines),
    }
}

/// The language, every exception of a chain with its line, and of each the
/// frame in the reader's own code.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut found = Found::default();
    let mut reader = Reader::default();
    for (number, text) in VisibleLines::of(bytes) {
        reader.read(number, &text, &mut |event| found.event(event, &text));
    }
    found.entries()
}

#[derive(Default)]
struct Found<'a> {
    language: Option<Language>,
    exceptions: Vec<(u64, String)>,
    more_exceptions: u64,
    frames: u64,
    /// Frames in the reader's own code, at most one of an exception.
    own: Vec<(u64, String)>,
    /// Frames among which that of the exception at hand is looked for.
    tries: usize,
    /// Where the message comes after its frames: the last of them.
    last: VecDeque<(u64, Visible<'a>)>,
}

impl<'a> Found<'a> {
    fn event(&mut self, event: Event, line: &Visible<'a>) {
        match event {
            Event::Message { at, text, language } => {
                self.language.get_or_insert(language);
                match self.exceptions.len() < NAMED {
                    true => self.exceptions.push((at, quoted(text.as_bytes(), QUOTED))),
                    false => self.more_exceptions += 1,
                }
                self.place_last();
                self.tries = if language == Language::Python { 0 } else { TRIES };
            }
            Event::Frame { at, language, begins } => {
                self.language.get_or_insert(language);
                self.frames += u64::from(begins);
                if language == Language::Python {
                    if !begins {
                        return;
                    }
                    if self.last.len() == LAST_FRAMES {
                        self.last.pop_front();
                    }
                    self.last.push_back((at, line.clone()));
                } else if self.tries > 0 && self.own.len() < NAMED {
                    self.tries -= usize::from(begins);
                    if language.is_own(line) {
                        self.own.push((at, quoted(line, QUOTED)));
                        self.tries = 0;
                    }
                }
            }
            Event::Part { .. } => {}
        }
    }

    /// Where the message comes after the frames, the last in own code is meant.
    fn place_last(&mut self) {
        let own = self.last.iter().rev().find(|(_, frame)| Language::Python.is_own(frame));
        if let Some((at, frame)) = own
            && self.own.len() < NAMED
        {
            self.own.push((*at, quoted(frame, QUOTED)));
        }
        self.last.clear();
    }

    fn entries(mut self) -> Outline {
        self.place_last();
        let exceptions = self.exceptions.len() as u64 + self.more_exceptions;
        let name = self.language.map_or("", Language::name);
        let mut entries = Outline::default();
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let kind = format!(
            "{name} stack trace: {exceptions} exception{}, {} frame{}",
            s(exceptions),
            self.frames,
            s(self.frames)
        );
        entries.push("kind", Entry::Text(kind.trim_start().to_owned()));
        push_numbered(&mut entries, "exceptions", self.exceptions, self.more_exceptions);
        push_numbered(&mut entries, "own_code", self.own, 0);
        entries
    }
}

/// Messages and causes, the first and the last frames of each stack, then what
/// is around.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let mut lines = select::lines(text, max, middle);
    let mut folder = Folder::default();
    for (index, line) in lines.iter().enumerate() {
        folder.read(index, &visible(line.text(text).as_bytes()));
    }
    folder.fold(&mut lines, 0);
    // What ran before the trace matters less than its last lines.
    if let Some(first) = lines.iter_mut().find(|line| !line.text(text).trim().is_empty())
        && first.worth == Worth::Plain
    {
        first.worth = Worth::Rank(3);
    }
    select::render(text, &lines, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn a_log_behind_a_stack_is_none_of_its_frames() {
        let text = "panic: it is wrong\n\ngoroutine 1 [running]:\nmain.(*T).run(0x1)\n\t/app/main.go:5 +0x1d\nINFO done (1)\nINFO done (2)\n";
        let json = outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE);
        assert!(json.contains("1 exception, 1 frame\""), "{json}");
    }
}
