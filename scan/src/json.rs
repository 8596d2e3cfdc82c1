//! How far JSON goes on with bytes that mean nothing by themselves.

use crate::lanes::{LANES, Lanes};

/// How many bytes from the start are neither a quote, nor a backslash, nor a
/// control character.
#[inline]
pub fn plain_run(bytes: &[u8]) -> usize {
    let of_block = |block: Lanes| {
        let quotes = block.equal(Lanes::splat(b'"'));
        let backslashes = block.equal(Lanes::splat(b'\\'));
        let controls = block.at_most(Lanes::splat(0x1F));
        quotes.or(backslashes).or(controls).bits()
    };
    run(bytes, of_block, |byte| byte == b'"' || byte == b'\\' || byte < 0x20)
}

/// How many bytes from the start are white space.
#[inline]
pub fn space_run(bytes: &[u8]) -> usize {
    let of_block = |block: Lanes| {
        let is = |byte: u8| block.equal(Lanes::splat(byte));
        !is(b' ').or(is(b'\n')).or(is(b'\r')).or(is(b'\t')).bits()
    };
    run(bytes, of_block, |byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
}

/// How many bytes come before the first that ends the run: asked of a block,
/// for a bit each, and of the bytes behind the last block, of each.
#[inline(always)]
fn run(bytes: &[u8], of_block: impl Fn(Lanes) -> u16, of_byte: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk::<LANES>() {
        let ends = of_block(Lanes::load(block));
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

    #[test]
    fn every_byte_ends_a_run_or_does_not() {
        for byte in 0..=u8::MAX {
            for place in [0, 1, 15, 16, 17, 40] {
                let mut text = [b'x'; 50];
                text[place] = byte;
                let plain = !(byte == b'"' || byte == b'\\' || byte < b' ');
                assert_eq!(plain_run(&text), if plain { 50 } else { place }, "{byte} at {place}");
                let mut space = [b' '; 50];
                space[place] = byte;
                let is_space = b" \n\r\t".contains(&byte);
                assert_eq!(space_run(&space), if is_space { 50 } else { place }, "{byte} at {place}");
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
            prop_assert_eq!(plain_run(&plain), end.unwrap_or(plain.len()));
            let spaced = [spaces.as_bytes(), &rest].concat();
            let end = spaced.iter().position(|b| !b" \n\r\t".contains(b));
            prop_assert_eq!(space_run(&spaced), end.unwrap_or(spaced.len()));
        }
    }
}
