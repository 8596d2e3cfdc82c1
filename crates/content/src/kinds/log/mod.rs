//! Logs: lines that begin with a time, a level, or both.

mod templates;

use crate::hashes::Hashes;
use crate::line::error::looks_like_error;
use crate::line::level::Level;
use crate::line::quoted;
use crate::line::{log as line, time};
use crate::outline::{Entry, Outline};
use crate::sample::Sample;
use crate::stack::Folder;
use crate::stack::{Event, Reader};
use crate::truncate::select::{self, Middle, Worth};
use templates::{Template, Templates};
use tuckaway_text::visible::{Visible, VisibleLines, visible};

/// Lines of a sample that tell what it is.
const TOLD_BY: usize = 300;
/// Messages of more than this are grouped by every so many-th line.
const GROUPED_BYTES: usize = 8 << 20;
/// Templates, errors and exceptions that a shape names at most.
const NAMED: usize = 24;
/// Warnings that a view shows rather than what is near its ends.
const WARNINGS: usize = 8;
/// Bytes of an exception's message.
const QUOTED: usize = 120;

/// Whether of the lines that begin something most begin with a time or a level.
pub fn detect(sample: &Sample) -> bool {
    let (mut begin, mut others, mut timed) = (0, 0, 0);
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    for text in sample.lines().filter(|line| !line.trim().is_empty()).take(TOLD_BY) {
        let text = visible(text.as_bytes());
        let line = line::read(&text, form);
        form = line.form;
        if line.begins() {
            begin += 1;
            timed += usize::from(line.time.is_some());
        } else if !traces.is_part(&text) && !text.starts_with(b" ") && !text.starts_with(b"\t") {
            others += 1;
        }
    }
    // A level alone begins many a line that is no log's.
    begin >= if timed * 2 >= begin { 2 } else { 4 } && begin > 2 * others
}

/// Lines, the first and the last time, levels, errors and templates.
pub fn outline(bytes: &[u8]) -> Outline {
    let stride = (bytes.len() / GROUPED_BYTES + 1) as u64;
    let mut found = Found::default();
    let mut form = time::NO_FORM;
    let mut traces = Reader::default();
    for (number, text) in VisibleLines::of(bytes) {
        found.lines = number;
        let line = line::read(&text, form);
        form = line.form;
        if let Some(time) = line.time {
            found.time(time);
        }
        if !line.begins() {
            found.goes_on(&mut traces, number, &text);
            continue;
        }
        let grave = line.level.map(|(level, text)| {
            found.level(level, text, number);
            level.is_error()
        });
        if grave == Some(true) || number % stride == 0 {
            found.templates.add(line.message, number, grave);
        }
    }
    found.entries(stride)
}

#[derive(Default)]
struct Found {
    lines: u64,
    first_time: Vec<u8>,
    last_time: Vec<u8>,
    levels: [Counted; Level::ALL.len()],
    templates: Templates,
    exceptions: Vec<(u64, String)>,
    more_exceptions: u64,
}

#[derive(Default)]
struct Counted {
    name: Vec<u8>,
    count: u64,
    first: u64,
    last: u64,
}

impl Found {
    fn time(&mut self, time: &[u8]) {
        if self.first_time.is_empty() {
            self.first_time.extend_from_slice(time);
        }
        self.last_time.clear();
        self.last_time.extend_from_slice(time);
    }

    fn level(&mut self, level: Level, name: &[u8], number: u64) {
        let counted = &mut self.levels[level as usize];
        if counted.count == 0 {
            // Statuses of a web server are counted by their class.
            counted.name = match name {
                [class @ b'0'..=b'9', ..] => vec![*class, b'x', b'x'],
                _ => name.to_vec(),
            };
            counted.first = number;
        }
        counted.count += 1;
        counted.last = number;
    }

    /// A line that belongs to the entry before.
    fn goes_on<'a>(&mut self, traces: &mut Reader<'a>, number: u64, text: &Visible<'a>) {
        traces.read(number, text, &mut |event| {
            if let Event::Message { at, text, .. } = event {
                match self.exceptions.len() < NAMED {
                    true => self.exceptions.push((at, quoted(text.as_bytes(), QUOTED))),
                    false => self.more_exceptions += 1,
                }
            }
        });
    }

    fn entries(self, stride: u64) -> Outline {
        let mut entries = Outline::default();
        let (first, last) = (quoted(&self.first_time, 40), quoted(&self.last_time, 40));
        let times = match first.is_empty() {
            true => String::new(),
            false => format!(", {first} to {last}"),
        };
        entries.push("kind", Entry::Text(format!("log: {}{times}", counted(self.lines, "line"))));
        let levels: Vec<_> = self
            .levels
            .iter()
            .zip(Level::ALL)
            .filter(|(counted, _)| counted.count > 0)
            .map(|(counted, level)| (quoted(&counted.name, 16), counted.described(level)))
            .collect();
        entries.push_members("levels", levels, 0);
        let (errors, others): (Vec<_>, Vec<_>) =
            self.templates.by_count().into_iter().partition(|template| template.is_error);
        push_templates(&mut entries, "errors", &errors);
        entries.push_members("exceptions", as_members(self.exceptions), self.more_exceptions);
        let name = match stride {
            1 => "templates".to_owned(),
            _ => format!("templates of 1 in {stride} lines"),
        };
        push_templates(&mut entries, &name, &others);
        entries
    }
}

impl Counted {
    fn described(&self, level: Level) -> String {
        match (level <= Level::Warn, self.first == self.last) {
            (true, true) => format!("{}, line {}", self.count, self.first),
            (true, false) => format!("{}, lines {} to {}", self.count, self.first, self.last),
            (false, _) => self.count.to_string(),
        }
    }
}

/// `1 line`, `2 lines`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn as_members(numbered: Vec<(u64, String)>) -> Vec<(String, String)> {
    numbered.into_iter().map(|(number, text)| (number.to_string(), text)).collect()
}

/// Templates by the line of their first message.
fn push_templates(entries: &mut Outline, name: &str, templates: &[Template]) {
    let members = templates.iter().take(NAMED).map(|template| {
        let times = if template.count == 1 { String::new() } else { format!("{} x ", template.count) };
        (template.first.to_string(), times + &template.pattern())
    });
    let more = templates.len().saturating_sub(NAMED);
    entries.push_members(name, members.collect(), more as u64);
}

/// Both ends, errors and some warnings, of which those that say the same stand
/// once; traces folded.
pub fn truncate(text: &str, max: usize, middle: &mut Middle) -> String {
    let mut lines = select::lines(text, max, middle);
    let mut form = time::NO_FORM;
    let mut seen = Hashes::default();
    let mut warnings = 0;
    let mut traces = Folder::default();
    for (index, line) in lines.iter_mut().enumerate() {
        let shown = visible(line.text(text).as_bytes());
        let read = line::read(&shown, form);
        form = read.form;
        if !read.begins() {
            traces.read(index, &shown);
            continue;
        }
        let level = match read.level {
            Some((level, _)) => level,
            None if looks_like_error(read.message) => Level::Error,
            None => Level::Info,
        };
        if level.is_error() {
            let is_new = seen.is_new(select::gist(read.message));
            line.worth = Worth::Rank(if is_new { level as u8 } else { 4 });
        } else if level == Level::Warn && warnings < WARNINGS && seen.is_new(select::gist(read.message)) {
            warnings += 1;
            line.worth = Worth::Rank(3);
        }
    }
    traces.fold(&mut lines, 2);
    select::render(text, &lines, max)
}
