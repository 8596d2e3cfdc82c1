//! Reads traces line by line, among other lines as well.
//!
//! ```text
//! Python            Traceback … ─► File …, its source ─► message
//! Java, JS, .NET    message ─► at … ─► cause ─► at …
//! Rust              thread … panicked at ─► message ─► stack backtrace ─► 0: … at …
//! Go                panic: … ─► goroutine … ─► function, place
//! Ruby, PHP, C      message ─► from … | #0 …
//! ```
//!
//! Where the message comes before the frames, it is known by the first frame:
//! then the line before, or one of the last that names an error.

use std::borrow::Cow;

use tuckaway_search::find;

use super::Language;
use tuckaway_text::visible::Visible;

/// So many lines may stand between an error and its first frame.
const MAX_DISTANCE: u64 = 12;
/// Bytes of a line that are looked at.
const LINE_BYTES: usize = 400;

/// A line between a message and its frames.
const HEADING: &[u8] = b"Stack trace:";

/// What a line is in a trace. `at` is what the line was given as.
#[derive(Debug, PartialEq)]
pub enum Event {
    /// What was thrown.
    Message {
        /// The line.
        at: u64,
        /// It, as far as it was looked at.
        text: String,
        /// Whose it is.
        language: Language,
    },
    /// A function, or its place or source, in the line that was read last.
    Frame {
        /// The line.
        at: u64,
        /// Whose it is.
        language: Language,
        /// The frame begins here: it is no more of the one in the line before.
        begins: bool,
    },
    /// What belongs to a trace beside.
    Part {
        /// The line.
        at: u64,
    },
}

/// Who is told what is found, each once: frames and parts in order, a message as soon as
/// it is known to be one, which may be lines behind it.
pub type Told<'t> = &'t mut dyn FnMut(Event);

/// Reads lines in order.
#[derive(Default)]
pub struct Reader<'a> {
    state: State,
    /// The number of the last line.
    at: u64,
    /// The last line that names an error, and the last line that is part of no trace,
    /// empty once a trace goes on behind it.
    named: Option<(u64, Visible<'a>)>,
    last: (u64, Visible<'a>),
}

#[derive(Clone, Default)]
enum State {
    #[default]
    Outside,
    /// After `Traceback`, which was so far set in.
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

impl<'a> Reader<'a> {
    /// Reads the next line: whether it is part of a trace.
    pub fn is_part(&mut self, line: &Visible<'a>) -> bool {
        self.read(self.at + 1, line, &mut |_| {})
    }

    /// Passes over a line that is part of no trace and names no error, as who asks knows,
    /// unless it is still to be read, as it may be a message.
    pub fn pass_over(&mut self) -> bool {
        if matches!(self.state, State::Panicked { .. }) {
            return false;
        }
        self.state = State::Outside;
        self.last.1 = Cow::Borrowed(b"");
        true
    }

    /// Reads a line: whether it is part of a trace.
    pub fn read(&mut self, at: u64, shown: &Visible<'a>, told: Told) -> bool {
        let line = &shown[..shown.len().min(LINE_BYTES)];
        let text = line.trim_ascii_start();
        if text.is_empty() {
            return false;
        }
        let is_part = self.read_text(at, line, text, told);
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

    fn read_text(&mut self, at: u64, line: &[u8], text: &[u8], told: Told) -> bool {
        let indent = line.len() - text.len();
        // Those are rare, and what any state may be left for.
        if let Some(is_part) = self.starts(at, indent, text, told) {
            return is_part;
        }
        match &self.state {
            State::Python { indent: of_head } => {
                if indent > *of_head {
                    return frame(at, Language::Python, false, told);
                }
                self.state = State::Outside;
                self.message(at, text, Language::Python, told)
            }
            State::Panicked { at: thread, text: panicked } => {
                let message = [panicked, &b" "[..], text].concat();
                let thread = *thread;
                self.state = State::Outside;
                self.message(thread, &message, Language::Rust, told);
                part(at, told)
            }
            State::Backtrace => {
                let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
                if digits > 0 && text[digits..].starts_with(b": ") {
                    return frame(at, Language::Rust, true, told);
                }
                text.starts_with(b"at ") && frame(at, Language::Rust, false, told)
            }
            State::Goroutine => {
                if line.starts_with(b"\t") && find::text(b".go:", text).is_some() {
                    return frame(at, Language::Go, false, told);
                }
                let name = text.split(|&byte| byte == b'(').next().unwrap_or_default();
                let is_called = indent == 0 && text.ends_with(b")") && !name.contains(&b' ');
                let is_function = text.starts_with(b"created by ") || is_called;
                is_function && frame(at, Language::Go, true, told)
            }
            State::At(_) if text.starts_with(b"... ") || text.starts_with(b"--- End of") => part(at, told),
            _ => false,
        }
    }

    /// Lines that are of a trace wherever they stand. None: the state decides.
    fn starts(&mut self, at: u64, indent: usize, text: &[u8], told: Told) -> Option<bool> {
        let has = |mark: &[u8]| find::text(mark, text).is_some();
        match text[0] {
            b'T' if text.starts_with(b"Traceback (most recent call last)") => {
                self.state = State::Python { indent };
                Some(part(at, told))
            }
            b'F' if text.starts_with(b"File \"") && has(b"\", line ") => {
                if !matches!(self.state, State::Python { .. }) {
                    self.state = State::Python { indent: indent.saturating_sub(2) };
                }
                Some(frame(at, Language::Python, true, told))
            }
            b'D' if text.starts_with(b"During handling of the above exception") => Some(part(at, told)),
            b'T' if text.starts_with(b"The above exception was the direct cause") => Some(part(at, told)),
            b'a' if !matches!(self.state, State::Backtrace) => {
                let language = at_frame(text)?;
                if !matches!(self.state, State::At(_)) {
                    self.name_cause(at, language, true, told);
                    self.state = State::At(language);
                }
                Some(frame(at, language, true, told))
            }
            b'C' | b'S' | b'-' | b'[' if is_cause(text) => {
                let language = match self.state {
                    State::At(language) => language,
                    _ if text[0] == b'-' => Language::DotNet,
                    _ => return None,
                };
                self.name_cause(at, language, false, told);
                self.state = State::At(language);
                Some(self.message(at, text, language, told))
            }
            b't' if text.starts_with(b"thread '") && has(b" panicked at ") => {
                if has(b"panicked at '") || !text.ends_with(b":") {
                    self.state = State::Outside;
                    return Some(self.message(at, text, Language::Rust, told));
                }
                self.state = State::Panicked { at, text: text.to_vec() };
                Some(true)
            }
            b's' | b'S' if text[1..].starts_with(b"tack backtrace:") => {
                self.state = State::Backtrace;
                Some(part(at, told))
            }
            b'S' if text == HEADING => Some(part(at, told)),
            b'n' if text.starts_with(b"note: run with `RUST_BACKTRACE")
                || text.starts_with(b"note: Some details are omitted") =>
            {
                Some(part(at, told))
            }
            b'g' if text.starts_with(b"goroutine ") && text.ends_with(b"]:") => {
                self.name_cause(at, Language::Go, false, told);
                self.state = State::Goroutine;
                Some(part(at, told))
            }
            b'f' if text.starts_with(b"from ") && has(b":in ") => {
                if !matches!(self.state, State::From) {
                    self.name_cause(at, Language::Ruby, true, told);
                    self.state = State::From;
                }
                Some(frame(at, Language::Ruby, true, told))
            }
            b'#' => {
                let language = numbered_frame(text)?;
                if !matches!(self.state, State::Numbered) {
                    self.name_cause(at, language, false, told);
                    self.state = State::Numbered;
                }
                Some(frame(at, language, true, told))
            }
            _ => None,
        }
    }

    /// The message of the stack that begins at a line: a line before that names
    /// an error, or else the one just before, if any will do.
    fn name_cause(&mut self, at: u64, language: Language, any: bool, told: Told) {
        let named = self.named.take().filter(|(line, _)| at - line <= MAX_DISTANCE);
        let last = || any && self.at + 1 == at && !self.last.1.is_empty();
        let (line, text) = match named {
            Some(named) => named,
            None if last() => (self.last.0, std::mem::take(&mut self.last.1)),
            None => return,
        };
        self.message(line, &text, language, told);
    }

    fn message(&mut self, at: u64, text: &[u8], language: Language, told: Told) -> bool {
        self.named = None;
        told(Event::Message { at, text: String::from_utf8_lossy(text).into_owned(), language });
        true
    }
}

fn frame(at: u64, language: Language, begins: bool, told: Told) -> bool {
    told(Event::Frame { at, language, begins });
    true
}

fn part(at: u64, told: Told) -> bool {
    told(Event::Part { at });
    true
}

/// Whose frame `at …` is.
fn at_frame(text: &[u8]) -> Option<Language> {
    let frame = text.strip_prefix(b"at ")?;
    let has = |mark: &[u8]| find::text(mark, frame).is_some();
    let of_java: [&[u8]; 6] =
        [b".java:", b".kt:", b".scala:", b".groovy:", b"(Native Method)", b"(Unknown Source)"];
    if of_java.iter().any(|mark| has(mark)) {
        return Some(Language::Java);
    }
    if has(b":line ") {
        return Some(Language::DotNet);
    }
    if ends_with_place(frame) || has(b"<anonymous>") || has(b"(native)") || has(b" (index ") {
        return Some(Language::JavaScript);
    }
    let open = find::byte(b'(', frame)?;
    let name = &frame[..open];
    (frame.ends_with(b")") && name.contains(&b'.') && !name.contains(&b' ')).then_some(Language::DotNet)
}

/// `…:12:5`, perhaps in parentheses.
fn ends_with_place(frame: &[u8]) -> bool {
    let frame = frame.strip_suffix(b")").unwrap_or(frame);
    let mut parts = frame.rsplit(|&b| b == b':');
    let mut is_number = || parts.next().is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    is_number() && is_number()
}

/// Whose frame `#0 …` is.
fn numbered_frame(text: &[u8]) -> Option<Language> {
    let digits = text[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let frame = text[1 + digits..].strip_prefix(b" ").filter(|_| digits > 0)?;
    let has = |mark: &[u8]| find::text(mark, frame).is_some();
    if has(b".php(") || has(b"{main}") || has(b"[internal function]") {
        return Some(Language::Php);
    }
    (has(b"0x") || has(b") at ") || has(b" (package:")).then_some(Language::Native)
}

fn is_cause(text: &[u8]) -> bool {
    [&b"Caused by: "[..], b"Suppressed: ", b"---> ", b"[cause]: "].iter().any(|mark| text.starts_with(mark))
}

/// Whether a line names an error: `ValueError: …`, `java.io.IOException`,
/// `panic: …`, a signal.
fn names_error(text: &[u8]) -> bool {
    let end = find::byte(b':', text).unwrap_or(text.len());
    let name = text[..end].rsplit(|&b| b == b' ').next().unwrap_or_default();
    let ends = [&b"Error"[..], b"Exception", b"Throwable", b"Failure", b"Warning"];
    let may_end = matches!(name.last(), Some(b'r' | b'n' | b'e' | b'g'));
    if may_end && ends.iter().any(|end| name.ends_with(end)) {
        return true;
    }
    let starts =
        [&b"panic: "[..], b"fatal error: ", b"Uncaught ", b"PHP Fatal error:", b"Exception in thread "];
    let may_start = matches!(text[0], b'p' | b'f' | b'U' | b'P' | b'E');
    if may_start && starts.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let holds = |mark: &[u8]| find::text(mark, text).is_some();
    match text[0] {
        b'=' => holds(b"ERROR: "),
        b'P' => text.starts_with(b"Program ") && holds(b" signal "),
        b'\'' | b'U' => holds(b"xception"),
        _ => false,
    }
}
