//! An input that comes in parts, and all that a scanner makes of an input:
//! property tests and a fuzz target ask whether the parts tell.

use super::{Input, Scanner, SyntaxError, Token};

/// Bytes of which `part` more are at hand each time.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    all: &'a [u8],
    start: usize,
    end: usize,
    part: usize,
}

impl<'a> Parts<'a> {
    /// All of these bytes, none of them at hand yet.
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

/// The tokens of an input that is these bytes, and how they end. Texts are those
/// of the bytes; where they are dropped, nothing need be held but what a token's
/// grammar takes.
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

/// Where a scanner of these bytes skims from the token with this number on, what it
/// leaves out is left out between other tokens, and it ends as it would have ended.
pub fn assert_skims<I: Input>(mut scanner: Scanner<I>, bytes: &[u8], from: usize, deepest: usize) {
    let (all, end) = tokens(Scanner::new(bytes), bytes, true);
    let mut others = all.iter();
    for number in 0.. {
        if number >= from {
            scanner.skim(deepest);
        }
        match scanner.next_token() {
            Ok(Some(token)) => assert!(others.any(|other| *other == token), "{token:?} of {all:?}"),
            Ok(None) => return assert_eq!((None, None), (end, others.next())),
            Err(error) => return assert_eq!(Some(error), end),
        }
    }
}
