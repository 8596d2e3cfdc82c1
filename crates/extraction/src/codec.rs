//! Values as a JSON array, in order. One description of a type both writes and reads it,
//! so that the two cannot differ.

use std::mem::take;

use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::unescape::unescape;
use tuckaway_json::write::push_string;

/// Writes or reads values.
pub struct Codec<'a> {
    direction: Direction<'a>,
    is_valid: bool,
}

enum Direction<'a> {
    Write(Vec<u8>),
    Read(&'a [u8], Scanner<&'a [u8]>),
}

/// A type that consists of values.
pub trait Values {
    /// Writes each value, or reads it.
    fn pass(&mut self, codec: &mut Codec<'_>);
}

/// Writes a value as JSON.
pub fn write<T: Values>(value: &mut T) -> String {
    let mut codec = Codec { direction: Direction::Write(vec![b'[']), is_valid: true };
    value.pass(&mut codec);
    let Direction::Write(mut json) = codec.direction else { return String::new() };
    json.push(b']');
    // Strings are written as UTF-8, everything else is ASCII.
    String::from_utf8(json).unwrap_or_default()
}

/// Reads what [`write`] has written over a value; none if it is anything else.
pub fn read<T: Values>(json: &str, mut value: T) -> Option<T> {
    let bytes = json.as_bytes();
    let mut scanner = Scanner::new(bytes);
    scanner.next_token().ok()?.filter(|token| token.kind == TokenKind::ArrayStart)?;
    let mut codec = Codec { direction: Direction::Read(bytes, scanner), is_valid: true };
    value.pass(&mut codec);
    let Direction::Read(_, mut scanner) = codec.direction else { return None };
    let is_end = matches!(scanner.next_token(), Ok(Some(token)) if token.kind == TokenKind::ArrayEnd)
        && matches!(scanner.next_token(), Ok(None));
    (codec.is_valid && is_end).then_some(value)
}

impl Codec<'_> {
    /// Passes a text.
    pub fn text(&mut self, text: &mut String) {
        match &mut self.direction {
            Direction::Write(json) => {
                separate(json);
                push_string(json, text.as_bytes());
            }
            Direction::Read(bytes, scanner) => match scanner.next_token() {
                Ok(Some(token)) if token.kind == TokenKind::String => {
                    *text = unescape(token.inside(bytes)).into_owned();
                }
                _ => self.is_valid = false,
            },
        }
    }

    /// Passes a number.
    pub fn number(&mut self, number: &mut u64) {
        match &mut self.direction {
            Direction::Write(json) => {
                separate(json);
                json.extend_from_slice(number.to_string().as_bytes());
            }
            Direction::Read(bytes, scanner) => {
                let token = scanner.next_token().ok().flatten();
                let text =
                    token.filter(|token| token.kind == TokenKind::Integer).map(|token| token.text(bytes));
                let parsed = text.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                self.is_valid &= parsed.is_some();
                *number = parsed.unwrap_or_default();
            }
        }
    }

    /// Passes a smaller number.
    pub fn small(&mut self, number: &mut u32) {
        let mut wide = u64::from(*number);
        self.number(&mut wide);
        self.is_valid &= u32::try_from(wide).is_ok();
        *number = wide as u32;
    }

    /// Passes a flag.
    pub fn flag(&mut self, flag: &mut bool) {
        *flag = self.case(usize::from(*flag), 2) == 1;
    }

    /// Passes the index of one of so many cases, and returns it.
    pub fn case(&mut self, index: usize, cases: usize) -> usize {
        let mut number = index as u64;
        self.number(&mut number);
        self.is_valid &= number < cases as u64;
        if self.is_valid { number as usize } else { 0 }
    }

    /// Reads a value of its own.
    pub fn read_new<T: Values + Default>(&mut self) -> T {
        let mut value = T::default();
        value.pass(self);
        value
    }

    /// Passes a value if it is there.
    pub fn option<T: Values + Default>(&mut self, value: &mut Option<T>) {
        let mut is_some = value.is_some();
        self.flag(&mut is_some);
        match is_some {
            true => value.get_or_insert_default().pass(self),
            false => *value = None,
        }
    }

    /// Passes a list.
    pub fn list<T: Values + Default>(&mut self, list: &mut Vec<T>) {
        let mut length = list.len() as u64;
        self.number(&mut length);
        if let Direction::Write(_) = self.direction {
            list.iter_mut().for_each(|value| value.pass(self));
            return;
        }
        let mut read = take(list);
        // Each value has at least one character, so that a wrong length ends soon.
        while self.is_valid && (read.len() as u64) < length {
            read.push(self.read_new());
        }
        *list = read;
    }
}

fn separate(json: &mut Vec<u8>) {
    if json.len() > 1 {
        json.push(b',');
    }
}

impl Values for String {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        codec.text(self);
    }
}

impl Values for u64 {
    fn pass(&mut self, codec: &mut Codec<'_>) {
        codec.number(self);
    }
}
