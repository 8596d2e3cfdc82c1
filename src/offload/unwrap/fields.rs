//! The members of an object, by name.

use std::borrow::Cow;

use tuckaway_json::scan::{Scanner, TokenKind};
use tuckaway_json::unescape::{unescape, unescape_bytes};

/// More members than this no item has.
const MAX_MEMBERS: usize = 16;

/// The members of an object that was read.
pub struct Fields<'a> {
    members: Vec<(&'a [u8], Value<'a>)>,
    /// The whole object.
    pub text: &'a [u8],
}

/// A member's value.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    /// The first token's kind.
    pub kind: TokenKind,
    /// All of it.
    pub text: &'a [u8],
}

impl<'a> Value<'a> {
    /// Reads the value that comes next.
    pub fn read(scanner: &mut Scanner<&'a [u8]>, bytes: &'a [u8]) -> Option<Self> {
        let token = scanner.next_token().ok()??;
        let end = if token.kind.opens() { scanner.skip_container().ok()?.end } else { token.end };
        Some(Value { kind: token.kind, text: &bytes[token.start as usize..end as usize] })
    }

    /// What a string stands for, nothing lost.
    pub fn string(&self) -> Option<Cow<'a, [u8]>> {
        let inside = self.text.get(1..self.text.len().checked_sub(1)?)?;
        (self.kind == TokenKind::String).then(|| unescape_bytes(inside))
    }
}

impl<'a> Fields<'a> {
    /// Reads an object past its start, which is at `start`.
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
            members.push((key.inside(bytes), Value::read(scanner, bytes)?));
        }
    }

    /// Whether there are no members but these, each once at most.
    pub fn are_of(&self, names: &[&str]) -> bool {
        let known = |name: &[u8]| names.iter().any(|known| known.as_bytes() == name);
        let repeated =
            |index: usize| self.members[..index].iter().any(|(name, _)| *name == self.members[index].0);
        self.members.iter().enumerate().all(|(index, (name, _))| known(name) && !repeated(index))
    }

    /// A member; one that is null is none.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let member = self.members.iter().find(|(key, _)| *key == name.as_bytes());
        member.map(|&(_, value)| value).filter(|value| value.kind != TokenKind::Null)
    }

    /// A member that is a string.
    pub fn string(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        self.get(name)?.string()
    }

    /// A member that is a string, as a model may be shown it.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let value = self.get(name).filter(|value| value.kind == TokenKind::String)?;
        Some(unescape(&value.text[1..value.text.len() - 1]))
    }

    /// The members of a member that is an object.
    pub fn object(&self, name: &str) -> Option<Fields<'a>> {
        let value = self.get(name).filter(|value| value.kind == TokenKind::ObjectStart)?;
        let mut scanner = Scanner::within(value.text);
        let start = scanner.next_token().ok()??;
        Fields::read(&mut scanner, value.text, start.start)
    }
}
