//! Tokens, and the errors of scanning and skipping.

use std::fmt;

/// The kind of a token.
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
    /// A member's name. Its span includes the quotes.
    Key,
    /// A string. Its span includes the quotes.
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
    /// Returns whether it is the start of an array or an object.
    #[inline]
    pub fn opens(self) -> bool {
        matches!(self, TokenKind::ArrayStart | TokenKind::ObjectStart)
    }
}

/// A token and its span in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The offset of its first byte, from the start of the input.
    pub start: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// Whether it is a key or a string with escapes.
    pub escaped: bool,
}

impl Token {
    pub(super) fn plain(kind: TokenKind, start: u64, end: u64) -> Self {
        Token { kind, start, end, escaped: false }
    }

    /// Returns its text. `bytes` are the whole input.
    #[inline]
    pub fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..self.end as usize]
    }

    /// Returns a key or a string without its quotes. `bytes` are the whole input.
    #[inline]
    pub fn inside<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize + 1..self.end as usize - 1]
    }
}

/// Where and why the input is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The offset of the first byte that is not JSON.
    pub offset: u64,
    /// A description of the text expected there.
    pub expected: &'static str,
}

/// The reason why a value was not skipped to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipError {
    /// It is not JSON.
    Syntax(SyntaxError),
    /// It is nested too deeply from this offset on.
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
