//! A pull scanner over JSON text: tokens with their positions, no tree, no recursion, one
//! bit of memory for each open container.
//!
//! serde_json validates and builds values, but does not report their positions, and its call stack
//! bounds nesting. Outlines, truncation and queries need positions, and hostile input needs depth
//! without a stack. The scanner is strict by RFC 8259, with two extensions: a leading byte order
//! mark, and several documents in a row, with or without white space between them. The contents of
//! strings are checked against the grammar alone: bytes that are not UTF-8 and lone surrogates are
//! accepted.
//!
//! The bytes come from an [`Input`]: a slice, or the parts of something larger. The scanner
//! is compiled for each, so that on a slice it never asks for more.

use crate::blocks::space_run;
use crate::containers::Containers;
use crate::input::Input;
use crate::skim::{Expect, MAX_LEVELS, Skim, Visitor, skim, walk};

mod jump;
mod scalars;
mod token;

pub use token::{SkipError, SyntaxError, Token, TokenKind};

/// The bytes that a scanner keeps in memory when it asks its input for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Nothing: the text of a token that crosses parts is lost.
    Nothing,
    /// The current token.
    Token,
}

/// Splits JSON text into tokens.
#[derive(Clone, Debug)]
pub struct Scanner<I> {
    input: I,
    /// The offset of the next byte to read, in the bytes in memory.
    at: usize,
    state: Expect,
    open: Containers,
    keep: Keep,
    /// The offset of the first byte to keep, in the bytes in memory.
    mark: usize,
}

impl<I: Input> Scanner<I> {
    /// Starts at the beginning of documents. A byte order mark is skipped.
    pub fn new(input: I) -> Self {
        let mut scanner = Scanner::at_value(input);
        scanner.ensure(3);
        if scanner.input.bytes().starts_with(b"\xEF\xBB\xBF") {
            scanner.at = 3;
        }
        scanner
    }

    /// Starts at a value inside a document.
    pub fn at_value(input: I) -> Self {
        Scanner {
            input,
            at: 0,
            state: Expect::Document,
            open: Containers::default(),
            keep: Keep::Token,
            mark: 0,
        }
    }

    /// Starts inside an object or an array: at a member, or at the end.
    pub fn at_member(input: I, object: bool) -> Self {
        let mut scanner = Scanner::at_value(input);
        scanner.open.push(object);
        scanner.state = if object { Expect::FirstMember } else { Expect::FirstElement };
        scanner
    }

    /// Returns the number of open containers: 0 between documents.
    pub fn depth(&self) -> usize {
        self.open.depth()
    }

    /// Returns the offset of the next byte to read, from the start of the input.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.input.start() + self.at as u64
    }

    /// Returns the input.
    pub fn input(&self) -> &I {
        &self.input
    }

    /// Returns the text between two offsets of the last token, if it is still in memory.
    #[inline]
    pub fn text(&self, start: u64, end: u64) -> Option<&[u8]> {
        let from = start.checked_sub(self.input.start())?;
        let to = end.checked_sub(self.input.start())?;
        self.input.bytes().get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
    }

    /// Keeps the text of each token in memory until the next token is read. This is the
    /// default.
    #[inline]
    pub fn keep_texts(&mut self) {
        self.keep = Keep::Token;
    }

    /// Drops the texts of tokens that cross parts, so that a token of any length fits into memory.
    #[inline]
    pub fn drop_texts(&mut self) {
        self.keep = Keep::Nothing;
    }

    /// Reads the next token; none at the end of the input. After an error the scanner must not be
    /// used again.
    pub fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        let Some(byte) = self.after_space() else {
            return match self.state {
                Expect::Document => Ok(None),
                _ => Err(self.expected(MORE)),
            };
        };
        match self.state {
            Expect::Document | Expect::Value => self.value(byte),
            Expect::FirstElement => match byte {
                b']' => self.close(TokenKind::ArrayEnd),
                _ => self.value(byte),
            },
            Expect::FirstMember => match byte {
                b'}' => self.close(TokenKind::ObjectEnd),
                _ => self.key(byte),
            },
            Expect::Next => self.after_value(byte),
        }
        .map(Some)
    }

    /// Skips the rest of the container whose start was the last token. Returns the token
    /// of its end.
    pub fn skip_container(&mut self) -> Result<Token, SyntaxError> {
        let depth = self.open.depth();
        loop {
            self.skim(usize::MAX);
            match self.next_token()? {
                Some(token) if self.open.depth() < depth => return Ok(token),
                Some(_) => {}
                None => return Err(self.expected("the end of a container")),
            }
        }
    }

    /// Skips like [`Scanner::skip_container`] in a text that is known to be well-formed:
    /// nothing is checked. Returns where the container ends.
    pub fn jump_container(&mut self) -> u64 {
        let bytes = self.input.bytes();
        self.at = jump::container_end(bytes, self.at).unwrap_or(bytes.len());
        self.open.pop();
        self.state = self.after();
        self.offset()
    }

    /// Skips tokens in memory while they are inside the open container and at most `max_depth`
    /// deep. The next token is the first one not skipped.
    pub fn skim(&mut self, max_depth: usize) {
        if self.state == Expect::Document {
            return;
        }
        let levels = max_depth.saturating_sub(self.open.depth()).min(64) as u32;
        let done = skim(self.input.bytes(), self.at, self.state, self.open.in_object(), levels);
        self.resume_at(done);
    }

    /// Skips tokens as [`Scanner::skim`] does, and whole documents, and passes them to a
    /// visitor.
    #[inline(always)]
    pub(crate) fn walk(&mut self, visitor: &mut impl Visitor) {
        let in_object = self.open.in_object();
        let done = walk(self.input.bytes(), self.at, self.state, in_object, MAX_LEVELS, visitor);
        self.resume_at(done);
    }

    fn resume_at(&mut self, done: Skim) {
        self.at = done.at;
        self.mark = self.at;
        for level in (0..done.levels).rev() {
            self.open.push(done.open >> level & 1 == 1);
        }
        self.state = done.expect;
    }

    /// Skips the rest of the value that begins with the last token, `first`. Returns the
    /// offset of its end. Fails if containers in it are nested deeper than `max_depth`.
    #[inline]
    pub fn skip_rest(&mut self, first: Token, max_depth: usize) -> Result<u64, SkipError> {
        match first.kind.opens() {
            true => self.skip_open_container(first, max_depth),
            false => Ok(first.end),
        }
    }

    fn skip_open_container(&mut self, first: Token, max_depth: usize) -> Result<u64, SkipError> {
        let outside = self.open.depth() - 1;
        let mut token = first;
        loop {
            if self.open.depth() > max_depth {
                return Err(SkipError::Depth(token.start));
            }
            self.skim(max_depth);
            token = self.next_token()?.ok_or_else(|| self.expected(MORE))?;
            if self.open.depth() == outside {
                return Ok(token.end);
            }
        }
    }

    #[inline]
    fn after_value(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        match (byte, self.open.in_object()) {
            (b',', true) => {
                self.at += 1;
                match self.after_space() {
                    Some(byte) => self.key(byte),
                    None => Err(self.expected("a key")),
                }
            }
            (b',', false) => {
                self.at += 1;
                match self.after_space() {
                    Some(byte) => self.value(byte),
                    None => Err(self.expected("a value")),
                }
            }
            (b'}', true) => self.close(TokenKind::ObjectEnd),
            (b']', false) => self.close(TokenKind::ArrayEnd),
            (_, true) => Err(self.expected("',' or '}'")),
            (_, false) => Err(self.expected("',' or ']'")),
        }
    }

    #[inline]
    fn value(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        let start = self.begin();
        let kind = match byte {
            b'"' => {
                let escaped = self.string()?;
                self.state = self.after();
                return Ok(Token { kind: TokenKind::String, start, end: self.offset(), escaped });
            }
            b'{' => {
                self.at += 1;
                self.open.push(true);
                self.state = Expect::FirstMember;
                return Ok(Token::plain(TokenKind::ObjectStart, start, start + 1));
            }
            b'[' => {
                self.at += 1;
                self.open.push(false);
                self.state = Expect::FirstElement;
                return Ok(Token::plain(TokenKind::ArrayStart, start, start + 1));
            }
            b'-' | b'0'..=b'9' => self.number(byte)?,
            b't' => self.word(b"true", TokenKind::True)?,
            b'f' => self.word(b"false", TokenKind::False)?,
            b'n' => self.word(b"null", TokenKind::Null)?,
            _ => return Err(self.expected("a value")),
        };
        self.state = self.after();
        Ok(Token::plain(kind, start, self.offset()))
    }

    /// Reads a key and its colon.
    #[inline]
    fn key(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        if byte != b'"' {
            return Err(self.expected("a key in quotes"));
        }
        let start = self.begin();
        let escaped = self.string()?;
        let end = self.offset();
        // White space before the colon must not drop the key from memory.
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
        if self.peek() != Some(b':') {
            return Err(self.expected("':'"));
        }
        self.at += 1;
        self.state = Expect::Value;
        Ok(Token { kind: TokenKind::Key, start, end, escaped })
    }

    fn close(&mut self, kind: TokenKind) -> Result<Token, SyntaxError> {
        let start = self.begin();
        self.at += 1;
        self.open.pop();
        self.state = self.after();
        Ok(Token::plain(kind, start, start + 1))
    }

    fn after(&self) -> Expect {
        match self.open.depth() {
            0 => Expect::Document,
            _ => Expect::Next,
        }
    }

    /// Marks the start of a token, and returns its offset.
    #[inline]
    fn begin(&mut self) -> u64 {
        if I::HAS_PARTS && self.keep == Keep::Token {
            self.mark = self.at;
        }
        self.offset()
    }

    /// Asks for more bytes, and keeps the bytes in memory that are still needed. Returns false at
    /// the end.
    #[inline]
    fn more(&mut self) -> bool {
        if !I::HAS_PARTS {
            return false;
        }
        let used = match self.keep {
            Keep::Nothing => self.at,
            Keep::Token => self.mark.min(self.at),
        };
        let before = self.input.start();
        let any = self.input.advance(used);
        let moved = (self.input.start() - before) as usize;
        self.at -= moved;
        self.mark = self.mark.saturating_sub(moved);
        any
    }

    /// Gets the next `count` bytes into memory, unless the input ends before.
    #[inline]
    fn ensure(&mut self, count: usize) {
        while I::HAS_PARTS && self.input.bytes().len() - self.at < count && self.more() {}
    }

    /// Returns the next byte without reading it.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        self.ensure(1);
        self.input.bytes().get(self.at).copied()
    }

    /// Skips white space between tokens. Returns the byte after it.
    #[inline]
    fn after_space(&mut self) -> Option<u8> {
        loop {
            match self.input.bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => {
                    self.at += 1;
                    // Usually it is one space, or the indentation of a new line.
                    if let Some(b' ' | b'\n' | b'\t' | b'\r') = self.input.bytes().get(self.at) {
                        self.at += space_run(&self.input.bytes()[self.at..]);
                    }
                }
                Some(&byte) => return Some(byte),
                None => {
                    self.mark = self.at;
                    if !self.more() {
                        return None;
                    }
                }
            }
        }
    }

    fn expected(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.offset(), expected }
    }
}

/// The expectation at the end of an incomplete document.
const MORE: &str = "more: the input ends inside a document";

#[cfg(test)]
mod tests;
