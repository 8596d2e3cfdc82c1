//! Reads traces line by line, even among other lines.
//!
//! ```text
//! Python            Traceback … ─► File …, its source ─► message
//! Java, JS, .NET    message ─► at … ─► cause ─► at …
//! Rust              thread … panicked at ─► message ─► stack backtrace ─► 0: … at …
//! Go                panic: … ─► goroutine … ─► function, location
//! Ruby, PHP, C      message ─► from … | #0 …
//! ```
//!
//! If the message precedes the frames, the first frame identifies it: it is one of the
//! last lines that names an error, or else the line just before.

use std::borrow::Cow;

use tuckaway_search::find;
use tuckaway_text::visible::Visible;

use super::Language;
use super::forms::{at_frame, is_cause, names_error, numbered_frame};

/// Maximum lines from an error to its first frame.
const MAX_DISTANCE: u64 = 12;
/// Bytes of a line that are inspected.
const LINE_BYTES: usize = 400;

/// A line between a message and its frames.
const HEADING: &[u8] = b"Stack trace:";

/// The role of a line in a trace. `at` is the number with which the line was read.
#[derive(Debug, PartialEq)]
pub enum Event {
    /// The message of an error.
    Message {
        /// The line.
        at: u64,
        /// The message, as far as the line is inspected.
        text: String,
        /// The language.
        language: Language,
    },
    /// A function, or its location or source, in the line that was read last.
    Frame {
        /// The line.
        at: u64,
        /// The language.
        language: Language,
        /// Whether the frame begins here, rather than continuing the line before.
        begins: bool,
    },
    /// Any other line of a trace.
    Part {
        /// The line.
        at: u64,
    },
}

/// Receives each event once: frames and parts in order, a message as soon as it is
/// identified, which may be lines after it.
pub type OnEvent<'e> = &'e mut dyn FnMut(Event);

/// Reads lines in order.
#[derive(Default)]
pub struct Reader<'a> {
    state: State,
    /// The number of the last line.
    at: u64,
    /// The last line that names an error.
    named: Option<(u64, Visible<'a>)>,
    /// The last line that is not part of a trace; empty once a trace follows it.
    last: (u64, Visible<'a>),
}

#[derive(Clone, Default)]
enum State {
    #[default]
    Outside,
    /// After `Traceback`, with its indentation.
    Python {
        indent: usize,
    },
    /// Among `at …`.
    At(Language),
    /// After `thread … panicked at …:`.
    Panicked {
        at: u64,
        text: Vec<u8>,
    },
    Backtrace,
    Goroutine,
    Numbered,
    From,
}

/// The lines that may be the message of a stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Candidates {
    /// The last lines that name an error.
    NamingError,
    /// These, or else the line just before the stack.
    WithLineBefore,
}

impl<'a> Reader<'a> {
    /// Reads the next line. Returns whether it is part of a trace.
    pub fn is_part(&mut self, line: &Visible<'a>) -> bool {
        self.read(self.at + 1, line, &mut |_| {})
    }

    /// Skips a line that, as the caller knows, neither is part of a trace nor names an
    /// error. Returns false if the line has to be read nevertheless: it may be a message.
    pub fn skip(&mut self) -> bool {
        if matches!(self.state, State::Panicked { .. }) {
            return false;
        }
        self.state = State::Outside;
        self.last.1 = Cow::Borrowed(b"");
        true
    }

    /// Reads a line. Returns whether it is part of a trace.
    pub fn read(&mut self, at: u64, shown: &Visible<'a>, on_event: OnEvent) -> bool {
        let line = &shown[..shown.len().min(LINE_BYTES)];
        let text = line.trim_ascii_start();
        if text.is_empty() {
            return false;
        }
        let is_part = self.read_text(at, line, text, on_event);
        if !is_part {
            if !matches!(self.state, State::Panicked { .. }) {
                self.state = State::Outside;
            }
            let text = match shown {
                Cow::Borrowed(shown) => Cow::Borrowed(&shown[line.len() - text.len()..line.len()]),
                Cow::Owned(_) => Cow::Owned(text.to_vec()),
            };
            if names_error(&text) {
                self.named = Some((at, text.clone()));
            }
            self.last = (at, text);
        } else if text != HEADING {
            self.last.1 = Cow::Borrowed(b"");
        }
        self.at = at;
        is_part
    }

    fn read_text(&mut self, at: u64, line: &[u8], text: &[u8], on_event: OnEvent) -> bool {
        let indent = line.len() - text.len();
        // These forms are rare, and any state may be left for them.
        if let Some(is_part) = self.read_in_any_state(at, indent, text, on_event) {
            return is_part;
        }
        match &self.state {
            State::Python { indent: of_header } => {
                if indent > *of_header {
                    return rest_of_frame(at, Language::Python, on_event);
                }
                self.state = State::Outside;
                self.message(at, text, Language::Python, on_event)
            }
            State::Panicked { at: thread, text: panicked } => {
                let message = [panicked, &b" "[..], text].concat();
                let thread = *thread;
                self.state = State::Outside;
                self.message(thread, &message, Language::Rust, on_event);
                part(at, on_event)
            }
            State::Backtrace => {
                let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
                if digits > 0 && text[digits..].starts_with(b": ") {
                    return frame(at, Language::Rust, on_event);
                }
                text.starts_with(b"at ") && rest_of_frame(at, Language::Rust, on_event)
            }
            State::Goroutine => {
                if line.starts_with(b"\t") && find::text(b".go:", text).is_some() {
                    return rest_of_frame(at, Language::Go, on_event);
                }
                let name = text.split(|&byte| byte == b'(').next().unwrap_or_default();
                let is_called = indent == 0 && text.ends_with(b")") && !name.contains(&b' ');
                let is_function = text.starts_with(b"created by ") || is_called;
                is_function && frame(at, Language::Go, on_event)
            }
            State::At(_) if text.starts_with(b"... ") || text.starts_with(b"--- End of") => {
                part(at, on_event)
            }
            _ => false,
        }
    }

    /// Reads a line that is part of a trace in any state, and returns whether it is; none
    /// if that depends on the state.
    fn read_in_any_state(&mut self, at: u64, indent: usize, text: &[u8], on_event: OnEvent) -> Option<bool> {
        let is = |start: &[u8]| text.starts_with(start);
        match text[0] {
            b'T' if is(b"Traceback (most recent call last)") => {
                self.state = State::Python { indent };
                Some(part(at, on_event))
            }
            b'F' if is(b"File \"") && find::text(b"\", line ", text).is_some() => {
                if !matches!(self.state, State::Python { .. }) {
                    self.state = State::Python { indent: indent.saturating_sub(2) };
                }
                Some(frame(at, Language::Python, on_event))
            }
            b'D' if is(b"During handling of the above exception") => Some(part(at, on_event)),
            b'T' if is(b"The above exception was the direct cause") => Some(part(at, on_event)),
            b'a' if !matches!(self.state, State::Backtrace) => self.read_at_frame(at, text, on_event),
            b'C' | b'S' | b'-' | b'[' if is_cause(text) => self.read_cause(at, text, on_event),
            b't' if is(b"thread '") => self.read_panic(at, text, on_event),
            b's' | b'S' if text[1..].starts_with(b"tack backtrace:") => {
                self.state = State::Backtrace;
                Some(part(at, on_event))
            }
            b'S' if text == HEADING => Some(part(at, on_event)),
            b'n' if is(b"note: run with `RUST_BACKTRACE") || is(b"note: Some details are omitted") => {
                Some(part(at, on_event))
            }
            b'g' if is(b"goroutine ") && text.ends_with(b"]:") => {
                self.name_cause(at, Language::Go, Candidates::NamingError, on_event);
                self.state = State::Goroutine;
                Some(part(at, on_event))
            }
            b'f' if is(b"from ") && find::text(b":in ", text).is_some() => {
                if !matches!(self.state, State::From) {
                    self.name_cause(at, Language::Ruby, Candidates::WithLineBefore, on_event);
                    self.state = State::From;
                }
                Some(frame(at, Language::Ruby, on_event))
            }
            b'#' => self.read_numbered_frame(at, text, on_event),
            _ => None,
        }
    }

    fn read_at_frame(&mut self, at: u64, text: &[u8], on_event: OnEvent) -> Option<bool> {
        let language = at_frame(text)?;
        if !matches!(self.state, State::At(_)) {
            self.name_cause(at, language, Candidates::WithLineBefore, on_event);
            self.state = State::At(language);
        }
        Some(frame(at, language, on_event))
    }

    fn read_cause(&mut self, at: u64, text: &[u8], on_event: OnEvent) -> Option<bool> {
        let language = match self.state {
            State::At(language) => language,
            _ if text[0] == b'-' => Language::DotNet,
            _ => return None,
        };
        self.name_cause(at, language, Candidates::NamingError, on_event);
        self.state = State::At(language);
        Some(self.message(at, text, language, on_event))
    }

    /// Reads `thread … panicked at`: old versions of Rust print the message in this line,
    /// new ones in the next.
    fn read_panic(&mut self, at: u64, text: &[u8], on_event: OnEvent) -> Option<bool> {
        let has = |part: &[u8]| find::text(part, text).is_some();
        if !has(b" panicked at ") {
            return None;
        }
        if has(b"panicked at '") || !text.ends_with(b":") {
            self.state = State::Outside;
            return Some(self.message(at, text, Language::Rust, on_event));
        }
        self.state = State::Panicked { at, text: text.to_vec() };
        Some(true)
    }

    fn read_numbered_frame(&mut self, at: u64, text: &[u8], on_event: OnEvent) -> Option<bool> {
        let language = numbered_frame(text)?;
        if !matches!(self.state, State::Numbered) {
            self.name_cause(at, language, Candidates::NamingError, on_event);
            self.state = State::Numbered;
        }
        Some(frame(at, language, on_event))
    }

    /// Reports the message of the stack that begins at a line.
    fn name_cause(&mut self, at: u64, language: Language, candidates: Candidates, on_event: OnEvent) {
        let named = self.named.take().filter(|(line, _)| at - line <= MAX_DISTANCE);
        // What follows a message, an excerpt of the source or a value, is none.
        let may_say = |text: &[u8]| !matches!(text, [] | [b'>' | b'|' | b'}' | b']' | b')' | b'^', ..]);
        let last = || candidates == Candidates::WithLineBefore && self.at + 1 == at && may_say(&self.last.1);
        let (line, text) = match named {
            Some(named) => named,
            None if last() => (self.last.0, std::mem::take(&mut self.last.1)),
            None => return,
        };
        self.message(line, &text, language, on_event);
    }

    fn message(&mut self, at: u64, text: &[u8], language: Language, on_event: OnEvent) -> bool {
        self.named = None;
        on_event(Event::Message { at, text: String::from_utf8_lossy(text).into_owned(), language });
        true
    }
}

/// Reports a line that begins a frame.
fn frame(at: u64, language: Language, on_event: OnEvent) -> bool {
    on_event(Event::Frame { at, language, begins: true });
    true
}

/// Reports a further line of a frame.
fn rest_of_frame(at: u64, language: Language, on_event: OnEvent) -> bool {
    on_event(Event::Frame { at, language, begins: false });
    true
}

fn part(at: u64, on_event: OnEvent) -> bool {
    on_event(Event::Part { at });
    true
}
