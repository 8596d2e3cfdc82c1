//! The lines around content: lines that a shell or a tool prints before and after it.
//!
//! ```text
//! npm warn deprecated …       ─► lead
//! <?xml version="1.0"?> …     ─► content, of any kind
//! Done in 1.24s.              ─► trail
//! ```

use std::ops::Range;

use tuckaway_search::{LineSpans, find};
use tuckaway_text::counted;

use crate::line::quoted;
use crate::runs;
use crate::wording;

/// Maximum lines before content, and their maximum bytes.
const MOST_LINES: usize = 24;
const MOST_BYTES: usize = 8 << 10;

/// Starts of messages before content, in addition to those of tools that run others.
const LEADS: [&[u8]; 16] = [
    b"$ ",
    b"PS ",
    b"Picked up ",
    b"Warning: ",
    b"warning: ",
    b"WARNING: ",
    b"[warn",
    b"[WARN",
    b"Note: ",
    b"note: ",
    b"(node:",
    b"(Use `node ",
    b"  % Total    % Received",
    b"                                 Dload",
    b"DeprecationWarning: ",
    b"Debugger attached",
];
/// Starts of messages after content, in addition to those of tools that run others.
const TRAILS: [&[u8]; 5] = [b"$ ", b"real\t", b"user\t", b"sys\t", b"Waiting for the debugger"];
/// Starts of documents; no message contains them.
const DOCUMENTS: [&[u8]; 5] = [b"<?xml ", b"<!doctype html", b"<!DOCTYPE html", b"<html", b"<testsuite"];

/// Content with other lines before or after it.
pub struct Framed<'a> {
    /// The lines before it.
    pub lead: &'a [u8],
    /// The content.
    pub content: &'a [u8],
    /// The lines after it.
    pub trail: &'a [u8],
}

impl<'a> Framed<'a> {
    /// Finds the lines around content by their starts; none if there are no such lines, or no
    /// others.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(MOST_BYTES)];
        let start = lead_bytes(head);
        let end = bytes.len() - trail_bytes(&bytes[start..]);
        let framed = Framed { lead: &bytes[..start], content: &bytes[start..end], trail: &bytes[end..] };
        let is_framed = !framed.lead.trim_ascii().is_empty() || !framed.trail.trim_ascii().is_empty();
        (is_framed && !framed.content.trim_ascii().is_empty()).then_some(framed)
    }

    /// Returns the content on its original line numbers: the lines before it are empty.
    pub fn in_place(&self) -> Vec<u8> {
        let mut bytes = vec![b'\n'; find::count(b'\n', self.lead)];
        bytes.extend_from_slice(self.content);
        bytes
    }

    /// Returns whether the lines before the content are no part of it even if it is plain text.
    pub fn is_before_text(&self) -> bool {
        runs::is_before_text(self.lead)
    }

    /// Returns the range of the content.
    pub fn range(&self) -> Range<usize> {
        self.lead.len()..self.lead.len() + self.content.len()
    }

    /// Describes the number of lines around the content.
    pub fn note(&self) -> String {
        let lines = |bytes: &[u8]| counted(tuckaway_text::count_lines(bytes.trim_ascii()), "line");
        match (self.lead.is_empty(), self.trail.trim_ascii().is_empty()) {
            (false, true) => format!("{} before it", lines(self.lead)),
            (true, _) => format!("{} behind it", lines(self.trail)),
            (false, false) => format!("{} before it, {} behind it", lines(self.lead), lines(self.trail)),
        }
    }
}

/// Returns the first line of a response with headers before its content: `HTTP/1.1 200 OK`.
pub fn status(bytes: &[u8]) -> Option<String> {
    const STATUS_BYTES: usize = 80;
    let line = bytes[..bytes.len().min(MOST_BYTES)].split(|byte| *byte == b'\n').next()?;
    line.starts_with(b"HTTP/").then(|| quoted(line, STATUS_BYTES))
}

/// Returns the bytes of the lines before content.
fn lead_bytes(head: &[u8]) -> usize {
    let is_response = head.starts_with(b"HTTP/");
    let (mut end, mut in_headers) = (0, is_response);
    for (index, span) in LineSpans::of(head).take(MOST_LINES).enumerate() {
        let line = span.line.trim_ascii_end();
        if line.starts_with(b"```") {
            break;
        }
        if DOCUMENTS.iter().any(|start| line.starts_with(start)) {
            // Whatever is before a declared document is not part of it.
            return span.start;
        }
        let is_lead =
            in_headers || line.is_empty() && index > 0 || is_message(line, &LEADS) || runs::is_before(line);
        in_headers &= !line.is_empty();
        if is_lead && end == span.start && span.end < head.len() {
            end = span.end;
        }
    }
    end
}

/// Returns the bytes of the lines after content, including empty lines before them.
fn trail_bytes(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    let mut rest = bytes;
    for _ in 0..MOST_LINES {
        let text = rest.trim_ascii_end();
        let start = find::last_byte(b'\n', &text[text.len().saturating_sub(MOST_BYTES)..]);
        let Some(start) = start.map(|feed| text.len().saturating_sub(MOST_BYTES) + feed + 1) else { break };
        if !is_message(&text[start..], &TRAILS) && !runs::is_after(&text[start..]) {
            break;
        }
        end = start;
        rest = &bytes[..start];
    }
    bytes.len() - end
}

/// Returns whether a line is a message of a tool, or a prompt with a command.
fn is_message(line: &[u8], starts: &[&[u8]]) -> bool {
    let begins = |start: &&[u8]| line.starts_with(start) || line == start.trim_ascii_end();
    starts.iter().any(begins) || is_prompt(line)
}

/// Returns whether a line is `user@host:~/work$ command`.
fn is_prompt(line: &[u8]) -> bool {
    const PROMPT_BYTES: usize = 80;
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let prompt = &line[..line.len().min(PROMPT_BYTES)];
    let Some(end) = prompt.iter().position(|byte| b"$#".contains(byte)) else { return false };
    let name = prompt[..end].split(|byte| b": ".contains(byte)).next().unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(byte);
    find::byte(b'@', name).is_some_and(|at| at > 0)
        && name.iter().all(is_name)
        && matches!(prompt.get(end + 1), None | Some(b' '))
}

/// Returns lines around content in at most `max` bytes: the first of them, such as the status of a
/// response, and a note that the others are omitted.
pub fn shown(lines: &str, max: usize) -> String {
    if lines.len() <= max {
        return lines.to_owned();
    }
    let note = |omitted: &str| wording::omitted_lines(tuckaway_text::count_lines(omitted.as_bytes())) + "\n";
    let (first, rest) = lines.split_at(lines.find('\n').map_or(lines.len(), |feed| feed + 1));
    let with_first = format!("{first}{}", note(rest));
    let shown = [with_first, note(lines)].into_iter().find(|shown| shown.len() <= max && !rest.is_empty());
    shown.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, &str, &str)> {
        let text_of = |bytes| std::str::from_utf8(bytes).unwrap();
        Framed::of(text.as_bytes()).map(|f| (text_of(f.lead), text_of(f.content), text_of(f.trail)))
    }

    #[test]
    fn lines_around_content_are_found() {
        for (text, expected) in [
            ("npm warn a\n{}\n", ("npm warn a\n", "{}\n", "")),
            ("$ cat a\n\n[1]\nDone in 1s.\n", ("$ cat a\n\n", "[1]\n", "Done in 1s.\n")),
            (
                "HTTP/1.1 200 OK\r\nServer: x\r\n\r\n<a/>",
                ("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", "<a/>", ""),
            ),
            ("ERROR printed\n<testsuite name=\"a\"/>", ("ERROR printed\n", "<testsuite name=\"a\"/>", "")),
            ("any words\n<?xml version=\"1.0\"?><a/>", ("any words\n", "<?xml version=\"1.0\"?><a/>", "")),
            ("> a@1.0.0 b\n> node b.js\n\na: 1\n", ("> a@1.0.0 b\n> node b.js\n\n", "a: 1\n", "")),
            ("ada@host:~/x$ ls\na\n\nada@host:~/x$ \n", ("ada@host:~/x$ ls\n", "a\n", "\nada@host:~/x$ \n")),
        ] {
            let found = parts(text).unwrap_or_default();
            assert_eq!(
                (found.0, found.1.trim_end(), found.2.trim()),
                (expected.0, expected.1.trim_end(), expected.2.trim()),
                "{text:?}"
            );
            assert_eq!([found.0, found.1, found.2].concat(), text);
        }
        for text in
            ["", "{}", "npm warn a", "$ ls\n", "a\nb\n", "> quoted\ntext\n", "\n\na: 1\n", "a@b c\nd\n"]
        {
            assert_eq!(parts(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_first_line_around_content_stays() {
        let lines =
            "HTTP/1.1 500 Internal Server Error\nServer: x\nX-Trace: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\n";
        assert_eq!(shown(lines, 200), lines);
        let cut = shown(lines, 80);
        assert!(cut.starts_with("HTTP/1.1 500 Internal Server Error\n") && cut.len() <= 80, "{cut}");
        assert!(!shown(lines, 40).contains("HTTP") && shown(lines, 4).is_empty());
    }

    #[test]
    fn content_keeps_its_lines() {
        let framed = Framed::of(b"$ a\n\nb\nc\n$ \n").unwrap();
        assert_eq!(framed.in_place(), b"\n\nb\nc\n");
        assert_eq!(framed.note(), "1 line before it, 1 line behind it");
    }
}
