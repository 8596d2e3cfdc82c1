//! An input in parts, and checks that scanning it does not depend on the parts: for
//! property tests and a fuzz target.

use super::{Input, Scanner, SyntaxError, Token};

/// Bytes that are read `part` at a time.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    all: &'a [u8],
    start: usize,
    end: usize,
    part: usize,
}

impl<'a> Parts<'a> {
    /// Starts with none of these bytes in memory.
    pub fn of(all: &'a [u8], part: usize) -> Self {
        Parts { all, start: 0, end: 0, part }
    }
}

impl Input for Parts<'_> {
    const HAS_PARTS: bool = true;

    fn bytes(&self) -> &[u8] {
        &self.all[self.start..self.end]
    }

    fn start(&self) -> u64 {
        self.start as u64
    }

    fn advance(&mut self, used: usize) -> bool {
        self.start += used;
        let more = self.part.min(self.all.len() - self.end);
        self.end += more;
        more > 0
    }
}

/// Returns the tokens of an input that consists of these bytes, and the error at its end.
/// With `texts`, checks that the text of each token is in memory; otherwise texts are
/// dropped.
pub fn tokens<I: Input>(
    mut scanner: Scanner<I>,
    bytes: &[u8],
    texts: bool,
) -> (Vec<Token>, Option<SyntaxError>) {
    let mut found = Vec::new();
    if !texts {
        scanner.drop_texts();
    }
    loop {
        match scanner.next_token() {
            Ok(Some(token)) => {
                if texts {
                    assert_eq!(scanner.text(token.start, token.end), Some(token.text(bytes)));
                }
                found.push(token);
            }
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error)),
        }
    }
}

/// Checks a scanner of these bytes that skims from the token with the number `from` on: it
/// skips whole tokens, and ends as it would have ended without skimming.
pub fn assert_skims<I: Input>(mut scanner: Scanner<I>, bytes: &[u8], from: usize, max_depth: usize) {
    let (all, end) = tokens(Scanner::new(bytes), bytes, true);
    let mut others = all.iter();
    for number in 0.. {
        if number >= from {
            scanner.skim(max_depth);
        }
        match scanner.next_token() {
            Ok(Some(token)) => assert!(others.any(|other| *other == token), "{token:?} of {all:?}"),
            Ok(None) => return assert_eq!((None, None), (end, others.next())),
            Err(error) => return assert_eq!(Some(error), end),
        }
    }
}
