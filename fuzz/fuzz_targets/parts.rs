//! JSON that is scanned in parts has the tokens, the places and the error that it
//! has as a whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tuckaway::json::input::Input;
use tuckaway::json::scan::{Scanner, SyntaxError, Token};

/// Bytes of which some more are at hand each time.
struct Parts<'a> {
    all: &'a [u8],
    start: usize,
    end: usize,
    part: usize,
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

fn tokens<I: Input>(mut scanner: Scanner<I>, bytes: &[u8], texts: bool) -> (Vec<Token>, Option<SyntaxError>) {
    let mut found = Vec::new();
    if !texts {
        scanner.drop_texts();
    }
    loop {
        match scanner.next_token() {
            Ok(Some(token)) => {
                if texts {
                    assert_eq!(scanner.text(token.start, token.end), Some(token.of(bytes)));
                }
                found.push(token);
            }
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error)),
        }
    }
}

fuzz_target!(|input: (u8, &[u8])| {
    let (part, bytes) = (usize::from(input.0 % 64) + 1, input.1);
    let whole = tokens(Scanner::new(bytes), bytes, true);
    for texts in [true, false] {
        let parts = Parts { all: bytes, start: 0, end: 0, part };
        assert_eq!(tokens(Scanner::new(parts), bytes, texts), whole);
    }
});
