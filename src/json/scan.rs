//! A pull scanner over JSON text: tokens with their places, no tree, no
//! recursion, memory of one bit a level.
//!
//! serde_json validates and builds, but says nothing of where a value stood and
//! bounds nesting by its call stack; shape, truncation and queries need places,
//! and hostile input needs depth without a stack. Strict by RFC 8259, with two
//! allowances: a leading byte order mark, and several documents in a row, with
//! white space between them or not. Strings are not looked into beyond the
//! grammar: bytes that are not UTF-8 and lone surrogates pass.

use std::fmt;

use super::containers::Containers;

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

/// A token and its place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where its first byte is.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// A key or a string has escapes in it.
    pub escaped: bool,
}

impl Token {
    fn plain(kind: TokenKind, start: usize, end: usize) -> Self {
        Token { kind, start, end, escaped: false }
    }
}

/// Where and why the input is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The byte at which it stops being JSON.
    pub offset: usize,
    /// What should have stood there.
    pub expected: &'static str,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON at byte {}: expected {}", self.offset, self.expected)
    }
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A document, or the end.
    Document,
    /// The first element of an array, or its end.
    FirstElement,
    /// The first member of an object, or its end.
    FirstMember,
    /// A member's value.
    Value,
    /// A comma, or the end of the container.
    Next,
}

/// Reads tokens off JSON text.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    state: State,
    open: Containers,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of the input, past a byte order mark.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Scanner { bytes, at, state: State::Document, open: Containers::default() }
    }

    /// Containers that are open: 0 between documents.
    pub fn depth(&self) -> usize {
        self.open.depth()
    }

    /// Where the next token is looked for.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next token, or none at the end of the input. After an error there is
    /// nothing more to be had.
    #[inline]
    pub fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        self.skip_space();
        let Some(&byte) = self.bytes.get(self.at) else {
            return match self.state {
                State::Document => Ok(None),
                _ => Err(self.expected("more: the input ends inside a document")),
            };
        };
        match self.state {
            State::Document | State::Value => self.value(byte),
            State::FirstElement => match byte {
                b']' => self.close(TokenKind::ArrayEnd),
                _ => self.value(byte),
            },
            State::FirstMember => match byte {
                b'}' => self.close(TokenKind::ObjectEnd),
                _ => self.key(byte),
            },
            State::Next => self.after_value(byte),
        }
        .map(Some)
    }

    /// Runs to the end of the container whose start was the last token, and
    /// gives its end token. At a scalar there is nothing to run over.
    pub fn skip_container(&mut self) -> Result<Token, SyntaxError> {
        let depth = self.open.depth();
        loop {
            match self.next_token()? {
                Some(token) if self.open.depth() < depth => return Ok(token),
                Some(_) => {}
                None => return Err(self.expected("the end of a container")),
            }
        }
    }

    #[inline]
    fn after_value(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        match (byte, self.open.in_object()) {
            (b',', true) => {
                self.at += 1;
                self.skip_space();
                match self.bytes.get(self.at) {
                    Some(&byte) => self.key(byte),
                    None => Err(self.expected("a key")),
                }
            }
            (b',', false) => {
                self.at += 1;
                self.skip_space();
                match self.bytes.get(self.at) {
                    Some(&byte) => self.value(byte),
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
        let start = self.at;
        let kind = match byte {
            b'"' => {
                let escaped = self.string()?;
                self.state = self.after();
                return Ok(Token { kind: TokenKind::String, start, end: self.at, escaped });
            }
            b'{' => {
                self.at += 1;
                self.open.push(true);
                self.state = State::FirstMember;
                return Ok(Token::plain(TokenKind::ObjectStart, start, self.at));
            }
            b'[' => {
                self.at += 1;
                self.open.push(false);
                self.state = State::FirstElement;
                return Ok(Token::plain(TokenKind::ArrayStart, start, self.at));
            }
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word(b"true", TokenKind::True)?,
            b'f' => self.word(b"false", TokenKind::False)?,
            b'n' => self.word(b"null", TokenKind::Null)?,
            _ => return Err(self.expected("a value")),
        };
        self.state = self.after();
        Ok(Token::plain(kind, start, self.at))
    }

    /// A key and its colon.
    #[inline]
    fn key(&mut self, byte: u8) -> Result<Token, SyntaxError> {
        if byte != b'"' {
            return Err(self.expected("a key in quotes"));
        }
        let start = self.at;
        let escaped = self.string()?;
        let end = self.at;
        self.skip_space();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.expected("':'"));
        }
        self.at += 1;
        self.state = State::Value;
        Ok(Token { kind: TokenKind::Key, start, end, escaped })
    }

    fn close(&mut self, kind: TokenKind) -> Result<Token, SyntaxError> {
        let start = self.at;
        self.at += 1;
        self.open.pop();
        self.state = self.after();
        Ok(Token::plain(kind, start, self.at))
    }

    fn after(&self) -> State {
        match self.open.depth() {
            0 => State::Document,
            _ => State::Next,
        }
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// From an opening quote to behind the closing one. Whether there was an
    /// escape.
    #[inline]
    fn string(&mut self) -> Result<bool, SyntaxError> {
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at += plain_run(&self.bytes[self.at..]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.expected("a control character to be escaped")),
                None => return Err(self.expected("the closing quote of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        let escaped = self.bytes.get(self.at + 1);
        match escaped {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u')
                if self
                    .bytes
                    .get(self.at + 2..self.at + 6)
                    .is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) =>
            {
                self.at += 6
            }
            _ => return Err(self.expected("an escape that JSON knows")),
        }
        Ok(())
    }

    #[inline]
    fn number(&mut self) -> Result<TokenKind, SyntaxError> {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.expected("a digit")),
        }
        let mut kind = TokenKind::Integer;
        if self.bytes.get(self.at) == Some(&b'.') {
            kind = TokenKind::Float;
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            kind = TokenKind::Float;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        self.end_of_word()?;
        Ok(kind)
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), SyntaxError> {
        let from = self.at;
        self.digits();
        match self.at > from {
            true => Ok(()),
            false => Err(self.expected("a digit")),
        }
    }

    fn word(&mut self, word: &[u8], kind: TokenKind) -> Result<TokenKind, SyntaxError> {
        if !self.bytes[self.at..].starts_with(word) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        self.end_of_word()?;
        Ok(kind)
    }

    /// Documents may follow each other without a space, but `truefalse` and
    /// `01` are no documents.
    fn end_of_word(&self) -> Result<(), SyntaxError> {
        match self.bytes.get(self.at) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-' | b'_') => {
                Err(self.expected("the end of a value"))
            }
            _ => Ok(()),
        }
    }

    fn expected(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.at, expected }
    }
}

/// How many bytes from the start are neither a quote, nor a backslash, nor a
/// control character: eight at a time, as nothing else takes as long.
#[inline]
fn plain_run(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        let quotes = zero_bytes(word ^ (ONES * u64::from(b'"')));
        let backslashes = zero_bytes(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        // The lowest marked byte is exact; those above it may be borrowed marks.
        let marks = (quotes | backslashes | controls) & HIGHS;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = &bytes[at..];
    at + rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(json: &[u8]) -> Result<Vec<(TokenKind, String)>, SyntaxError> {
        let mut scanner = Scanner::new(json);
        let mut found = Vec::new();
        while let Some(token) = scanner.next_token()? {
            found.push((token.kind, String::from_utf8_lossy(&json[token.start..token.end]).into_owned()));
        }
        Ok(found)
    }

    fn one_document(json: &[u8]) -> bool {
        let mut scanner = Scanner::new(json);
        let mut documents = 0;
        loop {
            match scanner.next_token() {
                Ok(Some(_)) => documents += usize::from(scanner.depth() == 0),
                Ok(None) => return documents == 1,
                Err(_) => return false,
            }
        }
    }

    #[test]
    fn tokens_carry_their_places() {
        use TokenKind::*;
        let found = kinds(br#" {"a\"": [1, -2.5e3, true], "b": null}"#).unwrap();
        let expected = [
            (ObjectStart, "{"),
            (Key, r#""a\"""#),
            (ArrayStart, "["),
            (Integer, "1"),
            (Float, "-2.5e3"),
            (True, "true"),
            (ArrayEnd, "]"),
            (Key, r#""b""#),
            (Null, "null"),
            (ObjectEnd, "}"),
        ];
        assert_eq!(found, expected.map(|(kind, text)| (kind, text.to_owned())));
    }

    #[test]
    fn documents_follow_each_other() {
        assert_eq!(kinds(b"\xEF\xBB\xBF1 2\n{}[]\"x\"\"y\"").unwrap().len(), 8);
        assert!(kinds(b"truefalse").is_err());
        assert!(kinds(b"1[").is_err());
    }

    #[test]
    fn depth_costs_a_bit() {
        let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
        assert!(one_document(&deep));
        assert!(!one_document(&deep[..199_999]));
    }

    #[test]
    fn errors_say_where() {
        let error = kinds(br#"{"a": 1, }"#).unwrap_err();
        assert_eq!(error.to_string(), "not JSON at byte 9: expected a key in quotes");
    }

    #[test]
    fn containers_can_be_run_over() {
        let json = br#"[{"a": [1, {"b": 2}]}, 3]"#;
        let mut scanner = Scanner::new(json);
        scanner.next_token().unwrap();
        scanner.next_token().unwrap();
        let end = scanner.skip_container().unwrap();
        assert_eq!(&json[..end.end], br#"[{"a": [1, {"b": 2}]}"#);
        assert_eq!(scanner.next_token().unwrap().unwrap().kind, TokenKind::Integer);
    }

    proptest! {
        #[test]
        fn plain_runs_end_where_they_should(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let expected = bytes.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(bytes.len());
            prop_assert_eq!(plain_run(&bytes), expected);
        }

        #[test]
        fn accepts_what_serde_json_accepts(text in r#"[\[\]{}:,"\\a-e0-9.\-+truefalsn \n]{0,24}"#) {
            // serde_json refuses numbers outside of f64, which RFC 8259 allows.
            let reference = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(one_document(text.as_bytes()), reference, "{}", text);
        }
    }
}
