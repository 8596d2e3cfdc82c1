//! Strings, numbers and words.

use super::{Scanner, SyntaxError, TokenKind};
use crate::blocks::plain_blocks;
use crate::input::Input;

impl<I: Input> Scanner<I> {
    /// Reads a string from its opening quote on. Returns whether it has escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Result<bool, SyntaxError> {
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
                // Less than a block is left in memory.
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

    /// Reads a number whose first byte is `first`.
    #[inline]
    pub(super) fn number(&mut self, first: u8) -> Result<TokenKind, SyntaxError> {
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

    /// Reads one of the three words of JSON.
    pub(super) fn word(&mut self, word: &[u8], kind: TokenKind) -> Result<TokenKind, SyntaxError> {
        self.ensure(word.len());
        if !self.input.bytes()[self.at..].starts_with(word) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        self.end_of_word()?;
        Ok(kind)
    }

    /// Checks that a number or a word ends here. Documents may follow each other without
    /// white space, but `truefalse` and `01` are malformed.
    fn end_of_word(&mut self) -> Result<(), SyntaxError> {
        match self.peek() {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-' | b'_') => {
                Err(self.expected("the end of a value"))
            }
            _ => Ok(()),
        }
    }
}
