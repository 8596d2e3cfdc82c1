//! Tokens, and why there are none.

use std::fmt;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// A member's name, quotes included in its place.
    Key,
    /// A string, quotes included in its place.
    String,
    /// A number without fraction and exponent.
    Integer,
    /// Any other number.
    Float,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

impl TokenKind {
    /// Whether it is the start of an array or an object.
    #[inline]
    pub fn opens(self) -> bool {
        matches!(self, TokenKind::ArrayStart | TokenKind::ObjectStart)
    }
}

/// A token and its place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where its first byte is, from the input's start.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// A key or a string has escapes in it.
    pub escaped: bool,
}

impl Token {
    pub(super) fn plain(kind: TokenKind, start: u64, end: u64) -> Self {
        Token { kind, start, end, escaped: false }
    }

    /// Its text, of an input that is a slice.
    #[inline]
    pub fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..self.end as usize]
    }

    /// A key or a string without its quotes, of an input that is a slice.
    #[inline]
    pub fn inside<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize + 1..self.end as usize - 1]
    }
}

/// Where and why the input is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The byte at which it stops being JSON.
    pub offset: u64,
    /// What should have stood there.
    pub expected: &'static str,
}

/// Why a value was not run over to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipError {
    /// It is not JSON.
    Syntax(SyntaxError),
    /// At this byte it gets too deep.
    Depth(u64),
}

impl From<SyntaxError> for SkipError {
    fn from(error: SyntaxError) -> Self {
        SkipError::Syntax(error)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON at byte {}: expected {}", self.offset, self.expected)
    }
}
