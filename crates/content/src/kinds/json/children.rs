//! The values directly inside a container, by their text.

use tuckaway_json::scan::{Scanner, TokenKind};

/// Bytes that a child of an array must be able to show, or it is dropped rather than
/// shown in part.
const MIN_ELEMENT_BYTES: usize = 160;
/// The same for a member of an object, whose key says most.
const MIN_MEMBER_BYTES: usize = 24;

/// What holds children.
#[derive(Clone, Copy, PartialEq)]
pub enum ContainerKind {
    /// Documents in a row.
    Sequence,
    /// An array, of elements.
    Array,
    /// An object, of members.
    Object,
}

impl ContainerKind {
    /// Returns what a container begins and ends with.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            ContainerKind::Sequence => ("", "\n"),
            ContainerKind::Array => ("[", "]"),
            ContainerKind::Object => ("{", "}"),
        }
    }

    /// Joins children and notices to a container.
    pub fn enclose(self, parts: &[String]) -> String {
        let separator = if self == ContainerKind::Sequence { "\n" } else { ", " };
        let (open, close) = self.brackets();
        [open, &parts.join(separator), close].concat()
    }

    /// Returns what its children are called.
    pub fn noun(self) -> &'static str {
        match self {
            ContainerKind::Sequence => "documents",
            ContainerKind::Array => "elements",
            ContainerKind::Object => "members",
        }
    }

    /// Returns the fewest bytes in which a child is shown in part.
    pub fn min_share(self) -> usize {
        if self == ContainerKind::Object { MIN_MEMBER_BYTES } else { MIN_ELEMENT_BYTES }
    }
}

/// A value with its key, if it is a member of an object.
pub struct Child<'a> {
    /// The key in its quotes.
    pub key: Option<&'a str>,
    /// The value.
    pub text: &'a str,
}

impl Child<'_> {
    /// Returns the bytes of the key and the separator.
    pub fn overhead(&self) -> usize {
        self.key.map_or(0, |key| key.len() + ": ".len()) + ", ".len()
    }

    /// Returns the bytes that are dropped with it.
    pub fn size(&self) -> usize {
        self.text.len() + self.key.map_or(0, |key| key.len() + ":".len())
    }
}

/// An array, an object or a sequence of documents.
pub struct Container<'a> {
    /// What holds the children.
    pub kind: ContainerKind,
    /// Its children, in order.
    pub children: Vec<Child<'a>>,
}

impl<'a> Container<'a> {
    /// Reads the children of a text that is known to be JSON.
    pub fn read(text: &'a str, kind: ContainerKind) -> Self {
        let mut scanner = Scanner::new(text.as_bytes());
        if kind != ContainerKind::Sequence {
            let _ = scanner.next_token();
        }
        let mut children = Vec::new();
        let mut key = None;
        while let Ok(Some(token)) = scanner.next_token() {
            match token.kind {
                TokenKind::Key => key = Some(&text[token.start as usize..token.end as usize]),
                TokenKind::ArrayEnd | TokenKind::ObjectEnd => break,
                kind => {
                    let end = match kind.opens() {
                        true => scanner.skip_container().map_or(text.len() as u64, |end| end.end),
                        false => token.end,
                    };
                    children.push(Child { key: key.take(), text: &text[token.start as usize..end as usize] });
                }
            }
        }
        Container { kind, children }
    }

    /// Returns the bytes of all children.
    pub fn size(&self) -> usize {
        self.children.iter().map(Child::size).sum()
    }
}
