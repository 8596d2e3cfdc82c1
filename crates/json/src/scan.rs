//! A pull scanner over JSON text: tokens with their places, no tree, no
//! recursion, memory of one bit a level.
//!
//! serde_json validates and builds, but says nothing of where a value stood and
//! bounds nesting by its call stack; shape, truncation and queries need places,
//! and hostile input needs depth without a stack. Strict by RFC 8259, with two
//! allowances: a leading byte order mark, and several documents in a row, with
//! white space between them or not. Strings are not looked into beyond the
//! grammar: bytes that are not UTF-8 and lone surrogates pass.
//!
//! Where the bytes come from is an [`Input`]: a slice, or parts of something
//! larger that are read one behind the other. The scanner is compiled for each,
//! so that on a slice nothing is asked for more.

use crate::blocks::{plain_blocks, space_run};
use crate::skim::{Expect, MAX_LEVELS, Skim, Visitor, skim, walk};

use super::containers::Containers;
use super::input::Input;

mod token;

pub use token::{SkipError, SyntaxError, Token, TokenKind};

/// What a scanner keeps at hand when it asks its input for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Nothing that it is past: a token that crosses parts has no text.
    Nothing,
    /// The token that it is reading.
    Token,
}

/// Reads tokens off JSON text.
#[derive(Clone, Debug)]
pub struct Scanner<I> {
    input: I,
    /// Where the next token is looked for, in the bytes at hand.
    at: usize,
    state: Expect,
    open: Containers,
    keep: Keep,
    /// From where bytes are kept, in the bytes at hand.
    mark: usize,
}

impl<I: Input> Scanner<I> {
    /// A scanner at the start of the input, past a byte order mark.
    pub fn new(input: I) -> Self {
        let mut scanner = Scanner::within(input);
        scanner.ensure(3);
        if scanner.input.bytes().starts_with(b"\xEF\xBB\xBF") {
            scanner.at = 3;
        }
        scanner
    }

    /// A scanner of an input that begins with a value inside of a document.
    pub fn within(input: I) -> Self {
        Scanner {
            input,
            at: 0,
            state: Expect::Document,
            open: Containers::default(),
            keep: Keep::Token,
            mark: 0,
        }
    }

    /// A scanner of an input that begins with a member of an array or an object,
    /// or with its end.
    pub fn among_members(input: I, object: bool) -> Self {
        let mut scanner = Scanner::within(input);
        scanner.open.push(object);
        scanner.state = if object { Expect::FirstMember } else { Expect::FirstElement };
        scanner
    }

    /// Containers that are open: 0 between documents.
    pub fn depth(&self) -> usize {
        self.open.depth()
    }

    /// Where the next token is looked for, from the input's start.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.input.start() + self.at as u64
    }

    /// Where the bytes come from.
    pub fn input(&self) -> &I {
        &self.input
    }

    /// The text between two places of the last token; none where it is not at
    /// hand any more.
    #[inline]
    pub fn text(&self, start: u64, end: u64) -> Option<&[u8]> {
        let from = start.checked_sub(self.input.start())?;
        let to = end.checked_sub(self.input.start())?;
        self.input.bytes().get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
    }

    /// Keeps the text of each token at hand until the next is asked for; so it is
    /// from the start.
    #[inline]
    pub fn keep_texts(&mut self) {
        self.keep = Keep::Token;
    }

    /// Keeps no texts: those of tokens that cross parts are not to be had, but
    /// none is too long.
    #[inline]
    pub fn drop_texts(&mut self) {
        self.keep = Keep::Nothing;
    }

    /// The next token, or none at the end of the input. After an error there is
    /// nothing more to be had.
    #[inline]
    pub fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        I::next_token(self)
    }

    #[inline]
    pub(crate) fn token(&mut self) -> Result<Option<Token>, SyntaxError> {
        let Some(byte) = self.after_space() else {
            return match self.state {
                Expect::Document => Ok(None),
                _ => Err(self.expected("more: the input ends inside a document")),
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

    /// Runs to the end of the container whose start was the last token, and
    /// gives its end token. At a scalar there is nothing to run over.
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

    /// Runs over tokens inside of the container that is open, in the bytes at hand,
    /// without going out of it or deeper than this. The next token is whatever it
    /// ended before.
    pub fn skim(&mut self, deepest: usize) {
        if self.state == Expect::Document {
            return;
        }
        let levels = deepest.saturating_sub(self.open.depth()).min(64) as u32;
        let done = skim(self.input.bytes(), self.at, self.state, self.open.in_object(), levels);
        self.go_on_behind(done);
    }

    /// Runs over tokens as [`Scanner::skim`] does, and over documents, and shows them.
    #[inline(always)]
    pub(crate) fn walk(&mut self, visitor: &mut impl Visitor) {
        let in_object = self.open.in_object();
        let done = walk(self.input.bytes(), self.at, self.state, in_object, MAX_LEVELS, visitor);
        self.go_on_behind(done);
    }

    fn go_on_behind(&mut self, done: Skim) {
        self.at = done.at;
        self.mark = self.at;
        for level in (0..done.levels).rev() {
            self.open.push(done.open >> level & 1 == 1);
        }
        self.state = done.expect;
    }

    /// Runs to the end of the value that began with the last token, and gives
    /// that. Containers in it may open up to a depth.
    #[inline]
    pub fn skip_rest(&mut self, first: Token, deepest: usize) -> Result<u64, SkipError> {
        match first.kind.opens() {
            true => I::skip_rest(self, first, deepest),
            false => Ok(first.end),
        }
    }

    pub(crate) fn rest(&mut self, first: Token, deepest: usize) -> Result<u64, SkipError> {
        let outside = self.open.depth() - 1;
        let mut token = first;
        loop {
            if self.open.depth() > deepest {
                return Err(SkipError::Depth(token.start));
            }
            self.skim(deepest);
            token = self.token()?.ok_or_else(|| self.expected("more: the input ends inside a document"))?;
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

    /// A key and its colon.
    #[inline]
    fn key(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        if byte != b'"' {
            return Err(self.expected("a key in quotes"));
        }
        let start = self.begin();
        let escaped = self.string()?;
        let end = self.offset();
        // The key stays at hand while its colon is looked for.
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

    /// Notes that a token begins here, and says where that is.
    #[inline]
    fn begin(&mut self) -> u64 {
        if I::HAS_PARTS && self.keep == Keep::Token {
            self.mark = self.at;
        }
        self.offset()
    }

    /// Asks for more bytes, keeping what is to be kept. False at the end.
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

    /// Has `count` bytes from here at hand, unless the input ends before.
    #[inline]
    fn ensure(&mut self, count: usize) {
        while I::HAS_PARTS && self.input.bytes().len() - self.at < count && self.more() {}
    }

    /// The byte here, if there is one.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        self.ensure(1);
        self.input.bytes().get(self.at).copied()
    }

    /// Runs over white space between tokens, and gives the byte behind it.
    #[inline]
    fn after_space(&mut self) -> Option<u8> {
        loop {
            match self.input.bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => {
                    self.at += 1;
                    // Mostly it is one space, or a new line's indentation.
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

    /// From an opening quote to behind the closing one. Whether there was an
    /// escape.
    #[inline]
    fn string(&mut self) -> Result<bool, SyntaxError> {
        self.at += 1;
        let mut escaped = false;
        loop {
            let rest = &self.input.bytes()[self.at..];
            let run = plain_blocks(rest);
            let end = rest.get(run).copied();
            self.at += run;
            match end {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0..0x20) => return Err(self.expected("a control character to be escaped")),
                // The bytes at hand end soon.
                Some(_) => self.at += 1,
                None if self.more() => {}
                None => return Err(self.expected("the closing quote of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        self.ensure(6);
        let rest = &self.input.bytes()[self.at..];
        match rest.get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') if rest.get(2..6).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) => self.at += 6,
            _ => return Err(self.expected("an escape that JSON knows")),
        }
        Ok(())
    }

    #[inline]
    fn number(&mut self, first: u8) -> Result<TokenKind, SyntaxError> {
        if first == b'-' {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.expected("a digit")),
        }
        let mut kind = TokenKind::Integer;
        if self.peek() == Some(b'.') {
            kind = TokenKind::Float;
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            kind = TokenKind::Float;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        self.end_of_word()?;
        Ok(kind)
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(b'0'..=b'9') => {
                self.digits();
                Ok(())
            }
            _ => Err(self.expected("a digit")),
        }
    }

    fn word(&mut self, word: &[u8], kind: TokenKind) -> Result<TokenKind, SyntaxError> {
        self.ensure(word.len());
        if !self.input.bytes()[self.at..].starts_with(word) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        self.end_of_word()?;
        Ok(kind)
    }

    /// Documents may follow each other without a space, but `truefalse` and
    /// `01` are no documents.
    fn end_of_word(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-' | b'_') => {
                Err(self.expected("the end of a value"))
            }
            _ => Ok(()),
        }
    }

    fn expected(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.offset(), expected }
    }
}

#[cfg(test)]
mod tests;
