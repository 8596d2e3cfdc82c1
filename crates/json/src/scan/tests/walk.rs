//! Whether who is shown what is run over sees what the tokens are.

use crate::Quoted;
use crate::skim::{Scalar, Visitor};
use proptest::prelude::*;

use super::parts::tokens;
use super::*;

/// What was shown, as text: that of keys and strings, and what others are.
struct Witness {
    seen: Vec<String>,
    /// How deep it lets a walk go.
    room: usize,
    expected: Quoted,
}

impl Witness {
    fn token(&mut self, token: &Token, bytes: &[u8]) {
        let inside = || token.inside(bytes);
        match token.kind {
            TokenKind::Key => self.key(inside(), token.escaped),
            TokenKind::String => self.string(inside(), token.escaped),
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.seen.push(format!("open {}", token.kind == TokenKind::ObjectStart));
                self.room = self.room.wrapping_sub(1);
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => self.close(token.kind == TokenKind::ObjectEnd),
            TokenKind::Integer => self.scalar(Scalar::Integer),
            TokenKind::Float => self.scalar(Scalar::Float),
            TokenKind::True | TokenKind::False => self.scalar(Scalar::Boolean),
            TokenKind::Null => self.scalar(Scalar::Null),
        }
    }
}

impl Visitor for Witness {
    fn expects(&self, text: &[u8]) -> Option<usize> {
        self.expected.begins(text)
    }

    fn expected_key(&mut self) {
        self.key(b"a", false);
    }

    fn key(&mut self, inside: &[u8], escaped: bool) {
        self.seen.push(format!("key {} {escaped}", String::from_utf8_lossy(inside)));
    }

    fn string(&mut self, inside: &[u8], escaped: bool) {
        self.seen.push(format!("string {} {escaped}", String::from_utf8_lossy(inside)));
    }

    fn scalar(&mut self, scalar: Scalar) {
        self.seen.push(format!("{scalar:?}"));
    }

    fn open(&mut self, object: bool) -> bool {
        // What was opened by tokens may have taken more than all room.
        if self.room == 0 || self.room > usize::MAX / 2 {
            return false;
        }
        self.room -= 1;
        self.seen.push(format!("open {object}"));
        true
    }

    fn close(&mut self, object: bool) {
        self.room = self.room.wrapping_add(1);
        self.seen.push(format!("close {object}"));
    }
}

proptest! {
    #[test]
    fn what_is_walked_over_is_shown_as_the_tokens_are(text in like_json(), room in 0usize..6) {
        let bytes = text.as_bytes();
        let (all, end) = tokens(Scanner::new(bytes), bytes, true);
        let mut expected = Witness { seen: Vec::new(), room: 0, expected: Quoted::new(b"a") };
        all.iter().for_each(|token| expected.token(token, bytes));

        let mut witness = Witness { seen: Vec::new(), room, expected: Quoted::new(b"a") };
        let mut scanner = Scanner::new(bytes);
        let walked = loop {
            scanner.walk(&mut witness);
            match scanner.next_token() {
                Ok(Some(token)) => {
                    // A walk ends before neither, but for an error.
                    prop_assert!(!matches!(token.kind, TokenKind::Key | TokenKind::String));
                    witness.token(&token, bytes);
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        prop_assert_eq!(walked, end);
        prop_assert_eq!(witness.seen, expected.seen);
    }
}
