//! The search for a byte or a short text: [`memchr`]'s searches for bytes, and loops over
//! them for texts.

/// Returns the first offset of a byte.
pub fn byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memchr(byte, bytes)
}

/// Returns the last offset of a byte.
pub fn last_byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(byte, bytes)
}

/// Returns the first offset of any of three bytes; two may be the same.
pub fn any_byte([one, two, three]: [u8; 3], bytes: &[u8]) -> Option<usize> {
    memchr::memchr3(one, two, three, bytes)
}

/// Counts a byte.
pub fn count(byte: u8, bytes: &[u8]) -> usize {
    memchr::memchr_iter(byte, bytes).count()
}

/// Returns the first offset of a short text. The search needs no preparation, so it suits lines,
/// and texts that begin with a rare byte. In long texts [`crate::Needles`] is faster.
pub fn text(text: &[u8], bytes: &[u8]) -> Option<usize> {
    Texts { text, bytes, from: 0 }.next()
}

/// Iterates over the offsets of a short text; occurrences do not overlap.
pub fn texts<'a>(text: &'a [u8], bytes: &'a [u8]) -> Texts<'a> {
    Texts { text, bytes, from: 0 }
}

/// Returns the last offset of a short text.
pub fn last_text(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let (&first, after) = text.split_first()?;
    let mut to = bytes.len();
    loop {
        to = memchr::memrchr(first, &bytes[..to])?;
        if starts_with(&bytes[to + 1..], after) {
            return Some(to);
        }
    }
}

/// Returns whether bytes start with a text. Bytes are compared one by one: usually the first
/// already differs, and a call to compare memory costs more.
#[inline(always)]
pub fn starts_with(bytes: &[u8], text: &[u8]) -> bool {
    text.len() <= bytes.len() && text.iter().zip(bytes).all(|(want, byte)| want == byte)
}

/// See [`texts`].
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    text: &'a [u8],
    bytes: &'a [u8],
    from: usize,
}

impl Iterator for Texts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let (&first, after) = self.text.split_first()?;
        loop {
            let at = self.from + memchr::memchr(first, self.bytes.get(self.from..)?)?;
            self.from = at + 1;
            if starts_with(&self.bytes[at + 1..], after) {
                self.from += after.len();
                return Some(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn searches_agree_with_the_standard_library(bytes in "[ab\\-é]{0,50}", wanted in "[ab\\-é]{1,3}") {
            prop_assert_eq!(text(wanted.as_bytes(), bytes.as_bytes()), bytes.find(&wanted));
            prop_assert_eq!(last_text(wanted.as_bytes(), bytes.as_bytes()), bytes.rfind(&wanted));
            let offsets: Vec<usize> = bytes.match_indices(&wanted).map(|(at, _)| at).collect();
            prop_assert_eq!(texts(wanted.as_bytes(), bytes.as_bytes()).collect::<Vec<_>>(), offsets);
            prop_assert_eq!(byte(b'a', bytes.as_bytes()), bytes.find('a'));
            prop_assert_eq!(last_byte(b'a', bytes.as_bytes()), bytes.rfind('a'));
            prop_assert_eq!(any_byte([b'a', b'-', b'-'], bytes.as_bytes()), bytes.find(['a', '-']));
            prop_assert_eq!(count(b'a', bytes.as_bytes()), bytes.matches('a').count());
        }
    }
}
