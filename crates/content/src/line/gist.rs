//! The gist of a line: the line without its numbers.

use tuckaway_search::hash;

use super::class;

/// Hashes of a line without its numbers.
#[derive(Clone, Copy)]
pub struct Gist {
    /// The same for lines that differ only in numbers.
    pub text: u64,
    /// The same for lines that differ only in numbers, if the same numbers are `0` or
    /// begin with it: `0 failed` is not `2 failed`.
    pub counts: u64,
}

impl Gist {
    /// Reads the first `max_bytes` of a line.
    pub fn of(line: &[u8], max_bytes: usize) -> Self {
        let line = &line[..line.len().min(max_bytes)];
        let (mut text, mut zeros) = (0, 0);
        // Where the run of digits or of other bytes begins.
        let (mut start, mut in_digits) = (0, false);
        for (index, bytes) in line.chunks(class::BLOCK).enumerate() {
            let digits = class::digit_bits(bytes);
            let offset = index * class::BLOCK;
            let mut at = 0;
            loop {
                if in_digits {
                    at += (!digits >> at).trailing_zeros() as usize;
                    if at >= bytes.len() {
                        break;
                    }
                    zeros = with_number(zeros, &line[start..offset + at]);
                    start = offset + at;
                }
                at += (digits >> at).trailing_zeros() as usize;
                in_digits = at < bytes.len();
                if !in_digits {
                    break;
                }
                text = hash::with(text, &line[start..offset + at]);
                start = offset + at;
            }
        }
        match in_digits {
            true => zeros = with_number(zeros, &line[start..]),
            false => text = hash::with(text, &line[start..]),
        }
        let text = hash::mix(text ^ u64::from(in_digits));
        Gist { text, counts: hash::mix(text ^ zeros) }
    }
}

/// Adds a number to a hash that distinguishes only `0`, `07` and `7`.
fn with_number(hash: u64, number: &[u8]) -> u64 {
    let class = match number {
        [b'0'] => 1,
        [b'0', ..] => 2,
        _ => 3,
    };
    hash.wrapping_mul(5).wrapping_add(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> u64 {
        Gist::of(line.as_bytes(), 200).text
    }

    fn counts(line: &str) -> u64 {
        Gist::of(line.as_bytes(), 200).counts
    }

    #[test]
    fn lines_that_differ_in_numbers_have_one_gist() {
        assert_eq!(text("row 17 of 203 failed"), text("row 1 of 99999 failed"));
        assert_ne!(text("row 17 failed"), text("rows 17 failed"));
        let long = |number: &str| text(&format!("{} {number} {number}x", "long ".repeat(12)));
        assert_eq!(long("1"), long("123456789"));
        assert_ne!(text("row 1"), text("row "));
    }

    #[test]
    fn none_is_not_some() {
        assert_eq!(counts("2 passed, 3 failed"), counts("31 passed, 1 failed"));
        assert_eq!(text("2 passed, 0 failed"), text("2 passed, 1 failed"));
        for other in ["2 passed, 0 failed", "0 passed, 3 failed", "0 passed, 0 failed", "2 passed, 03 failed"]
        {
            assert_ne!(counts("2 passed, 3 failed"), counts(other), "{other}");
        }
        assert_ne!(counts("errors: 0"), counts("errors: 1"));
        assert_ne!(counts(&"0 1 ".repeat(40)), counts(&"1 0 ".repeat(40)));
    }
}
