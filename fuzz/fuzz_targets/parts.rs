//! JSON that is scanned in parts has the same tokens, positions and error as the whole, and
//! skimming finds the same as scanning.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tuckaway_json::input::Input;
use tuckaway_json::scan::{Scanner, SyntaxError, Token};

#[path = "../../crates/json/src/scan/tests/parts.rs"]
mod parts;

use parts::{Parts, assert_skims, tokens};

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (part, bytes) = (usize::from(input.0 % 64) + 1, input.2);
    let (from, max_depth) = (usize::from(input.1 % 16), usize::from(input.1 / 16));
    let whole = tokens(Scanner::new(bytes), bytes, true);
    for texts in [true, false] {
        assert_eq!(tokens(Scanner::new(Parts::of(bytes, part)), bytes, texts), whole);
    }
    assert_skims(Scanner::new(bytes), bytes, from, max_depth);
    assert_skims(Scanner::new(Parts::of(bytes, part)), bytes, from, max_depth);
});
