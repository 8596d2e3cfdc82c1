//! Runs of bytes that need no individual inspection, measured in blocks.

use tuckaway_search::lanes::{LANES, Lanes};

/// Counts the leading bytes that are neither a quote, nor a backslash, nor a control character.
/// Only whole blocks are inspected, to inline little code where most runs are short: bytes after
/// the last whole block are not counted.
#[inline(always)]
pub fn plain_blocks(bytes: &[u8]) -> usize {
    run(bytes, plain_ends, |_| true)
}

/// Sets a bit for each byte of a block that ends a run of [`plain_blocks`].
#[inline(always)]
pub(crate) fn plain_ends(block: &[u8; LANES]) -> u16 {
    let block = Lanes::load(block);
    let quotes = block.equal(Lanes::splat(b'"'));
    let backslashes = block.equal(Lanes::splat(b'\\'));
    let controls = block.at_most(Lanes::splat(0x1F));
    quotes.or(backslashes).or(controls).bits()
}

/// Counts the leading bytes that are white space. Usually there are none or one, which callers
/// check themselves; this function handles longer runs, and is not inlined.
#[inline(never)]
pub fn space_run(bytes: &[u8]) -> usize {
    run(bytes, space_ends, |byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
}

/// Works like [`space_run`], for whole blocks only: the code is small enough to be inlined.
#[inline(always)]
pub fn space_blocks(bytes: &[u8]) -> usize {
    run(bytes, space_ends, |_| true)
}

#[inline(always)]
fn space_ends(block: &[u8; LANES]) -> u16 {
    let block = Lanes::load(block);
    let is = |byte: u8| block.equal(Lanes::splat(byte));
    !is(b' ').or(is(b'\n')).or(is(b'\r')).or(is(b'\t')).bits()
}

/// Counts the leading bytes that are digits, in whole blocks only.
#[inline(always)]
pub fn digit_blocks(bytes: &[u8]) -> usize {
    run(bytes, digit_ends, |_| true)
}

#[inline(always)]
fn digit_ends(block: &[u8; LANES]) -> u16 {
    let block = Lanes::load(block);
    !block.at_most(Lanes::splat(b'9')).and_not(block.at_most(Lanes::splat(b'0' - 1))).bits()
}

/// Copies the bytes before the first backslash, and returns their number. `to` must be as long
/// as `from`; bytes after the copy may be overwritten.
#[inline]
pub fn copy_to_backslash(from: &[u8], to: &mut [u8]) -> usize {
    let mut at = 0;
    while let (Some(block), Some(target)) = (from[at..].first_chunk(), to[at..].first_chunk_mut()) {
        *target = *block;
        let ends = Lanes::load(block).equal(Lanes::splat(b'\\')).bits();
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        at += LANES;
    }
    for (&byte, target) in from[at..].iter().zip(&mut to[at..]).take_while(|(byte, _)| **byte != b'\\') {
        *target = byte;
        at += 1;
    }
    at
}

/// Counts the bytes before the first byte that ends a run. `of_block` sets a bit for each such byte
/// of a block; `of_byte` decides for the bytes after the last block.
#[inline(always)]
fn run(bytes: &[u8], of_block: impl Fn(&[u8; LANES]) -> u16, of_byte: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk() {
        let ends = of_block(block);
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        at += LANES;
    }
    let rest = &bytes[at..];
    at + rest.iter().position(|&byte| of_byte(byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the end of a run up to `end` if only whole blocks are inspected.
    fn in_blocks(bytes: &[u8], end: usize) -> usize {
        end.min(bytes.len() / LANES * LANES)
    }

    #[test]
    fn every_byte_ends_a_run_or_does_not() {
        for byte in 0..=u8::MAX {
            for place in [0, 1, 15, 16, 17, 40] {
                let ends = |filler: u8, goes_on: bool| {
                    let mut text = [filler; 50];
                    text[place] = byte;
                    (text, if goes_on { 50 } else { place })
                };
                let (plain, end) = ends(b'x', !(byte == b'"' || byte == b'\\' || byte < b' '));
                assert_eq!(plain_blocks(&plain), in_blocks(&plain, end), "{byte} at {place}");
                let (digits, end) = ends(b'5', byte.is_ascii_digit());
                assert_eq!(digit_blocks(&digits), in_blocks(&digits, end), "{byte} at {place}");
                let (space, end) = ends(b' ', b" \n\r\t".contains(&byte));
                assert_eq!(space_run(&space), end, "{byte} at {place}");
                assert_eq!(space_blocks(&space), in_blocks(&space, end), "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn runs_end_where_a_loop_over_bytes_ends(
            text in "[a-zé\u{7F}\u{80}]{0,40}([\"\\\\\u{1F}\n]|)[a-z\"]{0,40}", spaces in "[ \n\r\t]{0,70}", rest in any::<Vec<u8>>(),
        ) {
            let plain = [text.as_bytes(), &rest].concat();
            let end = plain.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20);
            prop_assert_eq!(plain_blocks(&plain), in_blocks(&plain, end.unwrap_or(plain.len())));
            let spaced = [spaces.as_bytes(), &rest].concat();
            let end = spaced.iter().position(|b| !b" \n\r\t".contains(b));
            prop_assert_eq!(space_run(&spaced), end.unwrap_or(spaced.len()));
        }

        #[test]
        fn bytes_before_a_backslash_are_copied(text in "[a-z\\\\]{0,3}[a-z]{0,40}(\\\\|)[a-z]{0,40}", spare in 0usize..20) {
            let mut to = vec![0; text.len() + spare];
            let length = copy_to_backslash(text.as_bytes(), &mut to);
            prop_assert_eq!(length, text.find('\\').unwrap_or(text.len()));
            prop_assert_eq!(&to[..length], &text.as_bytes()[..length]);
        }
    }
}
