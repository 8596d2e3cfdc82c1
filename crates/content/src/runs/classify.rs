//! Classifies lines of builds and tests: by their start, by the location that they name, or
//! by another form.

use tuckaway_search::find;

use super::Tool;
use super::excerpt::without_lead;
use super::line::Meaning::{Context, Error, Warning};
use super::line::{Meaning, ToolLine};
use super::profile::Located;
use super::rule::Matched;
use super::rules::{self, COMPILERS, Entry, INDENTED, LOCATED};
use super::why::why;
use crate::bytes::are_same;

/// Bytes of a line that are inspected.
const LINE_BYTES: usize = 500;

/// Classifies a line without colours; none if it is not a line of a tool.
pub fn classify(line: &[u8]) -> Option<ToolLine> {
    let line = &line[..line.len().min(LINE_BYTES)];
    Classifier::default().classify(line, without_lead(line))
}

/// Classifies the lines of a text, one after the other: many are like the one before.
#[derive(Default)]
pub struct Classifier {
    /// The rule that the last such line fits, if no longer text of a rule begins with its text.
    likely: Option<&'static Entry>,
}

impl Classifier {
    /// Classifies a line like [`classify`], with what it is [`without_lead`].
    pub fn read(&mut self, line: &[u8], text: &[u8]) -> Option<ToolLine> {
        if line.len() > LINE_BYTES {
            return classify(line);
        }
        self.classify(line, text)
    }

    fn classify(&mut self, line: &[u8], text: &[u8]) -> Option<ToolLine> {
        let first = *text.first()?;
        if let Some(entry) = self.likely.filter(|entry| begins(text, entry)) {
            return by_entry(entry, line, text, 0);
        }
        let rules = rules::prefixes(first);
        let Some(at) = rules.iter().position(|entry| begins(text, entry)) else {
            return by_more(line, text);
        };
        let entry = &rules[at];
        // Those before it are not shorter.
        let is_longest = !rules[..at].iter().any(|longer| begins(longer.text, entry));
        self.likely = Some(entry).filter(|_| is_longest);
        by_entry(entry, line, text, 0)
    }
}

/// Returns whether a text begins with that of a rule.
fn begins(text: &[u8], entry: &Entry) -> bool {
    // Mostly the second byte differs.
    let start = entry.text;
    start.get(1).is_none_or(|second| text.get(1) == Some(second))
        && text.get(..start.len()).is_some_and(|text| are_same(text, start))
}

/// Classifies a line by more than how it begins.
fn by_more(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    by_indentation(line, text)
        .or_else(|| by_location(text))
        .or_else(|| by_form(line, text))
        .or_else(|| why(text))
}

/// Classifies a line that an entry fits; `digits` is the length of the number that the line
/// begins with.
fn by_entry(entry: &Entry, line: &[u8], text: &[u8], digits: usize) -> Option<ToolLine> {
    let Some(refine) = entry.refine else { return Some(entry.line) };
    let (number, rest) = text.split_at(digits);
    refine(&Matched { line, text, number, rest: &rest[entry.text.len()..], default: entry.line })
}

fn by_indentation(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    if !matches!(line.first(), Some(b' ' | b'\t')) {
        return None;
    }
    INDENTED.iter().find_map(|(_, classify)| classify(text))
}

/// Classifies a line by its first and its last byte, and then by the rules for them; `text` is not
/// empty.
fn by_form(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    let (first, last) = (text[0], text[text.len() - 1]);
    if first.is_ascii_digit() {
        return by_count(line, text);
    }
    let fits = |entry: &&Entry| {
        (entry.last.is_empty() || entry.last.contains(&last)) && find::starts_with(text, entry.text)
    };
    rules::forms(first).iter().filter(fits).find_map(|entry| by_entry(entry, line, text, 0))
}

/// Classifies a line that begins with a number, or with the numbers of a line and a column, by the
/// text after it.
fn by_count(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
    let rest = &text[digits..];
    let entries = rules::counts(*rest.first()?).iter().filter(|entry| find::starts_with(rest, entry.text));
    entries.filter_map(|entry| by_entry(entry, line, text, digits)).next()
}

/// Classifies `file:12:5: error: …`, `file(12,5): error CS1: …` and
/// `file:12:5 - error TS1: …`.
fn by_location(text: &[u8]) -> Option<ToolLine> {
    let mut from = 0;
    // The message follows one of the first colons.
    for _ in 0..6 {
        let colon = from + find::byte(b':', text.get(from..)?)?;
        from = colon + 1;
        let after = &text[from..];
        let (is_dashed, message) = match after {
            [b' ', message @ ..] => (false, message),
            [b'0'..=b'9', ..] => {
                let space = after.iter().position(|&b| b == b' ').unwrap_or(after.len());
                let Some(message) = after[space..].strip_prefix(b" - ") else { continue };
                (true, message)
            }
            _ => continue,
        };
        let location = &text[..colon];
        // CTest numbers what tests print: `1: error: no`.
        let is_location = matches!(location.last(), Some(b'0'..=b'9' | b')'))
            && location.iter().any(|b| !b.is_ascii_digit());
        let Some((meaning, rest)) = meaning_of(message) else {
            // `./a.go:12:5: undefined: x`, `a.js:1:7: 'x' is not defined. [Error/no-undef]`
            let located = Located { location, message, rest: b"", is_dashed, is_location };
            let tools = LOCATED.iter().filter(|_| is_location);
            let mut found = tools.filter_map(|(tool, meaning)| Some((*tool, meaning(&located)?)));
            if let Some((tool, meaning)) = found.next() {
                return Some(ToolLine::new(tool, meaning, 2));
            }
            continue;
        };
        let located = Located { location, message, rest, is_dashed, is_location };
        let compiler = COMPILERS.iter().find(|(_, compiles)| compiles(&located)).map(|(tool, _)| *tool);
        return Some(match (is_location || compiler.is_some(), meaning) {
            (true, Context) => ToolLine::new(Tool::Any, Context, 0),
            // `a.py:3: error = no` is code.
            (true, _) if rest.starts_with(b" =") => return None,
            (true, _) => ToolLine::new(compiler.unwrap_or(Tool::Compiler), meaning, 2),
            // Only linkers omit the location, and any program may print `error`. Alone it is a
            // value: `severity: error`.
            (false, _) if rest.is_empty() => return None,
            (false, Context) => return None,
            (false, _) => ToolLine::new(Tool::Any, meaning, 0),
        });
    }
    None
}

/// Returns the meaning of the first word of a compiler's message, and the rest of the message.
fn meaning_of(message: &[u8]) -> Option<(Meaning, &[u8])> {
    // Most messages begin with another letter.
    if !matches!(message, [b'e' | b'f' | b'w' | b'u' | b'n' | b'm', ..]) {
        return None;
    }
    let words: [(&[u8], Meaning); 6] = [
        (b"error", Error),
        (b"fatal error", Error),
        (b"warning", Warning),
        (b"undefined reference to", Error),
        (b"note:", Context),
        (b"multiple definition of", Error),
    ];
    let is_word =
        |rest: &&[u8]| !matches!(rest, [b'_' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z', ..]);
    words.into_iter().find_map(|(word, meaning)| Some((meaning, message.strip_prefix(word).filter(is_word)?)))
}
