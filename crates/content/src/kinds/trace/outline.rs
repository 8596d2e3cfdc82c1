//! The outline of a trace: the language, every error of a chain with its line, and for
//! each the frame in the reader's own code.

use std::collections::VecDeque;

use tuckaway_text::counted;
use tuckaway_text::visible::{Visible, VisibleLines};

use crate::line::quoted;
use crate::outline::{Entry, Outline, push_numbered};
use crate::stack::{Event, Language, Reader};

/// Maximum errors that an outline lists.
const MAX_LISTED: usize = 24;
/// Maximum bytes of a message, and of a frame.
const QUOTED_BYTES: usize = 160;
/// Frames after a message that are inspected.
const FRAMES_AFTER: usize = 32;
/// Frames before a message that are inspected.
const FRAMES_BEFORE: usize = 16;

/// Outlines a trace.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut summary = Summary::default();
    let mut reader = Reader::default();
    for (number, text) in VisibleLines::of(bytes) {
        reader.read(number, &text, &mut |event| summary.add(event, &text));
    }
    summary.into_outline()
}

#[derive(Default)]
struct Summary<'a> {
    language: Option<Language>,
    exceptions: Vec<(u64, String)>,
    omitted_exceptions: u64,
    frames: u64,
    /// Frames in the reader's own code, at most one of each error.
    own: Vec<(u64, String)>,
    /// Frames of the current error that are still inspected, if the message comes first.
    remaining: usize,
    /// The last frames of the current error, if the message comes last.
    last: VecDeque<(u64, Visible<'a>)>,
}

impl<'a> Summary<'a> {
    fn add(&mut self, event: Event, line: &Visible<'a>) {
        match event {
            Event::Message { at, text, language } => self.add_message(at, &text, language),
            Event::Frame { at, language, begins } => self.add_frame(at, language, begins, line),
            Event::Part { .. } => {}
        }
    }

    fn add_message(&mut self, at: u64, text: &str, language: Language) {
        self.language.get_or_insert(language);
        match self.exceptions.len() < MAX_LISTED {
            true => self.exceptions.push((at, quoted(text.as_bytes(), QUOTED_BYTES))),
            false => self.omitted_exceptions += 1,
        }
        self.add_own_of_last();
        self.remaining = if language == Language::Python { 0 } else { FRAMES_AFTER };
    }

    fn add_frame(&mut self, at: u64, language: Language, begins: bool, line: &Visible<'a>) {
        self.language.get_or_insert(language);
        self.frames += u64::from(begins);
        if language == Language::Python {
            if !begins {
                return;
            }
            if self.last.len() == FRAMES_BEFORE {
                self.last.pop_front();
            }
            self.last.push_back((at, line.clone()));
        } else if self.remaining > 0 && self.own.len() < MAX_LISTED {
            self.remaining -= usize::from(begins);
            if language.is_own(line) {
                self.own.push((at, quoted(line, QUOTED_BYTES)));
                self.remaining = 0;
            }
        }
    }

    /// Adds the last frame in own code of an error whose message comes last.
    fn add_own_of_last(&mut self) {
        let own = self.last.iter().rev().find(|(_, frame)| Language::Python.is_own(frame));
        if let Some((at, frame)) = own
            && self.own.len() < MAX_LISTED
        {
            self.own.push((*at, quoted(frame, QUOTED_BYTES)));
        }
        self.last.clear();
    }

    fn into_outline(mut self) -> Outline {
        self.add_own_of_last();
        let exceptions = self.exceptions.len() as u64 + self.omitted_exceptions;
        let name = self.language.map_or("", Language::name);
        let kind = format!(
            "{name} stack trace: {}, {}",
            counted(exceptions, "exception"),
            counted(self.frames, "frame")
        );
        let mut outline = Outline::default();
        outline.push("kind", Entry::Text(kind.trim_start().to_owned()));
        push_numbered(&mut outline, "exceptions", self.exceptions, self.omitted_exceptions);
        push_numbered(&mut outline, "own_code", self.own, 0);
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Layout;

    #[test]
    fn a_log_after_a_stack_has_no_frames() {
        let text = "panic: it is wrong\n\ngoroutine 1 [running]:\nmain.(*T).run(0x1)\n\t/app/main.go:5 +0x1d\nINFO done (1)\nINFO done (2)\n";
        let json = outline(text.as_bytes()).to_json(1_000, &Layout::ONE_LINE);
        assert!(json.contains("1 exception, 1 frame\""), "{json}");
    }
}
