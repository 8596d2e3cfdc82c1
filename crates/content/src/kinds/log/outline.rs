//! The outline of a log: its lines, the first and the last time, levels, errors,
//! exceptions and templates.

use tuckaway_text::counted;
use tuckaway_text::visible::{Visible, VisibleLines};

use super::rank::Ranks;
use super::seen::{Message, Seen};
use super::templates::{Template, Templates};
use crate::line::level::Level;
use crate::line::quoted;
use crate::line::{log as line, time};
use crate::outline::{Entry, Outline, push_numbered};
use crate::stack::{Event, Reader};
use crate::truncate::lines::{Line, Middle};

/// In a log with more bytes, only the messages of every nth line are grouped.
const GROUPED_BYTES: usize = 8 << 20;
/// Maximum templates, errors and exceptions that an outline lists.
const MAX_LISTED: usize = 24;
/// Maximum bytes of an exception's message.
const QUOTED_BYTES: usize = 120;

/// Outlines a log. Ranks its lines in the same pass, for its truncation.
pub fn outline(bytes: &[u8], middle: &mut Middle) -> Outline {
    let stride = (bytes.len() / GROUPED_BYTES + 1) as u64;
    let mut summary = Summary::default();
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    let keeps_lines = Middle::keeps_all_lines(bytes) && !bytes.starts_with("\u{FEFF}".as_bytes());
    let mut ranked = keeps_lines.then(|| (Ranks::default(), Vec::new()));
    let mut seen = Seen::default();
    let mut lines = VisibleLines::of(bytes);
    let mut start = 0;
    while let Some((number, text)) = lines.next() {
        summary.lines = number;
        let line = line::parse(&text, form);
        form = line.form;
        let message = Message::of(line.message);
        let end = lines.offset();
        if let Some((ranks, ranked)) = &mut ranked {
            let mut place = Line::plain(start, end);
            if let Some(priority) = ranks.rank(ranked.len(), &text, &line, &message, &mut seen) {
                place.priority = priority;
            }
            ranked.push(place);
        }
        start = end;
        if let Some(time) = line.time {
            summary.add_time(time);
        }
        if !line.begins() {
            summary.add_continuation(&mut traces, number, &text);
            continue;
        }
        let is_error = line.level.map(|(level, text)| {
            summary.add_level(level, text, number);
            level.is_error()
        });
        if is_error == Some(true) || number % stride == 0 {
            summary.templates.add(&message, number, is_error, &mut seen);
        }
    }
    if let Some((ranks, mut lines)) = ranked {
        ranks.fold(&mut lines);
        middle.set_lines(lines);
    }
    summary.into_outline(stride)
}

/// The facts that summarize the lines of a log.
#[derive(Default)]
struct Summary {
    lines: u64,
    first_time: Vec<u8>,
    last_time: Vec<u8>,
    levels: [LevelCount; Level::ALL.len()],
    templates: Templates,
    exceptions: Vec<(u64, String)>,
    omitted_exceptions: u64,
}

impl Summary {
    fn add_time(&mut self, time: &[u8]) {
        if self.first_time.is_empty() {
            self.first_time.extend_from_slice(time);
        }
        self.last_time.clear();
        self.last_time.extend_from_slice(time);
    }

    fn add_level(&mut self, level: Level, name: &[u8], number: u64) {
        let level = &mut self.levels[level as usize];
        if level.count == 0 {
            // The statuses of a web server are counted by class.
            level.name = match name {
                [class @ b'0'..=b'9', ..] => vec![*class, b'x', b'x'],
                _ => name.to_vec(),
            };
            level.first = number;
        }
        level.count += 1;
        level.last = number;
    }

    /// Adds a line that continues the entry before it.
    fn add_continuation<'a>(&mut self, traces: &mut Reader<'a>, number: u64, text: &Visible<'a>) {
        traces.read(number, text, &mut |event| {
            if let Event::Message { at, text, .. } = event {
                match self.exceptions.len() < MAX_LISTED {
                    true => self.exceptions.push((at, quoted(text.as_bytes(), QUOTED_BYTES))),
                    false => self.omitted_exceptions += 1,
                }
            }
        });
    }

    fn into_outline(self, stride: u64) -> Outline {
        let mut outline = Outline::default();
        let (first, last) = (quoted(&self.first_time, 40), quoted(&self.last_time, 40));
        let times = match first.is_empty() {
            true => String::new(),
            false => format!(", {first} to {last}"),
        };
        outline.push("kind", Entry::Text(format!("log: {}{times}", counted(self.lines, "line"))));
        let levels: Vec<_> = self
            .levels
            .iter()
            .zip(Level::ALL)
            .filter(|(counted, _)| counted.count > 0)
            .map(|(counted, level)| (quoted(&counted.name, 16), counted.describe(level)))
            .collect();
        outline.push_members("levels", levels, 0);
        let templates = self.templates.by_count();
        let (errors, others): (Vec<_>, Vec<_>) =
            templates.into_iter().partition(|template| template.is_error);
        push_templates(&mut outline, "errors", &errors);
        push_numbered(&mut outline, "exceptions", self.exceptions, self.omitted_exceptions);
        let name = match stride {
            1 => "templates".to_owned(),
            _ => format!("templates of 1 in {stride} lines"),
        };
        push_templates(&mut outline, &name, &others);
        outline
    }
}

/// The lines of one level.
#[derive(Default)]
struct LevelCount {
    name: Vec<u8>,
    count: u64,
    first: u64,
    last: u64,
}

impl LevelCount {
    /// Returns the count and, for warnings and errors, the first and the last line.
    fn describe(&self, level: Level) -> String {
        match (level <= Level::Warn, self.first == self.last) {
            (true, true) => format!("{}, line {}", self.count, self.first),
            (true, false) => format!("{}, lines {} to {}", self.count, self.first, self.last),
            (false, _) => self.count.to_string(),
        }
    }
}

/// Lists templates by the line of their first message.
fn push_templates(outline: &mut Outline, name: &str, templates: &[&Template]) {
    let members = templates.iter().take(MAX_LISTED).map(|template| {
        let times = if template.count == 1 { String::new() } else { format!("{} x ", template.count) };
        (template.first.to_string(), times + &template.pattern())
    });
    let omitted = templates.len().saturating_sub(MAX_LISTED);
    outline.push_members(name, members.collect(), omitted as u64);
}
