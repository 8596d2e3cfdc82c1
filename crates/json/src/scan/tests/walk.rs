//! Visitors receive the same as the tokens.

use crate::quoted::{Quoted, QuotedStrings};
use crate::skim::{Scalar, Visitor};
use proptest::prelude::*;

use super::parts::tokens;
use super::*;

/// The calls of a visitor, as text.
struct Witness {
    seen: Vec<String>,
    /// The number of containers that it still lets a walk open.
    depth_left: usize,
    keys: QuotedStrings,
    expected: Quoted,
}

impl Witness {
    fn token(&mut self, token: &Token, bytes: &[u8]) {
        let inside = || token.inside(bytes);
        let (at, length) = (token.start as usize, (token.end - token.start) as usize);
        match token.kind {
            TokenKind::Key => self.key(at, inside(), token.escaped),
            TokenKind::String => self.string(at, inside(), token.escaped),
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.seen.push(format!("{at} open {}", token.kind == TokenKind::ObjectStart));
                self.depth_left = self.depth_left.wrapping_sub(1);
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => self.close(at, token.kind == TokenKind::ObjectEnd),
            TokenKind::Integer => self.scalar(at, length, Scalar::Integer),
            TokenKind::Float => self.scalar(at, length, Scalar::Float),
            TokenKind::True | TokenKind::False => self.scalar(at, length, Scalar::Boolean),
            TokenKind::Null => self.scalar(at, length, Scalar::Null),
        }
    }
}

impl Visitor for Witness {
    fn expects(&self, text: &[u8]) -> Option<usize> {
        self.keys.prefix_len(self.expected, text)
    }

    fn expected_key(&mut self) {
        self.seen.push("key a false".to_owned());
    }

    fn key(&mut self, at: usize, inside: &[u8], escaped: bool) {
        let at = if (inside, escaped) == (b"a", false) { String::new() } else { format!("{at} ") };
        self.seen.push(format!("{at}key {} {escaped}", String::from_utf8_lossy(inside)));
    }

    fn string(&mut self, at: usize, inside: &[u8], escaped: bool) {
        self.seen.push(format!("{at} string {} {escaped}", String::from_utf8_lossy(inside)));
    }

    fn scalar(&mut self, at: usize, length: usize, scalar: Scalar) {
        self.seen.push(format!("{at} {scalar:?} {length}"));
    }

    fn open(&mut self, at: usize, object: bool) -> bool {
        // Tokens may have opened more than that: then it wrapped around.
        if self.depth_left == 0 || self.depth_left > usize::MAX / 2 {
            return false;
        }
        self.depth_left -= 1;
        self.seen.push(format!("{at} open {object}"));
        true
    }

    fn close(&mut self, at: usize, object: bool) {
        self.depth_left = self.depth_left.wrapping_add(1);
        self.seen.push(format!("{at} close {object}"));
    }
}

proptest! {
    #[test]
    fn a_visitor_receives_the_same_as_the_tokens(text in like_json(), depth_left in 0usize..6) {
        let bytes = text.as_bytes();
        let (all, end) = tokens(Scanner::new(bytes), bytes, true);
        let mut keys = QuotedStrings::default();
        let key = keys.add(b"a");
        let mut expected = Witness { seen: Vec::new(), depth_left: 0, keys: keys.clone(), expected: key };
        all.iter().for_each(|token| expected.token(token, bytes));

        let mut witness = Witness { seen: Vec::new(), depth_left, keys, expected: key };
        let mut scanner = Scanner::new(bytes);
        let walked = loop {
            scanner.walk(&mut witness);
            match scanner.next_token() {
                Ok(Some(token)) => {
                    // A walk ends before neither, except for an error.
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
