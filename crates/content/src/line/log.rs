//! A line of a log: its time, its level and its message.

use tuckaway_search::{EitherByte, find};

use super::level::{self, Level};
use super::time::{self, NO_FORM, SYSLOG};

/// Bytes at the head of a line in which time and level are searched.
const HEAD_BYTES: usize = 160;
/// Words after the time among which a level is searched.
const LEVEL_WORDS: usize = 6;
/// Maximum words before the time: addresses, names of processes.
const WORDS_BEFORE_TIME: usize = 5;

/// Words that PostgreSQL prints in place of a level, on lines that continue the line
/// above.
const BESIDE_LEVELS: [&[u8]; 5] = [b"STATEMENT:", b"DETAIL:", b"HINT:", b"CONTEXT:", b"QUERY:"];

/// The parts of a line.
pub struct Line<'a> {
    /// The time, as written.
    pub time: Option<&'a [u8]>,
    /// The form of the time, which the next line is likely to have as well.
    pub form: usize,
    /// The level, and its spelling.
    pub level: Option<(Level, &'a [u8])>,
    /// The message, without the fields that precede it in every line.
    pub message: &'a [u8],
}

impl Line<'_> {
    /// Returns whether an entry begins here, rather than continuing the line before.
    pub fn begins(&self) -> bool {
        self.time.is_some() || self.level.is_some()
    }
}

/// Parses a line; `likely` is the form of the last time.
pub fn parse(line: &[u8], likely: usize) -> Line<'_> {
    let line = after_service(line);
    let indented = line.first().is_some_and(|&b| b == b' ' || b == b'\t');
    let time = if indented { None } else { find_time(line, likely) };
    let Some(time) = time else {
        // Without a time, a level may still be the first word.
        let level = if indented { None } else { first_level(line) };
        let end = level.map_or(0, |(_, text, end)| end.max(text.len()));
        let level = level.map(|(level, text, _)| (level, text));
        return Line { time: None, form: likely, level, message: message(&line[end..]) };
    };
    let (text, form) = (Some(&line[time.start..time.end]), time.form);
    if let Some((level, status, message)) = access(line, time.end) {
        return Line { time: text, form, level: Some((level, status)), message };
    }
    let (level, after) = level_after(line, &time);
    Line { time: text, form, level, message: message(&line[after..]) }
}

/// Returns a line without the name that docker compose prints before a service's lines.
fn after_service(line: &[u8]) -> &[u8] {
    let head = &line[..line.len().min(48)];
    let Some(bar) = find::byte(b'|', head) else { return line };
    let name = head[..bar].trim_ascii_end();
    let is_name = !name.is_empty()
        && bar > name.len()
        && name.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b));
    let after = &line[bar + 1..];
    if is_name { after.strip_prefix(b" ").unwrap_or(after) } else { line }
}

/// A time in a line.
struct Time {
    start: usize,
    end: usize,
    form: usize,
}

/// Finds the time: at the start, in brackets, or after a few words.
fn find_time(line: &[u8], likely: usize) -> Option<Time> {
    let head = &line[..line.len().min(HEAD_BYTES)];
    // klog prints the level as a letter before the date.
    if is_klog(head) {
        return Some(Time { start: 1, end: 1 + klog_time_bytes(head), form: NO_FORM });
    }
    let in_likely_form = |text: &[u8]| time::in_form(text, likely).map(|len| (len, likely));
    let in_any_form = |text: &[u8]| time::at_start(text, NO_FORM);
    match likely {
        NO_FORM => find_with(head, WORDS_BEFORE_TIME, in_any_form),
        // Once a form is known, others are searched only at the start.
        _ => find_with(head, WORDS_BEFORE_TIME, in_likely_form).or_else(|| find_with(head, 0, in_any_form)),
    }
}

fn find_with(
    head: &[u8],
    words: usize,
    time_at_start: impl Fn(&[u8]) -> Option<(usize, usize)>,
) -> Option<Time> {
    let mut from = 0;
    for word in 0..=words {
        let opened = head[from..].iter().take_while(|b| matches!(b, b'[' | b'<' | b'(' | b'"')).count();
        let mut at = from + opened;
        if head.get(at) == Some(&b't')
            && let Some(key) =
                [&b"time="[..], b"ts=", b"t="].iter().find(|key| find::starts_with(&head[at..], key))
        {
            at += key.len();
            at += usize::from(head.get(at) == Some(&b'"'));
        }
        // Bare numbers after the first word are not times.
        if let Some((len, form)) = time_at_start(&head[at..])
            && (word == 0 || form < NO_FORM - 3)
        {
            return Some(Time { start: at, end: at + len, form });
        }
        from += head[from..].iter().position(|byte| matches!(byte, b' ' | b'\t'))? + 1;
    }
    None
}

fn is_klog(head: &[u8]) -> bool {
    matches!(head, [b'I' | b'W' | b'E' | b'F', b'0'..=b'1', a, b, c, b' ', d, e, b':', ..]
        if [a, b, c, d, e].iter().all(|b| b.is_ascii_digit()))
}

fn klog_time_bytes(head: &[u8]) -> usize {
    let end = head[6..].iter().position(|&b| b == b' ').unwrap_or(head.len() - 6);
    5 + end
}

/// Returns the level of a line without a time, which is its first word or `level=…`; its
/// spelling; and the end of that word.
fn first_level(line: &[u8]) -> Option<(Level, &[u8], usize)> {
    let head = &line[..line.len().min(HEAD_BYTES)];
    let end = find::byte(b' ', head).unwrap_or(head.len());
    let word = &head[..end];
    if let Some((level, text)) = keyed(word) {
        return Some((level, text, end));
    }
    let is_marked = word.first() == Some(&b'[') || matches!(word.last(), Some(b':' | b']'));
    let (level, text) = level::of_word(word)?;
    (is_marked || text.iter().all(u8::is_ascii_uppercase) && text.len() + 1 >= end)
        .then_some((level, text, end))
}

/// `level=warn`, `lvl="error"`.
#[inline(always)]
fn keyed(word: &[u8]) -> Option<(Level, &[u8])> {
    // Few words begin as a key does.
    if !matches!(word, [b'l', b'e' | b'v' | b'o', ..] | [b's' | b'L', b'e', ..]) {
        return None;
    }
    level_of_key(word)
}

#[inline(never)]
fn level_of_key(word: &[u8]) -> Option<(Level, &[u8])> {
    let keys = [&b"level="[..], b"lvl=", b"severity=", b"Level=", b"loglevel="];
    let key = keys.iter().find(|key| find::starts_with(word, key))?;
    level::of_word(&word[key.len()..])
}

/// A level, and its spelling.
type Written<'l> = (Level, &'l [u8]);

/// Returns the level after the time or, as `level=…`, before it, and the start of the
/// message.
fn level_after<'l>(line: &'l [u8], time: &Time) -> (Option<Written<'l>>, usize) {
    let head = &line[..line.len().min(time.end + HEAD_BYTES)];
    if time.form == NO_FORM {
        let level = level::of_letter(line[time.start - 1]);
        let after = find::byte(b']', head).map_or(time.end, |close| close + 1);
        return (level.map(|level| (level, &line[time.start - 1..time.start])), after);
    }
    let before = head[..time.start].split(|&b| b == b' ').find_map(keyed);
    if before.is_some() {
        return (before, time.end);
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let mut blanks = EitherByte::of(*b" \t");
    let mut at = time.end;
    let mut message_at = None;
    for index in 0..LEVEL_WORDS {
        at += head[at..].iter().take_while(is_blank).count();
        let end = blanks.next(head, at).unwrap_or(head.len());
        let word = &head[at..end];
        if word.is_empty() {
            break;
        }
        if BESIDE_LEVELS.contains(&word) {
            return (None, at);
        }
        if let Some((level, text)) = keyed(word).or_else(|| level::of_word(word)) {
            let upper = text.iter().all(u8::is_ascii_uppercase);
            let is_marked = word.len() > text.len();
            if upper && text.len() > 1 || is_marked || (message_at.is_none() && text.len() > 1) {
                return (Some((level, text)), end);
            }
        }
        // logcat prints process, thread and then a letter.
        if let &[letter] = word
            && index > 0
            && message_at.is_none()
            && let Some(level) = level::of_letter(letter)
        {
            return (Some((level, word)), end);
        }
        // Numbers, zones and the host are not part of the message.
        let is_host = time.form == SYSLOG && index == 0;
        let is_data = || !word.iter().any(u8::is_ascii_alphabetic) || matches!(word, b"UTC" | b"AM" | b"PM");
        if message_at.is_none() && !is_host && !is_data() {
            message_at = Some(at);
        }
        at = end;
    }
    (None, message_at.unwrap_or(time.end))
}

/// Parses the line of a web server. Returns the level of the status, the status, and
/// the request with its status.
fn access(line: &[u8], time_end: usize) -> Option<(Level, &[u8], &[u8])> {
    let rest = &line[time_end..];
    let request = rest.strip_prefix(b"] \"")?;
    let from = time_end + 3;
    let close = find::text(b"\" ", &request[..request.len().min(4_096)])?;
    let status = request.get(close + 2..close + 5).filter(|s| s.iter().all(u8::is_ascii_digit))?;
    let level = match status[0] {
        b'5' => Level::Error,
        b'4' => Level::Warn,
        b'3' => Level::Notice,
        _ => Level::Info,
    };
    Some((level, status, &line[from..from + close + 5]))
}

/// Returns the message without the names of threads and the marks before it.
fn message(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = rest.trim_ascii();
        if let Some(after) = rest.strip_prefix(b"- ") {
            rest = after;
        } else if let [b']' | b':' | b'"' | b'|' | b'>', after @ ..] = rest {
            rest = after;
        } else if rest.first() == Some(&b'[')
            && let Some(close) = closing(&rest[..rest.len().min(HEAD_BYTES)])
            && close + 1 < rest.len()
        {
            rest = &rest[close + 1..];
        } else {
            return rest;
        }
    }
}

/// Returns the end of the bracket at the start of a text.
fn closing(text: &[u8]) -> Option<usize> {
    let close = find::byte(b']', text)?;
    if find::last_byte(b'[', &text[..close]) == Some(0) {
        return Some(close);
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at),
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_many_systems_are_parsed() {
        for (line, level, message) in [
            ("2015-10-18 18:01:47,978 INFO [main] org.a.B: Created", "INFO", "org.a.B: Created"),
            ("081109 203615 148 INFO dfs.DataNode: x", "INFO", "dfs.DataNode: x"),
            ("2015-07-29 17:41:44,747 - WARN  [Quorum[myid=1]/0:0@774] - Broken", "WARN", "Broken"),
            ("[Sun Dec 04 04:47:44 2005] [error] [client 1.2.3.4] denied", "error", "denied"),
            ("Dec 10 06:55:46 LabSZ sshd[24200]: Invalid user", "-", "sshd[24200]: Invalid user"),
            ("time=\"2024-01-02T03:04:05Z\" level=warning msg=\"slow\"", "warning", "msg=\"slow\""),
            ("level=error ts=2024-01-02T03:04:05.6Z caller=x.go:1 msg=y", "error", "caller=x.go:1 msg=y"),
            ("E0102 15:04:05.123456   12345 pod.go:12] no pod", "E", "no pod"),
            ("01-02 03:04:05.678  1234  5678 E Tag: failed", "E", "Tag: failed"),
            ("web-1  | 2024-01-02 03:04:05 ERROR down", "ERROR", "down"),
            ("2016-09-28 04:30:30, Info                  CBS    Loaded", "Info", "CBS    Loaded"),
            ("2024-01-02 03:04:05,123 - app.db - ERROR - no row", "ERROR", "no row"),
            ("[ERROR] no connection", "ERROR", "no connection"),
            ("fail: Microsoft.Hosting[0] x", "fail", "Microsoft.Hosting[0] x"),
            (
                "1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 502 23 \"-\"",
                "502",
                "GET /a HTTP/1.0\" 502",
            ),
            ("2024-01-02 03:04:05.123 UTC [12] ERROR:  relation", "ERROR", "relation"),
            ("\tat org.a.B(B.java:1)", "-", "at org.a.B(B.java:1)"),
        ] {
            let parsed = parse(line.as_bytes(), NO_FORM);
            let written = parsed.level.map_or("-", |(_, text)| std::str::from_utf8(text).unwrap());
            assert_eq!((written, std::str::from_utf8(parsed.message).unwrap()), (level, message), "{line}");
        }
    }
}
