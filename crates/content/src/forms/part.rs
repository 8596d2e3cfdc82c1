//! The parts of a line that has a form: a mode, a size, a path.

use tuckaway_search::find;

use crate::columns::number;

/// The kind of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Digits.
    Number,
    /// A number of bytes, perhaps with a unit: `4096`, `8.0K`, `-` if there is none.
    Size,
    /// The mode of a file: `drwxr-xr-x`.
    Mode,
    /// Hexadecimal digits of a checksum or an object of Git, or a UUID.
    Hash,
    /// The time of a file: `Nov 25 14:38`, `2026-11-25 14:38`.
    Date,
    /// The abbreviated or whole hash of a commit.
    Commit,
    /// The state of a file in Git: two letters, or a letter and a space.
    State,
    /// Anything without spaces, up to the text after it.
    Word,
    /// The name of a file, with its extension, before the text after it.
    File,
    /// The scheme of an address: `https`.
    Scheme,
    /// The name of a metric.
    Metric,
    /// The value of a metric: a number, or a word for what is none.
    Value,
    /// The time of a value, in milliseconds, or nothing.
    Timestamp,
    /// Braces with their content, or nothing.
    Braces,
    /// Anything up to the text after it, or nothing.
    Field,
    /// Brackets with their content, or nothing.
    Note,
    /// The path of a file.
    Path,
    /// The path of a file before a number and another colon.
    Numbered,
    /// The rest of the line, or nothing.
    Text,
}

/// The longest path.
const PATH_BYTES: usize = 4_096;
/// The digits of the shortest checksum.
const HASH_DIGITS: usize = 32;
/// The digits between the dashes of a UUID.
const UUID_DIGITS: [usize; 5] = [8, 4, 4, 4, 12];

impl Part {
    /// Returns the length of such a part at the start of a text, if it ends with `end`.
    pub fn len(self, text: &[u8], end: &str) -> Option<usize> {
        let len = match self {
            Part::Number => text.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            Part::Size => size(text),
            Part::Mode => mode(text)?,
            Part::Hash => hash(text)?,
            Part::Date => date(text)?,
            Part::Commit => commit(text)?,
            Part::State => state(text)?,
            Part::Word => word(text, end)?,
            Part::File => word(text, end).filter(|&len| has_extension(&text[..len]))?,
            Part::Scheme => text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count(),
            Part::Metric => text.iter().take_while(|byte| is_metric(**byte)).count(),
            Part::Value => word(text, " ").filter(|&len| is_value(&text[..len]))?,
            Part::Timestamp => return Some(text.iter().take_while(|byte| byte.is_ascii_digit()).count()),
            Part::Braces => return enclosed(text, *b"{}"),
            Part::Field => return find::text(end.as_bytes(), text).filter(|&len| len <= PATH_BYTES),
            Part::Note => return enclosed(text, *b"[]"),
            Part::Path => path(text, end)?,
            Part::Numbered => numbered(text)?,
            Part::Text => return Some(text.len()),
        };
        (len > 0).then_some(len)
    }

    /// Returns whether values of the part are text, even if they look like numbers.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Part::Path | Part::Numbered | Part::Text | Part::Hash | Part::Commit | Part::State | Part::File
        )
    }
}

fn hash(text: &[u8]) -> Option<usize> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let uuid = text.split(|byte| *byte == b'-').take(UUID_DIGITS.len()).map(digits);
    let len = match digits(text) {
        8 if uuid.eq(UUID_DIGITS) => UUID_DIGITS.iter().sum::<usize>() + UUID_DIGITS.len() - 1,
        digits => digits,
    };
    (len >= HASH_DIGITS).then_some(len)
}

/// Returns the length of 7 to 12 or 40 hexadecimal digits. Addresses begin with zeros.
fn commit(text: &[u8]) -> Option<usize> {
    let digits =
        text.iter().take_while(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase()).count();
    (matches!(digits, 7..=12 | 40) && !text.starts_with(b"000")).then_some(digits)
}

fn state(text: &[u8]) -> Option<usize> {
    let state = text.get(..2)?;
    (state != b"  " && state.iter().all(|byte| b" MTADRCU?!".contains(byte))).then_some(2)
}

/// Returns the length of a word. What ends it may also be a part of it.
fn word(text: &[u8], end: &str) -> Option<usize> {
    let len = text.iter().take_while(|byte| !matches!(byte, b' ' | b'\t')).count();
    if end.is_empty() || end.starts_with(' ') {
        return Some(len);
    }
    find::text(end.as_bytes(), &text[..len])
}

fn has_extension(name: &[u8]) -> bool {
    let extension = find::last_byte(b'.', name).map(|dot| &name[dot + 1..]);
    extension.is_some_and(|extension| extension.iter().all(u8::is_ascii_lowercase) && !extension.is_empty())
}

fn is_value(word: &[u8]) -> bool {
    [&b"NaN"[..], b"+Inf", b"-Inf", b"Inf"].contains(&word) || number(word).is_some()
}

fn is_metric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':'
}

/// Returns the length of brackets with their content; 0 if there are none.
fn enclosed(text: &[u8], [open, close]: [u8; 2]) -> Option<usize> {
    if text.first() != Some(&open) {
        return Some(0);
    }
    find::last_byte(close, text).map(|last| last + 1)
}

fn size(text: &[u8]) -> usize {
    if text.starts_with(b"-") {
        return 1;
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let unit = text[digits..].iter().take_while(|byte| b"KMGTPkiB".contains(byte)).count();
    if digits == 0 { 0 } else { digits + unit.min(3) }
}

fn mode(text: &[u8]) -> Option<usize> {
    let (kind, rights) = text.get(..10)?.split_first()?;
    let is_mode = b"-dlbcpsD".contains(kind) && rights.iter().all(|byte| b"-rwxsStT".contains(byte));
    is_mode.then_some(10 + usize::from(matches!(text.get(10), Some(b'.' | b'+' | b'@'))))
}

/// Returns the length of a time: two or three words.
fn date(text: &[u8]) -> Option<usize> {
    let words = match text {
        [b'A'..=b'Z', b'a'..=b'z', b'a'..=b'z', b' ', ..] => 3,
        [one, two, three, four, b'-', ..]
            if [one, two, three, four].iter().all(|byte| byte.is_ascii_digit()) =>
        {
            2
        }
        _ => return None,
    };
    let mut at = 0;
    for word in 0..words {
        at += text[at..].iter().take_while(|byte| word > 0 && **byte == b' ').count();
        at += text[at..].iter().take_while(|byte| **byte != b' ').count();
    }
    let zone = text[at..].strip_prefix(b" ").filter(|zone| zone.starts_with(b"+") || zone.starts_with(b"-"));
    let digits = zone.map_or(0, |zone| zone[1..].iter().take_while(|byte| byte.is_ascii_digit()).count());
    Some(if digits == 4 { at + " +0000".len() } else { at })
}

/// Returns the length of a path that has a directory, or that is all of a text.
fn path(text: &[u8], end: &str) -> Option<usize> {
    if end.is_empty() {
        let is_path = text.len() <= PATH_BYTES && find::byte(b'\t', text).is_none();
        return is_path.then_some(text.len());
    }
    let len = find::text(end.as_bytes(), text)?;
    let path = &text[..len];
    (len <= PATH_BYTES && path.contains(&b'/') && !path.contains(&b' ')).then_some(len)
}

/// Returns the length of a path before `:12:`.
fn numbered(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(colon) = find::byte(b':', &text[from..text.len().min(PATH_BYTES)]) {
        let at = from + colon;
        if text.get(at + 1).is_some_and(u8::is_ascii_digit) {
            let path = &text[..at];
            let is_path = path.iter().any(u8::is_ascii_alphabetic)
                && !path.iter().any(|byte| matches!(byte, b' ' | b'\t' | b'[' | b'"' | b'('));
            return is_path.then_some(at);
        }
        // Only the drive of Windows has a colon.
        if at > 1 {
            return None;
        }
        from = at + 1;
    }
    None
}
