//! The members of an object, by name.

use std::borrow::Cow;

use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::unescape::{unescape, unescape_bytes};

/// Maximum members of an object; no item has more.
const MAX_MEMBERS: usize = 16;

/// The members of a parsed object.
pub struct Fields<'a> {
    members: Vec<(&'a [u8], JsonValue<'a>)>,
    /// The text of the whole object.
    pub text: &'a [u8],
}

/// The value of a member.
#[derive(Clone, Copy)]
pub struct JsonValue<'a> {
    /// The kind of its first token.
    pub kind: TokenKind,
    /// Its whole text.
    pub text: &'a [u8],
}

impl<'a> JsonValue<'a> {
    /// Parses the next value.
    pub fn read(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8]) -> Option<Self> {
        let token = scanner.next_token().ok()??;
        let end = if token.kind.opens() { scanner.skip_container().ok()?.end } else { token.end };
        Some(JsonValue { kind: token.kind, text: &bytes[token.start as usize..end as usize] })
    }

    /// Returns a string, unescaped without loss.
    pub fn string(&self) -> Option<Cow<'a, [u8]>> {
        let inside = self.text.get(1..self.text.len().checked_sub(1)?)?;
        (self.kind == TokenKind::String).then(|| unescape_bytes(inside))
    }
}

impl<'a> Fields<'a> {
    /// Parses the rest of an object that begins at byte `start`.
    pub fn read(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8], start: u64) -> Option<Self> {
        let mut members = Vec::new();
        loop {
            let key = scanner.next_token().ok()??;
            if key.kind == TokenKind::ObjectEnd {
                return Some(Fields { members, text: &bytes[start as usize..key.end as usize] });
            }
            if members.len() == MAX_MEMBERS {
                return None;
            }
            members.push((key.inside(bytes), JsonValue::read(scanner, bytes)?));
        }
    }

    /// Returns whether all members have one of these names, and none is repeated.
    pub fn are_only(&self, names: &[&str]) -> bool {
        let known = |name: &[u8]| names.iter().any(|known| known.as_bytes() == name);
        let repeated =
            |index: usize| self.members[..index].iter().any(|(name, _)| *name == self.members[index].0);
        self.members.iter().enumerate().all(|(index, (name, _))| known(name) && !repeated(index))
    }

    /// Returns a member that is not null.
    pub fn get(&self, name: &str) -> Option<JsonValue<'a>> {
        let member = self.members.iter().find(|(key, _)| *key == name.as_bytes());
        member.map(|&(_, value)| value).filter(|value| value.kind != TokenKind::Null)
    }

    /// Returns a member that is a string, unescaped without loss.
    pub fn string(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        self.get(name)?.string()
    }

    /// Returns a member that is a string, as valid UTF-8.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let value = self.get(name).filter(|value| value.kind == TokenKind::String)?;
        Some(unescape(&value.text[1..value.text.len() - 1]))
    }

    /// Returns the members of a member that is an object.
    pub fn object(&self, name: &str) -> Option<Fields<'a>> {
        let value = self.get(name).filter(|value| value.kind == TokenKind::ObjectStart)?;
        let mut scanner = Scanner::at_value(value.text);
        let start = scanner.next_token().ok()??;
        Fields::read(&mut scanner, value.text, start.start)
    }
}
