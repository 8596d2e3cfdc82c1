//! Classifies lines of builds and tests: by their prefix, by the location that they
//! name, or by another form.

use tuckaway_search::find;

use super::excerpt::without_lead;
use super::forms::by_form;
use super::line::Meaning::{Context, Error, Warning, Why};
use super::line::{Meaning, Tool, ToolLine};
use super::prefixes::{self, Prefix};
use super::refine::Prefixed;
use super::why::why;

/// Bytes of a line that are inspected.
const LINE_BYTES: usize = 500;

/// Classifies a line without colours; none if it is no line of a tool.
pub fn classify(line: &[u8]) -> Option<ToolLine> {
    let line = &line[..line.len().min(LINE_BYTES)];
    let text = without_lead(line);
    let first = *text.first()?;
    let is_prefix = |prefix: &&Prefix| {
        // Mostly the second byte differs.
        let prefix = prefix.text.as_bytes();
        prefix.get(1).is_none_or(|second| text.get(1) == Some(second)) && find::starts_with(text, prefix)
    };
    match prefixes::beginning_with(first).iter().find(is_prefix) {
        Some(prefix) => by_prefix(prefix, line, text),
        None => go_message(line, text)
            .or_else(|| by_location(text))
            .or_else(|| by_form(line, text))
            .or_else(|| why(text)),
    }
}

/// Classifies what a Go test logs: `    cart_test.go:13: got 3, want 78`.
fn go_message(line: &[u8], text: &[u8]) -> Option<ToolLine> {
    if !matches!(line.first(), Some(b' ' | b'\t')) {
        return None;
    }
    let at = find::text(b"_test.go:", text)?;
    let has_space = find::byte(b' ', &text[..at]).is_some();
    (!has_space).then_some(ToolLine::new(Tool::Go, Why, 1))
}

fn by_prefix(prefix: &Prefix, line: &[u8], text: &[u8]) -> Option<ToolLine> {
    let Some(refine) = prefix.refine else { return Some(prefix.line) };
    refine(&Prefixed {
        text,
        rest: &text[prefix.text.len()..],
        is_indented: matches!(line.first(), Some(b' ' | b'\t')),
        default: prefix.line,
    })
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
            // go vet and the Go compiler print no word: `./a.go:12:5: undefined: x`.
            if is_location && find::text(b".go:", location).is_some() {
                return Some(ToolLine::new(Tool::Go, Error, 2));
            }
            if is_location && matches!(message, b"Failure" | b"FAILED:") {
                return Some(ToolLine::new(Tool::CppTest, Error, 2));
            }
            // `a.js:1:7: 'x' is not defined. [Error/no-undef]`
            if is_location && find::text(b" [Error/", message).is_some() {
                return Some(ToolLine::new(Tool::Eslint, Error, 2));
            }
            if is_location && let Some(meaning) = rule(message) {
                return Some(ToolLine::new(Tool::Linter, meaning, 2));
            }
            continue;
        };
        // Other programs print a time before a dash.
        let is_location = is_location || is_dashed && rest.starts_with(b" TS");
        return Some(match (is_location, meaning) {
            (true, Context) => ToolLine::new(Tool::Any, Context, 0),
            (true, _) => ToolLine::new(compiler(location, is_dashed, rest), meaning, 2),
            // Only linkers omit the location, and any program may print `error`. Alone it is a
            // value: `severity: error`.
            (false, _) if rest.is_empty() => return None,
            (false, Context) => return None,
            (false, _) => ToolLine::new(Tool::Any, meaning, 0),
        });
    }
    None
}

/// Returns what the first word of a compiler's message means, and the rest of it.
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

/// Returns the meaning of a message that begins with the code of a linter's rule:
/// `F401 'os' imported but unused`, `W0612: Unused variable`, `[F401] …`.
fn rule(message: &[u8]) -> Option<Meaning> {
    let message = message.strip_prefix(b"[").unwrap_or(message);
    let letters = message.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let digits = message[letters..].iter().take_while(|b| b.is_ascii_digit()).count();
    let ends = matches!(message.get(letters + digits), Some(b' ' | b':' | b']'));
    if !(1..=4).contains(&letters) || !(3..=4).contains(&digits) || !ends {
        return None;
    }
    // pylint has codes of one letter and four digits, most of which are advice.
    let is_advice = letters == 1 && digits == 4 && matches!(message[0], b'W' | b'C' | b'R' | b'I');
    Some(if is_advice { Warning } else { Error })
}

/// Returns the compiler that prints a message with a location.
fn compiler(location: &[u8], is_dashed: bool, rest: &[u8]) -> Tool {
    if find::text(b".py:", location).is_some() {
        Tool::Mypy
    } else if is_dashed || rest.starts_with(b" TS") {
        Tool::TypeScript
    } else if [&b" CS"[..], b" NU", b" MSB"].iter().any(|code| rest.starts_with(code)) {
        Tool::Dotnet
    } else if find::text(b".java", location).is_some() {
        Tool::Javac
    } else {
        Tool::Compiler
    }
}
